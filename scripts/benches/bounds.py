"""Lower bounds of the initial state, and the heuristics behind them."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from time import process_time

import fsplan
from benches.base import Table, chosen_tasks
from fsplan.planner.base import files
from fsplan.planner.bounds.root import Bound, bound
from fsplan.planner.experiments.suites import TaskName

METHODS = (
    "lmcut", "state-equation", "landmarks", "pair-landmarks", "pairs", "triples", "refined", "large", "branching"
)  # fmt: skip
RATIOS = (2, 1.5, 1.2, 1.1, 1.05)
SHORTEST = 0.05  # CPU seconds that a search must take for its rate to be meaningful


def bounds(options: Namespace) -> None:
    """Bounds of the initial state by method, divided by the best known cost.

    Best known costs are read from the file --json and updated. `auto` searches for a plan of a task without one
    (`--option search=SECONDS`, 8), with --only improve also if the bound is below the best known cost. Outdated costs
    would make the bounds look better, so the file is not committed. A bound above a known cost is an error.
    """
    given = dict(word.split("=", 1) for word in options.option)
    known: dict[str, int] = json.loads(options.json.read_text()) if options.json and options.json.exists() else {}
    table = Table("bound / best known cost", 50, {"best": ">8", **dict.fromkeys(METHODS, ">14.3f"), "s": ">6.2f"})
    for name in chosen_tasks(options, learning=True):
        task = fsplan.load(*name.files)
        found = bound(task, time_limit=options.seconds)
        cost = known.get(name.name)
        if cost is None or ("improve" in options.only and (found.value or 0) < cost):
            result = fsplan.solve(task, search="auto", w=1, anytime=True, time_limit=float(given.get("search", 8)))
            costs = [each for each in (cost, result.cost) if each is not None]
            cost = int(min(costs)) if costs else None
        if cost is None:
            continue
        if found.value is None or found.value > cost:
            raise SystemExit(f"{name.name}: the bound {found.value} is above the cost {cost} of a plan")
        known[name.name] = cost
        if options.json:
            files.write(options.json, json.dumps(known, indent=1, sort_keys=True) + "\n")
        table.add(name.name, cost, *shares(found.methods, cost), found.seconds)
    for method in METHODS:
        column = table.column(method)
        proven = ", ".join(f"{ratio}: {mean([share * ratio >= 1 - 1e-9 for share in column]):.1%}" for ratio in RATIOS)
        print(f"{method:16} mean {mean(column):.3f}; proves a ratio of {proven}")


def mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


def shares(steps: tuple[Bound, ...], cost: int) -> list[float]:
    """Returns bound / cost for each method; the methods of the linear program include the bounds of earlier methods."""
    values = {step.method: step.value or 0 for step in steps}
    found: list[float] = []
    for method in METHODS:
        earlier = found[-1] if method in METHODS[2:] else 0.0
        found.append(max(earlier, values.get(method, 0) / cost if cost else 1.0))
    return found


def rates(options: Namespace) -> None:
    """Evaluations per CPU second of A* with lmcut and with scp, without the preparation of the heuristic."""
    table = Table("task", 50, {"lmcut": ">10.0f", "scp": ">10.0f", "scp / lmcut": ">12.1f"})
    for name in chosen_tasks(options):
        found = [search_rate(name, heuristic, options.seconds) for heuristic in ("lmcut", "scp")]
        if None not in found:
            table.add(name.name, *found, (found[1] or 0) / (found[0] or 1))
    table.print_ratios("scp / lmcut")


def search_rate(name: TaskName, heuristic: str, seconds: float) -> float | None:
    task = fsplan.load(*name.files)
    times = [process_time()]
    for limits in ({"expansion_limit": 1}, {"time_limit": seconds}):
        result = fsplan.solve(task, search="astar", heuristic=heuristic, **limits)
        times.append(process_time())
    used = times[2] - times[1] - (times[1] - times[0])
    return result.statistics["evaluated"] / used if used >= SHORTEST else None


def followed(options: Namespace) -> None:
    """Ratios proven without a search: plans by following learned policies, and bounds of the initial state.

    The tasks are the easy ones of the learning track; `--option policies=FOLDER` has DOMAIN.policy for each domain.
    `--tasks learning/DOMAIN` chooses a domain.
    """
    folder = Path(dict(word.split("=", 1) for word in options.option)["policies"])
    table = Table("followed", 50, {"cost": ">8", "bound": ">8", "ratio": ">8.3f", "s": ">6.2f"})
    options.tasks = options.tasks or "learning/"
    for name in chosen_tasks(options, learning=True):
        policy = folder / f"{name.domain}.policy"
        if not policy.exists():
            continue
        task = fsplan.load(*name.files)
        cost = fsplan.solve(task, search="follow", policy=str(policy), time_limit=options.seconds).cost
        found = bound(task, time_limit=options.seconds, enough=None if cost is None else int(cost))
        ratio = cost / found.value if cost is not None and found.value else float("inf")
        table.add(name.name, cost, found.value, ratio, found.seconds)
    ratios = table.column("ratio")
    for limit in RATIOS:
        print(f"proven at {limit}: {mean([ratio <= limit + 1e-9 for ratio in ratios]):.1%} of {len(ratios)}")


SUITES = {"bounds": bounds, "rates": rates, "followed": followed}
