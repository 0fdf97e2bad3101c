"""What is called in an auction, with each of some hands."""

import pytest

from tests.support.bots_table import PLAIN, view_after
from tests.support.golden_figures import golden_rows
from tourney.bridge import PASS, Vulnerability


@pytest.mark.parametrize("row", golden_rows("bots/calls"), ids=lambda row: f"{row['calls']}: {row['hand']}")
def test_a_hand_in_turn_makes_the_call_that_its_system_has_for_it(row: dict[str, str]) -> None:
    assert str(PLAIN.choose_call(view_after(row["hand"], row["calls"])).call) == row["call"]


def test_a_weak_two_is_sounder_when_vulnerable() -> None:
    view = view_after("QT9843.72.K5.984", vulnerability=Vulnerability.ALL)
    assert PLAIN.choose_call(view).call is PASS


@pytest.mark.parametrize("row", golden_rows("bots/alerts"), ids=lambda row: f"{row['calls']}: {row['hand']}")
def test_artificial_calls_are_alerted_and_natural_ones_are_not(row: dict[str, str]) -> None:
    decision = PLAIN.choose_call(view_after(row["hand"], row["calls"]))
    assert (str(decision.call), decision.alert) == (row["call"], row["alert"])
