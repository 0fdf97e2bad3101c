"""`[reports]` of an event file."""

from decimal import Decimal

import pytest

from tourney.config import EventConfig, parse_event_file
from tourney.config.toml import EventFileError
from tourney.scoring.butler import Datum, Trim

LEAST = '[event]\nname = "Cup"\n[[team]]\nname = "A"\n[[team]]\nname = "B"\n[[stage]]\n'


def parse(lines: str) -> EventConfig:
    return parse_event_file(f"{LEAST}[reports]\n{lines}\n", "event.toml")


@pytest.mark.parametrize(
    ("text", "trim"), [("0", 0), ("2", 2), ("100", 100), ("0.0", Decimal(0)), ("0.25", Decimal("0.25"))]
)
def test_a_trim_is_a_number_of_results_or_an_exact_part_of_them(text: str, trim: Trim) -> None:
    reports = parse(f'butler_datum = "median"\nbutler_trim = {text}').reports
    assert (reports.butler_datum, reports.butler_trim) == (Datum.MEDIAN, trim)
    assert type(reports.butler_trim) is type(trim)


_FORM = "expected a whole number of results from 0 to 100, or a fraction of them below 0.5"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("butler_trim = -1", f"reports, butler_trim: {_FORM}, got -1"),
        ("butler_trim = 101", f"reports, butler_trim: {_FORM}, got 101"),
        ("butler_trim = 0.5", f"reports, butler_trim: {_FORM}, got 0.5"),
        ("butler_trim = nan", f"reports, butler_trim: {_FORM}, got NaN"),
        ('butler_trim = "1"', f"reports, butler_trim: {_FORM}, got '1'"),
    ],
)
def test_anything_else_is_refused_in_one_sentence(line: str, problem: str) -> None:
    with pytest.raises(EventFileError) as caught:
        parse(line)
    assert caught.value.problems == [problem]
