"""How a run and a duel are shown while they are played."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.pairs_events import draw_pairs_event
from tests.support.played_event import draw_event, event_text
from tests.support.run_context import run_context
from tourney.cli.displays import DuelPrinter, RunPrinter
from tourney.contest.record import Ruling
from tourney.coordinator.run_context import RoundStarted, RulingGiven, TableProgressed
from tourney.movement.seating import Room
from tourney.protocol.session.records import RULE_AUTHOR, BoardEnd, RulingKind
from tourney.views.duel import load


def test_lines_are_printed_after_some_boards_not_at_each_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = draw_event(tmp_path, event_text("New", "Old", boards=80, stage='format = "duel"\nsprt = "0,6"'))
    played.compare(1, ("4S N", 10, "4S N", 9), ("4S N", 10, "4S N", 9))
    display, stands = DuelPrinter(), load(played.drawn)
    for _ in range(2):
        display.show(stands)
    assert capsys.readouterr().out.count("New v Old  boards 2  won 2 lost 0 level 0") == 1


def test_after_a_board_is_forfeited_by_silence_it_is_said_who_is_waited_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ruling = Ruling(
        id=1,
        kind=RulingKind.BOARD_FORFEIT,
        team="Old",
        match=1,
        room=Room.OPEN,
        board=7,
        attempt=1,
        ended=BoardEnd.STALL,
        amount=0,
        reason="East owed a card for 300 s",
        law="BC-45",
        author=RULE_AUTHOR,
        at_ms=0,
    )
    DuelPrinter().report(RulingGiven(ruling))
    DuelPrinter().report(RulingGiven(replace(ruling, ended=BoardEnd.CRASH)))
    _, waited, _ = capsys.readouterr().out.splitlines()
    assert waited == (
        "match 1, board 7, open room is played out; waiting for Old's programs, at most 30 s for a line of those "
        "that tourney has started"
    )


def test_a_table_of_a_movement_has_its_name_though_it_was_never_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played, printer = draw_pairs_event(tmp_path, 4, 'format = "howell"\nboards_per_round = 1'), RunPrinter()
    (round_, *_), match = played.event.rounds, played.event.matches[0]
    tables = run_context(played).tables_of(played.event.stage_of(round_))
    printer.report(RoundStarted(round_, [*round_.assignments], tables))
    printer.report(TableProgressed(match, match.tables[0], 1))
    assert capsys.readouterr().out.splitlines()[-1] == "round 1, table 1 (match 1): 1 of 1 board"
