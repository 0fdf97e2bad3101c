"""Time used by sides and teams, from boards on record."""

from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.live_event import delay_card
from tests.support.played_event import OPEN, PlayedEvent, draw_event, event_text, once
from tourney.bridge import Seat, Side
from tourney.output.rows import ABSENT
from tourney.results.scorecard import iter_scorecards
from tourney.store.control.tables import load_job
from tourney.store.results.event_results import MatchFilter
from tourney.store.results.matches import load_board_records
from tourney.views import times_used
from tourney.views.times_used import TimesUsed, average_ms


def load(played: PlayedEvent) -> TimesUsed:
    return times_used.load(played.drawn)


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Alpha sits North-South in the open room of both matches' first board; Beta's board 2 is the slowest."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=3))
    converse(
        played,
        """
        1-open board 1: 4S N 10 in 1000 200 ms
        1-closed board 1: 4S N 10 in 30 4 ms
        1-open board 2: 4S N 10 in 1001 7000 ms
        1-closed board 2: 4S N 10 in 31 5 ms
        1-open board 3: 4S N 10 in 99999 99999 ms
        """,
    )
    return played


def test_sides_have_the_times_of_the_boards_that_both_rooms_are_over_with(played: PlayedEvent) -> None:
    converse(
        played,
        """
        $ times EVENT --json | sides: room side team total_ms
            -> open NS Alpha 2001 -> open EW Beta 7200 -> closed NS Beta 61 -> closed EW Alpha 9
        """,
    )


def test_teams_have_both_rooms_together_and_their_slowest_board_and_match(played: PlayedEvent) -> None:
    converse(
        played,
        """
        $ times EVENT --json | teams: team boards total_ms -> Alpha 4 2010 -> Beta 4 7261
        $ times EVENT --json | teams[team=Beta].slowest_board: room board -> open 2
        $ times EVENT --json | teams[team=Alpha].slowest_match: room ms -> open 2001
        """,
    )


def test_a_team_without_a_board_has_used_no_time(tmp_path: Path) -> None:
    converse(
        draw_event(tmp_path),
        """
        $ times EVENT --json | sides -> nothing
        $ times EVENT --json | teams: total_ms slowest_board slowest_match -> 0 - - -> 0 - -
        """,
    )


@pytest.mark.parametrize(("total", "boards", "expected"), [(10, 4, 3), (9, 4, 2), (0, 3, 0), (0, 0, None)])
def test_an_average_is_in_whole_milliseconds(total: int, boards: int, expected: int | None) -> None:
    assert average_ms(total, boards) == expected


def test_a_board_that_was_forfeited_has_the_time_of_its_calls_and_cards(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(boards=1))
    converse(played, "1-closed board 1: 4S N 10 in 30 4 ms\n1-open board 1: E forfeits")
    (forfeited,) = (each for each in load_board_records(played.database, played.match(1)) if each.room is OPEN)
    times_ms = forfeited.times_ms
    assert min(times_ms.values()) > 0
    used = load(played)
    assert [side.total_ms for side in used.sides] == [times_ms[Side.NS], times_ms[Side.EW], 30, 4]
    (card,) = iter_scorecards(played.database, played.event, {}, MatchFilter(played.event.id))
    table = played.table(1, OPEN, 1)
    assert {side: card.thinking_ms(table, side) for side in Side} == times_ms
    assert load_job(played.database, table.id).spent_ms == times_ms


def test_the_delays_of_a_team_are_shown_where_its_programs_come_through_a_tunnel(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    played.play_all(scored=False)
    assert load(played).delays is ABSENT
    table = played.table(1, OPEN, 1)
    for delay_ms in range(1, 21):
        delay_card(played, table, Seat.NORTH, delay_ms, delay_ms // 2)
    shown = "lines median_ms p95_ms longest_ms allowed_ms"
    converse(
        played,
        f"""
        $ times EVENT --json | delays: team {shown} -> {table.ns_team} 20 10 19 20 100
        $ times EVENT -> ... -> {table.ns_team} 20 10 ms 19 ms 20 ms 0:00.1 -> ...
        """,
    )
