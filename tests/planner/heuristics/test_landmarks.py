"""Landmark counts, and the search `lama` that uses them."""

from random_ground_tasks import strips_task

import fsplan
from fsplan.planner import _core
from fsplan.planner.search.solve import solve


def chain(length):
    """A task with one variable, whose value actions can only increase by one."""
    values = range(length)
    return _core.GroundStateSpace(
        strips_task(
            [length + 1], [(f"raise {value}", [(0, value)], [(0, value + 1)], 3) for value in values], [(0, length)]
        )
    )


def test_every_step_of_a_chain_is_a_landmark():
    space = chain(5)
    assert space.evaluate("lmcount", [0])[0] == 5
    assert space.evaluate("lmcost", [0])[0] == 20


def test_landmarks_that_the_path_has_achieved_do_not_count():
    result = solve(chain(30), "gbfs", heuristic="lmcount", uncertified=True)
    assert (result.cost, result.statistics["expanded"]) == (90, 30)


def test_lama_on_puzzles_and_python_tasks():
    result = fsplan.lama(fsplan.load("tiles8:random/7"))
    assert result.plan is not None
    assert result.lower_bound <= result.cost
