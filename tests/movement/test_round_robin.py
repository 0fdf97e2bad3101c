"""Round robins against the published Berger tables."""

import pytest

from tests.support.golden_figures import golden_rows
from tourney.errors import ConfigError
from tourney.movement.round_robin import berger_rounds, plan_round_robin

PUBLISHED = golden_rows("berger")


@pytest.mark.parametrize("size", sorted({int(row["size_even"]) for row in PUBLISHED}))
def test_every_published_table_pairing_for_pairing(size: int) -> None:
    published: dict[int, list[tuple[int, int]]] = {}
    for row in PUBLISHED:
        if int(row["size_even"]) == size:
            published.setdefault(int(row["round"]), []).append((int(row["home"]), int(row["away"])))
    assert [list(pairings) for pairings in berger_rounds(size)] == [published[number] for number in sorted(published)]


@pytest.mark.parametrize("size", [3, 5, 7])
def test_an_odd_number_of_teams_has_the_next_table_without_its_last_number(size: int) -> None:
    whole = berger_rounds(size + 1)
    for number, planned in enumerate(plan_round_robin(size), start=1):
        pairings = whole[number - 1]
        assert planned.pairings == tuple(pair for pair in pairings if size + 1 not in pair)
        (met_the_bye,) = [pair for pair in pairings if size + 1 in pair]
        assert planned.bye == min(met_the_bye)


def test_a_second_cycle_repeats_the_first_with_home_and_away_exchanged() -> None:
    rounds = plan_round_robin(5, 2)
    assert [planned.number for planned in rounds] == list(range(1, 11))
    for first, second in zip(rounds[:5], rounds[5:], strict=True):
        assert second.pairings == tuple((away, home) for home, away in first.pairings)
        assert second.bye == first.bye


@pytest.mark.parametrize("team_count", [-1, 0, 1])
def test_fewer_than_two_teams_are_refused(team_count: int) -> None:
    with pytest.raises(ConfigError) as refused:
        plan_round_robin(team_count)
    assert str(refused.value) == f"a round robin has at least 2 teams, got {team_count}"


@pytest.mark.parametrize("cycles", [-1, 0, 3])
def test_other_numbers_of_cycles_are_refused(cycles: int) -> None:
    with pytest.raises(ConfigError) as refused:
        plan_round_robin(4, cycles)
    assert str(refused.value) == f"a round robin has 1 or 2 cycles, got {cycles}"
