"""An event loop in one thread whose time is its own: nothing is waited for, and the order of things is fixed.

Time stands still while anything is ready to run and then jumps to the next timer. Work belongs to the process in
whose context it was asked for; a process can be frozen, and it can die at any effect, with no word to anybody.
"""

import asyncio
import contextlib
import heapq
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context, ContextVar, copy_context
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

_PROCESS: ContextVar["Process | None"] = ContextVar("process", default=None)


class ProcessDiedError(BaseException):
    """Unwinds what a process was doing when it died. No part of the program may take it for an error of its own."""


class Process:
    """A program of the simulation: what it has begun ends with it."""

    def __init__(self, loop: "SimulatedLoop", name: str, dies_at: int | None = None) -> None:
        self.name = name
        self.dead = False
        self.frozen = False
        self.effects = 0
        """What others could notice of it: transactions begun and ended, lines written."""
        self.died: str | None = None
        """When it died by itself; None for one that lives, or was killed."""
        self.on_death: list[Callable[[], None]] = []
        self.context = copy_context()
        self.context.run(_PROCESS.set, self)
        self.loop = loop
        self._dies_at = dies_at
        self._tasks: list[asyncio.Task[Any]] = []
        self._backlog: deque[asyncio.Handle] = deque()

    def note_effect(self, what: str) -> None:
        """To be called before each effect; `what` says when: "before a line", "after a transaction".

        Raises:
            ProcessDiedError: the effect does not happen any more.
        """
        self.effects += 1
        if self.effects == self._dies_at:
            self.dead = True
            self.died = what
            self.loop.call_soon(self._end, context=Context())
        if self.dead:
            raise ProcessDiedError(self.name)

    def kill(self) -> None:
        """End the process between two of its steps."""
        if not self.dead:
            self.dead = True
            self._end()

    def start(self, main: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
        return self.context.run(self.loop.create_task, main)

    def freeze(self) -> None:
        """Stop its work where it is; the world goes on."""
        self.frozen = True

    def thaw(self) -> None:
        """Let it go on, with everything that has come meanwhile."""
        self.frozen = False
        backlog, self._backlog = self._backlog, deque()
        self.loop.add_ready(self, backlog)

    def own(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.append(task)

    def defer(self, handle: asyncio.Handle) -> None:
        self._backlog.append(handle)

    def _end(self) -> None:
        for action in self.on_death:
            action()
        self.loop.discard(self, self._backlog)
        for task in self._tasks:
            self.context.run(_drop, task)
        self._tasks.clear()


def _drop(task: "asyncio.Task[Any]") -> None:
    """Throw a task away. What its `finally` clauses try has no effect any more: their process is dead."""
    if task.done():
        if not task.cancelled():
            task.exception()
        return
    task._log_destroy_pending = False  # type: ignore[attr-defined] # a dead process owes its tasks nothing
    main = task.get_coro()
    assert isinstance(main, Generator | Coroutine)
    closed = False
    while not closed:
        try:
            main.close()
        except RuntimeError as error:
            closed = "ignored GeneratorExit" not in str(error)
        except BaseException:  # noqa: BLE001 # whatever a dying `finally` raises
            closed = True
        else:
            closed = True


class Loopback(Protocol):
    """Connects processes of a machine with each other."""

    def open_server(self, accept: Callable[[], asyncio.Protocol]) -> asyncio.AbstractServer:
        """Listen on a free port for the process whose work is being done."""

    def connect_processes(
        self, port: int, make: Callable[[], asyncio.Protocol]
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        """Reach a port, for the process whose work is being done.

        Raises:
            OSError: nobody listens there.
        """


class SimulatedLoop(asyncio.AbstractEventLoop):
    """Just what the standard library's futures, tasks, events and timeouts ask of a loop, and no more."""

    def __init__(self) -> None:
        self.now_us = 0
        self.steps = 0
        self.errors: list[str] = []
        """What no one has caught, in words: each is a bug."""
        self._ready: deque[tuple[Process | None, asyncio.Handle]] = deque()
        self._timers: list[tuple[int, int, Process | None, asyncio.TimerHandle]] = []
        self._timers_made = 0
        self.loopback: Loopback | None = None
        """What processes of a machine reach each other by; None where none do."""

    def time(self) -> float:
        return self.now_us / 1e6

    def call_soon(  # type: ignore[override] # typeshed has the arguments as a tuple of types
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append((_owner(context), handle))
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment] # there are no threads here

    def call_later(  # type: ignore[override] # as call_soon
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override] # as call_soon
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at_us(round(when * 1e6), callback, *args, context=context)

    def call_at_us(
        self, when_us: int, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """The same to the microsecond; timers of one moment run in the order in which they were set."""
        handle = asyncio.TimerHandle(when_us / 1e6, callback, args, self, context)
        self._timers_made += 1
        heapq.heappush(self._timers, (when_us, self._timers_made, _owner(context), handle))
        return handle

    def run_in_executor(  # type: ignore[override] # as call_soon
        self, executor: None, func: Callable[..., T], *args: Any
    ) -> "asyncio.Future[T]":
        """What a thread would do, done at once: there are no threads here."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 # whoever waits for the thread gets it
            future.set_exception(error)
        return future

    async def create_server(  # type: ignore[override] # no more of it than `asyncio.start_server` asks for
        self, protocol_factory: Callable[[], asyncio.Protocol], host: str, port: int
    ) -> asyncio.AbstractServer:
        """What `asyncio.start_server` asks for."""
        assert self.loopback is not None
        return self.loopback.open_server(protocol_factory)

    async def create_connection(  # type: ignore[override] # no more of it than `asyncio.open_connection` asks for
        self, protocol_factory: Callable[[], asyncio.Protocol], host: str, port: int
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        """What `asyncio.open_connection` asks for.

        Raises:
            OSError: nobody listens there.
        """
        assert self.loopback is not None
        return self.loopback.connect_processes(port, protocol_factory)

    def create_future(self) -> "asyncio.Future[Any]":
        return asyncio.Future(loop=self)

    def create_task(  # type: ignore[override] # as call_soon
        self, coro: Coroutine[Any, Any, T], *, name: str | None = None, context: Context | None = None
    ) -> "asyncio.Task[T]":
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        process = _owner(context)
        if process is not None:
            process.own(task)
        return task

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, ProcessDiedError):
            self.errors.append(f"{context['message']}: {error!r}")

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """A cancelled timer is passed over when its time has come."""

    def add_ready(self, process: Process, handles: "deque[asyncio.Handle]") -> None:
        self._ready.extend((process, handle) for handle in handles)

    def discard(self, process: Process, backlog: "deque[asyncio.Handle]") -> None:
        """Throw away what a dead process was about to do."""
        for owner, handle in self._ready:
            if owner is process:
                _close_coroutines(handle)
        for handle in backlog:
            _close_coroutines(handle)
        backlog.clear()

    def run_until(self, is_over: Callable[[], bool], limit_us: int) -> bool:
        """Run until something holds; whether it came to hold within the time."""
        asyncio._set_running_loop(self)
        try:
            while not is_over():
                if not self._ready and not self._advance(limit_us):
                    return False
                self._step(*self._ready.popleft())
            return True
        finally:
            asyncio._set_running_loop(None)

    def _advance(self, limit_us: int) -> bool:
        """Go on to the next timer."""
        while self._timers and self._timers[0][0] <= limit_us:
            when_us, _, process, handle = heapq.heappop(self._timers)
            if handle.cancelled() or (process is not None and process.dead):
                continue
            self.now_us = max(self.now_us, when_us)
            self._ready.append((process, handle))
            return True
        return False

    def _step(self, process: Process | None, handle: asyncio.Handle) -> None:
        if handle.cancelled():
            return
        if process is not None and process.dead:
            _close_coroutines(handle)
            return
        if process is not None and process.frozen:
            process.defer(handle)
            return
        self.steps += 1
        with contextlib.suppress(ProcessDiedError):
            handle._run()


def _close_coroutines(handle: asyncio.Handle) -> None:
    """Close what another thread had handed over and was not begun: its process is dead, and nobody will await it."""
    for cell in getattr(handle._callback, "__closure__", None) or ():  # type: ignore[attr-defined]
        if asyncio.iscoroutine(cell.cell_contents):
            cell.cell_contents.close()


def _owner(context: Context | None) -> Process | None:
    return _PROCESS.get() if context is None else context.get(_PROCESS)


def current_process() -> Process | None:
    """The process whose work is being done."""
    return _PROCESS.get()
