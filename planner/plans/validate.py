"""Checks a plan against its PDDL. It executes the plan on the lifted task, without the grounder and the searches.

Plans of other tasks, such as .sas files and puzzles, are executed with the task's own successor function.

>>> from fsplan.pddl.tasks import path
>>> from fsplan.planner.sources.pddl import read_problem
>>> print(validate(read_problem([path("blocks-8-0")]), ["pick-up b", "stack c a"]).message)
step 2, (stack c a): (holding c) is false
"""

from __future__ import annotations

from itertools import chain, islice
from math import inf
from typing import TYPE_CHECKING, Any

from fsplan.pddl.errors import nearest
from fsplan.pddl.names import plural, spell
from fsplan.pddl.syntax import (
    Add,
    And,
    Atom,
    Delete,
    Equal,
    Forall,
    ForallEffect,
    Imply,
    Increase,
    Not,
    Number,
    Or,
    Problem,
    When,
)
from fsplan.pddl.writer import write_formula
from fsplan.planner.plans.interpret import World
from fsplan.planner.plans.plan_files import PlanError, read_plan
from fsplan.planner.sources.load import ensure_loaded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fsplan.pddl.costs import Cost
    from fsplan.pddl.syntax import Action, Effect, Expression, Formula
    from fsplan.planner._core import GroundTask
    from fsplan.planner.plans.conditions import Condition, Objects
    from fsplan.planner.plans.interpret import Binding, Row
    from fsplan.planner.plans.plan_files import Plan, Step
    from fsplan.planner.tasks.task import Task, TaskName


SCHEMA = "fsplan-validation-1"  # the number increases when a field changes its name or meaning
TRUE = And([])
CANDIDATES = 10_000  # applicable actions that are compared with an inapplicable step


class Unsatisfied:
    """A false part of a precondition or of the goal, as PDDL, and the truth values of its ground atoms."""

    __slots__ = ("condition", "values")

    def __init__(self, condition: str, values: dict[str, bool]) -> None:
        self.condition, self.values = condition, values

    def __repr__(self) -> str:
        return f"<Unsatisfied: {self.condition}>"

    def to_json(self) -> dict[str, Any]:
        return {"condition": self.condition, "values": self.values}


class Validation:
    """The result of a validation. `cost` is the cost of the applicable steps.

    For an invalid plan, `step` is the number (from 1) of the inapplicable step, `action` is that step, `condition` is
    the first false condition with its arguments filled in, and `line` is the line in the plan file. Fields that do not
    apply are None. `unsatisfied` has every false conjunct of the precondition or of the goal. `nearest_action` is an
    applicable action that resembles the step, if `validate` was called with `suggest`. `step_costs` has the cost of
    each step of a valid plan.
    """

    __slots__ = (
        "action",
        "condition",
        "cost",
        "line",
        "message",
        "nearest_action",
        "step",
        "step_costs",
        "unsatisfied",
        "valid",
    )

    def __init__(
        self,
        valid: bool,
        cost: Cost,
        message: str,
        step: int | None = None,
        action: str | None = None,
        unsatisfied: list[Unsatisfied] | None = None,
        line: int | None = None,
        step_costs: list[Cost] | None = None,
        nearest_action: str | None = None,
    ) -> None:
        self.valid, self.cost, self.message, self.step_costs = valid, cost, message, step_costs or []
        self.step, self.action, self.line, self.nearest_action = step, action, line, nearest_action
        self.unsatisfied = unsatisfied or []
        self.condition = self.unsatisfied[0].condition if self.unsatisfied else None

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        return f"<Validation: {self.message}>"

    def to_json(self) -> dict[str, Any]:
        """Returns the validation as JSON (docs/json.md)."""
        from fsplan.pddl.costs import plain

        found = {"schema": SCHEMA, "valid": self.valid, "message": self.message, "cost": plain(self.cost)}
        return found | self.failure()

    def failure(self) -> dict[str, Any]:
        """Returns, for JSON, where and why the plan fails; the values are null or empty if it is valid."""
        return {
            "step": self.step,
            "action": self.action,
            "line": self.line,
            "condition": self.condition,
            "unsatisfied": [each.to_json() for each in self.unsatisfied],
            "nearest_action": self.nearest_action,
        }


class StepError(Exception):
    """A step is inapplicable or the goal is not reached; has the false conditions, if they are the reason."""

    def __init__(self, message: str, unsatisfied: list[Unsatisfied] | None = None) -> None:
        super().__init__(message)
        self.unsatisfied = unsatisfied or []


def validate(problem: Problem | Task | TaskName, plan: str | Iterable[str], *, suggest: bool = False) -> Validation:
    """Validates a plan, given as text in the IPC format or as a list of steps.

    With `suggest`, the result names an applicable action that resembles the step that fails.
    """
    try:
        read = read_plan(plan)
    except PlanError as error:
        return Validation(False, 0, str(error), line=error.line)
    if isinstance(problem, Problem):
        return _execute(PlanExecution(problem), read, suggest)

    task: Task = ensure_loaded(problem)
    execution = PlanExecution(task.problem) if task.problem is not None else GroundPlanExecution(task)
    return _execute(execution, read, suggest)


def _execute(run: PlanExecution | GroundPlanExecution, read: Plan, suggest: bool) -> Validation:
    for number, step in enumerate(read.steps, 1):
        try:
            run.take(step)
        except StepError as error:
            message = f"step {number}, {step}: {error}"
            nearest = nearest_action(run, step) if suggest else None
            return Validation(
                False, run.cost, message, number, str(step), error.unsatisfied, step.line, nearest_action=nearest
            )
    try:
        run.reach_goal()
    except StepError as error:
        message = f"the goal is not reached after {plural(len(read.steps), 'step')}"
        return Validation(False, run.cost, f"{message}{error}", unsatisfied=error.unsatisfied)
    if read.cost is not None and read.cost != run.cost:
        return Validation(False, run.cost, f"the plan states cost {read.cost}, its cost is {run.cost}")
    message = f"plan valid, {plural(len(read.steps), 'step')}, cost {run.cost}"
    return Validation(True, run.cost, message, step_costs=run.step_costs)


def nearest_action(run: PlanExecution | GroundPlanExecution, step: Step) -> str | None:
    """Returns the applicable action that is most like the step, as `(stack b a)`; None if no action is applicable.

    An action with the step's name comes first, then the number of equal arguments counts. At most CANDIDATES
    applicable actions are compared.
    """
    from difflib import SequenceMatcher

    def likeness(action: str) -> tuple[bool, int, int, float]:
        name, *arguments = action.split()
        in_place = sum(mine == other for mine, other in zip(step.arguments, arguments, strict=False))
        shared = len(set(arguments).intersection(step.arguments))
        return name == step.action, in_place, shared, SequenceMatcher(None, name, step.action).ratio()

    found = max(islice(run.applicable(step.action), CANDIDATES), key=likeness, default=None)
    return None if found is None else f"({found})"


class PlanExecution:
    """The execution of a plan: the current state and the costs of the steps so far."""

    __slots__ = ("_conditions", "problem", "step_costs", "world")

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.world = World(problem)
        self.step_costs: list[Cost] = []
        self._conditions: dict[Formula, Condition] = {}

    @property
    def cost(self) -> Cost:
        return whole_if_possible(sum(self.step_costs))

    def _prepared(self, formula: Formula) -> Condition:
        if formula not in self._conditions:
            self._conditions[formula] = self.world.prepare(formula)
        return self._conditions[formula]

    def take(self, step: Step) -> None:
        action = self.problem.domain.actions.get(step.action)
        if action is None:
            raise StepError(f"unknown action '{step.action}'{nearest(step.action, self.problem.domain.actions)}")
        binding = self._bind(action, step.arguments)
        if unsatisfied := list(self.false_parts(action.precondition, binding)):
            raise StepError(f"{unsatisfied[0].condition} is false", unsatisfied)
        added: list[tuple[str, Row]] = []
        deleted: list[tuple[str, Row]] = []
        for effect, bound in self._effects(action.effects, binding):
            (added if isinstance(effect, Add) else deleted).append(_ground(effect.atom, bound))
        self.step_costs.append(self._cost(action, binding) if self.problem.use_costs else 1)
        self.world.change(added, deleted)

    def reach_goal(self) -> None:
        if unsatisfied := list(self.false_parts(self.problem.goal, {})):
            raise StepError(f": {unsatisfied[0].condition} is false", unsatisfied)

    def applicable(self, first: str) -> Iterator[str]:
        """Yields the applicable actions, those with the name `first` before all others; may repeat some."""
        for action in sorted(self.problem.domain.actions.values(), key=lambda action: action.name != first):
            variables = {each.name: self.world.objects_of(each.types) for each in action.parameters}
            for binding in self.world.solutions(self._prepared(action.precondition), variables, {}):
                yield " ".join((action.name, *(binding[each.name] for each in action.parameters)))

    def _bind(self, action: Action, arguments: Row) -> Binding:
        if len(arguments) != len(action.parameters):
            wanted = plural(len(action.parameters), "argument")
            raise StepError(f"'{action.name}' takes {wanted}, found {len(arguments)}")
        for parameter, argument in zip(action.parameters, arguments, strict=True):
            if argument in self.world.objects_of(parameter.types):
                continue
            if argument in self.world.objects:
                found, expected = spell(self.world.objects[argument]), spell(parameter.types)
                raise StepError(f"'{argument}' has type {found}, expected {expected}")
            raise StepError(f"unknown object '{argument}'{nearest(argument, self.world.objects)}")
        return {parameter.name: argument for parameter, argument in zip(action.parameters, arguments, strict=True)}

    def _effects(self, effects: list[Effect], binding: Binding) -> Iterator[tuple[Add | Delete, Binding]]:
        """Yields the add and delete effects whose conditions hold, with their bindings."""
        for effect in effects:
            if isinstance(effect, (Add, Delete)):
                yield effect, binding
            elif isinstance(effect, When):
                if self.world.holds(self._prepared(effect.condition), binding):
                    yield from self._effects(effect.effects, binding)
            elif isinstance(effect, ForallEffect):
                for part in effect.effects:
                    yield from self._universal(effect, part, binding)

    def _universal(
        self, effect: ForallEffect, part: Effect, binding: Binding
    ) -> Iterator[tuple[Add | Delete, Binding]]:
        """Yields the instances of a universal effect for the bindings that satisfy its condition, if it has one."""
        variables = {variable.name: self.world.objects_of(variable.types) for variable in effect.variables}
        hidden = {name: value for name, value in binding.items() if name not in variables}
        condition = self._prepared(part.condition if isinstance(part, When) else TRUE)
        effects: list[Effect] = part.effects if isinstance(part, When) else [part]
        for bound in self.world.solutions(condition, variables, hidden):
            yield from self._effects(effects, bound)

    def _cost(self, action: Action, binding: Binding) -> Cost:
        total: Cost = 0
        for effect in action.effects:
            if isinstance(effect, Increase):
                total += self._amount(effect.amount, binding)
        return whole_if_possible(total)

    def _amount(self, amount: Expression, binding: Binding) -> Cost:
        if isinstance(amount, Number):
            return amount.value
        call = (amount.function, *(binding.get(term, term) for term in amount.arguments))
        if call not in self.problem.costs:
            raise StepError(f"the problem gives no value for ({' '.join(call)})")
        return self.problem.costs[call]

    def false_parts(self, formula: Formula, binding: Binding) -> Iterator[Unsatisfied]:
        """Yields the smallest subformulas whose falsity makes the formula false; none if the formula holds.

        A universal formula is represented by one of its counterexamples.
        """
        if self.world.holds(self._prepared(formula), binding):
            return
        if isinstance(formula, And):
            for part in formula.parts:
                yield from self.false_parts(part, binding)
        elif isinstance(formula, Forall):
            yield from self.false_parts(formula.part, self._counterexample(formula, binding))
        else:
            values = {write_formula(atom, binding): self._value(atom, binding) for atom in _atoms(formula)}
            yield Unsatisfied(write_formula(formula, binding), values)

    def _value(self, atom: Atom | Equal, binding: Binding) -> bool:
        return self.world.holds(self._prepared(atom), binding)

    def _counterexample(self, formula: Forall, binding: Binding) -> Binding:
        world = self.world
        variables: dict[str, Objects] = {v.name: world.objects_of(v.types) for v in formula.variables}
        hidden = {name: value for name, value in binding.items() if name not in variables}
        return next(world.solutions(world.prepare(formula.part, False), variables, hidden))


class GroundPlanExecution:
    """The execution of a plan of a task without PDDL. Actions may share a name, so there may be several states."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._reached: dict[Any, list[Cost]] = {task.start: []}  # state -> costs of the steps to it

    @property
    def step_costs(self) -> list[Cost]:
        return min(self._reached.values(), key=sum)

    @property
    def cost(self) -> Cost:
        return whole_if_possible(sum(self.step_costs))

    def take(self, step: Step) -> None:
        name = str(step)[1:-1]
        found: dict[Any, list[Cost]] = {}
        for state, costs in self._reached.items():
            for action, cost, successor in self.task.successors(state):
                if action.name.lower() == name and sum(costs) + cost < sum(found.get(successor, [inf])):
                    found[successor] = [*costs, cost]
        if not found:
            raise self._refusal(name)
        self._reached = found

    def _refusal(self, name: str) -> StepError:
        number = next((number for number, known in enumerate(self.task.actions) if known.lower() == name), None)
        if number is None and len(self.task.actions):
            return StepError(f"unknown action '{name}'{nearest(name, self.task.actions)}")
        unsatisfied = self._false_facts(lambda task: task.precondition[number or 0])
        message = f"{unsatisfied[0].condition} is false" if unsatisfied else "it is not applicable"
        return StepError(message, unsatisfied)

    def reach_goal(self) -> None:
        ends = {state: costs for state, costs in self._reached.items() if self.task.is_goal(state)}
        if not ends:
            unsatisfied = self._false_facts(lambda task: task.goal)
            raise StepError(f": {unsatisfied[0].condition} is false" if unsatisfied else "", unsatisfied)
        self._reached = ends

    def applicable(self, _first: str) -> Iterator[str]:
        """Yields the names of the applicable actions."""
        successors = chain.from_iterable(self.task.successors(state) for state in self._reached)
        return (action.name.lower() for action, _, _ in successors)

    def _false_facts(self, facts_of: Callable[[GroundTask], list[int]]) -> list[Unsatisfied]:
        """Returns those of some facts that are false; [] for tasks without facts, such as puzzles."""
        from fsplan.planner._core import GroundStateSpace

        if not isinstance(self.task.state_space, GroundStateSpace):
            return []
        task, state = self.task.state_space.task, next(iter(self._reached))
        holding = {first + value for first, value in zip(task.first_fact, state, strict=False)}
        names = [task.fact_name(fact) for fact in facts_of(task) if fact not in holding]
        return [Unsatisfied(name, {name: False}) for name in names]


def _atoms(formula: Formula) -> Iterator[Atom | Equal]:
    """Yields the atoms of a formula that are not below a quantifier."""
    if isinstance(formula, (Atom, Equal)):
        yield formula
    elif isinstance(formula, Not):
        yield from _atoms(formula.part)
    elif isinstance(formula, (And, Or, Imply)):
        for part in (formula.left, formula.right) if isinstance(formula, Imply) else formula.parts:
            yield from _atoms(part)


def whole_if_possible(cost: Cost) -> Cost:
    if isinstance(cost, int):
        return cost
    from fsplan.pddl.costs import exact

    return exact(cost)


def _ground(atom: Atom, binding: Binding) -> tuple[str, Row]:
    return atom.predicate, tuple([binding.get(term, term) for term in atom.arguments])
