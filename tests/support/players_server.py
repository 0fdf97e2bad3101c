"""A server of players that says what a test tells it, for clients of the second wire."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class PlayersServer:
    """One port; every client is told the same after its HELLO."""

    def __init__(self, *lines: str) -> None:
        self._lines = lines
        self._writers: list[asyncio.StreamWriter] = []
        self._server: asyncio.Server | None = None
        self._news = asyncio.Condition()
        self.heard: list[str] = []
        """What all clients have said, in order."""
        self.gone = 0
        """How many have closed their connections."""

    @property
    def port(self) -> int:
        assert self._server is not None
        number: int = self._server.sockets[0].getsockname()[1]
        return number

    async def say(self, *lines: str) -> None:
        """Tell all clients more."""
        for writer in self._writers:
            writer.write("".join(f"{line}\r\n" for line in lines).encode())
            await writer.drain()

    async def until_heard(self, line: str) -> None:
        """Wait until a client has said a line."""
        async with self._news:
            await self._news.wait_for(lambda: line in self.heard)

    async def until_gone(self, number: int) -> None:
        """Wait until so many connections are closed."""
        async with self._news:
            await self._news.wait_for(lambda: self.gone >= number)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client until it goes."""
        self._writers.append(writer)
        while data := await reader.readline():
            line = data.decode().strip()
            if line.startswith("HELLO"):
                writer.write("".join(f"{each}\r\n" for each in self._lines).encode())
            async with self._news:
                self.heard.append(line)
                self._news.notify_all()
        self._writers.remove(writer)
        writer.close()
        async with self._news:
            self.gone += 1
            self._news.notify_all()

    async def open(self) -> None:
        """Listen on a free port."""
        self._server = await asyncio.start_server(self.serve, "127.0.0.1", 0)

    def close(self) -> None:
        """Close the port and every connection."""
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.close()


@asynccontextmanager
async def players_server(*lines: str) -> AsyncIterator[PlayersServer]:
    """Serve players, each of whom is told these lines after its HELLO."""
    server = PlayersServer(*lines)
    await server.open()
    try:
        yield server
    finally:
        server.close()
