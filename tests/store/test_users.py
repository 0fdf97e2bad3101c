"""Users of the console, their sessions and their log."""

import pytest

from tests.support.store_events import NOW_MS, make_draw, save_event
from tourney.errors import RuleError, UsageError
from tourney.store import users as users_module
from tourney.store.db.database import Database
from tourney.store.models import UserRole
from tourney.store.users import (
    add_user,
    change_role,
    check_phrase,
    has_users,
    hash_user_phrase,
    is_user_phrase,
    load_phrase_hash,
    load_users,
    parse_user_name,
    remove_user,
)


def add(sqlite_database: Database, event_id: int, name: str, role: UserRole = UserRole.DIRECTOR) -> int:
    add_user(sqlite_database, event_id, name, role, None, "hash", NOW_MS)
    found = load_phrase_hash(sqlite_database, event_id, name)
    assert found is not None
    return found[0]


def test_users_belong_to_an_event(sqlite_database: Database) -> None:
    event, other = save_event(sqlite_database), save_event(sqlite_database, make_draw(name="Other"))
    assert not has_users(sqlite_database, event.id)
    add_user(sqlite_database, event.id, "anna", UserRole.DIRECTOR, event.teams[0].id, "hash", NOW_MS)
    add(sqlite_database, other.id, "anna", UserRole.ORGANISER)
    (anna,) = load_users(sqlite_database, event.id)
    assert (anna.name, anna.role, anna.team, anna.created_at_ms) == ("anna", UserRole.DIRECTOR, "Team 1", NOW_MS)
    with pytest.raises(RuleError, match="there is a user 'anna' already"):
        add(sqlite_database, event.id, "anna")
    remove_user(sqlite_database, event.id, "anna")
    assert not has_users(sqlite_database, event.id)
    assert has_users(sqlite_database, other.id)
    with pytest.raises(UsageError, match="there is no user 'anna'"):
        remove_user(sqlite_database, event.id, "anna")


def test_among_users_there_stays_an_organiser(sqlite_database: Database) -> None:
    event = save_event(sqlite_database)
    add(sqlite_database, event.id, "anna", UserRole.ORGANISER)
    add(sqlite_database, event.id, "ben")
    with pytest.raises(RuleError, match="the only organiser"):
        remove_user(sqlite_database, event.id, "anna")
    with pytest.raises(RuleError, match="the only organiser"):
        change_role(sqlite_database, event.id, "anna", UserRole.OPERATOR, None, NOW_MS)
    change_role(sqlite_database, event.id, "ben", UserRole.ORGANISER, None, NOW_MS)
    remove_user(sqlite_database, event.id, "anna")
    remove_user(sqlite_database, event.id, "ben")


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
