"""The command line: its output on stdout and stderr, its messages and its exit codes."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT, fsplan, on_terminal

from fsplan.planner import cli

FOLDER = ROOT / "pddl/tasks/blocks"
DOMAIN, PROBLEM = FOLDER / "domain.pddl", FOLDER / "probBLOCKS-8-0.pddl"


def test_the_plan_goes_to_stdout_and_the_rest_to_stderr() -> None:
    ran = fsplan(DOMAIN, PROBLEM, "--focal", "disc1", "--w", "1.5")
    lines = ran.stdout.splitlines()
    assert ran.returncode == 0
    assert lines[-1] == f"; cost = {len(lines) - 1} (unit cost)"
    assert all(line.startswith("(") and line.endswith(")") for line in lines[:-1])
    assert "proven ratio" in ran.stderr
    assert "\r" not in ran.stderr


def test_the_domain_may_be_left_out() -> None:
    assert fsplan(PROBLEM, "-q").stdout == fsplan(DOMAIN, PROBLEM, "-q").stdout != ""


def test_quiet_prints_nothing_but_the_plan() -> None:
    assert fsplan(PROBLEM, "--quiet", "--heuristic", "lmcut").stderr == ""
    assert fsplan(PROBLEM, "--quiet", "--heuristic", "lmcut", "--anytime").stderr == ""


def test_json_has_everything(tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    ran = fsplan(PROBLEM, "--search", "astar", "--heuristic", "lmcut", "--json", out)
    record = json.loads(out.read_text())
    assert (record["status"], record["cost"], record["lower_bound"], record["proven_ratio"]) == ("solved", 18, 18, 1.0)
    assert [f"({step})" for step in record["plan"]] == ran.stdout.splitlines()[:-1]
    assert {"w", "search", "order", "heuristic", "policy", "seed", "ties", "certified", "version"} <= record.keys()
    wanted = "expanded generated evaluated reopened policy_evaluations search_seconds total_seconds peak_memory_bytes"
    assert {*wanted.split(), "facts", "variables", "actions", "bytes_per_state"} <= record["statistics"].keys()
    assert record["statistics"]["actions"] == 128


def test_json_to_stdout_takes_the_plans_place() -> None:
    assert json.loads(fsplan(PROBLEM, "--heuristic", "lmcut", "--json", "-").stdout)["status"] == "solved"


def test_the_plan_file_is_valid(tmp_path: Path) -> None:
    plan = tmp_path / "plan.txt"
    ran = fsplan(PROBLEM, "--plan-file", plan, "--heuristic", "lmcut")
    assert ran.stdout == ""
    assert fsplan("validate", DOMAIN, PROBLEM, plan).returncode == 0
    assert os.listdir(tmp_path) == ["plan.txt"]


@pytest.mark.parametrize("option", ["--plan-file", "--json"])
def test_a_file_that_cannot_be_written_is_reported_before_the_search(option: str, tmp_path: Path) -> None:
    ran = fsplan("no-such.pddl", option, tmp_path / "no-such-folder" / "file")
    assert ran.returncode == 36
    assert f"{tmp_path}/no-such-folder/file cannot be written" in ran.stderr


def test_a_plan_that_cannot_be_written_to_its_file_goes_to_stdout() -> None:
    ran = fsplan(PROBLEM, "--heuristic", "lmcut", "--plan-file", "/dev/full")
    assert ran.returncode == 36
    assert "cost = " in ran.stdout
    assert "fsplan: /dev/full: No space left on device" in ran.stderr


def test_a_link_given_as_output_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    link.symlink_to(target)
    fsplan(PROBLEM, "--heuristic", "lmcut", "--plan-file", link)
    assert link.is_symlink()
    assert "cost = " in target.read_text()
    assert sorted(os.listdir(tmp_path)) == ["link", "target"]


def test_output_is_appended_to_a_file_that_the_shell_has_opened(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("before\n")
    with log.open("a") as file:
        words = [PROBLEM, "-q", "--heuristic", "lmcut", "--plan-file", "/dev/fd/1", "--json", "/dev/fd/2"]
        command = [sys.executable, "-m", "fsplan", *map(str, words)]
        subprocess.run(command, cwd="/", stdout=file, stderr=file, check=True)
    text = log.read_text()
    assert text.startswith("before\n")
    assert "; cost = " in text
    assert '"status": "solved"' in text


def shell(line: str, *words: object) -> tuple[int, str]:
    """Runs a line of bash in which "$@" is the command `fsplan` with these arguments; returns exit code and stderr."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = ["bash", "-c", line, "bash", sys.executable, "-m", "fsplan", *map(str, words)]
    ran = subprocess.run(command, cwd="/", env=environment, stderr=subprocess.PIPE, text=True, timeout=120)
    return ran.returncode, ran.stderr


INTO_CLOSED_PIPE = '(sleep 0.1; "$@") | true; exit ${PIPESTATUS[0]}'


def test_a_closed_pipe_changes_neither_files_nor_exit_code(tmp_path: Path) -> None:
    plan, out = tmp_path / "plan", tmp_path / "result.json"
    code, _ = shell(INTO_CLOSED_PIPE, PROBLEM, "-q", "--heuristic", "lmcut", "--json", out)
    assert (code, json.loads(out.read_text())["status"]) == (0, "solved")
    fsplan(PROBLEM, "--heuristic", "lmcut", "--plan-file", plan)
    for words in (["ground", PROBLEM], ["validate", DOMAIN, PROBLEM, plan], ["--version"], ["--help"]):
        assert shell(INTO_CLOSED_PIPE, *words) == (0, "")


@pytest.mark.parametrize("words", [[PROBLEM, "-q", "--heuristic", "lmcut"], ["ground", PROBLEM], ["--help"]])
def test_a_full_disk_is_reported(words: list[object]) -> None:
    code, reported = shell('"$@" >/dev/full', *words)
    assert (code, reported) == (36, "fsplan: No space left on device\n")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_are_no_error(closed: str) -> None:
    assert shell(f'"$@" {closed}', PROBLEM, "-q", "--heuristic", "lmcut") == (0, "")


def test_a_broken_plan_is_reported_with_step_and_condition(tmp_path: Path) -> None:
    plan = tmp_path / "plan.txt"
    plan.write_text("(pick-up b)\n(stack c a)\n")
    ran = fsplan("validate", DOMAIN, PROBLEM, plan)
    assert ran.returncode == 1
    assert "step 2, (stack c a): (holding c) is false" in ran.stderr


def test_a_time_limit_ends_the_run_with_a_bound() -> None:
    ran = fsplan("tiles15:korf/1", "--search", "astar", "--heuristic", "blind", "--time-limit", "2s")
    assert (ran.returncode, ran.stdout) == (23, "")
    assert "every plan costs at least" in ran.stderr


@pytest.mark.parametrize("command", ["plan", "ground"])
def test_a_time_limit_covers_reading(command: str, tmp_path: Path) -> None:
    endless = tmp_path / "problem.pddl"
    os.mkfifo(endless)
    ran = fsplan(command, DOMAIN, endless, "--time-limit", "1s")
    assert (ran.returncode, ran.stdout, "time ran out" in ran.stderr) == (21, "", True)


def test_a_time_limit_ends_code_that_never_checks_the_clock(tmp_path: Path) -> None:
    (tmp_path / "stubborn.py").write_text("def policy(task):\n    return sum(range(10**15))\n")
    words = [PROBLEM, "--focal", "disc2", "--policy", "stubborn:policy", "--time-limit", "1s"]
    ran = fsplan(*words, environment={"PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"})
    assert (ran.returncode, ran.stdout) == (21, "")
    assert "out of time after 1s" in ran.stderr


@pytest.mark.long
def test_a_memory_limit_ends_the_run() -> None:
    ran = fsplan("tiles15:korf/1", "--search", "astar", "--heuristic", "blind", "--memory-limit", "60MB")
    assert ran.returncode == 22
    assert "out of memory" in ran.stderr


def test_astar_continues_with_depth_first_search_when_memory_is_used_up() -> None:
    ran = fsplan("tiles15:korf/5", "--search", "astar", "--memory-limit", "40MB")
    assert ran.returncode == 0
    assert "solved: cost 56, 56 steps, optimal (proven)" in ran.stderr
    assert " deepened" in ran.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--w", "0.9"], 36, "at least 1"),
        (["--w", "abc"], 36, "abc"),
        (["--focl", "disc1"], 36, "--focal"),
        (["--heuristic", "hff"], 36, "option uncertified"),
        (["--search", "astar", "--focal", "disc1"], 36, "leave out --search astar"),
        (["--time-limit", "soon"], 36, "such as 30s"),
        (["--preferred", "best"], 36, "choose one of: policy, ff"),
        (["--policy", "no.such.module:thing"], 36, "no.such"),
        (["--search", "astar", "--paper"], 36, "astar does not read paper; it is read by: focal"),
        (["--search", "astar", "--w", "1.2"], 36, "or leave it out, as its plans are optimal"),
        (["--seed", "-1"], 36, "seed is a number from 0, not -1"),
        (["--seed", "9" * 23], 36, "seed is a number from 0, not 999"),
    ],
)
def test_bad_values_are_refused_with_the_legal_ones(words: list[str], code: int, message: str) -> None:
    ran = fsplan(PROBLEM, *words)
    assert (ran.returncode, ran.stdout) == (code, "")
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_huge_limit_counts_as_no_limit() -> None:
    limits = ["--time-limit", f"{'9' * 20}h", "--memory-limit", f"{'9' * 400}GB", "--lookahead", "9" * 30]
    assert fsplan(PROBLEM, "--focal", "disc2", *limits).returncode == 0


@pytest.mark.parametrize("words", [["--k-focal", "2"], ["--lazy"], ["--hedge"], ["--prove", "1"], ["--deepen", "1"]])
def test_options_that_the_search_does_not_read_are_refused(words: list[str]) -> None:
    ran = fsplan("tiles8:random/1", "--search", "gbfs", *words)
    assert (ran.returncode, ran.stdout) == (36, "")
    assert "gbfs does not read" in ran.stderr
    assert fsplan("tiles8:random/1", "--focal", "disc2", *words).returncode == 0


@pytest.mark.parametrize("states", [-1, 0, 10**21])
def test_the_message_has_the_legal_numbers_of_states(states: int) -> None:
    ran = fsplan("graph", PROBLEM, "--max-states", states)
    assert (ran.returncode, ran.stdout) == (36, "")
    assert f"max_states is a number from 1 to 4611686018427387904, not {states}" in ran.stderr


def test_costs_beyond_the_range_are_reported(tmp_path: Path) -> None:
    action = "(:action {} :precondition ({}) :effect (and ({}) (increase (total-cost) 2000000000)))"
    actions = action.format("one", "p", "q") + action.format("two", "q", "r")
    domain, problem = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(f"(define (domain d) (:predicates (p) (q) (r)) (:functions (total-cost)) {actions})")
    problem.write_text("(define (problem p) (:domain d) (:init (p)) (:goal (r)) (:metric minimize (total-cost)))")
    ran = fsplan(problem, "--heuristic", "blind")
    reported = "fsplan: every plan, if there is one, costs 2^31 - 1 or more: scale the costs down\n"
    assert (ran.returncode, ran.stderr) == (34, reported)


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_words: list[str]) -> int:
        raise KeyError("a bug")

    monkeypatch.setattr(cli, "_dispatch", fail)
    assert cli.run([]) == 35
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["no-such.pddl"], 36, "no-such.pddl"),
        (["no-such.pddl", PROBLEM], 36, "no-such.pddl: no such file"),
        ([DOMAIN], 36, f"{DOMAIN} is a domain and needs a problem"),
        (["tales15:korf/1"], 36, "a name such as tiles15:korf/1"),
        ([PROBLEM, PROBLEM], 31, "domain"),
        ([DOMAIN, "/"], 36, "/"),
        ([DOMAIN, PROBLEM, PROBLEM], 36, "domain and a problem"),
        ([], 36, "fsplan DOMAIN PROBLEM"),
    ],
)
def test_wrong_files_are_reported(words: list[object], code: int, message: str) -> None:
    ran = fsplan(*words)
    assert (ran.returncode, ran.stdout) == (code, "")
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr


def test_ctrl_c_ends_the_search_and_prints_the_bound_so_far() -> None:
    controller, terminal = pty.openpty()
    words = ["tiles15:korf/1", "--search", "astar", "--heuristic", "blind", "--memory-limit", "2GB"]
    run = subprocess.Popen([sys.executable, "-m", "fsplan", *words], cwd="/", stdout=subprocess.PIPE, stderr=terminal)
    os.close(terminal)
    seen = b""
    while b"expanded (" not in seen:  # the search is under way
        seen += os.read(controller, 4096)
    run.send_signal(signal.SIGINT)
    out, _ = run.communicate(timeout=60)
    seen += os.read(controller, 65536)
    os.close(controller)
    assert (run.returncode, out) == (130, b"")
    assert b"interrupted; every plan costs at least" in seen
    assert b"Traceback" not in seen


def test_progress_is_shown_on_a_terminal() -> None:
    seen = on_terminal(PROBLEM, "--search", "astar", "--heuristic", "hmax")
    assert b"solved" in seen
    if b"expanded (" in seen:  # a fast machine may finish before the first status line
        assert b"\r" in seen


def test_the_help_has_whole_sentences() -> None:
    assert "..." not in fsplan("--help").stdout.partition("Plan:")[2]


@pytest.mark.parametrize("words", [["--help"], ["plan", "--help"], ["ground", "--help"], ["validate", "-h"]])
def test_help(words: list[str]) -> None:
    ran = fsplan(*words)
    assert ran.returncode == 0
    assert "Usage: fsplan" in ran.stdout


@pytest.mark.parametrize(("words", "message"), [(["policy"], "accuracy"), (["policy", "bogus"], "bogus")])
def test_an_incomplete_command_is_explained(words: list[str], message: str) -> None:
    ran = fsplan(*words)
    assert "Usage: fsplan policy" in ran.stdout + ran.stderr
    assert message in ran.stdout + ran.stderr
    assert "no such file" not in ran.stderr


@pytest.mark.parametrize(
    ("package", "words", "advice"),
    [
        ("matplotlib", ["graph", "tiles3:random/1", "-o", "s.png"], "pip install 'fsplan[plot]'"),
        ("torch", ["train", "tiles3:random/1"], "https://download.pytorch.org/whl/cpu"),
        ("tarski", ["ground", PROBLEM, "--reader", "tarski"], "pip install 'fsplan[tarski]'"),
        ("mcp", ["mcp"], "pip install 'fsplan[mcp]'"),
        ("starlette", ["serve"], "pip install 'fsplan[serve]'"),
    ],
)
def test_a_missing_package_is_named_with_its_installation(
    package: str,
    words: list[object],
    advice: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == package or name.endswith("tarski_bridge")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Missing(package), *sys.meta_path])
    assert cli.run([str(word) for word in words]) == 36
    assert advice in capsys.readouterr().err


class Missing:
    """An import hook that hides a package."""

    def __init__(self, package: str) -> None:
        self.package = package

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] == self.package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_version() -> None:
    import fsplan as package

    assert fsplan("--version").stdout == f"fsplan {package.__version__}\n"


def test_shell_completion_knows_commands_and_options() -> None:
    environment = {"_FSPLAN_COMPLETE": "bash_complete", "COMP_WORDS": "fsplan gr", "COMP_CWORD": "1"}
    assert "plain,ground" in fsplan(environment=environment).stdout
    environment["COMP_WORDS"] = "fsplan --foc"
    assert "plain,--focal" in fsplan(environment=environment).stdout


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("fsplan dom", ["file,dom"]),
        ("fsplan domain.pddl pro", ["file,pro"]),
        ("fsplan d.pddl p.pddl --focal disc3", ["plain,disc3", "plain,disc3-last"]),
        ("fsplan d.pddl p.pddl --heuristic lm", ["plain,lmcut"]),
        ("fsplan d.pddl p.pddl --policy uni", ["plain,uniform"]),
        ("fsplan compare d.pddl p.pddl --searches wastar,disc1", ["plain,wastar,disc1"]),
        ("fsplan policy sh", ["plain,show"]),
    ],
)
def test_shell_completion_knows_files_and_names(words: str, completed: list[str]) -> None:
    environment = {"_FSPLAN_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    assert set(completed) <= set(fsplan(environment=environment).stdout.split())


def test_help_all_shows_what_help_leaves_out() -> None:
    usual, everything = fsplan("plan", "--help").stdout, fsplan("plan", "--help-all").stdout
    assert "--ties" not in usual
    assert "--ties" in everything
    assert len([line for line in usual.splitlines() if line.startswith("  -")]) <= 16  # --help and --help-all included
    assert "The search: focal, astar, wastar" in " ".join(usual.split())
    assert {line for line in usual.splitlines() if line.endswith(":")} <= set(everything.splitlines())


@pytest.mark.parametrize(("word", "meant"), [("valdate", "validate"), ("grund", "ground"), ("compar", "compare")])
def test_a_misspelt_command_is_not_taken_for_a_task(word: str, meant: str) -> None:
    ran = fsplan(word, "domain.pddl", "problem.pddl")
    assert (ran.returncode, ran.stdout) == (36, "")
    assert f"Did you mean {meant}?" in ran.stderr


def test_plans_do_not_depend_on_the_hash_seed() -> None:
    outputs = {
        fsplan(PROBLEM, "--heuristic", "lmcut", environment={"PYTHONHASHSEED": seed}).stdout
        for seed in ("0", "1", "77")
    }
    assert len(outputs) == 1
