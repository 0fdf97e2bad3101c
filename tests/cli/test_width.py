"""Reports on a terminal of 80 columns: every line fits and no word is cut, however long the names of teams are."""

import io
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.cli.main import cli
from tourney.protocol.session.records import IncidentKind, RulingKind

COLUMNS = 80

PATIENT = "The Extraordinarily Patient Bridge Machine of Northumberland"
LONG_WORD = "Supercalifragilistic_Declarer_of_2026"
CHAMPION = "Wbridge5 (Yves Costel), multiple world champion 2018"
SHORT = "Qplus"
NAMES = (PATIENT, LONG_WORD, CHAMPION, SHORT)

REASON = "East owed a call for 300 s after the table had asked for it, and its connection had been closed in between"

REPORTS = f"""
standings; standings --explain; match 1; match 1 --times; crosstable; rounds; rounds '{PATIENT}' {LONG_WORD}; boards;
swings; butler; opening-leads; times; rulings; rulings --incidents; schedule; check
"""
AT_PAIRS = f"standings; standings --explain; boards; pair '{PATIENT}'; crosstable; butler"


class Terminal(io.TextIOWrapper):
    """A terminal of 80 columns."""

    def isatty(self) -> bool:
        return True

    def lines(self) -> list[str]:
        self.seek(0)
        return [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in self.read().splitlines()]


def in_terminal(monkeypatch: pytest.MonkeyPatch, path: Path, words: str) -> list[str]:
    """The lines that a command prints on a terminal of 80 columns."""
    terminal = Terminal(io.BytesIO(), encoding="utf-8")
    command, *others = shlex.split(words)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", terminal)
        patched.setenv("COLUMNS", str(COLUMNS))
        patched.setenv("TERM", "xterm")
        cli.main([command, str(path), *others], standalone_mode=False)
        return terminal.lines()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedEvent]:
    played = draw_event(tmp_path_factory.mktemp("wide"), event_text(*NAMES, boards=4))
    played.play_all(scored=False)
    played.score()
    played.rule(1, played.match(1).home, RulingKind.PENALTY_IMPS, REASON, amount=3, law="Law 90B1", author="Jane Doe")
    played.rule(None, SHORT, RulingKind.WITHDRAWAL, REASON)
    ruling = played.rule(2, played.match(2).away, RulingKind.PENALTY_VP, REASON, amount=50, room=OPEN, board=3)
    played.withdraw(ruling, reason="the director has heard both captains again and finds nobody at fault")
    played.incident(1, CLOSED, 3, IncidentKind.ILLEGAL_CALL, Seat.WEST, "West plays 7C before the cards are dealt")
    yield played
    played.database.close()


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedEvent]:
    sections = "".join(f'[[pair]]\nname = "{name}"\n' for name in (*NAMES, "Beta", "Gamma", "Delta", "Eta"))
    text = (
        f'[event]\nname = "Pairs"\n{sections}[[stage]]\nformat = "howell"\nboards_per_round = 1\n[deals]\nseed = 1\n'
    )
    played = draw_event(tmp_path_factory.mktemp("pairs"), text)
    for match in played.event.matches:
        board = played.boards(match.number)[0].number
        played.record(match.number, OPEN, board, "3NTX N", 7 + match.number % 5)
    played.score()
    played.rule(1, played.match(1).home, RulingKind.PENALTY_VP, REASON, amount=1000, author="Jane Doe")
    for amount, team in zip((3, -3), played.match(2).teams, strict=True):
        board = played.boards(2)[0].number
        played.rule(2, team, RulingKind.ADJUSTED_SCORE, REASON, amount=amount, board=board, author="Jane Doe")
    yield played
    played.database.close()


COMMANDS = {"pairs": AT_PAIRS, "played": REPORTS}


@pytest.mark.parametrize(
    ("event", "words"), [(event, each.strip()) for event in COMMANDS for each in COMMANDS[event].split(";")]
)
def test_every_line_fits_80_columns_and_no_word_is_cut(
    request: pytest.FixtureRequest, event: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: PlayedEvent = request.getfixturevalue(event)
    lines = in_terminal(monkeypatch, played.path, words)
    too_long = [line for line in lines if len(line) > COLUMNS and str(played.path.parent) not in line]
    assert too_long == []
    # In a pipe nothing is wrapped: its words are those that there are.
    monkeypatch.setattr(sys, "stdout", pipe := io.StringIO())
    command, *others = shlex.split(words)
    cli.main([command, str(played.path), *others], standalone_mode=False)
    known = {word.strip(";") for word in pipe.getvalue().split()}
    labels = {"Home", "Away"} | {f"{word}:" for word in known}
    cut = {word.strip(";") for line in lines for word in line.split()} - known - labels
    assert {word for word in cut if not set(word) <= {"─"}} == set()


def test_names_that_would_be_stacked_letter_by_letter_stand_whole(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in ("standings", "rounds", "match 2", "schedule"):
        text = "\n".join(in_terminal(monkeypatch, played.path, words))
        assert LONG_WORD in text, words
        lines = [line.strip() for line in text.splitlines()]
        assert sum(len(line) == 1 for line in lines) == 0, words
