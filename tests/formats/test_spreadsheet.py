"""Cells of CSV that a spreadsheet would run as a formula."""

import io

import pytest

from tourney.formats.spreadsheet import CsvWriter, guard_cell


@pytest.mark.parametrize(
    "text",
    [
        *("=1+1", "=cmd|' /C calc'!A0", "+SUM(A1)", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "--1", "+1a", "-1,5"),
        *("\N{FULLWIDTH EQUALS SIGN}1", "- weak", "-3.50 VPs"),
    ],
)
def test_a_text_that_begins_like_a_formula_has_an_apostrophe_in_front(text: str) -> None:
    assert guard_cell(text) == f"'{text}"


@pytest.mark.parametrize(
    "value", ["", "-3", "+3", "-3.50", "12", "-", "=", "1=1", "Pass", "'=1", "a-b"], ids=lambda text: f"text {text}"
)
def test_texts_of_numbers_and_other_texts_stay_as_they_are(value: str) -> None:
    assert guard_cell(value) == value


def test_texts_are_guarded_and_numbers_are_not() -> None:
    file = io.StringIO()
    CsvWriter(file, ["text", "imps", "vp"]).writerow({"text": "=1+1", "imps": -3, "vp": "-3.50"})
    assert file.getvalue() == "text,imps,vp\r\n'=1+1,-3,-3.50\r\n"
