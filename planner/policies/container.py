"""Reads and writes safetensors files, which hold named tensors and text metadata, without other packages.

A file consists of the length of the header (8 bytes, little-endian), the header (JSON) and the bytes of the tensors.
Nothing in a file is ever executed, and a file that violates the format is rejected with the reason.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from fsplan.planner.base.files import write as write_whole

Stored = TypeVar("Stored")

ITEM_BYTES = {"F32": 4, "F64": 8, "I64": 8, "U8": 1}
HEADER_LIMIT = 64 << 20
FILE_LIMIT = 4 << 30


class PolicyFileError(ValueError):
    """Raised if a policy file cannot be used; the message gives the file and the reason."""

    exit_code = 33


class Tensor:
    """A tensor: its type, its shape and its numbers as bytes in row-major, little-endian order.

    >>> Tensor("F32", (2,), bytes(8)).shape
    (2,)
    """

    __slots__ = ("data", "dtype", "shape")

    def __init__(self, dtype: str, shape: tuple[int, ...], data: bytes) -> None:
        size = ITEM_BYTES[dtype]
        for extent in shape:
            size *= extent
        if size != len(data):
            raise ValueError(f"a tensor of shape {shape} of {dtype} takes {size} bytes, not {len(data)}")
        self.dtype, self.shape, self.data = dtype, shape, data


def read_container(path: str | os.PathLike[str]) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors and the metadata of a file; raises PolicyFileError if the file is invalid."""
    try:
        return _parse(_read_regular_file(path))
    except PolicyFileError as error:
        raise PolicyFileError(f"{os.fspath(path)}: {error}") from None
    except OSError as error:
        raise PolicyFileError(f"{os.fspath(path)}: {error.strerror or error}") from None


def write_container(path: str | os.PathLike[str], tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
    """Writes the file to a temporary name and renames it, so that it is never incomplete."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    offset = 0
    for name, tensor in tensors.items():
        end = offset + len(tensor.data)
        header[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > HEADER_LIMIT:
        raise PolicyFileError(f"{os.fspath(path)}: the header would take {len(text)} bytes")
    write_whole(path, b"".join([len(text).to_bytes(8, "little"), text, *(t.data for t in tensors.values())]))


def _read_regular_file(path: str | os.PathLike[str]) -> bytes:
    with open(path, "rb", opener=_open_without_waiting) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise PolicyFileError("not a regular file")
        if status.st_size > FILE_LIMIT:
            raise PolicyFileError(f"{status.st_size} bytes are more than the {FILE_LIMIT} allowed")
        return file.read(status.st_size)  # without a size the buffer is larger, which counts towards --memory-limit


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _parse(content: bytes) -> tuple[dict[str, Tensor], dict[str, str]]:
    if len(content) < 8:
        raise PolicyFileError("truncated: no header")
    length = int.from_bytes(content[:8], "little")
    if length > HEADER_LIMIT:
        raise PolicyFileError(f"oversized header of {length} bytes, or not a safetensors file")
    if 8 + length > len(content):
        raise PolicyFileError(f"truncated: the header takes {length} bytes, the file has {len(content) - 8}")
    header = parse_json(content[8 : 8 + length])
    if not isinstance(header, dict):
        raise PolicyFileError("the header is not a JSON object")
    metadata = _checked_metadata(header.pop("__metadata__", {}))
    return _slice_tensors(header, memoryview(content)[8 + length :]), metadata


def parse_json(text: str | bytes) -> Any:
    """Parses JSON; raises PolicyFileError for invalid JSON, repeated keys and NaN."""
    try:
        return json.loads(text, object_pairs_hook=_object_without_repeats, parse_constant=_refuse_constant)
    except PolicyFileError:
        raise
    except (ValueError, RecursionError) as error:
        raise PolicyFileError(f"bad JSON: {error}") from None


def _refuse_constant(name: str) -> None:
    raise PolicyFileError(f"bad JSON: {name} is not a number")


def _object_without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise PolicyFileError("bad JSON: an object repeats a key")
    return found


def _checked_metadata(metadata: Any) -> dict[str, str]:
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise PolicyFileError("the metadata is not a map from text to text")
    return metadata


def _slice_tensors(header: dict[str, Any], data: memoryview) -> dict[str, Tensor]:
    """The tensors by name; they must fill the data without gaps and without overlaps."""
    spans = sorted((_span(name, entry) for name, entry in header.items()), key=lambda span: span[:2])
    position = 0
    tensors = {}
    for begin, end, name, dtype, shape in spans:
        if begin != position or end < begin:
            raise PolicyFileError(f"tensor {name!r} begins at {begin}, expected {position}")
        if end > len(data):
            raise PolicyFileError(f"truncated: tensor {name!r} ends at {end}, the data at {len(data)}")
        try:
            tensors[name] = Tensor(dtype, shape, bytes(data[begin:end]))
        except ValueError as error:
            raise PolicyFileError(f"tensor {name!r}: {error}") from None
        position = end
    if position != len(data):
        raise PolicyFileError(f"{len(data) - position} bytes after the last tensor")
    return tensors


def _span(name: str, entry: Any) -> tuple[int, int, str, str, tuple[int, ...]]:
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise PolicyFileError(f"tensor {name!r} needs dtype, shape and data_offsets")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in ITEM_BYTES:
        raise PolicyFileError(f"tensor {name!r} has type {dtype!r}, expected one of {', '.join(ITEM_BYTES)}")
    if not _are_counts(shape) or len(shape) > 8 or not _are_counts(offsets) or len(offsets) != 2:
        raise PolicyFileError(f"tensor {name!r} has a bad shape or bad offsets")
    return offsets[0], offsets[1], name, dtype, tuple(shape)


def _are_counts(numbers: Any) -> bool:
    return isinstance(numbers, list) and all(type(n) is int and 0 <= n <= FILE_LIMIT for n in numbers)


def read_document(
    path: str | os.PathLike[str], format: str, make: Callable[[Any, dict[str, Tensor]], Stored]
) -> Stored:
    """Returns make(metadata, tensors) for a file of this format; errors name the file."""
    tensors, metadata = read_container(path)
    try:
        return make(parse_json(metadata.get(format, "null")), tensors)
    except PolicyFileError as error:
        raise PolicyFileError(f"{path}: {error}") from None


def section_lines(title: str, section: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The entries of a metadata section as pairs of a title and a text.

    >>> section_lines("accuracy", {"mean": 0.73456, "method": "sampled"})
    [('accuracy mean', '0.7346'), ('accuracy method', 'sampled')]
    """
    texts = {key: f"{value:.4g}" if isinstance(value, float) else str(value) for key, value in section.items()}
    return [(f"{title} {key}", text if len(text) <= 100 else text[:99] + "…") for key, text in texts.items()]


def aligned(lines: list[tuple[str, str]]) -> str:
    """Pairs of titles and texts as lines with two columns."""
    width = max(len(title) for title, _ in lines)
    return "\n".join(f"{title:{width}}  {text}" for title, text in lines)
