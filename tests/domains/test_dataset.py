from __future__ import annotations

from pathlib import Path
from typing import Any

import eight_puzzle as oracle
import numpy as np
import pytest
from support import known

from fsplan.domains import dataset
from fsplan.planner._core import optimal_traces
from fsplan.planner.tasks.pattern_databases import databases

TRACES = 600


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dataset")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FSPLAN_CACHE", str(folder))
        dataset.generate("tiles8", TRACES, str(folder / "data.npz"), seed=3)
    return folder / "data.npz"


@pytest.fixture(autouse=True)
def cache(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FSPLAN_CACHE", str(path.parent))


def test_traces_are_optimal_and_list_every_optimal_action(path: Path) -> None:
    examples = dataset.load(str(path))
    known = oracle.distances()
    for values, action, optimal, applicable, distance in zip(
        examples.values.tolist(),
        examples.actions,
        examples.optimal,
        examples.applicable,
        examples.distances,
        strict=True,
    ):
        board = tuple(values)
        assert known[board] == distance
        assert set(np.flatnonzero(optimal)) == oracle.optimal_actions(board)
        assert optimal[action]
        assert set(np.flatnonzero(applicable)) == {move for move, _ in oracle.moves(board)}


def test_a_trace_leads_to_the_goal(path: Path) -> None:
    examples = dataset.load(str(path))
    for number in range(20):
        trace = examples.traces == number
        board = tuple(examples.values[trace][0].tolist())
        for values, action in zip(examples.values[trace].tolist(), examples.actions[trace], strict=True):
            assert board == tuple(values)
            board = dict(oracle.moves(board))[int(action)]
        assert board == tuple(range(9))


def test_an_interrupted_data_set_can_be_resumed(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = tmp_path / "again.npz"
    solve = dataset._solve
    with monkeypatch.context() as patch:
        patch.setattr(dataset, "_solve", lambda *arguments: solve(*arguments) if arguments[4] < 256 else _interrupt())
        with pytest.raises(KeyboardInterrupt):
            dataset.generate("tiles8", TRACES, str(output), seed=3)
    assert len(list(Path(f"{output}.parts").iterdir())) == 1
    dataset.generate("tiles8", TRACES, str(output), seed=3, threads=1)
    assert not Path(f"{output}.parts").exists()
    with np.load(path) as expected, np.load(output) as found:
        assert set(expected) == set(found)
        assert all(np.array_equal(expected[name], found[name]) for name in expected)


def _interrupt() -> dict[str, Any]:
    raise KeyboardInterrupt


def test_an_unknown_domain_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no pattern databases"):
        dataset.generate("tiles99", 1, str(tmp_path / "x.npz"))


@pytest.mark.parametrize(("domain", "traces", "heuristic"), [("tiles8", 0, "pdb8"), ("tiles8", 1, "pdb663")])
def test_impossible_data_sets_are_refused(tmp_path: Path, domain: str, traces: int, heuristic: str) -> None:
    with pytest.raises(ValueError, match=r"at least one|not for tiles8"):
        dataset.generate(domain, traces, str(tmp_path / "x.npz"), heuristic=heuristic)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 broken", b"no data"])
def test_a_file_that_is_no_data_set_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"npz|pickle"):
        dataset.load(str(tmp_path / "x.npz"))


def test_unsolvable_starts_are_refused() -> None:
    board = np.array([[0, 2, 1, 3, 4, 5, 6, 7, 8]], np.uint8)
    with pytest.raises(ValueError, match="parity"):
        optimal_traces(3, 3, databases("pdb8"), board, 1)


def test_databases_of_another_board_are_refused() -> None:
    with pytest.raises(ValueError, match="another board"):
        optimal_traces(4, 4, databases("pdb8"), np.arange(16, dtype=np.uint8)[None], 1)


def test_the_solved_board_has_an_empty_trace() -> None:
    solved = known(optimal_traces(3, 3, databases("pdb8"), np.arange(9, dtype=np.uint8)[None], 1))
    assert [array.tolist() for array in solved] == [[], [], [], [0]]


def test_a_progress_callback_that_returns_false_stops_the_work() -> None:
    starts = dataset.random_starts(3, 3, 2000, 1)
    assert optimal_traces(3, 3, databases("pdb8"), starts, 2, lambda finished, total: False) is None
