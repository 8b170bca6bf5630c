"""Reads durations such as 30s and sizes such as 4GB."""

from __future__ import annotations

import re

SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
BYTES = {"": 1, "b": 1, "k": 10**3, "kb": 10**3, "m": 10**6, "mb": 10**6, "g": 10**9, "gb": 10**9, "kib": 2**10,
         "mib": 2**20, "gib": 2**30}  # fmt: skip
# Larger limits are reduced to these: about thirty years, and more bytes than any machine has.
LONGEST, LARGEST = 1e9, 2**62
LARGEST_SEED = 2**64 - 1


def _quantity(text: str, units: dict[str, float], example: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if not match or match[2] not in units or float(match[1]) == 0:
        legal = ", ".join(unit for unit in units if unit)
        raise ValueError(f"{text!r} is not a positive quantity such as {example}; units: {legal}")
    return float(match[1]) * units[match[2]]


def seconds(text: str) -> float:
    """Returns a duration in seconds.

    >>> seconds("30s"), seconds("1.5m"), seconds("2")
    (30.0, 90.0, 2.0)
    """
    return min(_quantity(text, SECONDS, "30s or 5m"), LONGEST)


def size(text: str) -> int:
    """Returns a size in bytes.

    >>> size("4GB"), size("512MiB")
    (4000000000, 536870912)
    """
    return int(min(_quantity(text, dict(BYTES), "500MB or 4GB"), LARGEST))


def whole(what: str, value: int, least: int, most: int) -> int:
    """Returns the value; raises ValueError if it is outside `least` … `most`.

    >>> whole("seed", 7, 0, 9)
    7
    """
    if not least <= value <= most:
        raise ValueError(f"{what} is a number from {least} to {most}, not {value!r}")
    return value


def readable_size(count: float) -> str:
    """Returns a number of bytes as text.

    >>> readable_size(1234567)
    '1.2 MB'
    """
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError
