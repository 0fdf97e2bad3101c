"""The console without a socket: who gets in, what strangers see, forms that are done once, what goes on record."""

import asyncio
import threading
from pathlib import Path

import pytest

from tests.support.console_client import (
    PHRASE,
    add_console_user,
    fields_of,
    logged_in,
    open_console,
)
from tests.support.played_event import PlayedEvent, draw_event, draw_half_played, event_text, once
from tourney.bridge import describe_card
from tourney.config.alarms import EpisodeKind
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.store.alarms import NewAlarm, end_alarms, raise_alarms
from tourney.store.console_log import load_entries
from tourney.store.control.hosts import WorkerInfo, record_workers
from tourney.store.control.orders import load_holds
from tourney.store.models import OrderKind, UserRole
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


def actions_of(played: PlayedEvent) -> list[tuple[str, str, str, str | None]]:
    """What the log has, the oldest first."""
    entries = load_entries(played.database, played.event.id, limit=100)
    return [(entry.user, entry.action, entry.subject, entry.outcome) for entry in reversed(entries)]


async def test_alarms_of_the_watcher_are_at_the_top_of_the_console_until_they_have_ended(played: PlayedEvent) -> None:
    event_id = played.event.id
    raise_alarms(played.database, event_id, [NewAlarm(EpisodeKind.DISK_FULL, "database", "<4 % left>")], 0)
    async with logged_in(played, "anna") as browser:
        assert "&lt;4 % left&gt;" in await browser.text()
        end_alarms(played.database, event_id, [("disk-full", "database")], 1)
        assert "% left" not in await browser.text()


async def test_a_user_logs_in_sees_the_tables_and_logs_out(played: PlayedEvent) -> None:
    worker = WorkerInfo(name="LAPTOP2", address="192.0.2.7", tables=8, load_percent=35, heard_at_ms=0)
    record_workers(played.database, played.event.id, [worker])
    async with open_console(played) as console:
        browser = console.browser()
        answer = await browser.log_in("Anna")
        assert (answer.status_code, answer.headers["location"]) == (303, "/director")
        cookie = answer.headers.get_list("set-cookie")[0]
        assert cookie.startswith("tourney-director=")
        assert cookie.endswith("; HttpOnly; Max-Age=43200; Path=/director; SameSite=strict")
        page = await browser.get("/director")
        assert page.status_code == 200
        assert "2-open" in page.text
        for address in ("table/2-open", "hosts", "log", "users", "account", "do/pause?table=2-open", "?round=1"):
            assert (await browser.get(f"/director/{address}".replace("/?", "?"))).status_code == 200, address
        hosts = await browser.get("/director/hosts")
        assert "LAPTOP2" in hosts.text
        assert "35 %" in hosts.text
        for address in ("x", "table/9-open", "table", "do/x", "done/x", "hands/x", "log/1", "users/1"):
            assert (await browser.get(f"/director/{address}")).status_code == 404, address
        account = await browser.get("/director/account")
        out = await browser.submit(account, "/director/logout")
        assert (out.status_code, out.headers["location"]) == (303, "/director/login")
        assert (await browser.get("/director")).status_code == 303
        assert actions_of(played) == [
            ("anna", "log in", "", "logged in"),
            ("anna", "log out", "", "logged out"),
        ]


async def test_tunnels_are_shown_to_those_who_conduct_the_event_and_to_no_team(played: PlayedEvent) -> None:
    team = next(each for each in played.event.teams if each.name == "Ants")
    played.save_tunnel(team, address="198.51.100.7", resumes=41)
    async with open_console(played) as console:
        shown = {name: await (await console.log_in(name)).text("/hosts") for name in ("anna", "ben", "olga", "bea")}
        assert [name for name, page in shown.items() if "198.51.100.7" in page] == ["anna", "ben", "olga"]
        assert ">41 times<" in shown["anna"]


async def test_to_strangers_every_address_of_the_console_is_the_same(played: PlayedEvent) -> None:
    played.begin(2, Room.OPEN, 2)
    async with open_console(played) as console:
        browser = console.browser()
        answers = set()
        for address in (
            *(
                "",
                "/",
                "/x",
                "/table/2-open",
                "/table/99-open",
                "/do/pause",
                "/do/x",
                "/log",
                "/users",
                "/hosts",
                "/events",
            ),
            *("/hands/0123456789abcdef", "/done/0123456789abcdef", "?round=1", "/%2e%2e/x", "/" + "x" * 5000),
        ):
            for token in ("", "x" * 43):
                browser.client.cookies.set("tourney-director", token)
                answer = await browser.get(f"/director{address}")
                answers.add((answer.status_code, tuple(answer.headers.items()), answer.content))
        ((status, headers, body),) = answers
        assert (status, dict(headers)["location"], body) == (303, "/director/login", b"")
        login = await browser.get("/director/login")
        assert "Ants" not in login.text
        assert played.event.name not in login.text


async def test_without_users_there_is_no_console(tmp_path: Path) -> None:
    async with open_console(draw_event(tmp_path)) as console:
        browser = console.browser()
        answers = [await browser.get(address) for address in ("/director", "/director/login", "/nothing")]
        assert {(answer.status_code, answer.content) for answer in answers} == {(404, answers[2].content)}


async def test_headers_are_strict_and_nothing_is_kept(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        browser = console.browser()
        for answer in (
            await browser.get("/director/login"),
            await browser.log_in("anna"),
            await browser.get("/director"),
        ):
            headers = answer.headers
            assert headers["cache-control"] == "no-store"
            assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; ")
            assert "frame-ancestors 'none'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"
        assert "style=" not in answer.text
        assert "<script>" not in answer.text


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
        refused = [entry for entry in actions_of(played) if entry[1] == "log-in refused"]
        assert refused == [("anna", "log-in refused", "", "wrong name or phrase")] * 8


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
        home, thief = console.browser(), console.browser()
        await home.log_in("anna")
        for _ in range(5):
            await thief.log_in("ben", "wrong")
        await home.log_in("ben", "wrong")
        for _ in range(5):
            await thief.log_in("anna", "wrong")
        thief.client.cookies.set("tourney-director-device-1", f"{console.now_ms}.{'0' * 32}.{'0' * 64}")
        await thief.log_in("anna", "wrong")
        assert console.waits.slept_s == [1, 1]
        await home.log_in("anna")
        assert console.waits.slept_s == [1, 1]
        change_phrase(played.database, played.event.id, "anna", hash_user_phrase(PHRASE), console.now_ms)
        await home.log_in("anna")
        assert console.waits.slept_s == [1, 1, 2]


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
        assert actions_of(played) == [("", "log-in refused", "", "wrong name or phrase")]


async def test_sessions_end_by_themselves_everywhere_and_with_another_phrase(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        one, two = console.browser(), console.browser("192.0.2.2")
        await one.log_in("ben")
        await two.log_in("ben")
        console.now_ms += HOUR_MS
        await one.submit(await one.get("/director/account"), "/director/logout-all")
        assert (await two.get("/director")).status_code == 303
        await two.log_in("ben")
        change_phrase(played.database, played.event.id, "ben", "scrypt$16$8$3$00$00", console.now_ms)
        assert (await two.get("/director")).status_code == 303
        await one.log_in("anna")
        console.now_ms += 2 * HOUR_MS
        assert (await one.get("/director")).status_code == 303
        await one.log_in("anna")
        for _ in range(11):
            console.now_ms += HOUR_MS
            assert (await one.get("/director")).status_code == 200
        console.now_ms += HOUR_MS
        assert (await one.get("/director")).status_code == 303


async def test_an_action_is_previewed_carried_out_once_and_logged(played: PlayedEvent) -> None:
    async with logged_in(played, "olga") as browser:
        preview = await browser.preview("pause", table="3-open", reason="network")
        fields = fields_of(preview.text, "/director/do/pause")
        table = played.table(3, Room.OPEN)
        assert f"3-open ({table.ns_team} - {table.ew_team}): no play takes place there" in preview.text
        assert load_holds(played.database, [table.id]) == {}
        for _ in range(3):  # a form that is sent again, and a page that is loaded again
            answer = await browser.send("/director/do/pause", fields | {"step": "do"})
            assert answer.status_code == 303
            page = await browser.get(answer.headers["location"])
            assert "it starts paused" in page.text
        assert load_holds(played.database, [table.id]) == {table.id: OrderKind.PAUSE}
        assert actions_of(played)[1:] == [("olga", "pause", "3-open", "pause ordered at 1 table")]
        console_page = await browser.get("/director")
        assert "No alarms" in console_page.text  # a pause is none, and is shown
        assert ">3-open</a></strong> paused" in console_page.text


async def test_a_pause_is_one_press_and_so_is_its_undo(played: PlayedEvent) -> None:
    async with logged_in(played) as browser:
        table = played.table(3, Room.OPEN)
        console_page = await browser.get("/director/table/3-open")
        done = await browser.submit(console_page, "/director/do/pause", step="now")
        assert done.status_code == 303
        assert load_holds(played.database, [table.id]) == {table.id: OrderKind.PAUSE}
        page = await browser.get(done.headers["location"])
        assert ">Undo: resume</button>" in page.text
        await browser.submit(page, "/director/do/resume", step="now")
        assert load_holds(played.database, [table.id]) == {}
        fields = fields_of(console_page.text, "/director/do/pause") | {"step": "now"}
        assert (await browser.send("/director/do/pause", fields)).headers["location"] == done.headers["location"]
        assert load_holds(played.database, [table.id]) == {}, "sent again, it is not done again"
        form = await browser.get("/director/do/stop?table=3-open")
        assert (await browser.submit(form, "/director/do/stop", step="now")).status_code == 422, "this is previewed"


async def test_an_order_to_tables_without_a_choice_of_them_is_none(played: PlayedEvent) -> None:
    async with logged_in(played) as browser:
        form = await browser.get("/director/do/pause")
        assert '<option value="the whole event">' in form.text
        assert '<option value="3-open">' in form.text
        for step in ("preview", "now"):
            sent = await browser.submit(form, "/director/do/pause", table="", reason="x", step=step)
            assert sent.status_code == 422
            assert "Where: this has to be filled in" in sent.text


async def test_what_is_refused_is_said_beside_the_form_and_nothing_typed_is_lost(played: PlayedEvent) -> None:
    async with logged_in(played) as browser:
        form = await browser.get("/director/do/stop?table=2-open")
        for given, words in (
            ({"table": "9-open", "reason": "x"}, "cannot be chosen"),
            ({"table": "1-open", "reason": "x <b>"}, "cannot be chosen"),  # it is over
            ({"table": "2-open", "reason": " "}, "Reason: this has to be filled in"),
            ({"table": "2-open", "reason": "x" * 501}, "at most 500 characters"),
            ({"table": "2-open", "reason": "x\x07"}, "cannot be printed"),
        ):
            answer = await browser.submit(form, "/director/do/stop", step="do", **given)
            assert answer.status_code == 422, given
            assert words in answer.text
            assert given["table"] != "2-open" or '<option value="2-open" selected>' in answer.text
        assert "x &lt;b&gt;" in (await browser.submit(form, "/director/do/stop", table="1", reason="x <b>")).text
        assert [entry[1] for entry in actions_of(played)] == ["log in"]


async def test_a_form_from_elsewhere_is_refused(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        browser = await console.log_in("ben")
        other = await console.log_in("anna", "192.0.2.2")
        fields = await browser.preview_fields("pause", table="2-open", reason="network") | {"step": "do"}
        for origin in ("http://evil.example", "null", "http://localhost:81", "http://[", ""):
            headers = {"origin": origin} if origin else {}
            answer = await browser.client.post("/director/do/pause", data=fields, headers=headers)
            assert answer.status_code == 400, origin
            login = await browser.client.post(
                "/director/login", data={"name": "anna", "phrase": PHRASE}, headers=headers
            )
            assert login.status_code == 400, origin
        assert (await other.send("/director/do/pause", fields)).status_code == 403  # of another session
        assert (await browser.send("/director/do/pause", fields | {"csrf": ""})).status_code == 403
        assert (await browser.send("/director/do/pause", {"csrf": fields["csrf"], "step": "do"})).status_code == 422
        big = await browser.send("/director/do/pause", fields | {"reason": "x" * 64_000})
        assert big.status_code == 400
        many = await browser.send("/director/do/pause", {str(number): "1" for number in range(200)})
        assert many.status_code == 400
        text = await browser.client.post("/director/do/pause", content="{}", headers={"origin": browser.origin})
        assert text.status_code == 400
        assert (await browser.client.put("/director")).status_code == 405
        assert not load_holds(played.database, [played.table(2, Room.OPEN).id])


async def test_the_console_answers_only_to_its_names(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        for host, status in (
            ("localhost", 303),
            ("127.0.0.1:8080", 303),
            ("[::1]:8080", 303),
            ("evil.example", 421),
            ("localhost.evil.example", 421),
        ):
            assert (await console.browser(host=host).get("/director")).status_code == status, host


async def test_the_users_are_for_an_organiser(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        for name, status in (("olga", 403), ("ben", 403), ("anna", 200)):
            assert (await (await console.log_in(name)).get("/director/users")).status_code == status, name


async def test_hands_are_covered_until_a_look_goes_on_record(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs", boards=4))
    played.play(1, boards=[1])
    played.begin(1, Room.OPEN, 2)
    add_console_user(played, "ben")
    add_console_user(played, "olga", UserRole.OPERATOR)
    add_console_user(played, "bea", team="Ants")
    async with open_console(played) as console:
        ben, olga, bea = [await console.log_in(name) for name in ("ben", "olga", "bea")]
        table = await ben.get("/director/table/1-open")
        assert "Show hands" in table.text
        assert 'class="compass"' not in table.text
        looked = await ben.submit(table, "/director/look", board="2")
        page = await ben.get(looked.headers["location"])
        assert 'class="compass"' in page.text
        assert "tables still have these hands to play" in page.text
        assert actions_of(played)[-1][:3] == ("ben", "look at hands", "match 1, board 2")
        assert (await olga.get(looked.headers["location"])).status_code == 404
        assert "Show hands" not in await olga.text("/table/1-open")
        for browser in (olga, bea):
            csrf = fields_of(await browser.text("/account"), "/director/logout")["csrf"]
            form = {"csrf": csrf, "request": "0123456789abcdef-" + csrf[:8], "match": "1", "board": "2"}
            assert (await browser.send("/director/look", form)).status_code == 403
        console.now_ms += 16 * 60_000
        assert (await ben.get(looked.headers["location"])).status_code == 422
        assert [entry[1] for entry in actions_of(played)].count("look at hands") == 1


async def test_a_change_is_told_to_sessions_alone_and_ends_with_them(played: PlayedEvent) -> None:
    async with open_console(played) as console:
        watcher = console.hub.join(["console"])
        assert watcher is not None
        console.pages._watchers[watcher] = 1
        browser = await console.log_in("ben")
        await console.pages._look({1})
        watcher.changed.clear()
        await browser.do("pause", table="2-open", reason="network")
        assert watcher.changed == {"console"}
        assert not watcher.is_gone
        await browser.submit(await browser.get("/director/account"), "/director/logout")
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
    facts = [
        describe_card(last.seat, last.card),
        "compass",
        "secret reason",
        *map(str, played.boards(1)[1].deal.hands),
    ]
    async with open_console(played) as console:
        ben = await console.log_in("ben", "192.0.2.9")
        await ben.do("pause", table="1-open", reason="network")
        for name in ("olga", "bea"):
            browser = await console.log_in(name)
            for address in (
                "",
                "/table/1-open",
                "/table/1-closed",
                "/hosts",
                "/log",
                "/account",
                "/do/pause?table=1-open",
            ):
                page = await browser.get(f"/director{address}")
                assert page.status_code == 200
                assert [fact for fact in facts if fact in page.text] == [], (name, address)
                assert "network" not in page.text, (name, address)  # what others have done, and why


async def test_an_organiser_adds_users_and_gives_pass_phrases_that_are_on_no_page_and_in_no_log(
    played: PlayedEvent,
) -> None:
    async with open_console(played) as console:
        anna, cleo = await console.log_in("anna"), console.browser()
        assert "/director/do/add-user" in await anna.text("/users")
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
        phrase = "three small owls"
        by_hand = {"phrase": phrase, "phrase-again": phrase}
        assert (await anna.send("/director/do/add-user", fields | by_hand | {"role": "organiser"})).status_code == 200
        assert (await cleo.log_in("cleo", phrase)).status_code == 403
        done = await anna.send("/director/do/add-user", fields | by_hand)
        assert "cleo is added, as operator of Bees" in (await anna.get(done.headers["location"])).text
        assert (await cleo.log_in("cleo", phrase)).status_code == 303
        twice = await anna.refusal("add-user", name="CLEO", role="director", reason="x")
        assert "a user &#39;cleo&#39; already" in twice
        fields = await anna.preview_fields("change-phrase", user="cleo", reason="shift") | {"step": "do"}
        other = "four quiet grey geese"
        await anna.send("/director/do/change-phrase", fields | {"phrase": other, "phrase-again": other})
        assert (await cleo.get("/director")).status_code == 303
        assert (await cleo.log_in("cleo", phrase)).status_code == 403
        assert (await cleo.log_in("cleo", other)).status_code == 303
        entries = load_entries(played.database, played.event.id, limit=100)
        assert [(e.action, e.subject, e.outcome) for e in reversed(entries) if e.user == "anna"][1:] == [
            ("add-user", "cleo", "cleo is added, as operator of Bees"),
            ("change-phrase", "cleo", "cleo has a new passphrase"),
        ]
        pages = [(await anna.get(f"/director/{page}")).text for page in ("", "log", "users")]
        assert not any(secret in text for text in [*pages, repr(entries)] for secret in (phrase, other))


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
