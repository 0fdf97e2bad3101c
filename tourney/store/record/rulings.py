"""Rulings as they go on record; `store.rulings` reads them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, select

from tourney.protocol.session.records import RULE_AUTHOR, RulingKind
from tourney.store.db.database import Database
from tourney.store.db.queries import insert_row, make_values
from tourney.store.db.transactions import writing
from tourney.store.models import RulingRow, Team

if TYPE_CHECKING:
    from tourney.scoring.assigned import AssignedResult

_ONCE: Final = (RulingKind.MATCH_FORFEIT, RulingKind.WITHDRAWAL)
"""Rulings of which a second on the same team and match would have no effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRuling:
    """A ruling that is to be put on record, by the ids of what it is about."""

    event_id: int
    kind: RulingKind
    reason: str
    """One sentence for people."""
    law: str = ""
    """A law ("Law 81C5") or a clause of the protocol ("BC-45")."""
    now_ms: int
    """When it was given."""
    team_id: int | None = None
    """The team it is against, or whose score it sets; None if it applies to both teams."""
    match_id: int | None = None
    """The match; None for a withdrawal, which is from the event."""
    table_id: int | None = None
    """The room, if it is about what happened there."""
    board: int | None = None
    attempt: int | None = None
    """The attempt at that board."""
    amount: int = 0
    """A figure of the board scale, or hundredths of a victory point, of a penalty or an adjusted score; `BREAKS_OFF`
    of a cancelled board if the game ends before it."""
    assigned: "Sequence[AssignedResult]" = ()
    """The results of which an assigned score is made."""
    author: str = RULE_AUTHOR


def save_ruling(store: Database | Connection, ruling: NewRuling) -> int:
    """Put a ruling on record, in the database or in a transaction that writes, and return its id.

    A team forfeits a match, and withdraws from the event, only once: if such a ruling is in force, its id is
    returned. A match that has a score must be scored again after a ruling on it (`save_match_score`).
    """
    with writing(store) as connection:
        if ruling.kind in _ONCE and ruling.team_id is not None:
            standing = _standing(connection, ruling.event_id, ruling.team_id, ruling.match_id, ruling.kind)
            if standing is not None:
                return standing
        row = make_values(RulingRow, ruling, terms=_terms(ruling.assigned), at_ms=ruling.now_ms)
        return insert_row(connection, RulingRow, row)


def _standing(
    connection: Connection, event_id: int, team_id: int, match_id: int | None, kind: RulingKind
) -> int | None:
    """Return the id of a ruling of this kind that is in force."""
    # A concurrent transaction with the same ruling waits here.
    connection.execute(select(Team.id).where(Team.id == team_id).with_for_update(key_share=True))
    return connection.scalar(
        select(RulingRow.id).where(
            RulingRow.event_id == event_id,
            RulingRow.team_id == team_id,
            RulingRow.match_id.is_not_distinct_from(match_id),
            RulingRow.kind == kind,
            RulingRow.withdrawn_at_ms.is_(None),
        )
    )


def _terms(assigned: "Sequence[AssignedResult]") -> str | None:
    """Format as stored: `[[60, "4S N 10"], [40, "4S N 9"]]`."""
    return json.dumps([[part.weight, str(part)] for part in assigned]) if assigned else None
