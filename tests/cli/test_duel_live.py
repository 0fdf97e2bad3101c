"""How a duel is shown while it is played: kept up to date in a terminal, lines elsewhere."""

from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.cli.displays import DuelDisplay
from tourney.cli.live_displays import BAR_CELLS, LiveDuelDisplay, format_bar
from tourney.coordinator.run_context import RulingGiven
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.report.duel import DuelReport, load
from tourney.store.rulings import RULE_AUTHOR, RulingInfo


def report(folder: Path, *, won: int, sprt: bool = True) -> DuelReport:
    """Return a duel of 80 boards of which New has won some by a game."""
    stage = 'format = "duel"' + ('\nsprt = "0,6"' if sprt else "")
    played: PlayedEvent = draw_event(folder, event_text("New", "Old", boards=80, stage=stage))
    for board in range(1, won + 1):
        played.record(1, Room.OPEN, board, "4S N", 10)
        played.record(1, Room.CLOSED, board, "4S N", 9)
    return load(played.drawn)


def test_a_terminal_shows_how_the_duel_stands_after_each_look_and_troubles_above_it(tmp_path: Path) -> None:
    out = StringIO()
    with closing(LiveDuelDisplay(Console(file=out, force_terminal=True, width=120))) as display:
        assert "the programs are being started" in out.getvalue()
        display.show(report(tmp_path, won=3))
        assert "New v Old  boards 3  won 3" in out.getvalue()
        assert "H0 [" in out.getvalue()
        display.notify("Old has [not] come")
    assert "Old has [not] come" in out.getvalue()


def test_the_bar_has_the_ratio_between_its_bounds_or_the_boards_of_a_fixed_number(tmp_path: Path) -> None:
    (tmp_path / "fixed").mkdir()
    tested = report(tmp_path, won=8)
    bar = format_bar(tested).split("[")[1].split("]")[0]
    test, llr = tested.result.test, tested.result.leading_llr
    share = Fraction((llr - test.lower) / (test.upper - test.lower))
    assert bar.index("#") == pytest.approx(min(1, float(share)) * (BAR_CELLS - 1), abs=0.5)
    assert format_bar(report(tmp_path / "fixed", won=20, sprt=False)) == f"[{'=' * 10}{'-' * 30}] 20/80"


def test_lines_are_printed_after_some_boards_not_at_each_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    display, stands = DuelDisplay(), report(tmp_path, won=2)
    for _ in range(2):
        display.show(stands)
    assert capsys.readouterr().out.count("New v Old  boards 2  won 2 lost 0 level 0") == 1


def test_after_a_board_is_forfeited_by_silence_it_is_said_who_is_waited_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ruling = RulingInfo(
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
    DuelDisplay().report(RulingGiven(ruling))
    DuelDisplay().report(RulingGiven(replace(ruling, ended=BoardEnd.CRASH)))
    _, waited, _ = capsys.readouterr().out.splitlines()
    assert waited == (
        "match 1, board 7, open room is played out; waiting for Old's programs, at most 30 s for a line of those "
        "that tourney has started"
    )
