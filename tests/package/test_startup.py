"""Start-up is quick because only modules that are used are imported.

An import inside a function needs a reason. Either the imported module is optional or needs an optional package; or the
import makes one of the common commands (COMMANDS) quicker, because the command loads the file but not the imported
module.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support import ROOT, python_files

DOORS = {
    "mcp",
    "anyio",
    "starlette",
    "uvicorn",
    "unified_planning",
}  # packages of extras
HEAVY = {"numpy", "networkx", "torch", "matplotlib", "tarski", "dataclasses", "json", *DOORS}
BLOCKS = ROOT / "pddl/tasks/blocks/probBLOCKS-8-0.pddl"
DOMAIN = BLOCKS.with_name("domain.pddl")
COMMANDS = (
    ["--version"],
    ["--help"],
    ["ground", str(BLOCKS)],
    [str(DOMAIN), str(BLOCKS), "--plan-file", os.devnull],
    [str(BLOCKS), "--focal", "disc2", "--w", "1.5"],
)
# Packages of the extras, and those whose import takes longer than a small search.
OPTIONAL = {"torch", "safetensors", "tarski", "networkx", "matplotlib", "pyarrow", "distributed", "unified_planning",
            "mcp", "starlette", "uvicorn", "anyio", "numpy", "highspy", "click", "planutils"}  # fmt: skip
# Modules that import each other. For example, a method of the graph calls the writer, and the writer reads the graph.
MUTUAL = {
    "fsplan.planner.graphs.graph_html": "fsplan.planner.graphs.explore",
    "fsplan.planner.graphs.write_graph": "fsplan.planner.graphs.draw_graph",
    "fsplan.planner.sources.pddl": "fsplan.planner.sources.registry",
    "fsplan.planner.tasks.states": "fsplan.planner.tasks.spaces",
}


def imported_by(program: str) -> set[str]:
    code = f"import sys\n{program}\nprint('IMPORTED', *sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd="/", check=True)
    return set(ran.stdout.partition("IMPORTED")[2].split())


def bare() -> set[str]:
    """The modules that Python loads at its start and for `import fsplan`, such as hooks of an editable installation."""
    return imported_by("import fsplan")


def with_click() -> set[str]:
    """The modules of `bare` and those that click, the command-line parser, imports; their import time is accepted."""
    return bare() | imported_by("import click")


@pytest.mark.parametrize(
    "words",
    [["--version"], ["ground", str(BLOCKS)], [str(BLOCKS), "--focal", "disc2", "--w", "1.5"]],
    ids=["version", "ground", "plan"],
)
def test_commands_import_nothing_heavy(words: list[str]) -> None:
    modules = imported_by(f"from fsplan.planner.cli import run\nassert run({words!r}) == 0") - with_click()
    assert not modules & HEAVY


def test_planning_without_options_needs_no_parser_of_command_lines() -> None:
    """Importing the parser (click) would take as long as solving a small task."""
    words = [str(BLOCKS.with_name("domain.pddl")), str(BLOCKS)]
    modules = imported_by(f"from fsplan.planner.cli import run\nassert run({words!r}) == 0") - bare()
    assert not modules & (HEAVY | {"click", "inspect", "hashlib"})


def test_importing_fsplan_loads_none_of_its_modules() -> None:
    assert {name for name in bare() if name.startswith("fsplan.")} <= {"fsplan.planner", "fsplan.pddl"}


def imported_by_hooks() -> set[str]:
    """The modules that the hook of an editable installation imports to find fsplan; empty without such a hook."""
    begin = imported_by("")
    is_editable = any(name.startswith("_editable_") for name in begin)
    return imported_by("import importlib.util") - begin if is_editable else set()


@cache
def start_ups() -> list[set[str]]:
    programs = [f"from fsplan.planner.cli import run\nassert run({words!r}) == 0" for words in COMMANDS]
    invalid = ["validate", str(DOMAIN), str(BLOCKS), os.devnull]  # an empty plan file
    programs.append(f"from fsplan.planner.cli import run\nassert run({invalid!r}) != 0")
    programs.append(f"import fsplan\nfsplan.solve(fsplan.load({str(BLOCKS)!r}))")
    return [imported_by(program) - imported_by_hooks() for program in ("import fsplan", *programs)]


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(("fsplan", *parts)).removesuffix(".__init__")
    return name.replace("fsplan.planner.api", "fsplan")


def modules(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The modules that an import statement names."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    below = {f"{node.module}.{alias.name}" for alias in node.names}
    return {node.module or ""} | {name for name in below if path_of(name).exists()}


def path_of(module: str) -> Path:
    path = ROOT.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def lazy_imports(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Imports inside functions, without those inside `try`, which catch the failure of an import."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)) and inside:
            yield node
        if not isinstance(node, ast.Try):
            inside = inside or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            waiting += [(child, inside) for child in ast.iter_child_nodes(node)]


def is_needed(module: str, node: ast.Import | ast.ImportFrom, tree: ast.Module) -> bool:
    targets = modules(node)
    if any(module in loaded and not targets <= loaded for loaded in start_ups()):
        return True
    return bool({name.split(".")[0] for name in targets} & OPTIONAL) or needs_extra(targets) or is_other(node, tree)


def needs_extra(targets: set[str]) -> bool:
    """Whether a module of fsplan imports an optional package when it is imported."""
    files = [path_of(name) for name in targets if name.startswith("fsplan.")]
    found = [node for path in files if path.exists() for node in ast.parse(path.read_text()).body]
    imports = [node for node in found if isinstance(node, (ast.Import, ast.ImportFrom))]
    return any(name.split(".")[0] in OPTIONAL for node in imports for name in modules(node))


def is_other(node: ast.Import | ast.ImportFrom, tree: ast.Module) -> bool:
    """Whether the module has a function or a parameter of the imported name, so that a global import would clash."""
    defined = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
    names = {child.arg for child in ast.walk(tree) if isinstance(child, ast.arg)}
    return any((alias.asname or alias.name) in defined | names for alias in node.names)


def test_imports_inside_functions_are_optional_or_make_a_start_up_quicker() -> None:
    needless = []
    for path in python_files():
        tree, module = ast.parse(path.read_text(encoding="utf-8")), module_of(path)
        for node in lazy_imports(tree):
            if not is_needed(module, node, tree) and MUTUAL.get(module) not in modules(node):
                needless.append(f"{path}:{node.lineno}: {ast.unparse(node)}")
    assert "\n".join(needless) == ""
