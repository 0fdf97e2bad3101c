"""Every action of the command line is at the console, does the same there, and is kept from those who may not."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from tests.support.console_client import add_console_user, fields_of, logged_in, open_console
from tests.support.conversation import Step, steps_of
from tests.support.live_event import ask, put, take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.refusals import refused_texts
from tests.support.store_records import made_call
from tests.support.web_conversation import conduct
from tourney.bridge import Seat
from tourney.director.action import Level
from tourney.errors import StoreUnavailable
from tourney.movement.seating import Room, TableInfo
from tourney.protocol.session.records import BoardBegan
from tourney.store.control.orders import pending_orders
from tourney.store.models import AlertQuestion, OrderKind, UserRole
from tourney.store.record.rulings import save_ruling
from tourney.store.rulings import load_finalisation, load_rulings
from tourney.web.director.actions import ACTIONS
from tourney_manual.commands import walk_commands


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


def test_every_order_and_ruling_of_the_command_line_has_its_form() -> None:
    offers = [action.offer for action in ACTIONS.values()]
    of_play = {offer.command for offer in offers if offer.level not in (Level.USER, Level.USERS)}
    commands = {" ".join(words) for (_, *words), _ in walk_commands() if len(words) > 1}
    assert of_play == {words for words in commands if words.startswith(("table ", "rule "))} | {"results"}


RULINGS = """
adjust match=1 board=2 home=avg+ away=avg+ -> 13 - 3
assign table=1-open board=1 results='60: 4S N 10, 40: 4S N 9' -> 6 - 6
cancel match=1 board=2 -> 10 - 0
penalty match=1 team=Bees amount=3 -> 7 - 6
forfeit match=1 team=Bees room=open board=1 -> 0 - 9
"""
"""What each makes of the match."""


@pytest.mark.parametrize("ruling", [*steps_of(RULINGS)], ids=str)
async def test_a_ruling_says_what_it_makes_of_the_match_and_makes_that(played: PlayedEvent, ruling: Step) -> None:
    (after,) = ruling.expected
    await conduct(
        played,
        f"""
        ben previews {ruling.what} reason='a fouled board'
            -> has Bees - Cats {after} IMPs -> has before, it was 10 - 6 IMPs
        ben does it -> has Bees - Cats {after} IMPs
        $ match EVENT 1 --json | : imps_home imps_away -> {after.replace(" - ", " ")}
        """,
    )
    rulings = load_rulings(played.database, played.event.id)
    assert {(ruling.author, ruling.reason) for ruling in rulings} == {("ben", "a fouled board")}


PREVIEWED = """
adjust match=1 board=2 home=avg+ away=avg
    -> match 1, board 2: Ants: average plus, +3 IMPs; Dogs: average, +0 IMPs
assign table=1-open board=1 results='60: 4SX N 10, 40: pass'
    -> match 1, board 1, open room: Ants and Dogs: assigned 60: 4SX N =, 40: Pass
forfeit match=1 team=Ants -> match 1: Ants: match forfeited
"""


@pytest.mark.parametrize("ruling", [*steps_of(PREVIEWED)], ids=str)
async def test_a_preview_says_the_ruling_and_to_whom_a_team_belongs_nothing_that_was_played(
    hidden: PlayedEvent, ruling: Step
) -> None:
    (words,) = ruling.expected
    secret = "-> lacks 10 - 6 -> lacks Ants - Dogs -> lacks VP now"
    await conduct(
        hidden,
        f"""
        ben previews {ruling.what} reason=fouled -> has <li>{words}</li>...<li>...Ants - Dogs
        bea previews {ruling.what} reason=fouled -> has <li>{words}</li> -> has 1 times <li> {secret}
        bea does it typed=Ants -> has not shown to users who belong to a team {secret}
        bea sees / /log {secret}
        log -> ...
            -> ben preview ...: shown
            -> bea log in: logged in
            -> bea preview ...: shown without scores
            -> bea ...: ...Ants - Dogs ...
        """,
    )


async def test_a_ruling_is_withdrawn_from_the_list_of_rulings(hidden: PlayedEvent) -> None:
    link = 'href="/director/do/withdraw'
    await conduct(
        hidden,
        f"""
        ben sees /rulings -> has No ruling has been given
        ben does penalty match=1 team=Ants amount=3 reason='slow play'
        ben does assign table=1-open board=1 reason='a revoke' results='4S N 9'
        ben sees /rulings
            -> has 3 times {link}
            -> has {link}?rulings=3"...{link}?rulings=2"...{link}?rulings=1"
            -> has assigned 4S N -1
        # The board is still to be played.
        bea sees /rulings -> has slow play -> lacks assigned 4S N -1 -> has /director/do/withdraw
        olga sees /rulings -> has slow play -> lacks assigned 4S N -1 -> lacks /director/do/withdraw
        ben sees /do/withdraw?rulings=1 -> has name="rulings"... value="1"
        ben does withdraw rulings=1 reason='heard again'
        ben sees /rulings
            -> has by ben: heard again -> has 2 times {link} -> has {link}?rulings=3"...{link}?rulings=2"
        """,
    )


async def test_a_grave_ruling_is_not_given_unless_the_name_is_typed(played: PlayedEvent) -> None:
    await conduct(
        played,
        """
        ben previews retire team=Ants reason=absent
        ben does it typed=Ant -> 422 -> has has to be typed
        $ rulings EVENT --json | rulings -> nothing
        ben does it typed=ants -> 200
        """,
    )


BEGUN = "ben previews penalty match=1 team=Bees amount=2 reason=slow\nben does it -> 503"


async def test_the_log_has_what_was_begun_although_it_failed_and_nothing_of_it_is_on_record(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*given: Any, **named: Any) -> None:
        save_ruling(*given, **named)
        monkeypatch.undo()
        raise StoreUnavailable("the connection was lost")

    monkeypatch.setattr("tourney.coordinator.director.save_ruling", lost)
    await conduct(
        played,
        f"""
        {BEGUN}
        ben does it -> has begun, no end on record
        $ rulings EVENT --json | rulings -> nothing
        log -> ... -> ben penalty ...: None
        """,
    )


async def test_the_console_finds_out_what_was_done_when_it_was_killed_before_it_could_log_it(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: Any) -> None:
        monkeypatch.undo()
        raise StoreUnavailable("the server is gone")

    monkeypatch.setattr("tourney.web.director.action_forms.end_entry", killed)
    await conduct(
        played,
        f"""
        {BEGUN}
        ben does it -> has ruling 1; match 1: Bees - Cats
        $ rulings EVENT --json | rulings: amount -> 2
        log -> ... -> ben penalty ...: ruling 1; match 1: Bees - Cats...
        """,
    )


async def test_nothing_is_done_that_was_not_previewed(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        browser, other = await console.log_in(), await console.log_in()
        address = "/director/do/cancel"
        form = await browser.get(address)
        by_hand = fields_of(form.text, address) | {"match": "1", "board": "1", "reason": "fouled", "step": "do"}
        seen = await browser.preview_fields("cancel", match="1", board="1", reason="fouled") | {"step": "do"}
        csrf = fields_of((await other.get(address)).text, address)["csrf"]
        for sender, fields in (
            (browser, by_hand),
            (browser, by_hand | {"seen": "x"}),
            (browser, seen | {"board": "2"}),
            (browser, seen | {"reason": "another"}),
            (browser, seen | {"request": "0123456789abcdef"}),
            (other, seen | {"csrf": csrf}),  # seen by another session
        ):
            answer = await sender.send(address, fields)
            assert answer.status_code == 200
            assert "Bees - Cats" in answer.text  # the preview, of what was sent
            assert load_rulings(played.database, played.event.id) == []
        assert (await browser.send(address, seen)).status_code == 303
        assert len(load_rulings(played.database, played.event.id)) == 1


async def test_orders_go_to_tables_and_answers_to_their_calls(played: PlayedEvent) -> None:
    table = in_play(played)
    await conduct(
        played,
        """
        ben previews kick table=2-open seat=E reason='it hangs' -> has forfeits it: average minus
        ben does it
        ben previews alert table=2-open text='12 to 14 total points' -> has North's Pass: alerted
        ben does it
        ben does stop table=2-open after_board=yes reason=lunch
        ben does replay table=1-open board=2 reason=fouled
        holds -> stop 2-open
        $ match EVENT 1 --json | vp_home -> -
        log -> ben log in: ...
            -> ben kick 2-open East: ...
            -> ben alert 2-open, board 1: ...
            -> ben stop 2-open: ...
            -> ben replay 1-open, board 2: ...
        """,
    )
    given = [(order.kind, order.seat, order.text) for order in pending_orders(played.database, table.host or "")]
    assert given == [
        (OrderKind.KICK, Seat.EAST, "it hangs"),
        (OrderKind.ALERT, Seat.NORTH, "12 to 14 total points"),
        (OrderKind.STOP, None, "lunch"),
    ]


async def test_the_organiser_makes_results_final_and_opens_them_again(played: PlayedEvent) -> None:
    await conduct(
        played,
        """
        anna previews finalise reason=over -> 422 -> has matches have no score yet
        anna does finalise typed='Test Cup' abandoned=yes reason='a power cut'
        anna previews cancel match=1 board=1 reason=x -> 422 -> has has made the results -> lacks `tourney
        """,
    )
    word = load_finalisation(played.database, played.event.id)
    assert word is not None
    assert (word.is_final, word.author, word.reason) == (True, "anna", "a power cut")
    await conduct(played, "anna does reopen reason='power is back'")
    word = load_finalisation(played.database, played.event.id)
    assert word is not None
    assert not word.is_final


@pytest.mark.parametrize(("form", "words"), refused_texts("forms"))
async def test_what_cannot_be_done_is_said_beside_the_form(played: PlayedEvent, form: str, words: str) -> None:
    name, *fields = shlex.split(form)
    async with logged_in(played) as browser:
        answer = await browser.refusal(name, **dict(field.split("=", 1) for field in fields), reason="x")
        said = answer.partition('role="alert">')[2].partition("</p>")[0].replace("&#39;", "'")
        assert words in said
        assert not re.search(r"--[a-z]|`tourney|AMOUNT", said)
        assert load_rulings(played.database, played.event.id) == []


async def test_an_operator_gives_no_rulings_and_nobody_rules_on_the_own_team(played: PlayedEvent) -> None:
    of_operators = {"pause", "resume", "alert"}
    others = " ".join(f"/do/{name}" for name in ACTIONS if name not in of_operators)
    own = "-> 422 -> has bea belongs to Cats, so match 1 is for somebody else"
    await conduct(
        played,
        f"""
        olga sees /do/pause /do/resume /do/alert -> 200
        olga sees {others} -> 403
        bea sees /do/finalise /do/publish /do/reopen -> 403
        bea previews cancel match=1 board=1 reason=x {own}
        bea previews retire team=Bees reason=x {own}
        bea previews penalty match=2 team=Ants amount=warning reason=slow -> has match 2
        bea does it
        """,
    )


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
    async with open_console(played) as console:
        browser = await console.user("ben")
        fields = await browser.preview_fields("alert", table="2-open", text="12 to 14 total points")
        with played.database.write() as connection:  # somebody else has answered it
            connection.execute(update(AlertQuestion).where(AlertQuestion.seq == 0).values(answer="", author="olga"))
        answer = await browser.send("/director/do/alert", fields | {"step": "do"})
        assert answer.status_code == 422
        assert "2-open: call 1 of board 1 does not wait for an answer" in answer.text
        await conduct(console, "orders -> nothing")
