"""fsplan beside Fast Downward, in an experiment of Downward Lab.

    pip install fsplan lab up-fast-downward
    python experiment.py --all
    BENCHMARKS=~/downward-benchmarks SUITE=gripper,blocks python experiment.py --all

The experiment and its reports go to the folder DATA. Without BENCHMARKS, two tasks that come with fsplan are run. Fast
Downward is the one of DOWNWARD_REPO, if that is set, and otherwise that of the package up-fast-downward.
"""

import importlib.util
import os
import sys
from importlib.resources import files
from pathlib import Path

from downward import suites
from downward.experiment import FastDownwardExperiment
from downward.reports.absolute import AbsoluteReport
from fsplan_lab import ATTRIBUTES, FsplanParser, OtherPlanners, add_fsplan, add_runs
from lab.environments import LocalEnvironment
from lab.experiment import Experiment

BENCHMARKS = os.environ.get("BENCHMARKS", str(files("fsplan") / "planner" / "integrations" / "teaching" / "examples"))
SUITE = os.environ.get("SUITE", "1-courier,3-robot").split(",")
DATA = Path(os.environ.get("DATA", "data")).resolve()
SECONDS, MEGABYTES = 60, 2000


def fast_downward():
    """The driver of Fast Downward."""
    if "DOWNWARD_REPO" in os.environ:
        return Path(os.environ["DOWNWARD_REPO"]) / "fast-downward.py"
    folder = importlib.util.find_spec("up_fast_downward").submodule_search_locations[0]
    return Path(folder) / "downward" / "fast-downward.py"


def add_fast_downward(experiment, name, tasks, options):
    limits = ["--overall-time-limit", f"{SECONDS}s", "--overall-memory-limit", f"{MEGABYTES}M"]
    for run in add_runs(experiment, name, tasks, options):
        run.add_command("planner", [sys.executable, str(fast_downward()), *limits, "{domain}", "{problem}", *options])


experiment = Experiment(DATA / "fsplan", LocalEnvironment(processes=1))
tasks = suites.build_suite(BENCHMARKS, SUITE)
add_fsplan(experiment, "fsplan-1.5", tasks, ["--w", "1.5"], SECONDS, MEGABYTES)
add_fsplan(experiment, "fsplan-1", tasks, ["--w", "1"], SECONDS, MEGABYTES)
add_fast_downward(experiment, "fd-lmcut", tasks, ["--search", "astar(lmcut())"])

experiment.add_parser(FsplanParser())
for parser in (
    FastDownwardExperiment.EXITCODE_PARSER,
    FastDownwardExperiment.TRANSLATOR_PARSER,
    FastDownwardExperiment.SINGLE_SEARCH_PARSER,
):
    experiment.add_parser(OtherPlanners(parser))
experiment.add_parser(FastDownwardExperiment.PLANNER_PARSER)

experiment.add_step("build", experiment.build)
experiment.add_step("start", experiment.start_runs)
experiment.add_step("parse", experiment.parse)
experiment.add_fetcher(name="fetch")
experiment.add_report(AbsoluteReport(attributes=ATTRIBUTES), outfile="report.html")
experiment.run_steps()
