"""Plans as text, in the format of the IPC: one `(action argument …)` a line, comments from `;`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Step:
    """An action by name with its arguments, lower case, and the line it stands in (from 1)."""

    __slots__ = ("action", "arguments", "line")

    def __init__(self, action: str, arguments: tuple[str, ...], line: int) -> None:
        self.action, self.arguments, self.line = action, arguments, line

    def __str__(self) -> str:
        return f"({' '.join((self.action, *self.arguments))})"


class Plan:
    """The steps, and the cost that a comment `; cost = 18 (unit cost)` states, if one does."""

    __slots__ = ("cost", "steps")

    def __init__(self, steps: list[Step], cost: int | None) -> None:
        self.steps, self.cost = steps, cost


class PlanError(ValueError):
    """A line that is no step of a plan."""

    def __init__(self, line: int, found: str) -> None:
        super().__init__(f"line {line}: found '{found[:60]}', expected (action argument …)")
        self.line = line


def read_plan(text: str | Iterable[str]) -> Plan:
    """Reads a plan; an iterable holds its steps, with or without parentheses.

    >>> [str(step) for step in read_plan("(STACK a b) ; first").steps]
    ['(stack a b)']
    """
    if not isinstance(text, str):
        text = "\n".join(step if step.strip().startswith("(") else f"({step})" for step in text)
    steps: list[Step] = []
    cost: int | None = None
    for number, line in enumerate(text.lower().split("\n"), 1):
        content, _, comment = line.partition(";")
        content = content.strip()
        if content:
            steps.append(_step(content, number))
        cost = _stated_cost(comment) if cost is None else cost
    return Plan(steps, cost)


def _step(content: str, line: int) -> Step:
    words = content[1:-1].split()
    if content[0] != "(" or content[-1] != ")" or not words or "(" in content[1:] or ")" in content[:-1]:
        raise PlanError(line, content)
    return Step(words[0], tuple(words[1:]), line)


def _stated_cost(comment: str) -> int | None:
    """
    >>> _stated_cost(" cost = 18 (unit cost)"), _stated_cost("found quickly")
    (18, None)
    """
    words = comment.replace("=", " = ").split()
    if words[:2] == ["cost", "="] and len(words) > 2 and words[2].isdecimal():
        return int(words[2])
    return None
