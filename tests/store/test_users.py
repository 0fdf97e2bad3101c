"""Users of the console, their sessions and their log."""

import pytest

from tests.support.store_events import NOW_MS, make_draw, save_event
from tourney.bridge import Seat
from tourney.errors import RuleError, UsageError
from tourney.store import users as users_module
from tourney.store.db.database import Database
from tourney.store.models import LinkPurpose, UserRole
from tourney.store.team_access import (
    KeyTeam,
    add_team_key,
    add_team_link,
    find_team_link,
    hash_team_key,
    load_keys,
    load_team_keys,
    revoke_team_keys,
    use_key_link,
    use_team_link,
)
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


# Keys of teams, and links that one person may use once: on record as hashes


HOUR_MS = 3_600_000


def test_a_key_leads_to_its_team_until_it_is_revoked(sqlite_database: Database) -> None:
    event, other = save_event(sqlite_database), save_event(sqlite_database, make_draw(name="Other"))
    team = event.teams[1]
    key, second = (add_team_key(sqlite_database, event.id, team.id, NOW_MS + n) for n in (0, 1))
    for each in (key, second):
        assert load_keys(sqlite_database, event.id).get(hash_team_key(each)) == KeyTeam(team.id, 2, "Team 2")
    assert load_keys(sqlite_database, other.id).get(hash_team_key(key)) is None
    assert revoke_team_keys(sqlite_database, event.id, event.teams[0].id, NOW_MS + 5) == 0
    assert revoke_team_keys(sqlite_database, event.id, team.id, NOW_MS + 5) == 2
    assert load_keys(sqlite_database, event.id).get(hash_team_key(key)) is None
    assert [
        (each.team, each.created_at_ms, each.revoked_at_ms) for each in load_team_keys(sqlite_database, event.id)
    ] == [
        ("Team 2", NOW_MS, NOW_MS + 5),
        ("Team 2", NOW_MS + 1, NOW_MS + 5),
    ]


def test_a_key_is_read_however_people_write_it(sqlite_database: Database) -> None:
    event = save_event(sqlite_database)
    key = add_team_key(sqlite_database, event.id, event.teams[0].id, NOW_MS)
    assert hash_team_key(f" {key.lower().replace('-', ' ')}\n") == hash_team_key(key)


@pytest.mark.parametrize("text", ["", "ABCD", "1" * 32, "A" * 33])
def test_what_is_no_key_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(UsageError, match=r"32 of A-Z and 2-7, in groups or not, got \d+ characters"):
        hash_team_key(text)


def test_a_link_is_used_once_for_its_purpose_and_in_time(sqlite_database: Database) -> None:
    event, other = save_event(sqlite_database), save_event(sqlite_database, make_draw(name="Other"))
    team, seat = event.teams[1], LinkPurpose.SEAT
    token = add_team_link(sqlite_database, event.id, team.id, seat, NOW_MS, HOUR_MS, Seat.WEST)
    assert use_team_link(sqlite_database, event.id, token, LinkPurpose.KEY, NOW_MS) is None
    assert use_team_link(sqlite_database, other.id, token, seat, NOW_MS) is None
    assert use_team_link(sqlite_database, event.id, token, seat, NOW_MS + HOUR_MS) is None
    found = find_team_link(sqlite_database, event.id, token, seat, NOW_MS)
    used = use_team_link(sqlite_database, event.id, token, seat, NOW_MS + HOUR_MS - 1)
    assert found == used
    assert find_team_link(sqlite_database, event.id, token, seat, NOW_MS) is None
    assert used is not None
    assert (used.team_id, used.team, used.team_number, used.seat) == (team.id, "Team 2", 2, Seat.WEST)
    assert use_team_link(sqlite_database, event.id, token, seat, NOW_MS) is None
    any_seat = use_team_link(
        sqlite_database,
        event.id,
        add_team_link(sqlite_database, event.id, team.id, seat, NOW_MS, HOUR_MS),
        seat,
        NOW_MS,
    )
    assert any_seat is not None
    assert any_seat.seat is None


def test_a_link_to_a_key_makes_one_and_makes_no_other(sqlite_database: Database) -> None:
    event = save_event(sqlite_database)
    team = event.teams[1]
    token = add_team_link(sqlite_database, event.id, team.id, LinkPurpose.KEY, NOW_MS, HOUR_MS)
    made = use_key_link(sqlite_database, event.id, token, NOW_MS)
    assert made is not None
    assert made[0] == "Team 2"
    assert load_keys(sqlite_database, event.id).get(hash_team_key(made[1])) == KeyTeam(team.id, 2, "Team 2")
    assert use_key_link(sqlite_database, event.id, token, NOW_MS) is None
    assert len(load_team_keys(sqlite_database, event.id)) == 1
