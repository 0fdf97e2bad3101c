"""The conditions of contest of stages: who comes, how they are drawn, what is brought along, where teams sit."""

import re
from collections.abc import Iterator

import pytest

from tests.conditions.test_conditions import (
    BASE,
    BEFORE,
    FINAL,
    GROUPS,
    KNOCKOUT,
    LEAGUE,
    SWISS,
    event_file,
    section_of,
)
from tourney.bridge import Side
from tourney.conditions.context import event_context
from tourney.conditions.document import conditions_of, format_markdown
from tourney.config import EventConfig
from tourney.coordinator.stage_planner import StagePlanner
from tourney.movement.seating import SeatsRule, seat_segments

OTHERS = {count: tuple(f"Team {number}" for number in range(2, count + 1)) for count in range(2, 20)}


def text_of(changes: dict[str, str], teams: int = 4, commitment: str | None = None) -> str:
    return format_markdown(conditions_of(event_file(changes, OTHERS[teams]), commitment)).replace("\\", "")


def stage_text(changes: dict[str, str], title: str, teams: int = 4) -> str:
    return section_of(text_of(changes, teams), title)


# The order of the document


def test_each_of_several_stages_has_a_section_of_its_own_in_their_order() -> None:
    titles = re.findall(r"^## \d+\. (.*)$", text_of({BEFORE: GROUPS + LEAGUE, **FINAL}), re.MULTILINE)
    assert titles[:11] == [
        "Format",
        "Stage 1: Groups",
        "Stage 2: League",
        "Stage 3: Final",
        "Times of the rounds",
        "Boards and seating",
        "Deals",
        "Scoring",
        "Forfeits, adjusted scores and fines",
        "Standings",
        "Time",
    ]


def test_the_stages_are_listed_with_their_teams_rounds_and_boards() -> None:
    text = stage_text({BEFORE: GROUPS, **FINAL}, "Format", teams=6)
    assert "6 teams take part. The event has 2 stages, one after the other" in text
    assert "| 1 | Groups | round-robin | 6 | 3 | 4 |\n| 2 | Final | match | 2 | 1 | 8 |\n" in text


def several(teams: int) -> Iterator[tuple[EventConfig, str]]:
    late = {"team.enters": "2"}
    for changes in (
        {},
        {"stage.format": '"double-round-robin"'},
        {"stage.groups": "2"},
        {"stage.groups": str(teams // 2), "stage.format": '"double-round-robin"'},
        SWISS,
        KNOCKOUT,
        KNOCKOUT | {"stage.third_place": "true"},
        KNOCKOUT | {"stage.rounds": "1"},
        {"stage.format": '"gauntlet"'},
        {"stage.format": '"gauntlet"', "stage.rounds": "1"},
        SWISS | late,
        FINAL | {BEFORE: LEAGUE},
        KNOCKOUT | {BEFORE: LEAGUE, "stage.teams": "4"},
    ):
        yield event_file(changes, OTHERS[teams]), str(changes)


@pytest.mark.parametrize("teams", [4, 5, 6, 7, 9, 16])
def test_rounds_and_matches_are_those_that_are_planned(teams: int) -> None:
    for config, said in several(teams):
        for stage in event_context(config).stages:
            planner = StagePlanner(config, stage.number)
            planned = planner.most_matches
            if stage.late:
                planned = [(teams - 1) // 2, teams // 2]  # one team is not there in the first of two rounds
            assert (stage.rounds, stage.matches) == (len(planned), sum(planned)), said


# Round robins in groups


def test_groups_are_listed_as_the_teams_are_dealt_into_them() -> None:
    text = stage_text({"stage.groups": "2"}, "Format", teams=7)
    assert "a round robin in 2 groups side by side: every team meets every other team of its group once." in text
    assert "It has 3 rounds and 9 matches in all." in text
    assert "| A | Alpha, Team 4, Team 5 |\n| B | Team 2, Team 3, Team 6, Team 7 |" in text
    assert "In a group with an odd number of teams, one team has a bye in every round" in text


def test_smaller_groups_with_fewer_rounds_are_said() -> None:
    assert "The groups of 4 teams have only 3 rounds." in stage_text({"stage.groups": "2"}, "Format", teams=9)
    assert "have only" not in stage_text({"stage.groups": "2"}, "Format", teams=7)


def test_groups_of_a_later_stage_are_listed_by_seeds() -> None:
    text = stage_text({BEFORE: LEAGUE, "stage.name": '"Second"', "stage.groups": "2"}, "Stage 2: Second", teams=8)
    assert 'All 8 teams of "League" advance to this stage, seeded by their ranks there.' in text
    assert "| A | 1, 4, 5, 8 |\n| B | 2, 3, 6, 7 |" in text


# Who advances


def test_group_winners_are_seeded_before_the_runners_up() -> None:
    changes = {BEFORE: GROUPS, **KNOCKOUT, "stage.name": '"Cup"', "stage.teams": "4"}
    text = stage_text(changes, "Stage 2: Cup", teams=8)
    assert (
        'The best 2 of each group of "Groups" advance to this stage. The winners of the groups are seeded first, in '
        in text
    )
    assert "then the runners-up, and so on." in text
    one_each = stage_text(changes | {"stage.teams": "2"}, "Stage 2: Cup", teams=8)
    assert 'The winner of each group of "Groups" advances to this stage.' in one_each
    assert "the runners-up" not in one_each


def test_after_a_knockout_nobody_takes_the_place_of_a_team_that_has_left() -> None:
    cup = '[[stage]]\nname = "Cup"\nformat = "knockout"\nrounds = 1\n'
    after_cup = stage_text({BEFORE: cup, **FINAL}, "Stage 2: Final")
    assert 'The 2 teams that are left after "Cup" play this stage, seeded as they were there.' in after_cup
    assert "the next one takes its place" not in after_cup
    assert "does not advance; the next one takes its place." in stage_text(
        {BEFORE: LEAGUE, **FINAL}, "Stage 2: Final"
    )


# Knockouts


def test_seeds_without_an_opponent_in_the_first_round_are_counted() -> None:
    six = stage_text(KNOCKOUT, "Format", teams=6)
    assert "from a bracket of 8 places, 1 against 8, 2 against 7 and so on," in six
    assert "The best 2 seeds have no opponent in it and advance without a match." in six
    assert "Seed 1 has no opponent in it and advances" in stage_text(KNOCKOUT, "Format", teams=7)
    assert "no opponent" not in stage_text(KNOCKOUT, "Format", teams=8)


def test_a_knockout_that_ends_early_says_how_many_are_left() -> None:
    assert "The stage ends when 2 teams are left." in stage_text(KNOCKOUT | {"stage.rounds": "2"}, "Format", teams=7)
    assert "The stage ends" not in stage_text(KNOCKOUT, "Format", teams=7)


def test_a_level_match_gets_extra_boards_and_without_them_goes_to_the_better_seed() -> None:
    assert (
        "4 extra boards are played, up to 4 times, until it is no longer level; if it still is then, the better seed "
        "wins." in text_of(KNOCKOUT)
    )
    assert "A match is won on IMPs; if it is level, the better seed wins." in text_of(
        KNOCKOUT | {"stage.extra_boards": "0"}
    )
    assert "extra" not in text_of({})


def test_victory_points_are_not_said_of_an_event_that_is_a_knockout_alone() -> None:
    text = text_of(KNOCKOUT)
    assert "converted to victory points" not in text
    assert "bye is worth" not in text
    assert "gets no victory points" not in text
    assert "A team that forfeits a match of a knockout loses it, whatever the IMPs." in text
    assert "knockout" not in text_of({})


def test_extra_boards_beside_a_file_of_boards_are_said_to_be_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(BASE, "deals.seed")
    file = {"deals.pbn": '"boards.pbn"'}
    extra = "Extra boards of level matches are dealt by computer from a secret seed."
    assert extra in text_of(file | KNOCKOUT)
    assert extra not in text_of(file | KNOCKOUT | {"stage.extra_boards": "0"})
    assert extra not in text_of(file)


# Carry-over


LATER = {BEFORE: GROUPS, **KNOCKOUT, "stage.name": '"Cup"', "stage.teams": "4"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"cap": "20"}, ", at most 20 IMPs: half if it was ranked higher there"),
        ({"cap": "20"}, ", a third if it was ranked lower; to the hundredth of an IMP."),
        ({"won": "0.2"}, "20 percent if it was ranked higher there"),
        ({"won": "0.2"}, ", 20 percent if it was ranked lower;"),
        ({"won": '"2/7"', "lost": "0"}, "2/7 if it was ranked higher there"),
        (
            {"won": "1", "lost": "0"},
            "all if it was ranked higher there (or seeded higher, where they share a rank), no",
        ),
        (
            {"by_rank": "[10, 2.5]"},
            '"Groups" (each in its group): 10 IMPs for the 1st and 2.5 IMPs for the 2nd, nothi',
        ),
        (
            {"by_rank": "[10, 2.5]", "cap": "4"},
            "The team with the larger amount carries over the difference, at most 4 IMPs.",
        ),
    ],
)
def test_the_carry_over_into_a_match_is_said_in_imps(settings: dict[str, str], words: str) -> None:
    carry_over = {f"stage.carry_over.{key}": value for key, value in settings.items()}
    text = stage_text(LATER | carry_over, "Stage 2: Cup", teams=8)
    assert words in text
    assert "A match is won on IMPs, carry-over included." in text
    assert "carr" not in stage_text(LATER, "Stage 2: Cup", teams=8)


def test_the_carry_over_into_a_round_robin_is_said_in_victory_points() -> None:
    later = {BEFORE: LEAGUE, "stage.name": '"Finals"', "stage.teams": "3"}
    part = stage_text(later | {"stage.carry_over.won": "0.25", "stage.carry_over.cap": "7.5"}, "Stage 2: Finals")
    assert (
        'Each team carries over a part of its victory points of "League", at most 7.5 victory points: 25 percent.'
        in part
    )
    ranks = stage_text(later | {"stage.carry_over.by_rank": "[6]"}, "Stage 2: Finals")
    assert 'its rank in "League" is worth: 6 victory points for the 1st, nothing for any other.' in ranks


def test_what_a_second_knockout_counts_on_is_the_last_stage_that_was_none() -> None:
    cup = '[[stage]]\nname = "Cup"\nformat = "knockout"\nrounds = 1\n'
    text = stage_text({BEFORE: LEAGUE + cup, **FINAL, "stage.carry_over.won": "0.5"}, "Stage 3: Final")
    assert 'the matches of the two teams in "League"' in text


# Seats


def rows_of(text: str) -> dict[int, tuple[str, str]]:
    """The seats of every segment that is named."""
    found: dict[int, tuple[str, str]] = {}
    for segments, sits, pair in re.findall(r"^\| ([\d, .]+) \| (.*) \| (first|second) \|$", text, re.MULTILINE):
        found |= {int(number): (sits, pair) for number in re.findall(r"\d+", segments)}
    return found


@pytest.mark.parametrize("segments", [2, 3, 4, 8])
def test_seats_of_segments_are_those_that_are_drawn(segments: int) -> None:
    settings = {"stage.segments": str(segments), "stage.seats": '"alternate"', "stage.boards_per_match": "24"}
    sides = {Side.NS: "North-South", Side.EW: "East-West"}
    assert rows_of(text_of(settings)) == {
        number: (sides[seats.home_open], "first" if seats.away_pair_open == 1 else "second")
        for number, seats in enumerate(seat_segments(segments, SeatsRule.ALTERNATE), 1)
    }


def test_the_turns_of_choosing_begin_with_the_home_team_and_every_teams_choice_is_listed() -> None:
    text = text_of({"stage.segments": "2", "stage.seats": '"rights"', "team.open_room": '"east-west"'})
    assert rows_of(text) == {1: ("as the home team chooses", "first"), 2: ("as the away team chooses", "second")}
    assert "| Alpha | East-West |\n| Team 2 | North-South |\n" in text


def test_where_nobody_changes_seats_it_is_the_custom_alone() -> None:
    for settings in ({}, {"stage.seats": '"alternate"'}, {"stage.segments": "2"}):
        text = stage_text(settings, "Boards and seating")
        assert "sits North-South in the open room and East-West in the closed room." in text
        assert ("Nobody changes seats between segments." in text) == ("stage.segments" in settings)
        assert "| Segment |" not in text


def test_extra_boards_change_the_seats_of_a_match_of_one_segment() -> None:
    text = text_of(KNOCKOUT | {"stage.seats": '"alternate"'})
    assert "Each set of extra boards counts as one more segment." in text
    assert rows_of(text).keys() == {1, 2, 3, 4, 5}


# Swiss, gauntlets


def test_who_comes_late_to_a_swiss_and_what_the_rounds_before_are_worth_is_said() -> None:
    text = text_of(SWISS | {"team.enters": "2"}, teams=5)
    assert "| 1 | Alpha | 2 |\n| 2 | Team 2 | 1 |" in text
    assert "A team that enters late gets 8.00 for each round that it has missed." in text
    punctual = text_of(SWISS, teams=5)
    assert "enters late" not in punctual
    assert "From round" not in punctual


def test_a_gauntlet_says_whom_all_meet_and_ranks_by_the_average() -> None:
    gauntlet = {"stage.format": '"gauntlet"'}
    text = text_of(gauntlet | {"stage.against_all": '"Team 3"'})
    assert (
        '"Team 3" meets all other teams, which do not meet each other. It has 3 rounds and 3 matches in all.' in text
    )
    assert "Teams are ranked by victory points per match." in text
    assert 'a gauntlet: "Alpha" meets' in text_of(gauntlet)
    assert "All its matches are played side by side, in one round." in text_of(gauntlet | {"stage.rounds": "1"})
    later = text_of(gauntlet | {BEFORE: LEAGUE})
    assert "a gauntlet: the best seed meets all other teams" in later


# What stages have in common


def test_stages_for_which_the_same_holds_are_named_together() -> None:
    second = {BEFORE: LEAGUE + "boards_per_match = 8\n", "stage.name": '"Second"'}
    together = text_of(second)
    assert together.count("\n| IMPs | Winner") == 1
    assert 'The stages "League" and "Second": The margin is converted to victory points by' in together
    assert 'The stages "League" and "Second": Teams are ranked by victory points.' in together
    apart = text_of(second | {"stage.boards_per_match": "9", "stage.bye_vp": "1"})
    assert apart.count("\n| IMPs | Winner") == 2
    assert 'The stage "Second": Teams are ranked by victory points. A bye is worth 1.00' in apart


def test_lots_of_a_stage_that_another_follows_come_from_its_boards() -> None:
    lots = 'tie_breaks = ["wins", "lot"]\n'
    words = "The lot follows from the boards of the last match of the stage."
    assert words in text_of({BEFORE: LEAGUE + lots, **FINAL})
    assert words not in text_of({BEFORE: LEAGUE, "stage.name": '"Second"', "stage.tie_breaks": '["wins", "lot"]'})


def test_a_walkover_that_differs_between_stages_is_said_of_each() -> None:
    house = {"stage.vp_scale": '"house"', "vp_table.house.steps": "[[0, 10, 10], [3, 11, 9]]"}
    text = text_of({BEFORE: LEAGUE, "stage.name": '"Second"', **house})
    assert 'Its opponents get 12.00 (in the stage "League") or 6.60 (in the stage "Second"), or the' in text


def test_what_follows_when_a_team_leaves_is_said_of_each_kind_of_stage() -> None:
    text = text_of({BEFORE: LEAGUE, **SWISS, "stage.name": '"Second"'})
    assert 'In the stage "League": When a team leaves the event before half of its matches of the stage have' in text
    assert (
        'In the stage "Second": When a team leaves the event, its scores stand, its current match is forfeited'
        in text
    )


def test_times_are_listed_by_stage_where_only_some_have_them() -> None:
    starts = {"stage.starts": "[2026-11-21T14:00:00Z]"}
    text = stage_text({BEFORE: LEAGUE, **FINAL, **starts}, "Times of the rounds")
    assert "| Final | 1 | 2026-11-21 14:00:00 UTC | 2026-11-21 14:00:00 |" in text
    assert "The first one starts when the organiser starts the event." in text


def test_an_event_of_stages_is_ranked_by_how_far_teams_have_come() -> None:
    text = stage_text({BEFORE: GROUPS, **FINAL}, "Standings", teams=6)
    assert "Over the whole event, teams are ranked by how far they got: first those of the last stage" in text
    assert "Teams that were eliminated at the same rank of their groups share theirs." in text
    assert "how far" not in text_of({})
