"""`[reports]` of an event file."""

from decimal import Decimal

import pytest

from tests.config.test_file import file, parse
from tourney.scoring.butler import Datum, Trim


@pytest.mark.parametrize(
    ("text", "trim"), [("0", 0), ("2", 2), ("100", 100), ("0.0", Decimal(0)), ("0.25", Decimal("0.25"))]
)
def test_a_trim_is_a_number_of_results_or_an_exact_part_of_them(text: str, trim: Trim) -> None:
    reports = parse(file(more=f'[reports]\nbutler_datum = "median"\nbutler_trim = {text}')).reports
    assert (reports.butler_datum, reports.butler_trim) == (Datum.MEDIAN, trim)
    assert type(reports.butler_trim) is type(trim)
