"""The recipes of docs/new-domain.md and docs/internals.md, followed to the letter: one copy of the tree, one build."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from recipes import Copy, apply, text_of

TOYS = {
    "searches": {"ucs"},
    "orders": {"worst-rank"},
    "heuristics": {"goalsteps"},
    "policies": {"lowest"},
    "sources": {"hanoi", "dials"},
}
OPTIMAL = {
    "hanoi:3": (7, ["--search idastar", "--search astar", "--search ucs"]),
    "dials:3": (9, ["--search astar", "--search astar --heuristic goalsteps", "--search ucs"]),
}


@pytest.mark.build
def test_the_recipes(tmp_path: Path) -> None:
    """There is only one test here: two tests may run in different processes, and each process would build the copy."""
    if shutil.which("cmake") is None:
        pytest.skip("no cmake")
    copy = Copy(tmp_path)
    for document in ("new-domain.md", "internals.md"):
        apply(text_of(document), copy.tree)
    copy.build()
    check_lists(copy)
    check_help(copy)
    check_documents(copy)
    check_python(copy)
    check_comparison(copy)
    for task, (cost, searches) in OPTIMAL.items():
        for words in searches:
            assert f"cost = {cost} " in copy.fsplan(task, *words.split()), (task, words)
        check_guided_search(copy, task, cost)


def check_lists(copy: Copy) -> None:
    listed = json.loads(copy.fsplan("list", "--json"))
    for kind, toys in TOYS.items():
        assert toys <= {entry["name"] for entry in listed[kind]}


def check_help(copy: Copy) -> None:
    text = copy.fsplan("plan", "--help-all")
    for name in ("ucs", "worst-rank", "goalsteps", "lowest"):
        assert name in text


def check_documents(copy: Copy) -> None:
    """The new parts occur in the generated tables of the docs and have generated Python functions."""
    copy.run("scripts/stubs")
    tables = "".join(page.read_text(encoding="utf-8") for page in (copy.tree / "docs").glob("*.md"))
    for toys in TOYS.values():
        for name in toys:
            assert f"\n| `{name}` |" in tables


def check_python(copy: Copy) -> None:
    copy.python(
        "import fsplan\n"
        "assert fsplan.ucs('dials:3').cost == 9\n"
        "assert fsplan.astar('dials:3', heuristic='goalsteps').cost == 9\n"
        "assert fsplan.focal('dials:3', 'worst-rank', policy='lowest').certified\n"
    )


def check_comparison(copy: Copy) -> None:
    """The new parts can be compared by `fsplan compare`, and they occur in its page and tables."""
    results = str(copy.tree / "results")
    searches = "ucs,astar@goalsteps,worst-rank"
    copy.fsplan("compare", "dials:3", "--searches", searches, "--policies", "lowest", "-o", results)
    page = copy.tree / "page.html"
    copy.fsplan("report", results, "-o", str(page))
    shown = page.read_text(encoding="utf-8")
    for name in ("ucs", "goalsteps", "worst-rank", "lowest", "dials:3"):
        assert name in shown


def check_guided_search(copy: Copy, task: str, optimum: int) -> None:
    words = "--focal worst-rank --policy lowest --w 1.5 --json -"
    result = json.loads(copy.fsplan(task, *words.split()))
    assert result["certified"]
    assert result["lower_bound"] <= optimum <= result["cost"] <= 1.5 * result["lower_bound"]
