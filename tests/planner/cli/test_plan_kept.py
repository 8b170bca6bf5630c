"""A plan is reported in spite of limits, deadlines and files that cannot be written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support import BENCHMARKS, ROOT, fsplan

import fsplan as api
from fsplan.planner.base import limits
from fsplan.planner.base.limits import Limits

PROBLEM = ROOT / "pddl/tasks/blocks/probBLOCKS-8-0.pddl"
HANG = """
import signal, sys, time

def hang():
    "Blocks the alarm of the time limit and never checks the clock."
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    time.sleep(60)
"""
HANGING_SEARCH = """
from fsplan.planner.cli.findings import Findings
note = Findings.note_gap

def note_and_hang(self, gap):
    note(self, gap)
    if gap.cost is not None:
        note_plan = self.note_plan
        self.note_plan = lambda *found: (note_plan(*found), hang())

Findings.note_gap = note_and_hang
"""
HANGING_PROOF = """
import fsplan.planner.proofs.writer
from fsplan.planner.base.files import replace

def begin_and_hang(task, bound, path, **limits):
    def fill(place):
        with open(place, "w") as file:
            file.write("fsplan-proof")
        WAIT
    replace(path, fill)

fsplan.planner.proofs.writer.write_proof = begin_and_hang
"""
RUN = "\nfrom fsplan.planner.cli import run\nsys.exit(run(sys.argv[1:]))\n"


def run(script: str, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", HANG + script + RUN, str(PROBLEM), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/")


def test_the_deadline_of_the_process_is_that_of_the_whole_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    armed: list[float] = []
    monkeypatch.setattr(limits, "exit_at_deadline", armed.append)
    whole = Limits(time=20)
    with whole.enforced():
        part = whole.part(0.6)
        assert part.begin_search() == pytest.approx(12, abs=1)
    assert armed == [pytest.approx(20.8, abs=0.1), 0]


@pytest.mark.parametrize("wait", ["time.sleep(60)", "hang()"], ids=["alarm", "deadline"])
def test_plan_and_result_are_written_although_the_proof_takes_too_long(wait: str, tmp_path: Path) -> None:
    words = ("--time-limit", "1.5s", "--proof", tmp_path / "proof", "--json", tmp_path / "result.json")
    ran = run(HANGING_PROOF.replace("WAIT", wait), *words)
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "; cost = 18 (unit cost)")
    assert "plan of cost 18; the proof of its bound was not finished: no file was written" in ran.stderr
    assert os.listdir(tmp_path) == ["result.json"]


def test_the_best_plan_is_printed_when_the_deadline_ends_the_process(tmp_path: Path) -> None:
    ran = run(HANGING_SEARCH, "--time-limit", "1.5s")
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (2, "; cost = 44 (unit cost)")
    assert "did not stop by itself\nplan of cost 44, lower bound 0" in ran.stderr
    kept = tmp_path / "plan"
    ran = run(HANGING_SEARCH, "--time-limit", "1.5s", "--plan-file", kept)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert kept.read_text().splitlines()[-1] == "; cost = 44 (unit cost)"
    assert os.listdir(tmp_path) == ["plan"]
    ran = run(HANGING_SEARCH, "--time-limit", "1.5s", "--json", "-")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "; cost = 44 (unit cost)\nplan of cost 44, lower bound 0" in ran.stderr


def test_each_output_that_fails_is_reported_and_the_plan_is_printed() -> None:
    options = ("--json", "--json-stream", "--trace", "--proof")
    ran = fsplan(
        PROBLEM,
        "--search",
        "astar",
        "--heuristic",
        "lmcut",
        *(word for option in options for word in (option, "/dev/full")),
    )
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (36, "; cost = 18 (unit cost)")
    assert ran.stderr.count("fsplan: /dev/full: No space left on device") == len(options)
    assert "optimal (proven)" in ran.stderr


def test_a_full_disk_leaves_no_half_written_file(tmp_path: Path) -> None:
    """Files are limited to 800 bytes. The plan is shorter; every other output is longer."""
    import resource

    def few_bytes() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (800, 800))

    options = ("--plan-file", "--json", "--json-stream", "--trace", "--proof")
    words = [str(word) for option in options for word in (option, tmp_path / option[2:])]
    command = [sys.executable, "-m", "fsplan", str(PROBLEM), "--search", "astar", "--heuristic", "lmcut", *words]
    ran = subprocess.run(command, capture_output=True, text=True, cwd="/", preexec_fn=few_bytes)
    assert ran.returncode == 36
    assert (tmp_path / "plan-file").read_text().splitlines()[-1] == "; cost = 18 (unit cost)"
    assert sorted(os.listdir(tmp_path)) == ["json-stream", "plan-file"]
    for option in options[1:]:
        assert f"fsplan: {tmp_path / option[2:]}: File too large" in ran.stderr


@pytest.mark.parametrize("patience", [-0.5, 0.0])
def test_the_alarm_of_the_time_limit_is_not_mistaken_for_ctrl_c(
    patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a process was suspended, the alarm may come early: here at half of the time limit, or exactly at the limit."""
    monkeypatch.setattr(limits, "_patience", lambda seconds: patience * seconds)
    for search in ("astar", "idastar"):
        result = api.solve("tiles15:korf/60", search, time_limit=0.1)
        assert result.status == "timeout"
        assert result.lower_bound is not None
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


@pytest.mark.long
def test_a_process_that_was_suspended_past_its_limit_returns_its_result() -> None:
    script = """
import os, subprocess, fsplan
subprocess.Popen(["sh", "-c", f"sleep 1; kill -STOP {os.getpid()}; sleep 3; kill -CONT {os.getpid()}"])
print(fsplan.solve("tiles15:korf/60", search="astar", time_limit=2).status)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd="/")
    assert (ran.stdout, ran.stderr) == ("timeout\n", "")


@pytest.mark.long
def test_a_memory_limit_holds_for_every_part_of_auto() -> None:
    """docs/limits.md promises that a run uses at most 5 MB more than its limit."""
    problem = BENCHMARKS / "parking-opt11-strips" / "pfile03-011.pddl"
    if not problem.is_file():
        pytest.skip("the shared benchmarks are not there")
    # The process reads its own peak memory, because ru_maxrss of a child starts with the memory of its parent process.
    script = f"""
from fsplan.planner.cli import run
assert run({[str(problem), "--memory-limit", "60MB", "--quiet"]!r}) == 0
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd="/")
    assert int(ran.stdout.rpartition("VmHWM:")[2].split()[0]) * 1024 <= 65_000_000
