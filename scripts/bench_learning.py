"""Learns a policy for each domain from small tasks and measures it on larger ones, in one run.

    python scripts/bench_learning.py                              all thirteen domains
    python scripts/bench_learning.py --domains miconic,gripper --tests 4 --w 1.5 --seconds 5 --json learning.jsonl
    python scripts/bench_learning.py --table learning.jsonl       the table of all measurements so far
    python scripts/bench_learning.py --domains rovers --w 1.5 --expansions 1000      counts only
    python scripts/bench_learning.py --domains rovers --sizes medium,hard --report following.md   following, per size
    python scripts/bench_learning.py --domains own --sizes large --reference 60      generated domains

Domains with the folders training and testing/easy are trained on the former and tested on the latter. In other domains
the smaller half of the tasks is used for training and the larger half for testing. Printed for each domain: CPU seconds
of training, accuracy on the test tasks whose states can be enumerated, plans by executing the policy (solved, cost
relative to LAMA's first plan), microseconds per state of the policy and of LM-cut, size of the policy in bytes, and for
each w the expansions and seconds of

    learned, ff      focal search (disc2, LM-cut) with the learned policy, and with ff
    wastar           weighted A* (LM-cut)
    optimistic       optimistic search (LM-cut)
    auto+, auto      the default search with the learned policy, and without it

Ratios are geometric means over the tasks that both searches solve. "Time" compares auto+ with the best search without
learning: the one of ff, wastar, optimistic and auto that solves the most test tasks; ties go to the fastest. An
unsolved task counts with its time limit. Limits are wall time; the compared times are CPU times of one thread.

With --sizes, the policy is only followed, on every task of the folders testing/SIZE. Printed for each size: plans
found, their cost relative to the best known cost (shared/learning/best_known.csv, or what auto finds in --reference
seconds), geometric mean and greatest, and per task the expansions beyond the steps of the plan and the CPU seconds.
--report writes a page with the conditions and one table of all domains and sizes; --policies follows policies that were
trained before. The domains trail, barge, canteen, fuel and corridor (`own`) are generated: policies are trained on the
sizes 1 to 4 and tested (size large) on the sizes 10 to 40.

With --expansions, learned, ff, wastar and optimistic run on every test task with this expansion limit. Then only the
training depends on time.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import geometric_mean
from typing import Any

import numpy as np

import fsplan

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import scalable_problems
from benches.planners import lama_first_run

from fsplan.pddl.costs import plain
from fsplan.planner._core import TooManyStates, policy_scores
from fsplan.planner.experiments.suites import TaskName
from fsplan.planner.learning.relational.labels import sample
from fsplan.planner.learning.relational.learn import LearnOptions, learn
from fsplan.planner.policies import estimates
from fsplan.planner.policies.base import TaskPolicy
from fsplan.planner.policies.relational.stored import DomainPolicy, read
from fsplan.planner.search.accuracy import choices
from fsplan.planner.tasks.task import Task

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
LEARNING = ("blocksworld", "childsnack", "miconic", "rovers", "satellite", "transport")
BENCHMARKS = ("blocks", "depot", "driverlog", "gripper", "logistics00", "tpp", "zenotravel")
OWN = tuple(scalable_problems.DOMAINS)
OWN_SIZES, OWN_SEEDS, OWN_LARGE = [1, 2, 3, 4], 4, {"large": [10, 20, 40]}
OTHERS = ("ff", "wastar", "optimistic")
UNLEARNED = (*OTHERS, "auto")
MOST_TOO_LARGE = 3


def tasks_of(domain: str, shared: Path) -> tuple[Path, list[Path], list[Path]]:
    """Returns the domain file, and the training tasks and test tasks sorted by size."""
    if domain in OWN:
        return own_tasks(domain)
    folder = shared / "learning" / domain
    if folder.exists():
        train, test = folder / "training", folder / "testing" / "easy"
        return folder / "domain.pddl", sorted(train.glob("*.pddl")), sorted(test.glob("*.pddl"))
    folder = shared / "benchmarks" / domain
    problems = sorted((path for path in folder.glob("*.pddl") if path.name != "domain.pddl"), key=_size)
    half = len(problems) // 2
    return folder / "domain.pddl", problems[:half], problems[half:]


def own_tasks(domain: str) -> tuple[Path, list[Path], list[Path]]:
    """Returns the files of a generated domain, in the same folders as those of the learning track."""
    folder = Path(tempfile.gettempdir()) / "fsplan-scalable" / domain
    _, train = scalable_problems.write_problems(folder / "training", domain, OWN_SIZES, OWN_SEEDS)
    for size, numbers in OWN_LARGE.items():
        _, test = scalable_problems.write_problems(folder / "testing" / size, domain, numbers, 2)
        (folder / "testing" / size / "domain.pddl").unlink()
    (folder / "domain.pddl").write_text(scalable_problems.DOMAINS[domain])
    return folder / "domain.pddl", [Path(path) for path in train], [Path(path) for path in test]


def _size(path: Path) -> tuple[int, str]:
    return path.stat().st_size, path.name


def spread(items: list[Path], count: int) -> list[Path]:
    """Returns `count` evenly spaced items, including the last."""
    if len(items) <= count:
        return items
    return [items[round((i + 1) * len(items) / count) - 1] for i in range(count)]


def accuracy(policy: DomainPolicy, tasks: list[Task], states: int = 300) -> tuple[int, int, int]:
    """Returns (states where the policy's choice is optimal, states, tasks that could be enumerated)."""
    hits = count = enumerated = too_large = 0
    for task in sorted(tasks, key=lambda task: len(task.actions)):
        try:
            graph = fsplan.explore(task, 500_000, heuristic=None)
        except TooManyStates:
            too_large += 1
            if too_large == MOST_TOO_LARGE:
                break
            continue
        chosen = sample(graph, states, np.random.default_rng(1))
        if not len(chosen):
            continue
        hits += int(graph.optimal_edges()[choices(policy.on(task), graph, np.sort(chosen))].sum())
        count, enumerated = count + len(chosen), enumerated + 1
    return hits, count, enumerated


def microseconds(policy: DomainPolicy, task: Task, plan: list[str]) -> tuple[float, float]:
    """Returns the microseconds per state of the policy and of LM-cut, measured on the states of a plan."""
    names = {name: number for number, name in reversed(list(enumerate(task.actions)))}
    state, states, rows = task.state_space.start_values(), [], []
    for step in plan:
        successors = task.state_space.successors(state)
        states.append(state)
        rows.append([action for action, _, _ in successors])
        state = next(after for action, _, after in successors if action == names[step])
    begin = np.cumsum([0, *map(len, rows)]).astype(np.uint32)
    actions, values = np.array([action for row in rows for action in row], np.uint32), np.array(states, np.int32)
    on_task = policy.on(task)
    if estimates.read_by(on_task):  # `ff` was chosen: its scores need relaxed plans of the successors

        def score(count: int) -> object:
            return TaskPolicy(on_task, task).log_probabilities(states[:count])
    else:

        def score(count: int) -> object:
            return policy_scores(on_task, values[:count], begin[: count + 1], actions[: begin[count]])

    score(1)
    started = time.process_time()
    score(len(states))
    scoring = time.process_time() - started
    task.state_space.evaluate("lmcut", states[0])  # type: ignore[attr-defined]
    started = time.process_time()
    for each in states:
        task.state_space.evaluate("lmcut", each)  # type: ignore[attr-defined]
    return 1e6 * scoring / len(states), 1e6 * (time.process_time() - started) / len(states)


def searched(task: Task, name: str, policy: DomainPolicy, w: str, limit: dict[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {"w": w, **limit}
    started = time.process_time()
    if name in ("learned", "ff"):
        on_task = policy.on(task) if name == "learned" else "ff"
        result = fsplan.solve(task, "focal", order="disc2", policy=on_task, heuristic="lmcut", **options)
    elif name in ("auto+", "auto"):
        result = fsplan.solve(task, "auto", policy=policy.on(task) if name == "auto+" else None, **options)
    else:
        result = fsplan.solve(task, name, heuristic="lmcut", **options)
    return {
        "solved": result.certified,
        "expanded": max(1, result.statistics["expanded"]),
        "seconds": max(1e-3, time.process_time() - started),
        "cost": plain(result.cost),
        "parts": {name: result.statistics.get(name) for name in ("plan_by", "bound_by")},
    }


def mean(numbers: list[float]) -> float | None:
    return geometric_mean(numbers) if numbers else None


def ratio(runs: list[dict[str, Any]], learned: list[dict[str, Any]], what: str) -> float | None:
    """Returns the geometric mean of other value / learned policy's value over the tasks that both solve."""
    return mean([a[what] / b[what] for a, b in zip(runs, learned, strict=True) if a["solved"] and b["solved"]])


def seconds_of(runs: list[dict[str, Any]], limit: float) -> list[float]:
    return [run["seconds"] if run["solved"] else max(limit, run["seconds"]) for run in runs]


def best_unlearned(runs: dict[str, list[dict[str, Any]]], limit: float) -> str:
    """Returns the search without learning that solves the most tasks; ties go to the fastest."""
    return max(UNLEARNED, key=lambda name: (sum(run["solved"] for run in runs[name]),
                                            -(mean(seconds_of(runs[name], limit)) or 0.0)))  # fmt: skip


def times_as_long(runs: dict[str, list[dict[str, Any]]], limit: float) -> float | None:
    theirs = seconds_of(runs[best_unlearned(runs, limit)], limit)
    return mean([a / b for a, b in zip(theirs, seconds_of(runs["auto+"], limit), strict=True)])


def best_known(shared: Path) -> dict[str, float]:
    """Returns the best known cost by path of the task below shared/learning."""
    path = shared / "learning" / "best_known.csv"
    rows = path.read_text().splitlines() if path.exists() else []
    return {row.split(",")[0]: float(row.split(",")[1]) for row in rows if ".pddl," in row}


def train(domain_file: Path, problems: list[Path], options: argparse.Namespace) -> tuple[DomainPolicy, dict[str, Any]]:
    begin, begin_processor = time.perf_counter(), time.process_time()
    policy, report = learn(
        [fsplan.load(str(domain_file), str(path)) for path in problems],
        LearnOptions(seconds=options.train_seconds, threads=options.threads, seed=options.seed),
    )
    return policy, {"seconds": round(time.perf_counter() - begin, 1), "chosen": report.chosen, "tasks": report.tasks,
                    "processor_seconds": round(time.process_time() - begin_processor, 1),
                    "generated": report.generated, "weights": len(policy),
                    "following": report.headline}  # fmt: skip


def stored(domain: str, options: argparse.Namespace) -> tuple[DomainPolicy, dict[str, Any]]:
    """Returns the policy in the folder --policies, and what its file says about the training."""
    policy = read(options.policies / f"{domain}.policy")
    return policy, {"processor_seconds": None, "weights": len(policy), **policy.training}


def measure_sizes(domain: str, options: argparse.Namespace) -> dict[str, Any]:
    """Returns the results of following the policy on the tasks of each size."""
    domain_file, problems, _ = tasks_of(domain, options.shared)
    policy, training = stored(domain, options) if options.policies else train(domain_file, problems, options)
    record: dict[str, Any] = {"domain": domain, "seed": options.seed, "training": training, "sizes": {}}
    print(f"\n{domain}, seed {options.seed}: {json.dumps(training)}", flush=True)
    known = best_known(options.shared)
    for size in options.sizes.split(","):
        paths = sorted((domain_file.parent / "testing" / size).glob("*.pddl"))
        rows = [followed_task(policy, domain_file, path, known, options) for path in paths]
        ratios = [row["cost"] / row["best"] for row in rows if row["cost"] is not None and row["best"]]
        record["sizes"][size] = {"followed": sum(row["cost"] is not None for row in rows), "of": len(rows),
                                 "ratio": mean(ratios), "worst": max(ratios, default=None), **auto_figures(rows),
                                 "tasks": rows}  # fmt: skip
        shown_rows = ", ".join(
            f"{row['name']} {row['cost']}/{row['best']} +{row['detours']} {row['seconds']}s" for row in rows
        )
        print(
            f"{size}: {json.dumps({k: v for k, v in record['sizes'][size].items() if k != 'tasks'})} {shown_rows}",
            flush=True,
        )
    return record


def auto_figures(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns what `auto` reached on the tasks of --auto: cost relative to the best known one, and proven ratios."""
    rows = [row for row in rows if "auto" in row]
    if not rows:
        return {}
    solved = [row for row in rows if row["auto"] is not None]
    return {"auto_ratio": mean([row["auto"] / row["best"] for row in solved if row["best"]]),
            "proven": sorted(round(row["proven"], 3) for row in solved if row["proven"] is not None),
            "proven_of": len(rows)}  # fmt: skip


def followed_task(
    policy: DomainPolicy, domain: Path, path: Path, known: dict[str, float], options: argparse.Namespace
) -> dict[str, Any]:
    started = time.process_time()
    task = fsplan.load(str(domain), str(path), grounding="all" if policy.needs_grounding else "auto")
    result = fsplan.solve(task, "follow", policy=policy.on(task), time_limit=options.seconds)
    best = known.get("/".join(path.parts[-4:]))
    if best is None and options.reference:
        best = plain(fsplan.solve(task, "auto", time_limit=options.reference, w=1).cost)
    row = {"name": path.stem, "cost": plain(result.cost), "best": best, "grounded": task.is_grounded,
           "detours": result.statistics["expanded"] - len(result.plan or ()),
           "seconds": round(time.process_time() - started, 1)}  # fmt: skip
    if options.auto:
        row |= searched_by_auto(policy, domain, path, options.auto)
    return row


def searched_by_auto(policy: DomainPolicy, domain: Path, path: Path, seconds: float) -> dict[str, Any]:
    """Returns the cost that `auto` with the policy finds in this time, loading included, and the proven ratio."""
    begin = time.perf_counter()
    task = fsplan.load(str(domain), str(path), grounding="all" if policy.needs_grounding else "auto")
    left = max(1.0, seconds - (time.perf_counter() - begin))
    result = fsplan.solve(task, "auto", policy=policy.on(task), time_limit=left, w=1)
    return {"auto": plain(result.cost), "proven": result.proven_ratio}


def measure(domain: str, options: argparse.Namespace) -> dict[str, Any]:
    domain_file, train_files, test = tasks_of(domain, options.shared)
    policy, training = train(domain_file, train_files, options)
    record: dict[str, Any] = {"domain": domain, "seconds": options.seconds, "tests": options.tests}
    record["training"] = training
    print(f"\n{domain}: {json.dumps(record['training'])}", flush=True)
    tasks = {path: fsplan.load(str(domain_file), str(path)) for path in test}
    record["accuracy"] = dict(zip(("hits", "states", "tasks"), accuracy(policy, list(tasks.values())), strict=True))
    print(f"accuracy {json.dumps(record['accuracy'])}", flush=True)
    followed = {path: fsplan.solve(task, "follow", policy=policy.on(task), time_limit=options.seconds)
                for path, task in tasks.items()}  # fmt: skip
    record["following"] = [sum(result.cost is not None for result in followed.values()), len(test)]
    print(f"following {record['following']}", flush=True)
    if options.expansions:
        record["counts"] = counts(policy, list(tasks.values()), options)
        return record
    chosen = spread(test, options.tests)
    record["lama"] = compare_with_lama(domain_file, chosen, followed, options.seconds)
    timed = [(policy, tasks[path], followed[path].plan) for path in chosen if followed[path].plan]
    record["microseconds"] = [[round(number, 1) for number in microseconds(*each)] for each in timed]
    record["bytes"] = [policy.on(tasks[path]).bytes for path in chosen] if policy.kind == "linear" else []
    print(f"lama {record['lama']}, µs per state and of LM-cut {record['microseconds']}", flush=True)
    record["searches"] = {}
    limit = {"time_limit": options.seconds}
    searched(tasks[chosen[0]], "auto+", policy, "3", limit)  # a first run, so that imports are not timed
    for w in options.w.split(","):
        record["searches"][w] = {
            name: [searched(tasks[path], name, policy, w, limit) for path in chosen]
            for name in ("learned", "auto+", *UNLEARNED)
        }
        print(f"w = {w:4} " + searches_text(record, w), flush=True)
    return record


def counts(policy: DomainPolicy, tasks: list[Task], options: argparse.Namespace) -> dict[str, Any]:
    """Returns for each w the number of tasks that each search solves, and its expansions relative to `learned`."""
    found: dict[str, Any] = {}
    for w in options.w.split(","):
        runs = {name: [searched(task, name, policy, w, {"expansion_limit": options.expansions}) for task in tasks]
                for name in ("learned", *OTHERS)}  # fmt: skip
        found[w] = {}
        for name, row in runs.items():
            both = sum(a["solved"] and b["solved"] for a, b in zip(row, runs["learned"], strict=True))
            found[w][name] = {"solved": sum(run["solved"] for run in row), "of": len(tasks), "both": both,
                              "expansions": ratio(row, runs["learned"], "expanded")}  # fmt: skip
        cells = (f"{name} {each['solved']}/{each['of']}, {shown(each['expansions'])} expansions on {each['both']}"
                 for name, each in found[w].items())  # fmt: skip
        print(f"w = {w:4} " + "; ".join(cells), flush=True)
    return found


def searches_text(record: dict[str, Any], w: str) -> str:
    runs = record["searches"][w]
    cells = []
    for name in ("learned", "auto+", *UNLEARNED):
        solved = sum(run["solved"] for run in runs[name])
        expansions, seconds = (ratio(runs[name], runs["learned"], what) for what in ("expanded", "seconds"))
        cells.append(f"{name} {solved}/{len(runs[name])}, {shown(expansions)} expansions, {shown(seconds)} time")
    cells.append(f"best without learning {best_unlearned(runs, record['seconds'])}: "
                 f"{shown(times_as_long(runs, record['seconds']))} as long as auto+")  # fmt: skip
    return "; ".join(cells)


def shown(number: float | None) -> str:
    return "–" if number is None else f"{number:.2f}×" if number < 10 else f"{number:.0f}×"


def compare_with_lama(
    domain: Path, chosen: list[Path], followed: dict[Path, Any], seconds: float
) -> dict[str, float | int | None]:
    tasks = {path: TaskName(path.stem, domain.parent.name, (str(domain), str(path))) for path in chosen}
    pairs = [(plain(followed[path].cost), lama_first_run(tasks[path], seconds)["cost"]) for path in chosen]
    both = [ours / theirs for ours, theirs in pairs if ours is not None and theirs is not None]
    return {"cost": mean(both), "tasks": len(both), "lama_solves": sum(theirs is not None for _, theirs in pairs)}


def following_page(records: list[dict[str, Any]], options: argparse.Namespace) -> str:
    """Returns a page with the results of --sizes and their conditions."""
    rows = [
        "| domain | training | size | followed | cost / best known | greatest | without a wrong turn |",
        "|---" * 7 + "|",
    ]
    for record in records:
        seconds = record["training"]["processor_seconds"]
        first = f"| {record['domain']} | {'before' if seconds is None else f'{seconds:.0f} s'} |"
        for size, found in record["sizes"].items():
            ratios = [f"{found[name]:.3f}" if found[name] else "–" for name in ("ratio", "worst")]
            straight = sum(row["cost"] is not None and row["detours"] <= 0 for row in found["tasks"])
            rows.append(f"{first} {size} | {found['followed']} of {found['of']} | {' | '.join(ratios)} | {straight} |")
            first = "| | |"
    training = (
        f"at most {options.train_seconds:g} s of {options.threads or os.cpu_count()} threads, seed {options.seed}; the "
        f"table has its processor seconds"
    )
    if options.policies is not None:
        training = f"before this run, see the files of {options.policies}"
    return "\n".join([
        "# Following learned policies, per size", "",
        f"`{' '.join(['python', *sys.argv])}`", "",
        f"Training: {training}. Following: at most {options.seconds:g} s per task, "
        f"after grounding, without any other search. Cost: geometric mean and greatest of the followed plans, relative "
        f"to the best known ones (shared/learning/best_known.csv"
        f"{f', or what auto finds in {options.reference:g} s' if options.reference else ''}). "
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end.", "",
        *rows, ""])  # fmt: skip


def table(path: Path) -> str:
    """Returns the table with the latest measurement of each domain."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    records = {record["domain"]: record for record in lines if "searches" in record}
    head = ("domain", "training", "accuracy", "following", "cost / LAMA", "µs per state / LM-cut", "w",
            "solved: learned, auto+, best other", *(f"expansions: {name}" for name in OTHERS),
            "time: best other")  # fmt: skip
    rows = [head, ("---",) * len(head)]
    for domain, record in records.items():
        states, cost = record["accuracy"]["states"], record["lama"]["cost"]
        scoring = ", ".join(f"{ours:.0f} / {theirs:.0f}" for ours, theirs in record["microseconds"])
        first = (
            domain,
            f"{record['training']['processor_seconds']:.0f} s",
            f"{record['accuracy']['hits'] / states:.4f} ({record['accuracy']['tasks']} tasks)" if states else "–",
            "{} of {}".format(*record["following"]),
            "–" if cost is None else f"{cost:.2f}",
            scoring,
        )
        for w, runs in record["searches"].items():
            best = best_unlearned(runs, record["seconds"])
            solved = ", ".join(str(sum(run["solved"] for run in runs[name])) for name in ("learned", "auto+", best))
            expansions = [shown(ratio(runs[name], runs["learned"], "expanded")) for name in OTHERS]
            time_ = f"{shown(times_as_long(runs, record['seconds']))} ({best})"
            rows.append((*first, w, f"{solved} of {record['tests']}", *expansions, time_))
            first = ("",) * len(first)
    return "\n".join(f"| {' | '.join(line)} |" for line in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--domains", default=",".join((*LEARNING, *BENCHMARKS)))
    parser.add_argument("--tests", type=int, default=6, help="test tasks per domain that are searched")
    parser.add_argument("--w", default="1.1,1.5,2")
    parser.add_argument("--seconds", type=float, default=10.0, help="time for one search")
    parser.add_argument("--sizes", help="only follow the policy, on the tasks of testing/SIZE for each of these sizes")
    parser.add_argument("--policies", type=Path, help="with --sizes: follow FOLDER/DOMAIN.policy instead of training")
    parser.add_argument("--reference", type=float, help="seconds for auto where no best cost is known")
    parser.add_argument("--auto", type=float, help="with --sizes: also search with auto and the policy, in seconds")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--expansions", type=int, help="limit the searches of all test tasks to these, and not in time")
    parser.add_argument("--train-seconds", type=float, default=60.0)
    parser.add_argument("--threads", type=int, default=None, help="for training; all cores if not given")
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument(
        "--report", type=Path, help="with --sizes: write a page with conditions and results to this file"
    )
    parser.add_argument("--json", type=Path, help="append what was measured to this file, a line per domain")
    parser.add_argument("--table", type=Path, help="measure nothing; print the table of such a file")
    options = parser.parse_args()
    if options.table:
        print(table(options.table))
        return
    records = []
    for domain in OWN if options.domains == "own" else options.domains.split(","):
        record = measure_sizes(domain, options) if options.sizes else measure(domain, options)
        records.append(record)
        if options.report and options.sizes:
            options.report.write_text(following_page(records, options))
        if options.json:
            with options.json.open("a") as file:
                file.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
