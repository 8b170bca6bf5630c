"""Reading a policy file restores the stored policy; damaged and foreign files are refused."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from fsplan.planner.policies import files
from fsplan.planner.policies.container import PolicyFileError, Tensor, read_container, write_container
from fsplan.planner.policies.signature import Signature


def floats(*numbers: float) -> bytes:
    return struct.pack(f"<{len(numbers)}f", *numbers)


def small_policy() -> files.StoredPolicy:
    """A network for two variables with two and three values, with three hidden units and two actions."""
    return files.StoredPolicy(
        architecture={"kind": "mlp", "layers": [5, 3, 2]},
        encoder={"kind": "one-hot", "domain_sizes": [2, 3]},
        actions=["go a", "go b"],
        tensors={
            "layers.0.weight": Tensor("F32", (3, 5), floats(*(0.25 * i for i in range(15)))),
            "layers.0.bias": Tensor("F32", (3,), floats(0.5, -1, 2)),
            "layers.1.weight": Tensor("F32", (2, 3), floats(1, -2, 3, -1, 0.5, 0.25)),
            "layers.1.bias": Tensor("F32", (2,), floats(0.125, -0.5)),
        },
        task=signature().as_task(),
        accuracy={"test": 0.9},
        training={"seed": 7},
    )


def signature(goal: str = "at(b)", actions: tuple[str, ...] = ("go a", "go b")) -> Signature:
    return Signature("toy", [2, 3], list(actions), "domain", goal)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    target = tmp_path / "p.safetensors"
    files.write(target, small_policy())
    return target


def test_round_trip(path: Path) -> None:
    stored, original = files.read(path), small_policy()
    for section in ("architecture", "encoder", "actions", "task", "accuracy", "training"):
        assert getattr(stored, section) == getattr(original, section)
    assert {name: (t.shape, t.data) for name, t in stored.tensors.items()} == {
        name: (t.shape, t.data) for name, t in original.tensors.items()
    }
    assert stored.measured_accuracy == 0.9
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_the_safetensors_package_reads_our_files_and_we_read_its(path: Path, tmp_path: Path) -> None:
    numpy = pytest.importorskip("safetensors.numpy")
    import numpy as np

    assert numpy.load_file(path)["layers.1.bias"].tolist() == [0.125, -0.5]
    other = tmp_path / "other.safetensors"
    numpy.save_file({"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.zeros(0, np.float32)}, other)
    tensors, _ = read_container(other)
    assert tensors["a"].shape == (2, 3)
    assert tensors["a"].data == floats(0, 1, 2, 3, 4, 5)
    assert tensors["b"].shape == (0,)


def test_show_names_network_actions_and_accuracy(path: Path) -> None:
    text = files.show(path)
    for part in ("5-3-2", "go a", "0.9", "26", "one-hot"):
        assert part in text
    assert files.describe(path)["parameters"] == 26


def test_fits_only_its_task() -> None:
    stored = small_policy()
    stored.check_fits(signature())
    with pytest.raises(PolicyFileError, match="another goal"):
        stored.check_fits(signature(goal="at(a)"))
    with pytest.raises(PolicyFileError, match=r"\(go b\) in the file and \(go c\)"):
        stored.check_fits(signature(actions=("go a", "go c")))
    with pytest.raises(PolicyFileError, match="2 actions, the task has 3"):
        stored.check_fits(signature(actions=("go a", "go b", "go c")))
    with pytest.raises(PolicyFileError, match="2 variables"):
        stored.check_fits(Signature("toy", [2], ["go a", "go b"], "domain", "at(b)"))
    with pytest.raises(PolicyFileError, match="domain is another"):
        stored.check_fits(Signature("toy", [2, 3], ["go a", "go b"], "other domain", "at(b)"))


def rewritten(path: Path, tensors: dict[str, Tensor] | None = None, **sections: object) -> Path:
    """The file with parts of its JSON header or its tensors replaced."""
    old, metadata = read_container(path)
    document = json.loads(metadata[files.FORMAT]) | sections
    write_container(path, {**old, **(tensors or {})}, {files.FORMAT: json.dumps(document)})
    return path


@pytest.mark.parametrize(
    ("sections", "reason"),
    [
        ({"version": 2}, "unknown format version 2"),
        ({"version": None}, "unknown format version None"),
        ({"architecture": {"kind": "pickle"}}, "unknown kind of network"),
        ({"architecture": {"kind": "mlp", "layers": [5, 4, 2]}}, "expected F32"),
        ({"architecture": {"kind": "mlp", "layers": [5, 3, 3, 2]}}, "disagree"),
        ({"architecture": {"kind": "mlp", "layers": [5, 0, 2]}}, "not positive"),
        ({"architecture": {"kind": "mlp", "layers": [6, 3, 2]}}, "6 inputs, but the encoder gives 5"),
        ({"architecture": []}, "lacks architecture"),
        ({"encoder": {"kind": "one-hot", "domain_sizes": [2, 4]}}, "encoder gives 6"),
        ({"encoder": {"kind": "one-hot", "domain_sizes": [-2, 7]}}, "domain sizes"),
        ({"encoder": {"kind": "image"}}, "unknown encoder"),
        ({"encoder": {"kind": "bits", "domain_sizes": [2, 3], "inputs": [0, 1]}}, "do not number"),
        ({"actions": ["go a"]}, "2 outputs, but 1 actions"),
        ({"actions": [1, 2]}, "not a list of names"),
        ({"task": {"problems": 3}}, "fingerprints"),
        ({"accuracy": {"test_by_distance": [1, 2]}}, "test_by_distance"),
        ({"accuracy": {"test_by_distance": {"x": 0.5}}}, "test_by_distance"),
        ({"accuracy": {"test_by_distance": {"3": "0.5"}}}, "test_by_distance"),
    ],
)
def test_a_document_that_does_not_fit_is_refused(path: Path, sections: dict[str, object], reason: str) -> None:
    with pytest.raises(PolicyFileError, match=reason):
        files.read(rewritten(path, None, **sections))


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_weight_that_is_not_finite_is_refused(path: Path, number: float) -> None:
    bias = {"layers.1.bias": Tensor("F32", (2,), floats(1, number))}
    with pytest.raises(PolicyFileError, match="not finite"):
        files.read(rewritten(path, bias))


@pytest.mark.parametrize(("dtype", "packing"), [("F32", "<f"), ("F64", "<d")])
def test_a_weight_that_is_not_finite_is_refused_in_a_custom_network(path: Path, dtype: str, packing: str) -> None:
    own = {"kind": "module", "name": "my.module:Net"}
    files.read(rewritten(path, {"inner.weight": Tensor(dtype, (1,), struct.pack(packing, 1.0))}, architecture=own))
    not_finite = {"inner.weight": Tensor(dtype, (1,), struct.pack(packing, float("nan")))}
    with pytest.raises(PolicyFileError, match=r"inner\.weight has a number that is not finite"):
        files.read(rewritten(path, not_finite, architecture=own))


def test_another_shape_or_type_is_refused(path: Path) -> None:
    flat = {"layers.0.weight": Tensor("F32", (15,), floats(*range(15)))}
    with pytest.raises(PolicyFileError, match=r"expected F32 \(3, 5\)"):
        files.read(rewritten(path, flat))
    double = {"layers.1.bias": Tensor("F64", (2,), bytes(16))}
    with pytest.raises(PolicyFileError, match="expected F32"):
        files.read(rewritten(path, double))


def container(header: object, data: bytes = b"", length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + data


def entry(begin: int, end: int, count: int, dtype: str = "F32") -> dict[str, object]:
    return {"dtype": dtype, "shape": [count], "data_offsets": [begin, end]}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "truncated"),
        (b"\x01\x02", "truncated"),
        (container({}, length=1 << 40), "oversized header"),
        (container({}, length=100), "truncated"),
        (container(b"{" * 100_000), "bad JSON"),
        (container(b"[" * 100_000), "bad JSON"),
        (container(b'{"a": 1, "a": 2}'), "repeats a key"),
        (container(b'{"a": NaN}'), "NaN"),
        (container([1]), "not a JSON object"),
        (container({"__metadata__": {"a": 1}}), "text to text"),
        (container({"a": entry(0, 4, 1), "b": entry(0, 4, 1)}, bytes(4)), "expected 4"),
        (container({"a": entry(0, 8, 2), "b": entry(4, 12, 2)}, bytes(12)), "expected 8"),
        (container({"a": entry(4, 8, 1)}, bytes(8)), "expected 0"),
        (container({"a": entry(0, 8, 2)}, bytes(4)), "truncated"),
        (container({"a": entry(0, 4, 1)}, bytes(5)), "after the last"),
        (container({"a": entry(0, 4, 2)}, bytes(4)), "takes 8 bytes"),
        (container({"a": entry(0, -4, 1)}, bytes(4)), "bad shape"),
        (container({"a": entry(0, 4, -1)}, bytes(4)), "bad shape"),
        (container({"a": entry(0, 4, 1 << 62)}, bytes(4)), "bad shape"),
        (container({"a": entry(0, 4, 1, "F16")}, bytes(4)), "F16"),
        (container({"a": {"dtype": "F32", "shape": [True], "data_offsets": [0, 4]}}, bytes(4)), "bad shape"),
        (container({"a": {"dtype": "F32", "shape": [1 << 30] * 8, "data_offsets": [0, 4]}}, bytes(4)), "takes"),
        (container({"a": {"shape": [1]}}, bytes(4)), "needs dtype"),
        (container({}), "not a policy"),
        (container({"__metadata__": {"fsplan-policy": "[1, 2"}}), "bad JSON"),
        (container(b'{"a": ' + b"9" * 10_000 + b"}"), "JSON|needs dtype"),
        (b"\x80\x04\x95" + bytes(100), "oversized header|truncated"),
    ],
)
def test_hostile_files_are_refused_with_the_reason(tmp_path: Path, content: bytes, reason: str) -> None:
    hostile = tmp_path / "hostile.safetensors"
    hostile.write_bytes(content)
    with pytest.raises(PolicyFileError, match=reason) as caught:
        files.read(hostile)
    assert "hostile.safetensors" in str(caught.value)


def test_what_is_not_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PolicyFileError, match="No such file"):
        files.read(tmp_path / "absent")
    with pytest.raises(PolicyFileError, match="directory"):
        files.read(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(PolicyFileError, match="regular"):
        files.read(tmp_path / "pipe")


def test_a_failed_write_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def fail(source: str, target: str) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        files.write(path, small_policy())
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_reading_takes_no_more_memory_than_the_file(path: Path) -> None:
    script = f"""
import resource
resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, resource.RLIM_INFINITY))
from fsplan.planner.policies import files
print(files.read({str(path)!r}).actions)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd="/")
    assert (ran.stdout, ran.stderr) == ("['go a', 'go b']\n", "")


def test_the_message_does_not_repeat_the_name_of_code_in_a_file(path: Path) -> None:
    architecture = {"kind": "module", "name": "os:system"}
    with pytest.raises(PolicyFileError, match="net=MODULE:CLASS") as refused:
        files.read(rewritten(path, None, architecture=architecture)).native()
    assert "net=os:system" not in str(refused.value)
