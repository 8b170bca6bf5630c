"""Tests that checker, planner and Fast Downward's translator read the same task from unusual PDDL texts.

    python scripts/same_task.py --texts 100000
    python scripts/same_task.py --benchmarks ../shared/benchmarks --states 300
    python scripts/same_task.py --holes

The first command prints how many random and mutated texts are read as the same task, how many are refused, and every
difference. The second one does this for the first task of every domain. The third one inserts faults into the checker's
reader, one at a time, and prints after how many texts each is found. Exit code 1: a difference, or a fault that was not
found.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

import same_task  # noqa: E402
from benchmark_tasks import tasks  # noqa: E402
from same_task import Different, OddTexts, compare  # noqa: E402

from fsplan.planner import check  # noqa: E402

# Faults for --holes: a text of planner/proofs/check.py, and the faulty text that replaces it.
HOLES = [
    (r"|\?[^\s();?]*|[^\s();?]+", r"|[^\s();]+"),  # `p?x` is read as one name, not as p and ?x
    ('.replace("\\r", "\\n")', ""),  # a carriage return does not end a comment
    ("body.renamed(new)", "body.renamed({})"),
    ('f"{name} {len(variables)}"', "name"),  # an inner variable is confused with the outer one of the same name
    ("not result[form[0]] or", "True or"),  # a second section of the same kind is accepted
    ("(self.init if atom is form else false)", "self.init"),
    ("kinds = kind[1:] if", "kinds = kind[1:2] if"),  # only the first type of `either` is read
    ('"imply": 2', '"imply": None'),
    ('{"not": 1,', "{"),
    ("form.demand(form == first", "form.demand(True"),
    ("form.demand(known is None or", "form.demand(True or"),
    ("Fraction(form[2])\n        return self._call", "Fraction(int(float(form[2])))\n        return self._call"),
    ("own = self._below(scope[word]) if word in scope", "own = {*self._below(('object',))} if word in scope"),
    ("{*self.objects.setdefault(name, kinds)} == {*kinds}", "self.objects.setdefault(name, kinds)"),
    ('["or", ["not", form[1]], form[2]]', '["or", form[1], form[2]]'),
    ('(head in ("and", "forall")) == wanted', 'head in ("and", "forall")'),
    ("form.demand(value == 0", "form.demand(True"),
    ("section.demand(self.init.isdisjoint(false)", "section.demand(True"),
    ("holds = atom[1] == atom[2]", "holds = atom[1] != atom[2]"),
]


def odd_texts(seed: int, count: int) -> Iterator[tuple[int, str, str]]:
    for number in range(seed, seed + count):
        yield number, *OddTexts(number).make()


def run(texts: Iterator[tuple[object, str, str]], states: int, show: bool) -> Counter[str]:
    """Compares the readers and counts their answers; prints all differences if `show`, else stops at the first."""
    answers = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for name, domain, problem in texts:
            try:
                answer = compare(domain, problem, Path(folder), states)
            except Different as error:
                answer = "DIFFERENT"
                if show:
                    print(f"{name}: {error}")
            answers[re.sub(r":.*", "", answer, flags=re.S)] += 1
            if answer == "DIFFERENT" and not show:
                break
    return answers


def first_tasks(folder: Path) -> Iterator[tuple[str, str, str]]:
    for domain in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = tasks(domain)[0]
        print(f"{domain.name} …", flush=True)
        yield domain.name, *(check.read_text(str(path)) for path in files)


def find_holes(texts: int) -> int:
    """Puts each fault of HOLES into the checker; returns the number of faults that the comparison does not detect."""
    source = Path(check.__file__).read_text()
    missed = 0
    for old, new in HOLES:
        if old not in source:
            raise SystemExit(f"planner/proofs/check.py has no part {old!r}: adapt HOLES")
        module = ModuleType("changed_check")
        sys.modules["changed_check"] = module
        exec(compile(source.replace(old, new), "changed_check", "exec"), module.__dict__)
        same_task.read_task, same_task.Space, same_task.BadTask = module.read_task, module.Space, module.BadTask
        answers = run(odd_texts(0, texts), 40, show=False)
        found = answers["DIFFERENT"]
        missed += not found
        print(
            f"{'found after' if found else 'NOT FOUND in'} {sum(answers.values()):6} texts: {old!r} → {new!r}",
            flush=True,
        )
    return missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--states", type=int, default=40, help="how many states of each task are compared")
    parser.add_argument("--benchmarks", type=Path, help="compare the first task of every domain in this folder instead")
    parser.add_argument("--holes", action="store_true")
    options = parser.parse_args()
    if options.holes:
        return int(find_holes(options.texts) > 0)
    texts = first_tasks(options.benchmarks) if options.benchmarks else odd_texts(options.seed, options.texts)
    answers = run(texts, options.states, show=True)
    for answer, count in answers.most_common():
        print(f"{count:8} {answer}")
    print(f"{sum(answers.values()):8} tasks in {process_time():.0f} s of CPU time")
    return int(answers["DIFFERENT"] > 0)


if __name__ == "__main__":
    sys.exit(main())
