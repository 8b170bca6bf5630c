"""Training a policy from PDDL tasks, measuring it, storing it and using it in a search, by function and command."""

from __future__ import annotations

import json
import math
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from blocks_problems import DOMAIN, blocks_task, tower_problem
from support import fsplan as command
from support import known

import fsplan
from fsplan.planner import _core
from fsplan.planner._core import policy_scores
from fsplan.planner.cli import run
from fsplan.planner.graphs.explore import explore
from fsplan.planner.learning.collect import ExampleOptions, collect, gather
from fsplan.planner.learning.pipeline import train_policy
from fsplan.planner.policies import files
from fsplan.planner.policies.base import TaskPolicy, best_edges
from fsplan.planner.policies.synthetic import synthetic
from fsplan.planner.search.accuracy import (
    exact_accuracy,
    measured_accuracy,
    policy_accuracy,
    reaches_goal,
    sampled_accuracy,
)
from fsplan.planner.search.traces import Solver, follow, optimal_traces
from fsplan.planner.tasks.task import Task

torch = pytest.importorskip("torch")

from fsplan.planner.learning.trainers.network import NetworkTrainer, make_encoder  # noqa: E402
from fsplan.planner.learning.training import TrainingOptions  # noqa: E402

START, GOAL = "bace d", "abcde"
QUICK: dict[str, Any] = {"hidden": (64, 32), "epochs": 25, "batch": 64, "learning_rate": 1e-2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("blocks")


@pytest.fixture(scope="module")
def task(folder: Path) -> Task:
    return blocks_task(folder, START, GOAL)


@pytest.fixture(scope="module")
def trained(task: Task, folder: Path) -> Path:
    path = folder / "trained.safetensors"
    train_policy(NetworkTrainer.of_tasks([task], options=TrainingOptions(**QUICK)), path, curve=folder / "curve.png")
    return path


def test_a_trained_policy_is_accurate_and_saves_expansions(task: Task, trained: Path) -> None:
    """Its test accuracy is at least 95 %. Focal search with it stays within w and expands fewer nodes than WA*."""
    stored = files.read(trained)
    assert stored.accuracy["test"] >= 0.95
    assert trained.with_name("curve.png").read_bytes().startswith(b"\x89PNG")
    best = known(fsplan.astar(task).cost)
    for w in ("1.5", "2"):
        guided = fsplan.focal(task, order="disc2", w=w, policy=str(trained), heuristic="hmax")
        plain = fsplan.wastar(task, w=w, heuristic="hmax")
        assert guided.certified
        assert known(guided.cost) <= float(w) * best
        assert guided.statistics["expanded"] < plain.statistics["expanded"]


def test_an_unmasked_policy_is_recorded(task: Task, trained: Path) -> None:
    for policy in (str(trained), "synthetic:0.9"):
        assert fsplan.focal(task, "score1", policy=policy).record["masked"] is True
        assert fsplan.focal(task, "score1", policy=policy, masked=False).record["masked"] is False
        assert fsplan.focal(task, "disc2", policy=policy, masked=False).record["masked"] is False
    assert fsplan.focal(task, "score1", policy="synthetic:0.9,masked=no").record["policy_details"]["masked"] is False


def test_the_accuracies_in_the_file_are_correct(task: Task, trained: Path) -> None:
    stored, measured = files.read(trained), policy_accuracy(str(trained), task)
    accuracy = stored.accuracy
    parts = [accuracy[name] for name in ("train", "validation", "test")]
    assert min(parts) - 1e-6 <= measured.masked.value <= max(parts) + 1e-6
    assert accuracy["unroll"] == list(measured.unroll or ())
    assert stored.training["examples_from"] == [f"graph of {len(explore(task, heuristic=None))} states"]


def test_the_exact_accuracy_agrees_with_the_first_choices_of_the_policy(task: Task, trained: Path) -> None:
    graph = explore(task, heuristic=None)
    policy = files.read(trained).native()
    found = exact_accuracy(policy, graph)
    decide, optimal = TaskPolicy(policy, task), graph.optimal_edges()
    hits = literal = 0
    every = np.arange(graph.state_space.action_count(), dtype=np.uint32)
    states = [s for s in range(0, len(graph), 7) if not graph.goal[s]]
    for state in states:
        row = range(int(graph.edges_begin[state]), int(graph.edges_begin[state + 1]))
        best = {int(graph.action[e]) for e in row if optimal[e]}
        values = graph.values(state, state + 1)[0].tolist()
        hits += decide.delta(values) in best
        scores = policy_scores(policy, graph.values(state, state + 1), np.array([0, len(every)], np.uint32), every)
        literal += int(np.argmax(scores)) in best
    assert hits / len(states) == pytest.approx(found.masked.value, abs=0.05)
    assert literal / len(states) == pytest.approx(known(found.literal).value, abs=0.05)
    assert found.exact


class Answering:
    """A policy that returns the same score for every action; `row` may change the list of scores."""

    def __init__(self, number: float, row: Any = list) -> None:
        self.number, self.row = number, row

    def scores(self, states: list[Any], actions: list[list[int]]) -> list[list[float]]:
        return [self.row([self.number] * len(each)) for each in actions]


def test_a_policy_that_returns_nan_is_refused(task: Task) -> None:
    with pytest.raises(ValueError, match="score is NaN"):
        exact_accuracy(Answering(math.nan), explore(task, heuristic=None))
    with pytest.raises(ValueError, match="score is NaN"):
        fsplan.focal(task, policy=Answering(math.nan))


def test_a_policy_that_returns_too_many_or_too_few_scores_is_refused(task: Task) -> None:
    graph = explore(task, heuristic=None)
    with pytest.raises(ValueError, match=r"gave \d+ scores for the \d+ actions of state 0"):
        exact_accuracy(Answering(-1.0, lambda row: [*row, -1.0]), graph)
    with pytest.raises(ValueError, match=r"gave \d+ scores for the \d+ actions of state 0"):
        exact_accuracy(Answering(-1.0, lambda row: row[1:]), graph)


def test_sampling_estimates_the_exact_value(task: Task) -> None:
    graph = explore(task, heuristic=None)
    policy = synthetic(graph, 0.6, support="applicable")
    exact = exact_accuracy(policy, graph)
    sampled = sampled_accuracy(policy, task, 120, walk=60, seed=1)
    low, high = sampled.masked.interval
    assert not sampled.exact
    assert sampled.masked.count > 100
    assert low - 0.05 <= exact.masked.value <= high + 0.05
    assert "confidence" in sampled.text()


def test_relaxed_plans_choose_as_in_a_search(task: Task) -> None:
    """The search `follow` with `ff` first takes the action that `delta` returns; both accuracies refer to `delta`."""
    graph, policy = explore(task), _core.RelaxedPlanPolicy()
    decide, optimal = TaskPolicy(policy, task), graph.optimal_edges()
    states, hits, followed = [s for s in range(len(graph)) if not graph.goal[s]], 0, 0
    for state in states:
        values, row = graph.values(state, state + 1)[0].tolist(), slice(*graph.edges_begin[state : state + 2].tolist())
        choice = decide.delta(values)
        hits += choice in graph.action[row][optimal[row]]
        plan = fsplan.unroll(task.state_space.at(values), policy="ff").plan
        if plan and choice is not None:
            followed += 1
            assert plan[0] == task.actions[choice]
    exact = policy_accuracy("ff", task)
    assert followed > 20
    assert (exact.exact, exact.masked.hits, exact.masked.count) == (True, hits, len(states))
    measured = known(measured_accuracy("ff", task))
    assert measured.value == exact.value == measured.interval[0]
    assert measured_accuracy("ff", task) is measured


def test_the_accuracy_of_a_larger_task_is_sampled_and_repeatable() -> None:
    first, again = (measured_accuracy("ff", fsplan.load(fsplan.example("blocks-8-0"))) for _ in range(2))
    assert first is not None
    assert again is not None
    assert (first.masked.hits, first.masked.count) == (again.masked.hits, again.masked.count)
    assert first.masked.count > 100
    assert first.interval[0] < 0.76 + 0.1
    assert "near the goal" in first.how


def test_traces_are_optimal_and_start_elsewhere(task: Task) -> None:
    graph = explore(task, heuristic=None)
    distance = {tuple(row): int(d) for row, d in zip(graph.values().tolist(), graph.h_star, strict=True)}
    starts = set()
    for trace in optimal_traces(task, 12, seed=4, walk=30):
        assert [distance[tuple(state)] for state in trace.states] == trace.distances
        starts.add(tuple(trace.states[0]))
    assert len(starts) > 6
    assert tuple(task.state_space.start_values()) in starts
    state = graph.values(len(graph) - 1, len(graph))[0].tolist()
    assert Solver(task, "lmcut", time_limit=10.0).cost(state) == graph.h_star[-1]


def test_states_near_the_goal_are_drawn_more_often_and_never_held_out(task: Task) -> None:
    part, _ = gather(task, ExampleOptions("graph"))
    assert part.weights is not None
    assert part.weights.mean() == pytest.approx(1)
    by_distance = [float(part.weights[part.distance == d].mean()) for d in range(1, 9)]
    assert by_distance[0] > 10 * by_distance[-1] > 0.5
    rest, validation, test = part.split([0.2, 0.3], seed=0)
    assert part.pinned[part.distance == 1].all()
    assert not part.pinned[np.concatenate([validation, test])].any()
    assert len(rest) + len(validation) + len(test) == len(part)


def test_examples_from_plans_and_plan_files(task: Task, folder: Path) -> None:
    part, graph = gather(task, ExampleOptions("plans", traces=10, walk=30))
    assert graph is None
    assert len(set(part.groups.tolist())) > 5
    assert part.optimal.sum() == len(part)
    plan = known(fsplan.astar(task).plan)
    file = folder / "plan.txt"
    file.write_text("".join(f"({step})\n" for step in plan))
    part, _ = gather(task, ExampleOptions(plan_files=[str(file)]))
    assert part.distance.tolist() == list(range(len(plan), 0, -1))
    file.write_text("(pick-up a)\n(pick-up b)\n")
    with pytest.raises(ValueError, match=r"plan.txt: step \d: \(pick-up . is not applicable|step \d"):
        gather(task, ExampleOptions(plan_files=[str(file)]))
    with pytest.raises(ValueError, match="not applicable"):
        follow(task.state_space, task.state_space.start_values(), ["no such action"])
    with pytest.raises(ValueError, match="more than 10 states"):
        gather(task, ExampleOptions("graph", max_states=10))
    assert gather(task, ExampleOptions(max_states=10, traces=3))[1] is None
    assert len(gather(task, ExampleOptions(limit=50))[0]) == 50


def test_on_traces_agreement_with_the_trace_is_measured(task: Task, tmp_path: Path) -> None:
    """Only one optimal action per state is known, so the value is not the accuracy of Eq. 1 and has another name."""
    where, policy = ExampleOptions("plans", traces=40, walk=60), tmp_path / "p.safetensors"
    report = train_policy(NetworkTrainer.of_tasks([task], where, options=TrainingOptions(**QUICK, test=0.3)), policy)
    assert any(line.startswith("trace_action") for line in report.text().splitlines())
    assert not any(line.startswith("test") for line in report.text().splitlines())
    stored = files.read(policy)
    assert "test" not in stored.accuracy
    assert stored.measured_accuracy == stored.accuracy["trace_action"] == pytest.approx(report.test_accuracy, abs=1e-6)


def test_one_plan_leaves_nothing_to_test_on(task: Task, tmp_path: Path) -> None:
    plan = known(fsplan.astar(task).plan)
    file, policy = tmp_path / "plan.txt", tmp_path / "p.safetensors"
    file.write_text("".join(f"({step})\n" for step in plan))
    options = TrainingOptions(hidden=(16,), epochs=2)
    trainer = NetworkTrainer.of_tasks([task], ExampleOptions(plan_files=[str(file)]), options=options)
    report = train_policy(trainer, policy, curve=tmp_path / "curve.png")
    assert "nothing was held out to test on" in report.text()
    stored = files.read(policy)
    assert stored.accuracy["test_states"] == 0
    assert not {"test", "trace_action"} & set(stored.accuracy)
    assert stored.measured_accuracy is None
    assert "nothing was held out to test on" in files.show(policy)


def test_a_plan_that_stops_short_of_the_goal_is_refused(task: Task, tmp_path: Path) -> None:
    plan = known(fsplan.astar(task).plan)
    file = tmp_path / "plan.txt"
    file.write_text("".join(f"({step})\n" for step in plan[:-1]))
    with pytest.raises(ValueError, match=r"plan\.txt: the plan does not reach the goal"):
        gather(task, ExampleOptions(plan_files=[str(file)]))


def test_several_problems_share_a_policy(folder: Path, tmp_path: Path) -> None:
    """Two problems have the same blocks and different goals. The policy fits both, and no third problem."""
    tasks = [blocks_task(folder, "b a d c", goal) for goal in ("abcd", "bacd")]
    path = tmp_path / "p.safetensors"
    train_policy(NetworkTrainer.of_tasks(tasks, options=TrainingOptions(hidden=(16,), epochs=2)), path)
    stored = files.read(path)
    assert len(stored.task["problems"]) == 2
    for one in tasks:
        assert fsplan.focal(one, policy=str(path)).certified
    with pytest.raises(files.PolicyFileError, match="another goal"):
        fsplan.focal(blocks_task(folder, "b a d c", "cbad"), policy=str(path))


def test_a_network_of_ones_own(task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Net(torch.nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self, inputs: int, outputs: int) -> None:
            super().__init__()
            self.inner = torch.nn.Linear(inputs, 32)
            self.outer = torch.nn.Linear(32, outputs)

        def forward(self, x: Any) -> Any:
            return self.outer(torch.tanh(self.inner(x)))

    module = types.ModuleType("own_networks")
    module.Net = Net  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "own_networks", module)
    path = tmp_path / "own.safetensors"
    options = TrainingOptions(net=Net, epochs=10, batch=64, learning_rate=1e-2)
    trainer = NetworkTrainer.of_tasks([task], options=options, net_name="own_networks:Net", encoder="bits")
    report = train_policy(trainer, path)
    assert files.read(path).architecture == {"kind": "module", "name": "own_networks:Net"}
    with pytest.raises(files.PolicyFileError, match="net=own_networks:Net"):
        fsplan.focal(task, policy=str(path))
    result = fsplan.focal(task, order="disc1", policy=f"{path},net=own_networks:Net")
    assert result.certified
    assert result.record["accuracy"] == pytest.approx(report.test_accuracy, abs=1e-6)


def test_bits_are_atoms(task: Task) -> None:
    collected = collect([task])
    encoder = make_encoder(collected, "bits")
    values = np.array([task.state_space.start_values()])
    atoms = explore(task, heuristic=None).state_name(0).replace("), ", ")|").split("|")
    assert encoder.dense(values).sum() == len(atoms)
    assert encoder.input_count < sum(task.state_space.domain_sizes())
    with pytest.raises(ValueError, match="choose one-hot or bits"):
        make_encoder(collected, "pixels")


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problem, policy = tmp_path / "p.pddl", tmp_path / "policy.safetensors"
    problem.write_text(tower_problem("b a c", "abc"))

    def ran(*words: object) -> str:
        assert run([str(word) for word in words]) == 0
        return capsys.readouterr().out

    words = (
        "--hidden",
        "16",
        "--epochs",
        "4",
        "--batch",
        "8",
        "--learning-rate",
        "0.01",
        "--checkpoint",
        tmp_path / "c",
    )
    assert "test" in ran("train", DOMAIN, problem, "-o", policy, *words)
    assert (tmp_path / "policy.png").exists()
    assert "mlp" in ran("policy", "show", policy)
    assert json.loads(ran("policy", "show", policy, "--json"))["architecture"]["kind"] == "mlp"
    assert 0 < json.loads(ran("policy", "accuracy", policy, DOMAIN, problem, "--json"))["exact"] <= 1
    planned = command(DOMAIN, problem, "--policy", policy, "--focal", "disc1")
    assert planned.returncode == 0, planned.stderr
    problem.write_text(tower_problem("b a c", "cba"))
    refused = command(DOMAIN, problem, "--policy", policy)
    assert refused.returncode == 33
    assert "another goal" in refused.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--hidden", "many"), "expected sizes"),
        (("--net", "nowhere"), "expected module:name"),
        (("--epochs", "0"), "at least 1"),
        (("--examples", "graph", "--max-states", "3"), "more than 3 states"),
    ],
)
def test_mistakes_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], reason: str
) -> None:
    problem = tmp_path / "p.pddl"
    problem.write_text(tower_problem("b a", "ab"))
    assert run(["train", str(DOMAIN), str(problem), "-o", str(tmp_path / "x.safetensors"), *words]) == 36
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "x.safetensors").exists()


def test_error_profiles_belong_to_synthetic_policies(tmp_path: Path) -> None:
    problem = tmp_path / "p.pddl"
    problem.write_text(tower_problem("b a c", "abc"))
    done = command(DOMAIN, problem, "--policy", "synthetic:0.8,error_profile=linear", "--json", "-")
    assert json.loads(done.stdout)["policy_details"]["error_profile"] == "linear"


def test_best_edges_and_reaching() -> None:
    assert best_edges(np.zeros(0, np.float32), np.array([0, 0])).tolist() == [-1]
    following = np.array([1, 2, 3, 3, 5, 4])
    assert reaches_goal(following, np.array([0, 0, 0, 1, 0, 0])).tolist() == [True, True, True, True, False, False]
