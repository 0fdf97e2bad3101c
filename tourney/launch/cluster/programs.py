"""The run's side of programs on machines with a label: it has them started there, and ended.

`tourney.launch.cluster.program` is what runs them, and says what they tell each other.
"""

import asyncio
from collections import deque
from collections.abc import Collection, Mapping
from typing import Any, Final

from distributed import Client, fire_and_forget

from tourney.launch.cluster.client import ClusterClient
from tourney.launch.cluster.connection import LABEL_RESOURCE
from tourney.launch.cluster.program import RUNS_KEY, STARTS_KEY, run_program
from tourney.launch.program_order import (
    FoundProgram,
    ProgramEvent,
    ProgramNews,
    ProgramOrder,
    format_key,
    news_topic,
)

SHARE: Final = 0.001
"""How much of the resource of its label a program takes: Dask is to place programs by label, not to count them."""

RUN_BEAT_S: Final = 3.0
"""How often a run counts up its number, in seconds."""

TEND_S: Final = 0.2
"""How often a run looks after its orders, in seconds."""

STATES_S: Final = 1.0
"""How often a run asks for the states of its programs, in seconds."""

_GONE_POLLS: Final = 3
"""How many looks in a row must find a task gone before its program counts as lost: its last words may be on their
way."""

_UNDER_WAY: Final = frozenset({"released", "waiting", "no-worker", "queued", "processing"})
"""The states of a task that is to run or runs."""


class ClusterPrograms:
    """Has programs started on workers with their label, and ended; tells what has become of them.

    Nothing here waits for the scheduler but `tend`, which runs beside the run.
    """

    def __init__(self, scope: str, cluster: ClusterClient) -> None:
        """Prepare; `scope` tells the event from all others of the cluster."""
        self.scope = scope
        self._cluster = cluster
        self._met: Client | None = None
        """The connection whose scheduler is known; another one after the scheduler was started again."""
        self._orders: deque[ProgramOrder] = deque()
        self._endings: deque[str] = deque()
        self._news: deque[ProgramNews] = deque()
        self._alive: dict[str, int] = {}
        """Starts that have been ordered and not ended, by key, with how often their task was not there."""
        self._found: dict[str, FoundProgram] | None = None
        self._beats = 0

    @property
    def labels(self) -> Collection[str]:
        """The labels that workers in the cluster have now."""
        return frozenset[str]().union(*(worker.open_labels for worker in self._cluster.workers.values()))

    @property
    def found(self) -> Mapping[str, FoundProgram] | None:
        """The newest start at each place that earlier runs have ordered, by place; None before that is known."""
        return self._found

    def start(self, order: ProgramOrder) -> None:
        """Have a program started, as soon as the scheduler can be reached."""
        self._orders.append(order)

    def adopt(self, key: str) -> None:
        """Look after a start that an earlier run has ordered."""
        self._alive[key] = 0

    def end(self, key: str) -> None:
        """Have a program ended, as soon as the scheduler can be reached."""
        self._endings.append(key)

    def take_news(self) -> list[ProgramNews]:
        """Return what has happened since the last time, in order."""
        news = list(self._news)
        self._news.clear()
        return news

    @property
    def is_quiet(self) -> bool:
        """Whether everything that was ordered has been done, and no program is left."""
        return not self._orders and not self._endings and not self._alive

    async def tend(self) -> None:
        """Pass on what is ordered, and look after what runs, until cancelled."""
        loop = asyncio.get_running_loop()
        beat_at = states_at = loop.time()
        while True:
            async with self._cluster.answering() as dask:
                if dask is not None and dask is not self._met:
                    await self._meet(dask)
                    beat_at = states_at = loop.time()
                await self._pass_on(dask.scheduler)
                if loop.time() >= beat_at:
                    beat_at += RUN_BEAT_S
                    await self._beat(dask.scheduler)
                if loop.time() >= states_at:
                    states_at += STATES_S
                    await self._poll(dask.scheduler)
            await asyncio.sleep(TEND_S)

    async def _meet(self, dask: Client) -> None:
        """Find out what a scheduler knows that has not been met before."""
        dask.subscribe_topic(news_topic(self.scope), self._receive_news)
        if self._found is None:
            scheduler: Any = dask.scheduler
            numbers = await scheduler.get_metadata(keys=[STARTS_KEY, self.scope], default=None) or {}
            keys = {place: format_key(self.scope, place, number) for place, number in numbers.items() if number}
            states = await self._load_states(scheduler, keys.values())
            self._found = {
                place: FoundProgram(numbers[place], is_alive=states.get(key) in _UNDER_WAY)
                for place, key in keys.items()
            }
        self._met = dask

    async def _pass_on(self, scheduler: Any) -> None:
        while self._orders:
            order = self._orders[0]
            await scheduler.set_metadata(keys=[STARTS_KEY, order.scope, order.place], value=order.number)
            resources = {f"{LABEL_RESOURCE}{order.label}": SHARE}
            future = self._cluster.submit(run_program, order, key=order.key, resources=resources)
            if future is None:
                return
            fire_and_forget(future)
            future.release()
            self._alive[order.key] = 0
            self._orders.popleft()
        while self._endings:
            key = self._endings[0]
            place, _, number = key.removeprefix(f"program-{self.scope}-").rpartition("-")
            keys = [STARTS_KEY, self.scope, place]
            if await scheduler.get_metadata(keys=keys, default=0) == int(number):
                await scheduler.set_metadata(keys=keys, value=0)
            await scheduler.event_set(name=key)
            self._endings.popleft()

    async def _beat(self, scheduler: Any) -> None:
        self._beats += 1
        # Another run begins with other numbers.
        await scheduler.set_metadata(keys=[RUNS_KEY, self.scope], value=f"{id(self)}-{self._beats}")

    async def _poll(self, scheduler: Any) -> None:
        states = await self._load_states(scheduler, self._alive)
        for key, polls in list(self._alive.items()):
            if key not in states or states[key] in _UNDER_WAY:
                self._alive[key] = 0
            elif polls + 1 < _GONE_POLLS:
                self._alive[key] = polls + 1
            else:
                await self._forget(key)
                self._news.append(ProgramNews(key, ProgramEvent.LOST, "its machine has gone"))

    @staticmethod
    async def _load_states(scheduler: Any, keys: Collection[str]) -> dict[str, str | None]:
        return dict(await scheduler.get_task_status(keys=list(keys))) if keys else {}

    async def _receive_news(self, event: tuple[float, Mapping[str, Any]]) -> None:
        news = ProgramNews.parse(event[1])
        if news is None:
            return
        self._news.append(news)
        if news.event is ProgramEvent.ENDED:
            await self._forget(news.key)

    async def _forget(self, key: str) -> None:
        self._alive.pop(key, None)
        async with self._cluster.answering() as dask:
            await dask.scheduler.event_clear(name=key)
