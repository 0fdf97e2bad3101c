"""The lead, the cards and their relay (BC-29 to BC-31, BC-35, BC-36, BC-51)."""

import pytest

from tests.support.wire_tables import (
    EAST,
    SOUTH,
    in_play,
)
from tourney.bridge import SEATS
from tourney.protocol.session.records import BoardEnded, CardPlayed


@pytest.mark.clause("BC-30")
@pytest.mark.parametrize(
    "said",
    [
        "East plays TS",
        "EAST plays ts",  # WBridge5 writes cards small
        "East plays ST",  # suit first
        "east PLAYS st",
        "East plays 10S",
        "East plays S10",
        "East  plays  TS .",
        "East plays TS.",
        "East plays TS. stub",  # BEN with --sendcardinfo
        "East plays TS. signal",  # RoboBridge
        "East plays TS.signal",
        "East plays TS signal",
    ],
)
def test_a_card_is_read_in_either_order_and_case_with_text_after_it_and_relayed_bare(said: str) -> None:
    rig = in_play()
    assert rig.send_line(EAST, said) == []
    rig.converse("""
        W: ready for East's card to trick 1 -> East plays TS
        cards -> East TS
    """)


@pytest.mark.clause("BC-31")
def test_dummy_may_ask_for_everybodys_card_as_dummys_card_to_trick_1() -> None:
    # bridge-player: its dummy says one and the same line for each of the 52 cards.
    rig = in_play()
    request = "South ready for dummy's card to trick 1"
    rig.send_line(SOUTH, request)
    session = rig.core.state.board
    assert session is not None
    seen = []
    for _ in range(52):
        cards = session.state.in_play.play
        assert cards is not None
        hand, card = cards.turn, session.state.legal_cards()[0]
        actor = session.state.in_play.actor
        assert actor is not None
        rig.send_line(actor, f"{hand.title} plays {card}")
        seen += rig.take(SOUTH)
        seen += rig.send_line(SOUTH, request)
        for seat in SEATS:
            if seat is not SOUTH:
                rig.send_line(seat, f"{seat.title} ready for {hand.title}'s card to trick 1")
                rig.send_line(seat, f"{seat.title} ready for dummy")
    seen += rig.take(SOUTH)
    assert seen[:52] == [f"{record.seat.title} plays {record.card}" for record in rig.of_kind(CardPlayed)]
    assert [line.split(" -")[0] for line in seen[52:]] == ["Timing", "End of session"]


@pytest.mark.clause("BC-36")
def test_no_pause_follows_the_last_trick() -> None:
    rig = in_play(trick_pause_ms=1000)
    for _ in range(13):
        assert "lead" not in rig.timers
        rig.play_on(4)
        if rig.of_kind(BoardEnded):
            break
        rig.wait(1000)
    assert len(rig.on_record("cards")) == 52
    assert "lead" not in rig.timers
