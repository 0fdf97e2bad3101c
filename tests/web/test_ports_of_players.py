"""A page that somebody has open sends requests to the ports of players: each port closes, and nobody is seated."""

from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.connect.test_connect_client import Author, running, settings_for
from tests.host.test_ports import clock
from tests.host.test_team_ports import budget, fake_table
from tests.support.events import free_port
from tests.support.table_host import LOG_ON, floor
from tests.support.tunnel_server import StubTunnelServer, tunnel_server
from tourney.bridge import SEATS, Seat
from tourney.host.connection import TcpConnection
from tourney.protocol.http_requests import WEB_PAGE, is_http_request

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOG_ON_LINE = LOG_ON.format("Alpha", "North")

_SEND = """([port, path, body]) => fetch(`http://127.0.0.1:${port}/${path}`, {mode: "no-cors", method: "POST", body})
    .then(() => "answered", () => "failed")"""


async def send_from_a_page(chromium: Browser, port: int, body: str, path: str = "") -> None:
    """Have a page send lines to a port, as any page may; it gets no answer."""
    page = await chromium.new_page()
    try:
        assert await page.evaluate(_SEND, [port, path, body]) == "failed"
    finally:
        await page.close()


@pytest.mark.parametrize("path", ["", "a" * 9000])
async def test_tables_and_the_stateful_port_close_on_what_a_page_sends_and_seat_nobody(
    chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    closed: list[str] = []
    abort = TcpConnection.abort

    def note_abort(connection: TcpConnection, reason: str) -> None:
        closed.append(reason)
        abort(connection, reason)

    monkeypatch.setattr(TcpConnection, "abort", note_abort)
    stateful = free_port()
    async with floor(tmp_path, tables=clock(stateful)) as place:
        table = await place.opened()
        await send_from_a_page(chromium, table.ports[Seat.NORTH], LOG_ON_LINE, path)
        assert WEB_PAGE in closed
        closed.clear()
        await send_from_a_page(chromium, stateful, "HELLO Alpha\r\nJOIN-T\r\n", path)
        assert WEB_PAGE in closed
        assert place.query("SELECT count(*) FROM connections") == [(0,)]


async def test_the_port_of_a_team_closes_on_what_a_page_sends_and_leads_it_to_no_table(
    chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []

    def note_asked(line: bytes) -> bool:
        asked.append(line)
        return is_http_request(line)

    monkeypatch.setattr("tourney.host.team_ports.is_http_request", note_asked)
    async with budget() as way, fake_table() as table:
        way.seats = [table.seat(1)]
        await send_from_a_page(chromium, way.ports[0], LOG_ON_LINE)
        assert b"POST / HTTP/1.1" in asked
        assert table.heard.empty()


async def test_the_port_of_a_tunnel_on_an_authors_machine_passes_on_nothing_of_what_a_page_sends(
    chromium: Browser,
) -> None:
    author, said = Author(), list[bytes]()

    def note(data: bytes) -> bytes:
        said.append(data)
        return data

    async with tunnel_server(StubTunnelServer(answer=note)) as server:
        settings = settings_for(server)
        async with running(settings, author):
            await author.heard("Connected as")
            await send_from_a_page(chromium, settings.port, "".join(LOG_ON.format("Alpha", str(s)) for s in SEATS))
            assert WEB_PAGE in await author.heard("Gone")
    assert said == []
