"""Policies for a domain: learning, files, and use on other tasks of the domain."""

from __future__ import annotations

import json
import pickle
import struct
from pathlib import Path

import pytest
from blocks_problems import blocks_task
from scalable_problems import write_problems
from support import known

import fsplan
from fsplan.planner._core import FEATURE_VERSION, fit_relational
from fsplan.planner.learning.relational.derive import Deriver
from fsplan.planner.learning.relational.learn import LearnOptions, learn
from fsplan.planner.learning.relational.measures import LearningReport
from fsplan.planner.policies.container import PolicyFileError, Tensor, write_container
from fsplan.planner.policies.relational import stored
from fsplan.planner.policies.relational.stored import DomainPolicy
from fsplan.planner.tasks.task import Task

SMALL = [("ab c", "cab"), ("abc", "cba"), ("a b c d", "abcd"), ("abcd", "dcba"), ("ab cd", "acbd"), ("dbc a", "abcd"),
         ("abc de", "edcba"), ("ea bd c", "abcde")]  # fmt: skip
LARGE = [("hgfe dcba", "abcdefgh"), ("ab cd ef gh ij kl", "lkjihgfedcba")]


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[DomainPolicy, LearningReport]:
    folder = tmp_path_factory.mktemp("small")
    tasks = [blocks_task(folder, *words) for words in SMALL]
    return learn(tasks, LearnOptions(generate=False, follow=2, threads=1, seconds=600))


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> list[Task]:
    folder = tmp_path_factory.mktemp("large")
    return [blocks_task(folder, *words) for words in LARGE]


def test_a_policy_learned_on_small_tasks_solves_larger_ones(
    learned: tuple[DomainPolicy, LearningReport], large: list[Task]
) -> None:
    policy, report = learned
    assert report.chosen != "ff"
    assert len(policy) > 50
    for task in large:
        result = fsplan.solve(task, "follow", policy=policy.on(task), expansion_limit=500)
        assert result.plan is not None
        assert result.statistics["expanded"] <= 60


def test_following_a_policy_that_knows_nothing_continues_where_the_relaxed_plan_is_shortest(tmp_path: Path) -> None:
    """Without weights all actions are equally probable, so following runs into cycles and goes back often."""
    domain, problems = write_problems(tmp_path, "barge", [8])
    task = fsplan.load(domain, problems[0])
    policy = DomainPolicy(stored.domain_of(task), b"", b"")
    result = fsplan.solve(task, "follow", policy=policy.on(task), expansion_limit=500)
    assert result.plan is not None


def weights_of(policy: DomainPolicy) -> tuple[bytes, bytes, bytes]:
    return policy.features, policy.weights, policy.first_weights


def test_learning_is_deterministic(learned: tuple[DomainPolicy, LearningReport], tmp_path: Path) -> None:
    again, _ = learn(
        [blocks_task(tmp_path, *words) for words in SMALL],
        LearnOptions(generate=False, follow=2, threads=1, seconds=600),
    )
    assert weights_of(again) == weights_of(learned[0])


def test_focal_search_keeps_its_bound_with_it(
    learned: tuple[DomainPolicy, LearningReport], large: list[Task], tmp_path: Path
) -> None:
    path = str(tmp_path / "blocks.policy")
    stored.write(path, learned[0])
    result = fsplan.focal(large[0], "disc2", 2, policy=path)
    assert result.certified
    assert result.record["policy"] == path
    exact = fsplan.astar(large[0], heuristic="lmcut")
    assert exact.cost is not None
    assert known(result.cost) <= 2 * exact.cost


def test_a_file_keeps_everything(learned: tuple[DomainPolicy, LearningReport], tmp_path: Path) -> None:
    policy, report = learned
    path = tmp_path / "blocks.policy"
    stored.write(path, policy)
    again = stored.read(path)
    for part in DomainPolicy.__slots__:
        assert getattr(again, part) == getattr(policy, part)
    assert again.measured_accuracy == policy.measured_accuracy
    assert stored.is_domain_policy(path)
    text = stored.show(path)
    assert "blocks" in text
    assert report.chosen in text


def test_another_domain_is_refused_by_name(learned: tuple[DomainPolicy, LearningReport], tmp_path: Path) -> None:
    path = str(tmp_path / "blocks.policy")
    stored.write(path, learned[0])
    domain = tmp_path / "domain.pddl"
    domain.write_text("(define (domain lamps) (:predicates (lit)) (:action press :parameters () :effect (lit)))")
    problem = tmp_path / "problem.pddl"
    problem.write_text("(define (problem one) (:domain lamps) (:init) (:goal (lit)))")
    with pytest.raises(PolicyFileError, match=r"blocks\.policy: made for the domain blocks; .* domain lamps"):
        fsplan.solve(fsplan.load(str(domain), str(problem)), policy=path)
    with pytest.raises(PolicyFileError, match="not a PDDL task"):
        fsplan.solve(fsplan.load("tiles8:random/1"), policy=path)


def test_objects_and_problems_do_not_matter_to_the_fingerprint(large: list[Task]) -> None:
    first, second = (stored.domain_of(task) for task in large)
    assert first == second


GOOD = {"version": 1, "features": FEATURE_VERSION, "kind": "linear", "accuracy": {}, "training": {},
        "domain": {"name": "blocks", "fingerprint": "0"}}  # fmt: skip


def floats(weights: list[float]) -> Tensor:
    return Tensor("F32", (len(weights),), struct.pack(f"<{len(weights)}f", *weights))


def written(path: Path, document: object, features: list[int], weights: list[float], first: list[float]) -> Path:
    tensors = {
        "features": Tensor("I64", (len(features),), struct.pack(f"<{len(features)}Q", *features)),
        "weights": floats(weights),
        "first_weights": floats(first),
    }
    write_container(path, tensors, {stored.FORMAT: json.dumps(document)})
    return path


@pytest.mark.parametrize(
    ("change", "features", "weights", "first", "reason"),
    [
        ({"version": 3}, [4], [1.0], [], "format version"),
        ({"features": FEATURE_VERSION + 1}, [4], [1.0], [], "train it again"),
        ({"features": FEATURE_VERSION - 1}, [4], [1.0], [], "train it again"),
        ({"kind": "pickle"}, [4], [1.0], [], "unknown kind"),
        ({"domain": {}}, [4], [1.0], [], "name and a fingerprint"),
        ({"domain": []}, [4], [1.0], [], "lacks domain"),
        ({"training": None}, [4], [1.0], [], "lacks training"),
        ({}, [4, 8], [1.0], [], "2 features, but 1 weights"),
        ({}, [4, 8], [1.0, 1.0], [1.0], "1 first weights, but 2 weights"),
        ({}, [], [], [1.0], "1 first weights, but 0 weights"),
        ({}, [4], [float("nan")], [], "not finite"),
        ({}, [4], [1.0], [float("inf")], "not finite"),
        ({}, [8, 4], [1.0, 1.0], [], "not ascending"),
        ({}, [4, 4], [1.0, 1.0], [], "not ascending"),
    ],
)
def test_hostile_files_are_refused(
    tmp_path: Path,
    change: dict[str, object],
    features: list[int],
    weights: list[float],
    first: list[float],
    reason: str,
) -> None:
    path = written(tmp_path / "bad.policy", GOOD | change, features, weights, first)
    with pytest.raises(PolicyFileError, match=f"bad.policy: .*{reason}"):
        stored.read(path)


def test_a_file_in_the_old_format_without_shortlists_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.policy"
    tensors = {"features": Tensor("I64", (1,), struct.pack("<Q", 4)), "weights": floats([1.0])}
    write_container(path, tensors, {stored.FORMAT: json.dumps(GOOD | {"features": 2})})
    with pytest.raises(PolicyFileError, match="made with version 2 of the features"):
        stored.read(path)
    write_container(path, tensors, {stored.FORMAT: json.dumps(GOOD)})
    with pytest.raises(PolicyFileError, match=r"expected the tensors .*first_weights"):
        stored.read(path)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.policy"
    path.write_bytes(b"\x80\x04pickle")
    with pytest.raises(PolicyFileError):
        stored.read(path)
    write_container(path, {}, {})
    with pytest.raises(PolicyFileError, match="not a domain policy"):
        stored.read(path)


def test_derived_tasks_are_smaller_and_have_plans(large: list[Task]) -> None:
    assert large[1].problem is not None
    deriver = Deriver(large[1].problem, seed=3)
    drawn = [task for task in (deriver.draw(number) for number in range(8)) if task is not None]
    assert drawn
    for task in drawn:
        assert set(known(task.problem).objects) <= set(large[1].problem.objects)
        assert fsplan.optimistic(task, 3).cost


def test_a_cluster_learns_the_same(learned: tuple[DomainPolicy, LearningReport], tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="a cluster needs fsplan[cluster]")
    tasks = [blocks_task(tmp_path, *words) for words in SMALL]
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=True, dashboard_address=None, silence_logs=50
    ) as local:
        options = LearnOptions(generate=False, follow=2, seconds=600, scheduler=local.scheduler_address)
        policy, report = learn(tasks, options)
        _, derived = learn(tasks[-2:], LearnOptions(tasks=4, follow=1, seconds=600, scheduler=options.scheduler))
    assert report.chosen == learned[1].chosen
    assert weights_of(policy) == weights_of(learned[0])
    assert derived.generated > 0


def test_fitting_respects_its_time_limit(tmp_path: Path) -> None:
    from fsplan.planner.learning.relational.labels import label

    tasks = [blocks_task(tmp_path, *words) for words in SMALL]
    with pytest.raises(TimeoutError, match="enumerate"):
        label(blocks_task(tmp_path, *LARGE[1]), max_states=10**7, seconds=0.01)
    parts = [found.examples for found in map(label, tasks) if found is not None]
    blocks = ["colours", "plan"]
    assert len(fit_relational(parts, blocks=blocks, seconds=100.0).weights) > 0
    copied = pickle.loads(pickle.dumps(parts))
    first, second = (fit_relational(each, blocks=blocks) for each in (parts, copied))
    assert first.weights.tobytes() == second.weights.tobytes()
    with pytest.raises(ValueError, match="block"):
        fit_relational(parts, blocks=["helpful"])


def test_tasks_are_pickled_as_their_problems(tmp_path: Path) -> None:
    task = blocks_task(tmp_path, *SMALL[0])
    again = pickle.loads(pickle.dumps(task))
    assert (again.name, list(again.actions)) == (task.problem.name, list(task.actions))  # type: ignore[union-attr]
