"""Encoders, which map the integers of a state to the 0/1 inputs of a network.

Each integer of a state sets at most one input to 1. So a state is encoded as a list of input numbers (sparse, for the
networks in `network.Mlp`) or as a row of zeros and ones (dense, for any other torch module).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


class Encoder:
    """An encoder; `inputs` gives, for each value of each variable, the number of the input that it sets, or -1.

    >>> encoder = Encoder.one_hot([2, 3])
    >>> encoder.sparse(np.array([[1, 0], [0, 2]])).tolist()
    [[1, 2], [0, 4]]
    >>> encoder.dense(np.array([[1, 0]])).tolist()
    [[0.0, 1.0, 1.0, 0.0, 0.0]]
    """

    def __init__(self, domain_sizes: Sequence[int], inputs: Sequence[int] | None = None) -> None:
        self.domain_sizes = [int(size) for size in domain_sizes]
        self.kind = "one-hot" if inputs is None else "bits"
        self.first = np.cumsum([0, *self.domain_sizes])[:-1].astype(np.int64)
        numbers = np.arange(sum(self.domain_sizes)) if inputs is None else np.array(inputs, dtype=np.int64)
        if len(numbers) != sum(self.domain_sizes):
            raise ValueError("an encoder needs an input number, or -1, for every value of every domain")
        self.input_count = int(numbers.max()) + 1
        # -1 is replaced by the number of an additional padding input, whose weights are 0.
        self.inputs = np.where(numbers < 0, self.input_count, numbers).astype(np.int64)

    @classmethod
    def one_hot(cls, domain_sizes: Sequence[int]) -> Encoder:
        return cls(domain_sizes)

    @classmethod
    def bits(cls, domain_sizes: Sequence[int], is_atom: Sequence[bool]) -> Encoder:
        """An encoder with inputs only for values that represent an atom; `is_atom` has a flag per value."""
        numbers = np.cumsum(np.asarray(is_atom, dtype=np.int64)) - 1
        return cls(domain_sizes, np.where(is_atom, numbers, -1).tolist())

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Encoder:
        return cls(document["domain_sizes"], document.get("inputs") if document["kind"] == "bits" else None)

    def to_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {"kind": self.kind, "domain_sizes": self.domain_sizes}
        if self.kind == "bits":
            document["inputs"] = np.where(self.inputs == self.input_count, -1, self.inputs).tolist()
        return document

    def __repr__(self) -> str:
        return f"<Encoder {self.kind}: {len(self.domain_sizes)} variables, {self.input_count} inputs>"

    def sparse(self, values: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """For every state, the number of the input that is 1 for each of its values; `input_count` if there is none."""
        numbers = values.astype(np.int64) + self.first
        return np.asarray(numbers if self.kind == "one-hot" else self.inputs[numbers], dtype=np.int64)

    def dense(self, values: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        rows = np.zeros((len(values), self.input_count + 1), dtype=np.float32)
        rows[np.arange(len(values))[:, None], self.sparse(values)] = 1
        return np.ascontiguousarray(rows[:, :-1])

    __call__ = dense
