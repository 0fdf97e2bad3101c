"""Alarms on record, and who sends the messages about them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from sqlalchemy import and_, insert, or_, select, update

from tourney.config.alarms import EpisodeKind
from tourney.store.db.database import Database
from tourney.store.db.queries import change_rows, has_rows, load_objects, make_object, make_values
from tourney.store.db.transactions import lock
from tourney.store.models import AlarmRow, AlarmState

CLAIM_MS: Final = 60_000
"""For how long whoever sends a message has it to itself."""

SHOWN_MS: Final = 3_600_000
"""For how long the console shows what has happened and is over by itself, such as a call for the director."""

SENT_WITHIN_MS: Final = 3_600_000
"""How far back the times of messages are loaded."""


_SHOWN_ELSEWHERE: Final = {EpisodeKind.PROGRAM_FAILED, EpisodeKind.SEAT_WAITS, EpisodeKind.ALL_IS_WELL}

_ALARMS_LOCK: Final = 0x616C726D
"""One watcher at a time changes the alarms of an event."""


Topic: TypeAlias = tuple[str, str]
"""What an alarm is about: its kind and its subject."""


@dataclass(frozen=True, slots=True)
class NewAlarm:
    """Something that is wrong, to be put on record as an alarm; `text` is the sentence of its message.

    A state goes on, and is an alarm once it has been seen for `after_ms` with the same `mark`; a mark that changes
    shows that something moves. An occurrence has a `name` that tells it from others, and is over by itself.
    """

    kind: EpisodeKind
    subject: str
    text: str
    name: str | None = None
    mark: object = ""
    after_ms: int = 0

    @property
    def topic(self) -> Topic:
        return self.kind, self.subject


@dataclass(frozen=True, slots=True)
class AlarmInfo:
    """An alarm on record."""

    id: int
    key: str
    kind: str
    subject: str
    text: str
    state: AlarmState
    raised_at_ms: int
    ended_at_ms: int | None
    tries: int
    error: str | None


def load_alarms(database: Database, event_id: int) -> list[AlarmInfo]:
    """Load all alarms of an event, the oldest first."""
    query = select(AlarmRow).where(AlarmRow.event_id == event_id).order_by(AlarmRow.id)
    return load_objects(database, AlarmInfo, query)


def load_shown_alarms(database: Database, event_id: int, now_ms: int) -> list[AlarmInfo]:
    """Load the alarms that the console shows, the oldest first.

    These are states that go on and occurrences of the last hour. What keeps a table from going on is none of them, as
    its status shows that, unless a message about it was not sent.
    """
    return [
        alarm
        for alarm in load_alarms(database, event_id)
        if alarm.ended_at_ms is None or (alarm.ended_at_ms == alarm.raised_at_ms >= now_ms - SHOWN_MS)
        if alarm.kind not in _SHOWN_ELSEWHERE or alarm.error is not None
    ]


def has_due_alarms(database: Database, event_id: int, kinds: Collection[str]) -> bool:
    """Return whether a message about one of these kinds is still to be sent."""
    due = (AlarmRow.event_id == event_id, AlarmRow.state == AlarmState.DUE, AlarmRow.kind.in_(kinds))
    return has_rows(database, select(AlarmRow.id).where(*due))


def raise_alarms(database: Database, event_id: int, alarms: Sequence[NewAlarm], now_ms: int) -> None:
    """Put alarms on record, each unless it is there already."""
    if not alarms:
        return
    with database.write() as connection:
        lock(database, connection, _ALARMS_LOCK, event_id)
        for alarm in alarms:
            key = f"{alarm.kind}:{alarm.subject}:{now_ms if alarm.name is None else alarm.name}"
            of_topic = (AlarmRow.event_id == event_id, AlarmRow.kind == alarm.kind, AlarmRow.subject == alarm.subject)
            goes_on = AlarmRow.ended_at_ms.is_(None) if alarm.name is None else AlarmRow.key == key
            if connection.execute(select(AlarmRow.id).where(*of_topic, goes_on)).first() is None:
                values = make_values(
                    AlarmRow,
                    alarm,
                    event_id=event_id,
                    key=key,
                    state=AlarmState.DUE,
                    raised_at_ms=now_ms,
                    ended_at_ms=now_ms if alarm.name is not None else None,
                    due_at_ms=now_ms,
                    tries=0,
                )
                connection.execute(insert(AlarmRow).values(values))


def end_alarms(database: Database, event_id: int, topics: Collection[Topic], now_ms: int) -> None:
    """Put on record that states have ended."""
    if not topics:
        return
    is_one = or_(*(and_(AlarmRow.kind == kind, AlarmRow.subject == subject) for kind, subject in topics))
    is_open = (AlarmRow.event_id == event_id, AlarmRow.ended_at_ms.is_(None))
    change_rows(database, update(AlarmRow).where(*is_open, is_one).values(ended_at_ms=now_ms))


# Messages


def claim_alarms(
    database: Database,
    event_id: int,
    kinds: Collection[str],
    now_ms: int,
    *,
    may_send: Callable[[Collection[int]], bool],
) -> list[AlarmInfo]:
    """Claim all alarms of an event that are due, for `CLAIM_MS`; none while another sender has some.

    Claims and times that lie further ahead than any that is made are those of a clock that was set back: they have
    passed.

    Args:
        database: the record.
        event_id: the event.
        kinds: the kinds that messages may be sent about now.
        now_ms: the time.
        may_send: whether a message may be sent, by the times of those of the last hour.
    """
    of_event = AlarmRow.event_id == event_id
    with database.write() as connection:
        lock(database, connection, _ALARMS_LOCK, event_id)
        is_claimed = and_(AlarmRow.claimed_until_ms > now_ms, AlarmRow.claimed_until_ms <= now_ms + CLAIM_MS)
        claimed = select(AlarmRow.id).where(of_event, AlarmRow.state == AlarmState.DUE, is_claimed)
        if connection.execute(claimed).first() is not None:
            return []
        sent = select(AlarmRow.sent_at_ms).where(of_event, AlarmRow.sent_at_ms >= now_ms - SENT_WITHIN_MS)
        if not may_send({at_ms for at_ms in connection.scalars(sent) if at_ms is not None}):
            return []
        has_passed = or_(AlarmRow.due_at_ms <= now_ms, AlarmRow.due_at_ms > now_ms + SENT_WITHIN_MS)
        due = and_(of_event, AlarmRow.state == AlarmState.DUE, AlarmRow.kind.in_(kinds), has_passed)
        rows = connection.execute(select(AlarmRow).where(due).order_by(AlarmRow.id)).all()
        ids = [row.id for row in rows]
        if ids:
            values = {"claimed_until_ms": now_ms + CLAIM_MS}
            connection.execute(update(AlarmRow).where(AlarmRow.id.in_(ids)).values(values))
    return [make_object(AlarmInfo, row) for row in rows]


def record_delivery(
    database: Database,
    alarms: Collection[AlarmInfo],
    error: str | None,
    *,
    sent_at_ms: int | None,
    retry_at_ms: Callable[[int], int | None],
) -> None:
    """Put on record what has come of a message about alarms.

    Args:
        database: the record.
        alarms: those that were claimed.
        error: whom it was not sent to, in a sentence; None if it reached all.
        sent_at_ms: when it was sent; None if it has reached nobody.
        retry_at_ms: when the next try is in that case, by the number of tries; None if there is none.
    """
    with database.write() as connection:
        for alarm in alarms:
            tries = alarm.tries + 1
            values: dict[str, object] = {"claimed_until_ms": None, "tries": tries, "error": error}
            if sent_at_ms is not None:
                values |= {"state": AlarmState.SENT, "sent_at_ms": sent_at_ms}
            elif (at_ms := retry_at_ms(tries)) is not None:
                values["due_at_ms"] = at_ms
            else:
                values["state"] = AlarmState.GIVEN_UP
            is_unsent = (AlarmRow.id == alarm.id, AlarmRow.state == AlarmState.DUE)
            connection.execute(update(AlarmRow).where(*is_unsent).values(values))
