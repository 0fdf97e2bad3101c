"""The boards that cost a team most: which they are, both auctions, and what was lost in auction and play."""

import csv
import json
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.support.document_schemas import schema_of
from tests.support.html_pages import check_links, reached_from, read_pages
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.bridge import Seat, Strain
from tourney.cli.main import cli
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.report.costly_boards import CostlyBoards, load
from tourney.report.registry import REPORTS
from tourney.scoring.double_dummy import BoardWorth, DoubleDummyTable
from tourney.store.results.matches import load_board_records, save_board_worth

OPEN, CLOSED = Room.OPEN, Room.CLOSED


STAGE = 'format = "duel"\nmatches = 1\n[stage.sprt]\nd1 = 0.5'


@pytest.fixture
def duel(tmp_path: Path) -> PlayedEvent:
    """A duel: New has lost boards 1 to 3 and won board 4; board 5 is passed out, board 6 half played.

    Everybody makes ten tricks in everything double dummy, and New made nine of them on board 2.
    """
    played = draw_event(tmp_path, event_text("New", "Old", boards=6, stage=STAGE))
    for board, (contract, tricks, other, other_tricks) in enumerate(
        [("2S N", 10, "4S N", 10), ("4S N", 9, "4S N", 10), ("3S N", 9, "4S N", 10), ("4S N", 10, "2S N", 10)], 1
    ):
        played.record(1, OPEN, board, contract, tricks)
        played.record(1, CLOSED, board, other, other_tricks)
    for room in (OPEN, CLOSED):
        played.record(1, room, 5, "Pass")
    played.record(1, OPEN, 6, "7NTXX S", 13)
    table = DoubleDummyTable(dict.fromkeys(product(Seat, Strain), 10))
    for board in (1, 2, 3, 4, 5):
        save_board_worth(played.database, played.match(1).board_set_id, board, BoardWorth(table, 0, ()))
    return played


def costly(played: PlayedEvent, *, least: int = 1, top: int = 10, **given: str) -> CostlyBoards:
    return load(played.drawn, least=least, top=top, **given)  # type: ignore[arg-type] # texts, as tests give them


def run(played: PlayedEvent, *words: str) -> Result:
    return CliRunner().invoke(cli, ["costly-boards", str(played.path), *words])


def test_the_first_team_of_a_duel_sees_what_it_lost_and_where(duel: PlayedEvent) -> None:
    report = costly(duel)
    assert (report.team, report.boards, report.solved) == ("New", 5, 5)
    # Double dummy: a part score against a game that makes; the rest was lost in the play.
    assert [(row.board, row.imps, row.bidding, row.play) for row in report.rows] == [
        (2, -12, 0, -12),
        (3, -7, -6, -1),
        (1, -6, -6, 0),
    ]
    assert [(row.board, row.imps) for row in costly(duel, team="old").rows] == [(4, -10)]


def test_boards_are_chosen_by_the_part_that_is_asked_about(duel: PlayedEvent) -> None:
    assert [row.board for row in costly(duel, by="bidding").rows] == [1, 3]
    assert [row.board for row in costly(duel, by="play").rows] == [2, 3]
    assert [row.board for row in costly(duel, least=7).rows] == [2, 3]
    one = costly(duel, top=1)
    assert (one.costly, [row.board for row in one.rows]) == (3, [2])


def test_both_auctions_and_leads_are_those_on_record(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("New", "Old", boards=1, stage=STAGE))
    played.play(1, seed="7")  # New loses 2 IMPs
    (board,) = costly(played).rows
    records = {record.room: record for record in load_board_records(played.database, played.match(1))}
    for room, found in board.rooms.items():
        assert found.auction == tuple(made.call for made in records[room].calls)
        assert found.lead == records[room].cards[0].card
        rounds = board.auction_rounds(room)
        assert [call for each in rounds for call in each if call is not None] == list(found.auction)
        assert rounds[0][:2] == [None, found.auction[0]]  # West, then North, who has dealt
    assert board.dealer is Seat.NORTH
    text = run(played).stdout.splitlines()
    headings = next(place for place, line in enumerate(text) if line.startswith("West  North East  South"))
    first_rounds = [str(call) for room in Room for call in board.auction_rounds(room)[0] if call is not None]
    assert text[headings + 1].split() == first_rounds


def test_the_list_is_a_text_a_table_and_a_document(duel: PlayedEvent) -> None:
    text = run(duel).stdout
    assert "Test Cup: " in text
    assert "Match 1, board 2, dealer East, vulnerable NS: New lost 12 IMPs: 0 in the auction, 12 in the play" in text
    assert "Open: N-S New" in text
    assert "4S N -1, -100, 10 tricks double dummy" in text
    rows = list(csv.DictReader(run(duel, "--csv").stdout.splitlines()))
    document = json.loads(run(duel, "--json").stdout)
    Draft202012Validator(schema_of(REPORTS["costly-boards"])).validate(document)
    assert [row["board"] for row in rows] == [str(row["board"]) for row in document["rows"]]
    assert {"imps", "bidding", "play", "open_contract", "open_lead", "open_auction", "closed_tricks"} <= set(rows[0])


def test_adjusted_boards_are_left_out_and_unsolved_ones_say_so(duel: PlayedEvent, tmp_path: Path) -> None:
    duel.rule(1, "New", RulingKind.ADJUSTED_SCORE, board=1, amount=3)
    report = costly(duel)
    assert report.adjusted == 1
    assert 1 not in {row.board for row in report.rows}
    (tmp_path / "other").mkdir()
    other = draw_event(tmp_path / "other", event_text("Ants", "Bees", "Cats"))
    other.record(1, OPEN, 1, "4S N", 10)
    other.record(1, CLOSED, 1, "4S N", 9)
    found = costly(other)
    assert found.team is None
    assert [(row.team, row.bidding, row.open.possible) for row in found.rows] == [(other.match(1).away, None, None)]
    assert "0 of 1 board solved: `tourney analyse` tells" in run(other).stdout


def test_a_duel_has_a_page_of_them(duel: PlayedEvent, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["export", str(duel.path), "--format", "html", "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    pages = read_pages(tmp_path / "out")
    check_links(tmp_path / "out", pages)
    assert reached_from(pages, "index.html") == set(pages)
    page = pages["costly-boards.html"]
    table, *auctions = page.tables
    assert [row[1:4] for row in table.rows[2:]] == [["-12", "0", "-12"], ["-7", "-6", "-1"], ["-6", "-6", "0"]]
    assert len(auctions) == 2 * 3
    assert "New lost 7 IMPs: 6 in the auction, 1 in the play" in page.text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--team", "Nwe"), "teams of 'Test Cup' are New, Old, got 'Nwe'; did you mean 'New'?"),
        (("--by", "lead"), "'lead' is not one of 'board', 'bidding', 'play'"),
        (("--limit", "0"), "0 is not in the range"),
        (("--match", "9"), "9"),
    ],
)
def test_what_there_is_not_is_refused_in_one_sentence(
    duel: PlayedEvent, words: tuple[str, str], sentence: str
) -> None:
    done = run(duel, *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in done.stderr
