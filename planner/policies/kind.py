"""The declaration of a kind of policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any


class PolicyKind:
    """A kind of policy, with the syntax of its names, as in `--policy TEXT`, and a function that creates policies.

    accepts   accepts(text): True if the text names a policy of this kind
    make      make(text, task, seed, masked): creates the policy that the text names
    example   an example of such a text
    reads     the search options that affect the policy: "seed", "masked"
    defaults  default values of options within the text, as in synthetic:0.9,scale=1
    forms     forms(): the texts or patterns that are accepted, such as the names of the shipped policies
    file      file(text): the file that the policy is read from; empty if there is none
    """

    __slots__ = ("accepts", "defaults", "example", "file", "forms", "make", "name", "reads", "summary")

    def __init__(
        self,
        name: str,
        summary: str,
        *,
        example: str,
        accepts: Callable[[str], bool],
        make: Callable[[str, Any, int, bool], Any],
        reads: Sequence[str] = (),
        defaults: Mapping[str, Any] | None = None,
        forms: Callable[[], Sequence[str]] | None = None,
        file: Callable[[str], str] | None = None,
    ) -> None:
        self.name, self.summary, self.example = name, summary, example
        self.accepts, self.make = accepts, make
        self.reads, self.defaults = tuple(reads), dict(defaults or {})
        self.forms = forms or (lambda: (name,))
        self.file = file or (lambda text: "")

    def __repr__(self) -> str:
        return f"PolicyKind({self.name!r})"
