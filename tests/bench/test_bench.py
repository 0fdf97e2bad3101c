"""The parts of benches that count: scripts, players, relay, what is lost, events that are made."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, update

from bench.big_events import make_event, play_board
from bench.events import Tables
from bench.figures import percentile
from bench.holding import count_lost
from bench.load_players import Said
from bench.made_events import MadeBoard, MadeTable, MatchFiller, hash_board, make_board
from bench.players import Chair, play_script
from bench.script import Script, Step, make_script
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.audit.event import verify_event
from tourney.bridge import SEATS, Seat
from tourney.errors import FormatError, LaunchError
from tourney.movement.seating import TableState
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.reader import load_event
from tourney.store.models import CardRow, ResultRow, TableRow
from tourney.store.record.hash_chain import load_board_texts


def said(*lines: str) -> list[Said]:
    """`>` is said by the player, `<` to it."""
    return [Said(line[0] == ">", line[1:].encode()) for line in lines]


def log(*entries: tuple[str | None, str, str]) -> list[str]:
    return [json.dumps({"t_ms": 0, "seat": seat, "dir": way, "line": line}) for seat, way, line in entries]


SCRIPT = make_script(
    1,
    {
        Seat.NORTH: said('>Connecting "A" as North using', "<hello", ">North passes", "<over"),
        Seat.EAST: said('>Connecting "B" as East using', "<North passes"),
        Seat.SOUTH: said('>Connecting "A" as South using'),
        Seat.WEST: said('>Connecting "B" as West using'),
    },
    log(
        *((None, "in", f'Connecting "A" as {seat.title} using') for seat in SEATS),
        ("N", "out", "hello"),
        ("N", "note", "remarks are no lines"),
        ("N", "in", "North passes"),
        ("E", "out", "North passes"),
        ("N", "out", "over"),
    ),
)


def test_log_of_another_session_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^the wire log has \[1, 0, 0, 0\] lines to the players, they received"):
        make_script(1, {Seat.NORTH: said("<hello", "<again")}, log(("N", "out", "hello")))


@given(st.lists(st.integers(), min_size=1), st.floats(0, 1))
def test_percentile_is_the_least_that_the_share_does_not_exceed(numbers: list[int], share: float) -> None:
    found = percentile(sorted(numbers), share)
    assert sum(number <= found for number in numbers) >= share * len(numbers)
    below = [number for number in numbers if number < found]
    assert not below or sum(number <= max(below) for number in numbers) < share * len(numbers)


def test_percentile_of_nothing_is_nothing() -> None:
    assert percentile([], 0.99) == 0


async def test_table_that_hangs_up_is_an_error_in_one_sentence() -> None:
    class Closing(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            transport.close()

    server = await asyncio.get_running_loop().create_server(Closing, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        chairs = [Chair("127.0.0.1", port, Seat.NORTH, (b"x\r\n",))]
        with pytest.raises(LaunchError, match=rf"^North at port {port} had received 0 of 2 lines when its conn"):
            await play_script(SCRIPT, chairs)


def fill(event: PlayedEvent, boards: Sequence[MadeBoard], score: MatchScore) -> None:
    """Put the first match down: its boards, in order, played alike in both rooms."""
    match = event.match(1)
    with event.database.read() as connection:
        texts = load_board_texts(connection, match.tables[0].id)
    tables = [
        MadeTable(table.id, range(len(boards)), [hash_board(table.id, made, texts[made.number]) for made in boards])
        for table in match.tables
    ]
    with MatchFiller.open(event.database) as filler:
        filler.fill([match], boards, tables, lambda _: score, 5)


def test_what_is_not_on_record_is_counted_as_lost(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(boards=1))
    (board,) = played.boards(1)
    made, tables = make_board(play_board(board, 0)), tuple(played.match(1).tables)
    score = MatchScore(1, 0, 0, VpHundredths(1000), VpHundredths(1000))
    fill(played, [made], score)
    script = Script(1, {Seat.NORTH: [Step(0, b"", is_action=True)] * 56}, {}, ())
    drawn = Tables(played.file, played.event, tables, 1)
    assert count_lost(played.database, drawn, len(drawn.tables) * script.actions) == 0
    with played.database.write() as connection:
        connection.execute(delete(CardRow).where(CardRow.table_id == tables[0].id, CardRow.seq >= 49))
        connection.execute(delete(ResultRow).where(ResultRow.table_id == tables[1].id))
        connection.execute(update(TableRow).where(TableRow.id == tables[1].id).values(state=TableState.PLAYING))
    assert count_lost(played.database, drawn, len(drawn.tables) * script.actions) == 3 + 1 + 1


def test_event_that_is_made_passes_verification(tmp_path: Path) -> None:
    file = make_event(tmp_path / "made", 3, 2)
    database = Database(file.database_url)
    event = load_event(database, "3 teams")
    assert event is not None
    outcome = verify_event(database, event, event.matches, file.scales, 0)
    database.close()
    assert outcome.findings == []
    assert (len(event.matches), outcome.boards) == (6, 24)
    assert outcome.records > 24 * 56
