"""The command `tourney team-key`: a key is shown once, its hash is on record, and a revoked one is no key."""

from pathlib import Path

from click.testing import Result

from tests.support.commands import run
from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event
from tourney.store.team_access import hash_team_key, load_keys


def team_key(played: PlayedEvent, *words: str) -> Result:
    return run("team-key", played.path, *words)


def test_a_key_is_shown_once_is_listed_without_what_it_is_and_is_revoked(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    assert team_key(played, "--list").output == "no keys: `tourney team-key EVENT TEAM` makes one\n"
    made = team_key(played, "alpha")
    key = made.stdout.strip()
    assert made.stdout == f"{key}\n", "so that it can be written into a file"
    assert "shown now and never again" in made.stderr
    assert "team-key" in made.stderr
    assert "--revoke" in made.stderr

    def holder() -> str | None:
        found = load_keys(played.database, played.event.id).get(hash_team_key(key))
        return found.name if found is not None else None

    assert holder() == "Alpha"
    team_key(played, "Beta")
    listed = team_key(played, "--list").output
    assert key not in listed
    assert hash_team_key(key) not in listed
    assert [line.split()[0] for line in team_key(played, "Alpha", "--list").output.splitlines()] == ["Team", "Alpha"]
    assert team_key(played, "Alpha", "--revoke").output == "Alpha: 1 key revoked\n"
    assert holder() is None
    _, alpha, beta = team_key(played, "--list").output.splitlines()
    assert (alpha.split()[-1] == "-", beta.split()[-1]) == (False, "-")


def test_what_is_refused_makes_no_key(tmp_path: Path) -> None:
    converse(
        draw_event(tmp_path),
        """
        $ team-key EVENT -> refused 2: ...TEAM is missing...
        $ team-key EVENT Nobody -> refused 2: teams of 'Test Cup' are...
        $ team-key EVENT Alpha --revoke -> refused 2: Alpha has no valid key...
        $ team-key EVENT Alpha --revoke --list -> refused 2: ...exclude each other...
        $ team-key EVENT --list -> no keys...
        """,
    )
