"""`[reports]` of an event file."""

from decimal import Decimal

import pytest

from tourney.config import EventConfig, parse_event_file
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
