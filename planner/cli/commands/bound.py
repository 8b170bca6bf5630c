"""`fsplan bound`: computes lower bounds on the cost of all plans without a search."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING

import click

from fsplan.planner.base.files import STDOUT, check_writable, write
from fsplan.planner.base.limits import Limits
from fsplan.planner.cli.parameters import (
    Command,
    file_option,
    memory_limit_option,
    reader_option,
    seed_option,
    task_argument,
    time_limit_option,
)

if TYPE_CHECKING:
    from fsplan.planner.bounds.root import Bound, RootBound

UNSOLVABLE = 11


@click.command("bound", cls=Command)
@task_argument
@time_limit_option("Stop after this long, e.g. 30s; 3s for the bounds if not given.")
@memory_limit_option()
@file_option("--json", metavar="FILE|-", help="Write every bound as JSON to a file, or to stdout with -.")
@seed_option()
@reader_option()
def command(
    task: tuple[str, ...], time_limit: float | None, memory_limit: int | None, json: str | None, seed: int, reader: str
) -> int:
    """Prints lower bounds on the cost of every plan, by every method that applies, and the best of them."""
    from fsplan.planner.bounds.root import DEFAULT_SECONDS, bound
    from fsplan.planner.sources.load import load_arguments

    if json:
        check_writable(json)
    limits = Limits(time_limit, memory_limit)
    with limits.enforced():
        loaded = load_arguments(task, reader=reader, limits=limits)
        found = bound(
            loaded,
            time_limit=limits.begin_search() or DEFAULT_SECONDS,
            memory_limit=memory_limit,
            seed=seed,
            on_method=None if json in STDOUT else _print_method,
        )
    if json:
        write(json, dumps(found.to_json(list(task)), indent=2) + "\n")
    if json not in STDOUT:
        _print_best(found)
    return UNSOLVABLE if found.unsolvable else 0


def _print_method(step: Bound) -> None:
    """Prints a bound immediately, because later methods may take long and the user may stop them."""
    value = "unsolvable" if step.value is None else step.value
    print(f"{step.method:20}{value:>12}{step.seconds * 1000:>12.1f} ms", flush=True)


def _print_best(found: RootBound) -> None:
    if found.unsolvable:
        print(f"there is no plan (proven by {found.method})")
    else:
        print(f"no plan costs less than {found.value} (proven by {found.method})")
