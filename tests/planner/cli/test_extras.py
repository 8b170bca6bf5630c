"""Without extras every public name can be inspected, and a call that needs an extra names it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fsplan.planner.base.extras import PACKAGES

BASE_INSTALL = f"import sys; sys.modules.update(dict.fromkeys({list(PACKAGES)}))\n"  # None hides a package from imports


def on_base_install(program: str) -> str:
    ran = subprocess.run([sys.executable, "-c", BASE_INSTALL + program], capture_output=True, text=True, check=True)
    return ran.stdout


def test_help_inspect_and_completion_work() -> None:
    program = """
import fsplan, inspect, pydoc, rlcompleter
assert "class TorchPolicy" in pydoc.plain(pydoc.render_doc(fsplan))
assert [name for name in [*fsplan.__all__, *dir(fsplan)] if not hasattr(fsplan, name)] == []
assert {*fsplan.__all__} <= {name for name, _ in inspect.getmembers(fsplan)}
print(rlcompleter.Completer({"fsplan": fsplan}).complete("fsplan.TorchP", 0))
"""
    assert "fsplan.TorchPolicy" in on_base_install(program)


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        ("fsplan.TorchPolicy(None)", "need the package torch: pip install 'fsplan[torch]'"),
        ("fsplan.from_tarski(None)", "need the package tarski: pip install 'fsplan[tarski]'"),
        ("fsplan.explore('tiles3:random/1').to_networkx()", "need the package networkx: pip install 'fsplan[graph]'"),
    ],
)
def test_calls_name_the_extra(call: str, advice: str) -> None:
    program = f"import fsplan, fsplan.pddl\ntry:\n    {call}\nexcept ImportError as error:\n    print(error)"
    assert advice in on_base_install(program)


def test_other_errors_of_imports_are_not_hidden() -> None:
    program = """
import fsplan
sys.modules["fsplan.planner.search.judge"] = None
try:
    fsplan.judge
except ImportError as error:
    print(error.name)
"""
    assert on_base_install(program) == "fsplan.planner.search.judge\n"
