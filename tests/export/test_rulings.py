"""Exports of boards that were not played to their end, and of what was ruled."""

from pathlib import Path

from tests.support.commands import printed, rows_of, run
from tests.support.event_conversation import converse
from tests.support.exports import export_pbn, games_of, matches_of, table_of
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.protocol.session.records import BoardEnd, IncidentKind, RulingKind


def test_a_board_forfeited_in_one_room_only_is_not_exported_while_the_other_has_to_play_it(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees"))
    for board in (1, 2):
        played.forfeit(1, OPEN, board, Seat.NORTH, BoardEnd.CRASH, "North ended with 3", cards=5)
        played.incident(1, OPEN, board, IncidentKind.ILLEGAL_CALL, Seat.NORTH, f"NORTH bids 8C on board {board}")
    played.rule(1, "Bees", RulingKind.BOARD_FORFEIT, "saw the hands", room=CLOSED, board=1, author="Jane")
    (match,) = matches_of(played)
    ((number, imps, rooms),) = [(each.board.number, each.line.imps, [*each.records]) for each in match.boards]
    assert (number, imps, rooms) == (1, -3, [OPEN])
    assert [incident.text for incident in match.incidents] == ["NORTH bids 8C on board 1"]
    assert [ruling.board for ruling in match.card.rulings] == [1, 1]


def test_pbn_of_a_finished_board_that_a_ruling_took_away_has_its_result_and_says_adjudication(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=1))
    converse(played, "match 1 board 1: 4S N 10, 4S N 10")
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
    assert {row["team"] for row in rows_of(run("standings", played.path, "--csv"))} == {"'=Ants", "Bees"}


def _csv_texts(played: PlayedEvent, folder: Path) -> tuple[str, ...]:
    printed(run("export", played.path, "--format", "csv", "--out", folder))
    tables = {path.stem: table_of(path) for path in folder.iterdir()}
    (match,), (ruling,), (incident,) = tables["matches"], tables["rulings"], tables["incidents"]
    return match["home"], ruling["reason"], incident["text"]
