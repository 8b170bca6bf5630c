"""Writes tables as aligned text, as Markdown and as HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from decimal import Decimal

Value = str | int | float | None


def show(cell: Value) -> str:
    """The text of a cell.

    >>> show(1234567), show(0.0000804), show(12.5), show(None), show(3.0)
    ('1,234,567', '0.0000804', '12.5', '-', '3')
    """
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return "".join(letter if letter.isprintable() else "?" for letter in cell)
    if isinstance(cell, int):
        return f"{cell:,}"
    if cell and abs(cell) < 1e-3:
        return f"{Decimal(f'{cell:.3g}'):f}"
    return f"{cell:,.4g}" if abs(cell) < 1e4 else f"{cell:,.0f}"


def show_seconds(seconds: float) -> str:
    """A time as text with a suitable unit.

    >>> show_seconds(0.0000804), show_seconds(0.0125), show_seconds(3)
    ('80.4 µs', '12.5 ms', '3 s')
    """
    factor, unit = next(
        each for each in ((1, "s"), (1e3, "ms"), (1e6, "µs")) if seconds * each[0] >= 1 or each[0] == 1e6
    )
    return f"{seconds * factor:.3g} {unit}"


def table(header: Sequence[str], rows: Sequence[Sequence[Value]]) -> str:
    """The table as text; columns of numbers are right-aligned, columns of text left-aligned."""
    texts = [[show(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *texts, strict=True)]
    right = [
        any(isinstance(cell, (int, float)) for cell in column) for column in (zip(*rows, strict=True) if rows else [])
    ] or [False] * len(header)
    lines = [list(header), ["-" * width for width in widths], *texts]
    return "\n".join(
        "  ".join(
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in lines
    )


def markdown(header: Sequence[str], rows: Sequence[Sequence[Value]]) -> str:
    lines = [list(header), ["---"] * len(header), *([show(cell).replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def markdown_to_html(text: str) -> str:
    """Converts Markdown to HTML; supports only headings, paragraphs, tables and folded parts, as in claims.md.

    Sections below the title can be folded; only the first is open.

    >>> print(markdown_to_html("# Claims\\n\\n## Verdicts\\n\\n**yes** & no"))
    <h2>Claims</h2>
    <details open><summary>Verdicts</summary>
    <p><strong>yes</strong> &amp; no</p>
    </details>
    """
    parts: list[str] = []
    open_levels: list[int] = []
    for block in filter(None, text.strip().split("\n\n")):
        marks, _, heading = block.partition(" ")
        if folded := re.fullmatch(r'<details markdown="1"><summary>(.*)</summary>', block):
            parts.append(f"<details>{_tag('summary', folded[1])}")
            continue
        if block == "</details>":
            parts.append(block)
            continue
        if set(marks) != {"#"}:
            parts.append(_table_to_html(block) if block.startswith("| ") else _tag("p", block))
            continue
        while open_levels and open_levels[-1] >= len(marks):
            open_levels.pop()
            parts.append("</details>")
        if len(marks) == 1:
            parts.append(_tag("h2", heading))
        else:
            is_first = not any(part.startswith("<details") for part in parts)
            parts.append(f"<details{' open' * is_first}><summary>{_inline(heading)}</summary>")
            open_levels.append(len(marks))
    return "\n".join([*parts, *("</details>" for _ in open_levels)])


def _tag(name: str, text: str) -> str:
    return f"<{name}>{_inline(text)}</{name}>"


def _inline(text: str) -> str:
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html.escape(text))


def _cell(kind: str, text: str) -> str:
    """A cell of a table; long texts get the class `long`, so that their columns stay wide on narrow screens."""
    tag = _tag(kind, text.replace("\\|", "|"))
    return tag.replace("<td>", '<td class="long">', 1) if len(text) > 40 else tag


def _table_to_html(block: str) -> str:
    header, _, *rows = [re.split(r"(?<!\\) ?\| ?", line)[1:-1] for line in block.split("\n")]
    lines = [(("th", "td")[number > 0], cells) for number, cells in enumerate([header, *rows])]
    body = "\n".join(f"<tr>{''.join(_cell(kind, cell) for cell in cells)}</tr>" for kind, cells in lines)
    return f'<div class="scroll" tabindex="0"><table class="data prose">{body}</table></div>'
