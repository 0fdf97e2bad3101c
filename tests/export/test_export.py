"""Exports, read back by our own readers and by the programs that people have."""

import csv
import io
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.endplay_reader import endplay_pbn, needs_endplay
from tests.support.exports import export_json, export_pbn, games_of, matches_of, table_of
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.bridge import SEATS, Contract, Result, Side, format_deal
from tourney.errors import LaunchError
from tourney.export.csv import write_csv
from tourney.export.files import make_export_folder, match_file_stem, replace_file
from tourney.export.pbn import match_texts, write_match_pbn
from tourney.formats.boards import parse_boards
from tourney.formats.file_kinds import decode_text
from tourney.movement.ranking import RankingRules
from tourney.movement.seating import Room
from tourney.results.standings import load_standings
from tourney.store.draw.objects import BoardRecord
from tourney.store.results.matches import load_board_records

OPEN, CLOSED = Room.OPEN, Room.CLOSED


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """Three matches; the first is over, the second has two boards and two half-finished ones, the third none."""
    played = draw_event(tmp_path, event_text("Ants", "Bees & Co", "Cats", boards=4))
    played.play(1)
    played.play(2, boards=[1, 2])
    played.play(2, rooms=[OPEN], boards=[3])
    played.begin(2, OPEN, 4)
    played.score()
    return played


# What is exported


def test_only_boards_finished_in_both_rooms_are_exported(played: PlayedEvent) -> None:
    first, second, third = matches_of(played)
    assert [board.board.number for board in first.boards] == [1, 2, 3, 4]
    assert [board.board.number for board in second.boards] == [1, 2]
    assert third.boards == ()
    assert [list(board.records) for board in second.boards] == [[OPEN, CLOSED]] * 2


def test_a_file_is_named_after_its_match_in_letters_digits_and_dashes(played: PlayedEvent) -> None:
    assert [match_file_stem(match) for match in played.event.matches] == [
        "match-001-Bees-Co-Cats",
        "match-002-Ants-Bees-Co",
        "match-003-Cats-Ants",
    ]


# PBN


def test_pbn_has_a_file_for_each_match_with_boards_and_one_of_all(played: PlayedEvent, tmp_path: Path) -> None:
    paths = export_pbn(played, tmp_path)
    assert [path.name for path in paths] == ["match-001-Bees-Co-Cats.pbn", "match-002-Ants-Bees-Co.pbn", "all.pbn"]
    games = [games_of(path) for path in paths]
    assert [len(found) for found in games] == [8, 4, 12]
    assert games[2] == games[0] + games[1]
    text = paths[2].read_bytes()
    assert text.count(b"% PBN 2.1\r\n") == 1
    assert text.endswith(b"\r\n\r\n")


def test_pbn_of_an_event_not_begun_is_a_file_without_games(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    paths = export_pbn(played, tmp_path)
    assert [path.name for path in paths] == ["all.pbn"]
    assert games_of(paths[0]) == []
    (match,) = match_texts(played.event, matches_of(played))
    assert write_match_pbn(match, tmp_path).read_bytes() == paths[0].read_bytes()


def test_pbn_says_who_sat_where_and_in_which_match(played: PlayedEvent, tmp_path: Path) -> None:
    opened, closed = games_of(export_pbn(played, tmp_path)[0])[:2]
    same = {"Event": "Test Cup", "Date": "2026.09.21", "Round": "1", "Stage": "Round robin", "Table": "1"}
    teams = {"HomeTeam": "Bees & Co", "VisitTeam": "Cats", "Scoring": "IMP", "Termination": "normal"}
    for game, room, north in ((opened, "Open", "Bees & Co"), (closed, "Closed", "Cats")):
        assert same.items() | teams.items() <= game.items()
        assert (game["Room"], game["North"], game["South"]) == (room, north, north)
        assert {game["East"], game["West"]} == {"Bees & Co", "Cats"} - {north}
        assert {game[f"{seat.title}Type"] for seat in SEATS} == {"program"}


def test_pbn_has_imps_once_a_board_from_north_south_of_the_closed_room(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=2))
    played.record(1, OPEN, 1, "4S N", 10)
    played.record(1, CLOSED, 1, "4S N", 9)
    played.record(1, OPEN, 2, "Pass")
    played.record(1, CLOSED, 2, "3NT W", 9)
    games = games_of(export_pbn(played, tmp_path)[0])
    # Alpha, East-West in the closed room, wins 10 IMPs on board 1 and 9 on board 2.
    assert [game.get("ScoreIMP") for game in games] == [None, "NS -10", None, "NS -9"]
    assert [game["Score"] for game in games] == ["NS 420", "NS -50", "NS 0", "NS -400"]


def test_our_own_reader_gets_the_boards_of_a_pbn_export_back(played: PlayedEvent, tmp_path: Path) -> None:
    path = export_pbn(played, tmp_path)[1]
    boards = played.boards(2)[:2]
    assert parse_boards(decode_text(path.read_bytes()), path.name) == list(boards)


@needs_endplay
def test_endplay_reads_the_pbn_export_back(played: PlayedEvent, tmp_path: Path) -> None:
    path = export_pbn(played, tmp_path)[0]
    records = load_board_records(played.database, played.match(1))
    with path.open(encoding="ascii") as file:
        boards = endplay_pbn.load(file)
    assert len(boards) == len(records) == 8
    for board, record in zip(boards, records, strict=True):
        assert record.result is not None
        result = record.result.result
        assert board.board_num == record.board.number
        assert str(board.deal) == format_deal(record.board.deal)
        assert board.dealer is not None
        assert board.dealer.abbr == record.board.dealer.letter
        assert [_call_text(call) for call in board.auction] == [str(call.call) for call in record.calls]
        assert [f"{card.suit.name[0].upper()}{card.rank.name[1]}" for card in board.play] == [
            card.card.pbn for card in record.cards
        ]
        assert board.contract is not None
        assert board.vul is not None
        assert board.contract.score(board.vul) == _declarers(result)
        assert board.info.Room == record.room.value.title()
        assert board.info.HomeTeam == "Bees & Co"
        for made, call in zip(board.auction, record.calls, strict=True):
            assert (made.announcement or "") == (call.alert or ("Alert" if call.alerted else ""))


def _contract(record: BoardRecord) -> Contract | None:
    return record.result.result.contract if record.result is not None else None


def _declarers(result: Result) -> int:
    """The score from the side of declarer."""
    return -result.score if result.contract is not None and result.contract.declarer.side is Side.EW else result.score


def _call_text(call: Any) -> str:  # endplay's two kinds of calls have no type in common
    if hasattr(call, "denom"):
        return f"{call.level}{'NT' if call.denom.name == 'nt' else call.denom.name[0].upper()}"
    return {"passed": "Pass", "doubled": "X", "redoubled": "XX"}[call.penalty.name]


def test_bridgebots_reads_the_pbn_export_back(played: PlayedEvent, tmp_path: Path) -> None:
    path = export_pbn(played, tmp_path)[0]
    records = [r for r in load_board_records(played.database, played.match(1)) if _contract(r) is not None]
    with warnings.catch_warnings():  # it uses another package in a way that has gone out of fashion
        warnings.simplefilter("ignore")
        import bridgebots
    read = [(deal.deal, board) for deal in bridgebots.parse_pbn(path) for board in deal.board_records]
    assert len(read) == len(records) > 4  # it leaves passed-out boards away
    for (deal, board), record in zip(read, records, strict=True):
        assert board.names[bridgebots.Direction.NORTH] == ("Bees & Co" if record.room is OPEN else "Cats")
        assert record.result is not None
        result = record.result.result
        contract = result.contract
        assert contract is not None
        assert (board.declarer.abbreviation(), board.tricks) == (contract.declarer.letter, result.tricks)
        assert str(board.contract).replace("NT", "N") == str(contract).replace("NT", "N")
        # Its own score, worked out from contract, tricks and vulnerability, is declarer's.
        assert board.score == _declarers(result)
        assert len(board.play_record) == 52
        assert [meaning.explanation for meaning in board.bidding_metadata] == [
            call.alert or "Alert" for call in record.calls if call.alerted or call.alert
        ]
        assert deal.dealer.abbreviation() == record.board.dealer.letter


# CSV


def test_csv_has_tables_that_agree_with_each_other(played: PlayedEvent, tmp_path: Path) -> None:
    standings = load_standings(played.database, played.event, {1: RankingRules()})
    paths = list(write_csv(standings, matches_of(played), tmp_path))
    assert [path.stem for path in paths] == [
        *("standings", "matches", "boards", "calls", "cards", "rulings", "incidents", "analysis")
    ]
    ranks, matches, boards, calls, cards, rulings, incidents, analysis = map(table_of, paths)
    assert (rulings, incidents, analysis) == ([], [], [])
    assert [row["team"] for row in ranks] == [row.team for row in standings.rows]
    assert [(row["boards"], row["boards_finished"]) for row in matches] == [("4", "4"), ("4", "2"), ("4", "0")]
    assert [bool(row["vp_home"]) for row in matches] == [True, False, False]
    assert [(row["match"], row["board"], row["room"]) for row in boards] == [
        (match, str(board), room)
        for match, count in (("1", 4), ("2", 2))
        for board in range(1, count + 1)
        for room in ("open", "closed")
    ]
    for match in matches:
        gains = [int(r["imps_home"]) for r in boards if r["match"] == match["match"] and r["room"] == "open"]
        assert int(match["imps_home"] or 0) - int(match["imps_away"] or 0) == sum(gains)
    for row in boards:
        mine = [call for call in calls if _place(call) == _place(row)]
        thought = sum(
            int(action["thinking_ms"]) for action in [*mine, *(c for c in cards if _place(c) == _place(row))]
        )
        assert thought == int(row["ns_ms"]) + int(row["ew_ms"])
        assert [int(call["number"]) for call in mine] == list(range(1, len(mine) + 1))
        assert mine[0]["seat"] == row["dealer"]
    played_cards = [card for card in cards if (card["match"], card["board"], card["room"]) == ("1", "1", "open")]
    assert [int(card["trick"]) for card in played_cards] == [trick for trick in range(1, 14) for _ in range(4)]
    assert len({card["card"] for card in played_cards}) == 52


def _place(row: dict[str, str]) -> tuple[str, str, str]:
    return row["match"], row["board"], row["room"]


def test_csv_has_alerts_as_they_were_sent(played: PlayedEvent, tmp_path: Path) -> None:
    calls = table_of(list(write_csv(None, matches_of(played), tmp_path, "x-"))[2])
    assert [(call["alerted"], call["alert"]) for call in calls[:4]] == [
        ("0", ""),
        ("1", "12 to 14 HCP, no 4-card major"),
        ("1", ""),
        ("0", "natural"),
    ]


def test_csv_of_a_passed_out_board_leaves_declarer_and_tricks_empty(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    played.record(1, OPEN, 1, "Pass", ns_ms=5, ew_ms=6)
    played.record(1, CLOSED, 1, "1NT E", 6)
    passed, made = table_of(list(write_csv(None, matches_of(played), tmp_path))[1])
    columns = ("contract", "declarer", "tricks", "score_ns", "imps_home", "ns_ms", "ew_ms", "ns", "ew")
    assert [passed[column] for column in columns] == ["Pass", "", "", "0", "-2", "5", "6", "Alpha", "Beta"]
    assert [made[column] for column in columns] == ["1NT", "E", "6", "50", "-2", "0", "0", "Beta", "Alpha"]


# JSON


def test_json_has_everything_on_record(played: PlayedEvent, tmp_path: Path) -> None:
    document = export_json(played, tmp_path / "event.json")
    (stage,) = document["stages"]
    assert document["event"] == "Test Cup"
    assert [stage[key] for key in ("stage", "name", "format", "boards_per_match", "segments", "vp_scale")] == [
        *(1, "Round robin", "round-robin", 4, 1, "wbf-continuous")
    ]
    assert [(entry["team"], entry["seed"], entry["group"]) for entry in stage["teams"]] == [
        *(("Ants", 1, None), ("Bees & Co", 2, None), ("Cats", 3, None))
    ]
    assert (stage["rounds"], document["fields"]) == ([1, 2, 3], [])
    assert [team["team"] for team in document["teams"]] == ["Ants", "Bees & Co", "Cats"]
    assert [round_["matches"] for round_ in document["rounds"]] == [[1], [2], [3]]
    assert [(round_["stage"], round_["drawn"], len(round_["byes"])) for round_ in document["rounds"]] == [
        (1, True, 1)
    ] * 3
    assert {row["played"] for row in document["standings"]} == {0, 1}
    assert [len(match["boards"]) for match in document["matches"]] == [4, 2, 0]
    assert [match["vp_home"] is None for match in document["matches"]] == [False, True, True]
    records = iter(load_board_records(played.database, played.match(1)))
    for board in document["matches"][0]["boards"]:
        for room in ("open", "closed"):
            record, read = next(records), board["rooms"][room]
            assert board["deal"] == format_deal(record.board.deal)
            assert record.result is not None
            assert read["score"] == record.result.result.score
            assert (read["ns_ms"], read["ew_ms"]) == tuple(record.result.times_ms[side] for side in Side)
            assert [(call["seat"], call["call"], call["alerted"], call["alert"]) for call in read["calls"]] == [
                (call.seat.letter, str(call.call), call.alerted, call.alert) for call in record.calls
            ]
            assert [(card["seat"], card["card"], card["thinking_ms"]) for card in read["cards"]] == [
                (card.seat.letter, str(card.card), card.thinking_ms) for card in record.cards
            ]


def test_json_keeps_the_seed_to_itself_until_every_match_is_over(tmp_path: Path) -> None:
    played = draw_event(
        tmp_path, event_text("Ants", "Bees", stage='format = "double-round-robin"', deals="seed = 77")
    )
    played.play(1)
    played.score()
    assert export_json(played, tmp_path / "event.json")["seed"] is None
    played.play(2)
    played.score()
    assert export_json(played, tmp_path / "event.json")["seed"] == "77"


def test_json_of_an_event_not_begun_has_its_matches_without_boards(tmp_path: Path) -> None:
    document = export_json(draw_event(tmp_path), tmp_path / "event.json")
    assert [(match["boards_in_match"], match["boards"]) for match in document["matches"]] == [(2, [])]


# Files


def test_a_file_is_replaced_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("before", encoding="utf-8")
    with suppress(ZeroDivisionError), replace_file(path) as file:
        file.write("half")
        file.flush()
        assert path.read_text(encoding="utf-8") == "before"
        raise ZeroDivisionError
    assert path.read_text(encoding="utf-8") == "before"
    with replace_file(path) as file:
        file.write("after\r\n")
    assert path.read_bytes() == b"after\r\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.mkdir()
    with pytest.raises(LaunchError, match=r"^file .*x\.csv cannot be written: Is a directory$"), replace_file(path):
        pass
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(LaunchError, match=r"^folder .*sub cannot be made: Not a directory$"):
        make_export_folder(tmp_path / "file" / "sub")
    make_export_folder(tmp_path / "new" / "deep")
    assert (tmp_path / "new" / "deep").is_dir()


def test_names_with_commas_and_quotes_survive_csv(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants, Ltd", "Bees' own"))
    (path,) = list(write_csv(None, matches_of(played), tmp_path))[:1]
    (row,) = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")))
    assert (row["home"], row["away"]) == ("Ants, Ltd", "Bees' own")
