"""Writes the type stub of the native module, as a step of the build: python scripts/write_stub.py MODULE OUTPUT

MODULE is the compiled file. Strict type checkers require type arguments of containers, which nanobind leaves out.
"""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from nanobind.stubgen import StubGen

ARGUMENTS = {"dict": "[Any, Any]", "list": "[Any]", "tuple": "[Any, ...]"}
BARE = re.compile(r"\b(dict|list|tuple)\b(?=[\],):]| *(?:=|->|\|)|$)", re.MULTILINE)
SEARCH_OPTIONS = re.compile(r"^class SearchOptions.*?(?=^class )", re.MULTILINE | re.DOTALL)


def complete(stub: str) -> str:
    """Adds type arguments to containers, and types to keyword arguments. Values of search options have type Any."""
    stub = BARE.sub(lambda found: found[1] + ARGUMENTS[found[1]], stub).replace("**kwargs)", "**kwargs: Any)")
    stub = SEARCH_OPTIONS.sub(lambda found: re.sub(r"\bobject\b( \| None)?", "Any", found[0]), stub)
    docstring, _, rest = stub.partition("\n")
    return f"{docstring}\n\nfrom typing import Any\n{rest}"


def main() -> None:
    module, output = sys.argv[1:]
    spec = spec_from_file_location("fsplan.planner._core", module)
    assert spec is not None
    assert spec.loader is not None
    core = module_from_spec(spec)
    spec.loader.exec_module(core)
    generator = StubGen(core)
    generator.put(core)
    Path(output).write_text(complete(generator.get()), encoding="utf-8")


if __name__ == "__main__":
    main()
