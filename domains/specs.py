"""Names (specs) of puzzle instances: `tiles15:korf/1`, `tiles3x4:random/2`, `pancake:5,2,1,4,3`.

The part before the colon is the puzzle: `tiles` with the number of tiles of a square board or with columns x rows, or
`pancake` with the number of pancakes, which may be omitted if the pancakes are listed. The part after the colon is the
instance: `korf/NUMBER` (15-puzzle only), `random/SEED`, or a list. A list contains the tiles row by row, 0 for the
blank, or the sizes of the pancakes from the top, 1 for the smallest.
"""

from __future__ import annotations

import re
from typing import ClassVar

from fsplan.domains import generators, instances
from fsplan.planner._core import PancakeStateSpace, StateSpace, TilesStateSpace
from fsplan.planner.tasks.actions import ActionIndex
from fsplan.planner.tasks.task import Task

_EXAMPLES = "tiles15:korf/1, tiles8:random/7, tiles3x4:random/2, pancake9:random/3 or pancake:5,2,1,4,3"
_LARGEST_SEED = (1 << 64) - 1
FEWEST_PANCAKES, MOST_PANCAKES = 2, 25


class Puzzle:
    """An instance of a puzzle; `start` is its initial state: the tile of each cell, or the pancakes from the top.

    Each kind of puzzle is a class in `PUZZLES`. The specs of its instances begin with its `prefix`.
    """

    __slots__ = ("name", "start")
    prefix: ClassVar[str]

    def __init__(self, name: str, start: list[int]) -> None:
        self.name, self.start = name, start

    def state_space(self) -> StateSpace:
        """The native state space; raises ValueError if `start` is not a permutation."""
        raise NotImplementedError

    @classmethod
    def parse(cls, spec: str, domain: str, instance: str) -> Puzzle:
        """The instance with the given `spec`, which consists of `domain` and `instance`, joined by a colon."""
        raise NotImplementedError


class Tiles(Puzzle):
    __slots__ = ("columns", "rows")
    prefix = "tiles"

    def __init__(self, name: str, start: list[int], columns: int, rows: int) -> None:
        super().__init__(name, start)
        self.columns, self.rows = columns, rows

    def state_space(self) -> StateSpace:
        return TilesStateSpace(self.columns, self.rows, self.start)

    @classmethod
    def parse(cls, spec: str, domain: str, instance: str) -> Tiles:
        columns, rows = board_size(domain)
        return cls(spec, _tiles(instance, columns, rows), columns, rows)


class Pancakes(Puzzle):
    __slots__ = ()
    prefix = "pancake"

    def state_space(self) -> StateSpace:
        return PancakeStateSpace(self.start)

    @classmethod
    def parse(cls, spec: str, domain: str, instance: str) -> Pancakes:
        return cls(spec, _pancakes(domain, instance))


PUZZLES: tuple[type[Puzzle], ...] = (Tiles, Pancakes)


def load(spec: str) -> Task:
    """The task with the given spec.

    >>> load("tiles8:random/7").actions[0]
    'up'
    """
    native = state_space(spec)

    return Task(spec, native, ActionIndex(native.action_name(action) for action in range(native.action_count())))


def state_space(spec: str) -> StateSpace:
    """The state space of the task with the given spec."""
    try:
        return parse(spec).state_space()
    except ValueError as error:
        raise _refused(spec, error) from None


def parse(spec: str) -> Puzzle:
    """The puzzle instance with the given spec.

    >>> parse("pancake:3,1,2").start
    [3, 1, 2]
    """
    domain, colon, instance = spec.partition(":")
    if not colon:
        raise ValueError(f"{spec}: no instance; write for example {_EXAMPLES}")
    try:
        for puzzle in PUZZLES:
            if domain.startswith(puzzle.prefix):
                return puzzle.parse(spec, domain, instance)
        raise ValueError(f"unknown puzzle '{domain}'; write for example {_EXAMPLES}")
    except ValueError as error:
        raise _refused(spec, error) from None


def board_size(domain: str) -> tuple[int, int]:
    """The number of columns and of rows of a sliding-tile board.

    >>> board_size("tiles15"), board_size("tiles3x4")
    ((4, 4), (3, 4))
    """
    if found := re.fullmatch(r"tiles(\d)x(\d)", domain):
        columns, rows = int(found[1]), int(found[2])
    else:
        side = {"tiles3": 2, "tiles8": 3, "tiles15": 4, "tiles24": 5}.get(domain, 0)
        columns, rows = side, side
    if not (2 <= columns <= 5 and 2 <= rows <= 5):
        raise ValueError(f"unknown board '{domain}': tiles3, tiles8, tiles15, tiles24, or tiles2x2 to tiles5x5")
    return columns, rows


def _tiles(instance: str, columns: int, rows: int) -> list[int]:
    kind, value = _instance(instance)
    if kind == "korf":
        if (columns, rows) != (4, 4):
            raise ValueError("Korf's instances are of the 15-puzzle: tiles15:korf/1")
        return instances.korf(value)
    if kind == "random":
        return generators.tiles(columns, rows, generators.SplitMix(value))
    return _numbers(instance)


def _pancakes(domain: str, instance: str) -> list[int]:
    found = re.fullmatch(r"pancake(\d{0,3})", domain)
    if not found:
        raise ValueError(f"unknown puzzle '{domain}'; write for example pancake9:random/3")
    kind, value = _instance(instance)
    if kind == "korf":
        raise ValueError("Korf's instances are of the 15-puzzle: tiles15:korf/1")
    if kind == "random" and not found[1]:
        raise ValueError("how many pancakes? Write for example pancake9:random/3")
    stack = [] if kind == "random" else _numbers(instance)
    count = int(found[1] or len(stack))
    if not FEWEST_PANCAKES <= count <= MOST_PANCAKES:
        raise ValueError(f"{count} pancakes; there can be {FEWEST_PANCAKES} to {MOST_PANCAKES}")
    if kind == "random":
        return generators.pancakes(count, generators.SplitMix(value))
    if len(stack) != count:
        raise ValueError(f"expected {count} pancakes, found {len(stack)}")
    return stack


def _instance(text: str) -> tuple[str, int]:
    """The kind of an instance and its number: ("korf", number), ("random", seed), or ("list", 0) for a list."""
    kind, slash, number = text.partition("/")
    if not slash:
        return "list", 0
    if kind not in ("korf", "random") or not re.fullmatch(r"[0-9]{1,20}", number) or int(number) > _LARGEST_SEED:
        raise ValueError(f"'{text}' is not an instance: korf/NUMBER, random/SEED, or numbers joined by commas")
    return kind, int(number)


def _numbers(text: str) -> list[int]:
    words = text.split(",")
    for word in words:
        if not re.fullmatch(r" *[0-9]{1,4} *", word):
            raise ValueError(f"'{word}' is not a number; expected numbers joined by commas, korf/NUMBER or random/SEED")
    return [int(word) for word in words]


def _refused(spec: str, error: ValueError) -> ValueError:
    text = spec if len(spec) <= 80 else spec[:77] + "…"
    message = str(error)
    return ValueError(message if message.startswith(text) else f"{text}: {message}")
