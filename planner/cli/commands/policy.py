"""`fsplan policy show`, `accuracy`, `list` and `remove`."""

from __future__ import annotations

import sys
from json import dumps
from typing import Any

import click

from fsplan.planner.cli.names import policy_names
from fsplan.planner.cli.parameters import (
    SETTINGS,
    Command,
    json_option,
    max_states_option,
    names_or_files,
    number_option,
    reader_option,
    seed_option,
    task_argument,
    trace_limit_option,
    walk_option,
)


@click.group("policy", context_settings=SETTINGS)
def command() -> None:
    """Shows what is in a policy file, measures how good a policy is, and keeps the library of domain policies."""


@command.command("list", cls=Command)
def list_library() -> int:
    """Lists the policies that `fsplan train --install` has put into the library."""
    from fsplan.planner.policies.container import PolicyFileError
    from fsplan.planner.policies.relational import library

    for name, policy in library.entries():
        if isinstance(policy, PolicyFileError):
            print(f"{name}  cannot be used: {policy}")
        else:
            accuracy = policy.measured_accuracy
            measured = f"accuracy {accuracy:.4f}" if accuracy else "accuracy unknown"
            following = policy.training.get("following", "not followed")
            print(f"{name}  domain {policy.domain['name']}, {len(policy):,} weights, {following}, {measured}")
    return 0


@command.command("remove", cls=Command)
@click.argument("name")
def remove(name: str) -> int:
    """Removes a policy from the library, by its name in `fsplan policy list` or its domain's name."""
    from fsplan.planner.policies.relational import library

    print(f"removed {library.remove(name)}", file=sys.stderr)
    return 0


@command.command("show", cls=Command)
@click.argument("file", type=click.Path())
@json_option
def show(file: str, json: bool) -> int:
    """Says what is in a policy file, or what a policy such as tiles15 or ff is."""
    from fsplan.planner.policies import describe

    if json:
        print(dumps(describe.describe(file), indent=2))
    else:
        print(describe.show(file))
    return 0


@command.command("accuracy", cls=Command)
@click.argument("policy", shell_complete=names_or_files(policy_names))
@task_argument
@max_states_option
@number_option("--samples", default=100, help="States to estimate from.")
@walk_option
@trace_limit_option
@seed_option()
@json_option
@reader_option()
def accuracy(policy: str, task: tuple[str, ...], trace_limit: float, json: bool, reader: str, **options: Any) -> int:
    """Measures how often a policy's first choice is optimal: exactly where the state space fits, else on samples."""
    from fsplan.planner.search.accuracy import policy_accuracy
    from fsplan.planner.sources.load import load_arguments

    def show_progress(done: int, wanted: int) -> None:
        if sys.stderr.isatty():
            print(end=f"\r{done} of {wanted} traces", file=sys.stderr, flush=True)

    found = policy_accuracy(
        policy, load_arguments(task, reader=reader), seconds_each=trace_limit, on_progress=show_progress, **options
    )
    if json:
        print(dumps(found.to_json(), indent=2))
    else:
        print(found.text())
    return 0
