"""Reads JSON from untrusted files."""

from __future__ import annotations

import json
from typing import Any, NoReturn

LARGEST = 2**63  # larger numbers do not fit into table columns and drawings


def parse(text: str | bytes) -> Any:
    """Returns the parsed value; raises ValueError for text that is not JSON, NaN, deep nesting and lone surrogates."""
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
        if isinstance(text, bytes) or "\\ud" in text.lower():
            json.dumps(found, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeEncodeError:
        raise ValueError("it has half of a surrogate pair, which is no character") from None
    return found


def is_number(value: Any) -> bool:
    """Whether a value is a number below LARGEST in magnitude and not a bool."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < LARGEST


def is_whole(value: Any) -> bool:
    return isinstance(value, int) and is_number(value)


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")
