"""Inference of networks, and searches with each kind of policy."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import fsplan
from benches.base import Table

STATES = 20_000
EXPANSIONS = 5_000
PAPER = [256, 160, 80, 16, 4]


def networks(options: Namespace) -> None:
    """Microseconds per forward pass by torch and by fsplan, and expansions per second of searches by kind of policy.

    The searches are focal search with disc2 and h_max on probBLOCKS-8-0, stopped after the same number of expansions.
    The network has random weights, or is the policy file of `--option policy=FILE`. Policies expand different states.
    """
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(1)
    table = Table("forward pass of " + "-".join(map(str, PAPER)), 44, {"µs": ">9.2f", "× torch": ">8.1f"})
    passes = forward_passes()
    for name, (states, work) in passes.items():
        microseconds = best_of(3, work) / states * 1e6
        table.add(name, microseconds, (table.column("µs") or [microseconds])[0] / microseconds)
    given = dict(word.split("=", 1) for word in options.option)
    task = fsplan.load(fsplan.example("blocks-8-0"))
    table = Table("focal disc2, blocks-8-0, hmax", 44, {"exp/s": ">12,.0f", "of table": ">8.2f", "evaluated": ">9"})
    for name, policy in policies(task, given.get("policy")).items():
        search = partial(fsplan.solve, task, order="disc2", w=1.5, heuristic="hmax", policy=policy)
        result = search(expansion_limit=EXPANSIONS)
        rate = result.statistics["expanded"] / best_of(3, partial(search, expansion_limit=EXPANSIONS))
        table.add(name, rate, rate / (table.column("exp/s") or [rate])[0], result.statistics["evaluated"])


def best_of(times: int, work: Callable[[], object]) -> float:
    """Returns the CPU seconds of the fastest of several runs."""
    seconds = []
    for _ in range(times):
        begin = process_time()
        work()
        seconds.append(process_time() - begin)
    return min(seconds)


def forward_passes() -> dict[str, tuple[int, Callable[[], object]]]:
    """Returns the number of states and the function of each way to evaluate the paper's network on 15-puzzle boards."""
    import numpy as np
    import torch

    from fsplan.planner import _core
    from fsplan.planner.policies.encoders import Encoder
    from fsplan.planner.policies.network import Mlp, store_module

    module, encoder = Mlp(PAPER, active=16).eval(), Encoder.one_hot([16] * 16)
    boards = np.argsort(np.random.default_rng(2).random((STATES, 16)), axis=1).astype(np.int32)
    begin, actions = np.arange(STATES + 1, dtype=np.uint32) * 4, np.tile(np.arange(4, dtype=np.uint32), STATES)
    inputs = torch.from_numpy(encoder.sparse(boards))

    def batches(size: int, rows: torch.Tensor) -> None:
        with torch.no_grad():
            for part in torch.split(rows, size):
                module(part)

    passes: dict[str, tuple[int, Callable[[], object]]] = {}
    for size, states in ((1, STATES // 10), (8, STATES), (64, STATES), (512, STATES)):
        passes[f"torch, batches of {size}"] = states, partial(batches, size, inputs[:states])
    stored = store_module(module, encoder, ["up", "left", "right", "down"])
    for name in _core.instruction_sets():
        for reading in ("log-probabilities", "first-choice"):
            scores = partial(_core.policy_scores, stored.native(instruction_set=name), boards, begin, actions, reading)
            passes[f"native, {name}, {reading}"] = STATES, scores
    return passes


def policies(task: fsplan.Task, path: str | None) -> dict[str, Any]:
    from fsplan.planner.policies import files
    from fsplan.planner.policies.encoders import Encoder
    from fsplan.planner.policies.network import Mlp, TorchPolicy, load_module, store_module
    from fsplan.planner.policies.synthetic import synthetic

    encoder, names = Encoder.one_hot(task.state_space.domain_sizes()), list(task.actions)
    random = Mlp([encoder.input_count, 256, 128, len(names)], active=len(encoder.domain_sizes))
    module = load_module(files.read(path)) if path else random
    return {
        "synthetic table, perfect": synthetic(task, 1.0),
        "uniform": "uniform",
        "native network": store_module(module, encoder, names).native(),
        **{f"torch, batches of {size}": TorchPolicy(module, encoder, names, batch=size) for size in (1, 8, 64, 512)},
    }


SUITES = {"networks": networks}
