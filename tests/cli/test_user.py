"""The command `tourney user`: who is put on record, where the passphrase comes from, what is refused."""

from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event
from tourney.store import users as users_module
from tourney.store.models import UserRole
from tourney.store.users import is_user_phrase, load_phrase_hash, load_users

PHRASE = "correct horse battery"


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedEvent:
    monkeypatch.setattr(users_module, "_SCRYPT_N", 16)
    return draw_event(tmp_path)


def test_users_are_added_listed_changed_and_removed(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        $ user add EVENT Anna organiser << {PHRASE}
            -> anna is added, as organiser -> `tourney serve` has a console from now on, at /director
        $ user add EVENT ben director --team ALPHA << {PHRASE} -> ben is added, as director of ALPHA
        $ user list EVENT -> User Role Team ... -> anna organiser - ... -> ben director Alpha ...
        """,
    )
    found = load_phrase_hash(played.database, played.event.id, "ben")
    assert found is not None
    assert is_user_phrase(PHRASE, found[1])
    converse(played, "$ user role EVENT ben operator -> ben is operator now")
    assert [(each.role, each.team) for each in load_users(played.database, played.event.id)] == [
        (UserRole.ORGANISER, None),
        (UserRole.OPERATOR, None),
    ]
    converse(
        played,
        """
        $ user passphrase EVENT ben << another good phrase -> ben has a new passphrase
        $ user log-out EVENT ben -> ben is logged out everywhere
        $ user remove EVENT ben -> ben is removed
        $ user remove EVENT anna
        $ user list EVENT -> no users...
        """,
    )


def test_what_is_refused_says_why_and_changes_nothing(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        $ user add EVENT anna director << {PHRASE}
        $ user add EVENT anna director -> refused: there is a user 'anna' already...
        $ user add EVENT ben director -> refused 2: ...no line on standard input...
        $ user add EVENT ben director << short -> refused 2: ...12 to 200 characters, got 5...
        $ user add EVENT ben director --team Nobody << {PHRASE} -> refused 2: teams of 'Test Cup' are...
        $ user add EVENT 'b n' director << {PHRASE} -> refused 2: the name of a user is...
        $ user add EVENT ben king << {PHRASE} -> refused 2: a role is organiser, director, operator, got 'king'
        $ user passphrase EVENT ben << {PHRASE} -> refused 2: there is no user 'ben'...
        $ user role EVENT ben operator -> refused 2: there is no user 'ben'...
        $ user log-out EVENT ben -> refused 2: there is no user 'ben'...
        $ user remove EVENT ben -> refused 2: there is no user 'ben'...
        $ user add EVENT ben director --pass-phrase '{PHRASE}' -> refused 2: ...
        """,
    )
    assert [each.name for each in load_users(played.database, played.event.id)] == ["anna"]
