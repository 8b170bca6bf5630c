"""Training examples from random walks that start in the goal: the label of a state is the move back."""

import pytest

import fsplan
from fsplan.planner.learning.collect import ExampleOptions, gather
from fsplan.planner.learning.scramble import scrambled


@pytest.mark.parametrize("spec", ["tiles8:random/1", "tiles3x4:random/1", "tiles24:random/1", "pancake7:random/1"])
def test_labels_lead_back_to_the_goal(spec: str) -> None:
    task, walks, steps = fsplan.load(spec), 5, 12
    space, examples = task.state_space, scrambled(task, walks, steps, seed=3)
    assert examples.taken is not None
    assert not examples.complete
    for walk in range(walks):
        rows = [row for row in range(len(examples)) if examples.groups[row] == walk]
        before = list(range(space.width()))
        for row in rows:
            state = examples.values[row].tolist()
            edges = {action: after for action, _, after in space.successors(state)}
            begin, end = examples.edges_begin[row : row + 2]
            assert examples.actions[begin:end].tolist() == sorted(edges)
            assert edges[int(examples.taken[row])] == before
            assert (examples.actions[begin:end][examples.optimal[begin:end]]).tolist() == [examples.taken[row]]
            before = state
        assert len(rows) == steps  # these short walks do not pass the goal again


def test_walks_depend_on_the_seed_only() -> None:
    task = fsplan.load("tiles8:random/1")
    first, again, other = (scrambled(task, 20, 30, seed) for seed in (1, 1, 2))
    assert (first.values == again.values).all()
    assert first.values.shape != other.values.shape or (first.values != other.values).any()


def test_states_that_are_goals_are_left_out() -> None:
    examples = scrambled(fsplan.load("pancake:2,1"), 3, 4, seed=0)  # every other state of a walk is the goal
    assert examples.values.tolist() == [[1, 0]] * 6


def test_other_tasks_are_refused() -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    with pytest.raises(ValueError, match="is not a puzzle: walks from the goal need moves that can be undone"):
        gather(task, ExampleOptions("scramble"))
