"""The Butler ranking of pairs, from boards on record."""

from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, draw_four_tables, event_text


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_four_tables(tmp_path)


def test_pairs_are_ranked_by_imps_a_board_against_the_mean_of_all_tables_of_the_deal(played: PlayedEvent) -> None:
    # the mean is 295, the datum 300
    converse(
        played,
        """
        $ butler EVENT --json | pairs: rank pair boards imps
            -> 1 Alpha E-W 1 8
            -> 2 Beta N-S 1 4
            -> 3 Alpha N-S 1 3
            -> 3 Gamma N-S 1 3
            -> 5 Beta E-W 1 -3
            -> 5 Delta E-W 1 -3
            -> 7 Gamma E-W 1 -4
            -> 8 Delta N-S 1 -8
        $ butler EVENT --json | : boards results adjusted -> 1 4 0
        """,
    )


def test_a_pair_is_a_team_in_one_direction_whichever_room_it_sits_in(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(stage='format = "double-round-robin"', boards=1))
    # 420 and -50: the datum is 190, an exact 185 going away from zero.
    converse(
        played,
        """
        round 1 -> Alpha - Beta
        round 2 -> Beta - Alpha
        match 1 board 1: 4S N 10, 4S N 9
        match 2 board 1: 4S N 9, 4S N 10
        $ butler EVENT --json | pairs: pair boards imps
            -> Alpha N-S 2 12
            -> Alpha E-W 2 12
            -> Beta N-S 2 -12
            -> Beta E-W 2 -12
        """,
    )


def test_a_board_that_a_ruling_has_changed_counts_for_nobody_and_is_in_no_datum(played: PlayedEvent) -> None:
    # 400 and -50: the datum is 180
    converse(
        played,
        """
        0 IMPs in match 2
        1-closed board 2: 4S N 10
        1-open board 2: E forfeits
        rule 2-open board 1 board-forfeit Beta
        $ butler EVENT --json | : boards results adjusted -> 1 2 2
        $ butler EVENT --json | pairs: pair imps -> Alpha N-S 6 -> Alpha E-W 6 -> Delta N-S -6 -> Delta E-W -6
        ruling 2 is withdrawn
        $ butler EVENT --json | : results adjusted -> 4 1
        """,
    )
