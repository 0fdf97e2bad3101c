"""More thinking time is given at the console: beside a table and beside a round, where a limit is in force."""

from pathlib import Path

from tests.support.console_client import NOW_MS, add_console_user
from tests.support.live_event import HOST, say_doing, set_state, take_up
from tests.support.played_event import draw_event, event_text
from tests.support.web_conversation import conduct
from tourney.bridge import Side
from tourney.movement.seating import Room, TableState
from tourney.store.control.hosts import add_host
from tourney.store.control.tables import TimeLeft

CLOCK = "[clock]\nboard_s = 120\nmatch_s = 3600\n"


async def test_it_is_offered_at_the_table_and_for_the_round_and_the_table_says_what_is_left(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", more=CLOCK))
    table = take_up(played, 1, Room.OPEN)
    set_state(played, table, TableState.PLAYING)
    add_console_user(played, "ben")
    add_host(played.database, played.event.id, HOST, NOW_MS)
    left = [TimeLeft(Side.NS, 1, 83_200), TimeLeft(Side.EW, 1, -5)]
    say_doing(played, table, at_ms=NOW_MS, left=left)
    told = f"<bdi>{table.ns_team}</bdi> 1:23.2 for board 1; <bdi>{table.ew_team}</bdi> none for board 1."
    await conduct(
        played,
        f"""
        ben sees /table/1-open
            -> has href="/director/do/extend?table=1-open"
            -> has Thinking time left, by the last call or card: {told}</p>
        ben sees ?round=1 -> has href="/director/do/extend?round=1"
        """,
    )


async def test_it_is_not_offered_where_no_limit_is_in_force(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees"))
    add_console_user(played, "ben")
    await conduct(
        played,
        """
        ben sees / /table/1-open -> lacks /director/do/extend
        ben previews extend table=1 time=5m reason=x -> 422 -> has there is no limit
        """,
    )
