"""What hosts say of their tables, as JSON and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.bridge import SEATS, Seat, Side
from tourney.store.control.tables import TableActivity, TimeLeft, Wait, parse_activity
from tourney.store.db.plain_json import format_plain

_TIMES = st.integers(0, 2**53)
_DOINGS = st.builds(
    TableActivity,
    at_ms=_TIMES,
    stage=st.sampled_from(["seating", "boards", "over"]),
    board=st.none() | st.integers(1, 99),
    boards_left=st.integers(0, 99),
    paused=st.booleans(),
    seats=st.fixed_dictionaries({seat: st.none() | st.text(max_size=5) for seat in SEATS}),
    waits=st.lists(st.builds(Wait, st.sampled_from(SEATS), st.text(max_size=9), _TIMES), max_size=4).map(tuple),
    last=st.text(max_size=9),
    problem=st.none() | st.text(max_size=9),
    spent_ms=st.fixed_dictionaries({Side.NS: _TIMES, Side.EW: _TIMES}),
    left=st.lists(st.builds(TimeLeft, st.sampled_from(Side), st.none() | st.integers(1, 99), _TIMES), max_size=4).map(
        tuple
    ),
)

EXAMPLE = (
    '{"at_ms": 5, "stage": "boards", "board": 7, "boards_left": 3, "paused": false, '
    '"seats": {"N": "Alpha", "E": null, "S": "Alpha", "W": "Beta"}, '
    '"waits": [{"seat": "N", "what": "call", "since_ms": 4}], "last": "North bids 1NT", "problem": null, '
    '"spent_ms": {"NS": 1, "EW": 2}, "left": [{"side": "EW", "board": null, "ms": -3}]}'
)


@given(_DOINGS)
def test_what_a_host_says_reads_back_as_it_was(doing: TableActivity) -> None:
    assert parse_activity(format_plain(doing)) == doing


def test_the_json_has_the_fields_that_hosts_and_watchers_agreed_on() -> None:
    doing = parse_activity(EXAMPLE)
    assert doing == TableActivity(
        at_ms=5,
        stage="boards",
        board=7,
        boards_left=3,
        paused=False,
        seats={Seat.NORTH: "Alpha", Seat.EAST: None, Seat.SOUTH: "Alpha", Seat.WEST: "Beta"},
        waits=(Wait(Seat.NORTH, "call", 4),),
        last="North bids 1NT",
        problem=None,
        spent_ms={Side.NS: 1, Side.EW: 2},
        left=(TimeLeft(Side.EW, None, -3),),
    )
    assert json.loads(format_plain(doing)) == json.loads(EXAMPLE)


@pytest.mark.parametrize(
    "text", [None, "", "{", "[]", "null", "7", "{}", EXAMPLE.replace('"N", "what"', '"X", "what"')]
)
def test_anything_else_says_nothing(text: str | None) -> None:
    assert parse_activity(text) is None
