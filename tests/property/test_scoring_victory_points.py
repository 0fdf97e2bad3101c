"""What every victory point scale has in common, whatever the number of boards."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.scoring.victory_points import UserTable, VpHundredths, VpStep, format_vp, parse_vp, vp_scale

BOARDS = range(1, 65)
WBF = ["wbf-continuous", "wbf-discrete"]


@pytest.mark.parametrize("name", WBF)
def test_the_two_sides_share_20_and_each_imp_helps_the_winner_or_changes_nothing(name: str) -> None:
    for boards in BOARDS:
        table = vp_scale(name, boards).table()
        assert {row.winner + row.loser for row in table} == {2000}, boards
        assert [row.least_margin for row in table] == list(range(len(table))), boards
        assert all(after.winner >= before.winner for before, after in itertools.pairwise(table)), boards
        assert (table[0].winner, table[-1].winner) == (1000, 2000), boards
        assert table[-2].winner < 2000, boards


def test_the_continuous_scale_is_the_curve_swept_from_either_end_until_it_is_concave() -> None:
    for boards in BOARDS:
        forward, backward = swept_curves(boards)
        scale = vp_scale("wbf-continuous", boards)
        assert [scale.split(margin)[0] for margin in range(len(forward))] == forward == backward, boards


def swept_curves(boards: int) -> tuple[list[int], list[int]]:
    """The winner's victory points by margin, in hundredths, swept from either end."""
    # Another way to the same table: whole sweeps, in binary floats, until nothing changes.
    ratio = 5**0.5 - 2
    blitz = 15 * boards**0.5
    worth = []
    for margin in itertools.count():
        if margin >= blitz:
            break
        worth.append(min(2000, int(1000 + 1000 * (1 - ratio ** (margin / blitz)) / (1 - ratio) + 0.5)))
    worth.append(2000)
    forward, backward = list(worth), list(worth)
    inner = range(1, len(worth) - 1)
    while sum(_raised(forward, margin) for margin in inner):
        pass
    while sum(_raised(backward, margin) for margin in reversed(inner)):
        pass
    return forward, backward


def _raised(worth: list[int], margin: int) -> bool:
    falls_short = worth[margin + 1] - worth[margin] > worth[margin] - worth[margin - 1]
    worth[margin] += falls_short
    return falls_short


def test_in_the_discrete_scale_no_band_is_wider_than_the_next() -> None:
    for boards in BOARDS:
        starts = [step.least_margin for step in vp_scale("wbf-discrete", boards).steps]
        widths = [after - before for before, after in itertools.pairwise(starts)]
        widths[0] = 2 * widths[0] - 1  # a draw counts margins of both signs
        assert widths == sorted(widths), boards
        assert min(widths) >= 1, boards


@st.composite
def own_tables(draw: st.DrawFn) -> UserTable:
    margins = [0, *sorted(draw(st.sets(st.integers(1, 200), max_size=12)))]
    draw_vp = draw(st.integers(0, 3000))
    winner = loser = draw_vp
    steps = []
    for margin in margins:
        steps.append(VpStep(margin, VpHundredths(winner), VpHundredths(loser)))
        winner += draw(st.integers(0, 500))
        loser -= draw(st.integers(0, 500))
    return UserTable(tuple(steps))


@given(table=own_tables(), margin=st.integers(0, 300))
def test_an_own_scale_gives_the_last_step_that_the_margin_reaches(table: UserTable, margin: int) -> None:
    reached = [step for step in table.steps if step.least_margin <= margin][-1]
    scale = vp_scale("own", 16, {"own": table})
    assert scale.split(margin) == (reached.winner, reached.loser)
    rows = scale.table()
    assert rows[min(margin, len(rows) - 1)][1:] == scale.split(margin)


@given(st.integers(-999_999, 999_999))
def test_what_is_written_is_read_back(hundredths: int) -> None:
    assert parse_vp(format_vp(hundredths)) == hundredths
