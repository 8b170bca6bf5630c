"""Measures microseconds per forward pass, and expansions per second of a search with each kind of policy.

Usage: python scripts/bench_policies.py [--states 20000] [--expansions 5000] [--policy blocks8.safetensors]

The search is focal search with disc2 and h_max on probBLOCKS-8-0, stopped after the same number of expansions (fewer
for slow policies). The network is the one in the policy file, or has random weights. Different policies expand
different states, so only a trained network is comparable with the table of optimal actions. Times are CPU times,
because other processes disturb them less.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import torch

import fsplan
from fsplan.planner import _core
from fsplan.planner.policies import files
from fsplan.planner.policies.base import score_edges
from fsplan.planner.policies.encoders import Encoder
from fsplan.planner.policies.network import Mlp, TorchPolicy, load_module, store_module
from fsplan.planner.policies.synthetic import synthetic
from fsplan.planner.tasks.task import Task

PAPER = [256, 160, 80, 16, 4]


def best_of(times: int, work: Callable[[], object]) -> float:
    """Returns the seconds of the fastest of several runs."""
    seconds = []
    for _ in range(times):
        begin = time.process_time()
        work()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def report(name: str, microseconds: float, plain: float) -> None:
    print(f"  {name:<28} {microseconds:9.2f} µs   {plain / microseconds:8.1f} ×")


def forward_passes(states: int) -> None:
    """Times the paper's network on boards of the 15-puzzle, for single states and for batches."""
    torch.manual_seed(1)
    module = Mlp(PAPER, active=16).eval()
    dense = torch.nn.Sequential()
    for number, (weight, bias) in enumerate(module.layers()):
        linear = torch.nn.Linear(weight.shape[1], weight.shape[0])
        linear.weight.data, linear.bias.data = weight.detach().clone(), bias.detach().clone()
        dense.append(linear)
        if number + 2 < len(PAPER):
            dense.append(torch.nn.ReLU())
    encoder = Encoder.cells(16, 16)
    boards = np.argsort(np.random.default_rng(2).random((states, 16)), axis=1).astype(np.int32)
    begin, actions = np.arange(states + 1, dtype=np.uint32) * 4, np.tile(np.arange(4, dtype=np.uint32), states)
    inputs = torch.from_numpy(encoder.dense(boards))
    few = inputs[: max(1, min(states, 2000))]

    def one_by_one(network: Any) -> None:
        with torch.no_grad():
            for row in torch.split(few, 1):
                network(row)

    def batches(size: int) -> None:
        with torch.no_grad():
            for rows in torch.split(inputs, size):
                dense(rows)

    print(f"{'-'.join(map(str, PAPER))}, one state (× faster than torch one at a time)")
    plain = best_of(3, lambda: one_by_one(dense)) / len(few) * 1e6
    report("torch, one at a time", plain, plain)
    scripted: Any = getattr(torch.jit, "trace")(dense, few[:1])  # noqa: B009
    report("torch, scripted", best_of(3, partial(one_by_one, scripted)) / len(few) * 1e6, plain)
    for size in (8, 64, 512):
        report(f"torch, batches of {size}", best_of(3, partial(batches, size)) / states * 1e6, plain)
    session = onnx_session(module)
    if session is not None:
        rows = few.numpy()
        seconds = best_of(3, lambda: [session.run(None, {"x": rows[i : i + 1]}) for i in range(len(rows))])
        report("onnxruntime, one at a time", seconds / len(rows) * 1e6, plain)
    stored = store_module(module, encoder, ["up", "left", "right", "down"])
    for name in _core.instruction_sets():
        policy = stored.native(instruction_set=name)
        seconds = best_of(5, partial(score_edges, policy, boards, begin, actions))
        report(f"native, {name}, with softmax", seconds / states * 1e6, plain)
        first_choice = partial(_core.policy_scores, policy, boards, begin, actions, "first-choice")
        report(f"native, {name}, first choice", best_of(5, first_choice) / states * 1e6, plain)


def onnx_session(module: Mlp) -> Any:
    """Returns the network in onnxruntime; None if that is not installed."""
    try:
        onnx, onnxruntime = import_module("onnx"), import_module("onnxruntime")
    except ImportError:
        return None
    helper, nodes, tensors, name = onnx.helper, [], [], "x"
    for number, (weight, bias) in enumerate(module.layers()):
        for kind, tensor in (("w", weight), ("b", bias)):
            tensors.append(onnx.numpy_helper.from_array(tensor.detach().numpy().copy(), f"{kind}{number}"))
        nodes.append(helper.make_node("Gemm", [name, f"w{number}", f"b{number}"], [f"y{number}"], transB=1))
        name = f"y{number}"
        if number + 2 < len(module.sizes):
            nodes.append(helper.make_node("Relu", [name], [f"r{number}"]))
            name = f"r{number}"
    shape = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "mlp",
        [shape("x", onnx.TensorProto.FLOAT, [None, module.sizes[0]])],
        [shape(name, onnx.TensorProto.FLOAT, [None, module.sizes[-1]])],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def searches(expansions: int, path: str | None) -> None:
    task = fsplan.load(fsplan.example("blocks-8-0"))
    encoder, names = Encoder.one_hot(task.state_space.domain_sizes()), list(task.actions)
    torch.manual_seed(1)
    if path is None:
        module = Mlp([encoder.input_count, 256, 128, len(names)], active=len(encoder.domain_sizes))
    else:
        loaded = load_module(files.read(path))
        assert isinstance(loaded, Mlp)
        module = loaded

    def torch_policy(batch: int) -> TorchPolicy:
        return TorchPolicy(module, encoder, names, batch=batch)

    print(f"focal disc2, {task.name}, hmax, network {'-'.join(map(str, module.sizes))}: expansions per second")
    plain = 0.0
    for name, policy, limit in (
        ("synthetic table, perfect", synthetic(task, 1.0), expansions),
        ("uniform", "uniform", expansions),
        ("native network", store_module(module, encoder, names).native(), expansions),
        ("torch, one at a time", torch_policy(1), expansions // 5),
        ("torch, batches of 8", torch_policy(8), expansions // 5),
        ("torch, batches of 64", torch_policy(64), expansions),
        ("torch, batches of 512", torch_policy(512), expansions),
    ):
        rate, statistics = fastest_search(task, policy, limit)
        plain = plain or rate
        each = statistics["evaluated"] / statistics["expanded"]
        print(f"  {name:<28} {rate:12,.0f} /s   {rate / plain:6.2f} of the table's   {each:.2f} evaluated an expansion")


def fastest_search(task: Task, policy: Any, limit: int) -> tuple[float, Any]:
    rate, statistics = 0.0, None
    for _ in range(3):
        begin = time.process_time()
        found = fsplan.focal(task, order="disc2", w=1.5, heuristic="hmax", policy=policy, expansion_limit=limit)
        rate = max(rate, found.statistics["expanded"] / (time.process_time() - begin))
        statistics = found.statistics
    return rate, statistics


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=20_000)
    parser.add_argument("--expansions", type=int, default=5_000)
    parser.add_argument("--policy", help="a policy file for blocks-8-0")
    options = parser.parse_args()
    torch.set_num_threads(1)
    forward_passes(options.states)
    searches(options.expansions, options.policy)


if __name__ == "__main__":
    main()
