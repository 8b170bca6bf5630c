"""The click application: help, error messages and shell completion, built from the same table as the fast reader."""

from __future__ import annotations

import difflib
from typing import Any

import click

from fsplan.planner.cli.commands import COMMANDS, EPILOG, SUMMARY
from fsplan.planner.cli.table import Argument, Command, Option


class PlanByDefault(click.Group):
    """`fsplan DOMAIN PROBLEM` means `fsplan plan DOMAIN PROBLEM`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {"--help", "-h", "--version"}
        if args and args[0] not in self.commands and args[0] not in own:
            args = ["plan", *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        plan = self.commands["plan"]
        return super().shell_complete(ctx, incomplete) + plan.shell_complete(ctx, incomplete)


class Suggesting(click.Command):
    """Names the nearest switch where an unknown one is given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            known = [switch for parameter in self.params for switch in parameter.opts]
            near = difflib.get_close_matches(error.option_name, known, 3, 0.5)
            raise click.NoSuchOption(error.option_name, possibilities=near, ctx=ctx) from None


def _click_type(option: Option) -> Any:
    if option.choices:
        return click.Choice(list(option.choices))
    return {"integer": click.INT, "number": click.FLOAT}.get(option.kind, click.STRING)


def _option(option: Option) -> click.Option:
    if option.kind == "flag":
        return click.Option([*option.switches, option.name], is_flag=True, help=option.help)
    return click.Option(
        [*option.switches, option.name],
        type=_click_type(option),
        default=option.default if option.kind != "many" else None,
        multiple=option.kind == "many",
        help=option.help,
        metavar=option.metavar,
        show_default=option.default is not None and option.kind != "many",
    )


def _argument(argument: Argument) -> click.Argument:
    return click.Argument(
        [argument.name],
        nargs=argument.count,
        required=argument.required,
        type=click.Path(),
        metavar=argument.name.upper(),
    )


def _command(command: Command) -> click.Command:
    def run(**values: Any) -> int:
        return command.call(values)

    return Suggesting(
        command.name,
        callback=run,
        help=command.help,
        params=[*map(_argument, command.arguments), *map(_option, command.options)],
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    )


def _nested(commands: dict[str, Command]) -> dict[str, click.Command]:
    """Commands named `policy show` become a group `policy` with a command `show`."""
    tree: dict[str, click.Command] = {}
    for name, command in commands.items():
        group_name, _, leaf = name.partition(" ")
        if not leaf:
            tree[name] = _command(command)
            continue
        group = tree.setdefault(group_name, click.Group(group_name, help=f"Commands on a {group_name}."))
        assert isinstance(group, click.Group)
        group.add_command(_command(Command(leaf, command.help, command.run, command.arguments, command.options)))
    return tree


def application() -> click.Group:
    from fsplan import __version__

    group = PlanByDefault(
        "fsplan",
        commands=_nested(COMMANDS),
        help=SUMMARY,
        epilog=EPILOG,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    )
    return click.version_option(__version__, prog_name="fsplan", message="%(prog)s %(version)s")(group)


def run(words: list[str]) -> int:
    """Runs the line through click; a usage error is told and gives exit code 36."""
    app = application()
    try:
        code = app.main(words, prog_name="fsplan", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.UsageError as error:
        error.show()
        return 36
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.Abort:
        return 130
    except SystemExit:  # click's answer to a closed pipe
        return 0
