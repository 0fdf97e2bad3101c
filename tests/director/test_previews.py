"""What an action of the director would change is told beforehand, and only told."""

from pathlib import Path

import pytest

from tests.support.played_event import PlayedEvent, draw_compared, draw_event, event_text
from tourney.coordinator.director import RulingBasis
from tourney.director.orders import ReplayBoard
from tourney.director.results import Finalise
from tourney.director.rulings import (
    Adjust,
    Cancel,
    Forfeit,
    WithdrawRulings,
    WithdrawTeam,
)
from tourney.errors import RuleError, UsageError
from tourney.movement.seating import Room
from tourney.store.results.matches import load_match_scores
from tourney.store.rulings import load_rulings

GROUNDS = RulingBasis("Ada", "a fouled board", None, 1)


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_compared(tmp_path)


def test_a_board_is_cancelled_in_all_matches_of_a_round_that_play_it(tmp_path: Path) -> None:
    """As when a deal became known before it was played."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", "Delta"))
    for number in (1, 2):
        played.play(number)
    played.score()
    cancel = Cancel(2, round=1)
    told = cancel.preview(played.drawn).changes
    done = cancel.carry_out(played.drawn, GROUNDS)
    assert [line.partition(":")[0] for line in told] == ["match 1", "match 2"]
    assert [line.partition(":")[0] for line in done] == ["ruling 1; match 1", "ruling 2; match 2"]
    assert [score.boards for score in load_match_scores(played.database, played.event.id).values()] == [1, 1]
    for wrong, why in (
        (Cancel(2, round=9), "rounds of 'Test Cup' are 1 to 3, got 9"),
        (Cancel(3, round=1), "no match of"),
    ):
        with pytest.raises(UsageError, match=why):
            wrong.preview(played.drawn)


def test_the_score_without_a_ruling_is_told_before_it_is_withdrawn(played: PlayedEvent) -> None:
    (before,) = Cancel(4, 1).preview(played.drawn).changes
    Cancel(4, 1).carry_out(played.drawn, GROUNDS)
    said, told = WithdrawRulings((1,)).preview(played.drawn).changes
    assert said == "ruling 1 is: match 1, board 4: board cancelled: a fouled board (by Ada)"
    _, _, score = before.partition("; before, it was ")
    assert told.startswith(f"match 1: Alpha - Beta {score}; before, it was ")
    assert [ruling.is_live for ruling in load_rulings(played.database, played.event.id)] == [True]
    WithdrawRulings((1,)).carry_out(played.drawn, GROUNDS)
    with pytest.raises(RuleError, match="ruling 1 was withdrawn already, by Ada"):
        WithdrawRulings((1,)).preview(played.drawn)


def test_rulings_are_offered_until_the_results_are_final(played: PlayedEvent) -> None:
    for action in (Adjust, Forfeit, WithdrawRulings, WithdrawTeam):
        assert action.is_offered(played.drawn)
    Finalise().carry_out(played.drawn, GROUNDS)
    for action in (Adjust, Forfeit, WithdrawRulings, WithdrawTeam):
        assert not action.is_offered(played.drawn)


def test_points_awarded_on_a_deal_of_a_game_replace_what_it_was_worth_to_both_sides(tmp_path: Path) -> None:
    stage = 'format = "match"\ngame = "chicago"'
    played = draw_event(tmp_path, event_text("Alpha", "Delta", stage=stage).replace("boards_per_match = 2\n", ""))
    played.record(1, Room.OPEN, 1, "4S E", 10)
    words = Adjust(1, 1, ("Alpha=300",)).preview(played.drawn).words
    assert words == ("match 1, board 1: Alpha: adjusted score, +300 points; Delta: nothing",)


def test_the_end_of_an_event_is_told_and_only_told(played: PlayedEvent) -> None:
    assert Finalise().preview(played.drawn).changes == ("the results of Test Cup become final",)
    assert WithdrawTeam("beta").preview(played.drawn).words == (
        "Beta leaves the event: every match that it has not finished is forfeited",
    )
    assert ReplayBoard("1-open", 2).preview(played.drawn).changes == (
        "1-open: board 2 is played again, its result there is void",
    )
