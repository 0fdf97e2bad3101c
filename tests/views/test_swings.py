"""The biggest swings, from boards on record."""

from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text, once

ROWS = "--json | rows: match board imps"


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Two matches of three boards each: 10, 0 and -10 IMPs, then 1, 10 and an unfinished board."""
    played = draw_event(
        tmp_path, event_text("Alpha", "Beta", "Gamma", "Delta", boards=3, deals='seed = 1\nshared = "match"')
    )
    converse(
        played,
        """
        match 1 board 1: 4S N 10, 4S N 9
        match 1 board 2: 4S N 10, 4S N 10
        match 1 board 3: 4S N 9, 4S N 10
        match 2 board 1: 4S N 11, 4S N 10
        match 2 board 2: 4S N 10, 4S N 8
        2-open board 3: 7NT N 13
        """,
    )
    return played


def test_the_biggest_swings_come_first_and_equal_ones_in_the_order_of_the_event(played: PlayedEvent) -> None:
    converse(
        played,
        """
        $ swings EVENT --json | : boards swings adjusted -> 5 4 0
        $ swings EVENT --json | rows: match board imps winner open.tricks closed.tricks
            -> 2 2 13 Beta 10 8
            -> 1 1 10 Alpha 10 9
            -> 1 3 -10 Delta 9 10
            -> 2 1 1 Beta 11 10
        """,
    )


def test_swings_of_one_match_or_one_round(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        $ swings EVENT --match 1 {ROWS} -> 1 1 10 -> 1 3 -10
        $ swings EVENT --round 2 {ROWS} -> nothing
        $ swings EVENT --round 1 {ROWS} -> 2 2 13 -> 1 1 10 -> 1 3 -10 -> 2 1 1
        """,
    )


def test_a_board_whose_score_a_ruling_has_changed_is_no_swing(played: PlayedEvent) -> None:
    converse(
        played,
        """
        3-closed board 1: 7NT N 13
        3-open board 1: E forfeits
        $ swings EVENT --json | : swings adjusted -> 4 1
        """,
    )
