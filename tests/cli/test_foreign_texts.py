"""Texts of others never bring a control character, or one that cannot be seen, to a terminal or a pipe."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import update

from tests.cli.test_secrecy import commands, interrupt
from tests.support.commands import run
from tests.support.live_event import ask, say_doing, set_state, take_up
from tests.support.played_event import BEGINS_AT_MS, OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.coordinator.run_lease import hold_run_lock
from tourney.formats.spreadsheet import guard_cell
from tourney.movement.seating import TableState
from tourney.protocol.session.records import IncidentKind, RulingKind
from tourney.store.models import CallRow, IncidentRow, RulingRow, TableRow

FOREIGN = "=\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202etxt\u2066\u200b\ufeff\U000e0041"
"""An order to a terminal of every kind, in a cell that a spreadsheet would run."""

_NEVER = ("Cc", "Cf", "Zl", "Zp")


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedEvent:
    """An event in which everything that somebody else can have said is such a text."""
    monkeypatch.setattr("tourney.runtime.clock.wall_ms", lambda: BEGINS_AT_MS + 90_000)
    monkeypatch.setattr("tourney.cli.watch.sleep", interrupt)
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=2))
    table = take_up(played, 1, OPEN)
    played.play(1, boards=[1])
    played.begin(1, OPEN, 2, calls=2)
    set_state(played, table, TableState.PLAYING)
    say_doing(played, table, last=FOREIGN, problem=FOREIGN)
    ask(played, table, 2, 0, Seat.NORTH)
    played.incident(1, OPEN, 1, IncidentKind.ILLEGAL_CALL, Seat.NORTH, "text")
    played.rule(1, "Ants", RulingKind.WARNING, "reason", board=1)
    with played.database.write() as connection:
        connection.execute(update(CallRow).values(alert=FOREIGN, alerted=True))
        connection.execute(update(IncidentRow).values(text=FOREIGN))
        connection.execute(update(RulingRow).values(reason=FOREIGN, law=FOREIGN, author=FOREIGN))
        connection.execute(update(TableRow).where(TableRow.id != table.id).values(reason=FOREIGN, state="failed"))
    played.reload()
    return played


def refused(text: str) -> set[str]:
    """What a text has that must not get out."""
    return {char for char in text if char != "\n" and unicodedata.category(char) in _NEVER}


def shown(played: PlayedEvent, words: Sequence[str]) -> str:
    result = run(words[0], played.path, *words[1:])
    assert result.exception is None or isinstance(result.exception, SystemExit), (words, result.exception)
    return result.output


def test_no_command_prints_a_control_character_of_somebody_else(played: PlayedEvent, tmp_path: Path) -> None:
    seen = set()
    with hold_run_lock(played.file.results):
        for words in commands(tmp_path / "out"):
            if words[1:2] == ["2-closed"]:
                continue
            text = shown(played, words if words[0] in ("export", "schedule") else [*words, "--director"])
            assert refused(text) == set(), words
            seen |= {words[0]} if "\\x1b]0;owned" in text else set()
        for words in (["rulings", "--csv", "--incidents"], ["match", "9"], ["verify"]):
            assert refused(shown(played, words)) == set(), words
    assert {"status", "watch", "rulings", "match"} <= seen


def test_a_file_that_quotes_such_a_text_is_refused_with_it_shown(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text('[event]\nname = "\\u001b[2J"\n', encoding="utf-8")
    result = run("check", path)
    assert result.exit_code == 2
    assert refused(result.output) == set()
    assert "\\x1b" in result.output


@pytest.mark.parametrize("text", ["=1+1", "+1-1", "-cmd", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_cell_that_a_spreadsheet_would_run_is_guarded(text: str) -> None:
    assert guard_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-5", "-3.50", "+12", "-", -7, None, "Ants"])
def test_numbers_and_other_cells_are_not(value: object) -> None:
    assert guard_cell(value) == value
