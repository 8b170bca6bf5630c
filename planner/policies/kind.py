"""What a kind of policy declares about itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


class PolicyKind:
    """A kind of policy: how its policies are written, as in `--policy TEXT`, and how they are made.

    accepts   accepts(text): whether a text names a policy of this kind
    make      make(text, task, seed, masked): the policy that the text names
    example   a text of this kind
    reads     which options of a search change the policy: "seed", "masked"
    defaults  the values of the kind's own options, where it has some (synthetic:0.9,scale=1)
    forms     forms(): what can be written now, such as the names of the policies that fsplan ships
    file      file(text): the file that the policy is read from; empty for policies that are code
    """

    proves = "nothing: a policy decides where a search looks first, never what it proves"

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
