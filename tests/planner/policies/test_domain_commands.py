"""`fsplan train` for a domain, and the library of domain policies."""

from __future__ import annotations

from json import loads
from pathlib import Path

import pytest
from blocks_problems import DOMAIN, blocks_task, tower_problem
from support import known

import fsplan
from fsplan.planner.cli import run as main
from fsplan.planner.cli.commands.train import default_output
from fsplan.planner.learning.pipeline import fitting_kind
from fsplan.planner.learning.relational.follow import follow
from fsplan.planner.learning.relational.measures import LearningReport
from fsplan.planner.policies.relational import library, stored

TOWERS = [("ab c", "cab"), ("abc", "cba"), ("a b c d", "abcd"), ("abcd", "dcba"), ("ab cd", "acbd")]


@pytest.fixture
def problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    paths = [tmp_path / f"p{number}.pddl" for number in range(len(TOWERS))]
    for path, towers in zip(paths, TOWERS, strict=True):
        path.write_text(tower_problem(*towers))
    return [str(DOMAIN), *map(str, paths)]


def test_problems_with_different_objects_give_a_domain_policy(problems: list[str]) -> None:
    assert fitting_kind(problems, None) == "relational"
    assert fitting_kind(problems, "own.safetensors") == "network"
    assert fitting_kind([problems[0], *problems[3:6]], None) == "network"
    assert fitting_kind(problems[:2], None) == "network"
    assert fitting_kind(problems[:2], "own.policy") == "relational"
    assert fitting_kind(["tiles8:random/1"], None) == "network"


def test_train_install_list_show_remove(
    problems: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *problems, "--no-generate", "--install"]) == 0
    shown = capsys.readouterr()
    assert "accuracy on held-out tasks" in shown.out
    assert "following" in shown.out
    assert "written to blocks.policy" in shown.err
    found = known(library.find(blocks_task(tmp_path, "edcba", "abcde")))
    assert stored.read(found).domain["name"] == "blocks"
    assert main(["policy", "list"]) == 0
    assert "domain blocks" in capsys.readouterr().out
    assert main(["policy", "show", "blocks.policy"]) == 0
    assert "linear" in capsys.readouterr().out
    assert main(["policy", "remove", "blocks"]) == 0
    assert library.find(blocks_task(tmp_path, "edcba", "abcde")) is None
    assert main(["policy", "remove", "blocks"]) != 0
    assert "the library has nothing" in capsys.readouterr().err


def test_options_for_the_other_kind_of_policy_are_refused(
    problems: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *problems, "--epochs", "3"]) != 0
    assert "--epochs is not read" in capsys.readouterr().err
    assert main(["train", *problems[:2], "--install"]) != 0
    assert "--install is for policies of a domain" in capsys.readouterr().err


def test_a_broken_file_in_the_library_is_listed_with_the_reason(
    problems: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(library.folder())
    folder.mkdir(parents=True)
    (folder / "bad.policy").write_bytes(b"nothing")
    assert main(["policy", "list"]) == 0
    assert "cannot be used" in capsys.readouterr().out


def test_an_installed_policy_is_used_and_named(problems: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", *problems, "--no-generate", "--install", "--quiet"]) == 0
    words = ["plan", *problems[:2], "--focal", "disc2"]
    assert main(words[:-2]) == 0
    assert "plan by follow" in capsys.readouterr().err
    for options, used in (([], True), (["--no-library"], False), (["--policy", "ff"], False)):
        capsys.readouterr()
        assert main([*words, *options]) == 0
        assert ("blocks-" in capsys.readouterr().err) == used


def test_auto_does_not_follow_an_installed_policy_with_poor_test_results(
    problems: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(LearningReport, "why_not_to_follow", "it reaches less than half of the goals")
    assert main(["train", *problems, "--no-generate", "--install"]) == 0
    assert "do not follow this policy: it reaches less" in capsys.readouterr().out
    assert main(["plan", *problems[:2]]) == 0
    assert "plan by follow" not in capsys.readouterr().err
    assert main(["plan", *problems[:2], "--focal", "disc2"]) == 0
    assert "blocks-" in capsys.readouterr().err


def test_the_command_line_searches_as_python_does(problems: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", *problems, "--no-generate", "--quiet"]) == 0
    capsys.readouterr()
    for option, name in (("focal", "disc2"), ("search", "auto")):
        words = ["plan", *problems[:2], f"--{option}", name, "--w", "2", "--policy", "blocks.policy", "--json", "-"]
        assert main([*words, "--quiet"]) == 0
        printed = loads(capsys.readouterr().out)
        argument = {"order" if option == "focal" else option: name}
        result = fsplan.solve(fsplan.load(*problems[:2]), w=2, policy="blocks.policy", **argument)  # type: ignore[arg-type]
        assert printed["plan"] == result.plan
        assert printed["statistics"]["expanded"] == result.statistics["expanded"]


def test_a_followed_plan(problems: list[str], tmp_path: Path) -> None:
    assert main(["train", *problems, "--no-generate", "--quiet"]) == 0
    task = blocks_task(tmp_path, "edcba", "abcde")
    found = known(follow(task, stored.read("blocks.policy").on(task)))
    assert len(found[0]) == found[1]


def test_the_name_of_a_domain_cannot_point_outside_the_library(tmp_path: Path) -> None:
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text("(define (domain ../../pwn) (:predicates (p)) (:action a :parameters () :effect (p)))")
    problem.write_text("(define (problem x) (:domain ../../pwn) (:init) (:goal (p)))")
    assert default_output((str(domain), str(problem)), ".policy") == "pwn.policy"


def test_a_policy_that_reaches_no_goal_is_not_installed(
    problems: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(LearningReport, "reaches_no_goal", True)
    words = ["train", *problems, "--no-generate", "--install", "--quiet"]
    assert main(words) == 12
    assert "not installed: following blocks.policy reaches no goal" in capsys.readouterr().err
    assert library.entries() == []
    assert main([*words, "--force"]) == 0
    assert len(library.entries()) == 1
    assert main(["train", *problems, "--force"]) != 0
    assert "--force is for --install" in capsys.readouterr().err
