"""What commands print tables and texts with: the same lines as Rich, which is loaded for narrow terminals alone."""

import io
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from tourney.cli._output import Printer, draw_table, layout_table
from tourney.report.report import NOTHING, TextTable

LINES = st.text(alphabet="ab cé漢字>[]:", max_size=6)
CELLS = st.lists(LINES, max_size=3).map("\n".join).filter(lambda text: not text.endswith("\n"))


@st.composite
def tables(draw: st.DrawFn) -> tuple[TextTable, bool]:
    headings = draw(st.lists(st.sampled_from(["No", ">No", ">IMPs for", "Team é", "", ">"]), min_size=2, max_size=5))
    is_ruled = draw(st.booleans())
    table = TextTable(*headings, show_header=draw(st.booleans()))
    for cells in draw(st.lists(st.lists(CELLS, min_size=1, max_size=len(headings)), min_size=1, max_size=5)):
        if draw(st.booleans()):
            table.add_section()
        table.add_row(*cells)
    return table, is_ruled


@given(tables())
def test_a_table_that_fits_has_the_lines_that_rich_would_draw(made: tuple[TextTable, bool]) -> None:
    table, is_ruled = made
    drawn = io.StringIO()
    console = Console(file=drawn, width=1000, highlight=False, markup=False, emoji=False, color_system=None)
    console.print(draw_table(table, is_ruled=is_ruled))
    assert "\n".join([*layout_table(table, is_ruled=is_ruled), ""]) == drawn.getvalue()


def test_nothing_in_a_table_moves_backwards_and_tabs_are_blanks() -> None:
    table = TextTable("Why")
    table.add_row("rang\a,\rback\b, a\ttab")
    assert layout_table(table, is_ruled=False) == ["Why                ", "rang,back, a    tab"]


def small_table() -> TextTable:
    table = TextTable("Team", ">IMPs")
    table.add_row("Alpha", "12")
    table.add_section()
    table.add_row("Beta", NOTHING)
    return table


def test_a_pipe_gets_plain_aligned_text(capsys: pytest.CaptureFixture[str]) -> None:
    Printer().print(small_table())
    Printer().print("[b]old[/b] " * 50)
    table, _, text = capsys.readouterr().out.partition("-\n")
    assert table == "Team   IMPs\nAlpha    12\nBeta      "
    assert text == "[b]old[/b] " * 50 + "\n"


class Terminal(io.TextIOWrapper):
    """One of 12 columns."""

    def isatty(self) -> bool:
        return True

    def shown(self) -> str:
        self.seek(0)
        return self.read()


def in_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    # No fixture: pytest sets the standard output anew between the parts of a test.
    terminal = Terminal(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr("sys.stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "12")
    return terminal


def test_a_terminal_shows_headings_in_bold_and_a_line_below(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = in_terminal(monkeypatch)
    Printer().print(small_table())
    heading, *others = terminal.shown().splitlines()
    assert heading == "\x1b[1mTeam    IMPs\x1b[0m"
    assert others == ["─" * 12, "Alpha     12", " " * 12, "Beta       -"]


def test_what_is_too_wide_for_a_terminal_is_wrapped_at_words(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = in_terminal(monkeypatch)
    Printer().print("Alpha beats Beta")
    Printer().print("Alpha beats Beta", soft_wrap=True)
    table = small_table()
    table.add_row("Delta Two", "24")
    Printer().print(table)
    text, _, drawn = terminal.shown().partition("Alpha beats Beta\n")
    assert [line.rstrip() for line in text.splitlines()] == ["Alpha beats", "Beta"]
    assert {"Delta     24", "Two         "} <= set(drawn.splitlines())


def test_a_report_in_a_pipe_loads_no_rich() -> None:
    program = (
        "import sys; from tourney.cli._output import Printer; from tourney.report.report import TextTable; "
        "table = TextTable('A', '>B'); table.add_row('a', 'b'); Printer().print(table); print('rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "A  B\na  b\nFalse\n"
