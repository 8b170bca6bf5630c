"""fsplan's native core"""

from collections.abc import Sequence
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray

class GroundTask:
    """A task in finite-domain variables; members as in task/task.hpp."""

    def __repr__(self) -> str: ...
    def action_count(self) -> int: ...
    def fact_count(self) -> int: ...
    def variable_count(self) -> int: ...
    def rule_count(self) -> int: ...
    def action_name(self, action: int) -> str: ...
    def action_names(self) -> list[str]: ...
    def fact_name(self, fact: int) -> str: ...
    def fact_atoms(self) -> list[list[str]]:
        """for every fact its predicate and arguments; empty where it is no atom"""

    def has_derived(self) -> bool: ...
    def has_conditional_effects(self) -> bool: ...
    @property
    def domain_size(self) -> list[int]: ...
    @property
    def layer(self) -> list[int]: ...
    @property
    def initial(self) -> list[int]: ...
    @property
    def first_fact(self) -> list[int]: ...
    @property
    def precondition(self) -> list[list[int]]: ...
    @property
    def effects(self) -> list[list[tuple[int, list[int]]]]: ...
    @property
    def cost(self) -> list[int]: ...
    @property
    def rule_body(self) -> list[list[int]]: ...
    @property
    def rule_head(self) -> list[int]: ...
    @property
    def goal(self) -> list[int]: ...
    @property
    def unit_cost(self) -> bool: ...
    @property
    def solvable_relaxed(self) -> bool: ...

class SearchOptions:
    def __init__(self, **kwargs: Any) -> None: ...
    def __repr__(self) -> str: ...
    def to_dict(self) -> dict[Any, Any]:
        """every option by name; None where it is not set"""

    def record(self) -> dict[Any, Any]:
        """
        to_dict, with None also for options that the chosen search and order do not read
        """

    def is_given(self, name: str) -> bool:
        """whether it was set, and is not left to its default"""

    def reads(self, name: str) -> bool:
        """whether the chosen search and order read this option"""

    def refuse_unread(self) -> None:
        """ValueError if an option was set that the search or order does not read"""

    def set_custom_order(self) -> None:
        """the order is a function, given to the search itself"""

    def draws(self) -> bool:
        """whether the search reads the seed itself, whatever its policy reads"""

    def needs_profile(self) -> bool:
        """whether the order reads the policy's accuracy by distance"""

    def proves(self) -> str:
        """what the search promises"""

    def needs_policy(self) -> bool: ...
    def set_defaults(self, expensive_heuristic: bool) -> None:
        """what was not set, as the search has it"""

    @property
    def search(self) -> Any: ...
    @search.setter
    def search(self, value: Any) -> None: ...
    @property
    def order(self) -> Any: ...
    @order.setter
    def order(self, value: Any) -> None: ...
    @property
    def w(self) -> Any: ...
    @w.setter
    def w(self, value: Any) -> None: ...
    @property
    def heuristic(self) -> Any: ...
    @heuristic.setter
    def heuristic(self, value: Any) -> None: ...
    @property
    def policy(self) -> Any: ...
    @policy.setter
    def policy(self, value: Any) -> None: ...
    @property
    def accuracy(self) -> Any: ...
    @accuracy.setter
    def accuracy(self, value: Any) -> None: ...
    @property
    def anytime(self) -> Any: ...
    @anytime.setter
    def anytime(self, value: Any) -> None: ...
    @property
    def paper(self) -> Any: ...
    @paper.setter
    def paper(self, value: Any) -> None: ...
    @property
    def threads(self) -> Any: ...
    @threads.setter
    def threads(self, value: Any) -> None: ...
    @property
    def seed(self) -> Any: ...
    @seed.setter
    def seed(self, value: Any) -> None: ...
    @property
    def time_limit(self) -> Any: ...
    @time_limit.setter
    def time_limit(self, value: Any) -> None: ...
    @property
    def memory_limit(self) -> Any: ...
    @memory_limit.setter
    def memory_limit(self, value: Any) -> None: ...
    @property
    def expansion_limit(self) -> Any: ...
    @expansion_limit.setter
    def expansion_limit(self, value: Any) -> None: ...
    @property
    def alpha(self) -> Any: ...
    @alpha.setter
    def alpha(self, value: Any) -> None: ...
    @property
    def masked(self) -> Any: ...
    @masked.setter
    def masked(self, value: Any) -> None: ...
    @property
    def ties(self) -> Any: ...
    @ties.setter
    def ties(self, value: Any) -> None: ...
    @property
    def reopen(self) -> Any: ...
    @reopen.setter
    def reopen(self, value: Any) -> None: ...
    @property
    def uncertified(self) -> Any: ...
    @uncertified.setter
    def uncertified(self, value: Any) -> None: ...
    @property
    def preferred(self) -> Any: ...
    @preferred.setter
    def preferred(self, value: Any) -> None: ...
    @property
    def alternate(self) -> Any: ...
    @alternate.setter
    def alternate(self, value: Any) -> None: ...
    @property
    def lookahead(self) -> Any: ...
    @lookahead.setter
    def lookahead(self, value: Any) -> None: ...
    @property
    def k_focal(self) -> Any: ...
    @k_focal.setter
    def k_focal(self, value: Any) -> None: ...
    @property
    def lazy(self) -> Any: ...
    @lazy.setter
    def lazy(self, value: Any) -> None: ...
    @property
    def fresh(self) -> Any: ...
    @fresh.setter
    def fresh(self, value: Any) -> None: ...
    @property
    def hedge(self) -> Any: ...
    @hedge.setter
    def hedge(self, value: Any) -> None: ...
    @property
    def prove(self) -> Any: ...
    @prove.setter
    def prove(self, value: Any) -> None: ...
    @property
    def deepen(self) -> Any: ...
    @deepen.setter
    def deepen(self, value: Any) -> None: ...
    @property
    def probability(self) -> Any: ...
    @probability.setter
    def probability(self, value: Any) -> None: ...
    @property
    def width(self) -> Any: ...
    @width.setter
    def width(self, value: Any) -> None: ...
    @property
    def normalise(self) -> Any: ...
    @normalise.setter
    def normalise(self, value: Any) -> None: ...
    @property
    def sample(self) -> Any: ...
    @sample.setter
    def sample(self, value: Any) -> None: ...
    @property
    def steps(self) -> Any: ...
    @steps.setter
    def steps(self, value: Any) -> None: ...
    @property
    def samples(self) -> Any: ...
    @samples.setter
    def samples(self, value: Any) -> None: ...

def option_table() -> list[Any]:
    """what each option is"""

def search_table() -> list[Any]:
    """what each search is, reads and proves"""

def order_table() -> list[Any]:
    """what each order of FOCAL is and reads"""

class Progress:
    @property
    def expanded(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def f_min(self) -> int: ...
    @property
    def lower_bound(self) -> int: ...
    @property
    def incumbent(self) -> int | None: ...
    @property
    def memory_bytes(self) -> int: ...
    def __repr__(self) -> str: ...

class Expansion:
    """A node that is about to be expanded."""

    @property
    def number(self) -> int: ...
    @property
    def state(self) -> int: ...
    @property
    def parent(self) -> int | None: ...
    @property
    def action(self) -> int | None: ...
    @property
    def g(self) -> int: ...
    @property
    def h(self) -> int | None: ...
    @property
    def f_min(self) -> int | None: ...
    @property
    def lower_bound(self) -> int: ...
    @property
    def incumbent(self) -> int | None: ...
    @property
    def queue(self) -> str: ...
    @property
    def key(self) -> float: ...
    @property
    def values(self) -> list[int]: ...
    def __repr__(self) -> str: ...

class Incumbent:
    @property
    def plan(self) -> list[int]: ...
    @property
    def cost(self) -> int: ...
    @property
    def lower_bound(self) -> int: ...
    def __repr__(self) -> str: ...

class Incumbents:
    """The best plan and bound that searches side by side have found."""

    def __init__(self) -> None: ...
    def best(self) -> Incumbent: ...
    def best_plan(self) -> list[int] | None: ...
    @property
    def cost(self) -> int | None: ...
    @property
    def lower_bound(self) -> int | None:
        """None once it is proven that there is no plan"""

    def offer_plan(self, plan: Sequence[int], cost: int) -> None:
        """the caller has validated it"""

    def offer_bound(self, bound: int | None) -> None:
        """None: it is proven that there is no plan"""

class OrderStep:
    def __repr__(self) -> str: ...
    @property
    def parent(self) -> float: ...
    @property
    def log_probability(self) -> float: ...
    @property
    def rank(self) -> int: ...
    @property
    def applicable(self) -> int: ...
    @property
    def action(self) -> int: ...
    @property
    def cost(self) -> int: ...
    @property
    def g(self) -> int: ...
    @property
    def h(self) -> int: ...
    @property
    def parent_h(self) -> int: ...
    @property
    def f(self) -> int: ...

class SearchResult:
    def __repr__(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def plan(self) -> list[int] | None: ...
    @property
    def cost(self) -> int | None: ...
    @property
    def lower_bound(self) -> int | None: ...
    @property
    def certified(self) -> bool: ...
    @property
    def work(self) -> int:
        """what the search did, in the unit of slices"""

    @property
    def statistics(self) -> dict[Any, Any]: ...

class OutOfTime(BaseException):
    pass

def is_in_user_code() -> bool:
    """
    Whether this thread runs Python code of the user in the middle of a search.
    """

class Policy:
    def needs_guide(self) -> bool: ...
    def is_well_defined(self) -> bool:
        """whether actions that are not applicable have probability 0"""

    def preferred_batch(self) -> int: ...
    def __repr__(self) -> str: ...

class UniformPolicy(Policy):
    def __init__(self) -> None: ...

class RelaxedPlanPolicy(Policy):
    def __init__(self) -> None: ...

class HeuristicPolicy(Policy):
    """A native heuristic as a policy: the lower h, the better."""

    def __init__(self, state_space: StateSpace, heuristic: str) -> None: ...

class TablePolicy(Policy):
    def __init__(self, table: Sequence[float], actions: int, batch: int = 1) -> None: ...

class SlicedSearch:
    def run_for(self, work: int) -> bool:
        """
        runs for this much work (contract/request.hpp), or until it finds a better plan; False: the search has ended
        """

    @property
    def work(self) -> int:
        """what has been done so far"""

    def finish(self) -> SearchResult:
        """to be called once"""

class StateSpace:
    def __repr__(self) -> str: ...
    def search(
        self,
        options: SearchOptions,
        *,
        policy: object | None = None,
        order: object | None = None,
        heuristic: object | None = None,
        on_progress: object | None = None,
        on_incumbent: object | None = None,
        on_expansion: object | None = None,
        known_bound: int = 0,
        known_plan: tuple[Sequence[int], int] | None = None,
        accuracy_profile: Sequence[float] = [],
    ) -> SearchResult:
        """
        order and heuristic are functions instead of names; known_plan has action numbers and cost; accuracy_profile is the policy's, by distance to the goal
        """

    def start(
        self,
        options: SearchOptions,
        *,
        policy: object | None = None,
        incumbents: Incumbents,
        on_progress: object | None = None,
        on_incumbent: object | None = None,
        ends_without_memory: bool = False,
    ) -> SlicedSearch:
        """
        the search in slices, with plans and bounds shared through `incumbents`
        """

    def action_count(self) -> int: ...
    def action_name(self, arg: int, /) -> str: ...
    def width(self) -> int: ...
    def domain_sizes(self) -> list[int]: ...
    def start_values(self) -> list[int]: ...
    def successors(self, values: Sequence[int]) -> list[tuple[int, int, list[int]]]:
        """(action, cost, values) of every applicable action"""

    def is_goal(self, values: Sequence[int]) -> bool: ...
    def evaluate(self, heuristic: str, values: Sequence[int]) -> tuple[Any, ...]:
        """
        (h, guide, helpful actions) of the state with these values; None for a dead end
        """

    def execute(self, steps: Sequence[str]) -> list[tuple[int, list[int]]]:
        """
        (cost, values) of every state that these steps, named in order, lead to; ValueError where one is not applicable
        """

    def at(self, values: Sequence[int]) -> StateSpace:
        """the same graph from another start"""

    def identity(self) -> str:
        """equal for state spaces that differ in nothing but the start"""

    def bytes_per_state(self) -> int: ...
    def heuristics(self) -> list[str]:
        """names of the heuristics that search() accepts, the default first"""

    def is_expensive(self, heuristic: str) -> bool: ...
    def strongest_heuristic(self) -> str:
        """the strongest admissible heuristic that needs no files"""

class ExplicitStateSpace(StateSpace):
    def __init__(
        self,
        states: int,
        actions: int,
        start: int,
        goals: Sequence[int],
        edges: Sequence[tuple[int, int, int, int]],
        h: Sequence[int | None] = [],
        guides: Sequence[int | None] = [],
        helpful: Sequence[Sequence[int]] = [],
        admissible: bool = True,
    ) -> None: ...

class PythonStateSpace(StateSpace):
    def __init__(self, task: object, heuristic: object | None) -> None: ...
    def state(self, number: int) -> object:
        """
        the state with this number, by the order in which states were first seen
        """

    def action(self, number: int) -> object: ...

def discrepancy_ratio(accuracy: float, alpha: float) -> float:
    """
    Disc-1's price of a step along the policy, a step against it costing 1.
    """

class HeuristicInfo:
    """The declaration of a native heuristic"""

    def __repr__(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def admissible(self) -> bool: ...
    @property
    def finds_dead_ends(self) -> bool: ...
    @property
    def consistent(self) -> bool: ...
    @property
    def conditional_effects(self) -> bool: ...
    @property
    def derived_predicates(self) -> bool: ...
    @property
    def expensive(self) -> bool: ...
    @property
    def needs_files(self) -> bool: ...
    @property
    def strength(self) -> int: ...

def heuristic_table() -> dict[str, list[HeuristicInfo]]:
    """
    The declarations of all native heuristics, by the kind of task they are for
    """

class LiftedTask:
    def __init__(
        self,
        objects: Sequence[str],
        types: Sequence[Sequence[int]],
        predicates: Sequence[tuple[str, int, bool, bool]],
        functions: Sequence[tuple[str, int]],
        names: Sequence[str],
        words: Sequence[int],
        use_costs: bool,
    ) -> None: ...
    def add_facts(self, facts: list[Any], predicates: dict[Any, Any], objects: dict[Any, Any]) -> None: ...
    def add_values(self, values: dict[Any, Any], functions: dict[Any, Any], objects: dict[Any, Any]) -> None: ...

class Instantiated:
    """The task over atoms, before variables are made of them."""

    @property
    def atoms(self) -> list[str]: ...
    @property
    def actions(self) -> list[str]: ...
    @property
    def preconditions(self) -> list[list[int]]: ...
    @property
    def effects(self) -> list[list[tuple[int, list[int]]]]: ...
    @property
    def rules(self) -> list[tuple[int, list[int]]]: ...
    @property
    def costs(self) -> list[int]: ...
    @property
    def initial(self) -> list[int]: ...
    @property
    def goal(self) -> list[int]: ...
    @property
    def goal_reachable(self) -> bool: ...

def instantiate(task: LiftedTask) -> Instantiated: ...
def ground(
    task: LiftedTask,
    seconds: float = 0.0,
    memory_bytes: int = 0,
    *,
    mutex_groups: bool = True,
    only_relevant: bool = True,
) -> GroundTask:
    """
    Without mutex_groups every atom is a variable; without only_relevant, those that the goal does not need, too.
    """

def build_task(
    *,
    domain_size: Sequence[int],
    layer: Sequence[int],
    initial: Sequence[int],
    fact_names: Sequence[str],
    action_names: Sequence[str],
    preconditions: Sequence[Sequence[tuple[int, int]]],
    effects: Sequence[Sequence[tuple[tuple[int, int], Sequence[tuple[int, int]]]]],
    costs: Sequence[int],
    rules: Sequence[tuple[tuple[int, int], Sequence[tuple[int, int]]]],
    goal: Sequence[tuple[int, int]],
    unit_cost: bool,
) -> GroundTask:
    """
    A ground task from plain lists of (variable, value) pairs; ValueError names what is wrong.
    """

class GroundStateSpace(StateSpace):
    def __init__(self, task: GroundTask) -> None: ...
    @property
    def task(self) -> GroundTask: ...
    def take_safe_actions_first(self) -> None:
        """
        where an action can do no harm, searches from here on try no other; an optimal plan remains
        """

    def is_atom(self) -> list[bool]:
        """for every value of every variable whether it stands for an atom"""

    def without_unnecessary(self, plan: Sequence[int]) -> list[int]:
        """the plan, as action numbers, without steps that the others do not need"""

    def regrouped(self, plan: Sequence[int], seed: int) -> list[int]:
        """the same steps in another order, related ones side by side"""

    def cheapest_nearby(self, plan: Sequence[int], max_expanded: int, watch: Budget) -> tuple[list[int], int]:
        """
        a cheapest path through the states around the plan, and how many of them were expanded
        """

    def window(self, plan: Sequence[int], first: int, last: int) -> StateSpace:
        """
        the task of replacing the steps from `first` up to, not including, `last`
        """

class TooManyStates(ValueError):
    pass

class ExploredGraph:
    def __repr__(self) -> str: ...
    def __len__(self) -> int: ...
    @property
    def edges_begin(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]: ...
    @property
    def target(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]: ...
    @property
    def action(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]: ...
    @property
    def cost(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def goal(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]: ...
    @property
    def h(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def h_star(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    def values(self, first: int, last: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None, None))]:
        """The values of states first .. last, a row each."""

def explore(space: StateSpace, heuristic: str, max_states: int, seconds: float = 0.0) -> ExploredGraph:
    """
    The graph reachable from the start, with h by the named heuristic ('': none).
    """

def explore_up_to_symmetry(space: GroundStateSpace, max_states: int, seconds: float = 0.0) -> ExploredGraph:
    """
    The same with one of the states that swaps of interchangeable objects lead to.
    """

def state_name(space: StateSpace, values: Sequence[int]) -> str:
    """A state as people read it."""

class LinearRows:
    """Σ coefficient · count(action) ≥ lower, in compressed rows."""

    def __len__(self) -> int: ...
    @property
    def begin(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...
    @property
    def action(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]: ...
    @property
    def coefficient(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...
    @property
    def lower(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

class Budget:
    """
    Limits on native work. A call that reaches one raises TimeoutError or MemoryError.
    """

    def __init__(self, seconds: float = 1000000000.0, memory_limit: int = 0) -> None: ...

class Landmarks:
    """Disjunctive action landmarks of the start, each returned once."""

    def __init__(self, space: GroundStateSpace, watch: Budget) -> None: ...
    def cuts(
        self,
        costs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        watch: Budget,
    ) -> tuple[Any, ...]:
        """
        LM-cut's sum under these costs (None: there is no plan) and its landmarks.
        """

    def last_of(
        self,
        order: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        watch: Budget,
    ) -> LinearRows:
        """A minimal landmark of the actions that are last in the order."""

    @property
    def work(self) -> int:
        """What `last_of` has done so far."""

class Abstractions:
    """Abstractions of a task with few states each."""

    def __init__(
        self, space: GroundStateSpace, kind: str, variables: int, states: int, work: int, watch: Budget
    ) -> None:
        """
        Of kind small or large: projections to few or many variables; refined: Cartesian abstractions.
        """

    def __len__(self) -> int: ...
    def patterns(self) -> list[list[int]]:
        """The variables that each row of the last partition is about."""

    def partition(
        self,
        costs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        watch: Budget,
        seed: int = 0,
    ) -> tuple[Any, ...]:
        """
        The sum of a saturated cost partitioning of the costs (None: there is no plan) and its rows. The order is the start's; with a seed it is random.
        """

def pruned_task(space: GroundStateSpace, watch: Budget) -> GroundTask:
    """
    The task without what no plan from the start uses; action numbers stay the same.
    """

def state_equation(space: GroundStateSpace, watch: Budget) -> LinearRows:
    """The state equation of the start."""

def potentials(space: GroundStateSpace) -> list[tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], int]]:
    """
    What the heuristic `potential` sums: weights per fact, and their denominator. For every action the sum of change · weight is at most its cost times the denominator.
    """

def changes_of_facts(space: GroundStateSpace) -> LinearRows:
    """Row f: the most that each action can add to the truth of fact f."""

def action_costs(space: object) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
    """The cost of every action of a grounded task."""

class ProofSearch:
    """A proof that no plan costs less than a bound; docs/proofs.md."""

    def __init__(self, space: GroundStateSpace, seconds: float = 0.0, memory_bytes: int = 0) -> None: ...
    def prove(self, target: int | None, most_states: int, seconds: float = 0.0) -> int | None:
        """
        The bound proven: the target, or less at a limit; None: there is no plan.
        """

    def add(
        self,
        weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        constant: int,
        denominator: int,
        cuts: Sequence[tuple[Sequence[int], int]],
    ) -> None:
        """
        Evidence to be used beside that which is found: (constant − Σ weights of the facts that hold + Σ shares of the cuts none of whose facts hold) / denominator.
        """

    def linear_used(self) -> list[bool]:
        """Whether the proof needs what was added, one by one."""

    def cut_of(self, actions: Sequence[int]) -> list[int] | None:
        """
        The facts of a cut that shows that every plan uses one of the actions; None: there is none.
        """

    def write(self, literals: Sequence[Sequence[int]], atom_of: Sequence[int], first_part: int, emit: object) -> None:
        """The proof as lines, passed on in chunks."""

    @property
    def only_dead_ends(self) -> bool:
        """Whether only dead ends are looked for, as in tasks without a plan."""

    @only_dead_ends.setter
    def only_dead_ends(self, arg: bool, /) -> None: ...
    def label_count(self) -> int: ...
    def evidence_count(self) -> int: ...

def projection_table(
    space: GroundStateSpace,
    pattern: Sequence[int],
    costs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    most_states: int,
    watch: Budget,
) -> (
    tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))]]
    | None
):
    """
    Reachable states of a projection, a row of values each, and their distances under costs of any sign (2⁶³ − 1: no path). None: it is too large.
    """

def invariant_groups(task: LiftedTask, seconds: float = 0.0) -> list[tuple[list[list[str]], bool]]:
    """
    Groups of atoms of which at most one is true, and whether exactly one is; the first: never true.
    """

def fact_words(space: GroundStateSpace) -> list[tuple[list[str], bool]]:
    """Every fact as its atom's words and whether it negates the atom."""

def instruction_sets() -> list[str]: ...
def all_finite(arg: bytes, /) -> bool: ...
def policy_scores(
    policy: Policy,
    values: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    edges_begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    actions: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    reading: str = "log-probabilities",
    costs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None = None,
    guides: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)] | None = None,
    helpful: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None = None,
    heuristics: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    | None = None,
) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
    """
    log-probabilities of the actions of a batch of states; reading "ranks" or "first-choice": numbers in the same order, or with the same greatest one
    """

class ArrayPolicy(Policy):
    def __init__(self, batch: int) -> None: ...

class MlpPolicy(Policy):
    def __init__(
        self,
        layers: list[Any],
        inputs: int,
        domain_sizes: Sequence[int],
        encoding: Sequence[int] = [],
        masked: bool = True,
        instruction_set: str = "",
    ) -> None: ...
    @property
    def inputs(self) -> int: ...
    @property
    def outputs(self) -> int: ...
    @property
    def parameters(self) -> int: ...
    @property
    def masked(self) -> bool: ...
    @property
    def instruction_set(self) -> str: ...

class SyntheticPolicy(Policy):
    @overload
    def __init__(
        self,
        values: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        edges_begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        actions: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        costs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        distance: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        is_goal: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
        domain_sizes: Sequence[int],
        action_count: int,
        accuracy: float,
        distribution: str = "normal",
        scale: float = 1.0,
        shared: bool = True,
        support: str = "all",
        masked: bool = True,
        seed: int = 0,
        accuracies: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self,
        graph: ExploredGraph,
        domain_sizes: Sequence[int],
        action_count: int,
        accuracy: float,
        distribution: str = "normal",
        scale: float = 1.0,
        shared: bool = True,
        support: str = "all",
        masked: bool = True,
        seed: int = 0,
        accuracies: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
    ) -> None: ...
    @property
    def accuracy(self) -> float: ...
    @property
    def states(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def decisions(self) -> int: ...
    @property
    def literal_correct(self) -> int: ...
    @property
    def masked_correct(self) -> int: ...
    def scores(self, applicable: int) -> list[float]:
        """log y_1, log y_2, … of states with this number of applicable actions"""

class TilesStateSpace(StateSpace):
    """A sliding-tile puzzle"""

    def __init__(self, columns: int, rows: int, tiles: Sequence[int]) -> None: ...
    def use_databases(self, name: str, databases: Sequence[PatternDatabase]) -> None: ...

class PancakeStateSpace(StateSpace):
    """A stack of pancakes"""

    def __init__(self, stack: Sequence[int]) -> None: ...

class PatternDatabase:
    """Distances of a few tiles of a board, from a file"""

    def __init__(self, path: str, columns: int, rows: int, tiles: Sequence[int]) -> None: ...
    @property
    def tiles(self) -> list[int]: ...
    def __len__(self) -> int: ...

def tile_partitions() -> list[tuple[str, int, int, list[list[int]]]]:
    """
    (name, columns, rows, patterns) of every set of pattern databases that has a name
    """

def build_pattern_database(
    path: str, columns: int, rows: int, tiles: Sequence[int], threads: int, progress: object | None = None
) -> bool:
    """
    Writes a database; False if `progress(level, finished, placements)` asked to stop.
    """

def optimal_traces(
    columns: int,
    rows: int,
    databases: Sequence[PatternDatabase],
    starts: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    threads: int,
    progress: object | None = None,
) -> (
    tuple[
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint16], dict(shape=(None,))],
    ]
    | None
):
    """
    Packed states, actions, sets of optimal actions, trace lengths; None if `progress` asked to stop.
    """

FEATURE_VERSION: int = 3

class RelationalDescription:
    """Objects, initial atoms and goals of a PDDL problem."""

    def __init__(
        self,
        objects: Sequence[tuple[str, str, bool]],
        initial: Sequence[Sequence[str]],
        goals: Sequence[tuple[Sequence[str], bool]],
    ) -> None: ...

class LabelledFeatures:
    """Labelled states of one task, as features."""

    def __init__(
        self,
        space: GroundStateSpace,
        description: RelationalDescription,
        values: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        edges_begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        actions: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        optimal: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> None: ...
    def __len__(self) -> int: ...
    def __getstate__(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
        Annotated[NDArray[numpy.float32], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
        Annotated[NDArray[numpy.uint64], dict(shape=(None,))],
    ]: ...
    def __setstate__(
        self,
        arg: tuple[
            Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
            Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
            Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
            Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
            Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        ],
        /,
    ) -> None: ...
    @property
    def row_count(self) -> int: ...
    @property
    def feature_count(self) -> int: ...
    def first_choices(
        self,
        features: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        first_weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """For every state the chance that the best action is optimal."""

class FittedWeights:
    @property
    def features(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...
    @property
    def weights(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]: ...
    @property
    def loss(self) -> float: ...
    @property
    def steps(self) -> int: ...

def fit_relational(
    tasks: Sequence[LabelledFeatures],
    *,
    blocks: Sequence[str],
    l2: float = 0.0001,
    least_tasks: int = 2,
    most_steps: int = 300,
    seconds: float = 0.0,
) -> FittedWeights: ...
def relational_features(
    space: GroundStateSpace,
    description: RelationalDescription,
    values: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    edges_begin: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    actions: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
) -> tuple[
    Annotated[NDArray[numpy.uint64], dict(shape=(None,))], Annotated[NDArray[numpy.uint64], dict(shape=(None,))]
]:
    """(where each edge's features begin, the features of all edges)"""

def are_features(data: bytes) -> bool: ...
def reads_successors(features: bytes) -> bool: ...

class LinearRelationalPolicy(Policy):
    def __init__(
        self,
        space: GroundStateSpace,
        description: RelationalDescription,
        features: bytes,
        weights: bytes,
        first_weights: bytes = ...,
    ) -> None: ...
    @property
    def bytes(self) -> int: ...

def exit_at_deadline(seconds: float) -> None:
    """
    Ends the process after this number of seconds, unless called again before; 0 seconds: never.
    """

def set_last_words(exit_code: int, message: str, output: str = "", unfinished: Sequence[str] = []) -> None:
    """
    What a process that the deadline ends writes to stderr and stdout, and the unfinished files that it removes.
    """
