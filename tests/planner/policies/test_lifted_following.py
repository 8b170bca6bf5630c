"""Domain policies on tasks that are not grounded: scores, files, training, following."""

from __future__ import annotations

from dataclasses import replace
from json import loads
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tasks import STRIPS, random_task
from reference_relational import COLOURS, CONTEXT
from scalable_problems import DOMAINS, problem_text, write_problems
from support import known

import fsplan
from fsplan.pddl import parse_task
from fsplan.pddl.normalise import normalise
from fsplan.pddl.syntax import Problem
from fsplan.pddl.whole_costs import with_whole_costs
from fsplan.planner import _core
from fsplan.planner._core import GroundStateSpace, LiftedStateSpace
from fsplan.planner.cli import run as main
from fsplan.planner.learning.relational.candidates import PLAIN
from fsplan.planner.learning.relational.learn import Learner, LearnOptions, learn
from fsplan.planner.policies.container import PolicyFileError, Tensor, read_container, write_container
from fsplan.planner.policies.relational import stored
from fsplan.planner.policies.relational.describe import describe
from fsplan.planner.policies.relational.stored import DomainPolicy, Plain
from fsplan.planner.search.repeat import repeat
from fsplan.planner.sources import pddl
from fsplan.planner.tasks.ground import ground, to_native

# Per state: the values, and the numbers of the actions in the order of their names.
Walk = list[tuple[list[int], list[int]]]


def walks(grounded: GroundStateSpace, lifted: LiftedStateSpace, seed: int) -> tuple[Walk, Walk]:
    """One random walk, as states and actions of both spaces; it ends in a state where their actions differ."""
    random, found = Random(seed), tuple[Walk, Walk](([], []))
    states = grounded.start_values(), lifted.start_values()
    for _ in range(12):
        steps: list[dict[str, tuple[int, list[int]]]] = [
            {space.action_name(a): (a, after) for a, _, after in space.successors(state)}
            for space, state in zip((grounded, lifted), states, strict=True)
        ]
        names = sorted(steps[0])
        if not names or names != sorted(steps[1]):
            break
        for walk, state, step in zip(found, states, steps, strict=True):
            walk.append((state, [step[name][0] for name in names]))
        name = random.choice(names)
        states = steps[0][name][1], steps[1][name][1]
    return found


def scores(policy: Any, walk: Walk) -> np.ndarray:
    """The scores of all actions; those of each state are listed by the names of the actions."""
    rows = []
    for values, actions in walk:
        order = np.argsort(actions)
        begin = np.array([0, len(actions)], np.uint32)
        given = _core.policy_scores(policy, np.array([values], np.int32), begin, np.array(actions, np.uint32)[order])
        row = np.empty(len(actions))
        row[order] = np.asarray(given)
        rows.append(row)
    return np.concatenate(rows)


def check_scores(problem: Problem, seed: int) -> None:
    grounded = GroundStateSpace(ground(problem))
    lifted = LiftedStateSpace(to_native(normalise(with_whole_costs(problem))), merge_twins=False)
    walk, other = walks(grounded, lifted, seed)
    if not walk:
        return
    values = np.array([values for values, _ in walk], np.int32)
    begin = np.cumsum([0, *(len(actions) for _, actions in walk)]).astype(np.uint32)
    actions = np.array([action for _, row in walk for action in sorted(row)], np.uint32)
    _, features = _core.relational_features(grounded, describe(problem), values, begin, actions)
    names = np.array(sorted({name for name in features.tolist() if name & 3 in (COLOURS, CONTEXT)}), np.uint64)
    weights = np.random.default_rng(seed).integers(-8, 9, len(names)).astype(np.float32) / 8
    given = describe(problem), names.tobytes(), weights.tobytes()
    found = scores(_core.LiftedRelationalPolicy(lifted, *given), other)
    np.testing.assert_allclose(found, scores(_core.LinearRelationalPolicy(grounded, *given), walk), atol=1e-4)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("domain", list(DOMAINS))
def test_scores_are_those_of_the_ground_task(domain: str, seed: int) -> None:
    check_scores(parse_task(DOMAINS[domain], problem_text(domain, 6, seed)), seed)


def test_scores_of_blocks_are_those_of_the_ground_task() -> None:
    check_scores(pddl.read_problem([fsplan.example("blocks-8-0")]), 0)


@given(seed=st.integers(0, 2**32), typing=st.booleans(), constants=st.booleans())
@settings(max_examples=60)
def test_scores_of_random_tasks_are_those_of_the_ground_task(seed: int, typing: bool, constants: bool) -> None:
    """Without negative conditions grounding finds no more unreachable atoms than the lifted analysis."""
    check_scores(random_task(seed, replace(STRIPS, typing=typing, constants=constants)), seed)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[DomainPolicy, str, list[str]]:
    """A policy for barges, its domain, and two problems that are larger than those it was learned from."""
    folder = tmp_path_factory.mktemp("barge")
    domain, problems = write_problems(folder, "barge", [2, 3, 4, 5, 12, 14])
    tasks = [fsplan.load(domain, path) for path in problems[:4]]
    policy, report = learn(tasks, LearnOptions(generate=False, follow=2, threads=1, seconds=600, few=True, rounds=0))
    assert report.plain
    assert report.plain in report.text()
    return policy, domain, problems[4:]


def test_training_keeps_weights_for_tasks_that_are_too_large(
    learned: tuple[DomainPolicy, str, list[str]], tmp_path: Path
) -> None:
    policy, _, _ = learned
    assert policy.plain is not None
    assert not policy.needs_grounding
    path = tmp_path / "barge.policy"
    stored.write(path, policy)
    assert stored.read(path).plain == policy.plain
    assert stored.describe(path)["plain_weights"] == len(policy.plain.weights) // 4
    assert "too large to ground" in stored.show(path)


def test_training_may_have_no_time_for_these_weights(
    learned: tuple[DomainPolicy, str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    fit_all = Learner.fit_all

    def fit_others(learner: Learner, pool: Any, examples: Any, candidates: Any, seconds: float) -> Any:
        return [] if candidates is PLAIN else fit_all(learner, pool, examples, candidates, seconds)

    monkeypatch.setattr(Learner, "fit_all", fit_others)
    _, domain, problems = learned
    tasks = [fsplan.load(domain, path.replace("p012", f"p00{size}")) for path in problems[:1] for size in (2, 3, 4)]
    policy, report = learn(tasks, LearnOptions(generate=False, follow=1, threads=1, seconds=600, few=True, rounds=0))
    assert policy.plain is None
    assert not report.plain


def test_a_task_is_followed_without_grounding_it(learned: tuple[DomainPolicy, str, list[str]]) -> None:
    policy, domain, problems = learned
    for path in problems:
        task = fsplan.load(domain, path, grounding="none")
        assert not task.is_grounded
        result = fsplan.solve(task, "follow", policy=policy.on(task), expansion_limit=500)
        assert result.plan is not None
        assert result.lower_bound == 0
        assert len(task.actions) < len(fsplan.load(domain, path).actions)


def test_limits_end_following(learned: tuple[DomainPolicy, str, list[str]]) -> None:
    policy, domain, problems = learned
    task = fsplan.load(domain, problems[0], grounding="none")
    assert fsplan.solve(task, "follow", policy=policy.on(task), expansion_limit=3).status == "expansion_limit"
    assert fsplan.solve(task, "follow", policy=policy.on(task), time_limit=1e-9).status == "timeout"


def test_files_without_a_second_model_are_read(learned: tuple[DomainPolicy, str, list[str]], tmp_path: Path) -> None:
    policy, domain, problems = learned
    path = tmp_path / "old.policy"
    old = DomainPolicy(policy.domain, policy.features, policy.weights, policy.first_weights)
    stored.write(path, old)
    tensors, metadata = read_container(path)
    assert loads(metadata[stored.FORMAT])["version"] == 1
    assert stored.read(path).plain is None
    assert stored.read(path).needs_grounding
    task = fsplan.load(domain, problems[0], grounding="none")
    with pytest.raises(PolicyFileError, match="reads relaxed plans"):
        old.on(task)
    write_container(path, tensors | {"plain_features": Tensor("I64", (0,), b"")}, metadata)
    with pytest.raises(PolicyFileError, match="expected the tensors"):
        stored.read(path)


def test_a_second_model_that_reads_relaxed_plans_is_refused(learned: tuple[DomainPolicy, str, list[str]]) -> None:
    policy, _, _ = learned
    with pytest.raises(PolicyFileError, match="not grounded read relaxed plans"):
        DomainPolicy(policy.domain, b"", b"", plain=Plain(policy.features, policy.weights))


def test_a_policy_without_relaxed_plans_needs_no_second_model(learned: tuple[DomainPolicy, str, list[str]]) -> None:
    policy, domain, problems = learned
    alone = DomainPolicy(policy.domain, *known(policy.plain))
    assert not alone.needs_grounding
    task = fsplan.load(domain, problems[0], grounding="none")
    assert fsplan.solve(task, "follow", policy=alone.on(task), expansion_limit=500).plan is not None


@pytest.mark.parametrize("search", ["follow", "auto"])
@pytest.mark.parametrize(
    ("most", "options", "grounded"),
    [(10**6, [], True), (10, [], False), (10, ["--grounding", "all"], True), (10**6, ["--grounding", "none"], False)],
)
def test_the_command_line_chooses(
    learned: tuple[DomainPolicy, str, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    most: int,
    options: list[str],
    grounded: bool,
    search: str,
) -> None:
    policy, domain, problems = learned
    path, document = str(tmp_path / "barge.policy"), tmp_path / "result.json"
    stored.write(path, policy)
    monkeypatch.setattr(pddl, "MOST_ACTIONS", most)
    words = [domain, problems[0], "--search", search, "--policy", path, "--json", str(document), *options]
    assert main(words) == 0
    note = "the task was not grounded, so no lower bound is proven"
    assert (note not in capsys.readouterr().err) == grounded
    found = loads(document.read_text())
    assert (note not in found["notes"]) == grounded
    assert found["search"] == (search if grounded else "follow")
    if not grounded:
        assert repeat(found).plan == found["plan"]


def test_grounding_is_advised_if_following_reaches_a_limit(
    learned: tuple[DomainPolicy, str, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policy, domain, problems = learned
    path = str(tmp_path / "barge.policy")
    stored.write(path, policy)
    words = [domain, problems[0], "--search", "follow", "--policy", path, "--grounding", "none"]
    assert main([*words, "--expansion-limit", "3"]) == 23
    assert "try: --grounding all" in capsys.readouterr().err


def test_a_search_that_needs_the_ground_task_is_refused(
    learned: tuple[DomainPolicy, str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    _, domain, problems = learned
    assert main([domain, problems[0], "--search", "lazy", "--policy", "uniform", "--grounding", "none"]) != 0
    assert main([domain, problems[0], "--grounding", "none"]) != 0
    assert "can only be followed" in capsys.readouterr().err
