"""Synthetic policies: random policies of a given accuracy, for tasks whose state graph fits in memory.

>>> import fsplan
>>> from fsplan.planner.policies.synthetic import synthetic
>>> task = fsplan.load(fsplan.example("blocks-8-0"))
>>> policy = synthetic(task, 1.0)
>>> fsplan.unroll(task, policy=policy).cost
18
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from fsplan.planner import _core
from fsplan.planner.base.quantities import LARGEST, LARGEST_SEED, whole
from fsplan.planner.graphs.explore import DEAD_END, SearchGraph, TooManyStates
from fsplan.planner.tasks.spaces import state_space_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy
    from numpy.typing import NDArray

    from fsplan.planner._core import ExploredGraph, StateSpace
    from fsplan.planner.tasks.task import SearchTask, Task

    Profile = Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]]

MAX_STATES = 10_000_000
# Relative probability of a wrong decision as a function of the goal distance; the mean over all states is unchanged.
PROFILES: dict[str, Profile | None] = {
    "constant": None,
    "linear": lambda distance: distance,
    "quadratic": lambda distance: distance**2,
    "far": lambda distance: (distance > distance.max() / 2).astype("float64"),
}


class Synthetic(_core.SyntheticPolicy):
    """A synthetic policy with its measured `accuracy`; `details` has its parameters, and its scores if shared."""

    name: str
    details: dict[str, Any]
    masked: bool


class SyntheticOfPythonTask:
    """A synthetic policy for a task written in Python, whose states and actions are objects."""

    def __init__(self, native: Synthetic, space: _core.PythonStateSpace) -> None:
        self.native, self.name, self.details, self.masked = native, native.name, native.details, native.masked
        self.accuracy, self.states, self.decisions = native.accuracy, native.states, native.decisions
        self.literal_correct, self.masked_correct = native.literal_correct, native.masked_correct
        self._states = {space.state(number): number for number in range(native.states)}
        self._actions = {space.action(number): number for number in range(space.action_count())}

    def scores(self, states: list[Any], actions: list[list[Any]]) -> list[list[float]]:
        import numpy

        values = numpy.array([[self._states[state]] for state in states], dtype=numpy.int32)
        begin = numpy.cumsum([0, *map(len, actions)]).astype(numpy.uint32)
        numbers = numpy.array([self._actions[action] for row in actions for action in row], dtype=numpy.uint32)
        scores = _core.policy_scores(self.native, values, begin, numbers).tolist()
        return [scores[first:last] for first, last in pairwise(begin.tolist())]


def synthetic(
    task: Task | StateSpace | SearchTask | SearchGraph,
    accuracy: float = 0.9,
    *,
    distribution: str = "normal",
    scale: float = 1.0,
    shared: bool = True,
    support: str | None = None,
    masked: bool = True,
    error_profile: str | Profile = "constant",
    seed: int = 0,
    max_states: int = MAX_STATES,
) -> Synthetic | SyntheticOfPythonTask:
    """A random policy that ranks an optimal action first with probability `accuracy`.

    If no optimal action is first, one is more likely to be second than third, and so on.

    distribution  distribution of the numbers whose softmax gives the probabilities: normal, uniform or exponential;
                  the numbers are multiplied by `scale`
    shared        True: all states use the same list of probabilities, as in the paper; False: each state has its own
    support       "applicable": only applicable actions get a probability; "all": all actions of the task do, so that
                  the best one may be inapplicable; default: "applicable" if masked, else "all"
    masked        normalise the probabilities over the applicable actions
    error_profile dependence of errors on the goal distance: a name in PROFILES, or a function of distances

    The attribute `accuracy` of the policy is measured over all states that are neither goals nor dead ends.
    """
    whole("seed", seed, 0, LARGEST_SEED)
    whole("max_states", max_states, 1, LARGEST)
    support = support or ("applicable" if masked else "all")
    space = task.state_space if isinstance(task, SearchGraph) else state_space_of(task)
    graph = task.native if isinstance(task, SearchGraph) else _explored(space, max_states)
    policy = Synthetic(
        graph,
        [len(graph)] if isinstance(space, _core.PythonStateSpace) else space.domain_sizes(),
        space.action_count(),
        accuracy,
        distribution,
        scale,
        shared,
        support,
        masked,
        seed,
        accuracy_by_state(graph, accuracy, error_profile),
    )
    policy.name = f"synthetic:{accuracy:g}"
    policy.masked = masked
    policy.details = {
        "target": accuracy,
        "measured": policy.literal_correct / max(1, policy.decisions),
        "measured_masked": policy.masked_correct / max(1, policy.decisions),
        "distribution": distribution,
        "scale": scale,
        "shared": shared,
        "support": support,
        "masked": masked,
        "error_profile": error_profile if isinstance(error_profile, str) else error_profile.__name__,
        "seed": seed,
    }
    if shared and support == "all":
        policy.details["log_scores"] = policy.scores(1)
    return SyntheticOfPythonTask(policy, space) if isinstance(space, _core.PythonStateSpace) else policy


def _explored(space: StateSpace, max_states: int) -> ExploredGraph:
    try:
        return _core.explore(space, "", max_states)
    except TooManyStates:
        raise TooManyStates(
            f"synthetic policies need the whole state space in memory, and more than {max_states:,} are reachable: "
            "use a smaller task or another policy"
        ) from None


def accuracy_by_state(
    graph: ExploredGraph | SearchGraph, accuracy: float, profile: str | Profile
) -> NDArray[numpy.float32] | None:
    """The accuracy of each state, 1 − min(1, c · profile(h*)); None if the profile is constant.

    The factor c is chosen such that the mean over all states that are neither goals nor dead ends is `accuracy`.
    """
    shape = profile if not isinstance(profile, str) else PROFILES[_known(profile)]
    if shape is None:
        return None
    import numpy

    decides = (graph.goal == 0) & (graph.h_star != DEAD_END)
    distances, member, counts = numpy.unique(graph.h_star[decides], return_inverse=True, return_counts=True)
    relative = numpy.asarray(shape(distances.astype(numpy.float64)), dtype=numpy.float64)
    errors = _scaled(relative, counts / counts.sum(), 1 - accuracy)
    by_state = numpy.ones(len(graph), dtype=numpy.float32)
    by_state[decides] = (1 - errors)[member]
    return by_state


def _scaled(relative: NDArray[numpy.float64], shares: NDArray[numpy.float64], error: float) -> Any:
    """The errors min(1, c · relative), where c is found by bisection such that their mean is `error`."""
    import numpy

    if not numpy.isfinite(relative).all() or (relative < 0).any():
        raise ValueError("an error profile must give finite numbers that are not negative")
    if float(shares[relative > 0].sum()) < error:
        raise ValueError(f"this error profile cannot give a mean error of {error:g}: too few states may be wrong")
    low, high = 0.0, 1.0
    while high < 1e300 and float((shares * numpy.minimum(1, high * relative)).sum()) < error:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        if float((shares * numpy.minimum(1, middle * relative)).sum()) < error:
            low = middle
        else:
            high = middle
    return numpy.minimum(1, high * relative)


def _known(profile: str) -> str:
    if profile not in PROFILES:
        raise ValueError(f"error profile {profile!r} is unknown; choose one of: {', '.join(PROFILES)}")
    return profile
