"""Round robins against the published Berger tables."""

import pytest

from tests.support.golden_figures import golden_rows
from tourney.movement.round_robin import plan_round_robin

PUBLISHED = golden_rows("berger")


@pytest.mark.parametrize("size", sorted({int(row["size_even"]) for row in PUBLISHED}))
def test_every_published_table_pairing_for_pairing(size: int) -> None:
    published: dict[int, list[tuple[int, int]]] = {}
    for row in PUBLISHED:
        if int(row["size_even"]) == size:
            published.setdefault(int(row["round"]), []).append((int(row["home"]), int(row["away"])))
    assert [list(planned.pairings) for planned in plan_round_robin(size)] == [published[n] for n in sorted(published)]


@pytest.mark.parametrize("size", [3, 5, 7])
def test_an_odd_number_of_teams_has_the_next_table_without_its_last_number(size: int) -> None:
    for planned, whole in zip(plan_round_robin(size), plan_round_robin(size + 1), strict=True):
        pairings = whole.pairings
        assert planned.pairings == tuple(pair for pair in pairings if size + 1 not in pair)
        (met_the_bye,) = [pair for pair in pairings if size + 1 in pair]
        assert planned.byes == (min(met_the_bye),)


def test_a_second_cycle_repeats_the_first_with_home_and_away_exchanged() -> None:
    rounds = plan_round_robin(5, 2)
    assert len(rounds) == 10
    for first, second in zip(rounds[:5], rounds[5:], strict=True):
        assert second.pairings == tuple((away, home) for home, away in first.pairings)
        assert second.byes == first.byes
