"""`--policy synthetic:ACCURACY`: a random policy of the given accuracy.

Options follow after commas, as in synthetic:0.9,error_profile=linear.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fsplan.planner.policies.kind import PolicyKind

_PREFIX = "synthetic:"


def _make(text: str, task: Any, seed: int, masked: bool) -> Any:
    from fsplan.planner.policies.synthetic import synthetic

    accuracy, *options = text.removeprefix(_PREFIX).split(",")
    arguments: dict[str, Any] = {"seed": seed, "masked": masked}
    for option in options:
        key, equals, value = option.partition("=")
        if key not in _OPTIONS or not equals:
            raise ValueError(f"{text}: {option!r} is not one of {', '.join(f'{name}=…' for name in _OPTIONS)}")
        arguments[key] = _converted(_OPTIONS[key][0], value, option)
    return synthetic(task, _converted(float, accuracy, text), **arguments)


def _converted(convert: Callable[[str], Any], value: str, where: str) -> Any:
    try:
        return convert(value)
    except (ValueError, KeyError):
        raise ValueError(f"{where}: {value!r} is not a legal value") from None


def _truth(word: str) -> bool:
    return {"yes": True, "true": True, "no": False, "false": False}[word]


# Parser and default of each option. By default, seed and masked are those of the search, and support depends on masked.
_OPTIONS: dict[str, tuple[Callable[[str], Any], Any]] = {
    "distribution": (str, "normal"),
    "scale": (float, 1.0),
    "shared": (_truth, True),
    "support": (str, None),
    "masked": (_truth, None),
    "error_profile": (str, "constant"),
    "seed": (int, None),
    "max_states": (int, 10_000_000),
}

KIND = PolicyKind(
    "synthetic",
    "first choice optimal in this share of the states, drawn by seed; reachable states must fit in memory",
    example="synthetic:0.9",
    accepts=lambda text: text.startswith(_PREFIX),
    make=_make,
    reads=("seed", "masked"),
    defaults={name: default for name, (_, default) in _OPTIONS.items() if default is not None},
    forms=lambda: ("synthetic:ACCURACY",),
)
