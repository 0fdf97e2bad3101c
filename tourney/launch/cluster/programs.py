"""Programs on machines with a label: the task that runs one on its worker, and the run's side that has them started.

Everything goes through the scheduler, which a worker reaches by connections of its own: nobody connects to a worker,
and no result is fetched from it. What a worker tells are Dask's events of a topic; what it is told are Dask's events
with a name, the key of the program's start. The scheduler's metadata has, for each place, the number of the newest
start: no other one may run, whatever Dask starts again.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Final

from distributed import Client, Worker, fire_and_forget, get_worker

from tourney.errors import LaunchError
from tourney.launch.cluster.connection import DISCONNECTED
from tourney.launch.cluster.program import BOTS_FOLDER, AgentProgram
from tourney.launch.cluster.worker import TableWorker, label_resource
from tourney.launch.processes import end_left_behind
from tourney.launch.program_order import (
    FoundProgram,
    ProgramEvent,
    ProgramNews,
    ProgramOrder,
    format_key,
    news_topic,
)

STARTS_KEY: Final = "tourney-programs"
"""The key of the scheduler's metadata with the number of the newest start, by event and place."""

RUNS_KEY: Final = "tourney-runs"
"""The key of the scheduler's metadata with a number for each event, which its run counts up while it is there."""

SHARE: Final = 0.001
"""How much of the resource of its label a program takes: Dask is to place programs by label, not to count them."""

LOOK_AT_RUN_S: Final = 10.0
"""How often a program's worker looks whether there is a run, in seconds."""

PRINT_S: Final = 0.5
"""How often a worker sends what a program has printed, in seconds."""

RUN_BEAT_S: Final = 3.0
"""How often a run counts up its number, in seconds."""

TEND_S: Final = 0.2
"""How often a run looks after its orders, in seconds."""

STATES_S: Final = 1.0
"""How often a run asks for the states of its programs, in seconds."""

ANSWER_S: Final = 5.0
"""How long a scheduler may take to answer, in seconds."""

_GONE_LOOKS: Final = 3
"""How many looks in a row must find a task gone before its program counts as lost: its last words may be on their
way."""

_UNDER_WAY: Final = frozenset({"released", "waiting", "no-worker", "queued", "processing"})
"""The states of a task that is to run or runs."""

_swept: set[Path] = set()
"""The folders in which this process has ended what an earlier one has left behind."""


# On the worker


async def run_program(order: ProgramOrder) -> str:
    """Run a program until it ends by itself, is told to end, or has no run any more; return the key of its start."""
    worker = get_worker()
    assert isinstance(worker, Worker)

    def tell(event: ProgramEvent, text: str) -> None:
        worker.log_event(news_topic(order.scope), ProgramNews(order.key, event, text).format())

    newest = await worker.scheduler.get_metadata(keys=[STARTS_KEY, order.scope, order.place], default=0)
    if newest != order.number:
        return order.key
    folder = _folder_of(worker)
    if folder not in _swept:
        _swept.add(folder)
        await asyncio.to_thread(end_left_behind, folder / BOTS_FOLDER)
    program = AgentProgram(order, folder)
    try:
        await program.start()
    except LaunchError as error:
        tell(ProgramEvent.ENDED, str(error))
        return order.key
    tell(ProgramEvent.STARTED, str(worker.name))
    told, ended = asyncio.create_task(_until_told_to_end(worker, order)), asyncio.create_task(program.wait())
    try:
        while not told.done() and not ended.done():
            await asyncio.wait([told, ended], timeout=PRINT_S, return_when=asyncio.FIRST_COMPLETED)
            if printed := program.take_output():
                tell(ProgramEvent.PRINTED, printed)
        was_told = told.done()
    finally:
        told.cancel()
        await program.end()
    while printed := program.take_output():
        tell(ProgramEvent.PRINTED, printed)
    how = "was told to end" if was_told else f"{order.name} {program.how_it_ended(await ended)}"
    tell(ProgramEvent.ENDED, how)
    return order.key


def _folder_of(worker: Worker) -> Path:
    return Path(worker.settings.folder if isinstance(worker, TableWorker) else worker.local_directory)


async def _until_told_to_end(worker: Worker, order: ProgramOrder) -> None:
    """Return when the run has told this start to end, or when no run of the event has been there for too long."""
    loop = asyncio.get_running_loop()
    heard_at, beat = loop.time(), None
    while True:
        with contextlib.suppress(*DISCONNECTED):  # a worker without a scheduler ends soon, and this with it
            if await worker.scheduler.event_wait(name=order.key, timeout=LOOK_AT_RUN_S):
                return
            now = await worker.scheduler.get_metadata(keys=[RUNS_KEY, order.scope], default=0)
            if now != beat:
                heard_at, beat = loop.time(), now
        if loop.time() - heard_at > order.orphan_s:
            return


# On the run's side


class ClusterPrograms:
    """Has programs started on workers with their label, and ended; tells what has become of them.

    Nothing here waits for the scheduler but `tend`, which runs beside the run.
    """

    def __init__(self, scope: str, find_client: Callable[[], Client | None]) -> None:
        """Prepare.

        Args:
            scope: tells the event from all others of the cluster.
            find_client: returns the connection to the scheduler, another one after the scheduler was started again;
                None while it is away.
        """
        self.scope = scope
        self._find_client = find_client
        self._client: Client | None = None
        self._orders: deque[ProgramOrder] = deque()
        self._endings: deque[str] = deque()
        self._news: deque[ProgramNews] = deque()
        self._alive: dict[str, int] = {}
        """Starts that have been ordered and not ended, by key, with how often their task was not there."""
        self._labels: frozenset[str] = frozenset()
        self._found: dict[str, FoundProgram] | None = None
        self._beats = 0

    @property
    def labels(self) -> Collection[str]:
        """The labels that workers in the cluster have now."""
        return self._labels

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
            client = self._find_client()
            if client is None or client.status != "running":
                self._labels = frozenset()
            else:
                with contextlib.suppress(*DISCONNECTED, TimeoutError, AttributeError):  # it is found gone above
                    async with asyncio.timeout(ANSWER_S):
                        if client is not self._client:
                            await self._meet(client)
                            beat_at = states_at = loop.time()
                        await self._pass_on(client)
                        if loop.time() >= beat_at:
                            beat_at += RUN_BEAT_S
                            await self._beat(client)
                        if loop.time() >= states_at:
                            states_at += STATES_S
                            await self._look(client)
            await asyncio.sleep(TEND_S)

    async def _meet(self, client: Client) -> None:
        """Find out what a scheduler knows that has not been met before."""
        await self._look_for_labels(client)
        client.subscribe_topic(news_topic(self.scope), self._receive_news)
        if self._found is None:
            numbers = await _scheduler_of(client).get_metadata(keys=[STARTS_KEY, self.scope], default=None) or {}
            keys = {place: format_key(self.scope, place, number) for place, number in numbers.items() if number}
            states = await self._load_states(client, keys.values())
            self._found = {
                place: FoundProgram(numbers[place], is_alive=states.get(key) in _UNDER_WAY)
                for place, key in keys.items()
            }
        self._client = client

    async def _pass_on(self, client: Client) -> None:
        while self._orders:
            order = self._orders[0]
            keys = [STARTS_KEY, order.scope, order.place]
            await _scheduler_of(client).set_metadata(keys=keys, value=order.number)
            future = client.submit(
                run_program,
                order,
                key=order.key,
                resources={label_resource(order.label): SHARE},
                pure=False,
            )
            fire_and_forget(future)
            future.release()
            self._alive[order.key] = 0
            self._orders.popleft()
        while self._endings:
            key = self._endings[0]
            place, _, number = key.removeprefix(f"program-{self.scope}-").rpartition("-")
            keys = [STARTS_KEY, self.scope, place]
            if await _scheduler_of(client).get_metadata(keys=keys, default=0) == int(number):
                await _scheduler_of(client).set_metadata(keys=keys, value=0)
            await _scheduler_of(client).event_set(name=key)
            self._endings.popleft()

    async def _beat(self, client: Client) -> None:
        self._beats += 1
        # Another run begins with other numbers.
        await _scheduler_of(client).set_metadata(keys=[RUNS_KEY, self.scope], value=f"{id(self)}-{self._beats}")

    async def _look(self, client: Client) -> None:
        await self._look_for_labels(client)
        states = await self._load_states(client, self._alive)
        for key, looks in list(self._alive.items()):
            if key not in states or states[key] in _UNDER_WAY:
                self._alive[key] = 0
            elif looks + 1 < _GONE_LOOKS:
                self._alive[key] = looks + 1
            else:
                await self._forget(key)
                self._news.append(ProgramNews(key, ProgramEvent.LOST, "its machine has gone"))

    async def _look_for_labels(self, client: Client) -> None:
        workers = (await _scheduler_of(client).identity(n_workers=-1))["workers"]
        prefix = label_resource("")
        self._labels = frozenset(
            name.removeprefix(prefix)
            for worker in workers.values()
            for name, amount in (worker.get("resources") or {}).items()
            if name.startswith(prefix) and amount  # a worker that drains has none of them left
        )

    @staticmethod
    async def _load_states(client: Client, keys: Collection[str]) -> dict[str, str | None]:
        return dict(await _scheduler_of(client).get_task_status(keys=list(keys))) if keys else {}

    async def _receive_news(self, event: tuple[float, Mapping[str, Any]]) -> None:
        news = ProgramNews.parse(event[1])
        if news is None:
            return
        self._news.append(news)
        if news.event is ProgramEvent.ENDED:
            await self._forget(news.key)

    async def _forget(self, key: str) -> None:
        self._alive.pop(key, None)
        client = self._find_client()
        if client is not None and client.status == "running":
            with contextlib.suppress(*DISCONNECTED, TimeoutError, AttributeError):
                async with asyncio.timeout(ANSWER_S):
                    await _scheduler_of(client).event_clear(name=key)


def _scheduler_of(client: Client) -> Any:  # Dask's makes its methods by name
    return client.scheduler
