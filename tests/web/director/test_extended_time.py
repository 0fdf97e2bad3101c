"""More thinking time is given at the console: beside a table and beside a round, where a limit is in force."""

from pathlib import Path

from tests.support.console_client import add_console_user, logged_in, open_console
from tests.support.live_event import HOST, say_doing, set_state, take_up
from tests.support.played_event import draw_event, event_text
from tourney.bridge import Seat, Side
from tourney.movement.seating import Room
from tourney.store.console_log import load_entries
from tourney.store.control.hosts import add_host
from tourney.store.control.orders import load_extensions, pending_orders
from tourney.store.control.tables import TimeLeft
from tourney.store.models import OrderKind, TableState

CLOCK = "[clock]\nboard_s = 120\nmatch_s = 3600\n"


async def test_time_is_given_with_a_preview_and_a_reason_and_taken_back_as_it_was_given(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", more=CLOCK))
    table = take_up(played, 1, Room.OPEN)
    add_console_user(played, "ben")
    async with logged_in(played) as browser:
        team = table.ns_team
        preview, done = await browser.do(
            "extend", table="1-open", board="2", team=team, time="1m 30s", reason="a question to me"
        )
        assert f"1-open: 1 minute 30 seconds more for {team}, for board 2 alone</li>" in preview
        assert "not acted on yet" in done
        (order,) = pending_orders(played.database, HOST)
        assert (order.kind, order.seat, order.board, order.seconds) == (OrderKind.EXTEND, Seat.NORTH, 2, 90)
        assert (order.author, order.text) == ("ben", "a question to me")
        entry = load_entries(played.database, played.event.id, limit=1)[0]
        assert (entry.action, entry.subject) == ("extend", f"1-open, board 2, {team}")
        preview, _ = await browser.do("extend", round="1", time="5m", reason="the network")
        assert "5 minutes more for both sides, for the match alone" in preview
        preview, _ = await browser.do("extend", table="1-open", time="-5m", reason="a slip of mine")
        assert "With 5 minutes less, a side that has used more is late at once." in preview
        assert "expected a time such as" in await browser.refusal("extend", table="1-open", time="soon", reason="x")
        assert "one of them" in await browser.refusal("extend", time="5m", reason="x")
        assert "0 seconds for" in await browser.refusal("extend", table="1-open", time="-5m", reason="x")
    extensions = load_extensions(played.database, played.event.id)
    given = [(each.room, each.board, each.team, each.seconds) for each in extensions]
    assert given == [
        (Room.OPEN, 2, team, 90),
        (Room.OPEN, None, None, 300),
        (Room.CLOSED, None, None, 300),
        (Room.OPEN, None, None, -300),
    ]


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
