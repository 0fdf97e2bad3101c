"""What commands print tables and texts with: the same lines as Rich, which is loaded for narrow terminals alone."""

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.cli._output import Printer
from tourney.output.content import text_of
from tourney.output.layout import cell_width, layout_table, wrap
from tourney.output.rows import NOTHING, Cell
from tourney.output.tables import TextTable, make_table

LINES = st.text(alphabet="ab cé漢字>[]:", max_size=6)
CELLS = st.lists(LINES, max_size=3).map("\n".join).filter(lambda text: not text.endswith("\n"))


def cell_at(place: int, row: tuple[bool, list[str]]) -> str:
    return row[1][place]


def table_of(columns: list[Cell], *rows: Sequence[str], **more: Any) -> TextTable:
    """A table of columns without their content, which the rows have."""
    own = [replace(column, content=itemgetter(place)) for place, column in enumerate(columns)]
    return make_table(own, rows, **more)


@st.composite
def tables(draw: st.DrawFn) -> tuple[TextTable, bool]:
    headings = draw(st.lists(st.sampled_from(["No", ">No", ">IMPs for", "Team é", "", ">"]), min_size=2, max_size=5))
    if draw(st.booleans()):
        headings = [""] * len(headings)
    row = st.lists(CELLS, min_size=len(headings), max_size=len(headings))
    rows = draw(st.lists(st.tuples(st.booleans(), row), min_size=1, max_size=5))
    columns = [Cell(heading, partial(cell_at, place)) for place, heading in enumerate(headings)]
    return make_table(columns, rows, section_of=itemgetter(0), keys=draw(st.integers(0, 1))), draw(st.booleans())


@given(tables())
def test_a_table_that_fits_has_every_line_of_a_cell_in_a_line_of_its_own(made: tuple[TextTable, bool]) -> None:
    table, is_ruled = made
    lines = layout_table(table, rule="-" * is_ruled)
    heights = [max(text_of(cell).count("\n") + 1 for cell in row) for row in table.rows]
    ruled = table.show_header + len(table.sections) - 1 if is_ruled else 0
    assert len(lines) == table.show_header + sum(heights) + ruled
    assert len({cell_width(line) for line in lines}) <= 1
    assert layout_table(table, 1000, "-" * is_ruled) == lines


@given(tables(), st.integers(4, 30))
def test_on_a_narrow_screen_every_line_fits_and_no_word_is_lost(made: tuple[TextTable, bool], width: int) -> None:
    table, is_ruled = made
    lines = layout_table(table, width, "-" * is_ruled)
    if not table.keys or width >= 16:  # else two columns may be more than there is room for
        assert max(map(cell_width, lines)) <= max(width, 2 * len(table.columns))
    shown = Counter("".join(lines))
    told = Counter("".join("".join(map(text_of, row)) for row in table.rows))
    for character in told.keys() - set(" \n"):
        assert shown[character] >= told[character]


def test_columns_of_least_worth_go_below_their_row_and_those_worth_nothing_are_left_out() -> None:
    columns = [Cell(">No", worth=2), Cell("Team", worth=2), Cell("Why"), Cell("Dlr", worth=-1)]
    rows = ("1", "Alpha", "East owed a call for five minutes and more", "N"), ("2", "Beta", "", "E")
    table = table_of(columns, *rows)
    assert [line.rstrip() for line in layout_table(table, 24)] == [
        *("No  Team", " 1  Alpha", "    Why: East owed a", "    call for five", "    minutes and more", " 2  Beta"),
    ]


def test_a_table_with_keys_is_cut_into_parts_that_begin_with_them() -> None:
    figures = "13.34 (20-5)", "6.66 (5-20)", "10.00 (7-7)"
    columns = list(map(Cell, (">No", "Team", ">1", ">2", ">3")))
    table = table_of(columns, ("1", "Alpha", *figures), ("2", "Beta", *figures), keys=2)
    lines = [line.rstrip() for line in layout_table(table, 26)]
    assert lines[:4] == [
        "No  Team        1       2",
        " 1  Alpha   13.34    6.66",
        "           (20-5)  (5-20)",
        " 2  Beta    13.34    6.66",
    ]
    assert lines[6] == "No  Team             3"
    assert lines[7] == " 1  Alpha  10.00 (7-7)"


def test_lines_of_text_are_wrapped_at_words_and_what_follows_is_indented() -> None:
    assert wrap("  1-open: nobody sits North", 16) == ["  1-open: nobody", "    sits North"]
    assert wrap("x" * 20, 16) == ["x" * 16, "x" * 4]


def test_what_would_move_the_cursor_is_shown_in_a_table_and_tabs_are_blanks() -> None:
    table = table_of([Cell("Why")], ["rang\a,\rback\b, a\ttab"])
    assert layout_table(table)[1:] == ["rang\\x07,\\rback\\x08, a        tab"]


def small_table(*more: Sequence[str]) -> TextTable:
    columns = [Cell("Team"), Cell(">IMPs")]
    return table_of(columns, ("Alpha", "12"), ("Beta", NOTHING), *more, section_of=lambda row: row[0] == "Alpha")


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
    table = small_table(("Delta Two", "24"))
    Printer().print(table)
    text, _, drawn = terminal.shown().partition("Alpha beats Beta\n")
    assert [line.rstrip() for line in text.splitlines()] == ["Alpha beats", "Beta"]
    assert {"Delta     24", "Two         "} <= set(drawn.splitlines())
