"""Jobs, which are runs that share an expensive set-up and are done one after the other in one process.

A job names an *executor*, `module:function`. The function sets up what the runs share and returns a function that
does one run:

    def prepare(shared: Mapping[str, Any]) -> Callable[[Run], Mapping[str, Any]]

`python -m fsplan.planner.experiments.jobs FILE DESCRIPTOR` is that process: it reads the job from the file and reports
events, one JSON object per line, on the file descriptor.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from fsplan.planner.base.version import __version__
from fsplan.planner.experiments.records import Run

# Status of a run by the exit code of the exception that ended it; the codes are those of Fast Downward.
_STATUS = {20: "memout", 21: "timeout", 34: "unsupported"}
Executor = Callable[[Mapping[str, Any]], Callable[[Run], Mapping[str, Any]]]


@dataclass(frozen=True)
class Job:
    executor: str
    runs: tuple[Run, ...]
    shared: Mapping[str, Any] = field(default_factory=dict)
    setup_seconds: float = 600.0

    def without(self, keys: set[str]) -> Job:
        """The job without the runs with these keys."""
        return replace(self, runs=tuple(run for run in self.runs if run.key not in keys))

    def to_json(self) -> dict[str, Any]:
        return {
            "executor": self.executor,
            "runs": [run.to_json() for run in self.runs],
            "shared": dict(self.shared),
            "setup_seconds": self.setup_seconds,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Job:
        runs = tuple(Run.from_json(run) for run in data["runs"])
        return cls(data["executor"], runs, data["shared"], data["setup_seconds"])


def find_executor(name: str) -> Executor:
    module, _, function = name.partition(":")
    executor: Executor = getattr(import_module(module), function)
    return executor


def machine() -> str:
    """A description of the machine in one line: host, processor and number of cores."""
    processor = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as file:
            names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
        processor = names[0] if names else processor
    except OSError:
        pass
    return f"{platform.node()}, {processor}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"


def versions() -> str:
    return f"fsplan {__version__}, Python {platform.python_version()}"


def work(job: Job, emit: Callable[[Mapping[str, Any]], None]) -> None:
    """Does all runs of the job; an exception in a run is recorded as its result, and the next run follows."""
    emit({"about": {"machine": machine(), "versions": versions()}})
    try:
        run_one = find_executor(job.executor)(job.shared)
    except MemoryError:
        emit({"failed": "memout", "message": "out of memory while setting up"})
        return
    except Exception as error:
        emit({"failed": "error", "message": describe(error)})
        return
    for run in job.runs:
        emit({"begin": run.key})
        emit({"end": run.key, "measured": _measure(run_one, run)})


def _measure(run_one: Callable[[Run], Mapping[str, Any]], run: Run) -> Mapping[str, Any]:
    try:
        return run_one(run)
    except MemoryError:
        return {"status": "memout"}
    except Exception as error:
        status = _STATUS.get(getattr(error, "exit_code", 0), "error")
        return {"status": status, "message": describe(error)}


def describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:2000]


def main(arguments: list[str]) -> None:
    path, descriptor = arguments
    with open(path, encoding="utf-8") as file:
        job = Job.from_json(json.load(file))
    with open(int(descriptor), "w", encoding="utf-8") as events:

        def emit(event: Mapping[str, Any]) -> None:
            events.write(json.dumps(event) + "\n")
            events.flush()

        work(job, emit)


if __name__ == "__main__":
    main(sys.argv[1:])
