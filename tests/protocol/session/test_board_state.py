"""A board at the table is a fold of its records: live, and for whoever takes it up."""

from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, WEST, board, in_auction
from tourney.protocol.session.board.state import BoardState, Entry
from tourney.protocol.session.clock import TableTime
from tourney.protocol.session.orders import KickPlayer, RelayAnswer
from tourney.protocol.session.records import AlertAsked, BoardEnd
from tourney.protocol.session.rules import AlertMode, TableRules

ON_RECORD = (
    "questions",
    "asked_ms",
    "rejected_claims",
    "meanings",
    "ended",
    "result",
)
IN_PLAY = ("turn", "contract", "claim", "claimed", "dummy", "dummy_hand", "leads_from_ms")
"""What is a function of the records, beside the history and the times."""


def fold(rig: TableRig) -> BoardState:
    """The same board, from its records alone."""
    assert rig.core.state.board is not None
    state = BoardState(board(), TableTime(), trick_pause_ms=rig.core.state.settings.trick_pause_ms)
    for record in rig.records:
        state.apply(record)
    return state


def facts(state: BoardState) -> list[object]:
    history = [[getattr(entry, name) for name in Entry.__slots__] for entry in state.history]
    open_facts = [getattr(state.in_play, name) for name in IN_PLAY]
    return [history, open_facts, state.clock.spent_ms, *(getattr(state, name) for name in ON_RECORD)]


def test_a_board_is_what_its_records_make_of_it_at_every_moment() -> None:
    rig = in_auction(rules=TableRules(alerting=AlertMode.CALLS, claims=True), trick_pause_ms=700)

    def check() -> None:
        assert facts(fold(rig)) == facts(rig.board_state)

    rig.converse("""
        wait 300
        all hear N: bids 2D
    """)
    check()
    rig.wait(1000)
    for asked in rig.of_kind(AlertAsked):
        rig.order(RelayAnswer(1, asked.seq, "weak", "Olga"))
    check()
    rig.converse("""
        wait 200
        all hear E: passes
        wait 200
        all hear S: passes
        wait 200
        all hear W: passes
        # nobody answers about the last pass, if it is asked about
        wait 60_000
    """)
    check()
    rig.converse("E: plays TS")
    rig.ask_all(EAST, "for East's card to trick 1")
    check()
    rig.converse("E: claims")
    check()
    rig.converse("N: rejects East's claim")
    check()
    rig.order(KickPlayer(WEST, "it shouts"))
    check()
    state = fold(rig)
    assert state.ended is BoardEnd.DISCONNECT
    assert state.rejected_claims == {(EAST, 0)}
    assert str(state.history[0]) == "North bids 2D"
    assert state.meaning_of(0) == (True, "weak")
