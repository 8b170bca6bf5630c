"""Prints how many states a search expands with the heuristic of a model, with h_FF and with the worst advice.

Ten random tasks of each domain; run it in the folder above: python model/measure.py
"""

import sys
from pathlib import Path
from random import Random
from statistics import geometric_mean
from tempfile import TemporaryDirectory

EXAMPLES = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(EXAMPLES))

import model.blocks  # noqa: E402
import model.courier  # noqa: E402
import model.wrong  # noqa: E402

import fsplan  # noqa: E402

BLOCKS_DOMAIN = Path(fsplan.example("blocks-8-0")).with_name("domain.pddl")
COURIER_DOMAIN = EXAMPLES / "domain.pddl"
TASKS, W = 10, 1.5
PLACES, PARCELS, BLOCKS = 8, 5, 9


def blocks_problem(random):
    def towers():
        order = random.sample(names, BLOCKS)
        cuts = {0, *random.sample(range(1, BLOCKS), 2)}
        return [(block, None if index in cuts else order[index - 1]) for index, block in enumerate(order)]

    names = [f"b{number}" for number in range(BLOCKS)]
    start, goal = towers(), towers()
    below = {under for _, under in start}
    facts = [f"(on {block} {under})" if under else f"(ontable {block})" for block, under in start]
    facts += [f"(clear {block})" for block in names if block not in below]
    wanted = " ".join(f"(on {block} {under})" for block, under in goal if under)
    return (
        f"(define (problem random) (:domain blocks) (:objects {' '.join(names)})\n"
        f"(:init (handempty) {' '.join(facts)}) (:goal (and {wanted})))"
    )


def courier_problem(random):
    places, parcels = (
        [f"{kind}{number}" for number in range(count)] for kind, count in (("x", PLACES), ("p", PARCELS))
    )
    pairs = [(places[random.randrange(number)], places[number]) for number in range(1, PLACES)]
    pairs += [tuple(random.sample(places, 2)) for _ in range(PLACES // 2)]
    facts = ["(= (total-cost) 0)", f"(at van {places[0]}) (room van)"]
    for one, other in sorted({tuple(sorted(pair)) for pair in pairs}):
        length = random.randint(1, 6)
        facts += [f"(road {a} {b}) (= (length {a} {b}) {length})" for a, b in ((one, other), (other, one))]
    moves = [random.sample(places, 2) for _ in parcels]
    facts += [f"(at {parcel} {start})" for parcel, (start, _) in zip(parcels, moves, strict=True)]
    wanted = " ".join(f"(at {parcel} {end})" for parcel, (_, end) in zip(parcels, moves, strict=True))
    return (
        f"(define (problem random) (:domain courier) (:objects {' '.join(places)} - place van - vehicle\n"
        f"{' '.join(parcels)} - parcel) (:init {' '.join(facts)})\n"
        f"(:goal (and {wanted})) (:metric minimize (total-cost)))"
    )


def tasks(domain, write_problem):
    random = Random(1)
    with TemporaryDirectory() as folder:
        problem = Path(folder) / "problem.pddl"
        for _ in range(TASKS):
            problem.write_text(write_problem(random))
            yield fsplan.load(domain, problem)


def greedy(task, heuristic):
    """As in the paper: greedy best-first search, without a bound."""
    native = heuristic if isinstance(heuristic, str) else heuristic(task)
    return fsplan.gbfs(task, heuristic=native, uncertified=True)


def focal(task, heuristic):
    name = heuristic if isinstance(heuristic, str) else f"{heuristic.__module__}:{heuristic.__name__}"
    result = fsplan.focal(task, "disc2", W, policy=f"h:{name}")
    assert result.certified
    assert result.proven_ratio <= W
    return result


def main():
    print(f"{'':<22} greedy search   focal search, w = {W}")
    print("domain   advice          expansions   expansions  fewer than h_FF  largest ratio")
    for name, domain, write_problem, answer, wrong in (
        ("blocks", BLOCKS_DOMAIN, blocks_problem, model.blocks.Heuristic, model.wrong.Blocks),
        ("courier", COURIER_DOMAIN, courier_problem, model.courier.Heuristic, model.wrong.Courier),
    ):
        drawn = list(tasks(domain, write_problem))
        baseline = [expansions(focal(task, "hff")) for task in drawn]
        for advice, heuristic in (("h_FF", "hff"), ("the model's", answer), ("always wrong", wrong)):
            free = "–" if heuristic is wrong else mean(greedy(task, heuristic) for task in drawn)
            guided = [focal(task, heuristic) for task in drawn]
            fewer = sum(expansions(result) < count for result, count in zip(guided, baseline, strict=True))
            ratio = max(result.proven_ratio for result in guided)
            print(f"{name:<8} {advice:<12} {free:>13} {mean(guided):>12} {f'{fewer} of {TASKS}':>16} {ratio:>14.2f}")


def expansions(result):
    return result.statistics["expanded"]


def mean(results):
    return f"{geometric_mean(map(expansions, results)):,.0f}"


main()
