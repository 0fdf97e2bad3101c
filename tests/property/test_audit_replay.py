"""The fast replay of an attempt accepts only what the rules of the game accept, and comes to the same result."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import PlayedBoard, played_boards, whole_boards
from tourney.audit.replay import DealtBoard, Replay
from tourney.bridge import CALLS, DECK, BoardInPlay, Side, parse_call, parse_card
from tourney.errors import FormatError, RuleError
from tourney.store.record.hash_chain import chain_call, chain_card, follow_calls, follow_cards

Row = tuple[Any, ...]

PLACE = (7, 3, 1)
START = "0" * 64

_odd = st.none() | st.booleans() | st.integers(-3, 60) | st.floats() | st.text(max_size=3) | st.binary(max_size=3)
_times = st.integers(0, 2**40)
_truths = st.sampled_from([0, 1, False, True])
_texts = st.none() | st.text(max_size=20)
_letters = st.sampled_from("NESW")
_call_values = st.tuples(
    *(st.integers(0, 60), _letters, st.sampled_from([str(call) for call in CALLS]), _truths),
    *(_texts, _texts, _texts, _times, _times, _truths),
)
_card_values = st.tuples(
    st.integers(0, 51), _letters, st.sampled_from([str(card) for card in DECK]), _times, _times, _truths
)

CALL_TRUTHS, CARD_TRUTHS = (3, 9), (5,)
"""Where values are true or false: SQLite has numbers there."""


def _as_written(values: Sequence[Any], truths: Iterable[int]) -> list[Any]:
    return [bool(value) if place in truths and value in (0, 1) else value for place, value in enumerate(values)]


def _chained(
    rows: Sequence[Sequence[Any]], link: Callable[[str, Iterable[object]], str], truths: Sequence[int]
) -> list[Row]:
    """Rows as they are in the database, each with its hash."""
    last, made = START, []
    for values in rows:
        last = link(last, _as_written(values, truths))
        made.append((*PLACE, *values, last))
    return made


def _changed(data: st.DataObject, rows: list[Row]) -> list[Row]:
    """One value of one row is another, or may be."""
    if not rows or not data.draw(st.booleans()):
        return rows
    at = data.draw(st.integers(0, len(rows) - 1))
    place = data.draw(st.integers(len(PLACE), len(rows[at]) - 1))
    row = (*rows[at][:place], data.draw(_odd), *rows[at][place + 1 :])
    return [*rows[:at], row, *rows[at + 1 :]]


def _columns(rows: Iterable[Row]) -> list[Row]:
    """Rows as an audit reads them, without the key of their attempt."""
    return list(zip(*rows, strict=True))[len(PLACE) :]


@given(data=st.data())
def test_a_chain_is_followed_to_its_end_where_every_row_has_the_hash_that_it_ought_to_have(
    data: st.DataObject,
) -> None:
    for strategy, truths, link, follow in (
        (_call_values, CALL_TRUTHS, chain_call, follow_calls),
        (_card_values, CARD_TRUTHS, chain_card, follow_cards),
    ):
        values = data.draw(st.lists(strategy, max_size=5))
        written = _chained(values, link, truths)
        assert follow(START, _columns(written)) == (written[-1][-1] if written else START)

        rows = _changed(data, written)
        found = follow(START, _columns(rows))
        as_it_ought_to_be = _chained([row[len(PLACE) : -1] for row in rows], link, truths)
        fits = [row[-1] for row in rows] == [row[-1] for row in as_it_ought_to_be]
        if found is not None:
            assert fits
            assert found == (rows[-1][-1] if rows else START)
        if not fits:
            assert found is None


def _rows_of(played: PlayedBoard) -> tuple[list[Row], list[Row]]:
    dealer = played.board.dealer
    calls: list[Row] = [
        (*PLACE, seq, dealer.plus(seq).letter, str(call), 0, None, None, None, 10 + seq, 5, 0, "")
        for seq, call in enumerate(played.calls)
    ]
    cards: list[Row] = [
        (*PLACE, seq, seat.letter, str(card), 20 + seq, 5, 0, "") for seq, (seat, card) in enumerate(played.cards)
    ]
    return calls, cards


def _by_the_rules(played: PlayedBoard, calls: Iterable[Row], cards: Iterable[Row]) -> Replay | None:
    in_play, spent_ms = BoardInPlay(played.board), dict.fromkeys(Side, 0)
    try:
        for seq, row in enumerate(calls):
            _check(seq, row, in_play.auction.turn.letter, row[10])
            spent_ms[in_play.auction.turn.side] += row[10]
            in_play.add_call(parse_call(row[5]))
        for seq, row in enumerate(cards):
            if in_play.play is None:
                return None
            _check(seq, row, in_play.play.turn.letter, row[6])
            spent_ms[in_play.play.turn.side] += row[6]
            in_play.add_card(parse_card(row[5]))
    except (FormatError, RuleError):
        return None
    return Replay.from_board(in_play, spent_ms)


def _check(seq: int, row: Row, seat: str, thinking_ms: Any) -> None:
    if row[3] != seq or row[4] != seat or type(thinking_ms) is not int or thinking_ms < 0:
        raise RuleError("out of its place")


@whole_boards
@given(played=played_boards(), data=st.data())
def test_fast_replay_of_an_attempt_comes_to_what_the_rules_make_of_it(
    played: PlayedBoard, data: st.DataObject
) -> None:
    calls, cards = _rows_of(played)
    dealt = DealtBoard(played.board)
    whole = dealt.replay(_columns(calls), _columns(cards))
    assert whole is not None
    assert whole == _by_the_rules(played, calls, cards)

    cards = cards[: data.draw(st.integers(0, len(cards)))]
    if data.draw(st.booleans()):
        calls = _changed(data, calls)
    elif cards:
        # Other cards above all: whether they are held, and follow suit, is what there is to see.
        at = data.draw(st.integers(0, len(cards) - 1))
        other = str(data.draw(st.sampled_from(DECK)))
        cards = [*cards[:at], (*cards[at][:5], other, *cards[at][6:]), *cards[at + 1 :]]
        cards = _changed(data, cards)
    assert dealt.replay(_columns(calls), _columns(cards)) == _by_the_rules(played, calls, cards)
