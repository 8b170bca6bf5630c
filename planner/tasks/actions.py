"""The action index, which maps numbers to ground actions and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fsplan.pddl.syntax import Problem
from fsplan.planner._core import GroundTask


class ActionIndex:
    """The ground actions of a task by number; its length is |A|. The names of a PDDL task's actions are built lazily.

    An action with a disjunctive precondition has one entry per disjunct; these entries share one name.

    >>> index = ActionIndex(["pick-up a", "put-down a"])
    >>> len(index), index[1], index.number("pick-up a")
    (2, 'put-down a', 0)
    """

    __slots__ = ("_fingerprints", "_names", "_numbers", "_problem", "_task")

    def __init__(self, names: Iterable[str], fingerprints: Mapping[str, str] | None = None) -> None:
        self._names: list[str] | None = list(names)
        self._numbers: dict[str, int] | None = None
        self._fingerprints = None if fingerprints is None else dict(fingerprints)
        self._task: GroundTask | None = None
        self._problem: Problem | None = None

    @classmethod
    def of_task(cls, task: GroundTask, problem: Problem) -> ActionIndex:
        index = cls(())
        index._names, index._task, index._problem = None, task, problem
        return index

    @property
    def names(self) -> list[str]:
        if self._names is None:
            assert self._task is not None
            self._names = self._task.action_names()
        return self._names

    @property
    def fingerprints(self) -> dict[str, str]:
        """Content hashes of the domain and the problem, under "domain" and "problem"; empty for tasks without PDDL."""
        if self._fingerprints is None:
            self._fingerprints = fingerprints(self._problem) if self._problem else {}
        return self._fingerprints

    def __len__(self) -> int:
        return len(self._names) if self._task is None else self._task.action_count()  # type: ignore[arg-type]

    def __getitem__(self, number: int) -> str:
        if self._names is not None:
            return self._names[number]
        assert self._task is not None
        count = self._task.action_count()
        if not -count <= number < count:
            raise IndexError(f"action {number} of {count}")
        return self._task.action_name(number % count)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ActionIndex):
            return NotImplemented
        return self.names == other.names and self.fingerprints == other.fingerprints

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ActionIndex({len(self)} actions)"

    def number(self, name: str) -> int:
        """Returns the number of the first action with this name."""
        found = self._by_name().get(name)
        if found is None:
            from difflib import get_close_matches

            nearest = get_close_matches(name, self.names[:10_000], 1)
            raise KeyError(f"no action '{name}'" + (f"; did you mean '{nearest[0]}'?" if nearest else ""))
        return found

    def _by_name(self) -> dict[str, int]:
        if self._numbers is None:
            names = self.names
            self._numbers = {names[number]: number for number in range(len(names) - 1, -1, -1)}
        return self._numbers

    def to_json(self) -> dict[str, Any]:
        """Returns the index as plain values, from which `from_json` makes it again.

        >>> ActionIndex.from_json(ActionIndex(["noop"]).to_json()) == ActionIndex(["noop"])
        True
        """
        return {"actions": self.names, "fingerprints": self.fingerprints}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ActionIndex:
        names, prints = data.get("actions"), data.get("fingerprints")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("an action index needs a list of names under 'actions'")
        if not isinstance(prints, dict) or not all(isinstance(value, str) for value in prints.values()):
            raise ValueError("an action index needs fingerprints by name under 'fingerprints'")
        return cls(names, prints)


def fingerprints(problem: Problem) -> dict[str, str]:
    """Returns content hashes of domain and problem, independent of comments, layout and the order of initial facts."""
    from fsplan.pddl.writer import write_domain, write_formula, write_typed

    domain = [line for line in write_domain(problem.domain).splitlines() if "(:requirements" not in line]
    content = [
        write_typed(problem.objects.values()),
        *(" ".join(fact) for fact in sorted(set(problem.init))),
        *(f"{' '.join(term)} = {value}" for term, value in sorted(problem.costs.items())),
        write_formula(problem.goal),
        f"costs {problem.use_costs}",
    ]
    return {"domain": _hash(domain), "problem": _hash([*domain, *content])}


def _hash(lines: list[str]) -> str:
    from hashlib import sha256

    return sha256("\n".join(lines).encode()).hexdigest()
