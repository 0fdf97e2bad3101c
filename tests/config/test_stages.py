"""Stages of an event file: what one may say, and which cannot follow each other."""

from fractions import Fraction

import pytest

from tourney.config import EventConfig, parse_event_file
from tourney.config.stages import stage_teams


def file(*stages: str, teams: int = 8, more: str = "") -> str:
    """An event file of teams T1, T2, ...; each stage is lines of its section, `more` those of the last team."""
    sections = "".join(f'[[team]]\nname = "T{number}"\n' for number in range(1, teams + 1))
    return f'[event]\nname = "Cup"\n{sections}{more}\n' + "".join(f"[[stage]]\n{stage}\n" for stage in stages)


def parse(*stages: str, teams: int = 8, more: str = "") -> EventConfig:
    return parse_event_file(file(*stages, teams=teams, more=more), "cup.toml")


GROUPS = 'name = "Groups"\ngroups = 2'
SEMIS = 'name = "Semi-finals"\nformat = "knockout"\nteams = 4\nrounds = 1'
FINAL = 'name = "Final"\nformat = "match"\nteams = 2'


def test_groups_semi_finals_and_a_final_follow_each_other() -> None:
    config = parse(GROUPS, SEMIS, f'{FINAL}\n[stage.carry_over]\nwon = 0.5\nlost = "1/3"\ncap = 12.5')
    assert stage_teams(config.stage, 8) == [8, 4, 2]
    rounds = [stage.format.count_rounds(stage, n) for stage, n in zip(config.stage, (8, 4, 2), strict=True)]
    assert rounds == [3, 1, 1]
    carry = config.stage[2].carry_over
    assert carry is not None
    assert (carry.rules.won, carry.rules.lost, carry.rules.cap) == (Fraction(1, 2), Fraction(1, 3), 1250)


def test_carry_over_without_figures_is_half_and_a_third_of_the_margin() -> None:
    carry = parse("", "format = 'knockout'\n[stage.carry_over]").stage[1].carry_over
    assert carry is not None
    assert (carry.rules.won, carry.rules.lost, carry.rules.cap) == (Fraction(1, 2), Fraction(1, 3), None)


def test_the_part_of_the_lower_ranked_is_never_above_that_of_the_higher_ranked_unless_it_is_said() -> None:
    carry = parse("", "format = 'knockout'\n[stage.carry_over]\nwon = 0.25").stage[1].carry_over
    assert carry is not None
    assert carry.rules.lost == Fraction(1, 4)


@pytest.mark.parametrize(
    ("stage", "name"),
    [
        ("", "Round robin"),
        ('format = "double-round-robin"', "Round robin"),
        ('format = "swiss"\nrounds = 3', "Swiss"),
        ('format = "knockout"', "Knockout"),
        ('name = "Cup"\nformat = "knockout"', "Cup"),
    ],
)
def test_a_stage_without_a_name_is_called_by_its_format(stage: str, name: str) -> None:
    assert parse(stage).stage[0].name == name


@pytest.mark.parametrize(
    ("stage", "teams", "rounds"),
    [
        ("", 9, 9),
        ("groups = 2", 9, 5),
        ('format = "double-round-robin"', 4, 6),
        ('format = "swiss"\nrounds = 5', 9, 5),
        ('format = "knockout"', 9, 4),
        ('format = "knockout"\nrounds = 2', 9, 2),
        ('format = "gauntlet"', 9, 8),
        ('format = "gauntlet"\nrounds = 1', 9, 1),
        ('format = "match"', 2, 1),
    ],
)
def test_a_stage_has_the_rounds_that_its_format_and_teams_ask_for(stage: str, teams: int, rounds: int) -> None:
    parsed = parse(stage, teams=teams).stage[0]
    assert parsed.format.count_rounds(parsed, teams) == rounds


@pytest.mark.parametrize(
    ("teams", "rounds", "left"), [(8, 1, 4), (8, 3, 1), (5, 1, 4), (5, 2, 2), (6, 3, 1), (2, 1, 1)]
)
def test_a_knockout_leaves_a_power_of_two(teams: int, rounds: int, left: int) -> None:
    (stage,) = parse(f'format = "knockout"\nrounds = {rounds}', teams=teams).stage
    assert stage.format.teams_left(stage, teams) == left


def test_extra_boards_are_four_in_a_knockout_and_none_elsewhere_unless_it_is_said() -> None:
    assert parse('format = "knockout"').stage[0].extra_boards == 4
    assert parse('format = "knockout"\nextra_boards = 0').stage[0].extra_boards == 0
    assert parse('format = "match"', teams=2).stage[0].extra_boards == 0
    assert parse('format = "match"\nextra_boards = 2', teams=2).stage[0].extra_boards == 2
