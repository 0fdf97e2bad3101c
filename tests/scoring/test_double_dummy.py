"""Double dummy figures: how they are written, what a card has cost, and the solver against published figures."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.endplay_reader import needs_endplay
from tourney.bridge import DECLARERS, STRAINS, DoubleDummyTable, Seat, Strain
from tourney.errors import LaunchError, RuleError
from tourney.extras import install_command
from tourney.runtime.solver import SOLVED_BEFORE, check_solver, solve_board, solve_play
from tourney.scoring.double_dummy import card_costs

tables = st.lists(st.integers(0, 13), min_size=20, max_size=20).map(
    lambda tricks: DoubleDummyTable(
        dict(zip([(seat, strain) for seat in DECLARERS for strain in STRAINS], tricks, strict=True))
    )
)


@given(tables)
def test_a_table_is_read_as_it_was_written(table: DoubleDummyTable) -> None:
    assert DoubleDummyTable.parse(str(table)) == table


@pytest.mark.parametrize("text", ["", "0" * 19, "0" * 21, "e" + "0" * 19, "٣" + "0" * 19])
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(RuleError, match="a double dummy table is 20 digits of 0 to d"):
        DoubleDummyTable.parse(text)


def test_a_card_costs_the_side_that_played_it() -> None:
    """A lead that gives declarer a trick, a card of his own that gives it back, and two that change nothing."""
    assert list(card_costs([9, 10, 10, 9, 9], [False, True, True, False])) == [(1, 1), (3, 1)]


@given(st.lists(st.tuples(st.integers(0, 13), st.booleans()), min_size=1, max_size=53))
def test_only_losses_are_costs(steps: list[tuple[int, bool]]) -> None:
    tricks, sides = [step[0] for step in steps], [step[1] for step in steps[1:]]
    for number, cost in card_costs(tricks, sides):
        change = tricks[number] - tricks[number - 1]
        assert cost == (-change if sides[number - 1] else change) > 0


PUBLISHED = [
    # ACBL Common Game, 21 February 2020, boards 1 and 2: DoubleDummyTricks and OptimumScore of the published file.
    (
        "N:Q4.A7.KJ985.T752 A97.K85.A6.K9864 KJT632.QJ9.Q7.A3 85.T6432.T432.QJ",
        *("N", "None", "89587895874365643656", 140),
    ),
]


@needs_endplay
@pytest.mark.parametrize(("hands", "dealer", "vulnerability", "tricks", "par"), PUBLISHED)
def test_boards_are_solved_as_published(hands: str, dealer: str, vulnerability: str, tricks: str, par: int) -> None:
    solved = solve_board(hands, dealer, vulnerability)
    assert (str(solved.table), solved.par_ns) == (tricks, par)
    assert solved.table.tricks[Seat.NORTH, Strain.NOTRUMP] == 8
    assert solved.par_contracts == ("1S N +2", "1S S +2")


@needs_endplay
def test_a_play_is_followed_card_by_card() -> None:
    """A revoke of sense: with seven tricks on top in each hand's own suit, the lead decides nothing."""
    hands = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    assert solve_play(hands, "S", "E", ("HA", "D2", "C2", "S2")) == [13] * 5
    assert solve_play(hands, "NT", "E", ("HA", "D2", "C2", "S2")) == [0] * 5


@pytest.mark.parametrize(
    ("python", "sentence"),
    [
        ((3, 13, 0), f"double dummy analysis needs packages that are not installed: {install_command('dd')}"),
        (
            (3, 15, 2),
            "double dummy analysis needs endplay, which has no package for Python 3.15: "
            f"analyse the event with a Python before 3.14 and {install_command('dd')}",
        ),
    ],
)
def test_without_the_extra_a_sentence_says_how_to_get_it_or_why_it_is_not_there(
    python: tuple[int, ...], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.extras.find_spec", lambda _name: None)
    monkeypatch.setattr("sys.version_info", python)
    with pytest.raises(LaunchError) as refused:
        check_solver()
    assert str(refused.value) == sentence


def test_the_extra_is_offered_for_the_pythons_that_its_package_is_made_for() -> None:
    project = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text("utf-8"))["project"]
    solver = next(each for each in project["optional-dependencies"]["dd"] if each.startswith("endplay"))
    assert solver.endswith("; python_version < '{}.{}'".format(*SOLVED_BEFORE))
