"""The words for people at a table: what our own player makes of them, and a host that takes such a board up."""

import pytest

from tests.protocol.stateful.test_board import begun, in_1nt
from tests.support.wire_tables import EAST, board
from tourney.bots import seated_bot
from tourney.bridge import SEATS, Board, Seat, parse_deal
from tourney.protocol.session.records import BoardBegan, BoardSnapshot, CallMade
from tourney.protocol.session.rules import TableRules, UndoRule
from tourney.protocol.stateful.values import CARD

TOPS = Board.numbered(1, parse_deal("N:AKQ.AKQ.AKQJ.AKQ JT98.JT9.T98.JT9 765.8765.76.8765 432.432.5432.432"))
"""North has every trick from the top, whoever leads."""


@pytest.mark.clause("SS-51")
@pytest.mark.parametrize(("seat", "verdict"), [(Seat.NORTH, "X-CLAIMED 1 YES"), (EAST, "X-CLAIMED 1 NO")])
def test_our_player_accepts_a_claim_only_if_it_must_come_true(seat: Seat, verdict: str) -> None:
    rig = in_1nt("CLAIM", boards=(TOPS,), rules=TableRules(claims=True))
    judges = {other: seated_bot("basic", 1) for other in SEATS if other.side is not seat.side}
    for other in judges:
        rig.send_line(other, "X-HELLO CLAIM,STATE")
    rig.converse(f"""
        E: PLAY {CARD.format(TOPS.deal[EAST].cards[0])}
        clear
    """)
    rig.send_line(seat, "X-CLAIM")
    for other, player in judges.items():
        for line in [line for line in rig.take(other) if line.startswith("X-")]:
            for said in player(line):
                rig.send_line(other, said)
    assert verdict in rig.take(seat)


@pytest.mark.clause("SS-52")
def test_a_table_host_that_dies_goes_on_from_where_the_board_was_taken_back_to() -> None:
    rules = TableRules(undo=UndoRule.ALL)
    rig = begun("UNDO", boards=(board(1), board(2)), rules=rules)
    rig.converse("""
        N: BID 1NT
        E: BID PASS
        S: BID 7NT
        S: X-UNDO
        E W: X-ACCEPT 1
    """)
    began = max(at for at, record in enumerate(rig.records) if isinstance(record, BoardBegan))
    made = tuple(record for record in rig.records[began:] if isinstance(record, CallMade))
    again = begun("UNDO", boards=(board(1),), rules=rules, under_way=BoardSnapshot(1, made))
    again.converse("N hears -> ... -> AUCOPEN S 1NT,PASS")
    one, other = rig.board_state, again.board_state
    assert [entry.record for entry in one.history] == [entry.record for entry in other.history]
    assert one.clock.spent_ms == other.clock.spent_ms


@pytest.mark.clause("SS-53")
def test_our_player_explains_what_it_has_called() -> None:
    rig = begun("ASK,STATE")
    rig.converse("""
        N: BID 1NT
        E: BID 2C
        clear
        S: X-ASK 2
    """)
    bot = seated_bot("basic", 1)
    (said,) = [answer for line in rig.take(EAST) for answer in bot(line)]
    assert said in ("X-TELL 2 natural", 'X-TELL 2 "no agreement"')
    rig.send_line(EAST, said)
    rig.converse(f"S hears -> {said}")
