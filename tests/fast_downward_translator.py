"""Fast Downward's translator, used as an oracle for the instantiation of actions and facts."""

from __future__ import annotations

import contextlib
import io
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from downward_oracle import planner

MODULES = ("options", "pddl_parser", "normalize", "instantiate")


@cache
def translator() -> SimpleNamespace:
    """Modules of the package fast_downward.translate that comes with up-fast-downward.

    Afterwards the name fast_downward refers to the test module of that name again.
    """
    folder = planner().parent
    namesake = sys.modules.get("fast_downward")
    package = sys.modules["fast_downward"] = ModuleType("fast_downward")
    package.__path__ = [str(folder / "fast_downward")]
    try:
        return SimpleNamespace(**{name: import_module(f"fast_downward.translate.{name}") for name in MODULES})
    finally:
        del sys.modules["fast_downward"]
        if namesake is not None:
            sys.modules["fast_downward"] = namesake


class Instantiation:
    """The translator's reachable actions and facts. Its exploration ignores inequalities, so facts are computed again.

    The translator checks its ground actions against inequalities and static literals, but not its facts. This class
    computes the facts that are reachable with the ground actions and axioms. Actions that change nothing are removed.
    Then `facts` and `actions` should equal those of fsplan's grounder.
    """

    def __init__(self, domain: Path, problem: Path) -> None:
        modules = translator()
        modules.options.set_options([str(domain), str(problem)])
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            task = modules.pddl_parser.open(str(domain), str(problem))
            modules.normalize.normalize(task)
            explored = modules.instantiate.explore(task)
        self.goal_reachable, atoms, self.ground_actions, _, self.axioms, _ = explored
        self.reached = self.explore({atom for atom in task.init if atom in atoms})
        # Predicates with @ are auxiliary predicates of the translator, for quantified conditions.
        self.facts = {f"{fact.predicate}({', '.join(fact.args)})" for fact in self.reached if "@" not in fact.predicate}
        self.actions = {
            action.name.strip("() ")
            for action in self.ground_actions
            if all(literal.negated or literal in self.reached for literal in action.precondition)
            and not self.changes_nothing(action)
        }

    def explore(self, reached: set[Any]) -> set[Any]:
        missing: list[int] = []
        heads: list[Any] = []
        waiting: dict[Any, list[int]] = {}
        queue = list(reached)
        for body, head in self.rules():
            needed = {literal for literal in body if not literal.negated}
            for literal in needed:
                waiting.setdefault(literal, []).append(len(heads))
            missing.append(len(needed))
            heads.append(head)
            if not needed and head not in reached:
                reached.add(head)
                queue.append(head)
        while queue:
            for rule in waiting.get(queue.pop(), ()):
                missing[rule] -= 1
                if missing[rule] == 0 and heads[rule] not in reached:
                    reached.add(heads[rule])
                    queue.append(heads[rule])
        return reached

    def rules(self) -> Any:
        for action in self.ground_actions:
            for condition, fact in action.add_effects:
                yield [*action.precondition, *condition], fact
        for axiom in self.axioms:
            if not axiom.effect.negated:
                yield axiom.condition, axiom.effect

    def changes_nothing(self, action: Any) -> bool:
        known = set(action.precondition)
        if any(fact not in known and fact not in condition for condition, fact in action.add_effects):
            return False
        added = {fact for condition, fact in action.add_effects if known.issuperset(condition)}
        return all(
            fact in added
            or fact not in self.reached
            or fact.negate() in known
            or fact.negate() in condition
            or any(literal.negate() in known for literal in condition)
            for condition, fact in action.del_effects
        )
