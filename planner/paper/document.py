"""Renders a document as HTML and as PDF. The document is Markdown with headings, paragraphs, tables and figures.

A figure is a paragraph such as ![caption](file.svg); its PNG file is used in the PDF, which matplotlib writes.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from fsplan.planner.experiments.tables import markdown_to_html

PAGE, MARGIN = (8.27, 11.69), 0.7  # A4, in inches
SIZES = {1: 15.0, 2: 11.0, 3: 9.0}  # headings, in points
TEXT, CELL = 8.5, 7.0
_FIGURE = re.compile(r"^!\[(.*)\]\((.*)\)$", re.MULTILINE)
STYLE = """:root{color-scheme:light dark}
body{font:16px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;font-size:.85rem}td,th{border-bottom:1px solid #8884;padding:.25rem .5rem;
text-align:left;vertical-align:top}.scroll{overflow-x:auto}.scroll table{min-width:34rem}
img{width:100%;min-width:40rem;background:#fff}figure{margin:1rem 0;overflow-x:auto}
figcaption{font-size:.85rem;position:sticky;left:0}
summary{font-weight:bold;font-size:1.1rem;margin:1.5rem 0 .5rem}"""


def to_html(text: str, folder: Path) -> str:
    """The document as one HTML page, with its figures inside."""
    drawn: list[str] = []

    def mark(found: re.Match[str]) -> str:
        drawn.append(_html_figure(found[1], folder / found[2]))
        return f"figure {len(drawn)}"

    body = markdown_to_html(_FIGURE.sub(mark, text)).replace("<details>", "<details open>")
    for number, figure in enumerate(drawn, start=1):
        body = body.replace(f"<p>figure {number}</p>", figure)
    width = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head = f'<meta charset="utf-8">{width}<title>{html.escape(_title(text))}</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _title(text: str) -> str:
    return text.partition("\n")[0].lstrip("# ")


def _html_figure(caption: str, path: Path) -> str:
    data = base64.b64encode(path.read_bytes()).decode()
    image = f'<img alt="" src="data:image/svg+xml;base64,{data}">'
    return f"<figure>{image}<figcaption>{html.escape(caption)}</figcaption></figure>"


def write_pdf(text: str, folder: Path, path: Path) -> None:
    """Writes the document to a PDF file of A4 pages; needs matplotlib."""
    from matplotlib.backends.backend_pdf import PdfPages

    with PdfPages(path, metadata={"CreationDate": None, "Title": _title(text)}) as file:
        pages = _Pages(file)
        for block in text.strip().split("\n\n"):
            _place(pages, block, folder)
        pages.end()


def _place(pages: _Pages, block: str, folder: Path) -> None:
    marks, _, heading = block.partition(" ")
    if set(marks) == {"#"}:
        pages.space(0.5 * SIZES[len(marks)])
        pages.write(heading, SIZES[len(marks)], bold=True, keep=60)
    elif found := _FIGURE.fullmatch(block):
        pages.picture((folder / found[2]).with_suffix(".png"))
        pages.write(found[1], CELL)
    elif block.startswith("| "):
        rows = [re.split(r"(?<!\\) ?\| ?", line)[1:-1] for line in block.split("\n")]
        pages.table([rows[0], *rows[2:]])
    else:
        pages.write(block, TEXT)
    pages.space(5)


@cache
def _width(word: str, size: float) -> float:
    """The width of a word in bold type, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(size=size, weight="bold")
    return float(TextToPath().get_text_width_height_descent(word, font, ismath=False)[0])


def wrapped(text: str, width: float, size: float) -> list[str]:
    """The text wrapped into lines of this width, in points; a longer word has a line of its own."""
    lines, room = [""], width
    for word in re.sub(r"\*\*|`|\\(?=\|)", "", text).split():
        needed = _width(f"{word} ", size)
        if lines[-1] and needed > room:
            lines.append("")
            room = width
        lines[-1] += f" {word}" if lines[-1] else word
        room -= needed
    return lines


class _Pages:
    """The pages of a PDF file; `left` is the height, in points, that is left on the current page."""

    def __init__(self, file: Any) -> None:
        self.file, self.number = file, 0
        self.width = 72 * (PAGE[0] - 2 * MARGIN)
        self._begin()

    def _begin(self) -> None:
        from matplotlib.figure import Figure

        self.number += 1
        self.page = Figure(figsize=PAGE)
        self.left = 72 * (PAGE[1] - 2 * MARGIN)
        self.page.text(0.5, 0.4 / PAGE[1], str(self.number), fontsize=CELL, ha="center")

    def end(self) -> None:
        self.file.savefig(self.page, dpi=300)

    def _turn_unless(self, height: float) -> None:
        if self.left < height:
            self.end()
            self._begin()

    def space(self, height: float) -> None:
        self.left -= height

    def _text(self, x: float, line: str, size: float, bold: bool) -> None:
        """Writes a line at the top of the free part of the page, x points from the left margin."""
        place = (72 * MARGIN + x) / (72 * PAGE[0]), (72 * MARGIN + self.left - size) / (72 * PAGE[1])
        self.page.text(*place, line, fontsize=size, weight="bold" if bold else "normal", parse_math=False)

    def write(self, text: str, size: float, *, bold: bool = False, keep: float = 0) -> None:
        """Writes a paragraph; `keep` is the height that must be left after its first line."""
        for line in wrapped(text, self.width, size):
            self._turn_unless(1.35 * size + keep)
            self._text(0, line, size, bold)
            self.left -= 1.35 * size

    def picture(self, path: Path) -> None:
        from matplotlib.image import imread

        image = imread(path)
        height = self.width * image.shape[0] / image.shape[1]
        self._turn_unless(height + 30)
        self.left -= height
        wide, high = 72 * PAGE[0], 72 * PAGE[1]
        bottom = 72 * MARGIN + self.left
        axes = self.page.add_axes((72 * MARGIN / wide, bottom / high, self.width / wide, height / high))
        axes.imshow(image, aspect="auto", interpolation="antialiased")
        axes.set_axis_off()
        self.left -= 4

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Writes a table; its first row is repeated on every page."""
        widths = self._columns(rows)
        page = 0
        for row in rows[1:]:
            height = self._height(row, widths)
            self._turn_unless(height + (0 if page == self.number else self._height(rows[0], widths)))
            if page != self.number:
                self._row(rows[0], widths, bold=True)
                page = self.number
            self._row(row, widths)

    def _height(self, row: Sequence[str], widths: Sequence[float]) -> float:
        lines = (len(wrapped(cell, width - 5, CELL)) for cell, width in zip(row, widths, strict=True))
        return max(lines) * 1.25 * CELL + 3

    def _row(self, row: Sequence[str], widths: Sequence[float], *, bold: bool = False) -> None:
        bottom = self.left - self._height(row, widths)
        for x, cell, width in zip(_starts(widths), row, widths, strict=True):
            top = self.left
            for line in wrapped(cell, width - 5, CELL):
                self._text(x, line, CELL, bold)
                self.left -= 1.25 * CELL
            self.left = top
        self.left = bottom
        self._rule(sum(widths))

    def _columns(self, rows: Sequence[Sequence[str]]) -> list[float]:
        """Column widths: at least the longest word; the remaining space is shared in proportion to the text lengths."""
        columns = list(zip(*rows, strict=True))
        words = [max((_width(word, CELL) for cell in each for word in cell.split()), default=0) for each in columns]
        full = [max(_width(cell, CELL) for cell in each) for each in columns]
        room = self.width - sum(words) - 6 * len(columns)
        wish = [most - least for most, least in zip(full, words, strict=True)]
        share = min(1.0, room / (sum(wish) or 1))
        return [least + 6 + max(0.0, share) * more for least, more in zip(words, wish, strict=True)]

    def _rule(self, width: float) -> None:
        from matplotlib.lines import Line2D

        y = (72 * MARGIN + self.left + 1) / (72 * PAGE[1])
        x = MARGIN / PAGE[0], (MARGIN + width / 72) / PAGE[0]
        self.page.add_artist(Line2D(x, (y, y), color="#cccccc", linewidth=0.4, transform=self.page.transFigure))


def _starts(widths: Sequence[float]) -> Iterator[float]:
    x = 0.0
    for width in widths:
        yield x
        x += width
