"""Runs of fsplan in experiments of Downward Lab (https://lab.readthedocs.io), and their parser.

`add_fsplan` adds runs to any experiment, also to a FastDownwardExperiment. The attributes have lab's names, so that
lab's reports show fsplan beside Fast Downward; `lower_bound` and `proven_ratio` are fsplan's own.
"""

import json
import sys
from pathlib import Path

from downward import outcomes
from lab.parser import Parser
from lab.reports import Attribute

PLANNER = "fsplan"
ATTRIBUTES = [
    "coverage",
    "cost",
    "plan_length",
    Attribute("lower_bound", min_wins=False, scale="linear"),
    Attribute("proven_ratio", scale="linear"),
    "expansions",
    "evaluated",
    "generated",
    "search_time",
    "total_time",
    "memory",
    "error",
]
STATISTICS = {
    "expansions": "expanded",
    "evaluated": "evaluated",
    "generated": "generated",
    "search_time": "search_seconds",
    "total_time": "total_seconds",
}


def add_fsplan(experiment, name, tasks, options, seconds=300, megabytes=3500):
    """Adds one run per task of a suite (`downward.suites.build_suite`). fsplan ends itself at its limits with its best
    plan and bound; lab's limits, a little above, only end a run that hangs."""
    limits = ["--time-limit", f"{seconds}s", "--memory-limit", f"{megabytes}MB"]
    outputs = ["--quiet", "--json", "result.json", "--plan-file", "sas_plan"]
    command = [sys.executable, "-m", "fsplan", "{domain}", "{problem}", *options, *limits, *outputs]
    for run in add_runs(experiment, name, tasks, options):
        run.set_property("planner", PLANNER)
        run.add_command("planner", command, time_limit=seconds + 30, memory_limit=megabytes + 500)


def add_runs(experiment, name, tasks, options):
    """Adds runs of one algorithm, with the properties that lab's reports read, and yields them."""
    for task in tasks:
        run = experiment.add_run()
        run.add_resource("domain", task.domain_file, "domain.pddl", symlink=True)
        run.add_resource("problem", task.problem_file, "problem.pddl", symlink=True)
        run.set_property("algorithm", name)
        run.set_property("component_options", options)
        run.set_property("domain", task.domain)
        run.set_property("problem", task.problem)
        run.set_property("id", [name, task.domain, task.problem])
        yield run


class FsplanParser(Parser):
    """Reads `result.json` and the exit code, which is one of Fast Downward's. Leaves runs of other planners alone."""

    def __init__(self):
        super().__init__()
        self.add_pattern("planner_exit_code", r"planner exit code: (.+)\n", file="driver.log", required=True)
        self.add_function(_parse_outcome)
        self.add_function(_parse_result, file="result.json")

    def parse(self, run_dir, props):
        if _planner(run_dir) == PLANNER:
            super().parse(run_dir, props)


class OtherPlanners(Parser):
    """Leaves runs of fsplan alone; applies a parser, such as those of Fast Downward, to all others."""

    def __init__(self, parser):
        super().__init__()
        self.parser = parser

    def parse(self, run_dir, props):
        if _planner(run_dir) != PLANNER:
            self.parser.parse(run_dir, props)


def _planner(run_dir):
    return json.loads((Path(run_dir) / "static-properties").read_text()).get("planner")


def _parse_outcome(content, props):
    outcome = outcomes.get_outcome(props.get("planner_exit_code"), use_legacy_exit_codes=False)
    props["error"] = outcome.msg
    props["unsolvable"] = int(outcome.msg == "search-unsolvable")
    props["coverage"] = 0
    if not outcome.explained:
        props.add_unexplained_error(outcome.msg)


def _parse_result(content, props):
    if not content:
        return
    result = json.loads(content)
    statistics = result["statistics"]
    found = {name: statistics.get(key) for name, key in STATISTICS.items()}
    found["memory"] = statistics["peak_memory_bytes"] // 1024  # lab counts in KiB
    found["lower_bound"] = result["lower_bound"]
    if result["plan"] is not None:
        found |= {"coverage": 1, "cost": result["cost"], "plan_length": len(result["plan"])}
        found |= {"proven_ratio": result["proven_ratio"], "planner_time": statistics["total_seconds"]}
    props.update({name: value for name, value in found.items() if value is not None})
