"""Fast Downward's translator as an oracle of instantiation."""

from __future__ import annotations

import contextlib
import io
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest


def translator() -> Any:
    """The package fast_downward.translate that comes with up-fast-downward."""
    found = find_spec("up_fast_downward")
    if found is None or not found.submodule_search_locations:
        pytest.skip("up-fast-downward is not installed")
    folder = Path(found.submodule_search_locations[0]) / "downward" / "builds" / "release" / "bin"
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    return import_module("fast_downward.translate")


class Instantiation:
    """What the translator's own instantiation leaves once inequalities count, which its exploration ignores.

    Its actions have been checked against inequalities and static literals, its facts have not. So the facts are
    explored again over its ground actions and axioms. `facts` and `actions` are then those of our grounder, which drops
    actions without change as well.
    """

    def __init__(self, domain: Path, problem: Path) -> None:
        translator()
        import_module("fast_downward.translate.options").set_options([str(domain), str(problem)])
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            task = import_module("fast_downward.translate.pddl_parser").open(str(domain), str(problem))
            import_module("fast_downward.translate.normalize").normalize(task)
            explored = import_module("fast_downward.translate.instantiate").explore(task)
        self.goal_reachable, atoms, self.ground_actions, _, self.axioms, _ = explored
        self.reached = self.explore({atom for atom in task.init if atom in atoms})
        # Predicates with @ are the translator's own, for quantified conditions.
        self.facts = {
            f"{fact.predicate}({', '.join(fact.args)})" for fact in self.reached if "@" not in fact.predicate
        }
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
