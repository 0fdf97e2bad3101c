"""The status of tables as reported by their hosts, for displays: objects and their JSON in `tables.doing`.

No decision depends on it. A host writes it at most once a second and only when it has changed, so its age has no
meaning.
"""

import json
from dataclasses import dataclass, fields
from typing import Any, Final

from sqlalchemy import bindparam, update

from tourney.bridge import SEATS, Seat, Side
from tourney.store.db.database import Database
from tourney.store.db.prepared import Prepared
from tourney.store.models import TableRow


@dataclass(frozen=True, slots=True)
class Wait:
    """The line that a player owes the table: "call", "card", "to log on", ..."""

    seat: Seat
    what: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class TableActivity:
    """The status of a table at one moment.

    `stage` is "seating", "boards" or "over"; `last` is the latest event.
    """

    at_ms: int
    stage: str
    board: int | None
    boards_left: int
    paused: bool
    seats: dict[Seat, str | None]
    """The name of the seated team, None for an empty seat."""
    waits: tuple[Wait, ...]
    last: str
    problem: str | None
    """A problem not visible from the seats or the record; not empty seats or calls that wait for the operator."""
    spent_ms: dict[Side, int]
    """Thinking time so far, finished boards included."""


def format_activity(doing: TableActivity) -> str:
    """Format the JSON text of `tables.doing`."""
    named = {
        "seats": {seat.letter: team for seat, team in doing.seats.items()},
        "waits": [{"seat": w.seat.letter, "for": w.what, "since_ms": w.since_ms} for w in doing.waits],
        "spent_ms": {side.value.lower(): spent_ms for side, spent_ms in doing.spent_ms.items()},
    }
    return json.dumps({each.name: named.get(each.name, getattr(doing, each.name)) for each in fields(doing)})


def parse_activity(text: str | None) -> TableActivity | None:
    """Parse what `format_activity` wrote; None for anything else, so that displays rely on the record."""
    if text is None:
        return None
    try:
        return _doing(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return None


def _doing(data: Any) -> TableActivity:  # JSON of any shape; what does not fit raises
    return TableActivity(
        at_ms=int(data["at_ms"]),
        stage=str(data["stage"]),
        board=None if data["board"] is None else int(data["board"]),
        boards_left=int(data["boards_left"]),
        paused=bool(data["paused"]),
        seats={seat: _text_or_none(data["seats"].get(seat.letter)) for seat in SEATS},
        waits=tuple(
            Wait(Seat.from_letter(wait["seat"]), str(wait["for"]), int(wait["since_ms"])) for wait in data["waits"]
        ),
        last=str(data["last"]),
        problem=_text_or_none(data["problem"]),
        spent_ms={side: int(data["spent_ms"][side.value.lower()]) for side in Side},
    )


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


# One statement for all tables, as hundreds of statements would delay the host.
_UPDATE_TEXT: Final = Prepared(
    update(TableRow)
    .where(TableRow.id == bindparam("at"), TableRow.attempt == bindparam("by"))
    .values(doing=bindparam("says")),
    ("says", "at", "by"),
)


def save_activities(database: Database, news: dict[tuple[int, int], str]) -> None:
    """Store the status of tables, for displays; keys are table id and attempt."""
    with database.write(synced=False) as connection:  # it is out of date within a second
        _UPDATE_TEXT.run_many(connection, [(text, table_id, attempt) for (table_id, attempt), text in news.items()])
