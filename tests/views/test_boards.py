"""Boards compared over all tables of a round, from boards on record."""

from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, draw_four_tables, event_text
from tourney.bridge import format_deal


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_four_tables(tmp_path)


def test_all_tables_of_a_deal_are_compared_the_best_for_north_south_first(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        $ boards EVENT --json | boards: board set deal -> 1 1.1 {format_deal(played.boards(1)[0].deal)}
        $ boards EVENT --json | boards.tables: match room ns ew score imps_ns
            -> 2 open Beta Gamma 430 1
            -> 1 open Alpha Delta 400 10
            -> 2 closed Gamma Beta 400 -1
            -> 1 closed Delta Alpha -50 -10
        """,
    )


def test_a_forfeited_board_has_the_imps_that_count(played: PlayedEvent) -> None:
    converse(
        played,
        """
        0 IMPs in match 2
        1-closed board 2: 4S N 10
        1-open board 2: E forfeits
        $ boards EVENT 2 --json | boards.tables: room ns ew score imps_ns
            -> closed Delta Alpha 620 -3
            -> open Alpha Delta - 3
        $ boards EVENT 2 --json | boards.tables.0.rulings: kind -> board-forfeit
        """,
    )


def test_matches_with_deals_of_their_own_are_not_compared(tmp_path: Path) -> None:
    text = event_text("Alpha", "Beta", "Gamma", "Delta", boards=1, deals='seed = 1\nshared = "match"')
    played = draw_event(tmp_path, text)
    one, other = (format_deal(played.boards(number)[0].deal) for number in (1, 2))
    assert one != other
    converse(
        played,
        f"""
        match 1 board 1: 4S N 10, 4S N 10
        match 2 board 1: 4S N 10, 4S N 10
        $ boards EVENT --json | boards: set deal -> 1.1.1 {one} -> 1.1.2 {other}
        $ boards EVENT --json | boards.0.tables: match -> 1 -> 1
        $ boards EVENT --json | boards.1.tables: match -> 2 -> 2
        """,
    )


def test_by_default_the_boards_are_those_of_the_last_round_with_one_that_can_be_shown(tmp_path: Path) -> None:
    converse(draw_event(tmp_path), "$ boards EVENT --json | round -> 1")
    (tmp_path / "four").mkdir()
    converse(
        draw_four_tables(tmp_path / "four"),
        """
        0 IMPs in matches 4 6
        5-open board 1: 4S N 10
        $ boards EVENT --json | round -> 1
        3-open board 1: 4S N 10
        $ boards EVENT --json | round -> 1
        3-closed board 1: 4S N 10
        $ boards EVENT --json | round -> 2
        5-closed board 1: 4S N 10
        $ boards EVENT --json | round -> 3
        """,
    )
