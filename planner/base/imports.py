"""Imports Python objects that a user names as my.module:attribute."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import Any

_UNTRUSTED: ContextVar[str] = ContextVar("untrusted", default="")


def names_object(word: str) -> bool:
    """Whether a text has the form module:attribute.

    >>> names_object("my.module:Task"), names_object("tiles8:random/1"), names_object("p01.pddl")
    (True, False, False)
    """
    module, colon, name = word.partition(":")
    return bool(colon) and all(part.isidentifier() for part in (*module.split("."), *name.split(".")))


def import_named(name: str) -> Any:
    """Returns the object named my.module:attribute; like `python -m`, it searches the current folder first.

    >>> import_named("os:path.sep")
    '/'
    """
    module, colon, attribute = name.partition(":")
    if not module or not colon or not attribute:
        raise ValueError(f"{name}: expected module:name")
    if source := _UNTRUSTED.get():
        raise ValueError(f"{source} names Python code, {name}, which is not run unless you trust it")
    _search_current_folder()
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name and module.startswith(error.name):
            raise ValueError(f"{name}: no module named {error.name}, neither installed nor in this folder") from None
        raise
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise ValueError(f"{name}: {module} has no {attribute}")
        found = getattr(found, part)
    return found


@contextmanager
def without_code(source: str) -> Iterator[None]:
    """Forbids `import_named` inside the block, for options that come from a file and not from the user.

    >>> with without_code("result.json"):
    ...     import_named("os:abort")
    Traceback (most recent call last):
    ValueError: result.json names Python code, os:abort, which is not run unless you trust it
    """
    token = _UNTRUSTED.set(source)
    try:
        yield
    finally:
        _UNTRUSTED.reset(token)


def _search_current_folder() -> None:
    """Adds the current folder to sys.path permanently, because functions found there may import from it later."""
    folder = os.getcwd()
    if folder not in sys.path and "" not in sys.path:
        sys.path.insert(0, folder)
