"""The upper limit of the wire: a process that relays the lines of a script and knows no bridge.

`python -m bench.relay FILE` prints its port and accepts connections that first send a table number and a seat
(`3 N`); when its standard input ends it prints the seconds of processor time since the first connection. It has the
same event loop and the same kind of connections as a table host.
"""

import asyncio
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from bench.script import Relayed, parse_relayed
from tourney.bridge import SEATS
from tourney.errors import LaunchError
from tourney.runtime.event_loop import loop_factory

HOST: Final = "127.0.0.1"

_PLACES: Final = {seat.letter.encode(): place for place, seat in enumerate(SEATS)}

_END_S: Final = 10.0
"""How long the relay may take to end."""

_BACKLOG: Final = 256


class RelayProcess:
    """A relay process that runs until `stop`."""

    def __init__(self, script_file: Path) -> None:
        """Starts the relay.

        Raises:
            LaunchError: it cannot be started.
        """
        words = [sys.executable, "-m", "bench.relay", str(script_file)]
        try:
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 # ours
        except OSError as error:
            raise LaunchError(f"the relay cannot be started: {error.strerror}") from None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise LaunchError(f"the relay ended with status {self._process.wait()}")
        self.port = int(line)

    def stop(self) -> float:
        """Stops the relay and returns its seconds of processor time since the first connection."""
        try:
            output, _ = self._process.communicate(timeout=_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            raise LaunchError(f"the relay did not end within {_END_S:.0f} s") from None
        if self._process.returncode:
            raise LaunchError(f"the relay ended with status {self._process.returncode}")
        return float(output)


class _Table:
    """Passes the lines of one table on, each when it is due."""

    def __init__(self, relayed: Sequence[Relayed]) -> None:
        self.transports: list[asyncio.Transport | None] = [None] * len(SEATS)
        self._relayed = relayed
        self._next = 0
        self._heard = [0] * len(SEATS)

    def hear(self, place: int, lines: int) -> None:
        heard = self._heard
        heard[place] += lines
        north, east, south, west = heard
        while self._next < len(self._relayed):
            needs, seat, data = self._relayed[self._next]
            if needs[0] > north or needs[1] > east or needs[2] > south or needs[3] > west:
                return
            transport = self.transports[seat]
            assert transport is not None, "a player hears nothing before it has said who it is"
            transport.write(data)
            self._next += 1


class _Link(asyncio.Protocol):
    def __init__(self, relay: "_Relay") -> None:
        self._relay = relay
        self._table: _Table | None = None
        self._place = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # what a stream server hands over
        raw: socket.socket = transport.get_extra_info("socket")
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def data_received(self, data: bytes) -> None:
        lines = data.count(b"\n")
        if self._table is None:
            number, _, letter = data.partition(b"\n")[0].strip().partition(b" ")
            self._place = _PLACES[letter]
            self._table = self._relay.table(int(number))
            self._table.transports[self._place] = self._transport
            lines -= 1
        self._table.hear(self._place, lines)


class _Relay:
    def __init__(self, relayed: Sequence[Relayed]) -> None:
        self._tables: defaultdict[int, _Table] = defaultdict(lambda: _Table(relayed))
        self.cpu_before_s = 0.0

    def table(self, number: int) -> _Table:
        if not self._tables:
            self.cpu_before_s = time.process_time()
        return self._tables[number]


async def _serve(relayed: Sequence[Relayed]) -> None:
    loop = asyncio.get_running_loop()
    relay, over = _Relay(relayed), asyncio.Event()
    server = await loop.create_server(lambda: _Link(relay), HOST, 0, backlog=_BACKLOG)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    loop.add_reader(sys.stdin.fileno(), over.set)
    await over.wait()
    loop.remove_reader(sys.stdin.fileno())
    sys.stdout.write(f"{time.process_time() - relay.cpu_before_s}\n")
    server.close()


def main() -> None:
    """Relay until the standard input ends."""
    relayed = parse_relayed(Path(sys.argv[1]).read_text(encoding="ascii"))
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(_serve(relayed))


if __name__ == "__main__":
    main()
