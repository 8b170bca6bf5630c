"""Packages that fsplan can do without: what each is for, and the command that installs it."""

from __future__ import annotations

# Package as it is imported: (extra of fsplan, what it is for).
PACKAGES = {
    "torch": ("torch", "training policies, and networks of your own"),
    "safetensors": ("torch", "training policies, and networks of your own"),
    "tarski": ("tarski", "reading PDDL with tarski"),
    "networkx": ("graph", "search graphs as networkx objects, and their layout in drawings"),
    "matplotlib": ("plot", "drawings and figures"),
    "pyarrow": ("plot", "results as Parquet files"),
    "up_fast_downward": ("compare", "comparisons with Fast Downward"),
    "unified_planning": ("up", "engines for unified-planning"),
    "distributed": ("cluster", "running experiments on a Dask cluster"),
}
SMALL_TORCH = "pip install torch --index-url https://download.pytorch.org/whl/cpu"


def how_to_install(package: str) -> str:
    """What to do about a package that is missing; empty for packages that fsplan does not use.

    >>> how_to_install("matplotlib")
    "drawings and figures need the package matplotlib: pip install 'fsplan[plot]'"
    """
    if package not in PACKAGES:
        return ""
    extra, purpose = PACKAGES[package]
    advice = f"{purpose} need the package {package}: pip install 'fsplan[{extra}]'"
    if package == "torch":
        advice += f"; on a machine without a GPU, first install the small build: {SMALL_TORCH}"
    return advice


def require(package: str) -> None:
    """Raises an ImportError that says how to install the package, if it is missing."""
    from importlib.util import find_spec

    try:
        found = find_spec(package)
    except ModuleNotFoundError:
        found = None
    if found is None:
        raise ImportError(how_to_install(package))
