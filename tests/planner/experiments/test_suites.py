from __future__ import annotations

from pathlib import Path

import pytest
from support import ROOT

from fsplan.planner.experiments.suites import (
    SuiteError,
    discover,
    expand_spec,
    is_domain_file,
    read_suite,
    tasks_of_arguments,
)

DOMAIN = "; a comment (define (problem x))\n(define (domain d))"
PROBLEM = "(define (problem p) (:domain d))"


def collection(folder: Path, *files: str) -> Path:
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(DOMAIN if "domain" in path.name else PROBLEM)
    return folder


@pytest.mark.parametrize(
    ("files", "domain"),
    [
        (("a/domain.pddl", "a/p1.pddl"), "a/domain.pddl"),
        (("a/p1-domain.pddl", "a/p1.pddl"), "a/p1-domain.pddl"),
        (("a/p01-domain.pddl", "a/p01-airport1-p1.pddl"), "a/p01-domain.pddl"),
        (("a/domain-p1.pddl", "a/p1.pddl"), "a/domain-p1.pddl"),
        (("a/domain_p1.pddl", "a/p1.pddl"), "a/domain_p1.pddl"),
        (("a/domain.pddl", "a/instances/instance-1.pddl"), "a/domain.pddl"),
        (("a/domains/domain-1.pddl", "a/instances/instance-1.pddl"), "a/domains/domain-1.pddl"),
    ],
)
def test_the_domain_file_of_a_problem_is_found_in_common_folder_layouts(
    tmp_path: Path, files: tuple[str, str], domain: str
) -> None:
    (task,) = discover(collection(tmp_path, *files))
    assert task.domain == "a"
    assert task.files == (str((tmp_path / domain).resolve()), str((tmp_path / files[-1]).resolve()))


def test_every_shared_domain_is_found(benchmarks: Path) -> None:
    tasks = discover(benchmarks)
    assert {task.domain for task in tasks} == {path.name for path in benchmarks.iterdir() if path.is_dir()}
    problems = [path for path in benchmarks.rglob("*.pddl") if "domain" not in path.name]
    assert {task.files[1] for task in tasks} == {str(path.resolve()) for path in problems}
    assert all(is_domain_file(Path(task.files[0])) for task in tasks)


def test_problems_are_sorted_by_their_numbers(tmp_path: Path) -> None:
    found = discover(collection(tmp_path, "a/domain.pddl", "a/p10.pddl", "a/p2.pddl", "a/p1.pddl"))
    assert [task.name for task in found] == ["a/p1", "a/p2", "a/p10"]


def test_tasks_are_given_by_folders_files_and_specs(tmp_path: Path) -> None:
    collection(tmp_path, "a/domain.pddl", "a/p1.pddl", "b/other-domain.pddl", "b/q.pddl")
    other = str(tmp_path / "b/other-domain.pddl")
    tasks = tasks_of_arguments([str(tmp_path / "a"), "tiles8:random/1..2", other, str(tmp_path / "b/q.pddl")])
    assert [task.name for task in tasks] == ["a/p1", "tiles8:random/1", "tiles8:random/2", "b/q"]
    assert tasks[-1].files[0] == other
    assert (tasks[0].domain, tasks[-1].domain) == ("a", "d")  # named by the folder; named by (domain d) in the file
    assert tasks[1].domain == "tiles8"
    with pytest.raises(SuiteError, match="no such file or folder"):
        tasks_of_arguments(["missing"])
    with pytest.raises(SuiteError, match="no tasks"):
        tasks_of_arguments([other])


@pytest.mark.parametrize("spec", ["tiles8:random/5..1", "tiles8:random/1..99999999999"])
def test_bad_ranges_are_refused(spec: str) -> None:
    with pytest.raises(SuiteError, match="a range goes up"):
        expand_spec(spec)


def test_suite(tmp_path: Path) -> None:
    collection(tmp_path, "ipc/a/domain.pddl", "ipc/a/p1.pddl", "ipc/a/p2.pddl", "ipc/b/domain.pddl", "ipc/b/p1.pddl")
    (tmp_path / "suite.toml").write_text(
        """
        searches = ["disc2", "wastar"]
        w = [1.5, "6/5"]
        [[tasks]]
        collection = "ipc"
        at_most = 1
        [[tasks]]
        problems = ["ipc/a/*.pddl"]
        domain = "ipc/a/domain.pddl"
        [[tasks]]
        specs = ["pancake9:random/3"]
        """
    )
    suite = read_suite(tmp_path / "suite.toml")
    assert [task.name for task in suite.tasks] == ["a/p1", "b/p1", "a/p2", "pancake9:random/3"]
    assert suite.options == {"searches": ["disc2", "wastar"], "w": [1.5, "6/5"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one"),
        ("tasks = 3", "at least one"),
        ("[[tasks]]\nfoo = 1", "needs one of"),
        ("[[tasks]]\nspecs = 'x'", "right kind"),
        ("[[tasks]]\nspecs = [1]", "right kind"),
        ("[[tasks]]\nspecs = ['a:b']\nat_most = 2", "has no 'at_most'"),
        ("colour = 1\n[[tasks]]\nspecs = ['a:b']", "unknown setting 'colour'"),
        ("w = 'x'\n[[tasks]]\nspecs = ['a:b']", "right kind"),
        ("[[tasks]]\ncollection = 'nowhere'", "not a folder"),
        ("[[tasks]]\nproblems = ['*.pddl']", "no problem file"),
        ("[[", "not TOML"),
        ("\x00", "not TOML"),
    ],
)
def test_mistakes_in_a_suite_are_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "suite.toml").write_text(text)
    with pytest.raises(SuiteError, match=message):
        read_suite(tmp_path / "suite.toml")


def test_a_collection_may_be_named_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    collection(tmp_path / "ipc", "a/domain.pddl", "a/p1.pddl")
    suite = tmp_path / "suite.toml"
    suite.write_text('[[tasks]]\ncollection = "$OWN_TASKS"\n')
    monkeypatch.setenv("OWN_TASKS", str(tmp_path / "ipc"))
    assert [task.name for task in read_suite(suite).tasks] == ["a/p1"]
    monkeypatch.delenv("OWN_TASKS")
    with pytest.raises(SuiteError, match="is not set"):
        read_suite(suite)


def test_the_suite_of_preferred_operators_has_enough_tasks(benchmarks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FSPLAN_BENCHMARKS", str(benchmarks))
    tasks = read_suite(ROOT / "docs/studies/preferred-operators.toml").tasks
    assert len(tasks) >= 100
    assert len({task.domain for task in tasks}) >= 20
