"""`tourney.scoring.imps` against Law 78B."""

import pytest

from tests.support.golden_figures import golden_rows
from tourney.scoring.imps import IMPS_MAX, imps

TABLE = [
    (int(row["imps"]), int(row["min_diff"]), int(row["max_diff"]) if row["max_diff"] else 20_000)
    for row in golden_rows("imp_table")
]


@pytest.mark.parametrize(("worth", "least", "most"), TABLE)
def test_every_printed_row_holds_at_both_ends_and_for_both_sides(worth: int, least: int, most: int) -> None:
    assert [imps(least), imps(most)] == [worth, worth]
    assert [imps(-least), imps(-most)] == [-worth, -worth]


def test_the_table_has_all_25_rows_and_ends_with_the_most_a_board_can_be_worth() -> None:
    assert [row[0] for row in TABLE] == list(range(25))
    assert TABLE[-1][0] == IMPS_MAX


@pytest.mark.parametrize(("difference", "worth"), [(19, 0), (15, 0), (45, 1), (49, 1), (3995, 23), (-45, -1)])
def test_a_difference_between_two_rows_is_worth_the_lower_one(difference: int, worth: int) -> None:
    assert imps(difference) == worth
