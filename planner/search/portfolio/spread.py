"""`auto` on a Dask cluster: every worker runs parts of its own, and plans and bounds are exchanged as they are found.

This process, the coordinator, submits one job per worker and runs no part itself. A job sends each better plan and
bound to the coordinator (as a Dask event); the coordinator merges them into its own Portfolio, which also checks the
limits, and sends improvements to all jobs. The run ends when w is proven, at a limit, or with Ctrl-C, as on one
machine.

If a worker is lost, its parts are lost, and the others continue. If all jobs have ended without a result, for example
because all workers were lost, the parts run in this process with the plan and the bound found so far.

Workers need the same version of fsplan. A plan is a list of action numbers, which grounding gives in the same order
everywhere; the plan of the result is validated like any other.
"""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from fsplan.planner.base.cluster import ClusterError, connect
from fsplan.planner.search.portfolio.run import Portfolio, Turn, next_turn
from fsplan.planner.search.portfolio.table import TABLE, Declaration, parts
from fsplan.planner.search.request import Request

if TYPE_CHECKING:
    from fsplan.planner._core import Progress
    from fsplan.planner.tasks.task import Task

WAIT = 0.05  # polling interval for messages, in seconds
LOOK_FOR_LOST = 1.0  # interval between checks for lost workers, in seconds
LAST_WORDS = 5.0  # time for jobs to end and to return their statistics, in seconds
SENT = ("w", "heuristic", "anytime", "symmetry", "memory_limit", "seed")  # options that are sent to the jobs


class News(NamedTuple):
    """The best plan and the greatest lower bound of all jobs; a bound of None means that there is no plan."""

    plan: list[int] | None = None
    cost: int | None = None
    bound: int | None = 0


class Mailbox:
    """State of a run in a worker process: the last plan and bound received, and whether the run is over."""

    def __init__(self) -> None:
        self.news, self.stop = News(), threading.Event()


_mailboxes: dict[str, Mailbox] = {}  # by the name of the run


def tell(name: str, news: News) -> None:
    """Stores a plan and a bound for the job of a worker; runs on that worker."""
    _mailboxes.setdefault(name, Mailbox()).news = News(*news)


def stop(name: str) -> None:
    """Ends the job of a worker; runs on that worker."""
    _mailboxes.setdefault(name, Mailbox()).stop.set()


class Member(Portfolio):
    """The parts of a run that one worker executes."""

    def __init__(self, request: Request, name: str, number: int) -> None:
        super().__init__(request)
        self.search_incumbents = self.incumbents  # one for all parts: messages do not say which part found a plan
        self._mailbox = _mailboxes.setdefault(name, Mailbox())
        self._name, self._number = name, number
        self._part, self.is_idle = "", False
        self._told: tuple[int | None, int | None, bool] = None, 0, False

    def take(self, turn: Turn) -> None:
        super().take(turn)
        self._part = turn.part.name

    def is_over(self) -> bool:
        self.exchange()
        return self._mailbox.stop.is_set() or super().is_over()

    def exchange(self) -> None:
        """Adopts the plan and bound received last; sends its own to the coordinator if they have changed."""
        plan, cost, bound = self._mailbox.news
        if plan is not None and cost is not None:
            self.incumbents.offer_plan(plan, cost)
        self.incumbents.offer_bound(bound)
        now = self.incumbents.cost, self.incumbents.lower_bound, self.is_idle
        if now != self._told:
            from distributed import get_worker

            self._told = now
            news = [self.incumbents.best_plan(), *now[:2]]
            message = {"number": self._number, "news": news, "part": self._part, "work": self.work}
            get_worker().log_event(self._name, {**message, "is_idle": self.is_idle})


def rows_of(number: int, count: int) -> tuple[Declaration, ...]:
    """Returns the rows of the table for one of `count` jobs.

    The last-resort part replaces the deciding part if that runs out of memory, so both belong to the same job.
    """
    deciding = next(place for place, row in enumerate(TABLE) if row.decides)
    places = ((deciding if row.last_resort else place, row) for place, row in enumerate(TABLE))
    return tuple(row for place, row in places if place % count == number)


def take_part(task: Task, given: dict[str, Any], number: int, count: int, name: str) -> dict[str, Any]:
    """The job of one worker: runs its parts until the run is over; returns their statistics."""
    member = Member(Request(task, given), name, number)
    turns = [Turn(*row) for row in parts(member, member.request.policy, rows_of(number, count))]
    while not member.is_over():
        turn = next_turn(turns)
        member.is_idle = turn is None  # no part is ready, because some parts need a plan, which another job must find
        if turn is None:
            sleep(WAIT)
        else:
            member.take(turn)
    member.exchange()
    return member.answer(turns).statistics


class Coordinator:
    """The coordinator of a run, in the process that the user started."""

    def __init__(self, client: Any, run: Portfolio, task: Task) -> None:
        self.client, self.run = client, run
        self.name = uuid.uuid4().hex
        self.messages: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self.workers = list(client.nthreads())[: len(TABLE)]
        if not self.workers:
            raise ClusterError("the cluster has no workers")
        client.subscribe_topic(self.name, lambda event: self.messages.put(event[1]))
        self.work, self.idle = [0 for _ in self.workers], [False for _ in self.workers]
        self.jobs = [self._submit(task, number) for number in range(len(self.workers))]
        self.teller = ThreadPoolExecutor(1)  # a worker that does not answer must not delay this process
        self.looked = perf_counter()

    def _submit(self, task: Task, number: int) -> Any:
        asked = self.run.options.to_dict()
        given = {"search": "auto", "policy": self.run.request.given_policy, **{name: asked[name] for name in SENT}}
        given["time_limit"] = self.run.seconds_left() if self.run.options.time_limit else None
        return self.client.submit(
            take_part, task, given, number, len(self.workers), self.name,
            workers=[self.workers[number]], key=f"fsplan-{self.name}-{number}", pure=False,
        )  # fmt: skip

    def follow(self) -> None:
        """Merges messages until the run is over or all jobs have ended."""
        self._tell()
        while not self.run.is_over() and not self._all_ended():
            self._report()
            with suppress(Empty):
                if self._take(self.messages.get(timeout=WAIT)):
                    self._tell()

    def end(self) -> list[dict[str, Any]]:
        """Ends all jobs; returns the statistics of those that answer in time."""
        self._everywhere(stop)
        self.teller.shutdown(wait=False)
        until = perf_counter() + LAST_WORDS
        while not all(job.done() for job in self.jobs) and perf_counter() < until and not self._all_ended():
            sleep(WAIT)
        while not self.messages.empty():
            self._take(self.messages.get())
        finished = [job for job in self.jobs if job.status == "finished"]
        return [job.result() for job in finished]

    def _take(self, message: dict[str, Any]) -> bool:
        """Merges the plan and the bound of a message; returns whether one of them is better than before."""
        run, number = self.run, message["number"]
        plan, cost, bound = News(*message["news"])
        self.work[number], self.idle[number] = message["work"], message["is_idle"]
        before = run.incumbents.cost, run.incumbents.lower_bound
        run.offer(None if plan is None or cost is None else (plan, cost), bound)
        after = run.incumbents.cost, run.incumbents.lower_bound
        run.work = sum(self.work)
        run.credit(message["part"], before, after)
        return after != before

    def _tell(self) -> None:
        incumbents = self.run.incumbents
        self._everywhere(tell, News(incumbents.best_plan(), incumbents.cost, incumbents.lower_bound))

    def _everywhere(self, function: Any, *arguments: Any) -> None:
        self.teller.submit(self.client.run, function, self.name, *arguments, on_error="ignore")

    def _all_ended(self) -> bool:
        """Whether every job has ended or is idle: the parts of an idle job need a plan before they can run."""
        if perf_counter() - self.looked < LOOK_FOR_LOST:
            return False
        self.looked = perf_counter()
        living = self.client.nthreads()
        failed = [job for job in self.jobs if job.status == "error"]
        for job in failed:
            if "Killed" not in type(job.exception()).__name__:
                raise ClusterError(f"a worker failed: {job.exception()}")
        running = [
            number
            for number, (job, worker) in enumerate(zip(self.jobs, self.workers, strict=True))
            if job.status == "pending" and worker in living
        ]
        return self.messages.empty() and all(self.idle[number] for number in running)

    def _report(self) -> None:
        """Calls the progress callback, which may stop the run."""
        run = self.run
        if run.on_progress is not None and run.on_progress(cast("Progress", Seen(run))) is False:
            run.status = "interrupted"


class Seen:
    """The progress that the coordinator reports. Expansions are 0, because jobs send their counts only at their end."""

    expanded, f_min, memory_bytes = 0, 0, 0

    def __init__(self, run: Portfolio) -> None:
        self.seconds = perf_counter() - run.started
        self.lower_bound, self.incumbent = run.incumbents.lower_bound or 0, run.incumbents.cost


def spread(run: Portfolio, task: Task, scheduler: str) -> list[dict[str, Any]]:
    """Runs the parts on the workers of a Dask scheduler; returns the statistics of their jobs."""
    with connect(scheduler) as client:
        coordinator = Coordinator(client, run, task)
        try:
            coordinator.follow()
        except KeyboardInterrupt:
            run.status = "interrupted"
        finally:
            statistics = coordinator.end()
    return statistics
