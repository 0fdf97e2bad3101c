"""The first page of the console with many tables: what needs the director in few lines, a short row a table."""

import re
from pathlib import Path

from tests.support.console_client import NOW_MS, add_console_user, logged_in
from tests.support.played_event import draw_event, event_text
from tests.support.web_conversation import conduct
from tourney.protocol.session.records import RulingKind
from tourney.store.control.orders import give_orders
from tourney.store.models import OrderKind, UserRole
from tourney.views.status import load_status
from tourney.web.director.grid import CellState, load_grid

ROW_BYTES_MAX = 420
"""A row of a table whose boards are done, in play and to come."""


async def test_many_tables_have_a_short_row_each_and_share_an_alarm(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*(f"Team {number}" for number in range(1, 15)), boards=16))
    first = played.event.rounds[0].matches
    played.play(first[0].number, boards=[1, 2])
    tables = [table for match in first for table in match.tables]
    ids = [table.id for table in tables]
    give_orders(played.database, ids, OrderKind.PAUSE, author="ben", now_ms=NOW_MS - 372_000)
    add_console_user(played, "ben")
    async with logged_in(played) as browser:
        page = await browser.text("?round=1")
        assert "No alarms" in page
        alarm, rows = (
            page.partition(f'<ul class="{part}">')[2].partition("</ul>")[0] for part in ("alarms", "grid-rows")
        )
        assert "14 tables are paused" in alarm
        assert "6:12.0" in alarm
        places = [table.place for table in tables]
        for part in (alarm, rows):
            assert re.findall(r'href="/director/table/([^"]+)"', part) == places
        assert re.findall(r'href="/director/do/([^"]+)"', alarm) == ["resume"]  # of the whole event
        texts = [re.sub(r"<[^>]*>", "", row) for row in re.split("<li[^>]*><a ", rows)[1:]]
        assert "1\N{EN DASH}2 done3\N{EN DASH}16 to come" in texts[0]
        assert "1\N{EN DASH}16 to come" in texts[-1]
        assert all(table.ns_team in text for table, text in zip(tables, texts, strict=True))
        assert len(rows.encode()) <= ROW_BYTES_MAX * len(tables)
        assert re.findall(r"<ol .*</ol>", rows)[0] in await browser.text(f"/table/{places[0]}")


async def test_the_whole_event_is_paused_and_resumed_by_one_button_each(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs"))
    add_console_user(played, "anna", UserRole.ORGANISER)
    pause, resume = (f'name="step" value="now">{each} the whole event</' for each in ("Pause", "Resume"))
    resume_all = 'name="step" value="now">Resume</'
    # Nothing is frozen or final.
    dangerous = """
        -> has Withdraw a team…</a> <small>Withdraw a team from the event
        -> has Withdraw rulings…</a> <small>Withdraw rulings by their numbers; they stay on record
        -> has Make final…</a> <small>Make the results of an event final
        -> has Cancel a board…</a> <small>Cancel a board
        -> has 4 times …</a> <small>
    """
    await conduct(
        played,
        f"""
        anna sees / -> has {pause} -> lacks {resume} -> lacks {resume_all} {dangerous}
        anna sends /do/pause from / step=now
        1 min pass
        anna sees / -> has {resume_all} -> has {resume} -> lacks {pause} {dangerous}
            -> has The whole event is paused</strong> -> has No alarms
        anna sends /do/resume from / step=now
        1 min pass
        anna sees / -> has {pause} -> lacks {resume}
        anna: pause 1-open at 4000 s
        1 min pass
        anna sees / -> has {resume_all} -> has {pause} -> has {resume}
        """,
    )


def test_boards_of_a_forfeited_match_are_ruled_on_and_none_is_to_come(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=4))
    played.rule(1, "Ants", RulingKind.MATCH_FORFEIT, "did not come")
    grid = load_grid(
        played.database, played.event, load_status(played.database, played.event, is_run_going=False, now_ms=0), 1
    )
    assert [[cell.state for cell in row.cells] for row in grid.rows] == [[CellState.RULED], [CellState.RULED]]
