"""The console without a socket: who gets in, what strangers see, forms that are done once, what goes on record."""

import asyncio
import threading
from pathlib import Path

import pytest

from tests.support.console_client import (
    PHRASE,
    ConsoleBrowser,
    add_console_user,
    fields_of,
    open_console,
)
from tests.support.played_event import PlayedEvent, draw_event, draw_half_played, event_text, once
from tests.support.web_conversation import browse, conduct, log_of
from tourney.bridge import describe_card
from tourney.config.alarms import EpisodeKind
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.store.alarms import NewAlarm, end_alarms, raise_alarms
from tourney.store.console_log import load_entries
from tourney.store.control.hosts import WorkerInfo, record_workers
from tourney.store.models import UserRole
from tourney.store.record.live import load_boards_under_way, load_live_tables
from tourney.store.users import change_phrase, hash_user_phrase, is_user_phrase

HOUR_MS = 3_600_000


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    played = draw_half_played(tmp_path)
    add_console_user(played, "anna", UserRole.ORGANISER)
    add_console_user(played, "ben")
    add_console_user(played, "olga", UserRole.OPERATOR)
    add_console_user(played, "bea", team="Bees")
    return played


async def test_alarms_of_the_watcher_are_at_the_top_of_the_console_until_they_have_ended(played: PlayedEvent) -> None:
    event_id = played.event.id
    raise_alarms(played.database, event_id, [NewAlarm(EpisodeKind.DISK_FULL, "database", "<4 % left>")], 0)
    await conduct(played, "anna sees / -> has &lt;4 % left&gt;")
    end_alarms(played.database, event_id, [("disk-full", "database")], 1)
    await conduct(played, "anna sees / -> lacks % left")


async def test_a_user_logs_in_sees_the_tables_and_logs_out(played: PlayedEvent) -> None:
    worker = WorkerInfo(name="LAPTOP2", address="192.0.2.7", tables=8, load_percent=35, heard_at_ms=0)
    record_workers(played.database, played.event.id, [worker])
    async with open_console(played) as console:
        answer = await console.browser().log_in("Anna")
        assert (answer.status_code, answer.headers["location"]) == (303, "/director")
        cookie = answer.headers.get_list("set-cookie")[0]
        assert cookie.startswith("tourney-director=")
        assert cookie.endswith("; HttpOnly; Max-Age=43200; Path=/director; SameSite=strict")
    await conduct(
        played,
        """
        ben sees / -> 200 -> has 2-open
        ben sees /table/2-open /log /account /do/pause?table=2-open ?round=1 -> 200
        ben sees /hosts -> has LAPTOP2 -> has 35 %
        ben sees /x /table/9-open /table /do/x /done/x /hands/x /log/1 /users/1 -> 404
        ben sends /logout from /account -> 303 /director/login
        ben sees / -> 303 /director/login
        log -> anna log in: logged in -> ben log in: logged in -> ben log out: logged out
        """,
    )


async def test_tunnels_are_shown_to_those_who_conduct_the_event_and_to_no_team(played: PlayedEvent) -> None:
    team = next(each for each in played.event.teams if each.name == "Ants")
    played.save_tunnel(team, address="198.51.100.7", resumes=41)
    await conduct(
        played,
        """
        anna sees /hosts -> has 198.51.100.7...>41 times<
        ben sees /hosts -> has 198.51.100.7
        olga sees /hosts -> has 198.51.100.7
        bea sees /hosts -> lacks 198.51.100.7
        """,
    )


async def test_to_strangers_every_address_of_the_console_is_the_same(played: PlayedEvent) -> None:
    played.begin(2, Room.OPEN, 2)
    addresses = (
        "/ /x /table/2-open /table/99-open /do/pause /do/x /log /users /hosts /events "
        "/hands/0123456789abcdef /done/0123456789abcdef ?round=1 /%2e%2e/x"
    )
    async with open_console(played) as console:
        browser = console.browser()
        answers = set()
        for address in ("", *addresses.split(), "/" + "x" * 5000):
            for token in ("", "x" * 43):
                browser.client.cookies.set("tourney-director", token)
                answer = await browser.get(f"/director{address}")
                answers.add((answer.status_code, tuple(answer.headers.items()), answer.content))
        ((status, headers, body),) = answers
        assert (status, dict(headers)["location"], body) == (303, "/director/login", b"")
        await browse(browser.client, f"/director/login -> lacks Ants -> lacks {played.event.name}")


async def test_without_users_there_is_no_console(tmp_path: Path) -> None:
    async with open_console(draw_event(tmp_path)) as console:
        browser = console.browser()
        answers = [await browser.get(address) for address in ("/director", "/director/login", "/nothing")]
        assert {(answer.status_code, answer.content) for answer in answers} == {(404, answers[2].content)}


async def test_headers_are_strict_and_nothing_is_kept(played: PlayedEvent) -> None:
    strict = """
        -> cache-control: no-store
        -> content-security-policy: default-src 'none'; script-src 'self'; ...frame-ancestors 'none'...
        -> x-content-type-options: nosniff
        -> referrer-policy: same-origin
    """
    async with open_console(played) as console:
        login = f"/director/login {strict}\nPOST /director/login [origin: http://localhost]"
        await browse(console.browser().client, f"{login} name=anna phrase='{PHRASE}' -> 303 /director {strict}")
        await conduct(console, f"anna sees / -> lacks style= -> lacks <script> {strict}")


async def test_wrong_phrases_slow_tries_of_their_name_and_address_and_lock_nobody_out(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        slept_s = console.waits.slept_s
        home, other = console.browser("192.0.2.10"), console.browser("192.0.2.10")
        assert (await home.log_in("anna")).status_code == 303
        thief = console.browser("192.0.2.10")
        for _ in range(8):
            assert (await thief.log_in("anna", "wrong")).status_code == 403
        assert slept_s == [1, 2, 4]
        assert (await home.log_in("anna")).status_code == 303  # the browser is known, and does not wait
        assert (await console.browser("192.0.2.67").log_in("anna")).status_code == 303  # nor does another address
        assert (await thief.log_in("ben")).status_code == 303  # nor another name
        assert slept_s == [1, 2, 4]
        assert (await other.log_in("anna")).status_code == 303  # no browser that is known, but the right phrase
        assert slept_s == [1, 2, 4, 8]
        assert log_of(played).count("anna log-in refused: wrong name or phrase") == 8


async def test_names_are_tried_as_slowly_from_many_addresses_whether_they_are_there_or_not(
    played: PlayedEvent,
) -> None:
    async with open_console(played) as console:
        for name in ("anna", "nobody-has-it"):
            console.waits.slept_s.clear()
            for last in range(8):
                assert (await console.browser(f"192.0.2.{last}").log_in(name, "wrong")).status_code == 403
            assert console.waits.slept_s == [1, 2, 4], name


async def test_a_known_device_is_known_for_its_user_and_until_the_phrase_changes(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        home, thief, slept_s = console.browser(), console.browser(), console.waits.slept_s
        await home.log_in("anna")
        for _ in range(5):
            await thief.log_in("ben", "wrong")
        await home.log_in("ben", "wrong")
        for _ in range(5):
            await thief.log_in("anna", "wrong")
        thief.client.cookies.set("tourney-director-device-1", f"{console.now_ms}.{'0' * 32}.{'0' * 64}")
        await thief.log_in("anna", "wrong")
        assert slept_s == [1, 1]
        await home.log_in("anna")
        assert slept_s == [1, 1]
        change_phrase(played.database, played.event.id, "anna", hash_user_phrase(PHRASE), console.now_ms)
        await home.log_in("anna")
        assert slept_s == [1, 1, 2]


async def test_a_browser_that_is_known_does_not_wait_behind_strangers(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_console(played) as console:
        home = await console.log_in("anna")
        hashing = threading.Event()

        def hash_slowly(phrase: str, hashed: str | None) -> bool:
            if phrase == "wrong":
                hashing.wait()
            return is_user_phrase(phrase, hashed)

        monkeypatch.setattr("tourney.web.director.app.is_user_phrase", hash_slowly)
        strangers = [asyncio.create_task(console.browser().log_in(f"name{number}", "wrong")) for number in range(20)]
        refused, _ = await asyncio.wait(strangers, return_when=asyncio.FIRST_COMPLETED)  # ten of an address may wait
        assert {each.result().status_code for each in refused} == {503}
        assert (await home.log_in("anna")).status_code == 303
        hashing.set()
        assert sorted({(await each).status_code for each in strangers}) == [403, 503]


async def test_a_phrase_typed_as_a_name_goes_on_no_record(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        answer = await console.browser().log_in(PHRASE.replace(" ", "-"), "anna")
        assert answer.status_code == 403
        assert log_of(played) == ["log-in refused: wrong name or phrase"]


async def test_sessions_end_by_themselves_everywhere_and_with_another_phrase(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        one, two = console.browser(), console.browser("192.0.2.2")

        async def is_in(browser: ConsoleBrowser) -> bool:
            return (await browser.get("/director")).status_code == 200

        await one.log_in("ben")
        await two.log_in("ben")
        console.now_ms += HOUR_MS
        await one.submit(await one.get("/director/account"), "/director/logout-all")
        assert not await is_in(two)
        await two.log_in("ben")
        change_phrase(played.database, played.event.id, "ben", "scrypt$16$8$3$00$00", console.now_ms)
        assert not await is_in(two)
        await one.log_in("anna")
        console.now_ms += 2 * HOUR_MS
        assert not await is_in(one)
        await one.log_in("anna")
        for _ in range(11):
            console.now_ms += HOUR_MS
            assert await is_in(one)
        console.now_ms += HOUR_MS
        assert not await is_in(one)


async def test_an_action_is_previewed_carried_out_once_and_logged(played: PlayedEvent) -> None:
    table = played.table(3, Room.OPEN)
    await conduct(
        played,
        f"""
        olga previews pause table=3-open reason=network
            -> has 3-open ({table.ns_team} - {table.ew_team}): no play takes place there
        holds -> nothing
        # A form that is sent again, and a page that is loaded again.
        olga does it -> has it starts paused
        olga does it -> has it starts paused
        holds -> pause 3-open
        log -> olga log in: logged in -> olga pause 3-open: pause ordered at 1 table
        # A pause is no alarm, and is shown.
        olga sees / -> has No alarms -> has >3-open</a></strong> paused
        """,
    )


async def test_a_pause_is_one_press_and_so_is_its_undo(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        browser = await console.user("ben")
        page = await browser.get("/director/table/3-open")
        done = await browser.submit(page, "/director/do/pause", step="now")
        await conduct(console, "holds -> pause 3-open")
        undo = await browser.get(done.headers["location"])
        assert ">Undo: resume</button>" in undo.text
        await browser.submit(undo, "/director/do/resume", step="now")
        again = await browser.submit(page, "/director/do/pause", step="now")
        assert again.headers["location"] == done.headers["location"]
        # Sent again, it is not done again; and a stop is previewed.
        stop = "ben sends /do/stop from /do/stop?table=3-open step=now -> 422"
        await conduct(console, f"holds -> nothing\n{stop}")


async def test_an_order_to_tables_without_a_choice_of_them_is_none(played: PlayedEvent) -> None:
    await conduct(
        played,
        """
        ben sees /do/pause -> has <option value="the whole event"> -> has <option value="3-open">
        ben sends /do/pause from /do/pause table= reason=x step=preview
            -> 422 -> has Where: this has to be filled in
        ben sends /do/pause from /do/pause table= reason=x step=now -> 422 -> has Where: this has to be filled in
        """,
    )


async def test_what_is_refused_is_said_beside_the_form_and_nothing_typed_is_lost(played: PlayedEvent) -> None:
    stop, kept = "ben sends /do/stop from /do/stop?table=2-open step=do", '-> has <option value="2-open" selected>'
    await conduct(
        played,
        f"""
        {stop} table=9-open reason=x -> 422 -> has cannot be chosen
        # It is over.
        {stop} table=1-open reason='x <b>' -> 422 -> has cannot be chosen -> has x &lt;b&gt;
        {stop} table=2-open reason=' ' -> 422 -> has Reason: this has to be filled in {kept}
        {stop} table=2-open reason={"x" * 501} -> 422 -> has at most 500 characters {kept}
        {stop} table=2-open reason='x\x07' -> 422 -> has cannot be printed {kept}
        log -> ben log in: logged in
        """,
    )


async def test_a_form_from_elsewhere_is_refused(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        browser, other = await console.user("ben"), await console.log_in("anna", "192.0.2.2")
        address, login = "/director/do/pause", {"name": "anna", "phrase": PHRASE}
        fields = await browser.preview_fields("pause", table="2-open", reason="network") | {"step": "do"}
        for origin in ("http://evil.example", "null", "http://localhost:81", "http://[", ""):
            headers = {"origin": origin} if origin else {}
            for to, form in ((address, fields), ("/director/login", login)):
                assert (await browser.client.post(to, data=form, headers=headers)).status_code == 400, origin
        for sender, form, status in (
            (other, fields, 403),  # of another session
            (browser, fields | {"csrf": ""}, 403),
            (browser, {"csrf": fields["csrf"], "step": "do"}, 422),
            (browser, fields | {"reason": "x" * 64_000}, 400),
            (browser, dict.fromkeys(map(str, range(200)), "1"), 400),
        ):
            assert (await sender.send(address, form)).status_code == status, form
        text = await browser.client.post(address, content="{}", headers={"origin": browser.origin})
        assert text.status_code == 400
        await browse(browser.client, "PUT /director -> 405")
        await conduct(console, "holds -> nothing")


async def test_the_console_answers_only_to_its_names(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        await browse(
            console.browser().client,
            """
            /director [host: localhost] -> 303 /director/login
            /director [host: 127.0.0.1:8080] -> 303 /director/login
            /director [host: [::1]:8080] -> 303 /director/login
            /director [host: evil.example] -> 421
            /director [host: localhost.evil.example] -> 421
            """,
        )


async def test_the_users_are_for_an_organiser(played: PlayedEvent) -> None:
    await conduct(played, "olga sees /users -> 403\nben sees /users -> 403\nanna sees /users -> 200")


async def test_hands_are_covered_until_a_look_goes_on_record(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs", boards=4))
    add_console_user(played, "ben")
    add_console_user(played, "olga", UserRole.OPERATOR)
    add_console_user(played, "bea", team="Ants")
    async with open_console(played) as console:
        await conduct(
            console,
            """
            match 1 board 1 is played
            1-open board 2: 2 calls
            ben sees /table/1-open -> has Show hands -> lacks class="compass"
            olga sees /table/1-open -> lacks Show hands
            """,
        )
        ben = await console.user("ben")
        looked = (await ben.submit(await ben.get("/director/table/1-open"), "/director/look", board="2")).headers
        address = looked["location"].removeprefix("/director")
        for name in ("olga", "bea"):
            browser = await console.user(name)
            csrf = fields_of(await browser.text("/account"), "/director/logout")["csrf"]
            form = {"csrf": csrf, "request": "0123456789abcdef-" + csrf[:8], "match": "1", "board": "2"}
            assert (await browser.send("/director/look", form)).status_code == 403
        await conduct(
            console,
            f"""
            ben sees {address} -> has class="compass" -> has tables still have these hands to play
            olga sees {address} -> 404
            16 min pass
            ben sees {address} -> 422
            log -> ... -> ben look at hands match 1, board 2: ... -> ...
            """,
        )
        assert str(log_of(played)).count("look at hands") == 1


async def test_a_change_is_told_to_sessions_alone_and_ends_with_them(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        watcher = console.hub.join(["console"])
        assert watcher is not None
        console.pages._watchers[watcher] = 1
        await console.user("ben")
        await console.pages._look({1})
        watcher.changed.clear()
        await conduct(console, "ben does pause table=2-open reason=network")
        assert watcher.changed == {"console"}
        assert not watcher.is_gone
        await conduct(console, "ben sends /logout from /account")
        assert watcher.is_gone


async def test_who_sees_no_hands_sees_nothing_of_boards_in_play(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs", boards=4))
    played.begin_at_random(1, Room.OPEN, 2, cards=9)
    played.rule(1, "Ants", RulingKind.BOARD_FORFEIT, "secret reason", room=Room.CLOSED, board=1, attempt=1)
    add_console_user(played, "olga", UserRole.OPERATOR)
    add_console_user(played, "bea", team="Cats")
    add_console_user(played, "ben")
    (table,) = (each for each in load_live_tables(played.database, played.event.id) if each.table.place == "1-open")
    last = load_boards_under_way(played.database, played.event.id)[table.table.id].cards[-1]
    hands = map(str, played.boards(1)[1].deal.hands)
    # What others have done, and why, is for nobody else.
    facts = [describe_card(last.seat, last.card), "compass", "secret reason", "network", *hands]
    lacks = "".join(f" -> lacks {fact}" for fact in facts)
    pages = f"/ /table/1-open /table/1-closed /hosts /log /account /do/pause?table=1-open -> 200 {lacks}"
    await conduct(played, f"ben does pause table=1-open reason=network\nolga sees {pages}\nbea sees {pages}")


async def test_an_organiser_adds_users_and_gives_pass_phrases_that_are_on_no_page_and_in_no_log(
    played: PlayedEvent,
) -> None:
    async with open_console(played) as console:
        anna, cleo = await console.user("anna"), console.browser()

        async def statuses(*phrases: str) -> list[int]:
            """What Cleo is answered who logs in by each phrase."""
            return [(await cleo.log_in("cleo", phrase)).status_code for phrase in phrases]

        await conduct(console, "anna sees /users -> has /director/do/add-user")
        fields = await anna.preview_fields("add-user", name="Cleo", role="operator", team="Bees", reason="shift")
        fields["step"] = "do"
        for phrase, again, words in (
            ("three small owls", "three small owl", "differ"),
            ("owls", "owls", "12 to 200 characters"),
            ("", "", "12 to 200 characters"),
            ("cleo12345678", "cleo12345678", "too easy to guess"),
        ):
            answer = await anna.send("/director/do/add-user", fields | {"phrase": phrase, "phrase-again": again})
            assert answer.status_code == 422
            assert words in answer.text
            assert not phrase or f'"{phrase}"' not in answer.text
        phrase, other = "three small owls", "four quiet grey geese"
        by_hand = {"phrase": phrase, "phrase-again": phrase}
        assert (await anna.send("/director/do/add-user", fields | by_hand | {"role": "organiser"})).status_code == 200
        assert await statuses(phrase) == [403]
        await anna.send("/director/do/add-user", fields | by_hand)
        assert await statuses(phrase) == [303]
        fields = await anna.preview_fields("change-phrase", user="cleo", reason="shift") | {"step": "do"}
        await anna.send("/director/do/change-phrase", fields | {"phrase": other, "phrase-again": other})
        assert (await cleo.get("/director")).status_code == 303
        assert await statuses(phrase, other) == [403, 303]
        nowhere = f"-> lacks {phrase} -> lacks {other}"
        await conduct(
            console,
            f"""
            anna previews add-user name=CLEO role=director reason=x -> 422 -> has a user 'cleo' already
            anna sees / /log /users {nowhere}
            log -> ...
                -> anna add-user cleo: cleo is added, as operator of Bees
                -> ...
                -> anna change-phrase cleo: cleo has a new passphrase
                -> ...
            """,
        )
        entries = repr(load_entries(played.database, played.event.id, limit=100))
        assert phrase not in entries
        assert other not in entries


async def test_a_server_in_front_may_leave_out_the_port(tmp_path: Path) -> None:
    more = '[web]\nhosts = ["bridge.example.org"]\nproxies = ["192.0.2.1"]'
    played = draw_event(tmp_path, event_text(more=more))
    add_console_user(played, "anna")
    async with open_console(played) as console:
        browser = console.browser(host="bridge.example.org")
        browser.origin = "https://bridge.example.org:8443"
        answer = await browser.log_in("anna")
        assert answer.status_code == 303
        assert all(cookie.endswith("; Secure") for cookie in answer.headers.get_list("set-cookie"))
        browser.origin = "https://evil.example"
        assert (await browser.log_in("anna")).status_code == 400
