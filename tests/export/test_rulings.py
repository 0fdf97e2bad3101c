"""Exports of boards that were not played to their end, and of what was ruled."""

import csv
import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import update

from tests.support.endplay_reader import endplay_pbn, needs_endplay
from tests.support.exports import export_csv, export_json, export_pbn, games_of, matches_of, table_of
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.bridge import Contract, Seat, Strain
from tourney.cli.main import cli
from tourney.export.csv import write_csv
from tourney.export.usebio import write_usebio
from tourney.movement.ranking import RankingRules
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, IncidentKind, RulingKind
from tourney.results.standings import load_standings
from tourney.scorefile.score import read_files, score_matches
from tourney.scoring import WBF_CONTINUOUS
from tourney.scoring.assigned import AssignedResult
from tourney.store.models import CallRow, CardRow
from tourney.store.results.matches import load_board_records

OPEN, CLOSED = Room.OPEN, Room.CLOSED


@pytest.fixture
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


def test_pbn_of_a_forfeited_board_has_its_calls_and_cards_no_result_and_a_termination(
    ruled: PlayedEvent, tmp_path: Path
) -> None:
    path = export_pbn(ruled, tmp_path)[0]
    games = games_of(path)
    assert [(game["Board"], game["Room"], game["Termination"]) for game in games] == [
        ("1", "Open", "time forfeit"),
        ("1", "Closed", "normal"),
        ("2", "Open", "normal"),
        ("2", "Closed", "normal"),
        ("3", "Open", "rules infraction"),
        ("3", "Closed", "adjudication"),
    ]
    record = load_board_records(ruled.database, ruled.match(1))[0]
    assert (record.result, len(record.cards)) == (None, 5)
    game = games[0]
    assert (game["Result"], "Score" in game) == ("?", False)
    assert game["Contract"] not in ("?", "")  # the auction had come to its end
    # Ants win 3 IMPs on board 1, from North-South of the closed room, Bees: -3. On board 3 both lose 3.
    assert [game.get("ScoreIMP") for game in games][:2] == [None, "NS -3 EW 3"]
    assert [game.get("ScoreIMP") for game in games][4:] == [None, "NS -3 EW -3"]
    assert "Ruling" not in games[2]
    assert game["Ruling"].startswith("board 1, open room: Bees: board forfeited: stall: West owed a card for 300 s")
    assert games[5]["Ruling"].endswith("closed room: Bees: board forfeited: saw the hands (BC-45, by Jane)")


def test_pbn_of_a_claimed_board_has_the_cards_up_to_the_claim_and_its_result(
    ruled: PlayedEvent, tmp_path: Path
) -> None:
    path = export_pbn(ruled, tmp_path)[0]
    text = path.read_text(encoding="ascii").split("\n\n")[2]
    play = text.partition("[Play ")[2].partition("\n[")[0].splitlines()[1:]
    played_cards = [card for line in play for card in line.split() if card not in ("-", "*")]
    assert (len(played_cards), play[-1]) == (30, "*")
    assert '[Result "6"]' in text


@needs_endplay
def test_endplay_reads_a_claimed_board_up_to_the_claim(ruled: PlayedEvent, tmp_path: Path) -> None:
    with export_pbn(ruled, tmp_path)[0].open(encoding="ascii") as file:
        claimed = endplay_pbn.load(file)[2]
    assert claimed.contract is not None
    assert len(claimed.play) == 30


def test_pbn_of_a_finished_board_that_a_ruling_took_away_has_its_result_and_says_adjudication(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=1))
    played.record(1, OPEN, 1, "4S N", 10)
    played.record(1, CLOSED, 1, "4S N", 10)
    played.rule(1, "Bees", RulingKind.BOARD_FORFEIT, "saw the hands", room=CLOSED, board=1, author="Jane")
    opened, closed = games_of(export_pbn(played, tmp_path)[0])
    assert (opened["Termination"], opened["Score"]) == ("normal", "NS 420")
    assert (closed["Termination"], closed["Score"], closed["ScoreIMP"]) == ("adjudication", "NS 420", "NS -3 EW 3")


def test_pbn_has_a_game_of_a_room_that_did_not_begin_a_board_which_a_ruling_decided(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=1))
    played.record(1, OPEN, 1, "4S N", 10)
    played.rule(1, "Bees", RulingKind.BOARD_FORFEIT, "late", room=CLOSED, board=1)
    path = export_pbn(played, tmp_path)[0]
    opened, closed = games_of(path)
    assert (opened["Room"], opened["Score"], "ScoreIMP" in opened) == ("Open", "NS 420", False)
    assert (closed["Room"], closed["Contract"], closed["ScoreIMP"]) == ("Closed", "?", "NS -3 EW 3")
    assert closed["Ruling"] == "board 1, closed room: Bees: board forfeited: late (BC-45, by rule)"
    (match,) = score_matches(read_files([(path.name, path.read_bytes())]), WBF_CONTINUOUS).matches
    assert (match.findings, match.imps_home, match.imps_away) == ((), 3, 0)
    with path.open(encoding="ascii") as file:
        assert [board.info["Ruling"] for board in endplay_pbn.load(file)] == [closed["Ruling"]] * 2


def test_usebio_has_the_rulings_and_both_teams_imps_in_a_comment(ruled: PlayedEvent, tmp_path: Path) -> None:
    path = tmp_path / "event.xml"
    standings = load_standings(ruled.database, ruled.event, {1: RankingRules()})
    write_usebio(ruled.event, standings, matches_of(ruled), path)
    comments = re.findall("<!-- (.*?) -->", path.read_text(encoding="ascii"))
    assert len(comments) == 3
    assert comments[0] == "own margins: TEAM 12, OPPOSING_TEAM -18 IMPs"
    assert comments[1].startswith("Ants 3 IMPs, Bees -3 IMPs: board 1, open room: Bees: board forfeited: stall: ")
    assert comments[2].startswith("Ants -3 IMPs, Bees -3 IMPs: board 3, ")
    assert len(list(ET.parse(path).getroot().iter("BOARD"))) == 3


def test_csv_says_how_a_board_ended_and_whose_fault_it_was(ruled: PlayedEvent, tmp_path: Path) -> None:
    tables = export_csv(ruled, tmp_path)
    columns = ("board", "room", "ended", "fault", "forfeited_by", "imps_home", "imps_away", "contract", "tm_ms")
    first, other, claimed, _, both = ([row[column] for column in columns] for row in tables["boards"])
    assert first == ["1", "open", "stall", "W", "Bees", "3", "-3", "", ""]
    assert other[:7] == ["1", "closed", "played", "", "", "3", "-3"]
    assert other[7:] == ["1NT", "3"]
    assert claimed[:5] == ["2", "open", "claimed", "", ""]
    assert both[:7] == ["3", "open", "illegal", "N", "Ants", "-3", "-3"]
    calls = [row for row in tables["calls"] + tables["cards"] if (row["board"], row["room"]) == ("1", "open")]
    stalled = tables["boards"][0]
    assert sum(int(row["thinking_ms"]) for row in calls) == int(stalled["ns_ms"]) + int(stalled["ew_ms"])
    assert len([row for row in tables["cards"] if row["board"] == "1"]) == 5


def test_csv_has_rulings_and_incidents_of_the_boards_that_are_shown(ruled: PlayedEvent, tmp_path: Path) -> None:
    ruled.withdraw(ruled.rule(1, "Ants", RulingKind.PENALTY_VP, "rude", amount=150))
    ruled.rule(None, "Bees", RulingKind.WITHDRAWAL, "gone home")
    tables = export_csv(ruled, tmp_path)
    columns = ("match", "room", "board", "team", "kind", "amount", "ended", "author", "withdrawn_by")
    assert [[row[column] for column in columns] for row in tables["rulings"]] == [
        ["1", "open", "1", "Bees", "board-forfeit", "", "stall", "rule", ""],
        ["1", "open", "3", "Ants", "board-forfeit", "", "illegal", "rule", ""],
        ["1", "closed", "3", "Bees", "board-forfeit", "", "", "Jane", ""],
        ["1", "", "", "Ants", "penalty-vp", "1.50", "", "rule", "Jane"],
        ["", "", "", "Bees", "withdrawal", "", "", "rule", ""],
    ]
    assert [(row["kind"], row["seat"], row["team"], row["text"]) for row in tables["incidents"]] == [
        ("over-time", "W", "Bees", "a card took 300 s"),
        ("paused", "", "", "lunch"),
    ]
    assert {row["team"]: row["withdrawn"] for row in tables["standings"]} == {"Ants": "0", "Bees": "1"}


def test_json_has_forfeits_rulings_incidents_and_how_each_board_ended(ruled: PlayedEvent, tmp_path: Path) -> None:
    ruled.rule(None, "Bees", RulingKind.WITHDRAWAL, "gone home")
    document = export_json(ruled, tmp_path / "event.json")
    assert [ruling["kind"] for ruling in document["rulings"]] == ["withdrawal"]
    (match,) = document["matches"]
    assert [ruling["board"] for ruling in match["rulings"]] == [1, 3, 3]
    assert [incident["board"] for incident in match["incidents"]] == [1, None]
    first, claimed, both = match["boards"]
    stalled = first["rooms"]["open"]
    keys = ("contract", "declarer", "tricks", "score", "tm_ms", "ended", "fault", "reason")
    assert [stalled[key] for key in keys] == [
        *(None, None, None, None, None, "stall", "W", "West owed a card for 300 s"),
    ]
    assert len(stalled["cards"]) == 5
    assert first["forfeits"] == [{"room": "open", "team": "Bees", "reason": "stall: West owed a card for 300 s"}]
    assert (first["rooms"]["closed"]["ended"], first["rooms"]["closed"]["tm_ms"]) == ("played", 3)
    assert (claimed["rooms"]["open"]["ended"], claimed["rooms"]["open"]["tricks"]) == ("claimed", 6)
    assert (both["imps"], both["imps_away"], both["rooms"]["closed"]) == (-3, -3, None)


def test_a_ruling_in_a_match_is_exported_once_with_its_match(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=1))
    played.rule(1, "Bees", RulingKind.MATCH_FORFEIT, "never came")
    played.score()
    assert [(row["match"], row["kind"]) for row in export_csv(played, tmp_path)["rulings"]] == [
        ("1", "match-forfeit")
    ]
    document = export_json(played, tmp_path / "event.json")
    assert document["rulings"] == []
    assert [ruling["kind"] for ruling in document["matches"][0]["rulings"]] == ["match-forfeit"]


def test_what_the_table_called_and_played_in_a_player_s_place_is_marked(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=1))
    played.play(1)
    record = load_board_records(played.database, played.match(1))[0]
    for model in (CallRow, CardRow):
        with played.database.write() as connection:
            connection.execute(
                update(model)
                .where(model.table_id == played.match(1).tables_at(0)[OPEN].id, model.seq == 1)
                .values(substituted=True)
            )
    board = export_json(played, tmp_path / "event.json")["matches"][0]["boards"][0]["rooms"]
    for actions, count in (("calls", len(record.calls)), ("cards", len(record.cards))):
        assert count > 1
        assert [index for index, action in enumerate(board["open"][actions]) if action["substituted"]] == [1]
        assert not any(action["substituted"] for action in board["closed"][actions])
    tables = export_csv(played, tmp_path)
    for actions in ("calls", "cards"):
        marked = [(row["room"], row["number"]) for row in tables[actions] if row["substituted"] == "1"]
        assert marked == [("open", "2")]


def test_csv_has_assigned_results_with_their_weights(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=1))
    played.rule(1, "Bees", RulingKind.WARNING, "late")
    (match,) = matches_of(played)
    (warning,) = match.card.rulings
    spades = Contract(4, Strain.SPADES, 0, Seat.NORTH)
    assigned = (AssignedResult(60, spades, 10), AssignedResult(40, spades, 9))
    rulings = (warning, replace(warning, kind=RulingKind.ASSIGNED_SCORE, assigned=assigned))
    ruled = replace(match, card=replace(match.card, rulings=rulings))
    paths = {path.stem: path for path in write_csv(None, [ruled], tmp_path)}
    assert [row["assigned"] for row in table_of(paths["rulings"])] == ["", "60: 4S N 10, 40: 4S N 9"]


def test_csv_has_no_text_that_a_spreadsheet_runs(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("=Ants", "Bees", boards=1))
    played.play(1)
    played.rule(1, "Bees", RulingKind.PENALTY_IMPS, "@SUM(1)", amount=3)
    played.incident(1, OPEN, None, IncidentKind.PAUSED, None, "+1 for lunch")
    assert _csv_texts(played, tmp_path / "csv") == ("'=Ants", "'@SUM(1)", "'+1 for lunch")
    report = CliRunner().invoke(cli, ["standings", str(played.path), "--csv"]).stdout
    assert {row["team"] for row in csv.DictReader(io.StringIO(report))} == {"'=Ants", "Bees"}


def _csv_texts(played: PlayedEvent, folder: Path) -> tuple[str, ...]:
    done = CliRunner().invoke(cli, ["export", str(played.path), "--format", "csv", "--out", str(folder)])
    assert done.exit_code == 0
    tables = {path.stem: table_of(path) for path in folder.iterdir()}
    (match,), (ruling,), (incident,) = tables["matches"], tables["rulings"], tables["incidents"]
    return match["home"], ruling["reason"], incident["text"]
