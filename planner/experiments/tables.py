"""Aligned plain text tables."""

from __future__ import annotations

from collections.abc import Sequence

Cell = str | int | float | None


def show(cell: Cell) -> str:
    """
    >>> show(1234567), show(0.000123), show(12.5), show(None), show(3.0)
    ('1,234,567', '0.000123', '12.5', '-', '3')
    """
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return "".join(letter if letter.isprintable() else "?" for letter in cell)
    if isinstance(cell, int):
        return f"{cell:,}"
    if cell and abs(cell) < 1e-3:
        return f"{cell:.3g}"
    return f"{cell:,.4g}" if abs(cell) < 1e4 else f"{cell:,.0f}"


def table(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Columns of numbers are right-aligned, of text left-aligned."""
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


def markdown(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    lines = [list(header), ["---"] * len(header), *([show(cell).replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
