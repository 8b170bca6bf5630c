"""Converts the weight w between text, numbers and exact fractions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import gcd
from operator import index
from typing import Any, TypeAlias

Weight: TypeAlias = "str | int | float | Fraction | Decimal"

_LARGEST_TERM = 2**63 - 1


def parse_weight(w: Weight) -> tuple[int, int]:
    """Returns w as an exact fraction; a float means the decimal number that it prints as.

    >>> parse_weight("1.15"), parse_weight(1.15), parse_weight("4/3"), parse_weight(2)
    ((23, 20), (23, 20), (4, 3), (2, 1))
    """
    try:
        if isinstance(w, (str, float)):
            numerator, denominator = _parse_fraction(w if isinstance(w, str) else repr(float(w)))
        else:
            number: Any = w
            exact = number if hasattr(w, "as_integer_ratio") else index(number)  # `index` converts numpy's integers
            numerator, denominator = exact.as_integer_ratio()
    except (AttributeError, TypeError, ValueError, OverflowError, ArithmeticError):
        raise ValueError(f"w must be a number such as 1.5 or 3/2, not {w!r}") from None
    if denominator < 1 or numerator < denominator:
        raise ValueError(f"w must be at least 1, not {w}")
    common = gcd(numerator, denominator)
    numerator, denominator = numerator // common, denominator // common
    if numerator > _LARGEST_TERM:
        raise ValueError(f"w has too many digits: {w}")
    return numerator, denominator


def weight_text(w: Weight) -> str:
    """Returns the weight as the shortest exact text.

    >>> weight_text(1.50), weight_text("4/3"), weight_text("6/4")
    ('1.5', '4/3', '1.5')
    """
    numerator, denominator = parse_weight(w)
    short = f"{numerator / denominator:.12g}"
    return short if parse_weight(short) == (numerator, denominator) else f"{numerator}/{denominator}"


def _parse_fraction(text: str) -> tuple[int, int]:
    mantissa, _, exponent = text.lower().strip().partition("e")
    over, slash, under = mantissa.partition("/")
    if slash:
        if exponent:
            raise ValueError(text)
        return _digits(over), _digits(under)
    whole, _, decimals = over.partition(".")
    power = int(exponent or "0") - len(decimals)
    if abs(power) > 40:
        raise ValueError
    digits = _digits(whole + decimals)
    return (digits * 10**power, 1) if power >= 0 else (digits, 10**-power)


def _digits(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ValueError
    return int(text)
