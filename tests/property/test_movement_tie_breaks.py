"""What holds of every ranking, whatever was played and whatever parts the tied."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.support.finished_matches import finish
from tourney.movement.ranking import BoardTotals, FinishedMatch, RankedTeams, rank_teams
from tourney.movement.tie_breaks import TieBreak
from tourney.scoring.victory_points import VpHundredths

NAMES = ("Ants", "Bees", "Cats", "Dogs", "Eels", "Foxes")

vps = st.sampled_from((500, 1000, 1500)).map(VpHundredths)
"""Few, so that there are ties."""
imps = st.integers(-3, 6)
lost = st.integers(-2, 2)
totals = st.builds(BoardTotals, *[st.integers(0, 3)] * 4)
tie_breaks = st.lists(st.sampled_from(TieBreak), unique=True)
seeds = st.sampled_from((None, "1", "2"))


@st.composite
def matches_of(draw: st.DrawFn, names: Sequence[str]) -> list[FinishedMatch]:
    pairs = draw(st.lists(st.sampled_from([(one, other) for one in names for other in names if one != other])))
    return [
        finish(
            *(home, away, draw(imps), draw(imps), draw(vps), draw(vps)),
            lost_home=draw(lost),
            lost_away=draw(lost),
            forfeits=draw(st.sampled_from([frozenset(), frozenset(), frozenset({home}), frozenset({home, away})])),
            totals=draw(totals),
        )
        for home, away in pairs
    ]


fields = matches_of(NAMES)


def ranks(ranked: RankedTeams) -> dict[str, int]:
    return {row.team: row.rank for row in ranked.rows}


@given(fields, tie_breaks, seeds)
def test_a_team_with_more_victory_points_is_never_behind_or_level(
    matches: list[FinishedMatch], criteria: list[TieBreak], seed: str | None
) -> None:
    rows = rank_teams(NAMES, matches, criteria, seed).rows
    assert all(one.rank < other.rank for one in rows for other in rows if one.vp > other.vp)


@given(st.data(), fields, tie_breaks, seeds)
def test_the_order_in_which_teams_and_matches_are_given_decides_no_rank(
    data: st.DataObject, matches: list[FinishedMatch], criteria: list[TieBreak], seed: str | None
) -> None:
    shuffled = data.draw(st.permutations(matches)), data.draw(st.permutations(NAMES))
    assert ranks(rank_teams(NAMES, matches, criteria, seed)) == ranks(
        rank_teams(shuffled[1], shuffled[0], criteria, seed)
    )


@given(st.permutations(NAMES), fields, tie_breaks)
def test_names_decide_nothing_but_lots(
    others: list[str], matches: list[FinishedMatch], criteria: list[TieBreak]
) -> None:
    new = dict(zip(NAMES, others, strict=True))
    renamed = [
        replace(
            match,
            home=new[match.home],
            away=new[match.away],
            forfeits=frozenset(new[team] for team in match.forfeits),
        )
        for match in matches
    ]
    before, after = rank_teams(NAMES, matches, criteria), rank_teams(others, renamed, criteria)
    assert [(row.rank, new[row.team]) for row in before.rows] == [(row.rank, row.team) for row in after.rows]


@given(fields, tie_breaks)
def test_lots_part_everybody_and_change_nothing_that_came_before_them(
    matches: list[FinishedMatch], criteria: list[TieBreak]
) -> None:
    before_lots = [criterion for criterion in criteria if criterion is not TieBreak.LOT]
    shared = ranks(rank_teams(NAMES, matches, before_lots))
    drawn = ranks(rank_teams(NAMES, matches, [*before_lots, TieBreak.LOT], "7"))
    assert sorted(drawn.values()) == [1, 2, 3, 4, 5, 6]
    assert all(drawn[one] < drawn[other] for one in NAMES for other in NAMES if shared[one] < shared[other])


@given(fields, tie_breaks, seeds)
def test_what_is_explained_makes_the_ranks(
    matches: list[FinishedMatch], criteria: list[TieBreak], seed: str | None
) -> None:
    """Each pair of teams level in victory points is parted in just one step, or shares its rank in the last."""
    ranked = rank_teams(NAMES, matches, criteria, seed)
    place, vp = ranks(ranked), {row.team: row.vp for row in ranked.rows}
    for one in NAMES:
        for other in NAMES:
            if one == other or vp[one] != vp[other]:
                continue
            (tie,) = (tie for tie in ranked.ties if one in tie.teams)
            assert other in tie.teams
            parted = []
            for step in tie.steps:
                of = {team: number for number, group in enumerate(step.groups) for team in group}
                if {one, other} <= of.keys() and of[one] != of[other]:
                    parted.append(of[one] < of[other])
                    assert step.results[-1].figures[one] != step.results[-1].figures[other]
            assert parted == ([] if place[one] == place[other] else [place[one] < place[other]])
