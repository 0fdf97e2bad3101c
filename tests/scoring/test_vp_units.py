"""Hundredths of victory points and their text."""

from decimal import Decimal

import pytest

from tourney.errors import FormatError
from tourney.scoring.vp_units import format_vp, parse_vp


@pytest.mark.parametrize(
    ("hundredths", "text"),
    [(0, "0.00"), (3, "0.03"), (1000, "10.00"), (1334, "13.34"), (4523, "45.23"), (-50, "-0.50"), (-1205, "-12.05")],
)
def test_figures_are_written_with_two_decimals(hundredths: int, text: str) -> None:
    assert format_vp(hundredths) == text
    assert parse_vp(text) == hundredths


@pytest.mark.parametrize(
    ("value", "hundredths"),
    [
        ("13", 1300),
        ("13.3", 1330),
        ("+13.34", 1334),
        (" 13.34 ", 1334),
        ("-0.5", -50),
        (20, 2000),
        (-3, -300),
        (Decimal("13.34"), 1334),
        (Decimal("1E+1"), 1000),
        (Decimal("-0.05"), -5),
        ("9999.99", 999_999),
    ],
)
def test_text_whole_numbers_and_decimals_are_read_exactly(value: str | int | Decimal, hundredths: int) -> None:
    assert parse_vp(value) == hundredths


@pytest.mark.parametrize(
    "value",
    ["", ".5", "5.", "13.345", "13,34", "1e1", "twelve", "--1", "10000", "١٣", "1_0", "NaN", "13.34 VP"],
)
def test_a_text_that_is_no_such_figure_is_refused_with_itself_in_the_message(value: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_vp(value)
    assert str(refused.value) == f"victory points are -9999.99..9999.99 with at most two decimals, got {value!r}"


@pytest.mark.parametrize("value", [Decimal("NaN"), Decimal("Infinity"), Decimal("13.345"), Decimal("1E+9"), 10_000])
def test_a_number_that_is_out_of_bounds_is_refused(value: int | Decimal) -> None:
    with pytest.raises(FormatError, match="at most two decimals, got"):
        parse_vp(value)


@pytest.mark.parametrize("value", [13.34, True, None])
def test_binary_floats_and_other_types_are_refused(value: object) -> None:
    with pytest.raises(FormatError, match="victory points are a number with at most two decimals, got"):
        parse_vp(value)  # type: ignore[arg-type]
