"""The watcher: looks at an event again and again, puts alarms on record, and sends the messages that are due.

While the database is away nothing can be read: a message is sent from memory, and another one, which is on record,
once the database is back.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from tourney.alarms.episodes import (
    MINUTE_MS,
    EpisodeTracker,
    format_message,
    may_send,
    retry_at_ms,
    sendable_kinds,
)
from tourney.alarms.sender import Delivery
from tourney.alarms.signs import (
    call_occurrence,
    daily_occurrence,
    find_disk_signs,
    find_run_signs,
    find_table_signs,
    host_occurrence,
)
from tourney.config.alarms import AlarmsConfig, EpisodeKind
from tourney.coordinator.run_lease import load_event_status
from tourney.errors import StoreError, TourneyError
from tourney.event.drawn import DrawnEvent
from tourney.protocol.session.records import IncidentKind
from tourney.store.alarms import (
    NewAlarm,
    claim_alarms,
    end_alarms,
    has_due_alarms,
    load_alarms,
    raise_alarms,
    record_delivery,
)
from tourney.store.control.hosts import count_hosts, load_lost_hosts
from tourney.store.control.leases import load_run
from tourney.store.draw.reader import load_event
from tourney.store.rulings import load_incidents
from tourney.times import to_zone
from tourney.views.status import EventStatus

_log: Final = logging.getLogger(__name__)

POLL_S: Final = 10

HISTORY_MS: Final = 3_600_000
"""What happened longer ago than this before the watcher was started raises no alarm."""

DAILY_MINUTE: Final = 9 * 60
"""The minute of the day, in the time zone of the event, at which the daily message is sent."""

DAILY_LATE_MIN: Final = 60
"""How many minutes late the daily message is still sent."""

AWAY_MS: Final = MINUTE_MS
"""How long the database cannot be used before that is an alarm."""

AWAY_RETRY_MS: Final = 5 * MINUTE_MS
"""How long after a failure a message about that is tried again."""

Send: TypeAlias = Callable[[str, str], Sequence[Delivery]]
"""Sends a title and a text; returns what has come of each address."""


class EventWatcher:
    """Watches one event. Call `step` every few seconds."""

    def __init__(
        self,
        drawn: DrawnEvent,
        config: AlarmsConfig,
        send: Send,
        steady_ms: Callable[[], int],
        wall_ms: Callable[[], int],
    ) -> None:
        """Prepare to watch.

        Args:
            drawn: the event; its database can be written.
            config: `[alarms]`.
            send: sends a message to all addresses.
            steady_ms: a clock that never goes back and that nobody sets.
            wall_ms: the time of the machine, for the record and the time of day.
        """
        self._drawn = drawn
        self._database = drawn.database
        self._config = config
        self._send = send
        self._steady_ms = steady_ms
        self._wall_ms = wall_ms
        self._tracker = EpisodeTracker()
        self._away_since_ms: int | None = None
        """Since when the database cannot be used, by the clock that nobody sets."""
        self._away_due_at_ms: int | None = None
        """When a message about that is to be tried next; None once it is out."""
        self._recorded: set[tuple[str, str | None]] = set()
        """The kinds and names of occurrences that are on record, or happened long before this watcher was started."""
        self._has_history = False

    def step(self) -> bool:
        """Look once, and send what is due; return whether the event goes on or a message is still to be sent."""
        try:
            is_over = self._look()
            self._end_outage()
            return not is_over or has_due_alarms(*self._drawn.record, self._config.kinds)
        except StoreError as error:
            self._note_outage(error)
        except TourneyError as error:  # such as a lock that cannot be read: the next look may find it mended
            _log.warning("alarms: %s", error, extra={"action": "event_not_watched"})
        return True

    # Episodes

    def _look(self) -> bool:
        """Put what is seen on record, and send what is due; return whether the event is over."""
        now_ms = self._wall_ms()
        event = load_event(self._database, self._drawn.event.name)
        if event is not None:
            self._drawn = self._drawn.at(event)
        status = load_event_status(self._drawn, now_ms)
        alarms = load_alarms(*self._drawn.record)
        open_topics = {(each.kind, each.subject) for each in alarms if each.ended_at_ms is None}
        raised, ended = self._tracker.note(self._find_signs(status), open_topics, self._steady_ms())
        occurrences = self._find_occurrences(status, len(open_topics), now_ms)
        raise_alarms(*self._drawn.record, raised + occurrences, now_ms)
        self._recorded |= {(each.kind, each.name) for each in occurrences}
        is_over = status.is_over and not status.is_run_going
        end_alarms(*self._drawn.record, open_topics if is_over else ended, now_ms)
        self._send_due(now_ms)
        return is_over

    def _find_signs(self, status: EventStatus) -> list[NewAlarm]:
        file = self._drawn.file
        has_begun = count_hosts(*self._drawn.record) > 0
        run = load_run(*self._drawn.record)
        folders = {"results folder": file.results}
        if self._database.file is not None:
            folders["database"] = Path(self._database.file).parent
        signs = [
            *find_run_signs(run, status, file.config.tables.lease_s, has_begun=has_begun),
            *find_table_signs(status),
            *find_disk_signs(folders),
        ]
        return [sign for sign in signs if sign.kind in self._config.kinds]

    def _find_occurrences(self, status: EventStatus, open_alarms: int, now_ms: int) -> list[NewAlarm]:
        """Find what has happened since the last look; at the first one, what has not happened long ago."""
        places = {table.table.id: table.table.place for table in status.tables}
        calls = load_incidents(*self._drawn.record, kind=IncidentKind.DIRECTOR_CALLED)
        happened = [
            (call.at_ms, call_occurrence(call, places[call.table_id])) for call in calls if call.table_id in places
        ]
        lost = load_lost_hosts(*self._drawn.record)
        happened += [(host.ended_at_ms, host_occurrence(host)) for host in lost]
        if not self._has_history:
            self._recorded |= {(each.kind, each.name) for at_ms, each in happened if at_ms < now_ms - HISTORY_MS}
            self._has_history = True
        found = [each for _, each in happened]
        moment = to_zone(now_ms, self._drawn.file.config.event.zone)
        late_min = 60 * moment.hour + moment.minute - DAILY_MINUTE
        if 0 <= late_min < DAILY_LATE_MIN:
            found.append(daily_occurrence(f"{moment:%Y-%m-%d}", status, open_alarms))
        return [
            each for each in found if each.kind in self._config.kinds and (each.kind, each.name) not in self._recorded
        ]

    # Messages

    def _sendable(self, now_ms: int) -> frozenset[EpisodeKind]:
        moment = to_zone(now_ms, self._drawn.file.config.event.zone)
        return sendable_kinds(self._config, 60 * moment.hour + moment.minute)

    def _send_due(self, now_ms: int) -> None:
        kinds = self._sendable(now_ms)
        if not has_due_alarms(*self._drawn.record, kinds):
            return
        claimed = claim_alarms(*self._drawn.record, kinds, now_ms, may_send=lambda sent: may_send(sent, now_ms))
        if not claimed:
            return
        texts = {alarm.id: alarm.text for alarm in claimed}
        is_daily = all(alarm.kind == EpisodeKind.ALL_IS_WELL for alarm in claimed)
        errors, is_sent = self._deliver(texts, is_daily=is_daily)
        now_ms = self._wall_ms()
        record_delivery(
            self._database,
            claimed,
            errors or None,
            sent_at_ms=now_ms if is_sent else None,
            retry_at_ms=lambda tries: retry_at_ms(tries, now_ms),
        )

    def _deliver(self, texts: Mapping[int, str], *, is_daily: bool = False) -> tuple[str, bool]:
        """Send a message; return what has failed, in a sentence, and whether it has reached any address."""
        message = format_message(self._drawn.event.name, texts, self._config.link, is_daily=is_daily)
        try:
            deliveries = self._send(*message)
        except TourneyError as error:
            deliveries, errors = (), str(error)
        else:
            errors = "; ".join(str(each) for each in deliveries if each.error is not None)
        if errors:
            _log.warning("alarms: %s", errors, extra={"action": "alarm_not_sent"})
        return errors, any(each.error is None for each in deliveries)

    # Without the database

    def _note_outage(self, error: StoreError) -> None:
        now_ms = self._steady_ms()
        if self._away_since_ms is None:
            _log.warning("the database cannot be used: %s", error, extra={"action": "database_away"})
            self._away_since_ms, self._away_due_at_ms = now_ms, now_ms + AWAY_MS
        is_wanted = EpisodeKind.DATABASE_AWAY in self._sendable(self._wall_ms())
        if is_wanted and self._away_due_at_ms is not None and now_ms >= self._away_due_at_ms:
            text = f"the database has been away for {(now_ms - self._away_since_ms) // 1000} s"
            _, is_sent = self._deliver({0: text})  # it has no number before it is on record
            self._away_due_at_ms = None if is_sent else now_ms + AWAY_RETRY_MS

    def _end_outage(self) -> None:
        """Put on record that the database was away, now that it is back, which a message says too."""
        if self._away_since_ms is None:
            return
        away_ms, now_ms = self._steady_ms() - self._away_since_ms, self._wall_ms()
        if away_ms >= AWAY_MS and EpisodeKind.DATABASE_AWAY in self._config.kinds:
            text = f"the database was away for {away_ms // 1000} s, and is back"
            alarm = NewAlarm(EpisodeKind.DATABASE_AWAY, "database", text, str(now_ms - away_ms))
            raise_alarms(*self._drawn.record, [alarm], now_ms)
        self._away_since_ms = None
