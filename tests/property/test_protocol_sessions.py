"""Whole sessions at a table: any legal calls and cards, in any order of arrival."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.protocol_players import Script, made, on_record, players_for, rig_for, seeds, sessions
from tests.support.table_invariants import check_session
from tests.support.table_rig import play_out
from tourney.bridge import BoardInPlay, Seat, Side
from tourney.protocol.session.records import BoardBegan, BoardEnded, CallMade, CardPlayed
from tourney.protocol.session.table import Stage


@pytest.mark.clause("BC-14", "BC-16", "BC-17", "BC-18", "BC-28", "BC-31", "BC-32", "BC-35", "BC-38")
@given(scripts=sessions(), order=seeds, trick_pause_ms=st.sampled_from([0, 1000]))
@examples(20)
def test_any_session_in_any_order_of_arrival_is_recorded_as_played_and_tells_nobody_what_is_hidden(
    scripts: list[Script], order: int, trick_pause_ms: int
) -> None:
    rig = rig_for(scripts, trick_pause_ms=trick_pause_ms)
    play_out(rig, players_for(scripts), Random(order))
    assert on_record(rig) == made(scripts)
    assert rig.ended == [None]
    check_session(rig.log, rig.core.state.settings.boards)


@pytest.mark.clause("BC-51")
@given(scripts=sessions(), order=seeds, trick_pause_ms=st.sampled_from([0, 1000]))
@examples(15)
def test_after_any_line_nothing_is_left_to_be_answered_or_asked(
    scripts: list[Script], order: int, trick_pause_ms: int
) -> None:
    rig = rig_for(scripts, trick_pause_ms=trick_pause_ms)
    looks = 0

    def look(_: Seat) -> None:
        nonlocal looks
        if rig.core.state.stage is Stage.BOARDS and rig.core.state.board is not None:
            rig.core.state.time.now_ms = rig.now_ms
            rig.core.state.board.resume()  # looks at all four, where a line is looked at for its own player only
            assert rig.core._outbox.take_effects() == []
            looks += 1

    play_out(rig, players_for(scripts), Random(order), before_line=look)
    assert rig.ended == [None]
    assert looks > 0


@pytest.mark.clause("BC-37")
@given(scripts=sessions(), order=seeds)
@examples(20)
def test_the_times_of_the_sides_are_the_sums_of_what_their_players_took(scripts: list[Script], order: int) -> None:
    rig = rig_for(scripts, trick_pause_ms=1000)
    play_out(rig, players_for(scripts), Random(order))
    began = {record.board: record.at_ms for record in rig.of_kind(BoardBegan)}
    for ended in rig.of_kind(BoardEnded):
        (board,) = (script.board for script in scripts if script.board.number == ended.board)
        in_play = BoardInPlay(board)
        spent = dict.fromkeys(Side, 0)
        for record in rig.records:
            if not isinstance(record, CallMade | CardPlayed) or record.board != ended.board:
                continue
            assert in_play.actor is not None
            spent[in_play.actor.side] += record.thinking_ms
            if isinstance(record, CallMade):
                in_play.add_call(record.call)
            else:
                in_play.add_card(record.card)
        assert (ended.ns_ms, ended.ew_ms) == (spent[Side.NS], spent[Side.EW])
        # One player at a time can act, so that together they took no longer than the board.
        assert ended.ns_ms + ended.ew_ms <= ended.at_ms - began[ended.board]
