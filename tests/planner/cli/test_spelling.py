"""Common spellings of names are accepted, and the error for an unknown name suggests the nearest one."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import ROOT

import fsplan
from fsplan.planner.cli import run
from fsplan.planner.experiments.names import parse_search

BLOCKS = str(ROOT / "pddl/tasks/blocks/probBLOCKS-8-0.pddl")


@pytest.mark.parametrize(
    ("words", "ran"),
    [
        (["--search", "Disc-1"], "focal disc1, auto"),
        (["--search", "disc2"], "focal disc2, auto"),
        (["--focal", "disc-1"], "focal disc1, auto"),
        (["--search", "A*", "--heuristic", "lm-cut"], "astar, lmcut"),
        (["--search", "WA*", "-w", "2"], "wastar, auto, w = 2"),
        (["--search", "wa*", "--heuristic", "h_max"], "wastar, hmax"),
        (["--search", "RR-D", "--heuristic", "LM-cut"], "rr-d, lmcut"),
    ],
)
def test_the_command_line_accepts_common_spellings(
    words: list[str], ran: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([BLOCKS, *words]) == 0
    assert f"\n{ran}" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--search", "wastr"], "Invalid value for '--search': search 'wastr' is unknown; did you mean 'wastar'?"),
        (["--focal", "dsic1"], "Invalid value for '--focal': order 'dsic1' is unknown; did you mean 'disc1'?"),
        (["--search", "zebra"], "search 'zebra' is unknown; `fsplan list searches` shows all"),
        (["--heuristic", "lmcutt"], "heuristic 'lmcutt' is unknown; did you mean 'lmcut'?"),
        (
            ["--focal", "disc2", "--policy", "synthetic"],
            "policy 'synthetic' is incomplete; write for example synthetic:0.9",
        ),
        (["--search", "disc1", "--focal", "disc2"], "search disc1 is focal search by this order; leave out the other"),
    ],
)
def test_the_error_for_an_unknown_name_suggests_the_nearest(
    words: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([BLOCKS, *words]) == 36
    assert message in capfd.readouterr().err


def test_python_functions_accept_common_spellings() -> None:
    result = fsplan.solve(BLOCKS, search="A*", heuristic="LM-cut")
    assert (result.record["search"], result.record["heuristic"], result.cost) == ("astar", "lmcut", 18)
    by_order = fsplan.solve(BLOCKS, search="Disc-2")
    assert (by_order.record["search"], by_order.record["order"]) == ("focal", "disc2")
    with pytest.raises(ValueError, match="option 'heuristik' is unknown; did you mean 'heuristic'"):
        fsplan.solve(BLOCKS, heuristik="lmcut")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("text", "algorithm", "order", "name"),
    [
        ("Disc-1", "focal", "disc1", ""),
        ("A*", "astar", None, ""),
        ("WA*@LM-cut", "wastar", None, "wastar"),
        ("Disc-2+paper", "focal", "disc2", "disc2+paper"),
        ("FD-LAMA", "fd-lama", None, ""),
    ],
)
def test_compare_accepts_common_spellings(text: str, algorithm: str, order: str | None, name: str) -> None:
    found = parse_search(text)
    assert (found.algorithm, found.order, found.name) == (algorithm, order, name)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--searches", "dics2,wastar"], "search 'dics2' is unknown; did you mean 'disc2'?"),
        (["--searches", "wastar@lmcutt"], "heuristic 'lmcutt' is unknown; did you mean 'lmcut'?"),
        (["--searches", "wastar", "--heuristics", "hmx"], "heuristic 'hmx' is unknown; did you mean 'hmax'?"),
    ],
)
def test_compare_suggests_the_nearest_name(
    words: list[str], message: str, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["compare", BLOCKS, *words, "-o", str(tmp_path)]) == 36
    assert message in capfd.readouterr().err
