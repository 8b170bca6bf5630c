"""Optional packages: their purposes and the commands that install them."""

from __future__ import annotations

# Import name of the package: (extra of fsplan that installs it, purpose).
PACKAGES = {
    "torch": ("torch", "training policies, and networks of your own"),
    "safetensors": ("torch", "training policies, and networks of your own"),
    "tarski": ("tarski", "problems of tarski and PDDL read by it"),
    "networkx": ("graph", "search graphs as networkx objects, and their layout in drawings"),
    "matplotlib": ("plot", "drawings and figures"),
    "pyarrow": ("plot", "results as Parquet files"),
    "up_fast_downward": ("compare", "comparisons with Fast Downward"),
    "unified_planning": ("up", "engines for unified-planning"),
    "mcp": ("mcp", "servers for agents"),
    "starlette": ("serve", "servers for editors and browsers"),
    "uvicorn": ("serve", "servers for editors and browsers"),
    "distributed": ("cluster", "experiments on a Dask cluster"),
}
SMALL_TORCH = "pip install torch --index-url https://download.pytorch.org/whl/cpu"


def how_to_install(package: str) -> str:
    """Returns advice on installing a missing package; empty for packages that fsplan does not use.

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


def stand_in(name: str, error: ImportError) -> type:
    """Returns a placeholder class for a public name whose package is missing.

    Only calling it raises an error, which says what to install: `help`, `inspect` and completion work without the
    package.

    >>> stand_in("TorchPolicy", ImportError(name="matplotlib"))()
    Traceback (most recent call last):
    ImportError: drawings and figures need the package matplotlib: pip install 'fsplan[plot]'
    """
    advice = how_to_install((error.name or "").partition(".")[0])
    if not advice:
        raise error

    def refuse(cls: type, *arguments: object, **options: object) -> None:
        raise ImportError(advice)

    return type(name, (), {"__doc__": advice, "__module__": "fsplan", "__new__": refuse})


def require(package: str) -> None:
    """Raises an ImportError that says how to install the package, if it is missing."""
    from importlib.util import find_spec

    try:
        found = find_spec(package)
    except ModuleNotFoundError:
        found = None
    if found is None:
        raise ImportError(how_to_install(package))
