"""`fsplan ground`: grounds a task and prints its size and the time for grounding."""

from __future__ import annotations

import click

from fsplan.planner.base.files import check_writable
from fsplan.planner.base.limits import Limits
from fsplan.planner.cli.errors import UsageError
from fsplan.planner.cli.parameters import (
    Command,
    file_option,
    json_option,
    memory_limit_option,
    reader_option,
    task_argument,
    time_limit_option,
)

FORMATS = (".sas", ".json", ".pddl")


@click.command("ground", cls=Command)
@task_argument
@json_option
@time_limit_option()
@memory_limit_option()
@reader_option()
@file_option(
    "--output",
    "-o",
    help="Write the ground task: FILE.sas for Fast Downward's search, FILE.json, or FILE.pddl and FILE-domain.pddl.",
)
def command(
    task: tuple[str, ...],
    json: bool,
    reader: str,
    time_limit: float | None,
    memory_limit: int | None,
    output: str | None,
) -> int:
    """Grounds a task and prints its size; -o writes it for other planners as .sas, JSON or ground PDDL."""
    from fsplan.planner.sources.load import load_arguments

    if output is not None:
        if not output.endswith(FORMATS):
            raise UsageError(f"--output {output}: the name ends in .sas (Fast Downward's format), .json or .pddl")
        check_writable(output)
    limits = Limits(time_limit, memory_limit)
    with limits.enforced():
        loaded = load_arguments(task, reader=reader, limits=limits)
        if output is not None:
            getattr(loaded, f"to_{output.rpartition('.')[2]}")(output)
    sizes = loaded.sizes()
    sizes["total_seconds"] = round(limits.used(), 6)
    if json:
        from json import dumps

        print(dumps({"task": list(task), **sizes}, indent=2))
        return 0
    width = max(map(len, sizes))
    for name, value in sizes.items():
        shown = f"{value:.4f}" if isinstance(value, float) else value
        print(f"{name.replace('_', ' '):{width}}  {shown}")
    return 0
