"""Every action of the command line is at the console, does the same there, and is kept from those who may not."""

import re
import shlex
from html import unescape
from pathlib import Path
from typing import Any

import click
import pytest
from sqlalchemy import update

from tests.support.console_client import add_console_user, fields_of, logged_in, open_console
from tests.support.live_event import ask, put, take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.refusals import refused_texts
from tests.support.store_records import made_call
from tourney.bridge import Seat
from tourney.cli.main import cli
from tourney.director.action import Level
from tourney.errors import StoreUnavailable
from tourney.movement.seating import Room, TableInfo
from tourney.protocol.session.records import BoardBegan
from tourney.store.console_log import load_entries
from tourney.store.control.orders import load_holds, pending_orders
from tourney.store.models import AlertQuestion, OrderKind, UserRole
from tourney.store.record.rulings import save_ruling
from tourney.store.results.matches import load_match_score
from tourney.store.rulings import load_finalisation, load_rulings
from tourney.web.director.actions import ACTIONS


def draw(folder: Path, *teams: str) -> PlayedEvent:
    """The home team of match 1 leads by 10 IMPs to 6, and nothing else has been played; bea belongs to Cats."""
    played = draw_event(folder, event_text(*teams))
    played.compare(1, ("4S N", 10, "4S N", 9), ("3NT W", 9, "2NT W", 9))
    add_console_user(played, "anna", UserRole.ORGANISER)
    add_console_user(played, "ben")
    add_console_user(played, "olga", UserRole.OPERATOR)
    add_console_user(played, "bea", team="Cats")
    return played


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """Bees have met Cats; at both tables of match 2 nobody has played yet."""
    return draw(tmp_path, "Ants", "Bees", "Cats")


@pytest.fixture
def hidden(tmp_path: Path) -> PlayedEvent:
    """Ants have met Dogs on boards that Bees and Cats have yet to play."""
    return draw(tmp_path, "Ants", "Bees", "Cats", "Dogs")


def commands_of(group: str) -> set[str]:
    found = cli.get_command(click.Context(cli), group)
    assert isinstance(found, click.Group)
    return {f"{group} {name}" for name in found.list_commands(click.Context(found))}


def test_every_order_and_ruling_of_the_command_line_has_its_form() -> None:
    offers = [action.offer for action in ACTIONS.values()]
    of_play = {offer.command for offer in offers if offer.level not in (Level.USER, Level.USERS)}
    assert of_play == commands_of("table") | commands_of("rule") | {"results"}


@pytest.mark.parametrize(
    ("name", "given", "before_and_after"),
    [
        ("adjust", {"match": "1", "board": "2", "home": "avg+", "away": "avg+"}, ("10 - 6", "13 - 3")),
        (
            "assign",
            {
                "table": "1-open",
                "board": "1",
                "results": "60: 4S N 10, 40: 4S N 9",
            },
            ("10 - 6", "6 - 6"),
        ),
        ("cancel", {"match": "1", "board": "2"}, ("10 - 6", "10 - 0")),
        ("penalty", {"match": "1", "team": "Bees", "amount": "3"}, ("10 - 6", "7 - 6")),
        ("forfeit", {"match": "1", "team": "Bees", "room": "open", "board": "1"}, ("10 - 6", "0 - 9")),
    ],
)
async def test_a_ruling_says_what_it_makes_of_the_match_and_makes_that(
    played: PlayedEvent, name: str, given: dict[str, str], before_and_after: tuple[str, str]
) -> None:
    before, after = before_and_after
    async with logged_in(played) as browser:
        preview, done = await browser.do(name, **given, reason="a fouled board")
    assert f"Bees - Cats {after} IMPs" in preview
    assert f"before, it was {before} IMPs" in preview
    assert f"Bees - Cats {after} IMPs" in done
    rulings = load_rulings(played.database, played.event.id)
    assert {(ruling.author, ruling.reason) for ruling in rulings} == {("ben", "a fouled board")}
    score = load_match_score(played.database, played.match(1))
    assert score is not None
    assert f"{score.imps_home} - {score.imps_away}" == after


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        (
            "adjust",
            {"match": "1", "board": "2", "home": "avg+", "away": "avg"},
            "match 1, board 2: Ants: average plus, +3 IMPs; Dogs: average, +0 IMPs",
        ),
        (
            "assign",
            {
                "table": "1-open",
                "board": "1",
                "results": "60: 4SX N 10, 40: pass",
            },
            "match 1, board 1, open room: Ants and Dogs: assigned 60: 4SX N =, 40: Pass",
        ),
        ("forfeit", {"match": "1", "team": "Ants", "typed": "Ants"}, "match 1: Ants: match forfeited"),
    ],
)
async def test_a_preview_says_the_ruling_and_to_whom_a_team_belongs_nothing_that_was_played(
    hidden: PlayedEvent, name: str, given: dict[str, str], words: str
) -> None:
    async with open_console(hidden) as console:
        director, member = await console.log_in("ben"), await console.log_in("bea")
        pages = [await browser.preview(name, **given, reason="fouled") for browser in (director, member)]
        of_director, of_member = (list(map(unescape, re.findall("<li>(.*?)</li>", page.text))) for page in pages)
        assert of_member == [words]
        assert of_director[: len(of_member)] == of_member
        assert any("Ants - Dogs " in line for line in of_director[len(of_member) :])
        done = await member.submit(pages[1], f"/director/do/{name}", step="do", **given)
        seen = [(await member.get(each)).text for each in (done.headers["location"], "/director", "/director/log")]
        for page in (pages[1].text, *seen):
            assert [secret for secret in ("10 - 6", "Ants - Dogs ", "VP now") if secret in page] == []
        assert "not shown to users who belong to a team" in seen[0]
        log = load_entries(hidden.database, hidden.event.id, limit=20)
        assert [(each.user, each.action, each.outcome) for each in log if each.action == "preview"] == [
            ("bea", "preview", "shown without scores"),
            ("ben", "preview", "shown"),
        ]
        assert "Ants - Dogs " in (log[0].outcome or "")  # the record has it, for those without a team


async def test_a_ruling_is_withdrawn_from_the_list_of_rulings(hidden: PlayedEvent) -> None:
    async with open_console(hidden) as console:
        browser, member, operator = [await console.log_in(name) for name in ("ben", "bea", "olga")]
        assert "No ruling has been given" in await browser.text("/rulings")
        await browser.do("penalty", match="1", team="Ants", amount="3", reason="slow play")
        await browser.do(
            "assign",
            table="1-open",
            board="1",
            reason="a revoke",
            results="4S N 9",
        )
        page = await browser.text("/rulings")
        assert re.findall(r'href="/director/do/(withdraw[^"]*)"', page) == [
            f"withdraw?rulings={number}" for number in (3, 2, 1)
        ]
        assert "assigned 4S N -1" in page
        for other in (member, operator):  # the board is still to be played
            seen = await other.text("/rulings")
            assert ("slow play" in seen, "assigned 4S N -1" in seen) == (True, False)
        assert "/director/do/withdraw" in await member.text("/rulings")
        assert "/director/do/withdraw" not in await operator.text("/rulings")
        form = await browser.get("/director/do/withdraw?rulings=1")
        assert fields_of(form.text, "/director/do/withdraw")["rulings"] == "1"
        await browser.do("withdraw", rulings="1", reason="heard again")
        page = await browser.text("/rulings")
        assert "by ben: heard again" in page
        assert re.findall(r'href="/director/do/(withdraw[^"]*)"', page) == [
            "withdraw?rulings=3",
            "withdraw?rulings=2",
        ]


async def test_a_grave_ruling_is_not_given_unless_the_name_is_typed(played: PlayedEvent) -> None:
    async with logged_in(played) as browser:
        address = "/director/do/retire"
        fields = await browser.preview_fields("retire", team="Ants", reason="absent")
        answer = await browser.send(address, fields | {"step": "do", "typed": "Ant"})
        assert (answer.status_code, load_rulings(played.database, played.event.id)) == (422, [])
        assert "has to be typed" in answer.text
        again = await browser.send(address, fields_of(answer.text, address) | {"step": "do", "typed": "ants"})
        assert again.status_code == 303


async def test_the_log_has_what_was_begun_although_it_failed_and_nothing_of_it_is_on_record(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*given: Any, **named: Any) -> None:
        save_ruling(*given, **named)
        raise StoreUnavailable("the connection was lost")

    async with logged_in(played) as browser:
        seen = await browser.preview_fields("penalty", match="1", team="Bees", amount="warning", reason="slow")
        with monkeypatch.context() as patch:
            patch.setattr("tourney.coordinator.director.save_ruling", lost)
            assert (await browser.send("/director/do/penalty", seen | {"step": "do"})).status_code == 503
        answer = await browser.send("/director/do/penalty", seen | {"step": "do"})
        assert "begun, no end on record" in (await browser.get(answer.headers["location"])).text
        assert load_rulings(played.database, played.event.id) == []
        assert [entry.outcome for entry in load_entries(played.database, played.event.id, limit=1)] == [None]


async def test_the_console_finds_out_what_was_done_when_it_was_killed_before_it_could_log_it(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: Any) -> None:
        raise StoreUnavailable("the server is gone")

    async with logged_in(played) as browser:
        seen = await browser.preview_fields("penalty", match="1", team="Bees", amount="2", reason="slow")
        with monkeypatch.context() as patch:
            patch.setattr("tourney.web.director.action_forms.end_entry", killed)
            assert (await browser.send("/director/do/penalty", seen | {"step": "do"})).status_code == 503
        answer = await browser.send("/director/do/penalty", seen | {"step": "do"})
        assert "ruling 1; match 1: Bees - Cats" in (await browser.get(answer.headers["location"])).text
        assert [ruling.amount for ruling in load_rulings(played.database, played.event.id)] == [2]
        (entry,) = load_entries(played.database, played.event.id, limit=1)
        assert (entry.outcome or "").startswith("ruling 1; match 1: Bees - Cats")


async def test_nothing_is_done_that_was_not_previewed(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        browser, other = await console.log_in(), await console.log_in()
        address = "/director/do/cancel"
        form = await browser.get(address)
        by_hand = fields_of(form.text, address) | {"match": "1", "board": "1", "reason": "fouled", "step": "do"}
        seen = await browser.preview_fields("cancel", match="1", board="1", reason="fouled")
        csrf = fields_of((await other.get(address)).text, address)["csrf"]
        for sender, fields in (
            (browser, by_hand),
            (browser, by_hand | {"seen": "x"}),
            (browser, seen | {"step": "do", "board": "2"}),
            (browser, seen | {"step": "do", "reason": "another"}),
            (browser, seen | {"step": "do", "request": "0123456789abcdef"}),
            (other, seen | {"step": "do", "csrf": csrf}),  # seen by another session
        ):
            answer = await sender.send(address, fields)
            assert answer.status_code == 200
            assert "Bees - Cats" in answer.text  # the preview, of what was sent
            assert load_rulings(played.database, played.event.id) == []
        assert (await browser.send(address, seen | {"step": "do"})).status_code == 303
        assert len(load_rulings(played.database, played.event.id)) == 1


async def test_orders_go_to_tables_and_answers_to_their_calls(played: PlayedEvent) -> None:
    table = take_up(played, 2, Room.OPEN)
    put(played, table, BoardBegan(1, BEGINS_AT_MS), made_call(0, Seat.NORTH))
    ask(played, table, 1, 0, Seat.NORTH, at_ms=BEGINS_AT_MS)
    host = table.host
    assert host is not None
    async with logged_in(played) as browser:
        preview, _ = await browser.do("kick", table="2-open", seat="E", reason="it hangs")
        assert "forfeits it: average minus" in preview
        preview, _ = await browser.do("alert", table="2-open", text="12 to 14 total points")
        assert "North&#39;s Pass: alerted" in preview
        await browser.do("stop", table="2-open", after_board="yes", reason="lunch")
        await browser.do("replay", table="1-open", board="2", reason="fouled")
        given = [(order.kind, order.seat, order.text) for order in pending_orders(played.database, host)]
        assert given == [
            (OrderKind.KICK, Seat.EAST, "it hangs"),
            (OrderKind.ALERT, Seat.NORTH, "12 to 14 total points"),
            (OrderKind.STOP, None, "lunch"),
        ]
        assert load_holds(played.database, [table.id]) == {table.id: OrderKind.STOP}
        assert load_match_score(played.database, played.match(1)) is None
        subjects = [e.subject for e in reversed(load_entries(played.database, played.event.id, limit=9)) if e.subject]
        assert subjects == ["2-open East", "2-open, board 1", "2-open", "1-open, board 2"]


async def test_the_organiser_makes_results_final_and_opens_them_again(played: PlayedEvent) -> None:
    async with logged_in(played, "anna") as browser:
        assert "matches have no score yet" in await browser.refusal("finalise", reason="over")
        await browser.do("finalise", typed="Test Cup", abandoned="yes", reason="a power cut")
        word = load_finalisation(played.database, played.event.id)
        assert word is not None
        assert (word.is_final, word.author, word.reason) == (True, "anna", "a power cut")
        answer = await browser.refusal("cancel", match="1", board="1", reason="x")
        assert "has made the results" in answer
        assert "`tourney" not in answer
        await browser.do("reopen", reason="power is back")
        word = load_finalisation(played.database, played.event.id)
        assert word is not None
        assert not word.is_final


@pytest.mark.parametrize(
    ("form", "words"),
    refused_texts("forms"),
)
async def test_what_cannot_be_done_is_said_beside_the_form(played: PlayedEvent, form: str, words: str) -> None:
    name, *fields = shlex.split(form)
    async with logged_in(played) as browser:
        answer = await browser.refusal(name, **dict(field.split("=", 1) for field in fields), reason="x")
        said = answer.partition('role="alert">')[2].partition("</p>")[0].replace("&#39;", "'")
        assert words in said
        assert not re.search(r"--[a-z]|`tourney|AMOUNT", said)
        assert load_rulings(played.database, played.event.id) == []


async def test_an_operator_gives_no_rulings_and_nobody_rules_on_the_own_team(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        operator, member = await console.log_in("olga"), await console.log_in("bea")
        for name in ACTIONS:
            is_allowed = name in ("pause", "resume", "alert")
            assert (await operator.get(f"/director/do/{name}")).status_code == (200 if is_allowed else 403), name
        for name in ("finalise", "publish", "reopen"):
            assert (await member.get(f"/director/do/{name}")).status_code == 403, name
        words = "bea belongs to Cats, so match 1 is for somebody else"
        assert words in await member.refusal("cancel", match="1", board="1", reason="x")
        assert words in await member.refusal("retire", team="Bees", reason="x")
        preview, _ = await member.do("penalty", match="2", team="Ants", amount="warning", reason="slow")
        assert "match 2" in preview


def in_play(played: PlayedEvent) -> TableInfo:
    """Take up the open room of match 2, where North has passed on board 1, about which the operator is asked."""
    table = take_up(played, 2, Room.OPEN)
    put(played, table, BoardBegan(1, BEGINS_AT_MS), made_call(0, Seat.NORTH))
    ask(played, table, 1, 0, Seat.NORTH)
    return table


async def test_sending_away_costs_the_board_that_the_preview_named_and_no_other(played: PlayedEvent) -> None:
    table = in_play(played)
    async with logged_in(played) as browser:
        fields = await browser.preview_fields("kick", table="2-open", seat="E", reason="it hangs")
        put(played, table, BoardBegan(2, BEGINS_AT_MS + 1))
        await browser.send("/director/do/kick", fields | {"step": "do"})
        (order,) = pending_orders(played.database, table.host or "")
        assert (order.kind, order.board) == (OrderKind.KICK, 1)


async def test_an_answer_is_about_the_call_that_the_preview_named_and_no_other(played: PlayedEvent) -> None:
    table = in_play(played)
    put(played, table, made_call(1, Seat.EAST), board_attempts={1: 1})
    ask(played, table, 1, 1, Seat.EAST, at_ms=BEGINS_AT_MS + 1)
    async with logged_in(played) as browser:
        fields = await browser.preview_fields("alert", table="2-open", text="12 to 14 total points")
        with played.database.write() as connection:  # somebody else has answered it
            connection.execute(update(AlertQuestion).where(AlertQuestion.seq == 0).values(answer="", author="olga"))
        answer = await browser.send("/director/do/alert", fields | {"step": "do"})
        assert answer.status_code == 422
        assert "2-open: call 1 of board 1 does not wait for an answer" in answer.text
        assert pending_orders(played.database, table.host or "") == []
