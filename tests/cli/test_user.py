"""The command `tourney user`: who is put on record, where the passphrase comes from, what is refused."""

from pathlib import Path

import pytest
from click.testing import Result

from tests.support.commands import run
from tests.support.played_event import PlayedEvent, draw_event
from tourney.store import users as users_module
from tourney.store.models import UserRole
from tourney.store.users import is_user_phrase, load_phrase_hash, load_users

PHRASE = "correct horse battery"


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedEvent:
    monkeypatch.setattr(users_module, "_SCRYPT_N", 16)
    return draw_event(tmp_path)


def user(played: PlayedEvent, command: str, *words: str, given: str = "") -> Result:
    return run("user", command, played.path, *words, given=given)


def test_users_are_added_listed_changed_and_removed(played: PlayedEvent) -> None:
    added = user(played, "add", "Anna", "organiser", given=f"{PHRASE}\n")
    assert added.output == "anna is added, as organiser\n`tourney serve` has a console from now on, at /director\n"
    added = user(played, "add", "ben", "director", "--team", "ALPHA", given=f"{PHRASE}\r\nmore lines\n")
    assert (added.exit_code, added.output) == (0, "ben is added, as director of ALPHA\n")
    found = load_phrase_hash(played.database, played.event.id, "ben")
    assert found is not None
    assert is_user_phrase(PHRASE, found[1])
    listed = [line.split()[:3] for line in user(played, "list").output.splitlines()]
    assert listed == [["User", "Role", "Team"], ["anna", "organiser", "-"], ["ben", "director", "Alpha"]]
    assert user(played, "role", "ben", "operator").output == "ben is operator now\n"
    assert [(each.role, each.team) for each in load_users(played.database, played.event.id)] == [
        (UserRole.ORGANISER, None),
        (UserRole.OPERATOR, None),
    ]
    assert user(played, "passphrase", "ben", given="another good phrase\n").output == "ben has a new passphrase\n"
    assert user(played, "log-out", "ben").output == "ben is logged out everywhere\n"
    assert user(played, "remove", "ben").output == "ben is removed\n"
    assert user(played, "remove", "anna").exit_code == 0
    assert user(played, "list").output.startswith("no users")


def test_what_is_refused_says_why_and_changes_nothing(played: PlayedEvent) -> None:
    user(played, "add", "anna", "director", given=f"{PHRASE}\n")
    for words, given, status, said in (
        (("add", "anna", "director"), "", 1, "there is a user 'anna' already"),
        (("add", "ben", "director"), "", 2, "no line on standard input"),
        (("add", "ben", "director"), "short\n", 2, "12 to 200 characters, got 5"),
        (("add", "ben", "director", "--team", "Nobody"), f"{PHRASE}\n", 2, "teams of 'Test Cup' are"),
        (("add", "b n", "director"), f"{PHRASE}\n", 2, "the name of a user is"),
        (("add", "ben", "king"), f"{PHRASE}\n", 2, "a role is organiser, director, operator, got 'king'"),
        (("passphrase", "ben"), f"{PHRASE}\n", 2, "there is no user 'ben'"),
        (("role", "ben", "operator"), "", 2, "there is no user 'ben'"),
        (("log-out", "ben"), "", 2, "there is no user 'ben'"),
        (("remove", "ben"), "", 2, "there is no user 'ben'"),
    ):
        refused = user(played, *words, given=given)
        assert (refused.exit_code, said in refused.output) == (status, True), (words, refused.output)
    assert [each.name for each in load_users(played.database, played.event.id)] == ["anna"]


def test_a_pass_phrase_is_no_option(played: PlayedEvent) -> None:
    assert user(played, "add", "anna", "director", "--pass-phrase", PHRASE).exit_code == 2
