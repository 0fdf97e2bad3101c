"""Results round by round, and two teams against each other."""

from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text, once


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Three teams twice round: match 1 is over, match 2 has one board, the others are to come."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", stage='format = "double-round-robin"'))
    converse(
        played,
        """
        match 1 board 1: 4S N 10, 4S N 9
        match 1 board 2: 4S N 10, 4S N 10
        match 2 board 1: 4S N 9, 4S N 10
        scored
        """,
    )
    return played


FIGURES = "$ rounds EVENT --json | rounds.matches[match={}]: state boards_over imps_home imps_away vp_home vp_away"


def test_every_match_has_its_state_and_the_figures_there_are(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        $ rounds EVENT --json | rounds.matches: match -> 1 -> 2 -> 3 -> 4 -> 5 -> 6
        {FIGURES.format(1)} -> over 2 10 0 16.46 3.54
        {FIGURES.format(2)} -> playing 1 0 10 - -
        {FIGURES.format(3)} -> to-come 0 - - - -
        """,
    )


def test_a_match_with_boards_on_record_is_played_or_was_stopped(played: PlayedEvent) -> None:
    state = FIGURES.format(2).removesuffix(" boards_over imps_home imps_away vp_home vp_away")
    converse(
        played,
        f"""
        2-open is waiting
        2-closed is waiting
        {state} -> stopped
        2-open is failed
        2-closed is failed
        {state} -> stopped
        2-open is assigned
        {state} -> playing
        2-open opens
        {state} -> playing
        """,
    )


def test_a_match_that_is_over_and_not_scored_yet_is_over(played: PlayedEvent) -> None:
    converse(played, f"match 2 board 2: Pass, Pass\n{FIGURES.format(2)} -> over 2 0 10 3.54 16.46")


def test_a_match_that_was_forfeited_is_over_with_no_board_in_its_score(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        rule 3 match-forfeit {played.match(3).home}
        {FIGURES.format(3)} rulings.0.kind -> over 0 0 0 0.00 12.00 match-forfeit
        """,
    )
