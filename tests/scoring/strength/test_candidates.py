"""Two candidates compared by their games against the same opponents on the same deals."""

from random import Random

import numpy as np
import pytest

from tourney.scoring.strength.candidates import compare_candidates
from tourney.scoring.strength.ratings import PairedSwing, rate_programs

OLD = ("Old 1", "Old 2", "Old 3")


def gauntlets(seed: int, deals: int, *, lead: float = 0.5, shared: float = 4.0) -> list[PairedSwing]:
    """Return games of A and B against all opponents; of the luck of a board a part is the same for both."""
    chance = Random(seed)
    swings = []
    for deal in range(deals):
        for opponent in OLD:
            luck = chance.gauss(0, shared)
            for name, strength in (("A", lead), ("B", 0.0)):
                swings.append(PairedSwing(deal, name, opponent, round(strength + luck + chance.gauss(0, 4))))
    return swings


def test_the_difference_and_its_error_are_those_of_a_regression_with_clusters() -> None:
    swings = gauntlets(1, 60)
    found = compare_candidates(swings, "A", "B")
    assert found is not None
    of_deal = np.array(
        [
            [float(a.swing) - float(b.swing) for a, b in zip(own, other, strict=True)]
            for own, other in (
                (
                    [s for s in swings if (s.deal, s.first) == (deal, "A")],
                    [s for s in swings if (s.deal, s.first) == (deal, "B")],
                )
                for deal in range(60)
            )
        ]
    )
    sums = (of_deal - of_deal.mean()).sum(axis=1)
    assert found.mean == pytest.approx(of_deal.mean())
    assert found.error == pytest.approx(float(np.sqrt((sums**2).sum() * 60 / 59) / of_deal.size))
    assert (found.opponents, found.boards, found.deals) == (OLD, 180, 60)
    (rated,) = rate_programs(swings)
    assert rated.difference("A", "B") == pytest.approx((found.mean, found.error), rel=1e-6)


def test_the_other_way_round_only_the_sign_is_another() -> None:
    swings = [PairedSwing(s.deal, s.second, s.first, -s.swing) for s in gauntlets(2, 30)]
    one, other = compare_candidates(swings, "A", "B"), compare_candidates(swings, "B", "A")
    assert one is not None
    assert other is not None
    assert (one.mean, one.error) == (-other.mean, other.error)
    assert one.superiority == pytest.approx(1 - other.superiority)


def test_only_boards_that_both_have_played_against_the_same_opponent_count() -> None:
    swings = [
        PairedSwing(1, "A", "Old 1", 5),
        PairedSwing(1, "Old 1", "B", -2),
        PairedSwing(2, "A", "Old 1", 10),
        PairedSwing(3, "B", "Old 2", 10),
        PairedSwing(4, "A", "B", 24),
    ]
    found = compare_candidates(swings, "A", "B")
    assert found is not None
    assert (found.mean, found.boards, found.opponents, found.error) == (3, 1, ("Old 1",), 0.0)
    assert compare_candidates(swings[2:], "A", "B") is None
