"""What a team that is withdrawn changes: nothing where it has played all its matches, else what the file says."""

from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.event_director import EventDirector
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.two_events import win
from tourney.coordinator.draw import draw_next
from tourney.movement.ranking import StandingRow
from tourney.protocol.session.records import RulingKind
from tourney.results.standings import load_standings
from tourney.store.results.matches import load_match_scores

FIVE = ("Ants", "Bees", "Cats", "Dogs", "Eels")
BYE = 1200


def rows_of(played: PlayedEvent, rounds: int | None = None, field: int | None = None) -> dict[str, StandingRow]:
    standings = load_standings(played.database, played.event, played.drawn.ranking_rules, rounds)
    rows = standings.rows if field is None else standings.fields[field].rows
    return {row.team: row for row in rows}


def leave(played: PlayedEvent, team: str) -> None:
    """Withdraw a team, which forfeits its unfinished matches, as the run has them forfeited."""
    over = load_match_scores(played.database, played.event.id)
    played.rule(None, team, RulingKind.WITHDRAWAL)
    for match in played.event.matches:
        if team in match.teams and match.number not in over:
            played.rule(match.number, team, RulingKind.MATCH_FORFEIT, law="strikes")


def play_rounds(played: PlayedEvent, *rounds: int) -> None:
    for match in played.event.matches:
        if match.round in rounds:
            played.play(match.number)
    played.score()


def round_of_bye(played: PlayedEvent, team: str) -> int:
    return next(round_.number for round_ in played.event.rounds if team in round_.byes)


@pytest.mark.parametrize("team", FIVE)
def test_a_team_that_leaves_after_a_finished_stage_changes_nothing_in_it(tmp_path: Path, team: str) -> None:
    played = draw_event(tmp_path, event_text(*FIVE))
    played.play_all()
    before = [rows_of(played, rounds) for rounds in (1, 3, None)]
    assert before[-1][team].vp >= BYE
    leave(played, team)
    assert [rows_of(played, rounds) for rounds in (1, 3, None)] == before


def test_teams_that_leave_after_a_finished_group_change_nothing_in_it_and_do_not_go_on(tmp_path: Path) -> None:
    final = '[[stage]]\nname = "Final"\nformat = "match"\nteams = 2\nboards_per_match = 2'
    six = (*FIVE, "Foxes")
    played = draw_event(tmp_path, event_text(*six, stage='name = "Groups"\ngroups = 2', more=final))
    played.play_all()
    before = [rows_of(played, field=field) for field in (0, 1)]
    for team in list(before[0])[:2]:
        leave(played, team)
    assert [rows_of(played, field=field) for field in (0, 1)] == before
    assert draw_next(played.file, played.database, played.event, 0)
    (final_match,) = played.reload().stages[1].matches
    assert set(final_match.teams) == {list(before[0])[2], next(iter(before[1]))}


def test_a_team_that_leaves_in_the_middle_keeps_the_byes_before_that_and_gets_none_after(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*FIVE))
    early, late = (next(team for team in FIVE if round_of_bye(played, team) == number) for number in (1, 5))
    play_rounds(played, 1, 2, 3)
    before = rows_of(played)
    for team in (early, late):
        leave(played, team)
    play_rounds(played, 4, 5)
    after = rows_of(played)
    # Both have played half of their matches or more, so that their scores stand.
    assert before[early].vp - after[early].vp == 0
    assert before[late].vp - after[late].vp == 0


def test_a_team_whose_scores_are_forgotten_has_no_bye_either(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*FIVE))
    team = next(team for team in FIVE if round_of_bye(played, team) == 1)
    play_rounds(played, 1, 2)
    assert rows_of(played)[team].vp >= BYE
    leave(played, team)
    assert (rows_of(played)[team].played, rows_of(played)[team].vp) == (0, 0)


def test_a_team_that_leaves_a_swiss_keeps_its_bye(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", stage='format = "swiss"\nrounds = 3'))
    converse(played, "match 1 is played\nscored")
    (team,) = played.event.rounds[0].byes
    assert rows_of(played)[team].vp == BYE
    played.rule(None, team, RulingKind.WITHDRAWAL)
    assert rows_of(played)[team].vp == BYE


@pytest.mark.parametrize("rule", ["forget", "forfeit"])
def test_a_fine_on_a_match_that_a_leaving_team_has_forfeited_counts(tmp_path: Path, rule: str) -> None:
    """Dogs leave after half of their matches: what an opponent gets for the rest is the same but for its fine."""
    played = draw_event(tmp_path, event_text(*FIVE, stage=f'early_leavers = "{rule}"'))
    play_rounds(played, 1, 2, 3, 4)
    leave(played, "Dogs")
    played.score()
    director = EventDirector(played, played.event.seen_whole())
    (left,) = [match for match in played.event.rounds[4].matches if "Dogs" in match.teams]
    opponent = next(team for team in left.teams if team != "Dogs")
    before = rows_of(played)[opponent].vp
    director.fine(left, opponent, RulingKind.PENALTY_VP, 300)
    assert before - rows_of(played)[opponent].vp == 300
    earlier = next(m for m in played.event.matches if "Dogs" in m.teams and opponent not in m.teams)
    director.fine(earlier, "Dogs", RulingKind.PENALTY_VP, 500)
    director.fine(earlier, "Dogs", RulingKind.PENALTY_IMPS, 9)
    assert before - rows_of(played)[opponent].vp == 300, "a fine of the team that left is no gain of others"


def test_who_leaves_late_is_treated_the_same_whatever_becomes_of_early_leavers(tmp_path: Path) -> None:
    """`early_leavers` is about those that leave before half of their matches, here as in the manual."""
    both = []
    for rule in ("forget", "forfeit"):
        (tmp_path / rule).mkdir()
        played = draw_event(tmp_path / rule, event_text(*FIVE, stage=f'early_leavers = "{rule}"'))
        for match in played.event.matches:
            if match.round < 5:
                win(played, match.number, min(match.teams, key=lambda team: (team == "Dogs", team)))
        played.score()
        leave(played, "Dogs")
        played.score()
        both.append(rows_of(played))
    assert both[0] == both[1]
