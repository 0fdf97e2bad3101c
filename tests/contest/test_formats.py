"""The formats of a stage: what holds of every one, and what is drawn when teams have left the event."""

import copy
import pickle

import pytest

from tourney.config.stages import StageConfig
from tourney.contest import FORMATS, Contest
from tourney.contest.draw import EntryInfo
from tourney.contest.kind import MovementContest
from tourney.contest.plan import RoundDraw, deal_entries


def settings(**keys: object) -> StageConfig:
    return StageConfig.model_validate({"boards_per_match": 4, "matches": 3, "phantom": True} | keys)


TEAM_FORMATS = [
    each for each in FORMATS.values() if not isinstance(each, MovementContest) and not each.changes_partners
]


def settings_for(stage_format: Contest, teams: int) -> StageConfig:
    """Settings that so many teams can play."""
    return settings(rounds=min(3, teams - 1)) if "swiss" in stage_format.name else settings()


def entries(*teams: int) -> list[EntryInfo]:
    return [EntryInfo(str(team)) for team in teams]


@pytest.mark.parametrize("teams", [2, 3, 4, 5, 8, 11])
def test_what_is_drawn_first_has_the_matches_that_are_counted(teams: int) -> None:
    for stage_format in TEAM_FORMATS:
        number = 2 if stage_format.name in ("match", "duel") else teams
        settings = settings_for(stage_format, number)
        drawn = stage_format.draw_first(settings, number, entries(*range(1, number + 1)))
        counts = stage_format.count_matches(settings, number)
        assert len(counts) == stage_format.count_rounds(settings, number), stage_format
        assert [len(round_.pairings) for round_ in drawn] == counts[: len(drawn)], stage_format
        assert len(drawn) == (1 if stage_format.is_drawn_by_round else len(counts)), stage_format


def test_a_team_meets_or_sits_out_once_a_round() -> None:
    for stage_format in [each for each in TEAM_FORMATS if not each.is_duel]:
        teams = 2 if stage_format.name == "match" else 7
        for round_ in stage_format.draw_first(
            settings_for(stage_format, teams), teams, entries(*range(1, teams + 1))
        ):
            busy = [*(team for pair in round_.pairings for team in pair), *round_.byes]
            assert len(busy) == len(set(busy)), stage_format


def test_nothing_is_played_where_one_team_is_left() -> None:
    for stage_format in TEAM_FORMATS:
        drawn = stage_format.draw_first(settings_for(stage_format, 4), 4, entries(3))
        assert all(round_.pairings == () for round_ in drawn), stage_format


def test_a_format_is_the_same_object_wherever_it_comes_back() -> None:
    for stage_format in FORMATS.values():
        assert pickle.loads(pickle.dumps(stage_format)) is stage_format
        assert copy.deepcopy(stage_format) is stage_format


def test_rounds_of_a_gauntlet_that_are_to_spare_are_empty() -> None:
    drawn = FORMATS["gauntlet"].draw_first(settings(), 4, entries(3, 1, 4))
    assert drawn == [RoundDraw((("3", "1"),)), RoundDraw((("4", "3"),)), RoundDraw(())]


def test_a_team_that_comes_late_to_a_swiss_is_not_in_its_first_round() -> None:
    late = [*entries(1, 2, 3), EntryInfo("4", from_round=2)]
    (first,) = FORMATS["swiss"].draw_first(settings(rounds=2), 4, late)
    assert (first.pairings, first.byes) == ((("1", "2"),), ("3",))
    assert FORMATS["swiss"].count_matches(settings(rounds=2), 4, late=[2]) == [1, 2]


def test_groups_of_fewer_teams_than_planned_are_fewer() -> None:
    assert [entry.group for entry in deal_entries(entries(1, 2, 3, 4, 5, 6, 7, 8), 2)] == [1, 2, 2, 1, 1, 2, 2, 1]
    assert [entry.group for entry in deal_entries(entries(1, 2, 3), 2)] == [1, 1, 1]
