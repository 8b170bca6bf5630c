"""The page of `fsplan serve`: two editors, the plan step by step, its proof in words, and a judge of other plans."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from fsplan.planner.base.pages import fill

TITLE = "fsplan: plans with a proof"


@cache
def page() -> str:
    """Returns the page. It loads nothing but answers of the server that it came from."""
    data = {"examples": examples()}
    return fill(__name__, "page.html", TITLE, ["page.css"], ["page.js"], data, SERVER="'self'")


def examples() -> list[dict[str, str]]:
    """Returns the examples of the page; the first line of a domain is its title."""
    found = []
    for folder in sorted(files(__name__).joinpath("examples").iterdir(), key=lambda each: each.name):
        texts = {
            name: folder.joinpath(f"{name}.pddl").read_text(encoding="utf-8").replace("\r\n", "\n")
            for name in ("domain", "problem")
        }
        found.append({"title": texts["domain"].partition("\n")[0].lstrip("; "), **texts})
    return found
