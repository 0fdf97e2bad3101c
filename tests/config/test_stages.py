"""Stages of an event file: what one may say, and which cannot follow each other."""

from fractions import Fraction

import pytest

from tourney.config import EventConfig, parse_event_file
from tourney.config.stages import stage_teams
from tourney.config.toml import EventFileError


def file(*stages: str, teams: int = 8, more: str = "") -> str:
    """An event file of teams T1, T2, ...; each stage is lines of its section, `more` those of the last team."""
    sections = "".join(f'[[team]]\nname = "T{number}"\n' for number in range(1, teams + 1))
    return f'[event]\nname = "Cup"\n{sections}{more}\n' + "".join(f"[[stage]]\n{stage}\n" for stage in stages)


def parse(*stages: str, teams: int = 8, more: str = "") -> EventConfig:
    return parse_event_file(file(*stages, teams=teams, more=more), "cup.toml")


def problems(*stages: str, teams: int = 8, more: str = "") -> list[str]:
    with pytest.raises(EventFileError) as caught:
        parse(*stages, teams=teams, more=more)
    return caught.value.problems


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


@pytest.mark.parametrize(
    ("stages", "teams", "sentence"),
    [
        # By itself
        (
            ("boards_per_match = 10\nsegments = 3",),
            8,
            "stage 1, segments: 10 boards cannot be cut into 3 equal segments",
        ),
        (('format = "swiss"',), 8, "stage 1, rounds: a swiss has to say how many it has"),
        (
            ("rounds = 3",),
            8,
            "stage 1, rounds: it is for swiss, knockout, gauntlet, mitchell, howell, movement, american-whist "
            "or new-england-relay, not for a round-robin",
        ),
        (
            ('format = "knockout"\ngroups = 2',),
            8,
            "stage 1, groups: it is for round-robin, double-round-robin, rubber, chicago or minibridge, "
            "not for a knockout",
        ),
        (
            ("extra_boards = 4",),
            8,
            "stage 1, extra_boards: it is for knockout or match, not for a round-robin",
        ),
        (("third_place = true",), 8, "stage 1, third_place: it is for knockout, not for a round-robin"),
        (
            ('against_all = "T1"',),
            8,
            "stage 1, against_all: it is for gauntlet, not for a round-robin",
        ),
        (('format = "gauntlet"\nagainst_all = "T9"',), 8, "stage 1, against_all: it is the name of a team, got 'T9'"),
        (("teams = 4",), 8, "stage 1, teams: there is no stage before the first"),
        (("[stage.carry_over]",), 8, "stage 1, carry_over: there is no stage before the first"),
        # Too few, too many
        (('format = "match"',), 3, "stage 1, teams: a match has 2 teams, got 3"),
        (("groups = 5",), 8, "stage 1, groups: each has at least 2 teams, 8 make at most 4, got 5"),
        (
            ('format = "swiss"\nrounds = 8',),
            8,
            "stage 1, rounds: 8 teams play at most 7 rounds before somebody meets another twice, got 8",
        ),
        (
            ('format = "swiss"\nrounds = 8',),
            7,
            "stage 1, rounds: 7 teams play at most 7 rounds before somebody sits out or meets another twice, got 8",
        ),
        (('format = "knockout"\nrounds = 4',), 8, "stage 1, rounds: a knockout of 8 teams has at most 3, got 4"),
        (
            ('format = "gauntlet"\nrounds = 3',),
            8,
            "stage 1, rounds: a gauntlet of 8 teams has 7, or 1 with all its matches, got 3",
        ),
        (
            ('format = "knockout"\nthird_place = true',),
            3,
            "stage 1, third_place: two beaten semi-finalists and a final are needed for it",
        ),
        # What follows what
        ((GROUPS, f"{SEMIS}0"), 8, "stage 2, rounds: a knockout of 4 teams has at most 2, got 10"),
        (("", 'name = "More"\nteams = 9'), 8, "stage 2, teams: 8 teams come from stage 1, got 9"),
        ((GROUPS, 'name = "More"\nteams = 5'), 8, "stage 2, teams: as many go on from each of 2 groups, got 5"),
        (
            ("groups = 3", 'name = "More"\nteams = 9'),
            11,
            None,
        ),
        (
            ("groups = 4", 'name = "More"\nteams = 12'),
            13,
            None,
        ),
        (
            ("groups = 2", 'name = "More"\nteams = 8'),
            9,
            None,
        ),
        (
            ('format = "knockout"', FINAL),
            8,
            "stage 2, teams: it cannot follow stage 1, a knockout that leaves 1 team; give it `rounds`, and it ends "
            "before",
        ),
        (
            (GROUPS, SEMIS, FINAL, 'name = "More"\nteams = 2'),
            8,
            "stage 4, teams: it cannot follow stage 3, a match that leaves 1 team",
        ),
        (
            ('format = "knockout"\nrounds = 1', FINAL),
            8,
            "stage 2, teams: 4 teams are left after stage 1, which has no order among them, got 2",
        ),
        (
            ('format = "knockout"\nrounds = 2', f"{FINAL}\n[stage.carry_over]"),
            8,
            "stage 2, carry_over: no stage before it has ranked the teams, a knockout does not",
        ),
        (
            ("", 'name = "More"\nteams = 2\n[stage.carry_over]\nby_rank = [3, 2, 1]'),
            8,
            "stage 2, carry_over, by_rank: 2 teams come to the stage, got 3 amounts",
        ),
        (
            ("", 'name = "More"\nformat = "gauntlet"\nagainst_all = "T1"'),
            8,
            "stage 2, against_all: who comes to stage 2 is not known, it is the best of them, got 'T1'",
        ),
        (("", ""), 8, "stage 2, name: names must differ in more than case: 'Round robin' is that of stage 1"),
    ],
)
def test_stages_that_do_not_fit_are_told_in_a_sentence(
    stages: tuple[str, ...], teams: int, sentence: str | None
) -> None:
    if sentence is None:
        assert len(parse(*stages, teams=teams).stage) == len(stages)
    else:
        assert problems(*stages, teams=teams) == [sentence]


@pytest.mark.parametrize(
    ("carry", "sentence"),
    [
        ("won = 1.5", 'won: expected a share from 0 to 1, such as 0.5 or "1/3", got 1.5'),
        ('won = "1/0"', "won: expected a share from 0 to 1, such as 0.5 or \"1/3\", got '1/0'"),
        ("cap = 12.345", "cap: IMPs or victory points have at most two decimals, got 12.345"),
        ("by_rank = []", "by_rank: expected a list of amounts, the best team's first, got []"),
        ("by_rank = [1, 2]", "by_rank: a team of a lower rank brings no more than one above it, got [1, 2]"),
        ("won = 0.5\nby_rank = [3, 1]", "give shares of what was won (won, lost), or by_rank, not both"),
        ("half = 1", "'half' is not known here, allowed are won, lost, cap, by_rank, by_boards"),
    ],
)
def test_carry_over_that_makes_no_sense_is_refused(carry: str, sentence: str) -> None:
    (problem,) = problems("", f"format = 'knockout'\n[stage.carry_over]\n{carry}")
    assert problem.removeprefix("stage 2, carry_over").removeprefix(", ").removeprefix(": ") == sentence


# Teams


@pytest.mark.parametrize(
    ("stage", "enters", "sentence"),
    [
        ("", 2, "team 8, enters: a team can come late only to a swiss, stage 1 is a round-robin"),
        ('format = "swiss"\nrounds = 3', 4, "team 8, enters: stage 1 has 3 rounds, 2 to 3 are late, got 4"),
        ('format = "swiss"\nrounds = 3', 1, "team 8, enters: at least 2 is allowed, got 1"),
    ],
)
def test_a_team_comes_late_to_a_round_of_a_swiss_only(stage: str, enters: int, sentence: str) -> None:
    assert problems(stage, more=f"enters = {enters}") == [sentence]


def test_at_least_two_teams_of_a_swiss_are_there_from_the_first_round_on() -> None:
    sections = '[[team]]\nname = "A"\n[[team]]\nname = "B"\nenters = 2\n[[team]]\nname = "C"\nenters = 2\n'
    with pytest.raises(EventFileError) as caught:
        parse_event_file(f'[event]\nname = "Cup"\n{sections}[[stage]]\nformat = "swiss"\nrounds = 2', "cup.toml")
    assert caught.value.problems == ["team: at least 2 teams play from the first round on, got 1"]


def test_a_gauntlet_side_by_side_needs_ports_for_all_its_matches() -> None:
    tables = '[tables]\nports = "2000-2009"\n'
    with pytest.raises(EventFileError) as caught:
        parse_event_file(file('format = "gauntlet"\nrounds = 1') + tables, "cup.toml")
    assert caught.value.problems == ["tables, ports: 7 matches side by side need 14 ports, 2000-2009 has 10"]


def test_starts_are_one_a_round_in_each_stage_and_never_go_back() -> None:
    early = 'format = "match"\nteams = 2\nstarts = [2026-01-01T00:00:00Z]'
    assert problems("starts = [2026-01-02T00:00:00Z]", early, teams=2) == [
        "stage, starts: a stage starts no earlier than the rounds of the one before it"
    ]
    assert problems("", f"{early[:-1]}, 2026-01-02T00:00:00Z]", teams=2) == [
        "stage 2, starts: expected one time a round, 1 for 2 teams, got 2"
    ]


def test_a_scoring_that_pairs_do_not_have_is_refused() -> None:
    assert problems('format = "mitchell"\nscoring = "russian"', teams=6) == [
        "stage 1, scoring: in a Mitchell it is matchpoints, cross-imps or butler, got 'russian'"
    ]


@pytest.mark.parametrize(
    ("stage", "sentence"),
    [
        ('format = "mitchell"\nties = ["lot", "opponents"]', "ties: 'lot' must stand last, got 'opponents' after it"),
        ('format = "mitchell"\nties = ["lot", "lot"]', "ties: each is named once, got 'lot' twice"),
        (
            'tie_breaks = ["lot", "wins"]',
            "tie_breaks: 'lot' must stand last, for it leaves nothing to part, got 'wins' after it",
        ),
    ],
)
def test_a_lot_is_the_last_criterion_and_each_is_named_once(stage: str, sentence: str) -> None:
    assert problems(stage) == [f"stage 1, {sentence}"]
