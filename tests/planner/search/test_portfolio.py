"""`auto` combines plans and bounds of several parts, can be repeated exactly, and its results are correct."""

import json
import signal
import subprocess
import sys
from math import inf

import pytest
from random_ground_tasks import random_ground_task, strips_task

import fsplan
from fsplan.planner import _core
from fsplan.planner.base.limits import interruptible
from fsplan.planner.plans.improve import Improver
from fsplan.planner.search.portfolio.run import TRIAL_OF_POLICY, Portfolio, Turn, next_turn
from fsplan.planner.search.portfolio.table import TABLE, parts
from fsplan.planner.search.request import Request
from fsplan.planner.search.solve import solve

WORK_OF_ACTION = 250  # as in core/contract/request.hpp


@pytest.fixture(scope="module")
def blocks():
    return fsplan.load(fsplan.example("blocks-8-0"))


@pytest.mark.parametrize("w", ["1", "1.1", "1.5"])
def test_auto_proves_the_requested_ratio(blocks, w):
    result = solve(blocks, w=w)
    assert result.record["search"] == "auto"
    assert result.status == "solved"
    assert result.certified
    assert result.lower_bound <= 18 <= result.cost
    assert result.statistics["plan_by"] in result.statistics["work"]
    assert result.statistics["bound_by"] in result.statistics["work"]


def test_auto_is_deterministic(blocks):
    first, second = (solve(blocks, w="1.1") for _ in range(2))
    assert (first.plan, first.lower_bound) == (second.plan, second.lower_bound)
    for count in ("expanded", "generated", "evaluated", "plan_by", "bound_by", "work"):
        assert first.statistics[count] == second.statistics[count]


def test_runs_with_threads_prove_the_requested_ratio(blocks):
    result = solve(blocks, w="1.1", threads=2)
    assert result.certified
    assert result.lower_bound <= 18 <= result.cost


def test_anytime_reaches_the_optimum(blocks):
    seen = []
    result = solve(blocks, anytime=True, on_incumbent=lambda plan, cost, bound: seen.append((cost, bound)))
    assert result.cost == result.lower_bound == 18
    assert [cost for cost, _ in seen] == sorted({cost for cost, _ in seen}, reverse=True)
    assert seen[-1][0] == 18


def test_a_given_plan_and_bound_are_used(blocks):
    known = solve(blocks, "astar", heuristic="lmcut")
    result = solve(blocks, w=1, lower_bound=18, incumbent=(known.plan, 18))
    assert (result.cost, result.lower_bound, result.certified) == (18, 18, True)
    assert result.statistics["expanded"] == 0


def test_random_tasks_agree_with_astar():
    for seed in range(150):
        space = _core.GroundStateSpace(random_ground_task(seed))
        optimal = solve(space, "astar", heuristic="blind")
        result = solve(space, w="1.2")
        if optimal.plan is None:
            assert result.status == "unsolvable"
            continue
        assert result.certified
        assert result.lower_bound <= optimal.cost <= result.cost
        assert 5 * result.cost <= 6 * result.lower_bound


def test_a_search_from_another_state_starts_there(blocks):
    state = blocks.start
    for _ in range(3):
        state = blocks.successors(state)[-1][2]
        space = blocks.state_space.at(state)
        result, optimal = solve(space, w=1), solve(space, "astar")
        assert result.cost == optimal.cost == result.lower_bound
        [(cost, end)] = space.execute(result.plan)
        assert (cost, space.is_goal(end)) == (optimal.cost, True)


def test_improvement_keeps_plans_valid_and_never_makes_them_more_expensive(blocks):
    greedy = solve(blocks, "gbfs", heuristic="goalcount", uncertified=True)
    numbers = {name: number for number, name in enumerate(blocks.actions)}
    improver = Improver(blocks.state_space, [numbers[name] for name in greedy.plan])
    cost = improver.cost
    for _ in range(5):
        improver.run(2_000_000)
        assert improver.cost <= cost
        cost = improver.cost
        names = [blocks.state_space.action_name(action) for action in improver.plan]
        assert fsplan.validate(blocks.problem, "\n".join(f"({name})" for name in names)).valid
    assert 18 <= cost < greedy.cost
    assert improver.work > improver.expanded > 0, "evaluations are work, too"


def test_preparing_a_window_counts_as_work(blocks):
    plan = solve(blocks, w=1).plan
    improver = Improver(blocks.state_space, [blocks.actions.number(name) for name in plan])
    while improver.expanded == 0:  # ends after the search of the first window
        before = improver.work
        improver.run(1)
    assert improver.work - before > WORK_OF_ACTION * len(blocks.actions)


def test_improvement_keeps_to_its_slices(blocks):
    """The search of a neighbourhood or window takes millions of units of work and continues in the next slices."""
    greedy = solve(blocks, "gbfs", heuristic="goalcount", uncertified=True)
    improver = Improver(blocks.state_space, [blocks.actions.number(name) for name in greedy.plan])
    improver.run(1)  # removes unnecessary steps, which is not divided into slices
    slices = []
    while len(slices) < 200 and not improver.exhausted:
        before = improver.work
        improver.run(50_000)
        slices.append(improver.work - before)
    assert sorted(slices)[-10] < 100_000
    assert max(slices) < 3_000_000, "the cheapest path through a neighbourhood is found at once"
    assert sum(slices) > 100 * 50_000
    assert improver.cost < greedy.cost


def test_slices_do_not_change_what_improvement_finds(blocks):
    greedy = solve(blocks, "gbfs", heuristic="goalcount", uncertified=True)
    plan = [blocks.actions.number(name) for name in greedy.plan]
    short, long = (Improver(_core.GroundStateSpace(blocks.state_space.task), plan) for _ in range(2))
    long.run(20_000_000)
    while short.work < long.work:
        short.run(min(100_000, long.work - short.work))
    assert (short.plan, short.expanded) == (long.plan, long.expanded)


def test_the_start_of_a_search_is_work(blocks):
    run, turns = started(blocks, None)
    for name in ("dive", "optimistic", "novelty", "greedy", "tables"):
        run.take(turns[name])
        assert turns[name].work > WORK_OF_ACTION * len(blocks.actions)
    assert turns["tables"].work > 40_000_000, "tables are computed first"


class NamedPart:
    """A part that does nothing; it is ready while `ready` is true."""

    def __init__(self, name):
        self.name, self.ready = name, True

    def is_ready(self):
        return self.ready

    def run(self, work):
        return work

    def statistics(self):
        return {}


def test_a_part_that_becomes_ready_does_not_make_up_for_the_work_of_the_others():
    first, second, late = (Turn(NamedPart(name), clock) for name, clock in (("a", 0), ("b", 0), ("c", 5)))
    late.part.ready = False
    turns = [first, second, late]
    assert next_turn(turns) is first
    first.clock, second.clock, first.slice, second.slice = 100, 70, 9e6, 3e6
    late.part.ready = True
    assert next_turn(turns) is second
    assert late.clock == 75, "the smallest clock of the others, plus its initial clock"
    assert late.slice == second.slice == 3e6
    late.clock, late.part.ready = 80, False
    assert next_turn(turns) is second
    second.clock, late.part.ready = 90, True
    next_turn(turns)
    assert late.clock == 90


def test_a_thread_ends_its_slice_soon_after_another_has_ended_the_run(blocks):
    for threads, work in ((1, [50_000_000]), (2, [20_000_000, 20_000_000, 10_000_000])):
        assert list(Portfolio(Request(blocks, {"search": "auto", "threads": threads})).pieces(50_000_000)) == work
    run = Portfolio(Request(blocks, {"search": "auto", "threads": 2}))
    begun = run.pieces(50_000_000)
    next(begun)
    run.offer(([], 18), 18)
    assert list(begun) == []


def test_a_slice_of_bounds_that_ends_the_run_is_charged_only_for_its_work(blocks):
    """The last improvement depends on the work of the run, which must not include work that was never done."""
    (run, turns), plan = started(blocks, None), solve(blocks, w=1).plan
    run.offer(([blocks.actions.number(name) for name in plan], 18), 0)
    run.take(turns["bounds"])
    assert (run.incumbents.lower_bound, run.is_over()) == (13, True)
    assert 0 < run.work < 20_000_000


def test_shares_follow_success():
    turn = Turn(NamedPart("a"))
    for _ in range(5):
        turn.account(1, cheaper=False, bound=False)
    assert turn.share == 1 / 4
    for _ in range(5):
        turn.account(1, cheaper=False, bound=True)
    assert turn.share == 1
    for _ in range(5):
        turn.account(1, cheaper=True, bound=False)
    assert turn.share == 2
    turn.account(1, cheaper=False, bound=True)
    assert turn.share == 2


def test_parts_get_work_in_proportion_to_their_weights():
    turns = [Turn(NamedPart("a")), Turn(NamedPart("b"), weight=4)]
    for _ in range(500):
        turn = next_turn(turns)
        turn.account(100, cheaper=False, bound=False)
    assert turns[1].work == pytest.approx(4 * turns[0].work, rel=0.05)


def test_long_plans_lose_their_unnecessary_steps_in_one_pass(blocks):
    space = blocks.state_space
    plan = [blocks.actions.number(name) for name in solve(blocks, w=1).plan]
    action, _, after = space.successors(space.start_values())[0]
    back = next(back for back, _, values in space.successors(after) if values == space.start_values())
    for detours in (1, 200):
        assert space.without_unnecessary([*[action, back] * detours, *plan]) == plan


def test_the_cheapest_path_nearby_is_between_optimum_and_plan():
    improved = 0
    for seed in range(300):
        space = _core.GroundStateSpace(random_ground_task(seed))
        optimal = solve(space, "astar", heuristic="blind")
        if not optimal.plan:
            continue
        names = {space.action_name(action): action for action in range(space.action_count())}
        plan = [names[name] for name in solve(space, "gbfs", heuristic="goalcount", uncertified=True).plan]

        def cost_nearby(states, space=space, plan=plan):
            near = space.neighbourhood(plan, states)
            while near.expand_for(1000, _core.Budget()):
                pass
            path = near.cheapest_path(_core.Budget())
            assert near.expanded <= states
            space.without_unnecessary(path)  # raises if a step is not applicable
            return sum(space.task.cost[action] for action in path)

        few, all_states = cost_nearby(len(plan)), cost_nearby(10**6)
        given = sum(space.task.cost[action] for action in plan)
        assert given >= few >= all_states == optimal.cost
        improved += few < given
    assert improved > 0


def test_long_plans_are_improved_in_bounded_work():
    """The plan moves a counter back and forth: 3,001 steps, of which only one is necessary."""
    up, down, goal = 0, 1, 2
    actions = [("up", [(0, 0)], [(0, 1)], 1), ("down", [(0, 1)], [(0, 0)], 1), ("goal", [], [(1, 1)], 1)]
    space = _core.GroundStateSpace(strips_task([2, 2], actions, [(1, 1)]))
    long = [up, down] * 1500 + [goal]
    assert space.regrouped(long, 0) == long
    assert len(space.without_unnecessary(long)) < len(long)
    near = space.neighbourhood(long, 10)
    assert not near.expand_for(10**6, _core.Budget())
    assert near.cheapest_path(_core.Budget()) == [goal]


@pytest.mark.parametrize("policy", ["ff", "synthetic:0.9"])
def test_a_policy_is_followed_and_guides_a_search(blocks, policy):
    result = solve(blocks, w="1.1", policy=policy)
    assert result.certified
    assert {"follow", "policy"} <= result.statistics["work"].keys()


def test_the_plan_of_a_poor_policy_is_one_among_others(blocks):
    followed = solve(blocks, "follow", policy="uniform")
    result = solve(blocks, w="1.1", policy="uniform")
    assert result.certified
    assert result.cost < followed.cost
    assert result.statistics["work"]["optimistic"] > 0
    assert all((row.clock_policy_given or row.clock) <= row.clock + 4 for row in TABLE if not row.with_policy)


def started(task, policy):
    """A run of `auto` that has just started, and the turns of its parts by name."""
    request = Request(task, {"search": "auto", "policy": policy})
    run = Portfolio(request)
    return run, {turn.part.name: turn for turn in (Turn(*row) for row in parts(run, request.policy))}


def followed(task, policy):
    """A run of `auto` that has followed the policy to a plan, and the turns of its parts."""
    run, turns = started(task, policy)
    while not run.has_plan():
        run.take(turns["follow"])
    return run, turns


def test_searches_find_the_same_with_a_poor_policy_as_without(blocks):
    """At first, the policy's plan is kept apart: it prunes no search, and improvement works on plans of searches."""
    (without, turns), (with_policy, same) = started(blocks, None), followed(blocks, "uniform")
    names = [row.name for row in TABLE if not (row.with_policy or row.last_resort or row.name == "bounds")]
    for name in 3 * names:
        assert turns[name].part.is_ready() == same[name].part.is_ready()
        if turns[name].part.is_ready():
            without.take(turns[name])
            with_policy.take(same[name])
        assert with_policy.search_incumbents.cost == without.incumbents.cost
        assert with_policy.incumbents.lower_bound >= without.incumbents.lower_bound
        assert with_policy.incumbents.cost <= (without.incumbents.cost or inf)
    assert without.has_plan()


def test_the_plan_of_the_policy_is_improved_while_it_is_the_cheapest(blocks):
    run, turns = followed(blocks, "uniform")
    cost = run.incumbents.cost
    assert not turns["improvement"].part.is_ready()
    run.take(turns["polish"])
    assert run.incumbents.cost < cost
    run.search_incumbents.offer_plan(run.incumbents.best().plan, run.incumbents.cost)
    assert not turns["polish"].part.is_ready()
    assert turns["improvement"].part.is_ready()


def test_after_the_trial_phase_all_parts_use_the_plan_of_the_policy(blocks):
    run, turns = followed(blocks, "uniform")
    assert not run.has_plan_of_search()
    run.work = TRIAL_OF_POLICY
    run.take(turns["follow"])
    assert run.search_incumbents.best().plan == run.incumbents.best().plan
    assert not turns["novelty"].part.is_ready()


def test_evaluations_of_the_policy_count_as_work(blocks):
    """The work of the part `follow` includes at least 200 units for each evaluation of the policy."""
    result = solve(blocks, w="1.1", policy="uniform")
    assert result.statistics["work"]["follow"] > 200 * result.statistics["policy_evaluations"] > 0


def test_no_dive_is_made_if_a_good_plan_is_known(blocks):
    led = solve(blocks, w="1.5", policy="synthetic:1")
    assert (led.cost, led.statistics["plan_by"], led.statistics["work"]["dive"]) == (18, "follow", 0)
    given = solve(blocks, w="1.5", incumbent=(led.plan, led.cost))
    assert (given.certified, given.statistics["work"]["dive"]) == (True, 0)


def test_little_memory_does_not_crash_the_process():
    command = [sys.executable, "-m", "fsplan", fsplan.example("blocks-8-0"), "--w", "1", "--memory-limit", "60MB"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode in (0, 1, 20, 22), run.stderr
    assert "OpenBLAS" not in run.stderr


@pytest.mark.long
def test_improvement_ends_by_itself():
    task = fsplan.load(fsplan.example("blocks-8-0"))
    numbers = {name: number for number, name in enumerate(task.actions)}
    plan = solve(task, "astar", heuristic="lmcut").plan
    improver = Improver(task.state_space, [numbers[name] for name in plan])
    assert not improver.run(10**13)
    assert improver.exhausted
    assert improver.cost == 18


def test_a_time_limit_ends_every_part():
    result = solve(fsplan.load(fsplan.example("blocks-8-0")), w=1, time_limit=1e-3)
    assert result.status in ("timeout", "solved")


def test_the_gap_closes_step_by_step(blocks):
    seen = []
    result = solve(blocks, w=1, on_gap=seen.append)
    assert seen == result.gap_history
    costs = [point.cost for point in seen if point.cost is not None]
    bounds = [point.lower_bound for point in seen]
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds)
    assert (costs[-1], bounds[-1], seen[-1].ratio) == (18, 18, 1.0)
    assert {point.part for point in seen} <= result.statistics["work"].keys()
    assert result.to_dict()["gap_history"][-1]["cost"] == 18


def test_single_searches_have_a_gap_history_too(blocks):
    result = solve(blocks, "astar", heuristic="lmcut")
    last = result.gap_history[-1]
    assert (last.cost, last.lower_bound, last.part) == (18, 18, "astar")


def test_json_stream():
    command = [sys.executable, "-m", "fsplan", fsplan.example("blocks-8-0"), "--w", "1", "-q", "--json-stream", "-"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    *points, result = [json.loads(line) for line in run.stdout.splitlines()]
    assert points
    assert all(point.keys() == {"seconds", "work", "cost", "lower_bound", "part", "ratio"} for point in points)
    assert (points[-1]["cost"], points[-1]["lower_bound"]) == (18, 18)
    assert (result["status"], result["cost"], len(result["plan"])) == ("solved", 18, 18)


def test_after_a_limit_three_lines_have_the_bound_and_advice():
    command = [sys.executable, "-m", "fsplan", fsplan.example("blocks-8-0"), "--search", "astar", "--heuristic", "hmax"]
    run = subprocess.run([*command, "--expansion-limit", "20"], capture_output=True, text=True)
    lines = run.stderr.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("expansion limit reached; every plan costs at least")
    assert lines[2].startswith("try: ")


def test_the_bound_is_raised_after_optimistic_search_has_used_up_its_memory(blocks):
    result = solve(blocks, w=1, memory_limit=1000)  # no part has memory for more than its initial state
    assert result.status == "memout"
    assert result.statistics["work"]["proof"] > 0
    assert result.lower_bound <= 18
    assert not result.certified


def test_improvement_respects_the_memory_limit(blocks):
    plan = fsplan.gbfs(blocks, heuristic="goalcount", uncertified=True).plan
    numbers = [blocks.actions.number(name) for name in plan]
    improver = Improver(blocks.state_space, numbers, memory_limit=1000)  # bytes, less than Python takes
    improver.run(20_000_000)
    assert improver.work >= 20_000_000
    assert improver.expanded == 0
    free = Improver(blocks.state_space, numbers)
    assert free.run(20_000_000)
    assert free.cost < improver.cost


def test_ctrl_c_interrupts_the_computation_of_bounds(blocks, monkeypatch):
    """Native calls for bounds report no progress, so Ctrl-C must interrupt them directly."""

    def steps(*_, **__):
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("the signal came too late")
        yield

    monkeypatch.setattr("fsplan.planner.bounds.root.steps", steps)
    monkeypatch.setattr("fsplan.planner.search.portfolio.run.FIRST_SLICE", 10_000)
    # The part `bounds` runs before the part `proof`.
    bounds_first = [row._replace(clock=0.0) if row.name == "bounds" else row for row in TABLE]
    monkeypatch.setattr("fsplan.planner.search.portfolio.table.TABLE", bounds_first)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, "a test has left its handler"
    with pytest.raises(KeyboardInterrupt) as interrupted:
        fsplan.solve(blocks, w=1)
    assert interrupted.value.result.status == "interrupted"


def test_handlers_of_ctrl_c_are_called_and_kept():
    noted = []

    def note(*_):
        noted.append(True)

    before = signal.signal(signal.SIGINT, note)
    try:
        with pytest.raises(KeyboardInterrupt), interruptible():
            signal.raise_signal(signal.SIGINT)
        assert noted == [True]
        assert signal.getsignal(signal.SIGINT) is note
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_time_limit_allows_a_last_improvement_that_repeats(blocks):
    quick = solve(blocks, w=3)
    first, second = (solve(blocks, w=3, time_limit=1000) for _ in range(2))
    assert (first.plan, first.statistics["work"]) == (second.plan, second.statistics["work"])
    assert first.cost < quick.cost
    assert first.statistics["improved_from"] == quick.cost
    assert first.certified
    assert (first.status, first.lower_bound) == ("solved", quick.lower_bound)
    assert quick.statistics["improved_from"] is None
    done = sum(quick.statistics["work"].values())
    assert done < sum(first.statistics["work"].values()) < done + 4_000_000


def test_threads_share_the_last_improvement(blocks):
    quick = solve(blocks, w=3)
    before = sys.getswitchinterval()
    result = solve(blocks, w=3, time_limit=1000, threads=2)
    assert result.certified
    assert result.cost < quick.cost
    assert sys.getswitchinterval() == before


def test_an_optimal_plan_is_not_improved(blocks):
    quick, limited = solve(blocks, w=1), solve(blocks, w=1, time_limit=1000)
    assert limited.statistics["work"] == quick.statistics["work"]


def test_restarts_use_the_next_weight_where_a_plan_of_another_search_prunes_all_of_theirs(blocks):
    options = {"heuristic": "lmcost", "anytime": True, "uncertified": True}
    known = solve(blocks, "lama", expansion_limit=400, **options)
    assert known.cost == 28
    assert solve(blocks, "lama", expansion_limit=3000, incumbent=(known.plan, known.cost), **options).cost == 18
