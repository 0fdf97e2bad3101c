"""Before an action is confirmed the console shows what becomes of the standings: what they show once it is done."""

from pathlib import Path

import pytest

from tests.support.console_client import add_console_user
from tests.support.pairs_events import draw_pairs_event, play_by_chance
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.run_context import run_context
from tests.support.two_events import draw_next_round, win
from tests.support.web_conversation import conduct
from tourney.coordinator.director import RulingBasis
from tourney.coordinator.forfeits import Forfeits
from tourney.director.action import DirectorAction
from tourney.director.orders import ReplayBoard
from tourney.director.rulings import Adjust, Assign, Cancel, Fine, Forfeit, WithdrawRulings, WithdrawTeam
from tourney.results.load import NO_CHANGE, ResultsChange, load_results
from tourney.results.scorecard import work_out_scorecard
from tourney.results.standings import Standings, rank_event
from tourney.store.results.matches import load_match_scores, save_match_score
from tourney.store.rulings import load_rulings
from tourney.views.ranking import compare_standings, load_ranking_changes

GROUNDS = RulingBasis("ben", "heard both sides", None, BEGINS_AT_MS)

TEAMS = ("Ants", "Bees", "Cats", "Dogs")

EVENTS = {
    "teams": event_text(*TEAMS, boards=4),
    "board-a-match": event_text(*TEAMS, boards=4, stage='scoring = "board-a-match"'),
    "groups": event_text(*TEAMS, "Emus", "Foxes", boards=4, stage="groups = 2"),
}


def standings_of(played: PlayedEvent, change: ResultsChange = NO_CHANGE) -> Standings:
    drawn = played.drawn
    return rank_event(load_results(played.database, drawn.event.seen_whole(), drawn.ranking_rules, change=change))


def check(played: PlayedEvent, action: DirectorAction) -> bool:
    """Check that the preview of an action is what it comes to; return whether any ranking changes."""
    before, change = standings_of(played), action.preview(played.drawn).change
    assert change is not None
    shown = load_ranking_changes(played.drawn, change)
    then = standings_of(played, change)
    action.begin(played.drawn, GROUNDS)
    if isinstance(action, WithdrawTeam):
        finish_without(played)
    played.reload()
    after = standings_of(played)
    assert then.rows == after.rows, action
    assert [field.rows for field in then.fields] == [field.rows for field in after.fields], action
    assert shown == compare_standings(before, after)
    return bool(shown)


def finish_without(played: PlayedEvent) -> None:
    """Have the matches that a team has left forfeited and scored, as a run does."""
    scored = load_match_scores(played.database, played.event.id)
    unfinished = [match for match in played.event.matches if match.number not in scored]
    Forfeits(run_context(played, strikes=0)).poll(unfinished)
    for match in unfinished:
        scale = played.drawn.scales[match.stage]
        assert scale is not None
        score = work_out_scorecard(played.database, match, scale).score
        if score is not None:
            save_match_score(played.database, match, score)


@pytest.mark.parametrize("kind", EVENTS)
def test_the_preview_of_every_action_is_what_the_standings_show_once_it_is_done(tmp_path: Path, kind: str) -> None:
    played = draw_event(tmp_path, EVENTS[kind])
    played.play_all()
    first, second, third, *_, last = played.event.matches
    assert check(played, Fine(first.number, first.home, "3"))
    assert check(played, Adjust(first.number, 1, (f"{first.home}=avg+", f"{first.away}=avg-")))
    assert check(played, Assign(f"{first.number}-open", 2, ("60: 6NT N 12", "40: 3NT N 9")))
    assert not check(played, Fine(first.number, first.home, "warning"))
    assert check(played, Cancel(1, second.number))
    assert check(played, Forfeit(f"{second.number}-closed", second.away, 2))
    assert check(played, Forfeit(str(third.number), third.home))
    assert check(played, ReplayBoard(f"{first.number}-open", 3))
    assert not check(played, WithdrawRulings((1, 2)))  # on the match that has no score any more
    assert check(played, WithdrawRulings((load_rulings(played.database, played.event.id)[-2].id,)))
    check(played, WithdrawTeam(last.home))


def test_the_preview_of_a_team_that_leaves_early_is_the_standings_without_its_matches(tmp_path: Path) -> None:
    played = draw_event(tmp_path, EVENTS["teams"])
    played.play(1)
    played.score()
    assert check(played, WithdrawTeam(played.match(1).home))


def test_the_preview_is_what_the_standings_of_pairs_show_once_it_is_done(tmp_path: Path) -> None:
    played = draw_pairs_event(tmp_path, 8, 'format = "howell"\nboards_per_round = 2')
    play_by_chance(played)
    first, second = played.event.matches[:2]
    board, other = (played.boards(match.number)[0].number for match in (first, second))
    assert check(played, Adjust(first.number, board, (f"{first.home}=avg+", f"{first.away}=avg")))
    assert check(played, Assign(f"{second.number}-open", other, ("4S N 12",)))
    assert check(played, Fine(first.number, first.home, "25", in_percent=True))
    assert check(played, Cancel(played.boards(first.number)[1].number, first.number))
    assert check(played, ReplayBoard(f"{second.number}-open", played.boards(second.number)[1].number))


async def test_the_page_shows_the_teams_that_change_and_not_to_members_of_a_team(tmp_path: Path) -> None:
    played = draw_event(tmp_path, EVENTS["teams"])
    played.play_all()
    match = played.event.matches[0]
    add_console_user(played, "ben")
    add_console_user(played, "bea", team=next(team for team in TEAMS if team not in match.teams))
    penalty = f"previews penalty match={match.number} team={match.home} reason='slow play'"
    await conduct(
        played,
        f"""
        ben {penalty} amount=9 -> has <table class="rank-changes">...VP now...{match.home}...</table>
        ben {penalty} amount=warning -> has They stay as they are.
        bea {penalty} amount=9 -> has match -> lacks Standings
        """,
    )


async def test_a_ruling_that_turns_a_knockout_is_not_said_to_leave_the_standings_as_they_are(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*TEAMS, boards=1, stage='format = "knockout"\nextra_boards = 0'))
    for match in played.reload().matches:
        win(played, match.number, match.home)
    draw_next_round(played)
    add_console_user(played, "ben")
    await conduct(
        played,
        f"""
        ben previews penalty match=1 team={played.match(1).home} amount=12 reason='slow play'
            -> has round 2 is drawn again before it begins -> lacks They stay as they are
        """,
    )
