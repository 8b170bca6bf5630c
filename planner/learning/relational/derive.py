"""Derives smaller tasks from a given problem, for learning.

A quick search finds a plan for a few goals of the problem. The objects of this plan and up to three others are kept.
The goals of the derived task are all goals over the kept objects, and its initial state is that of the problem or a
state on a plan of the problem. Most other objects are removed, because a derived task would contain many more unneeded
objects than a real one. All goals over the kept objects are kept, because the policy must learn how goals interact.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from fsplan.pddl.costs import Cost
from fsplan.pddl.syntax import And, Atom, Formula, Problem
from fsplan.planner.plans.plan_files import Step
from fsplan.planner.plans.validate import PlanExecution
from fsplan.planner.policies.relational.describe import goal_atoms, instantiated_goal
from fsplan.planner.search.named import optimistic
from fsplan.planner.search.result import Result
from fsplan.planner.sources.pddl import from_pddl
from fsplan.planner.tasks.task import Task

Fact = tuple[str, ...]

MOST_GOALS = 5
FURTHER_OBJECTS = 3
QUICK_WEIGHT = 3
QUICK_EXPANSIONS = 20_000


class Deriver:
    """Derives random tasks from one problem; number and seed determine the task, unless a search runs out of time.

    After the first call of `starts`, several threads may call `draw` at the same time. Pickling keeps cached results.
    """

    def __init__(
        self,
        problem: Problem,
        seed: int = 0,
        seconds_each: float = 1.0,
        *,
        expansions: int = QUICK_EXPANSIONS,
        whole_plan: tuple[list[str], Cost] | None = None,
    ) -> None:
        """`expansions` limits a quick search; `whole_plan` is a known plan of the problem, with its cost."""
        self.problem, self.seed, self.seconds_each, self.expansions = problem, seed, seconds_each, expansions
        self.goals = list(conjunction(problem))
        self.evaluated = 0  # states that the quick searches have evaluated
        self._starts: list[list[Fact]] | None = None
        self._whole: tuple[list[str] | None, Cost | None] | None = whole_plan

    @property
    def is_possible(self) -> bool:
        return bool(self.goals)

    def draw(self, number: int) -> Task | None:
        """The derived task with this number, grounded; None if there is no quick plan or no action is needed."""
        random = Random(f"{self.seed} {number}")
        wanted = random.sample(self.goals, random.randint(1, min(MOST_GOALS, len(self.goals))))
        start = random.choice(self.starts())
        plan = self.quick_plan(self.variant(list(self.problem.objects), start, wanted))
        if plan is None:
            return None
        kept = self.kept_objects(plan, wanted, random)
        goals = [goal for goal in self.goals if all(name in kept or name in self.constants for name in goal[1:])]
        task = from_pddl(self.variant([name for name in self.problem.objects if name in kept], start, goals))
        return task if len(task.actions) and not set(goals) <= set(start) else None

    @property
    def constants(self) -> set[str]:
        return set(self.problem.domain.constants)

    def kept_objects(self, plan: list[str], goals: list[Fact], random: Random) -> set[str]:
        kept = {name for step in plan for name in step.split(" ")[1:]} | {name for goal in goals for name in goal[1:]}
        others = [name for name in self.problem.objects if name not in kept]
        return kept | set(random.sample(others, min(len(others), random.randint(0, FURTHER_OBJECTS))))

    def starts(self) -> list[list[Fact]]:
        """The initial states to draw from: half are states of a quick plan, half are copies of the initial state."""
        if self._starts is None:
            way = list(self.states_on_the_way())
            self._starts = [self.problem.init] * max(1, len(way)) + way
        return self._starts

    def whole_plan(self) -> tuple[list[str], Cost] | None:
        """A plan of the whole problem by a quick search, and its cost; None if the search finds none."""
        if self._whole is None:
            result = self.quick_search(self.problem)
            self._whole = (result.plan, result.cost)
        plan, cost = self._whole
        return None if plan is None or cost is None else (plan, cost)

    def states_on_the_way(self) -> Iterator[list[Fact]]:
        found = self.whole_plan()
        plan = None if found is None else found[0]
        run = PlanExecution(self.problem)
        derived = {rule.head.name for rule in self.problem.domain.derived}
        for step in (plan or [])[:-1]:
            action, *arguments = step.split(" ")
            run.take(Step(action, tuple(arguments), 0))
            yield sorted((name, *row) for name, row in run.world.true_atoms() if name not in derived)

    def quick_plan(self, problem: Problem) -> list[str] | None:
        return self.quick_search(problem).plan

    def quick_search(self, problem: Problem) -> Result:
        result = optimistic(
            from_pddl(problem), QUICK_WEIGHT, expansion_limit=self.expansions, time_limit=self.seconds_each
        )
        self.evaluated += result.statistics["evaluated"]
        return result

    def variant(self, objects: list[str], start: list[Fact], goals: list[Fact]) -> Problem:
        """The problem restricted to some of its objects, with another initial state and other goals."""
        problem = Problem(self.problem.name, self.problem.domain)
        problem.objects = {name: self.problem.objects[name] for name in objects}
        known = {*objects, *self.constants}
        problem.init = [fact for fact in start if known.issuperset(fact[1:])]
        problem.costs = {term: cost for term, cost in self.problem.costs.items() if known.issuperset(term[1:])}
        problem.goal = And([Atom(goal[0], goal[1:]) for goal in goals])
        problem.use_costs = self.problem.use_costs
        return problem


def conjunction(problem: Problem) -> Iterator[Fact]:
    """The atoms of the goal if it is a conjunction of atoms, also over all objects; otherwise no atoms."""
    goal = instantiated_goal(problem)
    if is_conjunction(goal):
        for atom, _ in goal_atoms(goal):
            yield (atom.predicate, *atom.arguments)


def is_conjunction(goal: Formula) -> bool:
    return isinstance(goal, Atom) or (isinstance(goal, And) and all(map(is_conjunction, goal.parts)))
