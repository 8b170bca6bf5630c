"""The two readers of a command line agree wherever the fast one answers."""

from __future__ import annotations

from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsplan.planner.cli.click_app import application
from fsplan.planner.cli.commands import COMMANDS
from fsplan.planner.cli.fast import read
from fsplan.planner.cli.table import Command, Option

TEXTS = st.sampled_from(["a.pddl", "b.pddl", "1.5", "7", "-", "--", "-1", "", "x=y", "tiles15:korf/1", "disc1", "--w"])


def click_reads(name: str, words: list[str]) -> dict[str, Any] | None:
    command: click.Command = application()
    for part in name.split(" "):
        assert isinstance(command, click.Group)
        command = command.commands[part]
    try:
        return dict(command.make_context(name, list(words)).params)
    except click.ClickException:
        return None


def option_words(option: Option) -> st.SearchStrategy[list[str]]:
    switch = st.sampled_from(option.switches)
    if option.kind == "flag":
        return switch.map(lambda word: [word])
    value = st.one_of(st.sampled_from(option.choices), TEXTS) if option.choices else TEXTS
    return st.one_of(
        st.tuples(switch, value).map(list),
        st.tuples(switch.filter(lambda word: word.startswith("--")), value).map(lambda pair: [f"{pair[0]}={pair[1]}"]),
    )


def lines(command: Command) -> st.SearchStrategy[list[str]]:
    piece = st.one_of(TEXTS.map(lambda word: [word]), *(option_words(option) for option in command.options))
    return st.lists(piece, max_size=6).map(lambda pieces: [word for piece in pieces for word in piece])


@pytest.mark.parametrize("name", list(COMMANDS))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_readers_agree(name: str, data: st.DataObject) -> None:
    words = data.draw(lines(COMMANDS[name]))
    fast = read(COMMANDS[name], words)
    if fast is not None:
        assert fast == click_reads(name, words)


def test_the_fast_reader_reads_what_people_type() -> None:
    words = ["domain.pddl", "problem.pddl", "--focal", "disc1", "--w=1.5", "--quiet", "--seed", "3"]
    values = read(COMMANDS["plan"], words)
    assert values is not None
    assert (values["task"], values["focal"], values["w"]) == (("domain.pddl", "problem.pddl"), "disc1", "1.5")
    assert (values["quiet"], values["seed"], values["search"]) == (True, 3, None)


@pytest.mark.parametrize(
    "words", [["--focl", "disc1", "d", "p"], ["d", "p", "--focal", "disc9"], ["--help"], [], ["d", "--w"]]
)
def test_the_fast_reader_leaves_the_rest_to_click(words: list[str]) -> None:
    assert read(COMMANDS["plan"], words) is None
