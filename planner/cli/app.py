"""The click application. The module of a command is imported only when the command is used."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from fsplan.planner.base.version import __version__
from fsplan.planner.cli.parameters import SETTINGS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

USAGE_ERROR = 36

# All commands; each has a module of the same name, which defines `command`.
COMMANDS = {
    "Plan": ("plan", "validate", "judge", "check", "repeat", "list"),
    "Look at tasks": ("ground", "bound", "explain", "graph", "replay", "export"),
    "Policies": ("policy", "train", "dataset"),
    "Experiments": ("compare", "reproduce", "study", "report"),
    "Other programs": ("serve", "mcp"),
}
NAMES = tuple(name for names in COMMANDS.values() for name in names)


class Application(click.Group):
    """The group of commands; `fsplan DOMAIN PROBLEM …` is short for `fsplan plan DOMAIN PROBLEM …`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in NAMES:
            return None
        command: click.Command = import_module(f"fsplan.planner.cli.commands.{cmd_name}").command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), err=True)
            ctx.exit(USAGE_ERROR)
        if args and args[0] not in NAMES and args[0] not in ("--help", "-h", "--version"):
            _refuse_misspelt_command(ctx, args[0])
            args = ["plan", *args]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, names in COMMANDS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(title):
                formatter.write_dl([(name, each.get_short_help_str(200)) for name, each in commands if each])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Completes the first argument: a command, a file of a task, or an option of `plan`."""
        from click.shell_completion import CompletionItem

        plan = self.get_command(ctx, "plan")
        assert plan is not None
        files = [] if incomplete.startswith("-") else [CompletionItem(incomplete, type="file")]
        return files + super().shell_complete(ctx, incomplete) + plan.shell_complete(ctx, incomplete)


def _refuse_misspelt_command(ctx: click.Context, word: str) -> None:
    """Raises an error for a misspelt command such as `fsplan valdate …`; a task begins with a path or has a colon."""
    from difflib import get_close_matches

    near = get_close_matches(word, NAMES, 2, 0.7)
    if near and word.isalpha() and not os.path.exists(word) and not ctx.resilient_parsing:
        raise click.UsageError(f"There is no command {word!r}. Did you mean {' or '.join(near)}?", ctx)


@click.group("fsplan", cls=Application, context_settings=SETTINGS)
@click.version_option(__version__, prog_name="fsplan", message="%(prog)s %(version)s")
def application() -> None:
    """Finds plans with a proven quality bound, guided by a policy.

    \b
    fsplan DOMAIN PROBLEM               a good plan, and a proof of how good it is
    fsplan DOMAIN PROBLEM --w 1.2       a plan that costs at most 1.2 times the optimum
    fsplan plan --help                  the options; --help-all for every one
    fsplan COMMAND --help               what a command does

    A task is a PDDL domain and problem, a problem file with its domain beside it, a .sas file, or a puzzle such as
    tiles15:korf/1 (`fsplan list sources`).
    """


def run_application(words: list[str]) -> int:
    """Runs a command and returns its exit code. It reports usage errors itself and raises all other errors."""
    if "_FSPLAN_COMPLETE" in os.environ:
        application.main(words, prog_name="fsplan")
    try:
        with application.make_context("fsplan", list(words)) as context:
            code: Any = application.invoke(context)
            return code if isinstance(code, int) else 0
    except click.UsageError as error:
        error.show()
        return USAGE_ERROR
    except click.exceptions.Exit as error:
        return error.exit_code
