"""Writes ground tasks in the format of Fast Downward's translator (`.sas`, version 3) or as JSON.

>>> import fsplan
>>> task = fsplan.load(fsplan.example("blocks-8-0"))
>>> sas_text(task).splitlines()[:3]
['begin_version', '3', 'end_version']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fsplan.planner._core import GroundStateSpace, GroundTask
from fsplan.planner.tasks.task import Task

Fact = tuple[int, int]  # variable, value
Condition = dict[int, int]  # variable -> value

SCHEMA = "fsplan-task-1"


class GroundLists:
    """A ground task as lists of (variable, value) pairs; effects that apply together never contradict each other."""

    def __init__(self, task: GroundTask) -> None:
        self.sizes, self.layers, self.initial = task.domain_size, task.layer, task.initial
        self.facts = [(variable, value) for variable, size in enumerate(self.sizes) for value in range(size)]
        names = iter([_sas_name(task.fact_name(fact)) for fact in range(len(self.facts))])
        self.values = [[next(names) for _ in range(size)] for size in self.sizes]  # value names by variable
        self.goal = self._pairs(task.goal)
        self.action_names, self.costs, self.has_costs = task.action_names(), task.cost, not task.unit_cost
        self.preconditions = [dict(self._pairs(row)) for row in task.precondition]
        effects = ([(self.facts[fact], dict(self._pairs(when))) for fact, when in row] for row in task.effects)
        pairs = zip(self.preconditions, effects, strict=True)
        self.effects = [exclusive_effects(self.sizes, before, row) for before, row in pairs]
        heads = (self.facts[fact] for fact in task.rule_head)
        self.rules = list(zip(heads, map(self._pairs, task.rule_body), strict=True))
        if not task.solvable_relaxed:
            self._add_variable(goal_value=1)
        elif not self.goal:  # Fast Downward refuses tasks without a goal
            self._add_variable(goal_value=0)

    def _pairs(self, facts: Iterable[int]) -> list[Fact]:
        return [self.facts[fact] for fact in facts]

    def _add_variable(self, goal_value: int) -> None:
        """Replaces the goal by one on a new variable, whose value is always 0; a goal value of 1 is unsolvable."""
        self.goal = [(len(self.sizes), goal_value)]
        self.sizes, self.layers, self.initial = [*self.sizes, 2], [*self.layers, -1], [*self.initial, 0]
        self.values.append(["Atom start@()", "NegatedAtom start@()"])


def exclusive_effects(
    sizes: Sequence[int], given: Condition, effects: Sequence[tuple[Fact, Condition]]
) -> list[tuple[Condition, Fact]]:
    """Returns an action's effects as (condition, fact), without those that can never apply or never change a value.

    In the native task the last applicable effect on a variable overrides the earlier ones. Here the condition of an
    earlier effect excludes the conditions of later ones with another value, so the order does not matter.

    >>> exclusive_effects([2, 2], {}, [((0, 0), {}), ((0, 1), {1: 1})])
    [({1: 0}, (0, 0)), ({1: 1}, (0, 1))]
    """
    found = []
    for number, (fact, condition) in enumerate(effects):
        variable, value = fact
        rivals = [when for (other, wanted), when in effects[number + 1 :] if other == variable and wanted != value]
        for exclusive in _without(sizes, condition, rivals, given):
            known = exclusive | given
            if known.items() >= exclusive.items() and known.get(variable) != value:
                found.append(({each: known[each] for each in exclusive if each not in given}, fact))
    return found


def _without(
    sizes: Sequence[int], condition: Condition, rivals: list[Condition], given: Condition
) -> Iterator[Condition]:
    """Yields disjoint conditions whose disjunction means that `condition` holds and none of `rivals` does."""
    if not rivals:
        yield condition
        return
    rival, known = rivals[0], given | condition
    if any(known.get(variable, value) != value for variable, value in rival.items()):
        yield from _without(sizes, condition, rivals[1:], given)
        return
    agreed: Condition = {}
    for variable, value in rival.items():
        if variable in known:
            continue
        for other in range(sizes[variable]):
            if other != value:
                yield from _without(sizes, {**condition, **agreed, variable: other}, rivals[1:], given)
        agreed[variable] = value


def sas_text(task: Task) -> str:
    """Returns the task as text for Fast Downward's search. Costs are in units of 1 / `cost_denominator`."""
    lists = ground_lists(task)
    lines: list[object] = ["begin_version", 3, "end_version", "begin_metric", int(lists.has_costs), "end_metric"]
    lines.append(len(lists.sizes))
    for variable, (layer, names) in enumerate(zip(lists.layers, lists.values, strict=True)):
        lines += ["begin_variable", f"var{variable}", layer, len(names), *names, "end_variable"]
    lines += [0]  # no mutex groups: fsplan encodes its mutex groups as variables
    lines += ["begin_state", *lists.initial, "end_state", "begin_goal", *_facts(lists.goal), "end_goal"]
    lines.append(len(lists.action_names))
    for number, name in enumerate(lists.action_names):
        lines += ["begin_operator", name, *_operator(lists, number), lists.costs[number], "end_operator"]
    lines.append(len(lists.rules))
    for (variable, value), body in lists.rules:
        lines += ["begin_rule", *_facts(body), f"{variable} {lists.initial[variable]} {value}", "end_rule"]
    return "\n".join(map(str, lines)) + "\n"


def _operator(lists: GroundLists, number: int) -> list[object]:
    before, effects = lists.preconditions[number], lists.effects[number]
    changed = {variable for _, (variable, _) in effects}
    lines = _facts([fact for fact in before.items() if fact[0] not in changed])
    lines.append(len(effects))
    for when, (variable, value) in effects:
        condition = "".join(f" {each} {wanted}" for each, wanted in when.items())
        lines.append(f"{len(when)}{condition} {variable} {before.get(variable, -1)} {value}")
    return lines


def _facts(facts: list[Fact]) -> list[object]:
    return [len(facts), *(f"{variable} {value}" for variable, value in facts)]


def json_document(task: Task) -> dict[str, Any]:
    """Returns the task as plain values; docs/json.md describes the fields."""
    lists = ground_lists(task)
    return {
        "schema": SCHEMA,
        "name": task.name,
        "cost_denominator": task.cost_denominator,
        "variables": [
            {"values": names, "initial": initial, "axiom_layer": layer}
            for names, initial, layer in zip(lists.values, lists.initial, lists.layers, strict=True)
        ],
        "goal": lists.goal,
        "actions": [
            {
                "name": name,
                "cost": cost,
                "precondition": list(before.items()),
                "effects": [{"condition": list(when.items()), "fact": fact} for when, fact in effects],
            }
            for name, cost, before, effects in zip(
                lists.action_names, lists.costs, lists.preconditions, lists.effects, strict=True
            )
        ],
        "axioms": [{"condition": body, "fact": head} for head, body in lists.rules],
    }


def ground_lists(task: Task) -> GroundLists:
    if not isinstance(task.state_space, GroundStateSpace):
        raise ValueError(f"{task.name} is not a ground task: only PDDL tasks and .sas files can be written")
    return GroundLists(task.state_space.task)


def _sas_name(name: str) -> str:
    """Returns the name of a fact in Fast Downward's notation.

    >>> _sas_name("on(a, b)"), _sas_name("not clear(a)"), _sas_name("none of those")
    ('Atom on(a, b)', 'NegatedAtom clear(a)', '<none of those>')
    """
    if name == "none of those":
        return "<none of those>"
    return f"NegatedAtom {name[4:]}" if name.startswith("not ") else f"Atom {name}"
