"""Users of the console, their sessions and their log, on both databases."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.store_events import NOW_MS, make_draw, save_event
from tourney.errors import RuleError, UsageError
from tourney.store import users as users_module
from tourney.store.console_log import NewEntry, begin_entry, end_entry, load_entries, load_entry
from tourney.store.control.orders import give_orders, mark_acted
from tourney.store.db.database import Database
from tourney.store.models import OrderKind, UserRole
from tourney.store.users import (
    IDLE_MS,
    SESSION_MS,
    add_user,
    begin_session,
    change_phrase,
    change_role,
    check_phrase,
    end_session,
    has_logged_in_from,
    has_users,
    hash_user_phrase,
    is_user_phrase,
    load_phrase_hash,
    load_session,
    load_sessions,
    load_users,
    parse_user_name,
    remove_user,
)

HOUR_MS = 3_600_000


def add(database: Database, event_id: int, name: str, role: UserRole = UserRole.DIRECTOR) -> int:
    add_user(database, event_id, name, role, None, "hash", NOW_MS)
    found = load_phrase_hash(database, event_id, name)
    assert found is not None
    return found[0]


def test_users_belong_to_an_event(database: Database) -> None:
    event, other = save_event(database), save_event(database, make_draw(name="Other"))
    assert not has_users(database, event.id)
    add_user(database, event.id, "anna", UserRole.DIRECTOR, event.teams[0].id, "hash", NOW_MS)
    add(database, other.id, "anna", UserRole.ORGANISER)
    (anna,) = load_users(database, event.id)
    assert (anna.name, anna.role, anna.team, anna.created_at_ms) == ("anna", UserRole.DIRECTOR, "Team 1", NOW_MS)
    with pytest.raises(RuleError, match="there is a user 'anna' already"):
        add(database, event.id, "anna")
    remove_user(database, event.id, "anna")
    assert not has_users(database, event.id)
    assert has_users(database, other.id)
    with pytest.raises(UsageError, match="there is no user 'anna'"):
        remove_user(database, event.id, "anna")


def test_among_users_there_stays_an_organiser(database: Database) -> None:
    event = save_event(database)
    add(database, event.id, "anna", UserRole.ORGANISER)
    add(database, event.id, "ben")
    with pytest.raises(RuleError, match="the only organiser"):
        remove_user(database, event.id, "anna")
    with pytest.raises(RuleError, match="the only organiser"):
        change_role(database, event.id, "anna", UserRole.OPERATOR, None, NOW_MS)
    change_role(database, event.id, "ben", UserRole.ORGANISER, None, NOW_MS)
    remove_user(database, event.id, "anna")
    remove_user(database, event.id, "ben")


def test_a_session_ends_by_itself_when_idle_and_with_the_user(database: Database) -> None:
    event = save_event(database)
    anna = add(database, event.id, "anna")

    def begun(token: str) -> str:
        begin_session(database, anna, token, "192.0.2.1", NOW_MS)
        return token

    def found(token: str, after_ms: int = 0, *, is_used: bool = True) -> bool:
        return load_session(database, event.id, token, NOW_MS + after_ms, is_used=is_used) is not None

    one = begun("one")
    assert not found("another")
    assert load_session(database, event.id + 1, one, NOW_MS) is None
    for hours in range(1, 12):
        assert found(one, hours * HOUR_MS)
    assert not found(one, SESSION_MS)  # however much it was used
    two = begun("two")
    assert found(two, IDLE_MS - 1, is_used=False)  # a page that keeps itself up to date is no use
    assert not found(two, IDLE_MS)
    ends: dict[str, Callable[[int], None]] = {
        "log-out": lambda session: end_session(database, session, NOW_MS),
        "passphrase": lambda _: change_phrase(database, event.id, "anna", "hash 2", NOW_MS),
        "role": lambda _: change_role(database, event.id, "anna", UserRole.OPERATOR, None, NOW_MS),
        "removed": lambda _: remove_user(database, event.id, "anna"),
    }
    for name, end in ends.items():
        token = begun(name)
        session = load_session(database, event.id, token, NOW_MS)
        assert session is not None
        end(session.id)
        assert not found(token), name
    assert load_sessions(database, event.id, NOW_MS) == []


def test_where_a_user_has_logged_in_is_remembered(database: Database) -> None:
    event = save_event(database)
    anna = add(database, event.id, "anna")
    begin_session(database, anna, "one", "192.0.2.1", NOW_MS)
    assert has_logged_in_from(database, event.id, "anna", "192.0.2.1")
    assert not has_logged_in_from(database, event.id, "anna", "192.0.2.2")
    assert not has_logged_in_from(database, event.id, "ben", "192.0.2.1")


def test_the_log_takes_a_request_once_and_knows_what_became_of_its_orders(database: Database) -> None:
    event = save_event(database)
    pause = NewEntry("anna", "192.0.2.1", "pause", "match 1", "network", request_id="r1")
    entry = begin_entry(database, event.id, pause, NOW_MS)
    assert entry is not None
    assert begin_entry(database, event.id, replace(pause, user="ben"), NOW_MS) is None
    (begun,) = load_entries(database, event.id, limit=10)
    assert (begun.user, begun.outcome, begun.is_pending) == ("anna", None, True)
    tables = [table.id for table in event.matches[0].tables]
    orders = give_orders(database, tables, OrderKind.STOP, author="anna", now_ms=NOW_MS)
    end_entry(database, entry, "ordered", orders, NOW_MS + 5)
    found = load_entry(database, event.id, "r1")
    assert found is not None
    assert (found.outcome, found.done_at_ms, found.orders) == ("ordered", NOW_MS + 5, tuple(orders))
    assert (found.order_outcomes, found.is_pending) == ((("it will not start until it is resumed", 2),), False)
    kick = give_orders(database, tables[:1], OrderKind.KICK, author="anna", now_ms=NOW_MS)
    entry = begin_entry(database, event.id, replace(pause, action="kick", request_id="r2"), NOW_MS)
    assert entry is not None
    end_entry(database, entry, "ordered", kick, NOW_MS)
    assert [each.is_pending for each in load_entries(database, event.id, limit=10)] == [True, False]
    mark_acted(database, kick[0], "gone", NOW_MS)
    assert [each.order_outcomes for each in load_entries(database, event.id, limit=1)] == [(("gone", 1),)]
    assert [each.action for each in load_entries(database, event.id, limit=5, before=entry)] == ["pause"]


def test_a_phrase_is_hashed_with_a_salt_and_a_name_that_nobody_has_fits_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert users_module._SCRYPT_N * users_module._SCRYPT_R * 128 == 32 * 1024 * 1024
    monkeypatch.setattr(users_module, "_SCRYPT_N", 16)  # a third of a second is for users, not for tests
    hashed = hash_user_phrase("correct horse battery")
    assert "horse" not in hashed
    assert hashed != hash_user_phrase("correct horse battery")
    assert is_user_phrase("correct horse battery", hashed)
    assert not is_user_phrase("correct horse battery ", hashed)
    assert not is_user_phrase("correct horse battery", None)
    assert not is_user_phrase("", None)


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("elevenchars", "12 to 200 characters, got 11"),
        ("x" * 201, "12 to 200 characters, got 201"),
        ("aaaaaaaaaaaaaaaa", "too easy to guess"),
        ("annaanna1234", "too easy to guess"),
        ("twelve chars\x07", "can be printed"),
        (" twelve chars ", "no blank at its ends"),
    ],
)
def test_a_weak_phrase_is_refused(phrase: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        check_phrase(phrase, "anna")


def test_names_are_those_that_nobody_mistakes() -> None:
    assert parse_user_name(" Anna.B ") == "anna.b"
    assert check_phrase("correct horse battery", "anna") == "correct horse battery"
    for bad in ("", "-x", "a b", "ännä", "x" * 41, "../x", "rule"):
        with pytest.raises(UsageError):
            parse_user_name(bad)
