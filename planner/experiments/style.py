"""The colours, dashes and markers of each series, for the figures and for the report page.

The colours are those of Okabe and Ito, which can be distinguished with any colour vision. In black and white, series
are distinguished by dashes and markers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

# For each marker, its name in matplotlib and its outline as an SVG path around the origin.
MARKERS = {
    "circle": ("o", "M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0"),
    "square": ("s", "M-2.7-2.7h5.4v5.4h-5.4z"),
    "up": ("^", "M0-3.4L3.4 2.7H-3.4z"),
    "down": ("v", "M0 3.4L3.4-2.7H-3.4z"),
    "diamond": ("D", "M0-3.6L3.6 0L0 3.6L-3.6 0z"),
    "plus": ("P", "M-1.2-3.4h2.4v2.2h2.2v2.4h-2.2v2.2h-2.4v-2.2h-2.2v-2.4h2.2z"),
    "cross": ("X", "M-3.4-1.8L-1.8-3.4L0-1.6L1.8-3.4L3.4-1.8L1.6 0L3.4 1.8L1.8 3.4L0 1.6L-1.8 3.4L-3.4 1.8L-1.6 0z"),
    "left": ("<", "M-3.4 0L2.7-3.4V3.4z"),
    "right": (">", "M3.4 0L-2.7-3.4V3.4z"),
}
SOLID, DASHED, DOTTED, MIXED = DASHES = ((), (3, 1.5), (1, 1.2), (4, 1.5, 1, 1.5))
# Each colour has a version for light and a version for dark backgrounds.
BLUE, SKY = ("#0072b2", "#3d9be0"), ("#56b4e9", "#8fd0f7")
GREEN, ORANGE = ("#009e73", "#21c799"), ("#e69f00", "#ffc043")
RED, PURPLE = ("#d55e00", "#ff8a3c"), ("#b5558c", "#e59fc6")
BLACK, GREY = ("#1a1a1a", "#f2f2f2"), ("#6b6b6b", "#ababab")
BROWN = ("#7a4a21", "#c9986a")
PALETTE = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY, GREY, BROWN)


@dataclass(frozen=True)
class Style:
    """The style of a series: colours for light and dark backgrounds, and dashes in units of the line width."""

    title: str
    colours: tuple[str, str]
    dash: tuple[float, ...] = SOLID
    marker: str = "circle"

    def for_page(self) -> dict[str, Any]:
        light, dark = self.colours
        dash = " ".join(f"{2 * length:g}" for length in self.dash)
        return {"colour": f"light-dark({light},{dark})", "dash": dash, "marker": MARKERS[self.marker][1]}

    def for_figure(self) -> dict[str, Any]:
        line = (0, self.dash) if self.dash else "-"
        return {"color": self.colours[0], "linestyle": line, "marker": MARKERS[self.marker][0], "label": self.title}


STYLES = {
    "score1": Style("Score-1", BLUE, SOLID, "circle"),
    "score2": Style("Score-2", SKY, DASHED, "square"),
    "score3": Style("Score-3", GREEN, SOLID, "up"),
    "score4": Style("Score-4", GREEN, DASHED, "down"),
    "disc1": Style("Disc-1", ORANGE, SOLID, "diamond"),
    "disc2": Style("Disc-2", RED, SOLID, "plus"),
    "disc3": Style("Disc-3", PURPLE, SOLID, "cross"),
    "disc3-last": Style("Disc-3 (last rank)", PURPLE, DASHED, "left"),
    "wastar": Style("WA*", BLACK, DASHED, "right"),
    "prefastar": Style("PrefA*", BROWN, DOTTED, "circle"),
    "optimistic": Style("optimistic", GREY, SOLID, "square"),
    "astar": Style("A*", BLACK, SOLID, "diamond"),
}


def title(name: str) -> str:
    """The name of a search in the spelling of the literature; its options are unchanged.

    >>> title("disc2"), title("prefastar[ff,alternate]"), title("fd-lama")
    ('Disc-2', 'PrefA*[ff,alternate]', 'fd-lama')
    """
    base = base_name(name)
    return STYLES[base].title + name[len(base) :] if base in STYLES else name


def base_name(name: str) -> str:
    return name if name in STYLES or name.startswith("fd:") else re.split(r"[+\[@]", name)[0]


def styles(names: Iterable[tuple[str, str]]) -> dict[str, Style]:
    """A distinct style for each label, in the order of STYLES; `names` has pairs of a label and its search."""
    ranks = {name: rank for rank, name in enumerate(STYLES)}
    ordered = sorted(names, key=lambda pair: (ranks.get(base_name(pair[1]), len(ranks)), pair[0]))
    bases = {base_name(name) for _, name in ordered}
    free = [colours for colours in PALETTE if all(colours != STYLES[base].colours for base in bases & STYLES.keys())]
    made: dict[str, Style] = {}
    used: set[str] = set()
    for label, name in ordered:
        base = base_name(name)
        first = replace(STYLES.get(base) or Style(label, PALETTE[len(made) % len(PALETTE)]), title=title(label))
        if (base in used or base not in STYLES) and free:  # its colours in STYLES are taken, or STYLES lacks it
            first = replace(first, colours=free.pop(0))
        used.add(base)
        others = (replace(first, dash=dash, marker=marker) for dash, marker in product(DASHES, MARKERS))
        made[label] = next((each for each in (first, *others) if not _taken(each, made)), first)
    return made


def _taken(style: Style, made: dict[str, Style]) -> bool:
    look = (style.colours, style.dash, style.marker)
    return any(look == (other.colours, other.dash, other.marker) for other in made.values())
