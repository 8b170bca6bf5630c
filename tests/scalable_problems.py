"""Random problems of any size in five small domains, for policies that are learned on small tasks.

trail     a hiker walks a one-way trail, collects tokens and opens one gate with each: too few tokens are a dead end
barge     a barge with room for one crate goes between any two ports
canteen   meals are cooked, loaded onto a cart and served; the vegan ingredients suffice for the vegans only
fuel      a boat takes fuel before it leaves the harbour for good; every trip to an island consumes one unit
corridor  robots paint the cells of a corridor and may not enter painted cells: a wrong order is a dead end
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

DOMAINS = {
    "trail": """
(define (domain trail) (:requirements :strips :typing)
  (:types place token gate hiker)
  (:predicates (next ?a ?b - place) (here ?h - hiker ?a - place) (lies ?t - token ?a - place)
               (has ?h - hiker ?t - token) (fresh ?t - token) (stands ?g - gate ?a - place)
               (closed ?g - gate) (open ?g - gate))
  (:action walk :parameters (?h - hiker ?a ?b - place) :precondition (and (here ?h ?a) (next ?a ?b))
    :effect (and (not (here ?h ?a)) (here ?h ?b)))
  (:action collect :parameters (?h - hiker ?t - token ?a - place) :precondition (and (here ?h ?a) (lies ?t ?a))
    :effect (and (not (lies ?t ?a)) (has ?h ?t)))
  (:action unlock :parameters (?h - hiker ?t - token ?g - gate ?a - place)
    :precondition (and (here ?h ?a) (stands ?g ?a) (closed ?g) (has ?h ?t) (fresh ?t))
    :effect (and (not (closed ?g)) (open ?g) (not (fresh ?t)))))
""",
    "barge": """
(define (domain barge) (:requirements :strips :typing)
  (:types port crate)
  (:predicates (moored ?p - port) (stored ?c - crate ?p - port) (aboard ?c - crate) (empty) (other ?p ?q - port))
  (:action go :parameters (?p ?q - port) :precondition (and (moored ?p) (other ?p ?q))
    :effect (and (not (moored ?p)) (moored ?q)))
  (:action load :parameters (?c - crate ?p - port) :precondition (and (moored ?p) (stored ?c ?p) (empty))
    :effect (and (not (stored ?c ?p)) (not (empty)) (aboard ?c)))
  (:action unload :parameters (?c - crate ?p - port) :precondition (and (moored ?p) (aboard ?c))
    :effect (and (stored ?c ?p) (empty) (not (aboard ?c)))))
""",
    "canteen": """
(define (domain canteen) (:requirements :strips :typing)
  (:types room meal guest cart ingredient)
  (:constants kitchen - room)
  (:predicates (parked ?c - cart ?r - room) (raw ?i - ingredient) (plant ?i - ingredient) (planned ?m - meal)
               (cooked ?m - meal) (vegan-meal ?m - meal) (loaded ?m - meal ?c - cart) (vegan ?g - guest)
               (hungry ?g - guest) (sits ?g - guest ?r - room) (fed ?g - guest))
  (:action cook :parameters (?m - meal ?i - ingredient) :precondition (and (planned ?m) (raw ?i))
    :effect (and (not (planned ?m)) (not (raw ?i)) (cooked ?m)))
  (:action cook-vegan :parameters (?m - meal ?i - ingredient) :precondition (and (planned ?m) (raw ?i) (plant ?i))
    :effect (and (not (planned ?m)) (not (raw ?i)) (cooked ?m) (vegan-meal ?m)))
  (:action put :parameters (?m - meal ?c - cart) :precondition (and (cooked ?m) (parked ?c kitchen))
    :effect (and (not (cooked ?m)) (loaded ?m ?c)))
  (:action push :parameters (?c - cart ?r ?s - room) :precondition (parked ?c ?r)
    :effect (and (not (parked ?c ?r)) (parked ?c ?s)))
  (:action serve :parameters (?m - meal ?c - cart ?g - guest ?r - room)
    :precondition (and (loaded ?m ?c) (parked ?c ?r) (sits ?g ?r) (hungry ?g))
    :effect (and (not (loaded ?m ?c)) (not (hungry ?g)) (fed ?g)))
  (:action serve-vegan :parameters (?m - meal ?c - cart ?g - guest ?r - room)
    :precondition (and (loaded ?m ?c) (vegan-meal ?m) (parked ?c ?r) (sits ?g ?r) (vegan ?g))
    :effect (and (not (loaded ?m ?c)) (not (vegan ?g)) (fed ?g))))
""",
    "fuel": """
(define (domain fuel) (:requirements :strips :typing)
  (:types place unit)
  (:predicates (at ?p - place) (harbour ?p - place) (island ?p - place) (stock ?u - unit) (tank ?u - unit)
               (visited ?p - place))
  (:action fill :parameters (?u - unit ?p - place) :precondition (and (at ?p) (harbour ?p) (stock ?u))
    :effect (and (not (stock ?u)) (tank ?u)))
  (:action sail :parameters (?p ?q - place ?u - unit) :precondition (and (at ?p) (island ?q) (tank ?u))
    :effect (and (not (at ?p)) (at ?q) (not (tank ?u)) (visited ?q))))
""",
    "corridor": """
(define (domain corridor) (:requirements :strips :typing)
  (:types cell robot colour)
  (:predicates (beside ?a ?b - cell) (in ?r - robot ?a - cell) (free ?a - cell) (holds ?r - robot ?c - colour)
               (painted ?a - cell ?c - colour))
  (:action move :parameters (?r - robot ?a ?b - cell) :precondition (and (in ?r ?a) (beside ?a ?b) (free ?b))
    :effect (and (not (in ?r ?a)) (in ?r ?b) (free ?a) (not (free ?b))))
  (:action change :parameters (?r - robot ?c ?d - colour) :precondition (holds ?r ?c)
    :effect (and (not (holds ?r ?c)) (holds ?r ?d)))
  (:action paint :parameters (?r - robot ?a ?b - cell ?c - colour)
    :precondition (and (in ?r ?a) (beside ?a ?b) (free ?b) (holds ?r ?c))
    :effect (and (painted ?b ?c) (not (free ?b)))))
""",
}


def trail(size: int, random: Random) -> tuple[str, str, str]:
    """`size` gates at the end of a trail of a few places; there are up to twice as many tokens as gates."""
    gates, tokens, places = size, size + random.randint(0, size), random.randint(2, 3 + size // 2)
    facts = ["(here h p0)"]
    facts += [f"(next p{i} p{i + 1})" for i in range(places)]
    facts += [f"(lies t{i} p{random.randint(0, places - 1)}) (fresh t{i})" for i in range(tokens)]
    facts += [f"(stands g{i} p{places}) (closed g{i})" for i in range(gates)]
    objects = f"h - hiker {_names('p', places + 1)} - place {_names('t', tokens)} - token {_names('g', gates)} - gate"
    return objects, " ".join(facts), " ".join(f"(open g{i})" for i in range(gates))


def barge(size: int, random: Random) -> tuple[str, str, str]:
    """`size` crates and about as many ports."""
    ports = max(2, size + random.randint(-1, 1))
    pairs = [random.sample(range(ports), 2) for _ in range(size)]
    facts = [f"(moored p{random.randrange(ports)}) (empty)"]
    facts += [f"(other p{i} p{j})" for i in range(ports) for j in range(ports) if i != j]
    facts += [f"(stored c{i} p{start})" for i, (start, _) in enumerate(pairs)]
    objects = f"{_names('p', ports)} - port {_names('c', size)} - crate"
    return objects, " ".join(facts), " ".join(f"(stored c{i} p{goal})" for i, (_, goal) in enumerate(pairs))


def canteen(size: int, random: Random) -> tuple[str, str, str]:
    """`size` guests; there are ingredients for one more meal than guests, and just enough vegan ones."""
    rooms, carts, vegans = 1 + size // 3, 1 + (size > 4), random.randint(0, size)
    facts = [f"(parked c{i} kitchen)" for i in range(carts)]
    facts += [f"(raw i{i}) (planned m{i})" for i in range(size + 1)] + [f"(plant i{i})" for i in range(vegans)]
    facts += [f"(sits g{i} r{random.randrange(rooms)})" for i in range(size)]
    facts += [f"(vegan g{i})" if i < vegans else f"(hungry g{i})" for i in range(size)]
    objects = (
        f"{_names('r', rooms)} - room {_names('c', carts)} - cart {_names('i', size + 1)} - ingredient "
        f"{_names('m', size + 1)} - meal {_names('g', size)} - guest"
    )
    return objects, " ".join(facts), " ".join(f"(fed g{i})" for i in range(size))


def fuel(size: int, random: Random) -> tuple[str, str, str]:
    """`size` islands to visit among some more, and more units of fuel than are needed."""
    islands, units = size + random.randint(0, 2), size + random.randint(0, size)
    facts = [
        "(at h) (harbour h)",
        *(f"(island p{i})" for i in range(islands)),
        *(f"(stock u{i})" for i in range(units)),
    ]
    objects = f"h {_names('p', islands)} - place {_names('u', units)} - unit"
    return objects, " ".join(facts), " ".join(f"(visited p{i})" for i in range(size))


def corridor(size: int, random: Random) -> tuple[str, str, str]:
    """A corridor two cells wide and `size` + 1 cells long, in alternating colours; one row is not painted."""
    facts = ["(holds r white)", "(in r a0)", "(free b0)"]
    for i in range(size + 1):
        facts += [f"(beside a{i} b{i}) (beside b{i} a{i})"] + ([f"(free a{i}) (free b{i})"] if i else [])
        facts += [f"(beside {row}{i} {row}{i - 1}) (beside {row}{i - 1} {row}{i})" for row in "ab" if i]
    goals = [f"(painted {row}{i} {random.choice(('white', 'black'))})" for i in range(1, size + 1) for row in "ab"]
    objects = f"r - robot white black - colour {_names('a', size + 1)} {_names('b', size + 1)} - cell"
    return objects, " ".join(facts), " ".join(goals)


PROBLEMS: dict[str, Callable[[int, Random], tuple[str, str, str]]] = {
    "trail": trail,
    "barge": barge,
    "canteen": canteen,
    "fuel": fuel,
    "corridor": corridor,
}


def problem_text(domain: str, size: int, seed: int = 0) -> str:
    objects, facts, goals = PROBLEMS[domain](size, Random(f"{domain} {size} {seed}"))
    return (
        f"(define (problem {domain}-{size}-{seed}) (:domain {domain})\n(:objects {objects})\n(:init {facts})\n"
        f"(:goal (and {goals})))\n"
    )


def write_problems(folder: Path, domain: str, sizes: list[int], seeds: int = 1) -> tuple[str, list[str]]:
    """Writes the domain and one problem per size and seed to a folder; returns the paths of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "domain.pddl"
    file.write_text(DOMAINS[domain])
    paths = [folder / f"p{size:03}-{seed}.pddl" for size in sizes for seed in range(seeds)]
    for path in paths:
        size, seed = map(int, path.stem[1:].split("-"))
        path.write_text(problem_text(domain, size, seed))
    return str(file), [str(path) for path in paths]


def _names(letter: str, count: int) -> str:
    return " ".join(f"{letter}{i}" for i in range(count))
