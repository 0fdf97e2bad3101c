"""The command `tourney user`: who is put on record, where the passphrase comes from, what is refused."""

from pathlib import Path

import pytest
from click.testing import Result

from tests.support.commands import document_of, run
from tests.support.played_event import PlayedEvent, draw_event
from tourney.store import users as users_module
from tourney.store.models import UserRole
from tourney.store.users import is_user_phrase, load_phrase_hash, load_users

PHRASE = "correct horse battery"


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedEvent:
    monkeypatch.setattr(users_module, "_SCRYPT_N", 16)
    return draw_event(tmp_path)


def user(played: PlayedEvent, *words: str, given: str = "") -> Result:
    return run("user", played.path, *words, given=given)


def test_users_are_added_listed_changed_and_removed(played: PlayedEvent) -> None:
    added = user(played, "Anna", "--add", "--role", "organiser", given=f"{PHRASE}\n")
    assert added.output == "anna is added, as organiser\n`tourney serve` has a console from now on, at /director\n"
    added = user(played, "ben", "--add", "--team", "ALPHA", given=f"{PHRASE}\r\nmore lines\n")
    assert (added.exit_code, added.output) == (0, "ben is added, as director of ALPHA\n")
    found = load_phrase_hash(played.database, played.event.id, "ben")
    assert found is not None
    assert is_user_phrase(PHRASE, found[1])
    listed = document_of(user(played, "--json"))["users"]
    assert [(each["name"], each["role"], each["team"]) for each in listed] == [
        ("anna", "organiser", None),
        ("ben", "director", "Alpha"),
    ]
    assert user(played, "--csv").output.splitlines()[0] == "name,role,team,created"
    assert "director" in user(played).output
    assert user(played, "ben", "--role", "operator").output == "ben is operator now\n"
    assert [(each.role, each.team) for each in load_users(played.database, played.event.id)] == [
        (UserRole.ORGANISER, None),
        (UserRole.OPERATOR, None),
    ]
    assert user(played, "ben", given="another good phrase\n").output == "ben has a new passphrase\n"
    assert user(played, "ben", "--log-out").output == "ben is logged out everywhere\n"
    assert user(played, "ben", "--remove").output == "ben is removed\n"
    assert user(played, "anna", "--remove").exit_code == 0
    assert user(played).output.startswith("no users")


def test_what_is_refused_says_why_and_changes_nothing(played: PlayedEvent) -> None:
    user(played, "anna", "--add", given=f"{PHRASE}\n")
    for words, given, status, said in (
        (("anna", "--add"), "", 1, "there is a user 'anna' already"),
        (("ben", "--add"), "", 2, "no line on standard input"),
        (("ben", "--add"), "short\n", 2, "12 to 200 characters, got 5"),
        (("ben", "--add", "--team", "Nobody"), f"{PHRASE}\n", 2, "teams of 'Test Cup' are"),
        (("b n", "--add"), f"{PHRASE}\n", 2, "the name of a user is"),
        (("ben",), f"{PHRASE}\n", 2, "there is no user 'ben'"),
        (("ben", "--role", "operator"), "", 2, "there is no user 'ben'"),
        (("ben", "--log-out"), "", 2, "there is no user 'ben'"),
        (("ben", "--remove"), "", 2, "there is no user 'ben'"),
        (("anna", "--role", "director", "--remove"), "", 2, "--role and --remove: give one of them"),
        (("anna", "--team", "Alpha"), "", 2, "--team goes with --add or --role"),
        (("--add",), "", 2, "--add needs the NAME of a user"),
        (("anna", "--json"), "", 2, "--json and --csv are for the list"),
    ):
        refused = user(played, *words, given=given)
        assert (refused.exit_code, said in refused.output) == (status, True), (words, refused.output)
    assert [each.name for each in load_users(played.database, played.event.id)] == ["anna"]


def test_a_pass_phrase_is_no_option(played: PlayedEvent) -> None:
    assert user(played, "anna", "--add", "--pass-phrase", PHRASE).exit_code == 2
