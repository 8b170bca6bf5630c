from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fsplan.planner.experiments import fast_downward
from fsplan.planner.experiments.compare import carry_out, jobs_of
from fsplan.planner.experiments.records import Run
from fsplan.planner.sources.load import example
from fsplan.planner.sources.pddl import domain_beside

LOG = """
Translator peak memory: 27624 KB
[t=0.002348s, 10544 KB] Plan length: 6 step(s).
[t=0.002829s, 10544 KB] Plan cost: 16
[t=0.002829s, 10544 KB] Expanded 7 state(s).
[t=0.002829s, 10544 KB] Reopened 1 state(s).
[t=0.002829s, 10544 KB] Evaluated 14 state(s).
[t=0.002829s, 10544 KB] Generated 18 state(s).
[t=0.002829s, 10544 KB] Search time: 0.000349s
Peak memory: 10544 KB
"""


def test_log() -> None:
    assert fast_downward.parse_log(LOG) == {
        "cost": 16,
        "plan_length": 6,
        "expansions": 7,
        "reopened": 1,
        "evaluated": 14,
        "generated": 18,
        "seconds": 0.000349,
        "memory": 27624 * 1024,
    }
    assert fast_downward.parse_log("") == {}


@pytest.mark.parametrize(
    ("w", "expected"),
    [("1", "weight(g(),1),weight(h,1)"), ("1.5", "weight(g(),2),weight(h,3)"), ("1.2", "weight(g(),5),weight(h,6)")],
)
def test_weights_are_whole_numbers(w: str, expected: str) -> None:
    assert fast_downward.weighted(w, "h") == f"sum([{expected}])"


def test_the_lower_bound_that_a_plan_of_fast_downward_proves() -> None:
    assert fast_downward.proven_bound("fd-astar", "1", 7) == 7
    assert fast_downward.proven_bound("fd-wastar", "1.5", 7) == 5
    assert fast_downward.proven_bound("fd-wastar", "1.5", 6) == 4
    assert fast_downward.proven_bound("fd-lama", "1", 6) is None


@pytest.mark.parametrize(("search", "heuristic"), [("fd-nothing", "hmax"), ("fd-astar", "hff")])
def test_unknown_names_are_refused(search: str, heuristic: str) -> None:
    with pytest.raises(ValueError, match="fd-"):
        fast_downward.search_words(search, heuristic, "1")


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_downward, "driver", lambda: None)
    with pytest.raises(ImportError, match=r"fsplan\[compare\]"):
        jobs_of([run("fd-astar")])


def run(search: str, **rest: Any) -> Run:
    problem = example("blocks-8-0")
    files = (domain_beside(problem), problem)
    settings: dict[str, Any] = {"task": "blocks", "planner": fast_downward.PLANNER, "files": files}
    settings |= {"time_limit": 60.0, "memory_limit": 2 << 30}
    return Run(domain="blocks", search=search, **{**settings, **rest})


@pytest.mark.skipif(fast_downward.driver() is None, reason="Fast Downward is not installed (fsplan[compare])")
def test_fast_downward_can_be_compared(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pddl"
    bad.write_text("(define (problem")
    runs = [
        run("fd-astar", heuristic="lmcut"),
        run("fd-wastar", heuristic="lmcut", w="1.5"),
        run("fd-lazy"),
        run("fd-lama"),
        run("fd-eager-pref"),
        run("fd:iterated([lazy_greedy([ff()]),lazy_wastar([ff()],w=2)])"),
        run("fd-astar", heuristic="blind", time_limit=0.1, task="no time", memory_limit=100 << 20),
        run("fd-lama", task="bad", files=(run("fd-lama").files[0], str(bad))),
    ]
    optimal, weighted, lazy, lama, eager, anytime, limited, bad_row = carry_out(
        jobs_of(runs), tmp_path / "r.jsonl", workers=2
    )
    assert (optimal["status"], optimal["cost"], optimal["lower_bound"], optimal["ratio"]) == ("solved", 18, 18, 1.0)
    assert weighted["status"] == "solved"
    assert weighted["lower_bound"] <= 18 <= weighted["cost"] <= 27
    assert weighted["ratio"] <= 1.5
    for row in (optimal, weighted, lazy, lama, eager, anytime):
        assert row["valid"] is True
        assert row["expansions"] > 0
        assert row["memory"] > 1 << 20
        assert len(row["plan"]) == row["plan_length"] == row["cost"]
    assert lazy["lower_bound"] is lama["lower_bound"] is anytime["lower_bound"] is None
    assert anytime["cost"] < lazy["cost"]
    assert lama["repeat"].startswith("fast-downward.py --alias lama-first ")
    assert limited["status"] in ("timeout", "memout")
    assert bad_row["status"] == "error"
    assert bad_row["message"]
