"""Fuzzes the readers of PDDL, SAS, proofs, plans and policy files.

    python scripts/fuzz.py --inputs 100000
    scripts/dev -DFSPLAN_SANITIZE=ON && python scripts/fuzz.py --sanitized --seconds 3600

The first inputs are those of tests/fuzzing.py. An input with a new kind of answer (accepted, or refused with another
message) is added to the corpus and mutated again, so that mutations accumulate on interesting inputs. Inputs run in
batches, each in its own process. A crash, a sanitizer error, a wrong answer or an input that takes more than 20 seconds
ends the batch, and the input is saved.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

BATCH = 5000  # inputs per process; its start (imports and first proofs) takes a second, a small share of the time
SECONDS = 20
LARGEST = 20_000  # bytes; larger files are not added to the corpus


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10**9, help="how many, of all kinds together")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--kinds", default="pddl,sas,proof,plan,policy")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sanitized", action="store_true", help="the native module was built with FSPLAN_SANITIZE=ON")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--batch", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.batch:
        run_batch(**json.loads(options.batch))
        return 0
    return campaign(options)


def campaign(options: argparse.Namespace) -> int:
    kinds = options.kinds.split(",")
    end, done, findings, number = monotonic() + options.seconds, Counter[str](), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        while sum(done.values()) < options.inputs and monotonic() < end:
            kind = kinds[number % len(kinds)]
            scratch = Path(folder) / kind
            scratch.mkdir(exist_ok=True)
            size = min(BATCH, options.inputs - sum(done.values()))
            batch = {"kind": kind, "seed": options.seed + number, "folder": str(scratch), "size": size}
            command = [sys.executable, __file__, "--batch", json.dumps(batch)]
            answer = subprocess.run(command, env=environment(options.sanitized), capture_output=True, text=True)
            count = int(answer.stdout.split()[-1]) if answer.stdout.split() else 0
            done[kind] += count
            if answer.returncode != 0:
                findings += 1
                save(options.findings / f"{kind}-{options.seed + number}-{count}", scratch, answer.stderr)
            number += 1
            print(summary(done, findings), flush=True)
    return 1 if findings else 0


def summary(done: Counter[str], findings: int) -> str:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    return f"{done.total():,} inputs in {seconds:.0f} CPU s {dict(done)}, {findings} findings"


def environment(sanitized: bool) -> dict[str, str]:
    if not sanitized:
        return dict(os.environ)
    libraries = (subprocess.check_output(["gcc", f"-print-file-name={name}.so"], text=True) for name in
                 ("libasan", "libstdc++"))  # fmt: skip
    preload = " ".join(library.strip() for library in libraries)
    return {**os.environ, "LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1"}


def save(folder: Path, scratch: Path, message: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in (scratch / "now").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "message.txt").write_text(message)
    print(f"{folder}: {message.strip().splitlines()[-1] if message.strip() else 'killed'}", flush=True)


def run_batch(kind: str, seed: int, folder: str, size: int) -> None:
    """Runs a batch of inputs and prints the number of each before it runs; its files are then in the folder `now`."""
    from fuzzing import KINDS, Files

    now, kept = Path(folder) / "now", Path(folder) / "kept"
    for each in (now, kept):
        each.mkdir(exist_ok=True)
    known: set[str] = {path.name for path in kept.iterdir()}
    corpus: list[Files] = [{p.name: p.read_bytes() for p in path.iterdir()} for path in sorted(kept.iterdir())]
    random = Random(f"{kind} {seed}")
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for number in range(size):
        files = random.choice(corpus) if corpus and random.random() < 0.5 else KINDS[kind].fresh(random)
        files = KINDS[kind].change(random, files)
        for name, data in files.items():
            (now / name).write_bytes(data)
        print(number + 1, flush=True)
        signal.alarm(SECONDS)
        answer = kind_of_answer(KINDS[kind].run(files))
        signal.alarm(0)
        if answer not in known and max(map(len, files.values())) <= LARGEST:
            known.add(answer)
            corpus.append(files)
            (kept / answer).mkdir(exist_ok=True)
            for name, data in files.items():
                (kept / answer / name).write_bytes(data)


def kind_of_answer(answer: str) -> str:
    """Returns the answer without names and numbers, which identifies its kind."""
    plain = re.sub(r"'[^']*'|\"[^\"]*\"|\([^)]*\)|\d+", "", answer)
    return re.sub(r"\W+", "_", plain)[:100]


if __name__ == "__main__":
    sys.exit(main())
