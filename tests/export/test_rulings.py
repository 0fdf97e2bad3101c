"""Exports of boards that were not played to their end, and of what was ruled."""

import csv
import io
from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.exports import export_pbn, games_of, matches_of, table_of
from tests.support.played_event import PlayedEvent, draw_event, event_text, once
from tourney.bridge import Seat
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, IncidentKind, RulingKind

OPEN, CLOSED = Room.OPEN, Room.CLOSED


@pytest.fixture
@once
def ruled(tmp_path: Path) -> PlayedEvent:
    """Ants, at home, and Bees; boards 1 to 4.

    1: West of the open room (Bees) stalls after 5 cards, played in the closed room. 2: claimed in the open room after
    30 cards. 3: both rooms forfeited, in the closed room by a ruling before it was begun. 4: North of the open room
    (Ants) crashes, not begun in the closed room.
    """
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=4))
    played.forfeit(1, OPEN, 1, Seat.WEST, BoardEnd.STALL, "West owed a card for 300 s", seed="a", cards=5)
    played.record(1, CLOSED, 1, "1NT N", 7, ns_ms=10, ew_ms=20, tm_ms=3)
    played.claim(1, OPEN, 2, cards=30, tricks=6, seed="b")
    played.record(1, CLOSED, 2, "1NT N", 7)
    played.forfeit(1, OPEN, 3, Seat.NORTH, BoardEnd.ILLEGAL, "North sent 3 illegal lines", seed="a")
    played.rule(1, "Bees", RulingKind.BOARD_FORFEIT, "saw the hands", room=CLOSED, board=3, author="Jane")
    played.forfeit(1, OPEN, 4, Seat.NORTH, BoardEnd.CRASH, "North ended with 3")
    played.incident(1, OPEN, 1, IncidentKind.OVER_TIME, Seat.WEST, "a card took 300 s")
    played.incident(1, OPEN, 4, IncidentKind.ILLEGAL_CALL, Seat.NORTH, "NORTH bids 8C")
    played.incident(1, OPEN, None, IncidentKind.PAUSED, None, "lunch")
    return played


def test_a_board_forfeited_in_one_room_only_is_not_exported_while_the_other_has_to_play_it(
    ruled: PlayedEvent,
) -> None:
    (match,) = matches_of(ruled)
    assert [board.board.number for board in match.boards] == [1, 2, 3]
    assert [(board.imps, board.imps_away) for board in match.boards[::2]] == [(3, -3), (-3, -3)]
    assert [list(board.records) for board in match.boards] == [[OPEN, CLOSED], [OPEN, CLOSED], [OPEN]]
    assert [incident.text for incident in match.incidents] == ["a card took 300 s", "lunch"]
    assert [ruling.board for ruling in match.card.rulings] == [1, 3, 3]


def test_pbn_of_a_finished_board_that_a_ruling_took_away_has_its_result_and_says_adjudication(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=1))
    played.record(1, OPEN, 1, "4S N", 10)
    played.record(1, CLOSED, 1, "4S N", 10)
    played.rule(1, "Bees", RulingKind.BOARD_FORFEIT, "saw the hands", room=CLOSED, board=1, author="Jane")
    opened, closed = games_of(export_pbn(played, tmp_path)[0])
    assert (opened["Termination"], opened["Score"]) == ("normal", "NS 420")
    assert (closed["Termination"], closed["Score"], closed["ScoreIMP"]) == ("adjudication", "NS 420", "NS -3 EW 3")


def test_csv_has_no_text_that_a_spreadsheet_runs(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("=Ants", "Bees", boards=1))
    played.play(1)
    played.rule(1, "Bees", RulingKind.PENALTY_IMPS, "@SUM(1)", amount=3)
    played.incident(1, OPEN, None, IncidentKind.PAUSED, None, "+1 for lunch")
    assert _csv_texts(played, tmp_path / "csv") == ("'=Ants", "'@SUM(1)", "'+1 for lunch")
    report = run("standings", played.path, "--csv").stdout
    assert {row["team"] for row in csv.DictReader(io.StringIO(report))} == {"'=Ants", "Bees"}


def _csv_texts(played: PlayedEvent, folder: Path) -> tuple[str, ...]:
    done = run("export", played.path, "--format", "csv", "--out", folder)
    assert done.exit_code == 0
    tables = {path.stem: table_of(path) for path in folder.iterdir()}
    (match,), (ruling,), (incident,) = tables["matches"], tables["rulings"], tables["incidents"]
    return match["home"], ruling["reason"], incident["text"]
