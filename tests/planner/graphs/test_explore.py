from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

import networkx
import numpy
import pytest
from downward_oracle import translate
from hypothesis import given, settings
from random_tasks import random_tasks
from support import BENCHMARKS, GRIPPER_DOMAIN, ROOT

import fsplan
from fsplan.pddl import parse_task
from fsplan.pddl.syntax import Problem
from fsplan.planner._core import ExplicitStateSpace, GroundStateSpace
from fsplan.planner.graphs.explore import DEAD_END, SearchGraph, TooManyStates, explore, write_graph
from fsplan.planner.graphs.write_graph import WRITERS, GraphTooLarge
from fsplan.planner.sources.pddl import from_pddl
from fsplan.planner.tasks.ground import ground
from fsplan.planner.tasks.sas import read_sas


@pytest.fixture(scope="module")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not BENCHMARKS.is_dir():
        pytest.skip(f"no benchmark tasks at {BENCHMARKS}")
    folder = BENCHMARKS / "blocks"
    return translate(folder / "domain.pddl", folder / "probBLOCKS-8-0.pddl", tmp_path_factory.mktemp("sas"))


@pytest.fixture
def diamond() -> ExplicitStateSpace:
    """State 0 has the successors 1 and 2, both lead to the goal 3; 4 is a dead end; 5 is not reachable."""
    edges = [(0, 0, 2, 1), (0, 1, 1, 2), (1, 0, 0, 3), (2, 0, 4, 3), (2, 1, 1, 4), (3, 1, 1, 0), (5, 0, 1, 0)]
    return ExplicitStateSpace(states=6, actions=2, start=0, goals=[3], edges=edges, h=[1, 0, 1, 0, 0, 0])


def test_blocks_8_0_has_the_published_figures(blocks: Path) -> None:
    graph = explore(GroundStateSpace(read_sas(str(blocks))), heuristic=None)
    assert len(graph) == 695_417
    assert graph.h_star.max() == 28
    assert graph.h_star.mean() == pytest.approx(22.0402, abs=5e-5)
    assert graph.edge_count / len(graph) == pytest.approx(3.0122, abs=5e-5)
    optimal = numpy.add.reduceat(graph.optimal_edges(), graph.edges_begin[:-1].astype(numpy.int64), dtype=numpy.int64)
    assert optimal[graph.goal == 0].mean() == pytest.approx(1.5061, abs=5e-5)
    assert graph.h_star[0] == 18


def test_arrays_of_a_small_graph(diamond: ExplicitStateSpace) -> None:
    graph = explore(diamond)
    assert graph.heuristic == "table"
    assert graph.values().ravel().tolist() == [0, 1, 2, 3, 4]
    assert graph.edges_begin.tolist() == [0, 2, 3, 5, 6, 6]
    assert graph.target.tolist() == [1, 2, 3, 3, 4, 0]
    assert graph.cost.tolist() == [2, 1, 0, 4, 1, 1]
    assert graph.goal.tolist() == [0, 0, 0, 1, 0]
    assert graph.h.tolist() == [1, 0, 1, 0, 0]
    assert graph.h_star.tolist() == [2, 0, 4, 0, DEAD_END]
    assert graph.optimal_edges().tolist() == [True, False, True, True, False, False]


def test_arrays_outlive_the_graph(diamond: ExplicitStateSpace) -> None:
    begin = explore(diamond).edges_begin
    assert begin.tolist() == [0, 2, 3, 5, 6, 6]


def test_too_many_states_are_refused(diamond: ExplicitStateSpace) -> None:
    with pytest.raises(TooManyStates, match="more than 3 states"):
        explore(diamond, max_states=3)


def test_networkx_agrees_on_the_costs_to_go(diamond: ExplicitStateSpace) -> None:
    graph = explore(diamond).to_networkx()
    assert isinstance(graph, networkx.MultiDiGraph)
    assert graph.nodes[2] == {"name": "2", "goal": False, "h_star": 4, "table": 1}
    assert graph.nodes[4]["h_star"] is None
    assert graph.edges[2, 3, 0] == {"name": "0", "action": 0, "cost": 4}
    lengths = networkx.single_source_dijkstra_path_length(graph.reverse(), 3, weight="cost")
    assert lengths == {state: row["h_star"] for state, row in graph.nodes.items() if row["h_star"] is not None}


def test_states_and_actions_have_names(blocks: Path) -> None:
    space = GroundStateSpace(read_sas(str(blocks)))
    native = SearchGraph(space, _tiny(space), None)
    assert "ontable(b)" in native.state_name(0)
    assert "not" not in native.state_name(0)


def _tiny(space: GroundStateSpace) -> Any:
    from fsplan.planner import _core

    return _core.explore(space, "", 10**6)


def test_written_files_hold_the_graph(diamond: ExplicitStateSpace, tmp_path: Path) -> None:
    graph = explore(diamond)
    plan = ["0", "0"]
    write_graph(graph, str(tmp_path / "graph.graphml"), plan=plan)
    read = networkx.read_graphml(tmp_path / "graph.graphml", node_type=int, force_multigraph=True)
    assert read.number_of_nodes() == 5
    assert read.number_of_edges() == 6
    assert read.nodes[3]["goal"] is True
    assert sum(row["plan"] for _, _, row in read.edges(data=True)) == 2
    write_graph(graph, str(tmp_path / "graph.json"), plan=plan)
    document = json.loads((tmp_path / "graph.json").read_text())
    assert [edge["plan"] for edge in document["edges"]] == [True, False, True, False, False, False]
    assert document["nodes"][4]["h_star"] is None
    write_graph(graph, str(tmp_path / "graph.dot"), plan=plan)
    text = (tmp_path / "graph.dot").read_text()
    assert text.count("->") == 6
    assert text.count("color=red") == 2
    assert text.count("doublecircle") == 1


def test_a_file_is_replaced_whole_or_not_at_all(
    diamond: ExplicitStateSpace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_graph: SearchGraph, file: TextIO, _plan: set[int]) -> None:
        file.write("half")
        raise OSError(28, "No space left on device")

    path = tmp_path / "graph.json"
    path.write_text("before")
    monkeypatch.setitem(WRITERS, "json", fail)
    with pytest.raises(OSError, match=r"No space left on device: .*graph\.json'"):
        write_graph(explore(diamond), str(path))
    assert [file.read_text() for file in tmp_path.iterdir()] == ["before"]


@pytest.mark.parametrize("format", ["svg", "png"])
def test_small_graphs_are_drawn(diamond: ExplicitStateSpace, tmp_path: Path, format: str) -> None:
    path = tmp_path / f"graph.{format}"
    write_graph(explore(diamond), str(path), plan=["0", "0"])
    assert path.read_bytes()[:4] in (b"<?xm", b"\x89PNG")


def test_a_large_graph_is_not_drawn(tmp_path: Path) -> None:
    edges = [(state, 0, 1, state + 1) for state in range(1000)]
    space = ExplicitStateSpace(states=1001, actions=1, start=0, goals=[1000], edges=edges)
    with pytest.raises(GraphTooLarge, match="the graph has 1001 states and 1000 edges"):
        write_graph(explore(space), str(tmp_path / "graph.svg"))


def test_a_plan_can_be_followed_although_actions_share_a_name() -> None:
    """The disjunctive precondition of `a` gives two ground actions `a`; only one of them is applicable initially."""
    domain = """(define (domain d) (:predicates (p) (q) (r))
      (:action sw :precondition (p) :effect (and (q) (not (p))))
      (:action ws :precondition (q) :effect (and (p) (not (q))))
      (:action both :effect (and (p) (q)))
      (:action a :precondition (or (p) (q)) :effect (r)))"""
    problem = "(define (problem p) (:domain d) (:init (p)) (:goal (r)))"
    graph = explore(from_pddl(parse_task(domain, problem)))
    assert graph.goal[graph.target[graph.follow(["a"])[-1]]]
    assert graph.goal[graph.target[graph.follow(["sw", "a"])[-1]]]


def test_unknown_formats_and_plans_are_refused(diamond: ExplicitStateSpace, tmp_path: Path) -> None:
    graph = explore(diamond)
    with pytest.raises(ValueError, match="no graph format 'txt'; choose one of graphml, dot, json, svg"):
        write_graph(graph, str(tmp_path / "graph.txt"))
    with pytest.raises(ValueError, match="step 2: '1' is not applicable"):
        write_graph(graph, str(tmp_path / "graph.dot"), plan=["0", "1"])
    with pytest.raises(ValueError, match="step 1: the task has no action 'fly'"):
        write_graph(graph, str(tmp_path / "graph.dot"), plan=["fly"])


GRIPPER = (
    GRIPPER_DOMAIN,
    """
(define (problem balls) (:domain gripper) (:objects a b - room b1 b2 b3 b4 - ball left right - hand)
 (:init (at-robby a) (at b1 a) (at b2 b) (at b3 a) (at b4 a) (free left) (free right))
 (:goal (and (at b1 b) (at b2 b) (at b3 b) (at b4 b))))
""",
)


def assert_same_up_to_symmetry(space: GroundStateSpace, most: int) -> tuple[int, int]:
    """Compares the first states of the graph up to symmetry with explorations that start in them.

    Actions and goal distances must agree. A state of the graph need not be reachable itself, but one that is symmetric
    to it is. Returns the sizes of the whole graph and of the graph up to symmetry.
    """
    kept = explore(space, most, heuristic=None, up_to_symmetry=True)
    for state, row in enumerate(kept.values(0, min(len(kept), 10)).tolist()):
        alone = explore(space.at(row), most, heuristic=None)
        assert (kept.h_star[state], kept.goal[state]) == (alone.h_star[0], alone.goal[0])
        ours = slice(int(kept.edges_begin[state]), int(kept.edges_begin[state + 1]))
        theirs = slice(0, int(alone.edges_begin[1]))
        assert kept.action[ours].tolist() == alone.action[theirs].tolist()
        assert kept.h_star[kept.target[ours]].tolist() == alone.h_star[alone.target[theirs]].tolist()
    whole = explore(space, most, heuristic=None)
    assert kept.h_star[0] == whole.h_star[0]
    return len(whole), len(kept)


def test_balls_and_hands_are_interchangeable() -> None:
    whole, kept = assert_same_up_to_symmetry(GroundStateSpace(ground(parse_task(*GRIPPER))), 10_000)
    assert whole == 2 * (2**4 + 4 * 2 * 2**3 + 4 * 3 * 2**2)
    # For each room of the robot and each number of balls carried (0, 1, 2), the number of other balls in the first room
    # determines a state: there are 5, 4 or 3 such numbers.
    assert kept == 2 * (5 + 4 + 3)


@given(problem=random_tasks())
@settings(max_examples=100)
def test_symmetries_change_no_cost_to_go(problem: Problem) -> None:
    try:
        assert_same_up_to_symmetry(GroundStateSpace(ground(problem)), 3000)
    except TooManyStates:
        return


def test_a_graph_up_to_symmetry_needs_a_ground_task_and_has_no_h(diamond: ExplicitStateSpace) -> None:
    with pytest.raises(ValueError, match="of PDDL tasks"):
        explore(diamond, heuristic=None, up_to_symmetry=True)


@pytest.mark.parametrize("name", ["blocks", "courier"])
def test_labels_of_a_drawing_do_not_overlap(name: str) -> None:
    pytest.importorskip("matplotlib", reason="pip install 'fsplan[plot]' draws")
    from matplotlib.text import Text

    from fsplan.planner.graphs.draw_graph import picture

    examples = ROOT / "docs" / "examples"
    blocks = Path(fsplan.example("blocks-8-0")).with_name("domain.pddl")
    init = " ".join(f"(clear {block}) (ontable {block})" for block in "abc")
    problem = f"(define (problem b) (:domain blocks) (:objects a b c) (:init {init} (handempty)) (:goal (on a b)))"
    courier = fsplan.load(examples / "domain.pddl", examples / "small" / "p1.pddl")
    graph = explore(from_pddl(parse_task(blocks.read_text(), problem)) if name == "blocks" else courier)
    figure = picture(graph, set())
    figure.canvas.draw()
    texts = [text for text in figure.axes[0].findobj(Text) if text.get_text() and text in figure.axes[0].texts]
    boxes = [text.get_window_extent() for text in texts]
    assert len(boxes) == 2 * len(graph) + graph.edge_count >= 86
    overlapping = [(a.get_text(), b.get_text()) for i, a in enumerate(texts) for j, b in enumerate(texts[:i])
                   if boxes[i].overlaps(boxes[j])]  # fmt: skip
    assert overlapping == []
