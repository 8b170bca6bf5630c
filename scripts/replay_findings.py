"""Runs the reproducers of known faults and prints which faults still occur.

    python scripts/replay_findings.py [FOLDER] [--benchmarks FOLDER] [--only 03 07]

FOLDER has one folder for each finding (../shared/findings). A replay runs its commands in an empty folder and checks
exit codes, outputs and files. "gone" means that all of them are correct. Exit code 1: a fault still occurs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent


class Answer(NamedTuple):
    code: int
    text: str  # standard output and standard error

    def has(self, *parts: str) -> bool:
        return all(part in self.text for part in parts)

    def last_line(self) -> str:
        lines = [line for line in self.text.splitlines() if line.strip()]
        return f"exit code {self.code}: {lines[-1].strip()[:150] if lines else ''}"


class Replay:
    """Runs commands for one finding. `{here}` and `{ipc}` in a command stand for its folder and the benchmarks."""

    def __init__(self, here: Path, benchmarks: Path, scratch: Path) -> None:
        self.names = {"here": str(here), "ipc": str(benchmarks)}
        self.scratch, self.answers = scratch, list[Answer]()

    def is_possible(self, needed: list[str]) -> bool:
        return all(Path(self.names["ipc"], name).exists() for name in needed)

    def run(self, command: str, program: tuple[str, ...] = ("-m", "fsplan"), folder: str = ".") -> Answer:
        place = self.scratch / folder
        place.mkdir(parents=True, exist_ok=True)
        words = [sys.executable, *program, *(word.format(**self.names) for word in command.split())]
        environment = {**os.environ, "IPC": self.names["ipc"]}
        ran = subprocess.run(
            words, cwd=place, env=environment, capture_output=True, text=True, errors="replace", timeout=300
        )
        self.answers.append(Answer(ran.returncode, ran.stdout + ran.stderr))
        return self.answers[-1]

    def size(self, name: str) -> int:
        """Returns the size in bytes of a file that a command should write; 0 if it does not exist."""
        path = self.scratch / name
        return path.stat().st_size if path.exists() else 0


def not_verified(*files: str) -> Callable[[Replay], bool]:
    """Returns a test that the checker rejects the proofs, whose bounds are false, also after sorting their lists."""

    def judge(replay: Replay) -> bool:
        answers = [replay.run(f"check {each}") for each in files]
        for each in files:
            *task, proof = each.format(**replay.names).split()
            (replay.scratch / "ordered.proof").write_text("".join(map(ordered, Path(proof).read_text().splitlines())))
            answers.append(replay.run(f"check {' '.join(task)} ordered.proof"))
        return all(answer.code in (1, 31, 36) for answer in answers)

    return judge


def ordered(line: str) -> str:
    """Returns the line of a proof with its sets of numbers sorted and without duplicates, as the format requires."""
    words = line.split()
    first = {"one": 1, "never": 1, "cut": 1, "table": 1, "row": 2, "g": 2, "b": 2}.get(words[0], len(words))
    return " ".join(words[:first] + [str(number) for number in sorted({int(word) for word in words[first:]})]) + "\n"


def plan_cost_in_units(replay: Replay) -> bool:
    forged = replay.run("check {here}/domain.pddl {here}/problem.pddl {here}/forged.proof --plan {here}/plan")
    own = replay.run("check {here}/decimal.pddl {here}/problem.pddl {here}/own.proof --plan {here}/plan2")
    return (forged.code != 0 or forged.has("costs 100")) and own.has("costs 2.5: it is optimal")


def honest_proof(replay: Replay, folder: str = "{here}") -> bool:
    task = f"{folder}/domain.pddl {folder}/problem.pddl"
    solved = replay.run(f"{task} --w 1 --proof x.proof --plan-file x.plan")
    return solved.code in (0, 11) and replay.run(f"check {task} x.proof").has("verified")


def disk_full(replay: Replay) -> bool:
    task = "{ipc}/blocks/domain.pddl {ipc}/blocks/probBLOCKS-10-0.pddl"
    answer = replay.run(f"{task} --proof /dev/full --plan-file ok.plan")
    return answer.code == 36 and replay.size("ok.plan") > 0


def suspended(replay: Replay) -> bool:
    answer = replay.run("astar", program=(f"{replay.names['here']}/susp.py",))
    return answer.code == 0 and answer.has("returned")


def path_traversal(replay: Replay) -> bool:
    files = "{here}/domain.pddl {here}/p4-0.pddl {here}/p4-1.pddl {here}/p5-0.pddl"
    replay.run(f"train {files} --time-limit 6s", folder="a/b")
    return not [path for path in replay.scratch.rglob("*.policy") if path.parent.name != "b"]


def deadline(replay: Replay) -> bool:
    task = "{ipc}/blocks/domain.pddl {ipc}/blocks/probBLOCKS-14-0.pddl"
    replay.run(f"{task} --w 1 --time-limit 20s --proof x.proof --plan-file x.plan")
    return replay.size("x.plan") > 0


def watchdog(replay: Replay) -> bool:
    answer = replay.run("{ipc}/logistics98/domain.pddl {ipc}/logistics98/prob28.pddl --time-limit 15s")
    return answer.has("lower bound") or answer.has("every plan costs at least")


def low(replay: Replay) -> bool:
    replay.run("graph {here}/graphml-domain.pddl {here}/graphml-problem.pddl -o x.graphml")
    try:
        ElementTree.parse(replay.scratch / "x.graphml")
    except (ElementTree.ParseError, OSError):
        return False
    shown = replay.run("policy show {here}/bydist_list.safetensors")
    width = replay.run("{here}/synthetic-width-domain.pddl {here}/synthetic-width-problem.pddl --policy synthetic:0.5")
    return not any(answer.has("Traceback") for answer in (shown, width)) and not width.has("differ in width")


PAIR = "{here}/domain.pddl {here}/problem.pddl"
BLOCKS = "{ipc}/blocks/domain.pddl {ipc}/blocks/probBLOCKS-4-0.pddl"
ZENO = "{ipc}/zenotravel/domain.pddl {ipc}/zenotravel/p02.pddl"
REPLAYS: dict[str, Callable[[Replay], bool]] = {
    "01": not_verified(f"{PAIR} {{here}}/forged.proof", f"{BLOCKS} {{here}}/blocks-4-0.forged.proof"),
    "02": plan_cost_in_units,
    "03": not_verified(f"{PAIR} {{here}}/forged.proof"),
    "04": not_verified("{here}/cr.pddl {here}/p0.pddl {here}/forged.proof"),
    "05": not_verified(
        "{here}/q.pddl {here}/p1.pddl {here}/forged.proof", f"{ZENO} {{here}}/zenotravel-p02.false.proof"
    ),
    "06": lambda replay: (
        not_verified("{here}/plain.pddl {here}/p2.pddl {here}/forged.proof")(replay)
        and replay.run("{here}/plain.pddl {here}/p2.pddl").has("p2.pddl:1:", "second section")
    ),
    "07": lambda replay: (
        not_verified("{here}/cr.sas {here}/forged.proof")(replay)
        and replay.run("{here}/cr.sas").has("carriage return within a line")
    ),
    "08": lambda replay: honest_proof(replay) and honest_proof(replay, "{here}/unsolvable"),
    "09": lambda replay: replay.run(f"{PAIR} --w 1.05 --policy synthetic:0.5 --seed 2").code in (0, 11),
    "10": disk_full,
    "11": suspended,
    "12": path_traversal,
    "13": deadline,
    "14": honest_proof,
    "15": watchdog,
    "16": low,
}


NEEDED = {  # benchmark tasks that each finding needs
    "01": ["blocks/probBLOCKS-4-0.pddl"],
    "05": ["zenotravel/p02.pddl"],
    "10": ["blocks/probBLOCKS-10-0.pddl"],
    "13": ["blocks/probBLOCKS-14-0.pddl"],
    "15": ["logistics98/prob28.pddl"],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT.parent / "shared" / "findings")
    parser.add_argument("--benchmarks", type=Path, default=ROOT.parent / "shared" / "benchmarks")
    parser.add_argument("--only", nargs="+", default=[*REPLAYS], metavar="NUMBER")
    options = parser.parse_args()
    remaining = 0
    for here in sorted(path.resolve() for path in options.folder.iterdir() if path.is_dir()):
        number = here.name[:2]
        if number not in options.only:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            replay = Replay(here, options.benchmarks.resolve(), Path(scratch))
            if not replay.is_possible(NEEDED.get(number, [])):
                print(f"{'not replayed':12} {here.name}: the benchmarks have no {' '.join(NEEDED[number])}")
                continue
            try:
                is_gone = number in REPLAYS and REPLAYS[number](replay)
            except subprocess.TimeoutExpired as error:
                is_gone, _ = False, replay.answers.append(Answer(-1, f"no answer after {error.timeout} s"))
        remaining += not is_gone
        print(f"{'gone' if is_gone else 'STILL THERE':12} {here.name}", flush=True)
        for answer in replay.answers:
            print(f"             {answer.last_line()}", flush=True)
    print(f"{remaining} still there")
    return int(remaining > 0)


if __name__ == "__main__":
    sys.exit(main())
