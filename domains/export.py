"""Writes puzzles as PDDL files."""

from __future__ import annotations

import os
from collections.abc import Iterable

from fsplan.domains.specs import Pancakes, Tiles, parse

# The tile moves from ?from to ?to and the blank the other way; the static predicate {relation} gives the direction.
_TILE_ACTION = """
  (:action {name}
    :parameters (?tile - tile ?from ?to - cell)
    :precondition (and (blank ?to) (at ?tile ?from) ({relation} ?from ?to))
    :effect (and (blank ?from) (at ?tile ?to) (not (blank ?to)) (not (at ?tile ?from))))
"""
_TILE_ACTIONS = (("up", "above"), ("left", "left-of"), ("right", "right-of"), ("down", "below"))


def export(spec: str, directory: str) -> tuple[str, str]:
    """Writes the task as domain.pddl and problem.pddl and returns their paths.

    Plans of the PDDL task correspond to plans of the native task: the name of a PDDL action without its arguments is
    the name of the native action.
    """
    puzzle = parse(spec)
    puzzle.state_space()
    if isinstance(puzzle, Tiles):
        domain, problem = _tiles_domain(), _tiles_problem(puzzle)
    else:
        assert isinstance(puzzle, Pancakes)
        domain, problem = _pancake_domain(len(puzzle.start)), _pancake_problem(puzzle)
    os.makedirs(directory, exist_ok=True)
    paths = os.path.join(directory, "domain.pddl"), os.path.join(directory, "problem.pddl")
    for path, text in zip(paths, (domain, problem), strict=True):
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
    return paths


def _tiles_domain() -> str:
    actions = "".join(_TILE_ACTION.format(name=name, relation=relation) for name, relation in _TILE_ACTIONS)
    return f"""; Sliding tiles; an action moves the blank, from ?to to ?from.
(define (domain tiles)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates
    (at ?tile - tile ?cell - cell)
    (blank ?cell - cell)
    (above ?one ?other - cell)
    (below ?one ?other - cell)
    (left-of ?one ?other - cell)
    (right-of ?one ?other - cell))
{actions})
"""


def _tiles_problem(puzzle: Tiles) -> str:
    cells = [f"r{row}c{column}" for row in range(puzzle.rows) for column in range(puzzle.columns)]
    vertical = [(cells[at], cells[at + puzzle.columns]) for at in range(len(cells) - puzzle.columns)]
    horizontal = [(cells[at], cells[at + 1]) for at in range(len(cells)) if (at + 1) % puzzle.columns]
    placed = [
        f"(at t{tile} {cell})" if tile else f"(blank {cell})" for tile, cell in zip(puzzle.start, cells, strict=True)
    ]
    facts = [
        *placed,
        *(f"(above {upper} {lower}) (below {lower} {upper})" for upper, lower in vertical),
        *(f"(left-of {left} {right}) (right-of {right} {left})" for left, right in horizontal),
    ]
    tiles = " ".join(f"t{tile}" for tile in range(1, len(cells)))
    goal = [f"(at t{tile} {cells[tile]})" for tile in range(1, len(cells))]
    return _problem("tiles", puzzle.name, f"{tiles} - tile {' '.join(cells)} - cell", facts, goal)


def _pancake_domain(count: int) -> str:
    actions = "".join(_flip(flip) for flip in range(2, count + 1))
    positions = " ".join(f"p{position}" for position in range(1, count + 1))
    return f"""; Pancakes; flip-3 turns the three on top.
(define (domain pancakes-{count})
  (:requirements :adl)
  (:types pancake position)
  (:constants {positions} - position)
  (:predicates (at ?pancake - pancake ?position - position))
{actions})
"""


def _flip(flip: int) -> str:
    moves = [(position, flip + 1 - position) for position in range(1, flip + 1) if 2 * position != flip + 1]
    effects = "\n".join(
        f"      (when (at ?pancake p{old}) (and (at ?pancake p{new}) (not (at ?pancake p{old}))))" for old, new in moves
    )
    return f"""
  (:action flip-{flip}
    :parameters ()
    :effect (forall (?pancake - pancake) (and
{effects})))
"""


def _pancake_problem(puzzle: Pancakes) -> str:
    sizes = range(1, len(puzzle.start) + 1)
    facts = [f"(at size{size} p{position})" for position, size in enumerate(puzzle.start, 1)]
    goal = [f"(at size{size} p{size})" for size in sizes]
    objects = " ".join(f"size{size}" for size in sizes) + " - pancake"
    return _problem(f"pancakes-{len(puzzle.start)}", puzzle.name, objects, facts, goal)


def _problem(domain: str, spec: str, objects: str, facts: Iterable[str], goal: Iterable[str]) -> str:
    initial = "\n    ".join(facts)
    wanted = "\n    ".join(goal)
    return f"""; {spec}
(define (problem instance)
  (:domain {domain})
  (:objects {objects})
  (:init
    {initial})
  (:goal (and
    {wanted})))
"""
