"""More thinking time is given at the console: beside a table and beside a round, where a limit is in force."""

from pathlib import Path

from tests.support.console_client import add_console_user, logged_in, open_console
from tests.support.live_event import HOST, say_doing, set_state, take_up
from tests.support.played_event import draw_event, event_text
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
    async with open_console(played) as console:
        add_host(played.database, played.event.id, HOST, console.now_ms)
        left = [TimeLeft(Side.NS, 1, 83_200), TimeLeft(Side.EW, 1, -5)]
        say_doing(played, table, at_ms=console.now_ms, left=left)
        browser = await console.log_in("ben")
        page = await browser.text("/table/1-open")
        assert 'href="/director/do/extend?table=1-open"' in page
        words = page.partition("Thinking time left, by the last call or card: ")[2].partition("</p>")[0]
        assert words == f"<bdi>{table.ns_team}</bdi> 1:23.2 for board 1; <bdi>{table.ew_team}</bdi> none for board 1."
        assert 'href="/director/do/extend?round=1"' in await browser.text("?round=1")


async def test_it_is_not_offered_where_no_limit_is_in_force(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees"))
    add_console_user(played, "ben")
    async with logged_in(played) as browser:
        for address in ("/director", "/director/table/1-open"):
            assert "/director/do/extend" not in (await browser.get(address)).text
        assert "there is no limit" in await browser.refusal("extend", table="1", time="5m", reason="x")
