"""Victory points: figures and their text, and scales against the tables that are published."""

import math
from decimal import Decimal

import pytest

from tests.support.conversation import Step, steps_of
from tests.support.golden_figures import golden_rows
from tourney.errors import ConfigError, FormatError
from tourney.scoring.victory_points import (
    UserTable,
    VpHundredths,
    VpStep,
    format_vp,
    parse_vp,
    vp_scale,
)

CONTINUOUS = golden_rows("wbf_vp_continuous")
DISCRETE = golden_rows("wbf_vp_discrete")
SEED_24 = golden_rows("seed_vp24")


def steps_in(text: str) -> UserTable:
    """A table of one's own: the least margin of each step, and what both sides get."""
    rows = [row.split() for row in text.split(", ") if row]
    return UserTable(tuple(VpStep(int(least), parse_vp(winner), parse_vp(loser)) for least, winner, loser in rows))


OLD_25 = steps_in("0 15 15, 3 16 14, 40 25 5, 60 25 4")


@pytest.mark.parametrize("boards", sorted({int(row["boards"]) for row in CONTINUOUS}))
def test_every_published_row_of_the_continuous_scale(boards: int) -> None:
    scale = vp_scale("wbf-continuous", boards)
    published = [row for row in CONTINUOUS if int(row["boards"]) == boards]
    computed = [tuple(map(format_vp, scale.split(int(row["imp_margin"])))) for row in published]
    assert computed == [(row["winner_vp"], row["loser_vp"]) for row in published]


@pytest.mark.parametrize("boards", sorted({int(row["boards"]) for row in DISCRETE}))
def test_every_published_band_of_the_discrete_scale(boards: int) -> None:
    published = [
        (int(row["imp_min"]), 100 * int(row["winner_vp"]), 100 * int(row["loser_vp"]))
        for row in DISCRETE
        if int(row["boards"]) == boards
    ]
    scale = vp_scale("wbf-discrete", boards)
    assert list(scale.steps) == published
    ends = [int(row["imp_max"]) for row in DISCRETE if int(row["boards"]) == boards and row["imp_max"]]
    assert [scale.split(end)[0] for end in ends] == list(range(1000, 2000, 100))


def test_every_row_of_the_seed_24_scale() -> None:
    scale = vp_scale("seed-24", 24)
    for row in SEED_24:
        split = (100 * int(row["winner_vp"]), 100 * int(row["loser_vp"]))
        assert scale.split(int(row["imp_min"])) == split
        assert scale.split(int(row["imp_max"] or 500)) == split


@pytest.mark.parametrize("boards", [1, 16, 23, 25])
def test_seed_24_is_refused_for_other_lengths(boards: int) -> None:
    with pytest.raises(ConfigError) as refused:
        vp_scale("seed-24", boards)
    assert str(refused.value) == f"VP scale seed-24 is for matches of 24 boards, got {boards}"


@pytest.mark.parametrize("boards", [-1, 0, 160_001])
@pytest.mark.parametrize("name", ["wbf-continuous", "wbf-discrete", "seed-24", "club"])
def test_a_match_has_1_to_160_000_boards(name: str, boards: int) -> None:
    with pytest.raises(ConfigError) as refused:
        vp_scale(name, boards, {"club": OLD_25})
    assert str(refused.value) == f"a match has 1..160000 boards, got {boards}"


def test_the_shortest_and_the_longest_match_have_both_scales() -> None:
    assert vp_scale("wbf-continuous", 1).split(15) == (2000, 0)
    assert vp_scale("wbf-continuous", 1000).split(470)[0] < 2000
    assert vp_scale("wbf-continuous", 1000).split(475) == (2000, 0)
    assert vp_scale("wbf-continuous", 160_000).split(5950)[0] < 2000
    assert vp_scale("wbf-continuous", 160_000).split(6000) == (2000, 0)
    assert len(vp_scale("wbf-discrete", 1).steps) == len(vp_scale("wbf-discrete", 160_000).steps) == 11


@pytest.mark.parametrize("boards", [1001, 5_000, 160_000])
def test_in_a_long_match_the_curve_is_rounded_and_nothing_else(boards: int) -> None:
    scale = vp_scale("wbf-continuous", boards)
    ratio, blitz = math.sqrt(5) - 2, 15 * math.sqrt(boards)
    for share in (0.1, 0.25, 0.5, 0.75, 0.9):
        margin = int(blitz * share)
        worth = 1000 + 1000 * (1 - ratio ** (margin / blitz)) / (1 - ratio)
        assert abs(scale.split(margin)[0] - worth) <= 0.5
    margins = range(0, int(blitz) + 2, 7)
    worths = [scale.split(margin)[0] for margin in margins]
    assert worths == sorted(worths)


def test_an_unknown_scale_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ConfigError) as refused:
        vp_scale("wbf", 24, {"club": OLD_25})
    assert str(refused.value) == (
        "there is no VP scale 'wbf': the scales are wbf-continuous, wbf-discrete, seed-24, club; "
        "did you mean 'wbf-continuous' or 'wbf-discrete'?"
    )


def test_an_own_table_cannot_take_a_built_in_name() -> None:
    with pytest.raises(ConfigError, match="cannot be named 'seed-24': that is a built-in scale"):
        vp_scale("wbf-continuous", 24, {"seed-24": OLD_25})


def test_an_own_table_whose_figures_have_no_constant_sum_is_used_as_it_stands() -> None:
    scale = vp_scale("club", 32, {"club": OLD_25})
    assert scale.name == "club"
    shown = [f"{margin} {scale.split(margin)}" for margin in (0, 2, 3, -3, 59, 60, -1000)]
    assert "; ".join(shown) == (
        "0 (1500, 1500); 2 (1500, 1500); 3 (1600, 1400); -3 (1400, 1600); 59 (2500, 500); 60 (2500, 400); "
        "-1000 (400, 2500)"
    )


def test_the_table_of_an_own_scale_goes_on_while_the_loser_still_falls() -> None:
    table = vp_scale("club", 32, {"club": OLD_25}).table()
    assert table[-1] == VpStep(60, VpHundredths(2500), VpHundredths(400))
    assert len(table) == 61


def test_the_table_ends_where_further_steps_say_nothing_new() -> None:
    repeated = steps_in("0 1 1, 1 2 0, 9 2 0")
    assert [row.least_margin for row in vp_scale("win", 8, {"win": repeated}).table()] == [0, 1]


NO_SCALES = """
none -> a VP table has at least one step, got none
1 10 10 -> a VP table starts at margin 0, got 1
0 11 9 -> at margin 0 both sides of a VP table get the same, got 11.00 and 9.00
0 10 10, 3 11 9, 3 12 8 -> step 3 of a VP table: its margin is above 3, got 3
0 10 10, -3 11 9 -> step 2 of a VP table: its margin is above 0, got -3
0 10 10, 3840001 11 9 -> step 2 of a VP table: its margin is at most 3840000 IMPs, got 3840001
0 10 10, 3 9 9 -> step 2 of a VP table: the winner gets at least 10.00, got 9.00
0 10 10, 3 11 9, 5 12 10 -> step 3 of a VP table: the loser gets at most 9.00, got 10.00
"""


@pytest.mark.parametrize("table", [*steps_of(NO_SCALES)], ids=str)
def test_an_own_table_that_is_no_scale_is_refused(table: Step) -> None:
    with pytest.raises(ConfigError) as refused:
        steps_in("" if table.what == "none" else table.what)
    table.check([str(refused.value)])


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
