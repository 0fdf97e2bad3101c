"""The command `tourney team-key`: a key is shown once, its hash is on record, and a revoked one is no key."""

import re
from pathlib import Path

from tests.support.commands import run
from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event
from tourney.store.team_access import hash_team_key, load_keys


def test_a_key_is_shown_once_is_listed_without_what_it_is_and_is_revoked(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    converse(played, "$ team-key EVENT --list -> no keys: `tourney team-key EVENT TEAM` makes one")
    made = run("team-key", played.path, "alpha")
    key = made.stdout.strip()
    assert made.stdout == f"{key}\n", "so that it can be written into a file"
    assert re.search(r"shown now and never again.*team-key.*--revoke", made.stderr)

    def holder(_: PlayedEvent) -> list[str]:
        found = load_keys(played.database, played.event.id).get(hash_team_key(key))
        return [found.name] if found is not None else []

    converse(played, "holder -> Alpha\n$ team-key EVENT Beta", holder=holder)
    listed = run("team-key", played.path, "--list").output
    assert key not in listed
    assert hash_team_key(key) not in listed
    converse(
        played,
        """
        $ team-key EVENT Alpha --list -> Team ... -> Alpha ...
        $ team-key EVENT Alpha --revoke -> Alpha: 1 key revoked
        holder -> nothing
        $ team-key EVENT --list -> Team ... -> Alpha 20... UTC 20... UTC -> Beta 20... UTC -
        """,
        holder=holder,
    )


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
