"""`fsplan policy show` and `fsplan policy accuracy`."""

from __future__ import annotations

import sys

from fsplan.planner.load import load_words
from fsplan.planner.quantities import seconds


def show(file: str, json: bool) -> int:
    from fsplan.planner.policies.describe import describe, show

    if json:
        from json import dumps

        print(dumps(describe(file), indent=2))
    else:
        print(show(file))
    return 0


def accuracy(
    policy: str,
    task: tuple[str, ...],
    max_states: int,
    samples: int,
    walk: int,
    trace_limit: str,
    seed: int,
    json: bool,
    reader: str,
) -> int:
    from fsplan.planner.policies.commands import policy_accuracy

    def tell(done: int, wanted: int) -> None:
        if sys.stderr.isatty():
            print(end=f"\r{done} of {wanted} traces", file=sys.stderr, flush=True)

    found = policy_accuracy(
        policy,
        load_words(task, reader=reader),
        max_states=max_states,
        samples=samples,
        walk=walk,
        seconds_each=seconds(trace_limit),
        seed=seed,
        on_progress=tell,
    )
    if json:
        from json import dumps

        print(dumps(found.to_json(), indent=2))
    else:
        print(found.text())
    return 0
