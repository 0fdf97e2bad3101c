"""What endplay and bridgebots, two programs not ours, read in our exports: everything they know how to read."""

import logging
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.property.test_formats_pbn import records
from tests.support.endplay_reader import (
    ENDPLAY_VULNERABILITY,
    endplay_pbn,
    endplay_types,
    needs_endplay,
    read_denomination,
    read_endplay_call,
)
from tests.support.pbn import parse_games
from tourney.bridge import SEATS, Side
from tourney.formats.pbn.games import Game, Tag
from tourney.formats.pbn.writer import PbnRecord, format_records

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports packages that deprecate their own use
    import bridgebots.pbn

GOLDEN = Path(__file__).parents[1] / "golden" / "pbn_export_sample.pbn"

slow = settings(
    max_examples=30,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a board of 52 cards shrinks for minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)


def _game(text: str) -> Game:
    (game,) = parse_games(text, "x")
    return game


def _alerts(game: Game) -> list[str | None]:
    """The note of each call, None where it has none, by our own reader."""
    auction = game.tag("Auction")
    notes = dict(tag.value.split(":", maxsplit=1) for tag in game.tags if tag.name == "Note")
    alerts: list[str | None] = []
    for word in (word for row in auction.rows for word in row) if auction is not None else ():
        if word.startswith("="):
            alerts[-1] = notes[word.strip("=")]
        elif word != "*":
            alerts.append(None)
    return alerts


# endplay reads every board


def _endplay_value(tag: Tag) -> object:
    """What it keeps of a tag that it does not know: of tables the headings and the rows."""
    if tag.name == "Table" or not tag.name.endswith("Table"):
        return tag.value
    return {
        "headers": [_endplay_column(word) for word in tag.value.split(";")],
        "rows": [list(row) for row in tag.rows],
    }


def _endplay_column(word: str) -> object:
    """A name, or where a width stands behind it what that says: `Result\\2R`."""
    name, _, width = word.partition("\\")
    if not width:
        return name
    return {"ordering": None, "name": name, "minwidth": width[:-1], "alignment": width[-1]}


def _check_endplay(record: PbnRecord, text: str) -> None:
    board: Any
    (board,) = endplay_pbn.loads(text)
    game = _game(text)
    assert board.board_num == record.board.number
    assert board.dealer.name == record.board.dealer.title.lower()
    assert board.vul.name == ENDPLAY_VULNERABILITY[record.board.vulnerability]
    for seat in SEATS:
        hand = board.deal[endplay_types.Player.find(seat.letter)]
        assert hand.to_pbn() == str(record.board.deal[seat])
    assert [read_endplay_call(bid) for bid in board.auction] == [str(call) for call, _ in record.calls]
    assert [bid.announcement if bid.alertable else None for bid in board.auction] == _alerts(game)
    assert [read_denomination(card.suit) + card.rank.abbr for card in board.play] == [
        card.pbn for _, card in record.cards
    ]
    contract = record.contract
    if contract is not None:
        assert (board.contract.level, board.contract.declarer.name) == (
            contract.level,
            contract.declarer.title.lower(),
        )
        assert read_denomination(board.contract.denom) == contract.strain.letters
        assert board.contract.penalty.abbr == "x" * contract.doubled
    if contract is not None and record.result is not None:
        assert board.contract.result == record.result.tricks - contract.tricks_needed
        side = contract.declarer.side
        score = board.contract.score(board.vul)
        assert (score if side is Side.NS else -score) == record.result.score
    read_elsewhere = {
        "board",
        "dealer",
        "vulnerable",
        "deal",
        "declarer",
        "contract",
        "result",
        "auction",
        "note",
        "play",
    }
    rest = {tag.name: _endplay_value(tag) for tag in game.tags if tag.name.casefold() not in read_elsewhere}
    assert dict(board.info) == rest
    assert {"Event", "Site", "Date", "North", "East", "South", "West", "Scoring", "EastType"} <= rest.keys()


@needs_endplay
@slow
@given(records())
def test_endplay_reads_every_field_of_every_board(record: PbnRecord) -> None:
    _check_endplay(record, format_records([record], "x"))


@needs_endplay
def test_endplay_reads_the_tags_of_a_teams_match_in_the_sample() -> None:
    boards: Any = endplay_pbn.loads(GOLDEN.read_text("ascii"))
    assert [board.board_num for board in boards] == [1, 1, 2, 3, 4, 5]
    info = boards[1].info
    assert {
        name: info[name] for name in ("HomeTeam", "VisitTeam", "Room", "Score", "ScoreIMP", "Round", "Stage")
    } == {
        "HomeTeam": "Alpha",
        "VisitTeam": "Beta",
        "Room": "Closed",
        "Score": "NS -50",
        "ScoreIMP": "NS 0",
        "Round": "1",
        "Stage": "Final",
    }
    assert [bid.announcement for bid in boards[2].auction if bid.alertable] == [
        "at least 12 total points.",
        "Alert",
        "Penalties",
    ]
    assert len(boards[3].auction) == 4


# bridgebots reads every board with a result but those passed out


def _check_bridgebots(record: PbnRecord, path: Path, text: str) -> None:
    path.write_bytes(text.encode("ascii"))
    ((deal, (played,)),) = [(one.deal, one.board_records) for one in bridgebots.pbn.parse_pbn(path)]
    game = _game(text)
    by_seat = {direction.name: direction for direction in deal.hands}
    assert deal.dealer.name == record.board.dealer.title.upper()
    assert (deal.ns_vulnerable, deal.ew_vulnerable) == (
        record.board.vulnerability.includes(Side.NS),
        record.board.vulnerability.includes(Side.EW),
    )
    for seat in SEATS:
        direction = by_seat[seat.title.upper()]
        assert {repr(card) for card in deal.hands[direction].cards} == {
            card.pbn for card in record.board.deal[seat].cards
        }
        assert f'[{seat.title} "{played.names[direction]}"]' in text
    assert played.bidding_record == [str(call).upper() for call, _ in record.calls]
    explained = {entry.bid_index: entry.explanation for entry in played.bidding_metadata}
    assert [explained.get(index) for index in range(len(record.calls))] == _alerts(game)
    assert [repr(card) for card in played.play_record] == [card.pbn for _, card in record.cards]
    assert record.contract is not None
    assert record.result is not None
    assert (str(played.contract), played.declarer.name) == (
        str(record.contract),
        record.contract.declarer.title.upper(),
    )
    assert played.tricks == record.result.tricks
    score = played.score if record.contract.declarer.side is Side.NS else -played.score
    assert score == record.result.score
    for name, value in (("Event", played.event), ("Date", played.date), ("Scoring", played.scoring)):
        assert f'[{name} "{value}"]' in text


@slow
@given(record=records(contract_and_result=True))
def test_bridgebots_reads_every_field_of_a_board_with_a_contract_and_a_result(
    record: PbnRecord, tmp_path: Path
) -> None:
    _check_bridgebots(record, tmp_path / "export.pbn", format_records([record], "x"))


def test_bridgebots_leaves_out_boards_passed_out_and_unfinished_and_reads_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        deals = bridgebots.pbn.parse_pbn(GOLDEN)
    assert [(len(one.board_records), str(one.board_records[0].contract)) for one in deals] == [(2, "3NT"), (1, "3HX")]
    assert sum("Malformed record" in message for message in caplog.messages) == 3
