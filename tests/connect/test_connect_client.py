"""The author's side of a tunnel, over real connections of this machine."""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.tunnel_server import Refusal, StubTunnelServer, tunnel_server
from tourney.connect import client as client_module
from tourney.connect import main as main_module
from tourney.connect.client import Say, TunnelClient
from tourney.connect.main import _connect, run_connect
from tourney.connect.options import ConnectSettings, parse_url
from tourney.errors import LaunchError, ServiceError, TourneyError

KEY = "0123456789abcdef"


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Author:
    """What the client says, which tests can wait for."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._changed = asyncio.Event()

    def say(self, line: str) -> None:
        self.lines.append(line)
        self._changed.set()

    async def heard(self, words: str) -> str:
        while True:
            for line in self.lines:
                if words in line:
                    self.lines.remove(line)
                    return line
            self._changed.clear()
            await self._changed.wait()


def settings_for(server: StubTunnelServer, **changes: object) -> ConnectSettings:
    values: dict[str, object] = {
        "url": parse_url(server.url),
        "team": "Équipe A",
        "key": KEY,
        "port": free_port(),
    }
    return ConnectSettings(**{**values, **changes})  # type: ignore[arg-type]


@contextlib.asynccontextmanager
async def running(settings: ConnectSettings, author: Author) -> AsyncIterator[TunnelClient]:
    client = TunnelClient(settings, author.say)
    await client.open_port()
    task = asyncio.create_task(client.run())
    try:
        yield client
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, TourneyError):
            await task


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "PAUSES_S", (0.01,))


async def test_a_program_plays_through_the_tunnel_and_its_thinking_is_stamped() -> None:
    author = Author()
    async with tunnel_server(StubTunnelServer()) as server:
        settings = settings_for(server)
        async with running(settings, author):
            assert await author.heard("Connected as Équipe A.")
            assert await author.heard("The way to the server and back takes")
            reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
            assert await author.heard("Connected here: program 1.")
            for line in (b"connecting\r\n", b"ready\r\n"):
                writer.write(line)
                assert await reader.readline() == line.upper()
            writer.write_eof()
            assert await reader.read() == b""
            assert await author.heard("Gone: program 1,")
            writer.close()

    request = server.requests[0]
    assert request.path == "/connect"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.headers["Tourney-Team"] == "%C3%89quipe%20A"
    first, second = server.stamps
    assert first is None
    assert second is not None
    assert 0 <= second < 60_000


async def test_a_lost_connection_is_made_again_and_the_program_notices_nothing() -> None:
    author = Author()
    async with tunnel_server(StubTunnelServer()) as server:
        settings = settings_for(server)
        async with running(settings, author):
            reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
            sent = b"".join(b"line %d\r\n" % number for number in range(20_000))
            writer.write(sent)
            reading = asyncio.create_task(reader.readexactly(len(sent)))
            await server.welcomes.get()
            for _ in range(3):
                server.cut()
                await author.heard("Connected again")
            assert await reading == sent.upper()
            writer.close()


async def test_a_server_that_was_started_again_resets_the_programs_and_serves_new_ones() -> None:
    author = Author()
    async with tunnel_server(StubTunnelServer()) as server:
        settings = settings_for(server)
        async with running(settings, author):
            reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
            writer.write(b"a\r\n")
            assert await reader.readline() == b"A\r\n"
            server.ends.clear()
            server.cut()
            assert await reader.read() == b""
            assert await author.heard("the server was started again")
            writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", settings.port)
            writer.write(b"b\r\n")
            assert await reader.readline() == b"B\r\n"
            writer.close()


async def test_the_author_calls_the_director() -> None:
    author = Author()
    async with tunnel_server(StubTunnelServer()) as server, running(settings_for(server), author) as client:
        await author.heard("Connected as")
        client.call_director("North hangs")
        assert await author.heard("The director: The director is called.")
    assert server.calls == ["North hangs"]


async def test_stopping_the_client_ends_the_session_at_the_server() -> None:
    author = Author()
    async with tunnel_server(StubTunnelServer()) as server:
        async with running(settings_for(server), author):
            end = await server.welcomes.get()
            await author.heard("Connected as")
        assert server.websocket is not None
        await server.websocket.wait_closed()
        assert end.has_ended


async def test_programs_are_started_for_each_seat_and_their_output_has_the_seat_before_it() -> None:
    author = Author()
    program = (
        "import socket, sys\n"
        "link = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
        "link.sendall(sys.argv[2].encode() + b'\\n')\n"
        "print(link.makefile().readline().strip(), flush=True)\n"
    )
    async with tunnel_server(StubTunnelServer()) as server:
        command = (sys.executable, "-c", program.replace("{", "{{").replace("}", "}}"), "{port}", "{seat}")
        task = asyncio.create_task(_connect(settings_for(server, command=command), author.say))
        assert await author.heard("North: NORTH")
        assert await author.heard("South: SOUTH")
        assert await author.heard("North: the program has ended (exit status 0); it is started again in 1 s")
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        (
            Refusal(401, "The key is not that of this team."),
            r"127.0.0.1:\d+ refuses: The key is not that of this team$",
        ),
        (Refusal(503, "There are too many tunnels."), r"refuses for now: There are too many tunnels \(HTTP 503\)"),
        (Refusal(429, "Wait a quarter of an hour."), r"refuses for now: Wait a quarter of an hour \(HTTP 429\)"),
        (Refusal(404, "<html>", "text/html"), "no tunnel at this address"),
        (
            Refusal(200, "<html>", "text/html"),
            "answered with a web page and HTTP 200 .* may not let WebSockets through",
        ),
        (Refusal(302, ""), "sends elsewhere"),
    ],
)
async def test_a_server_that_refuses_is_one_sentence(refusal: Refusal, sentence: str) -> None:
    async with tunnel_server(StubTunnelServer(refusal=refusal)) as server:
        with pytest.raises(ServiceError, match=sentence):
            await TunnelClient(settings_for(server), print).run()


async def test_a_client_that_is_early_waits_until_the_event_is_run() -> None:
    author = Author()
    early = StubTunnelServer(refusal=Refusal(502, "<html>", "text/html"))
    async with tunnel_server(early) as server, running(settings_for(server), author):
        assert await author.heard("the event's end of the tunnel is not (HTTP 502). It is tried until it works")
        server.refusal = None
        assert await author.heard("Connected as")


async def test_a_key_that_is_revoked_meanwhile_ends_the_client() -> None:
    author = Author()
    async with tunnel_server(StubTunnelServer()) as server:
        task = asyncio.create_task(TunnelClient(settings_for(server), author.say).run())
        await author.heard("Connected as")
        server.refusal = Refusal(401, "The key is not that of this team.")
        server.cut()
        with pytest.raises(ServiceError, match="refuses: The key is not"):
            await task


async def test_a_bye_in_place_of_a_welcome_is_said() -> None:
    async with tunnel_server(StubTunnelServer(bye="This team has two tunnels.")) as server:
        with pytest.raises(ServiceError, match="This team has two tunnels"):
            await TunnelClient(settings_for(server), print).run()


async def test_a_server_that_never_answers_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.connect.dial.OPEN_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = StubTunnelServer(port=silent.getsockname()[1])
        with pytest.raises(ServiceError, match=r"has not answered for 0.05 s"):
            await TunnelClient(settings_for(server), print).run()


async def test_a_local_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(LaunchError, match=f"port {port} of this machine cannot be opened"):
            await TunnelClient(settings_for(StubTunnelServer(port=1), port=port), print).open_port()


async def test_no_program_is_said_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "IDLE_S", 0.01)
    author = Author()
    async with tunnel_server(StubTunnelServer()) as server, running(settings_for(server), author):
        assert await author.heard("No program has connected to 127.0.0.1 port")


def test_a_client_in_the_background_whose_shell_ignores_ctrl_c_ends_when_it_is_terminated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def terminated(_settings: ConnectSettings, _say: Say) -> None:
        signal.raise_signal(signal.SIGTERM)
        await asyncio.Event().wait()

    monkeypatch.setattr(main_module, "_connect", terminated)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_connect(settings_for(StubTunnelServer(port=1)))
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_key_is_not_in_what_a_traceback_would_show(tmp_path: Path) -> None:
    assert KEY not in repr(settings_for(StubTunnelServer(port=1)))
