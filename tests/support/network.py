"""Another machine, as far as the network goes: a network namespace whose cables can be pulled. Needs root."""

import asyncio
import itertools
import os
import shutil
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import make_url

Accept = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""Serves one connection."""

_NUMBERS = itertools.count(os.getpid() * 4)


class NetworkMachine:
    """A machine with a cable for each of what it reaches; what it starts it is told by `words`."""

    def __init__(self, name: str, cables: Mapping[str, int]) -> None:
        self._name = name
        self._cables = cables

    @property
    def words(self) -> tuple[str, ...]:
        """What stands before a command that is to run there."""
        return ("ip", "netns", "exec", self._name)

    def here(self, cable: str) -> str:
        """The address of this machine at a cable."""
        return _address(self._cables[cable], 1)

    def there(self, cable: str) -> str:
        """The address of the other machine at a cable."""
        return _address(self._cables[cable], 2)

    def pull(self, cable: str) -> None:
        """Pull a cable: what is sent is lost, and nobody is told."""
        _ip("-n", self._name, "link", "set", f"far{self._cables[cable]}", "down")

    def plug(self, cable: str) -> None:
        _ip("-n", self._name, "link", "set", f"far{self._cables[cable]}", "up")


def _address(cable: int, end: int) -> str:
    return f"10.{200 + (cable >> 16) % 50}.{(cable >> 8) % 256}.{(cable << 2) % 256 + end}"


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


@contextmanager
def network_machine(*cables: str) -> Iterator[NetworkMachine]:
    """Make a machine with such cables, which is removed afterwards; the test is skipped where that cannot be done."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("a network that can be cut needs root and the program ip")
    name = f"tourney-{next(_NUMBERS)}"
    made = subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True, text=True)
    if made.returncode != 0:
        pytest.skip(f"a network that can be cut cannot be made here: {made.stderr.strip()}")
    try:
        _ip("-n", name, "link", "set", "lo", "up")
        numbers = {cable: next(_NUMBERS) for cable in cables}
        for number in numbers.values():
            near, far = f"near{number}", f"far{number}"
            _ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name)
            _ip("addr", "add", f"{_address(number, 1)}/30", "dev", near)
            _ip("-n", name, "addr", "add", f"{_address(number, 2)}/30", "dev", far)
            _ip("link", "set", near, "up")
            _ip("-n", name, "link", "set", far, "up")
        yield NetworkMachine(name, numbers)
    finally:
        _ip("netns", "del", name)  # the cables go with it


@contextmanager
def postgres_at(url: str, address: str) -> Iterator[str]:
    """Make a PostgreSQL server, which may have but a socket in a folder, reachable at an address; yields its URL."""
    given = make_url(url)
    folder = given.query.get("host")

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if isinstance(folder, str):
            there = await asyncio.open_unix_connection(str(Path(folder) / f".s.PGSQL.{given.port or 5432}"))
        else:
            there = await asyncio.open_connection(given.host or "127.0.0.1", given.port or 5432)
        await asyncio.gather(pass_on(reader, there[1]), pass_on(there[0], writer))

    with served_in_thread(accept, address) as port:
        query = {key: value for key, value in given.query.items() if key != "host"}
        there = given.set(host=address, port=port, query=query)
        yield there.render_as_string(hide_password=False)


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay_s: float = 0.0) -> None:
    """Pass on what comes, so much later, until one of the two ends."""
    loop = asyncio.get_running_loop()
    with suppress(OSError):
        while data := await reader.read(65_536):
            loop.call_later(delay_s, writer.write, data)
    loop.call_later(delay_s, writer.close)


class Way:
    """A way to a port of this machine, on which connections can be cut."""

    def __init__(self, to: int, delay_s: float, cut_s: float | None) -> None:
        self.port = 0
        self._to = to
        self._delay_s, self._cut_s = delay_s, cut_s
        self._writers: list[asyncio.StreamWriter] = []
        self._loop: asyncio.AbstractEventLoop

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.close()
            return
        self._writers.append(writer)
        if self._cut_s is not None:
            self._loop.call_later(self._cut_s, writer.transport.abort)
        await asyncio.gather(pass_on(reader, far_writer, self._delay_s), pass_on(far_reader, writer, self._delay_s))

    def cut(self) -> None:
        """End all connections at once; new ones are passed on again."""
        for writer in self._writers:
            self._loop.call_soon_threadsafe(writer.transport.abort)


@contextmanager
def way_to(port: int, delay_s: float = 0.0, cut_s: float | None = None) -> Iterator[Way]:
    """Open a way to a port, on which bytes take so long each way, and each connection breaks after so long."""
    way = Way(port, delay_s, cut_s)
    with served_in_thread(way.accept) as way.port:
        yield way


@contextmanager
def served_in_thread(accept: Accept, address: str = "127.0.0.1") -> Iterator[int]:
    """Serve connections in a thread with a loop of its own, and end them all at the end; yields the port."""
    started, ended = Event(), Event()
    port = 0

    async def serve() -> None:
        nonlocal port
        server = await asyncio.start_server(accept, address, 0)
        port = server.sockets[0].getsockname()[1]
        started.set()
        await asyncio.to_thread(ended.wait)
        server.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    thread = Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert started.wait(10)
        yield port
    finally:
        ended.set()
        thread.join()
