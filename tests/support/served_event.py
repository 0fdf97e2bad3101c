"""`tourney serve` for tests with a real browser or a real client: on a thread of this process, or as a process.

A process takes a second to start: it is for tests of its end, its memory and its death.
"""

import asyncio
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.events import Finished, read_until, rest_of, start_tourney
from tourney.event.drawn import open_event
from tourney.web import serving as serving_module
from tourney.web.serving import Served, Server, address_of, open_socket, serve_event

READY_S = 60
"""How long a server may take to answer."""


@dataclass(frozen=True)
class ServedHere:
    """A server and the address at which it listens, with a slash at its end."""

    address: str

    @property
    def place(self) -> tuple[str, int]:
        """Host and port."""
        host, port = self.address.removeprefix("http://").strip("/").split(":")
        return host, int(port)


@dataclass(frozen=True)
class ServedByProcess(ServedHere):
    """A server that is a process of its own."""

    process: "subprocess.Popen[str]"

    def end(self, by: signal.Signals = signal.SIGTERM) -> Finished:
        """End it, and return how it ended."""
        self.process.send_signal(by)
        return rest_of(self.process)


@contextmanager
def serving_here(event: Path, *, port: int = 0, served: Served = Served.ALL) -> Iterator[ServedHere]:
    """Serve an event on a thread of this process."""
    known: list[tuple[Server, asyncio.AbstractEventLoop]] = []
    is_ready = threading.Event()

    class KnownServer(Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            known.append((self, asyncio.get_running_loop()))
            is_ready.set()

    def serve() -> None:
        with open_event(event, is_read_only=True) as drawn:
            serve_event(drawn, listener, lambda: None, served)

    listener = open_socket("127.0.0.1", port)
    thread = threading.Thread(target=serve, name="tourney serve", daemon=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serving_module, "Server", KnownServer)
        for of_a_process in ("share_interpreter", "use_one_arena", "return_memory"):
            patch.setattr(serving_module, of_a_process, lambda: None)
        thread.start()
        assert is_ready.wait(READY_S)
    try:
        yield ServedHere(address_of(listener))
    finally:
        server, loop = known[0]
        loop.call_soon_threadsafe(server.handle_exit, signal.SIGTERM, None)
        thread.join(READY_S)
        assert not thread.is_alive()


@contextmanager
def serving(event: Path, *more: str) -> Iterator[ServedByProcess]:
    """Serve an event by a process of its own; what still runs afterwards is killed."""
    process = start_tourney("serve", event, "--port", "0", *more)
    try:
        said = read_until(process, "http://")
        found = re.search(r"http://\S+", said)
        assert found is not None, said
        yield ServedByProcess(found[0], process)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
