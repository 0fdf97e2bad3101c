"""The first page of the console with many tables: what needs the director in few lines, a short row a table."""

import re
from pathlib import Path

from tests.support.console_client import NOW_MS, add_console_user, logged_in, open_console
from tests.support.played_event import draw_event, event_text
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.store.control.orders import give_orders
from tourney.store.models import OrderKind, UserRole
from tourney.views.status import load_status
from tourney.web.director.grid import CellState, load_grid

ROW_BYTES_MAX = 420
"""A row of a table whose boards are done, in play and to come."""


async def test_many_tables_have_a_short_row_each_and_share_an_alarm(tmp_path: Path) -> None:
    teams = [f"Team {number}" for number in range(1, 15)]
    played = draw_event(tmp_path, event_text(*teams, boards=16))
    first = played.event.rounds[0].matches
    played.play(first[0].number, boards=[1, 2])
    tables = [table for match in first for table in match.tables]
    ids = [table.id for table in tables]
    give_orders(played.database, ids, OrderKind.PAUSE, author="ben", now_ms=NOW_MS - 372_000)
    add_console_user(played, "ben")
    async with logged_in(played) as browser:
        page = await browser.text("?round=1")
        assert "No alarms" in page
        alarm = page.partition('<ul class="alarms">')[2].partition("</ul>")[0]
        assert "14 tables are paused" in alarm
        assert "6:12.0" in alarm
        assert re.findall(r'href="/director/table/([^"]+)"', alarm) == [table.place for table in tables]
        assert re.findall(r'href="/director/do/([^"]+)"', alarm) == ["resume"]  # of the whole event
        rows = page.partition('<ul class="grid-rows">')[2].partition("</ul>")[0]
        assert re.findall(r'href="/director/table/([^"]+)"', rows) == [table.place for table in tables]
        texts = [re.sub(r"<[^>]*>", "", row) for row in re.split("<li[^>]*><a ", rows)[1:]]
        assert "1\N{EN DASH}2 done3\N{EN DASH}16 to come" in texts[0]
        assert "1\N{EN DASH}16 to come" in texts[-1]
        assert all(table.ns_team in text for table, text in zip(tables, texts, strict=True))
        assert len(rows.encode()) <= ROW_BYTES_MAX * len(tables)
        table = await browser.text(f"/table/{tables[0].place}")
        assert re.findall(r"<ol .*</ol>", rows)[0] in table


async def test_the_whole_event_is_paused_and_resumed_by_one_button_each(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs"))
    add_console_user(played, "anna", UserRole.ORGANISER)
    async with open_console(played) as console:
        browser = await console.log_in("anna")

        async def offered() -> list[str]:
            page = await browser.text()
            buttons = re.findall(
                r'<(?:a class="button(?: danger)?"|button name="step" value="now")[^>]*>([^<]*)</', page
            )
            return [each for each in buttons if each != "Older ones"]

        async def do(name: str) -> None:
            address = f"/director/do/{name}"
            await browser.submit(await browser.get("/director"), address, step="now")
            console.now_ms += 1000

        others = [
            "Withdraw a team…",
            "Withdraw rulings…",
            "Make final…",
            "Cancel a board…",
        ]  # nothing is frozen or final
        assert await offered() == ["Pause the whole event", *others]
        dangerous = (await browser.text()).partition('<section class="graves"')[2].partition("</section>")[0]
        assert re.findall(r">([^<]+)…</a> <small>([^:.,]+)", dangerous) == [
            ("Withdraw a team", "Withdraw a team from the event"),
            ("Withdraw rulings", "Withdraw rulings by their numbers; they stay on record"),
            ("Make final", "Make the results of an event final"),
            ("Cancel a board", "Cancel a board"),
        ]
        await do("pause")
        assert await offered() == ["Resume", "Resume the whole event", *others]
        page = await browser.text()
        assert "The whole event is paused</strong>" in page
        assert "No alarms" in page
        await do("resume")
        assert await offered() == ["Pause the whole event", *others]
        give_orders(
            played.database,
            [played.table(1, Room.OPEN).id],
            OrderKind.PAUSE,
            author="anna",
            now_ms=console.now_ms,
        )
        console.now_ms += 1000
        assert await offered() == ["Resume", "Pause the whole event", "Resume the whole event", *others]


def test_boards_of_a_forfeited_match_are_ruled_on_and_none_is_to_come(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=4))
    played.rule(1, "Ants", RulingKind.MATCH_FORFEIT, "did not come")
    grid = load_grid(
        played.database, played.event, load_status(played.database, played.event, is_run_going=False, now_ms=0), 1
    )
    assert [[cell.state for cell in row.cells] for row in grid.rows] == [[CellState.RULED], [CellState.RULED]]
