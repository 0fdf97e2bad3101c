"""Whether the results of an event are final. Each change is a row of its own; the newest counts."""

from dataclasses import dataclass

from sqlalchemy import insert, select

from tourney.store.db.database import Database
from tourney.store.models import Finalisation


@dataclass(frozen=True, slots=True)
class FinalisationInfo:
    """When, by whom and why results were made final, or were opened again."""

    is_final: bool
    author: str
    reason: str
    at_ms: int


def load_finalisation(database: Database, event_id: int) -> FinalisationInfo | None:
    """The newest word on the results of an event; None while there is none: they are provisional."""
    query = (
        select(Finalisation.is_final, Finalisation.author, Finalisation.reason, Finalisation.at_ms)
        .where(Finalisation.event_id == event_id)
        .order_by(Finalisation.id.desc())
        .limit(1)
    )
    with database.read() as connection:
        row = connection.execute(query).one_or_none()
    return FinalisationInfo(row.is_final, row.author, row.reason, row.at_ms) if row is not None else None


def save_finalisation(database: Database, event_id: int, word: FinalisationInfo) -> None:
    """Put a word on the results of an event on record."""
    with database.write() as connection:
        connection.execute(
            insert(Finalisation).values(
                event_id=event_id,
                is_final=word.is_final,
                author=word.author,
                reason=word.reason,
                at_ms=word.at_ms,
            )
        )
