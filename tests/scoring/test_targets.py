"""What a side is expected to score: the Russian and the Estonian table against the golden figures."""

import pytest

from tests.support.golden_figures import golden_rows
from tourney.bridge import Side, parse_deal
from tourney.scoring.targets import Fit, estonian_target, find_fits, russian_target


@pytest.mark.parametrize("row", golden_rows("russian_targets"), ids=lambda row: row["hcp"])
def test_the_russian_targets_are_those_of_the_rules(row: dict[str, str]) -> None:
    hcp = int(row["hcp"])
    assert russian_target(hcp, vulnerable=False) == int(row["target_nonvul"])
    assert russian_target(hcp, vulnerable=True) == int(row["target_vul"])


@pytest.mark.parametrize("row", golden_rows("estonian_targets"), ids=lambda row: row["hcp"])
def test_the_estonian_targets_are_those_of_the_table(row: dict[str, str]) -> None:
    fits = {"none": Fit(is_major=True, cards=7)}
    for cards in (8, 9, 10):
        fits |= {
            f"major_{cards}": Fit(is_major=True, cards=cards),
            f"minor_{cards}": Fit(is_major=False, cards=cards),
        }
    for name, fit in fits.items():
        assert estonian_target(int(row["hcp"]), fit, vulnerable=False) == int(row[f"{name}_nonvul"])
        assert estonian_target(int(row["hcp"]), fit, vulnerable=True) == int(row[f"{name}_vul"])


def test_each_point_above_33_is_worth_100_or_150_and_a_long_fit_as_much_as_one_of_ten() -> None:
    fit = Fit(is_major=True, cards=13)
    assert estonian_target(40, fit, vulnerable=False) == 1110 + 7 * 100
    assert estonian_target(35, fit, vulnerable=True) == 1610 + 2 * 150


@pytest.mark.parametrize(
    ("deal", "fits"),
    [
        (
            "N:A32.A32.A32.A432 KQJT.KQJ.654.765 987.T98.KQJT.KQJ 654.7654.987.T98",
            (Fit(is_major=False, cards=7), Fit(is_major=False, cards=6)),
        ),
        (  # Eight spades and nine clubs; eight hearts and nine diamonds.
            "N:5432.43.43.QJ643 KJ7.QT5.AJ75.875 AT98.K97.KT.AT92 Q6.AJ862.Q9862.K",
            (Fit(is_major=True, cards=8), Fit(is_major=True, cards=8)),
        ),
    ],
)
def test_a_fit_in_a_major_counts_before_one_in_a_minor(deal: str, fits: tuple[Fit, Fit]) -> None:
    found = find_fits(parse_deal(deal))
    assert (found[Side.NS], found[Side.EW]) == fits
