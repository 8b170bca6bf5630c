"""`fsplan plan`: searches for a plan, prints it, and prints the proven bound to stderr.

This module declares the options with click; `planning.py` does the work and does not import click.
"""

from __future__ import annotations

from typing import Any

import click
from click.core import ParameterSource

from fsplan.planner.base import quantities
from fsplan.planner.cli.parameters import (
    Command,
    choice_option,
    file_option,
    json_stream_option,
    memory_limit_option,
    number_option,
    option,
    quiet_option,
    reader_option,
    reads,
    task_argument,
    time_limit_option,
)
from fsplan.planner.cli.planning import LEARN_INSIDE, plan
from fsplan.planner.cli.search_options import search_arguments, search_options

# Options that the command itself handles; all others are passed to the search.
OWN = (
    "time_limit", "memory_limit", "plan_file", "json", "json_stream", "trace", "debugger", "debugger_any_host", "proof",
    "proof_limit", "quiet", "no_library", "learn", "scheduler", "reader", "grounding",
)  # fmt: skip


def time_or_auto(text: str) -> float | str:
    return LEARN_INSIDE if text == LEARN_INSIDE else quantities.seconds(text)


@click.command("plan", cls=Command)
@task_argument
@search_options
@time_limit_option()
@memory_limit_option()
@file_option("--plan-file", help="Write the plan to a file instead of stdout.")
@file_option("--json", metavar="FILE|-", help="Write the whole result as JSON to a file, or to stdout with -.")
@file_option("--trace", advanced=True, help="Write every expansion as a line of JSON, for fsplan replay.")
@option(
    "--debugger",
    metavar="URL",
    section="Output",
    advanced=True,
    help="Show the search in the search debugger of VS Code's PDDL extension, e.g. http://localhost:8010.",
)
@option(
    "--debugger-any-host",
    is_flag=True,
    section="Output",
    advanced=True,
    help="Allow a search debugger on another machine.",
)
@file_option("--proof", help="Write a proof of the lower bound, for fsplan check; .gz is compressed.")
@option(
    "--proof-limit",
    metavar="SIZE",
    default="1GB",
    show_default=True,
    callback=reads(quantities.size),
    section="Output",
    advanced=True,
    help="The largest proof to write.",
)
@json_stream_option
@quiet_option
@option(
    "--no-library",
    is_flag=True,
    section="Heuristic and policy",
    advanced=True,
    help="Do not look for an installed policy of the domain (fsplan train --install).",
)
@option(
    "--learn",
    metavar="TIME|auto",
    callback=reads(time_or_auto),
    section="Heuristic and policy",
    help="First learn a policy from small tasks derived from this problem, at most this long, e.g. 20s; or (auto) "
    "learn while the default search runs, once its gap stalls.",
)
@number_option(
    "--plans",
    type=click.IntRange(min=1),
    metavar="K",
    default=None,
    section="Search",
    advanced=True,
    help="Find at most K different plans within w of the optimum, cheapest first.",
)
@choice_option(
    "--different",
    ("sequences", "actions"),
    section="Search",
    advanced=True,
    help="How plans of --plans differ; with actions, neither order nor needless steps make a difference.",
)
@option(
    "--scheduler",
    metavar="ADDRESS",
    section="Search",
    advanced=True,
    help="Run the parts of the default search on a Dask cluster, e.g. tcp://10.0.0.1:8786.",
)
@choice_option(
    "--grounding",
    ("auto", "all", "none"),
    section="Task",
    advanced=True,
    help="Which actions are instantiated: all before the search; none, but only those of visited states, for --search "
    "follow with a policy for the domain; auto: none if there are more than ten million.",
)
@reader_option("Task")
def command(task: tuple[str, ...], **options: Any) -> int:
    """Finds a plan and proves how good it is.

    \b
    fsplan domain.pddl problem.pddl                        a plan within 1.5 times the optimum
    fsplan domain.pddl problem.pddl --w 1.1                a better one
    fsplan domain.pddl problem.pddl --focal disc1 --w 1.5  focal search, guided by the default policy
    fsplan domain.pddl problem.pddl --plans 5 --w 1.1      up to five different plans
    fsplan tiles15:korf/1 --search astar                   an optimal plan, of a puzzle

    The plan goes to stdout; what is proven about it and how it was found go to stderr.
    """
    own = {name: options.pop(name) for name in OWN}
    k, different = options.pop("plans"), options.pop("different")
    if k is not None:
        from fsplan.planner.cli.several import several

        reader, given = own.pop("reader"), click.get_current_context().get_parameter_source
        chosen = {name: value for name, value in own.items() if given(name) is not ParameterSource.DEFAULT}
        return several(task, k, different, search_arguments(options), chosen, reader)
    return plan(task, search_arguments(options), **own)
