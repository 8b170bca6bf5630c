"""`fsplan reproduce`: the paper's experiments, its figures, and whether its claims hold.

`small`: 8-puzzle, 9 pancakes and probBLOCKS-8-0 with synthetic policies of a chosen accuracy, from many starts.
`tiles15`: Korf's 100 15-puzzles with the shipped policy.
Both resume where they were interrupted; everything lands in one folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from fsplan.planner import catalogue
from fsplan.planner.experiments import claims, execute, figures, spaces
from fsplan.planner.experiments.compare import carry_out
from fsplan.planner.experiments.jobs import Job, machine, versions
from fsplan.planner.experiments.records import Row, Run, export, policy_digest
from fsplan.planner.experiments.report import page
from fsplan.planner.experiments.sweep import ORDERS
from fsplan.planner.files import write

GIGABYTE = 1 << 30
PAPER = {"paper": True}  # Algorithm 1 to the letter


@dataclass(frozen=True)
class Variant:
    """Another reading of what the paper leaves open: options of the search and of the synthetic policy."""

    search: dict[str, Any] = field(default_factory=dict)
    policy: dict[str, Any] = field(default_factory=dict)

    def matters_to(self, search: str, order: str | None = None) -> bool:
        """Whether the search would run differently: alpha, for example, is read by Disc-1 alone."""
        return bool(self.policy) or not set(self.search).isdisjoint(catalogue.reads(search, order))

    @property
    def options(self) -> dict[str, Any]:
        return {**self.search, **({"synthetic": self.policy} if self.policy else {})}


VARIANTS = {
    "error profile": Variant(policy={"error_profile": "linear"}),
    "alpha applicable": Variant(search={"alpha": "applicable"}),
    "scores per state": Variant(policy={"shared": False}),
    "scores of all actions": Variant(policy={"support": "all"}),
    "unmasked": Variant(policy={"masked": False}),
    "uniform scores": Variant(policy={"distribution": "uniform"}),
    "oldest first": Variant(search={"ties": "f,h,oldest"}),
}


@dataclass(frozen=True)
class Effort:
    """How much is run on a domain; variants of the policy get by with less."""

    starts: int
    draws: int
    variant_starts: int
    variant_draws: int


@dataclass(frozen=True)
class Small:
    """The sweep on the small domains."""

    domains: dict[str, Effort] = field(
        default_factory=lambda: {
            "tiles8": Effort(100, 5, 50, 2),
            "pancake9": Effort(100, 5, 50, 2),
            "blocks": Effort(10, 5, 5, 1),
        }
    )
    ws: tuple[str, ...] = ("1.2", "1.5")
    low_ws: tuple[str, ...] = ("1.01", "1.05", "1.1")  # what becomes of the comparison with WA* as w approaches 1
    low_orders: tuple[str, ...] = ("disc2", "disc3")
    accuracies: tuple[float, ...] = (0.7, 0.8, 0.9, 0.95, 1.0)
    variants: tuple[str, ...] = tuple(VARIANTS)
    time_limit: float = 120.0
    memory_limit: int = 4 * GIGABYTE


QUICK_SMALL = Small(
    domains={"tiles8": Effort(20, 2, 5, 1), "pancake9": Effort(20, 2, 5, 1), "blocks": Effort(1, 1, 1, 1)},
    variants=(),
    low_ws=(),
    time_limit=20.0,
)


@dataclass(frozen=True)
class Tiles15:
    """The sweep on the 15-puzzle."""

    instances: int = 100
    ws: tuple[str, ...] = ("1.5", "2")
    policy: str = "tiles15"
    time_limit: float = 300.0
    memory_limit: int = 8 * GIGABYTE


QUICK_TILES15 = Tiles15(instances=20, time_limit=10.0)


def small_jobs(settings: Small) -> list[Job]:
    """Jobs of one domain, one draw, one accuracy: what they share is explored and drawn once.

    The default reading comes first on all domains, so that an interrupted sweep has as much of it as possible.
    """
    jobs = []
    for domain, effort in settings.domains.items():
        tasks = spaces.start_names(domain, effort.starts)
        jobs.append(_job(domain, _unguided(settings, domain, tasks)))
        for draw in range(effort.draws):
            jobs += _guided_jobs(settings, domain, tasks, draw, "")
    for name in settings.variants:
        for domain, effort in settings.domains.items():
            tasks = spaces.start_names(domain, effort.variant_starts)
            for draw in range(effort.variant_draws):
                jobs += _guided_jobs(settings, domain, tasks, draw, name)
    return jobs


def _job(domain: str, runs: Iterator[Run]) -> Job:
    return Job(spaces.EXECUTOR, tuple(runs), {"domain": domain})


def _unguided(settings: Small, domain: str, tasks: Sequence[str]) -> Iterator[Run]:
    for w in (*settings.ws, *settings.low_ws):
        for task in tasks:
            yield _run(settings, domain, task, search="wastar", w=w)


def _guided_jobs(settings: Small, domain: str, tasks: Sequence[str], draw: int, variant: str) -> Iterator[Job]:
    for accuracy in settings.accuracies:
        yield _job(domain, _guided(settings, domain, tasks, accuracy, draw, variant))


def _guided(
    settings: Small, domain: str, tasks: Sequence[str], accuracy: float, draw: int, variant: str
) -> Iterator[Run]:
    chosen = VARIANTS.get(variant)
    common: dict[str, Any] = {
        "policy": f"synthetic:{accuracy}",
        "accuracy": accuracy,
        "draw": draw,
        "seed": draw,
        "variant": variant,
    }
    for task in tasks:
        for search, order, w in _guided_searches(settings, chosen):
            options = {**(PAPER if order else {}), **(chosen.options if chosen else {})}
            yield _run(settings, domain, task, search=search, order=order, w=w, options=options, **common)


def _guided_searches(settings: Small, variant: Variant | None) -> Iterator[tuple[str, str | None, str]]:
    """Search, order and w: in the default reading all of them, in a variant those to which it makes a difference."""
    every: list[tuple[str, str | None, str]] = [("focal", order, w) for w in settings.ws for order in ORDERS]
    if variant is None:
        every += [("focal", order, w) for w in settings.low_ws for order in settings.low_orders]
    every.append(("prefastar", None, "1"))
    return (each for each in every if variant is None or variant.matters_to(*each[:2]))


def _run(settings: Small, domain: str, task: str, **rest: Any) -> Run:
    return Run(
        task=task,
        domain=domain,
        heuristic=spaces.HEURISTICS[domain],
        time_limit=settings.time_limit,
        memory_limit=settings.memory_limit,
        **rest,
    )


def tiles15_jobs(settings: Tiles15) -> list[Job]:
    """One job per instance; after a run that is killed the others continue in a new process."""
    digest = policy_digest(settings.policy)
    numbers = range(1, settings.instances + 1)
    return [Job(execute.SOLVE, tuple(_tiles15_runs(settings, number, digest))) for number in numbers]


def _tiles15_runs(settings: Tiles15, number: int, digest: str) -> Iterator[Run]:
    common: dict[str, Any] = {
        "task": f"tiles15:korf/{number}",
        "domain": "tiles15",
        "heuristic": spaces.HEURISTICS["tiles15"],
        "time_limit": settings.time_limit,
        "memory_limit": settings.memory_limit,
    }
    guided: dict[str, Any] = {"policy": settings.policy, "policy_digest": digest, **common}
    yield Run(search="prefastar", **guided)
    for w in settings.ws:
        yield Run(search="wastar", w=w, **common)
        for order in ORDERS:
            yield Run(search="focal", order=order, w=w, options=PAPER, **guided)


def reproduce(
    what: str,
    out: str | Path,
    *,
    quick: bool = False,
    variants: Sequence[str] | None = None,
    policy: str | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    quiet: bool = False,
    settings: Small | Tiles15 | None = None,
) -> list[str]:
    """Runs `small` or `tiles15` into a folder; the notes say what could not be written.

    The folder gets results.jsonl (every run as it ends), results.csv and .parquet, the figures, claims.md,
    report.html, settings.json and, for `small`, policies.json.
    """
    chosen = settings or _settings(what, quick, variants, policy)
    if isinstance(chosen, Tiles15):
        _check_policy(chosen.policy)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    jobs = small_jobs(chosen) if isinstance(chosen, Small) else tiles15_jobs(chosen)
    rows = carry_out(jobs, folder / "results.jsonl", workers=workers, scheduler=scheduler, quiet=quiet)
    about = {"settings": asdict(chosen), "versions": versions(), "machine": machine()}
    write(folder / "settings.json", json.dumps(about, indent=2) + "\n")
    _write_policies(rows, folder)
    return write_outputs(rows, folder, chosen)


def _write_policies(rows: list[Row], folder: Path) -> None:
    """The synthetic policies that were drawn: what they are made of, their scores, their measured accuracy."""
    drawn = [
        {"domain": row["domain"], "variant": row["variant"], "draw": row["draw"], **row["policy_details"]}
        for row in rows
        if row.get("policy_details")
    ]
    if drawn:
        write(folder / "policies.json", json.dumps(drawn, indent=1) + "\n")


def _check_policy(policy: str) -> None:
    """Refuses a policy that does not exist or does not fit before thousands of runs do."""
    from fsplan.planner.load import load
    from fsplan.planner.policies.registry import resolve

    resolve(policy, load("tiles15:korf/1"))


def _settings(what: str, quick: bool, variants: Sequence[str] | None, policy: str | None) -> Small | Tiles15:
    if what == "tiles15":
        if variants:
            raise ValueError("variants are readings of the synthetic policies: they belong to `small`")
        settings15 = QUICK_TILES15 if quick else Tiles15()
        return settings15 if policy is None else replace(settings15, policy=policy)
    if what != "small":
        raise ValueError(f"there is nothing called {what!r} to reproduce; choose small or tiles15")
    if policy is not None:
        raise ValueError("`small` draws its own policies; a policy belongs to `tiles15`")
    settings = QUICK_SMALL if quick else Small()
    for name in variants or ():
        if name not in VARIANTS:
            raise ValueError(f"unknown variant {name!r}; there are {', '.join(VARIANTS)}")
    return settings if variants is None else replace(settings, variants=tuple(variants))


def write_outputs(rows: list[Row], folder: Path, settings: Small | Tiles15) -> list[str]:
    """Tables, figures, claims and the page of a finished sweep."""
    notes = export(rows, folder)
    stamp = f"{versions()}; {machine()}"
    if isinstance(settings, Small):
        title, made = "The paper's claims on the small domains", claims.small_claims(rows)
    else:
        title, made = "The paper's claims on the 15-puzzle", claims.tiles15_claims(rows)
    variants = settings.variants if isinstance(settings, Small) else ()
    text = claims.claims_text(title, made, rows, _about(settings, stamp), variants)
    write(folder / "claims.md", text)
    name = folder.resolve().name
    write(folder / "report.html", page([(name, rows)], f"fsplan: {name}", text))
    if not figures.available():
        return [*notes, figures.MISSING]
    base = [row for row in rows if not row["variant"]]
    if isinstance(settings, Small):
        figures.accuracy_figures(base, folder, stamp)
        figures.variant_figures(rows, folder, stamp)
    else:
        figures.solved_figures(base, folder, stamp)
    return notes


def _about(settings: Small | Tiles15, stamp: str) -> str:
    if isinstance(settings, Small):
        starts = ", ".join(
            f"{domain} {effort.starts} starts × {effort.draws} draws" for domain, effort in settings.domains.items()
        )
        accuracies = ", ".join(f"{value:g}" for value in settings.accuracies)
        what = f"Synthetic policies of target accuracy {accuracies}; {starts}; w {', '.join(settings.ws)}."
    else:
        what = f"Korf's instances 1 to {settings.instances}, policy {settings.policy}, w {', '.join(settings.ws)}."
    readings = (
        "Means are over draws and starts. FOCAL is minimised; Score-1/2 are kept as sums of logarithms; Score-3/4 have "
        "the minus sign the text implies; Disc-3 is the sum of ranks, and its literal reading, the last rank, is "
        "shown too; states are re-opened; ties: key, f, h, newest."
    )
    return f"{what}\n\n{readings}\n\nMade by {stamp}."
