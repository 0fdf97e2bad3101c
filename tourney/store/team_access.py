"""What shows that somebody belongs to a team from afar: keys of tunnels, and links that one person may use once.

Keys have 160 random bits and links 128; the record has their SHA-256, so that who can read it can use neither. A link
that has been used, that is too old and one that never was get the same answer.
"""

import base64
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sqlalchemy import insert, select, update

from tourney.bridge import Seat
from tourney.errors import UsageError
from tourney.store.db.database import Database
from tourney.store.db.queries import change_rows, load_objects, load_row, load_rows, make_object
from tourney.store.db.transactions import one_transaction
from tourney.store.models import LinkPurpose, Team, TeamKey, TeamLink
from tourney.store.users import hash_token

KEY_BYTES: Final = 20
_KEY: Final = re.compile(r"[A-Z2-7]{32}")

TOKEN_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class KeyTeam:
    """The team that has a key."""

    id: int
    number: int
    name: str


@dataclass(frozen=True, slots=True)
class TeamKeyState:
    """A key of a team as it is on record."""

    team: str
    created_at_ms: int
    revoked_at_ms: int | None


@dataclass(frozen=True, slots=True)
class TeamLinkUse:
    """Whose a one-time link is."""

    id: int
    team_id: int
    team: str
    team_number: int
    seat: Seat | None
    """The seat that it leads to; None for any of the team's."""


def make_team_key() -> str:
    """Return a new key: 32 letters and digits that cannot be taken for each other, in groups of four."""
    text = base64.b32encode(secrets.token_bytes(KEY_BYTES)).decode("ascii")
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def hash_team_key(text: str) -> str:
    """Return the SHA-256 of a key as people write it: case, blanks and hyphens do not count.

    Raises:
        UsageError: it is no key.
    """
    key = re.sub(r"[\s-]", "", text).upper()
    if not _KEY.fullmatch(key):
        raise UsageError(f"the key of a team is 32 of A-Z and 2-7, in groups or not, got {len(key)} characters")
    return sha256(key.encode("ascii")).hexdigest()


# Keys


def add_team_key(database: Database, event_id: int, team_id: int, now_ms: int) -> str:
    """Put a new key of a team on record beside those that it has; return the key, which is nowhere else."""
    key = make_team_key()
    row = {"event_id": event_id, "team_id": team_id, "key_hash": hash_team_key(key), "created_at_ms": now_ms}
    change_rows(database, insert(TeamKey).values(row))
    return key


def load_keys(database: Database, event_id: int) -> dict[str, KeyTeam]:
    """Load the teams of all keys that are valid, by the hashes of these."""
    query = (
        select(TeamKey.key_hash, Team.id, Team.number, Team.name)
        .join(Team)
        .where(TeamKey.event_id == event_id, TeamKey.revoked_at_ms.is_(None))
    )
    return {key_hash: KeyTeam(id_, number, name) for key_hash, id_, number, name in load_rows(database, query)}


def revoke_team_keys(database: Database, event_id: int, team_id: int, now_ms: int) -> int:
    """Revoke all keys of a team that are valid; return how many."""
    valid = (TeamKey.event_id == event_id, TeamKey.team_id == team_id, TeamKey.revoked_at_ms.is_(None))
    return change_rows(database, update(TeamKey).where(*valid).values(revoked_at_ms=now_ms))


def load_team_keys(database: Database, event_id: int) -> list[TeamKeyState]:
    """Load all keys of an event, in the order of teams and of their making."""
    query = (
        select(Team.name.label("team"), TeamKey.created_at_ms, TeamKey.revoked_at_ms)
        .join(Team)
        .where(TeamKey.event_id == event_id)
        .order_by(Team.number, TeamKey.id)
    )
    return load_objects(database, TeamKeyState, query)


# Links


def add_team_link(
    database: Database,
    event_id: int,
    team_id: int,
    purpose: LinkPurpose,
    now_ms: int,
    lifetime_ms: int,
    seat: Seat | None = None,
    room: str = "",
) -> str:
    """Put a new link on record; return its token, which is nowhere else.

    Args:
        database: the record.
        event_id: the event.
        team_id: the team whose link it is.
        purpose: what it is for.
        now_ms: the time.
        lifetime_ms: how long it may be used.
        seat: the seat that it leads to; None for any of the team's.
        room: the room that it leads to, which is a part of the token; empty for any.
    """
    token = f"{secrets.token_urlsafe(TOKEN_BYTES)}{'.' if room else ''}{room}"
    row = {
        "event_id": event_id,
        "team_id": team_id,
        "purpose": purpose,
        "seat": seat,
        "token_hash": hash_token(token),
        "created_at_ms": now_ms,
        "expires_at_ms": now_ms + lifetime_ms,
    }
    change_rows(database, insert(TeamLink).values(**row))
    return token


def find_team_link(
    database: Database, event_id: int, token: str, purpose: LinkPurpose, now_ms: int
) -> TeamLinkUse | None:
    """Return whose a link is that can still be used, without using it; None if it is not valid, or no longer."""
    query = (
        select(
            TeamLink.id, TeamLink.team_id, Team.name.label("team"), Team.number.label("team_number"), TeamLink.seat
        )
        .join(Team)
        .where(TeamLink.event_id == event_id, TeamLink.token_hash == hash_token(token), TeamLink.purpose == purpose)
        .where(TeamLink.used_at_ms.is_(None), TeamLink.expires_at_ms > now_ms)
    )
    row = load_row(database, query)
    return make_object(TeamLinkUse, row) if row is not None else None


def use_team_link(
    database: Database, event_id: int, token: str, purpose: LinkPurpose, now_ms: int
) -> TeamLinkUse | None:
    """Use a link, which can be done once; return whose it is, None if it is not valid, or no longer."""
    with one_transaction(database) as joined:
        found = find_team_link(joined, event_id, token, purpose, now_ms)
        if found is None:
            return None
        is_unused = (TeamLink.id == found.id, TeamLink.used_at_ms.is_(None))
        used = change_rows(joined, update(TeamLink).where(*is_unused).values(used_at_ms=now_ms))
        return found if used else None


def use_key_link(database: Database, event_id: int, token: str, now_ms: int) -> tuple[str, str] | None:
    """Use a link by which a team gets a key, and make the key, both or neither; return the team's name and the key.

    None if the link is not valid, or no longer.
    """
    with one_transaction(database) as joined:
        used = use_team_link(joined, event_id, token, LinkPurpose.KEY, now_ms)
        return (used.team, add_team_key(joined, event_id, used.team_id, now_ms)) if used is not None else None
