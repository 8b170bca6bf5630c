"""Learns a policy for each domain from small tasks and measures it on larger ones, in one run.

    python scripts/bench_learning.py                              all thirteen domains
    python scripts/bench_learning.py --domains miconic,gripper --tests 4 --w 1.5 --seconds 5

Domains with folders training and testing/easy are learned from the former and tested on the latter; of the others the
smaller half trains and the larger half tests. Printed for each domain: training time, accuracy on the test tasks whose
states can be enumerated, following (solved, cost against the first plan of LAMA), microseconds per state of scoring and
of LM-cut, and for each w expansions and CPU seconds of focal search (disc2, lmcut) with the learned policy, with ff, of
weighted A* and of optimistic search: coverage, and the geometric mean over the tasks that both solve of the other's
number over the learned policy's.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import fsplan
from fsplan.planner._core import TooManyStates, policy_scores
from fsplan.planner.experiments.fast_downward import required_driver
from fsplan.planner.policies.base import best_edges
from fsplan.planner.policies.relational.labels import is_optimal, sample
from fsplan.planner.policies.relational.learn import LearnOptions, learn
from fsplan.planner.policies.relational.stored import DomainPolicy
from fsplan.planner.task import Task

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
LEARNING = ("blocksworld", "childsnack", "miconic", "rovers", "satellite", "transport")
BENCHMARKS = ("blocks", "depot", "driverlog", "gripper", "logistics00", "tpp", "zenotravel")
OTHERS = ("ff", "wastar", "optimistic")


def tasks_of(domain: str, shared: Path) -> tuple[Path, list[Path], list[Path]]:
    """The domain file, the training tasks and the test tasks, by rising size."""
    if domain in LEARNING:
        folder = shared / "learning" / domain
        train, test = folder / "training", folder / "testing" / "easy"
        return folder / "domain.pddl", sorted(train.glob("*.pddl")), sorted(test.glob("*.pddl"))
    folder = shared / "benchmarks" / domain
    problems = sorted((path for path in folder.glob("*.pddl") if path.name != "domain.pddl"), key=_size)
    half = len(problems) // 2
    return folder / "domain.pddl", problems[:half], problems[half:]


def _size(path: Path) -> tuple[int, str]:
    return path.stat().st_size, path.name


def spread(items: list[Path], count: int) -> list[Path]:
    """`count` of the items, evenly spaced, with the last."""
    if len(items) <= count:
        return items
    return [items[round((i + 1) * len(items) / count) - 1] for i in range(count)]


def accuracy(policy: DomainPolicy, tasks: list[Task], states: int = 300) -> tuple[int, int, int]:
    """(states decided rightly, states, tasks that could be enumerated)."""
    hits = count = enumerated = 0
    for task in tasks:
        try:
            graph = fsplan.explore(task, 500_000, heuristic=None)
        except TooManyStates:
            continue
        chosen = sample(graph, states, np.random.default_rng(1))
        if not len(chosen):
            continue
        begin = graph.edges_begin.astype(np.int64)
        edges = np.concatenate([np.arange(begin[s], begin[s + 1]) for s in chosen])
        rows = np.concatenate([[0], np.cumsum(np.diff(begin)[chosen])]).astype(np.uint32)
        values = np.concatenate([graph.values(s, s + 1) for s in chosen.tolist()]).astype(np.int32)
        scores = np.asarray(policy_scores(policy.on(task), values, rows, graph.action[edges]))
        best = best_edges(scores, rows)
        hits += int(is_optimal(graph, chosen)[best].sum())
        count, enumerated = count + len(chosen), enumerated + 1
    return hits, count, enumerated


def microseconds(policy: DomainPolicy, task: Task, plan: list[str]) -> tuple[float, float]:
    """Of scoring and of LM-cut, per state, over the states of a plan."""
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
    policy_scores(on_task, values[:1], begin[:2], actions[: begin[1]])
    started = time.process_time()
    policy_scores(on_task, values, begin, actions)
    scoring = time.process_time() - started
    task.state_space.evaluate("lmcut", states[0])  # type: ignore[attr-defined]
    started = time.process_time()
    for each in states:
        task.state_space.evaluate("lmcut", each)  # type: ignore[attr-defined]
    return 1e6 * scoring / len(states), 1e6 * (time.process_time() - started) / len(states)


def lama(domain: Path, problem: Path, seconds: float) -> tuple[int | None, float]:
    """The cost of LAMA's first plan, and how long it took altogether."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, str(required_driver()), "--overall-time-limit", f"{math.ceil(seconds)}s",
                 "--alias", "lama-first", str(domain), str(problem)]  # fmt: skip
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        started = time.perf_counter()
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        found = re.findall(r"Plan cost: (\d+)", done.stdout)
        return (int(found[-1]) if found else None), time.perf_counter() - started


def searched(task: Task, name: str, policy: DomainPolicy, w: str, seconds: float) -> dict[str, Any]:
    options: dict[str, Any] = {"w": w, "heuristic": "lmcut", "time_limit": seconds}
    started = time.process_time()
    if name in ("learned", "ff"):
        on_task = policy.on(task) if name == "learned" else "ff"
        result = fsplan.solve(task, "focal", order="disc2", policy=on_task, **options)
    else:
        result = fsplan.solve(task, name, **options)
    return {
        "solved": result.certified,
        "expanded": max(1, result.statistics["expanded"]),
        "seconds": max(1e-3, time.process_time() - started),
    }


def ratio(runs: list[dict[str, Any]], learned: list[dict[str, Any]], what: str) -> str:
    """The geometric mean of the other's number over the learned policy's, where both solve the task."""
    logs = [math.log(a[what] / b[what]) for a, b in zip(runs, learned, strict=True) if a["solved"] and b["solved"]]
    return f"{math.exp(sum(logs) / len(logs)):.2f}x" if logs else "-"


def measure(domain: str, options: argparse.Namespace) -> None:
    domain_file, train, test = tasks_of(domain, options.shared)
    begin = time.process_time()
    policy, report = learn(
        [fsplan.load(str(domain_file), str(path)) for path in train], LearnOptions(seconds=options.train_seconds)
    )
    print(f"\n{domain}: {len(train)} training tasks, {report.tasks} labelled ({report.generated} generated), "
          f"{time.process_time() - begin:.1f}s; {report.chosen}; {len(policy)} weights")  # fmt: skip
    tasks = {path: fsplan.load(str(domain_file), str(path)) for path in test}
    hits, count, enumerated = accuracy(policy, list(tasks.values()))
    print(f"accuracy on test tasks  {hits / count:.4f} of {count} states, {enumerated} of {len(test)} tasks enumerated"
          if count else "accuracy on test tasks  none can be enumerated")  # fmt: skip
    followed = {path: fsplan.solve(task, "follow", policy=policy.on(task), time_limit=options.seconds)
                for path, task in tasks.items()}  # fmt: skip
    print(f"following               {sum(r.cost is not None for r in followed.values())}/{len(test)} solved")
    chosen = spread(test, options.tests)
    compare_with_lama(domain_file, chosen, followed, options.seconds)
    timed = [microseconds(policy, tasks[path], followed[path].plan) for path in chosen if followed[path].plan]
    if timed:
        print("microseconds per state  " + ", ".join(f"{ours:.0f} (lmcut {theirs:.0f})" for ours, theirs in timed))
    for w in options.w.split(","):
        runs = {name: [searched(tasks[path], name, policy, w, options.seconds) for path in chosen]
                for name in ("learned", *OTHERS)}  # fmt: skip
        cells = [f"learned {sum(run['solved'] for run in runs['learned'])}/{len(chosen)} "
                 f"expanded {[run['expanded'] for run in runs['learned']]}"]  # fmt: skip
        for name in OTHERS:
            cells.append(f"{name} {sum(run['solved'] for run in runs[name])}/{len(chosen)}, expansions "
                         f"{ratio(runs[name], runs['learned'], 'expanded')}, time "
                         f"{ratio(runs[name], runs['learned'], 'seconds')}")  # fmt: skip
        print(f"w = {w:4} " + "; ".join(cells), flush=True)


def compare_with_lama(domain: Path, chosen: list[Path], followed: dict[Path, Any], seconds: float) -> None:
    pairs = [(followed[path].cost, *lama(domain, path, seconds)) for path in chosen]
    both = [(ours, theirs) for ours, theirs, _ in pairs if ours is not None and theirs is not None]
    if both:
        mean = math.exp(sum(math.log(ours / theirs) for ours, theirs in both) / len(both))
        print(f"cost followed / LAMA's  {mean:.3f} on {len(both)} tasks "
              f"(LAMA solves {sum(theirs is not None for _, theirs, _ in pairs)} of {len(chosen)})")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--domains", default=",".join((*LEARNING, *BENCHMARKS)))
    parser.add_argument("--tests", type=int, default=6, help="test tasks per domain that are searched")
    parser.add_argument("--w", default="1.1,1.5,2")
    parser.add_argument("--seconds", type=float, default=10.0, help="time for one search")
    parser.add_argument("--train-seconds", type=float, default=60.0)
    parser.add_argument("--shared", type=Path, default=SHARED)
    options = parser.parse_args()
    for domain in options.domains.split(","):
        measure(domain, options)


if __name__ == "__main__":
    main()
