"""Checks a plan against its PDDL. It executes the plan on the lifted task, without the grounder and the searches.

Plans of other tasks, such as .sas files and puzzles, are executed with the task's own successor function.

>>> from fsplan.pddl.tasks import path
>>> from fsplan.planner.sources.pddl import read_problem
>>> print(validate(read_problem([path("blocks-8-0")]), ["pick-up b", "stack c a"]).message)
step 2, (stack c a): (holding c) is false
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from fsplan.pddl.errors import nearest
from fsplan.pddl.names import plural, spell
from fsplan.pddl.syntax import Add, And, Delete, Forall, ForallEffect, Increase, Number, Problem, When
from fsplan.pddl.writer import write_formula
from fsplan.planner.plans.interpret import World
from fsplan.planner.plans.plan_files import PlanError, read_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fsplan.pddl.costs import Cost
    from fsplan.pddl.syntax import Action, Atom, Effect, Expression, Formula
    from fsplan.planner._core import GroundTask
    from fsplan.planner.plans.conditions import Condition, Objects
    from fsplan.planner.plans.interpret import Binding, Row
    from fsplan.planner.plans.plan_files import Plan, Step
    from fsplan.planner.tasks.task import Task, TaskName


TRUE = And([])


class Validation:
    """The result of a validation. `cost` is the cost of the applicable steps.

    For an invalid plan, `step` is the number (from 1) of the inapplicable step, `action` is that step, `condition` is
    the false condition with its arguments filled in, and `line` is the line in the plan file. Fields that do not apply
    are None. `step_costs` has the cost of each step of a valid plan.
    """

    __slots__ = ("action", "condition", "cost", "line", "message", "step", "step_costs", "valid")

    def __init__(
        self,
        valid: bool,
        cost: Cost,
        message: str,
        step: int | None = None,
        action: str | None = None,
        condition: str | None = None,
        line: int | None = None,
        step_costs: list[Cost] | None = None,
    ) -> None:
        self.valid, self.cost, self.message, self.step_costs = valid, cost, message, step_costs or []
        self.step, self.action, self.condition, self.line = step, action, condition, line

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        return f"<Validation: {self.message}>"


class StepError(Exception):
    """A step is inapplicable or the goal is not reached; has the false condition, if that is the reason."""

    def __init__(self, message: str, condition: str | None = None) -> None:
        super().__init__(message)
        self.condition = condition


def validate(problem: Problem | Task | TaskName, plan: str | Iterable[str]) -> Validation:
    """Validates a plan, given as text in the IPC format or as a list of steps."""
    try:
        read = read_plan(plan)
    except PlanError as error:
        return Validation(False, 0, str(error), line=error.line)
    if isinstance(problem, Problem):
        return _execute(PlanExecution(problem), read)
    from fsplan.planner.sources.load import ensure_loaded

    task: Task = ensure_loaded(problem)
    return _execute(PlanExecution(task.problem) if task.problem is not None else GroundPlanExecution(task), read)


def _execute(run: PlanExecution | GroundPlanExecution, read: Plan) -> Validation:
    for number, step in enumerate(read.steps, 1):
        try:
            run.take(step)
        except StepError as error:
            message = f"step {number}, {step}: {error}"
            return Validation(False, run.cost, message, number, str(step), error.condition, step.line)
    try:
        run.reach_goal()
    except StepError as error:
        message = f"the goal is not reached after {plural(len(read.steps), 'step')}"
        return Validation(False, run.cost, f"{message}{error}", condition=error.condition)
    if read.cost is not None and read.cost != run.cost:
        return Validation(False, run.cost, f"the plan states cost {read.cost}, its cost is {run.cost}")
    message = f"plan valid, {plural(len(read.steps), 'step')}, cost {run.cost}"
    return Validation(True, run.cost, message, step_costs=run.step_costs)


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
        condition = self.false_part(action.precondition, binding)
        if condition is not None:
            raise StepError(f"{condition} is false", condition)
        added: list[tuple[str, Row]] = []
        deleted: list[tuple[str, Row]] = []
        for effect, bound in self._effects(action.effects, binding):
            (added if isinstance(effect, Add) else deleted).append(_ground(effect.atom, bound))
        self.step_costs.append(self._cost(action, binding) if self.problem.use_costs else 1)
        self.world.change(added, deleted)

    def reach_goal(self) -> None:
        condition = self.false_part(self.problem.goal, {})
        if condition is not None:
            raise StepError(f": {condition} is false", condition)

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
        """Yields the instances of a universal effect; its bindings satisfy its condition, or range over all objects."""
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

    def false_part(self, formula: Formula, binding: Binding) -> str | None:
        """Returns, as PDDL, the smallest false subformula that makes the formula false; None if the formula holds."""
        world = self.world
        if world.holds(self._prepared(formula), binding):
            return None
        while True:
            if isinstance(formula, And):
                formula = next(part for part in formula.parts if not world.holds(self._prepared(part), binding))
            elif isinstance(formula, Forall):
                binding = self._counterexample(formula, binding)
                formula = formula.part
            else:
                return write_formula(formula, binding)

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
        condition = self._false_fact(lambda task: task.precondition[number or 0])
        return StepError("it is not applicable" if condition is None else f"{condition} is false", condition)

    def reach_goal(self) -> None:
        ends = {state: costs for state, costs in self._reached.items() if self.task.is_goal(state)}
        if not ends:
            condition = self._false_fact(lambda task: task.goal)
            raise StepError("" if condition is None else f": {condition} is false", condition)
        self._reached = ends

    def _false_fact(self, facts_of: Callable[[GroundTask], list[int]]) -> str | None:
        """Returns the first false one of some facts; None for tasks without facts, such as puzzles."""
        from fsplan.planner._core import GroundStateSpace

        if not isinstance(self.task.state_space, GroundStateSpace):
            return None
        task, state = self.task.state_space.task, next(iter(self._reached))
        holding = {first + value for first, value in zip(task.first_fact, state, strict=False)}
        return next((task.fact_name(fact) for fact in facts_of(task) if fact not in holding), None)


def whole_if_possible(cost: Cost) -> Cost:
    if isinstance(cost, int):
        return cost
    from fsplan.pddl.costs import exact

    return exact(cost)


def _ground(atom: Atom, binding: Binding) -> tuple[str, Row]:
    return atom.predicate, tuple([binding.get(term, term) for term in atom.arguments])
