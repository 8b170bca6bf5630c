"""fsplan as an engine of unified-planning: planning, replanning, repair and validation of plans, within the process.

    import fsplan.up
    from unified_planning.shortcuts import OneshotPlanner

    fsplan.up.register()
    with OneshotPlanner(name="fsplan", params={"focal": "disc1", "w": 1.5}) as planner:
        result = planner.solve(problem, timeout=30)

The parameters are fsplan's options: `search`, `focal`, `w`, `heuristic`, `policy`, `memory_limit` and the others of
`fsplan plan --help-all`. `result.metrics` has the proven bound: cost, lower_bound, proven_ratio. With `judge`, the
validator also says how far from optimal a plan is: `PlanValidator(name="fsplan", params={"judge": True})`.

`fsplan-opt` is the same engine with w = 1; unified-planning selects it if an optimal plan is requested.
"""

from __future__ import annotations

from queue import SimpleQueue
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings, warn

from fsplan.pddl.errors import PddlError, UnsupportedError
from fsplan.pddl.reader import parse_task
from fsplan.planner.base.extras import how_to_install
from fsplan.planner.base.limits import LimitReached, Limits
from fsplan.planner.base.spelling import spelt
from fsplan.planner.plans.plan_files import read_plan
from fsplan.planner.plans.validate import validate
from fsplan.planner.search.catalogue import LISTINGS, options
from fsplan.planner.search.judge import DEFAULT_SECONDS, judge
from fsplan.planner.search.repair import repair
from fsplan.planner.search.solve import solve
from fsplan.planner.search.unsolvable import unreachable_goals, why_unsolvable
from fsplan.planner.sources.pddl import from_pddl

try:
    import unified_planning as up
    from unified_planning.engines import Credits, Engine
    from unified_planning.engines.mixins import (
        AnytimePlannerMixin,
        OneshotPlannerMixin,
        PlanRepairerMixin,
        PlanValidatorMixin,
        ReplannerMixin,
    )
    from unified_planning.engines.mixins.anytime_planner import AnytimeGuarantee
    from unified_planning.engines.mixins.oneshot_planner import OptimalityGuarantee
    from unified_planning.engines.results import (
        FailedValidationReason,
        LogLevel,
        LogMessage,
        PlanGenerationResult,
        ValidationResult,
        ValidationResultStatus,
    )
    from unified_planning.engines.results import PlanGenerationResultStatus as Status
    from unified_planning.exceptions import UPProblemDefinitionError, UPTypeError, UPUnreachableCodeError, UPUsageError
    from unified_planning.io import PDDLWriter
    from unified_planning.model import ProblemKind
    from unified_planning.plans import ActionInstance, PlanKind, SequentialPlan

    from fsplan.planner.integrations.up_gains import best_gain, gains_of, unit_of, with_costs, without_settling
except ImportError:
    raise ImportError(how_to_install("unified_planning")) from None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fsplan.pddl.syntax import Problem
    from fsplan.planner.search.result import Result
    from fsplan.planner.tasks.task import Task

    OutputStream = IO[str] | tuple[IO[str] | None, IO[str] | None] | None  # one stream, or those of output and errors

FEATURES = (
    "ACTION_BASED", "FLAT_TYPING", "HIERARCHICAL_TYPING",
    "NEGATIVE_CONDITIONS", "DISJUNCTIVE_CONDITIONS", "EQUALITIES", "EXISTENTIAL_CONDITIONS", "UNIVERSAL_CONDITIONS",
    "CONDITIONAL_EFFECTS", "FORALL_EFFECTS", "STATIC_FLUENTS_IN_BOOLEAN_ASSIGNMENTS", "FLUENTS_IN_BOOLEAN_ASSIGNMENTS",
    "ACTIONS_COST", "STATIC_FLUENTS_IN_ACTIONS_COST", "INT_NUMBERS_IN_ACTIONS_COST", "REAL_NUMBERS_IN_ACTIONS_COST",
    "UNDEFINED_INITIAL_NUMERIC",  # costs may be undefined, such as lengths of roads that do not exist
    "PLAN_LENGTH",
    "OVERSUBSCRIPTION", "INT_NUMBERS_IN_OVERSUBSCRIPTION", "REAL_NUMBERS_IN_OVERSUBSCRIPTION",
)  # fmt: skip

# Options of `fsplan plan`, where `order` is called --focal, and `judge`, an option of the validator.
PARAMETERS = ("focal", "judge", *(option.name for option in options()))

# Errors of unified-planning's PDDL writer for problems that PDDL cannot express, such as a goal that is false.
UNWRITABLE = (UPProblemDefinitionError, UPTypeError, UPUnreachableCodeError)

SHARE_OF_REPAIR = 0.2  # share of the remaining time for completing a plan that is to be repaired

# unified-planning's status for each status of a result without a plan.
FAILURES = {
    "unsolvable": Status.UNSOLVABLE_PROVEN,
    "not_found": Status.UNSOLVABLE_INCOMPLETELY,
    "memout": Status.MEMOUT,
    "timeout": Status.TIMEOUT,
    "expansion_limit": Status.TIMEOUT,
    "interrupted": Status.TIMEOUT,
}


def register(environment: Any = None) -> None:
    """Registers `fsplan` and `fsplan-opt` with unified-planning's engine factory.

    An `up.ini` file with `[engine fsplan]`, `module_name: fsplan.up`, `class_name: FsplanEngine` does the same.
    """
    factory = up.environment.get_environment(environment).factory
    factory.add_engine("fsplan", "fsplan.up", "FsplanEngine")
    factory.add_engine("fsplan-opt", "fsplan.up", "FsplanOptimalEngine")


class Translation:
    """A problem of unified-planning as a PDDL syntax tree. PDDL names may differ, so plans are translated back.

    unified-planning's own writer makes the PDDL as text in memory; no file is written.
    """

    def __init__(self, problem: up.model.Problem) -> None:
        self._problem, self._environment = problem, problem.environment
        self.gains = gains_of(problem)
        if self.gains is not None:
            problem = with_costs(problem, self.gains)
        self._writer = PDDLWriter(problem, rewrite_bool_assignments=True)
        self.tree: Problem = parse_task(*self._texts())

    def _texts(self) -> tuple[str, str]:
        """Returns domain and problem. The writer rounds costs such as 1/3 with a warning; this is an error here."""
        with catch_warnings():
            filterwarnings("error", "The PDDL printer cannot exactly represent")
            try:
                return self._writer.get_domain(), self._writer.get_problem()
            except UserWarning as warning:
                raise UPProblemDefinitionError(f"PDDL has decimal numbers only: {warning}") from None

    def plan(self, steps: list[str]) -> SequentialPlan:
        plan = SequentialPlan([self._instance(*step.split()) for step in steps], self._environment)
        return plan if self.gains is None else without_settling(self._problem, plan)

    def values(self, cost: Any, lower_bound: Any) -> dict[str, Any]:
        """Returns what is known of a plan as metrics: its cost and the lower bound, or its gain and the upper bound."""
        if self.gains is None:
            return {"cost": cost, "lower_bound": lower_bound}
        most, unit = best_gain(self.gains), unit_of(self.gains)
        return {
            "gain": None if cost is None else most - cost * unit,
            "gain_bound": None if lower_bound is None else most - lower_bound * unit,
        }

    def text(self, plan: SequentialPlan) -> str:
        return str(self._writer.get_plan(plan))

    def _instance(self, action: str, *arguments: str) -> ActionInstance:
        objects = [self._environment.expression_manager.ObjectExp(self._named(name)) for name in arguments]
        return ActionInstance(self._named(action), tuple(objects))

    def _named(self, name: str) -> Any:
        return self._writer.get_item_named(name)


class FsplanEngine(
    Engine, OneshotPlannerMixin, AnytimePlannerMixin, PlanValidatorMixin, PlanRepairerMixin, ReplannerMixin
):
    """Finds plans that cost at most `w` (default 3/2) times the optimum; the result's metrics have the lower bound.

    `problem` is given for replanning only: it is changed by the caller, and `resolve` begins with the last plan.
    """

    def __init__(
        self, problem: up.model.AbstractProblem | None = None, error_on_failed_checks: bool = False, **options: Any
    ) -> None:
        Engine.__init__(self)
        OneshotPlannerMixin.__init__(self)
        AnytimePlannerMixin.__init__(self)
        PlanRepairerMixin.__init__(self)
        if problem is not None:
            ReplannerMixin.__init__(self, problem, error_on_failed_checks)
        self._last_plan: SequentialPlan | None = None
        options = {spelt("parameter", name, PARAMETERS, LISTINGS["option"]): value for name, value in options.items()}
        if "focal" in options:
            options["order"] = options.pop("focal")
        self._judges = bool(options.pop("judge", False))
        self._seconds = options.pop("time_limit", None)
        self._options = options

    @property
    def name(self) -> str:
        return "fsplan"

    @staticmethod
    def get_credits(**_: Any) -> Credits:
        summary = "Plans with a proven quality bound, guided by learned policies."
        return Credits("fsplan", "The fsplan developers", "", "", "MIT", summary, summary)

    @staticmethod
    def supported_kind() -> ProblemKind:
        return ProblemKind(set(FEATURES), version=2)

    @staticmethod
    def supports(problem_kind: ProblemKind) -> bool:
        return bool(problem_kind <= FsplanEngine.supported_kind())

    @staticmethod
    def supports_plan(plan_kind: PlanKind) -> bool:
        return bool(plan_kind == PlanKind.SEQUENTIAL_PLAN)

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return bool(optimality_guarantee == OptimalityGuarantee.SATISFICING)

    @staticmethod
    def ensures(anytime_guarantee: AnytimeGuarantee) -> bool:
        return bool(anytime_guarantee == AnytimeGuarantee.INCREASING_QUALITY)

    def _solve(
        self,
        problem: up.model.AbstractProblem,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: OutputStream = None,
    ) -> PlanGenerationResult:
        return self._solve_with_params(problem, heuristic, timeout, output_stream)

    def _solve_with_params(
        self,
        problem: up.model.AbstractProblem,
        heuristic: Callable[[Any], float | None] | None = None,
        timeout: float | None = None,
        output_stream: OutputStream = None,
        warm_start_plan: SequentialPlan | None = None,
        **_: Any,
    ) -> PlanGenerationResult:
        if heuristic is not None:
            warn("fsplan does not use unified-planning's heuristics; it has its own", stacklevel=3)
        seconds = self._seconds if timeout is None else timeout
        return EngineRun(self.name, problem, self._options, seconds, output_stream, warm_start_plan).answer()

    def _get_solutions(
        self, problem: up.model.AbstractProblem, timeout: float | None = None, output_stream: OutputStream = None
    ) -> Iterator[PlanGenerationResult]:
        return self._get_solutions_with_params(problem, timeout, output_stream)

    def _get_solutions_with_params(
        self,
        problem: up.model.AbstractProblem,
        timeout: float | None = None,
        output_stream: OutputStream = None,
        warm_start_plan: SequentialPlan | None = None,
        **_: Any,
    ) -> Iterator[PlanGenerationResult]:
        options = {"anytime": True, **self._options}
        seconds = self._seconds if timeout is None else timeout
        yield from EngineRun(self.name, problem, options, seconds, output_stream, warm_start_plan).answers()

    def _repair(self, problem: up.model.AbstractProblem, plan: up.plans.Plan) -> PlanGenerationResult:
        return EngineRun(self.name, problem, self._options, self._seconds, None, plan, repairs=True).answer()

    def _resolve(self, timeout: float | None = None, output_stream: OutputStream = None) -> PlanGenerationResult:
        seconds = self._seconds if timeout is None else timeout
        known = self._last_plan
        run = EngineRun(self.name, self._problem, self._options, seconds, output_stream, known, repairs=True)
        result = run.answer()
        self._last_plan = result.plan or known
        return result

    def _update_initial_value(self, fluent: Any, value: Any) -> None:
        self._problem.set_initial_value(fluent, value)

    def _add_goal(self, goal: Any) -> None:
        self._problem.add_goal(goal)

    def _remove_goal(self, goal: Any) -> None:
        (wanted,) = self._problem.environment.expression_manager.auto_promote(goal)
        kept = [each for each in self._problem.goals if each is not wanted]
        self._refuse_unknown("goal", wanted, len(kept) == len(self._problem.goals))
        self._problem.clear_goals()
        for each in kept:
            self._problem.add_goal(each)

    def _add_action(self, action: Any) -> None:
        self._problem.add_action(action)

    def _remove_action(self, name: str) -> None:
        kept = [each for each in self._problem.actions if each.name != name]
        self._refuse_unknown("action", name, len(kept) == len(self._problem.actions))
        self._problem.clear_actions()
        self._problem.add_actions(kept)

    def _refuse_unknown(self, what: str, name: object, is_unknown: bool) -> None:
        if is_unknown and not self.skip_checks:
            message = f"the problem has no {what} {name}"
            if self.error_on_failed_checks:
                raise UPUsageError(message)
            warn(message, stacklevel=4)

    def _validate(self, problem: up.model.AbstractProblem, plan: up.plans.Plan) -> ValidationResult:
        translation = Translation(_without_gains(problem))
        verdict = validate(translation.tree, translation.text(plan))
        if verdict.valid:
            gains = gains_of(problem)
            value = verdict.cost if gains is None else _gain(problem, plan, gains)
            values = dict.fromkeys(problem.quality_metrics, value)
            messages, metrics = self._judgement(translation, plan) if self._judges else (None, None)
            return ValidationResult(ValidationResultStatus.VALID, self.name, messages, values or None, metrics=metrics)
        failed = None if verdict.step is None else plan.actions[verdict.step - 1]
        because = FailedValidationReason
        reason = because.UNSATISFIED_GOALS if failed is None else because.INAPPLICABLE_ACTION
        messages = [LogMessage(LogLevel.INFO, verdict.message)]
        return ValidationResult(ValidationResultStatus.INVALID, self.name, messages, None, reason, failed)

    def _judgement(self, translation: Translation, plan: up.plans.Plan) -> tuple[list[LogMessage], dict[str, str]]:
        """Returns messages and metrics: the suboptimality bound of a plan, and the cost of a better plan if found."""
        chosen = {name: self._options[name] for name in ("w", "memory_limit") if name in self._options}
        limits = Limits(time=DEFAULT_SECONDS if self._seconds is None else self._seconds)
        task = from_pddl(translation.tree, limits=limits)
        found = judge(task, translation.text(plan), time_limit=limits.seconds_left(), **chosen)
        better = None if found.better_plan is None or found.result is None else found.result.cost
        ratio = None if found.excess is None else 1 + found.excess
        values = {"cost": found.cost, "lower_bound": found.lower_bound, "proven_ratio": ratio, "better_cost": better}
        return [LogMessage(LogLevel.INFO, found.message)], _known(values)


def _without_gains(problem: up.model.Problem) -> up.model.Problem:
    """Returns the problem without optional goals, which its plans need not meet."""
    if gains_of(problem) is None:
        return problem
    plain = problem.clone()
    plain.clear_quality_metrics()
    return plain


def _gain(problem: up.model.Problem, plan: SequentialPlan, gains: dict[Any, Any]) -> Any:
    """Returns the sum of the gains of the goals that the plan meets: the problem is validated with each goal alone."""
    total = 0
    for goal, gain in gains.items():
        alone = _without_gains(problem)
        alone.clear_goals()
        alone.add_goal(goal)
        translation = Translation(alone)
        total += gain if validate(translation.tree, translation.text(plan)).valid else 0
    return total


class FsplanOptimalEngine(FsplanEngine):
    """Finds optimal plans: the same engine with w = 1."""

    def __init__(
        self, problem: up.model.AbstractProblem | None = None, error_on_failed_checks: bool = False, **options: Any
    ) -> None:
        super().__init__(problem, error_on_failed_checks, **{"w": 1, **options})

    @property
    def name(self) -> str:
        return "fsplan-opt"

    @staticmethod
    def satisfies(optimality_guarantee: OptimalityGuarantee) -> bool:
        return True


class EngineRun:
    """One call of the engine: translates the problem, grounds and searches it within one time limit."""

    def __init__(
        self,
        engine: str,
        problem: up.model.AbstractProblem,
        options: dict[str, Any],
        timeout: float | None,
        output_stream: OutputStream,
        warm_start_plan: SequentialPlan | None,
        repairs: bool = False,
    ) -> None:
        self._engine, self._problem, self._options = engine, problem, options
        self._limits, self._known = Limits(time=timeout), warm_start_plan
        self._stream = output_stream[0] if isinstance(output_stream, tuple) else output_stream
        self._repairs = repairs  # the given plan need not be valid
        self._messages: list[LogMessage] = []
        self._stop = Event()

    def answer(self, on_plan: Callable[[PlanGenerationResult], None] | None = None) -> PlanGenerationResult:
        """Returns the final result; `on_plan` is called with every better plan before that."""
        try:
            translation = Translation(self._problem)
            task = from_pddl(translation.tree, limits=self._limits)
            chosen = self._options if translation.gains is None else {**self._options, "w": 1}
            incumbent = self._incumbent(translation, task)
            result = solve(
                task,
                **chosen,
                time_limit=self._limits.seconds_left(),
                incumbent=incumbent,
                on_progress=lambda progress: not self._stop.is_set(),
                on_incumbent=self._reporter(translation, on_plan),
            )
        except LimitReached as reached:
            return self._failure(Status.TIMEOUT if reached.what == "time" else Status.MEMOUT, str(reached))
        except (UnsupportedError, *UNWRITABLE) as error:
            return self._failure(Status.UNSUPPORTED_PROBLEM, str(error))
        except PddlError as error:
            return self._failure(Status.INTERNAL_ERROR, str(error))
        return self._final(translation, task, result)

    def answers(self) -> Iterator[PlanGenerationResult]:
        """Yields every better plan when it is found, then the final result. Closing the iterator stops the search."""
        queue: SimpleQueue[PlanGenerationResult | BaseException | None] = SimpleQueue()

        def work() -> None:
            try:
                queue.put(self.answer(on_plan=queue.put))
            except BaseException as error:  # raised again in the caller's thread
                queue.put(error)
            queue.put(None)

        thread = Thread(target=work, name="fsplan", daemon=True)
        thread.start()
        try:
            while (item := queue.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            self._stop.set()
            thread.join()

    def _incumbent(self, translation: Translation, task: Task) -> tuple[list[str], Any] | None:
        """Returns the known plan and its cost; a plan that is to be repaired is completed by a short search."""
        if self._known is None or translation.gains is not None:  # plans of the translated problem have further actions
            return None
        try:
            text = translation.text(self._known)
        except Exception:  # the plan has an action or an object that the problem no longer has
            if not self._repairs:
                raise
            return None
        steps = [str(step)[1:-1] for step in read_plan(text).steps]
        verdict = validate(translation.tree, steps)
        if not verdict.valid and not self._repairs:
            raise UPUsageError(f"warm_start_plan is not a plan: {verdict.message}")
        if verdict.valid:
            return steps, verdict.cost
        self._log(f"the plan is repaired: {verdict.message}")
        left = self._limits.seconds_left()
        repaired = repair(task, steps, None if left is None else SHARE_OF_REPAIR * left)
        return None if repaired is None else (repaired, validate(translation.tree, repaired).cost)

    def _reporter(
        self, translation: Translation, on_plan: Callable[[PlanGenerationResult], None] | None
    ) -> Callable[[list[str], int, int], None]:
        def report(steps: list[str], cost: int, lower_bound: int) -> None:
            metrics = _known(translation.values(cost, lower_bound))
            self._log(f"plan: {', '.join(f'{name} {value}' for name, value in metrics.items())}")
            if on_plan is not None:
                on_plan(PlanGenerationResult(Status.INTERMEDIATE, translation.plan(steps), self._engine, metrics))

        return report

    def _log(self, message: str) -> None:
        self._messages.append(LogMessage(LogLevel.INFO, message))
        if self._stream is not None:
            self._stream.write(message + "\n")

    def _failure(self, status: Status, reason: str) -> PlanGenerationResult:
        self._log(reason)
        return PlanGenerationResult(status, None, self._engine, self._metrics(), self._messages)

    def _final(self, translation: Translation, task: Task, result: Result) -> PlanGenerationResult:
        self._log(result.description)
        ratio = result.proven_ratio if translation.gains is None else None
        metrics = self._metrics(**translation.values(result.cost, result.lower_bound), proven_ratio=ratio)
        if result.status == "unsolvable":
            self._log(why_unsolvable(unreachable_goals(task, result, self._limits) or [], result))
        if result.plan is None:
            return PlanGenerationResult(FAILURES[result.status], None, self._engine, metrics, self._messages)
        optimal = result.proven_ratio == 1 and self._problem.quality_metrics
        status = Status.SOLVED_OPTIMALLY if optimal else Status.SOLVED_SATISFICING
        return PlanGenerationResult(status, translation.plan(result.plan), self._engine, metrics, self._messages)

    def _metrics(self, **values: object) -> dict[str, str]:
        return {"engine_internal_time": f"{self._limits.used():.6f}", **_known(values)}


def _known(values: dict[str, Any]) -> dict[str, str]:
    """Returns metrics as text, which unified-planning requires, without those that are None."""
    return {name: str(value) for name, value in values.items() if value is not None}
