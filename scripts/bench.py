#!/usr/bin/env python
"""Measures fsplan, mostly beside other planners: scripts/bench.py SUITE [options]

    scripts/bench.py speed --only hmax --tasks blocks,gripper --seconds 5
    scripts/bench.py coverage --only auto --seconds 5 --every 5 --json coverage.json
    scripts/bench.py grounding --which largest
    scripts/bench.py --help                                  the suites; `bench.py SUITE --help` describes one

The tasks are in the folder FSPLAN_BENCHMARKS, or ../shared/benchmarks. Seconds are CPU seconds unless said otherwise,
so that other processes disturb them little, and planners that are compared run alternately.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

MODULES = ("grounding", "search", "bounds", "puzzles", "networks", "proofs", "limits")
Suite = Callable[[argparse.Namespace], None]
SUITES: dict[str, Suite] = {
    name: suite for module in MODULES for name, suite in import_module(f"benches.{module}").SUITES.items()
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parsers = parser.add_subparsers(required=True, metavar="SUITE")
    for name, suite in SUITES.items():
        text = suite.__doc__ or ""
        own = parsers.add_parser(
            name, help=text.split("\n")[0], description=text, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        add_options(own)
        own.set_defaults(suite=suite)
    options = parser.parse_args()
    options.suite(options)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--tasks", default="", help="only tasks whose domain/problem contains one of these words, joined by commas")
    add("--every", type=int, default=1, help="only every k-th of these (1)")
    add("--which", choices=("all", "first", "middle", "last", "largest"), default="all", help="tasks of each domain")
    add("--slice", default=":", metavar="I:J", help="of the tasks chosen so far only I to J - 1")
    add("--seconds", type=float, default=5.0, help="limit of each run (5)")
    add("--rounds", type=int, default=1, help="repetitions, of which the fastest counts (1)")
    add("--only", default="", help="parts of the suite, joined by commas")
    add("--jobs", type=int, default=1, help="runs at a time (1)")
    add("--json", type=Path, help="results of an earlier run: read, continued and written")
    add("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the suite, or of its runs")


if __name__ == "__main__":
    main()
