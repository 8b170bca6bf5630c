"""Reading the output of Fast Downward's translator; mistakes in a file are reported with their line."""

from __future__ import annotations

import pytest

from fsplan.planner.tasks.sas import SasError, parse_sas

LAMP = """begin_version
3
end_version
begin_metric
1
end_metric
1
begin_variable
var0
-1
2
Atom off()
Atom on()
end_variable
0
begin_state
0
end_state
begin_goal
1
0 1
end_goal
1
begin_operator
switch-on
0
1
0 0 0 1
5
end_operator
0
"""


def test_a_task_is_read() -> None:
    task = parse_sas(LAMP)
    assert (task.action_names(), task.fact_count()) == (["switch-on"], 2)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0 0 0 1", "-1 0", "sas:28:1: an effect has the wrong number of fields"),
        ("0 0 0 1", "", "sas:28:1: an effect has the wrong number of fields"),
        ("5\n", "99999999999\n", "sas:29:1: 99999999999 is out of range"),
        ("5\n", "five\n", "sas:29:1: expected numbers, found 'five'"),
        ("\n0 1\nend", "\n99999999999 1\nend", "sas:21:1: 99999999999 is out of range"),
        ("1\n0 1\nend", "2\n0 1\n0 0\nend", "sas:22:1: the goal names a variable twice"),
        ("1\n0 1\nend", "2\n0 1\n0 1\nend", "sas:22:1: the goal names a variable twice"),
        ("1\n0 1\nend", "-1\nend", "sas:20:1: expected a count, found -1"),
        ("\n0 1\nend", "\n0 7\nend", "sas:21:1: variable 0 has no value 7; it has 2"),
        ("begin_state\n0", "begin_state\n2", "sas:17:1: variable 0 has no value 2"),
        ("0 0 0 1", "1 3 0 0 0 1", "sas:28:1: no variable 3; there are 1"),
        ("5\n", "1_0\n", "sas:29:1: expected numbers, found '1_0'"),
        ("5\n", "\u0665\n", "sas:29:1: expected numbers"),
        ("metric\n1", "metric\n2", "sas:5:1: expected 0 .* or 1"),
        ("end_operator\n0\n", "end_operator\n0\n\n7\n", "sas:33:1: expected the end of the file, found '7'"),
        ("off()\n", "off()\r", "sas:12:11: found a carriage return within a line"),
        ("\n0 1\nend", "\n0 1 1\nend", "sas:21:1: expected 2 numbers, found 3"),
        ("begin_version", "", "sas:1:1: expected begin_version"),
        ("begin_version\n3", "begin_version\n2", "sas:2:1: only version 3"),
        ("end_operator\n0\n", "end_operator", "sas:30:1: the file ends too early"),
    ],
)
def test_a_mistake_is_reported_with_its_line(old: str, new: str, message: str) -> None:
    assert old in LAMP
    with pytest.raises(SasError, match=f"^{message}"):
        parse_sas(LAMP.replace(old, new))


def with_rules(layers: tuple[int, int], *rules: tuple[str, str]) -> str:
    """The task LAMP with two derived variables in these layers, and rules (body, head)."""
    variables = "".join(
        f"begin_variable\nvar{number}\n{layer}\n2\nNegatedAtom d{number}()\nAtom d{number}()\nend_variable\n"
        for number, layer in enumerate(layers, start=1)
    )
    lines = "".join(f"begin_rule\n{body}\n{head}\nend_rule\n" for body, head in rules)
    text = LAMP.replace("end_metric\n1\n", "end_metric\n3\n").replace("end_variable\n", f"end_variable\n{variables}")
    return text.replace("begin_state\n0", "begin_state\n0\n0\n0").removesuffix("0\n") + f"{len(rules)}\n{lines}"


def test_rules_in_layers_are_read() -> None:
    text = with_rules((0, 1), ("1\n0 1", "1 0 1"), ("1\n1 0", "2 0 1"))
    task = parse_sas(text)
    assert (task.rule_count(), task.layer) == (2, [-1, 0, 1])
    assert parse_sas(with_rules((0, 0), ("1\n2 1", "1 0 1"), ("1\n1 1", "2 0 1"))).rule_count() == 2


@pytest.mark.parametrize(
    ("layers", "rule", "message"),
    [
        ((0, 1), ("1\n2 1", "1 0 1"), "sas: rule 0 of layer 0 reads a variable of layer 1"),
        ((0, 0), ("1\n2 0", "1 0 1"), "sas: rule 0 reads the default of a variable of its own layer"),
        ((0, 0), ("1\n1 0", "1 0 1"), "sas: rule 0 reads the default of a variable of its own layer"),
        ((0, 0), ("0", "1 0 0"), "sas: rule 0 sets its variable to the default"),
        ((0, 0), ("0", "1 1 1"), "sas:50:1: a rule changes variable 1 from its default, 0, not from 1"),
        ((0, 0), ("0", "0 0 1"), "sas: rule 0: a rule's head must be a derived variable"),
        ((0, 100_000_000), ("0", "1 0 1"), "sas: variable 2 has layer 100000000"),
        ((0, 2**31 - 1), ("0", "1 0 1"), "sas: variable 2 has layer 2147483647"),
        ((0, -2), ("0", "1 0 1"), "sas: variable 2 has layer -2"),
    ],
)
def test_rules_that_are_not_in_layers_are_refused(layers: tuple[int, int], rule: tuple[str, str], message: str) -> None:
    with pytest.raises(SasError, match=f"^{message}"):
        parse_sas(with_rules(layers, rule))
