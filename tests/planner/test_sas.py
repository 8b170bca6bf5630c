"""Fast Downward's translator output: what is wrong with a file is told with its line."""

from __future__ import annotations

import pytest

from fsplan.planner.sas import SasError, parse_sas

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
    assert parse_sas(LAMP.replace("1\n0 1\nend_goal", "2\n0 1\n0 1\nend_goal")).fact_count() == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0 0 0 1", "-1 0", "line 28: an effect has the wrong number of fields"),
        ("0 0 0 1", "", "line 28: an effect has the wrong number of fields"),
        ("5\n", "99999999999\n", "line 29: 99999999999 is out of range"),
        ("5\n", "five\n", "line 29: "),
        ("\n0 1\nend", "\n99999999999 1\nend", "line 21: 99999999999 is out of range"),
        ("1\n0 1\nend", "2\n0 1\n0 0\nend", "line 22: the goal asks for two values of one variable"),
        ("1\n0 1\nend", "-1\nend", "line 20: expected how many there are, found -1"),
        ("\n0 1\nend", "\n0 7\nend", "line "),
        ("\n0 1\nend", "\n0 1 1\nend", "line 21: expected 2 numbers, found 3"),
    ],
)
def test_a_mistake_is_told_with_its_line(old: str, new: str, message: str) -> None:
    assert old in LAMP
    with pytest.raises(SasError, match=f"^{message}"):
        parse_sas(LAMP.replace(old, new))
