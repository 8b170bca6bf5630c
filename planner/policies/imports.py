"""Objects that a user names as my.module:attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def import_named(name: str) -> Any:
    """The object called my.module:attribute; the current folder is searched first, as `python -m` does.

    >>> import_named("os:path.sep")
    '/'
    """
    from importlib import import_module

    module, colon, attribute = name.partition(":")
    if not module or not colon or not attribute:
        raise ValueError(f"{name}: expected module:name")
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


def _search_current_folder() -> None:
    """For good, because a function may import its neighbours when it is called."""
    import os
    import sys

    folder = os.getcwd()
    if folder not in sys.path and "" not in sys.path:
        sys.path.insert(0, folder)
