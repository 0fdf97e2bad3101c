"""What endplay and bridgebots, two programs not ours, read in our exports."""

import logging
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from tests.property.test_formats_pbn import records, slow
from tests.support.endplay_reader import (
    ENDPLAY_VULNERABILITY,
    endplay_pbn,
    endplay_types,
    needs_endplay,
    read_denomination,
    read_endplay_call,
)
from tests.support.pbn import parse_games
from tests.support.protocol_players import words_of
from tourney.bridge import SEATS, Side
from tourney.formats.pbn.games import Game, Tag
from tourney.formats.pbn.writer import PbnRecord, format_records

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports packages that deprecate their own use
    import bridgebots.pbn

GOLDEN = Path(__file__).parents[1] / "golden" / "pbn_export_sample.pbn"


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
    read_elsewhere = words_of("board dealer vulnerable deal declarer contract result auction note play")
    rest = {tag.name: _endplay_value(tag) for tag in game.tags if tag.name.casefold() not in read_elsewhere}
    assert dict(board.info) == rest
    assert {"Event", "Site", "Date", "North", "East", "South", "West", "Scoring", "EastType"} <= rest.keys()


@needs_endplay
@slow
@given(records())
def test_endplay_reads_every_field_of_every_board(record: PbnRecord) -> None:
    _check_endplay(record, format_records([record], "x"))


# bridgebots reads every board with a result but those passed out


def test_bridgebots_leaves_out_boards_passed_out_and_unfinished_and_reads_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        deals = bridgebots.pbn.parse_pbn(GOLDEN)
    assert [(len(one.board_records), str(one.board_records[0].contract)) for one in deals] == [(2, "3NT"), (1, "3HX")]
    assert sum("Malformed record" in message for message in caplog.messages) == 3
