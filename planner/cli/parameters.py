"""Parts that the commands share: types of values, common options, and help in sections.

The help of a command shows its options by section. Options marked `advanced` appear under `--help-all` only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fsplan.planner.base import quantities

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 110}
LAST_SECTION = "Other"


class Option(click.Option):
    """An option with its section of the help, and the names that it accepts, which are looked up lazily."""

    def __init__(
        self,
        *arguments: Any,
        section: str = "Options",
        advanced: bool = False,
        names: Callable[[], list[str]] | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.section, self.advanced, self.names = section, advanced, names

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        row = super().get_help_record(ctx)
        if row is None or self.names is None:
            return row
        return row[0], f"{row[1].removesuffix('.')}: {', '.join(dict.fromkeys(self.names()))}."


class Command(click.Command):
    """A command whose help has sections; it has `--help-all` if some of its options are advanced."""

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **{"context_settings": SETTINGS, **attributes})
        if any(_is_advanced(parameter) for parameter in self.params):
            self.params.append(_help_all())

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. If it fails and JSON was to be printed, prints the error as JSON before it is reported."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if ctx.params.get("json") in (True, "-"):
                _print_json(error)
            raise

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        everything = ctx.meta.get("fsplan.help_all", False)
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if row is not None and (everything or not _is_advanced(parameter)):
                sections.setdefault(getattr(parameter, "section", LAST_SECTION), []).append(row)
        for title in sorted(sections, key=lambda title: title == LAST_SECTION):
            with formatter.section(title):
                formatter.write_dl(sections[title])


def _print_json(error: Exception) -> None:
    from json import dumps

    from fsplan.planner.cli.errors import document, exit_code

    if exit_code(error) is not None:
        click.echo(dumps(document(error), indent=2))


def _is_advanced(parameter: click.Parameter) -> bool:
    return getattr(parameter, "advanced", False)


def _help_all() -> click.Option:
    def show(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            ctx.meta["fsplan.help_all"] = True
            click.echo(ctx.get_help())
            ctx.exit()

    return Option(
        ["--help-all"],
        section=LAST_SECTION,
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Show every option and exit.",
    )


def option(*switches: str, **attributes: Any) -> Callable[[Any], Any]:
    return click.option(*switches, cls=Option, **attributes)


def reads(read: Callable[[str], Any]) -> Callable[..., Any]:
    """Returns a click callback that converts an option's text and reports a ValueError with the option's name."""

    def convert(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return read(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, parameter) from None

    return convert


def split_words(text: str) -> list[str]:
    """Splits a text at commas.

    >>> split_words("disc2, wastar")
    ['disc2', 'wastar']
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise ValueError(f"{text!r} is an empty list; separate names by commas")
    return words


def suggestions(names: list[str], incomplete: str, before: str = "") -> list[CompletionItem]:
    """Returns the shell completions: the names that begin with the typed text."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(before + name) for name in names if name.startswith(incomplete)]


def names_or_files(names: Callable[[], list[str]]) -> Callable[..., list[CompletionItem]]:
    """Returns a completion function for one of the names or a file."""

    def complete(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file"), *suggestions(names(), incomplete)]

    return complete


task_argument = click.argument("task", nargs=-1, required=True, type=click.Path(), metavar="TASK...")
quiet_option = option("--quiet", "-q", is_flag=True, section="Output", help="Print nothing but the answer.")
json_option = option("--json", is_flag=True, section="Output", help="Print JSON.")


def words_option(
    *switches: str, names: Callable[[], list[str]], read: Callable[[str], Any] = split_words, **attributes: Any
) -> Callable[[Any], Any]:
    """Returns an option for names separated by commas; the shell completes the last name."""

    def complete(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        return suggestions(names(), last, before + comma)

    return option(*switches, metavar="LIST", callback=reads(read), shell_complete=complete, **attributes)


def file_option(*switches: str, **attributes: Any) -> Callable[[Any], Any]:
    return option(*switches, **{"type": click.Path(), "metavar": "FILE", "section": "Output", **attributes})


json_stream_option = file_option(
    "--json-stream",
    metavar="FILE|-",
    advanced=True,
    help="Write a line of JSON for every better plan or bound as it is found, and the result as the last line.",
)


def choice_option(switch: str, choices: tuple[str, ...], **attributes: Any) -> Callable[[Any], Any]:
    """Returns an option for one of the choices; the first one is the default."""
    return option(switch, type=click.Choice(choices), default=choices[0], show_default=True, **attributes)


def number_option(*switches: str, **attributes: Any) -> Callable[[Any], Any]:
    attributes = {"type": int, "metavar": "N", "show_default": attributes.get("default") is not None, **attributes}
    return option(*switches, **attributes)


def port_option(**attributes: Any) -> Callable[[Any], Any]:
    return number_option("--port", type=click.IntRange(0, 65535), **attributes)


def seed_option(section: str = "Options") -> Callable[[Any], Any]:
    return number_option("--seed", default=0, section=section, help="Seed of random numbers.")


def reader_option(section: str = "Options") -> Callable[[Any], Any]:
    return option(
        "--reader",
        type=click.Choice(["fsplan", "tarski"]),
        default="fsplan",
        section=section,
        advanced=True,
        help="The PDDL reader; tarski needs pip install 'fsplan[tarski]'.",
    )


def time_option(*switches: str, **attributes: Any) -> Callable[[Any], Any]:
    return option(*switches, metavar="TIME", callback=reads(quantities.seconds), **attributes)


def time_limit_option(help: str = "Stop after this long, e.g. 30s, 5m, 1h.") -> Callable[[Any], Any]:
    return time_option("--time-limit", section="Limits", help=help)


def memory_limit_option() -> Callable[[Any], Any]:
    help = "Stop at this much memory, e.g. 500MB, 4GB."
    return option("--memory-limit", metavar="SIZE", callback=reads(quantities.size), section="Limits", help=help)


def maxima_options(function: Any) -> Any:
    """Adds the options for the upper limits of a server's calls."""
    for name, default, help in (
        ("--max-size", "2MB", "The largest call: domain, problem and plans together."),
        ("--max-memory", "4GB", "The largest memory limit that a call may have."),
    ):
        read = reads(quantities.size)
        attributes = {"metavar": "SIZE", "default": default, "show_default": True, "callback": read, "help": help}
        function = option(name, section="Limits", **attributes)(function)
    help = "The longest time limit that a call may have."
    return time_option("--max-time", default="5m", show_default=True, section="Limits", help=help)(function)


workers_option = number_option("--workers", help="Runs at a time; as many as there are cores if not given.")
scheduler_option = option("--scheduler", metavar="ADDRESS", help="Run on a Dask cluster, e.g. tcp://10.0.0.1:8786.")
max_states_option = number_option("--max-states", default=1_000_000, help="The largest state space to enumerate.")
walk_option = number_option("--walk", default=100, help="Longest random walk to the start of a trace.")
trace_limit_option = time_option("--trace-limit", default="10s", show_default=True, help="Time for one optimal trace.")
