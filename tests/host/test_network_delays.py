"""Programs beyond a tunnel at a real host, on real sockets: what their clients say of their time, true or not."""

import asyncio
from pathlib import Path

import pytest

from tests.host.test_access import opened, seat_all
from tests.host.test_host import Floor, floor
from tests.host.test_stateful_port import KEY, clock, event_port
from tourney.bridge import Seat
from tourney.host.relay import format_frame, format_relay_header, hash_relay_key

pytestmark = pytest.mark.clause("BC-45")

NETWORK_MS = 40
SLOW_S = 0.1
"""How long the program beyond the tunnel takes for a call."""


def delays(place: Floor) -> list[tuple[str, int, int, int, int]]:
    """Seat, own, delay and allowed of each call or card that has one, and what it was charged."""
    found = []
    for kind, is_card in (("calls", "NOT d.is_card"), ("cards", "d.is_card")):
        found += place.query(
            f"SELECT d.seat, d.own_ms, d.delay_ms, d.allowed_ms, a.thinking_ms FROM network_delays d JOIN {kind} a "
            "ON (a.table_id, a.board, a.attempt, a.seq, a.seat) = (d.table_id, d.board, d.attempt, d.seq, d.seat) "
            f"WHERE {is_card}"
        )
    return found


@pytest.mark.clause("SS-35")
async def test_what_a_client_of_the_events_port_says_reaches_its_table(tmp_path: Path) -> None:
    port = event_port()
    tables = clock(port).replace("[clock]", f"[clock]\nnetwork_ms = {NETWORK_MS}")
    async with floor(tmp_path, tables=tables, relay_key=hash_relay_key(KEY)) as place:
        table = await opened(place)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        said = format_frame(b"HELLO Alpha\r\nJOIN-M match001open N\r\n", 3)
        writer.write(format_relay_header("10.0.0.7:40000", KEY, is_framed=True) + said)
        others = await seat_all(table, but=Seat.NORTH)
        while not (line := await reader.readline()).startswith(b"AUCOPEN"):
            assert line
        frame = format_frame(b"BID PASS\r\n", 7)
        writer.write(frame[:9])
        await asyncio.sleep(SLOW_S)
        writer.write(frame[9:])
        while True:
            if found := delays(place):
                break
            await asyncio.sleep(0.01)
        ((seat, own_ms, delay_ms, allowed_ms, thinking_ms),) = found
        assert (seat, own_ms, allowed_ms) == ("N", 7, NETWORK_MS)
        assert thinking_ms == 7 + delay_ms - NETWORK_MS
        assert delay_ms >= 1000 * SLOW_S - 7 - 1
        assert place.query("SELECT peer FROM connections WHERE seat = 'N'") == [("10.0.0.7:40000",)]
        writer.close()
        for player in others:
            assert player.transport is not None
            player.transport.abort()
