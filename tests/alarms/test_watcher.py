"""The watcher by simulated clocks: one alarm an episode, whatever clocks, senders and watchers go through."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from tests.support.live_event import set_state, sit, take_up
from tests.support.played_event import BEGINS_AT_MS, CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.alarms import watcher as watcher_module
from tourney.alarms.episodes import CLEAR_MS, MINUTE_MS
from tourney.alarms.sender import Delivery
from tourney.alarms.watcher import AWAY_MS, POLL_S, EventWatcher
from tourney.bridge import Seat
from tourney.config.alarms import AlarmsConfig, EpisodeKind
from tourney.errors import StoreUnavailable
from tourney.movement.seating import TableState
from tourney.protocol.session.records import IncidentKind
from tourney.store.alarms import AlarmInfo, load_alarms
from tourney.store.control.leases import ProcessIdentity, RunHolder, load_run, take_run_lease
from tourney.store.db.queries import change_rows
from tourney.store.models import AlarmState, Event, Host

HOUR_MS = 60 * MINUTE_MS
LEASE_MS = 10_000


@dataclass
class Watched:
    """An event, its watchers, and the clocks of their machine; BEGINS_AT_MS is 14:13 in UTC."""

    played: PlayedEvent
    section: dict[str, object]
    wall_ms: int = BEGINS_AT_MS
    steady_ms: int = 0
    sent: list[str] = field(default_factory=list)
    is_mail_dead: bool = False
    is_run_alive: bool = True
    watchers: list[EventWatcher] = field(default_factory=list)

    def watch(self) -> EventWatcher:
        """Start a watcher."""
        config = AlarmsConfig.model_validate(self.section)
        watcher = EventWatcher(self.played.drawn, config, self.send, lambda: self.steady_ms, lambda: self.wall_ms)
        self.watchers.append(watcher)
        return watcher

    def send(self, title: str, body: str) -> Sequence[Delivery]:
        if self.is_mail_dead:
            return [Delivery(1, "mailtos", "no server")]
        self.sent.append(f"{title}\n{body}")
        return [Delivery(1, "mailtos", None)]

    def wait(self, ms: int) -> None:
        """Let time pass: the run beats while it is alive, and the watchers look, over long times less often."""
        step_ms = 1000 * POLL_S if ms < HOUR_MS // 2 else MINUTE_MS
        for _ in range(0, ms, step_ms):
            self.steady_ms += step_ms
            self.wall_ms += step_ms
            if self.is_run_alive:
                beat = update(Event).values(run_beat_at_ms=self.wall_ms)
                change_rows(self.played.database, beat)
            for watcher in self.watchers:
                watcher.step()

    @property
    def alarms(self) -> list[AlarmInfo]:
        return load_alarms(self.played.database, self.played.event.id)

    @property
    def topics(self) -> list[str]:
        return [f"{alarm.kind}:{alarm.subject}" for alarm in self.alarms]


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    played = draw_event(tmp_path, event_text().replace("[event]", '[event]\ntimezone = "UTC"'))
    holder = RunHolder(ProcessIdentity("elsewhere", 1, ""), BEGINS_AT_MS)
    before = load_run(played.database, played.event.id)
    assert take_run_lease(played.database, played.event.id, holder, before, BEGINS_AT_MS)
    return Watched(played, {})


def test_a_run_that_is_silent_is_one_alarm_although_it_comes_and_goes_and_watchers_are_started_again(
    watched: Watched,
) -> None:
    watched.watch()
    watched.watch()
    watched.wait(5 * MINUTE_MS)
    assert watched.topics == []
    watched.is_run_alive = False
    watched.wait(LEASE_MS)
    assert watched.topics == []
    watched.wait(LEASE_MS)
    assert watched.topics == ["run-silent:run"]
    watched.watchers = [watched.watchers[1]]
    watched.watch()
    for is_alive in (True, False, True, False):
        watched.is_run_alive = is_alive
        watched.wait(CLEAR_MS // 2)
    assert watched.topics == ["run-silent:run"]
    watched.is_run_alive = True
    watched.wait(CLEAR_MS + 3 * LEASE_MS)
    watched.is_run_alive = False
    watched.wait(4 * LEASE_MS)
    assert watched.topics == ["run-silent:run"] * 2
    assert watched.sent == [
        f"Test Cup: 1 alarm\n[A{number}] the run has not been heard of for 20 s" for number in (1, 2)
    ]


def test_a_clock_that_is_set_forward_or_back_is_no_alarm_and_repeats_none(watched: Watched) -> None:
    watched.watch()
    watched.wait(MINUTE_MS)
    for jump_ms in (20 * HOUR_MS, -30 * HOUR_MS, HOUR_MS):
        watched.wall_ms += jump_ms
        watched.wait(2 * MINUTE_MS)
    assert [alarm.kind for alarm in watched.alarms if alarm.kind != EpisodeKind.ALL_IS_WELL] == []
    watched.is_run_alive = False
    watched.wait(MINUTE_MS)
    for jump_ms in (20 * HOUR_MS, -30 * HOUR_MS):
        watched.wall_ms += jump_ms
        watched.wait(5 * MINUTE_MS)
    assert watched.topics.count("run-silent:run") == 1


def test_calls_for_the_director_and_lost_hosts_are_sent_once_and_old_ones_not_at_all(watched: Watched) -> None:
    played = watched.played
    played.incident(1, OPEN, None, IncidentKind.DIRECTOR_CALLED, Seat.EAST, "AKQ of spades")
    watched.wall_ms = BEGINS_AT_MS + 2 * HOUR_MS
    watched.watch()
    watched.wait(MINUTE_MS)
    assert watched.topics == []
    played.incident(1, CLOSED, None, IncidentKind.DIRECTOR_CALLED, Seat.EAST, "AKQ of spades")
    lost = {
        "event_id": played.event.id,
        "machine": "",
        "pid": 1,
        "pid_start": "",
        "started_at_ms": 0,
        "beat_at_ms": 0,
    }
    for name, reason in (("host-1", "table host host-1 has ended"), ("host-2", "it was told to stop")):
        row = lost | {"name": name, "reason": reason, "ended_at_ms": watched.wall_ms, "written": 0}
        change_rows(played.database, insert(Host).values(**row))
    watched.wait(MINUTE_MS)
    watched.watchers.clear()
    watched.watch()
    watched.wait(MINUTE_MS)
    assert watched.topics == ["director-called:1-closed", "host-lost:host-1"]
    (message,) = watched.sent
    assert "[A1] table 1-closed: the director is called by East\n[A2] table host host-1 was lost" in message
    assert "AKQ" not in message


def test_a_table_that_waits_stalls_or_fails_is_an_alarm(watched: Watched) -> None:
    played = watched.played
    table, other = take_up(played), take_up(played, room=CLOSED)
    sit(played, table, Seat.NORTH, Seat.SOUTH, Seat.WEST)
    played.begin(1, OPEN, 1)
    set_state(played, table, TableState.PLAYING)
    set_state(played, other, TableState.FAILED, "AKQ of spades")
    watched.watch()
    watched.wait(31 * MINUTE_MS)
    texts = dict(zip(watched.topics, (alarm.text for alarm in watched.alarms), strict=True))
    assert texts["program-failed:1-closed"] == "table 1-closed: cannot go on"
    waits = f"table 1-open: nobody sits East ({table.ew_team})"
    assert texts["seat-waits:1-open"] == waits
    assert texts["board-stalled:1-open"] == "table 1-open: no call or card on board 1 for 1800 s"
    assert "AKQ" not in str(texts)


def test_while_messages_cannot_be_sent_they_are_tried_again_and_then_given_up(watched: Watched) -> None:
    watched.watch()
    watched.is_mail_dead, watched.is_run_alive = True, False
    watched.wait(2 * MINUTE_MS)
    (alarm,) = watched.alarms
    assert (alarm.state, alarm.tries, alarm.error) == (AlarmState.DUE, 2, "address 1 (mailtos): no server")
    watched.wait(HOUR_MS)
    (alarm,) = watched.alarms
    assert (alarm.state, alarm.tries, watched.sent) == (AlarmState.GIVEN_UP, 4, [])


def test_an_alarm_whose_sender_was_killed_is_sent_by_another_watcher_after_a_minute(watched: Watched) -> None:
    watched.watch()
    watched.is_run_alive = False

    def be_killed(_title: str, _body: str) -> Sequence[Delivery]:
        raise KeyboardInterrupt

    watched.watchers[0]._send = be_killed
    with pytest.raises(KeyboardInterrupt):
        watched.wait(MINUTE_MS)
    watched.watchers.clear()
    watched.watch()
    watched.wait(50_000)
    assert watched.sent == []
    watched.wait(20_000)
    assert len(watched.sent) == 1


def test_the_daily_message_is_sent_once_a_day_at_its_time(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher_module, "DAILY_MINUTE", 14 * 60 + 20)
    watched.watch()
    watched.wait(HOUR_MS // 2)
    assert watched.sent == ["Test Cup: daily message\n[A1] all is well: 0 of 2 tables finished"]
    watched.wall_ms += 24 * HOUR_MS - HOUR_MS // 2
    watched.wait(HOUR_MS // 2)
    days = [datetime.fromtimestamp((BEGINS_AT_MS + day * 24 * HOUR_MS) / 1000, UTC) for day in (0, 1)]
    assert [alarm.key for alarm in watched.alarms] == [f"all-is-well:event:{day:%Y-%m-%d}" for day in days]


def test_a_database_that_is_away_is_told_from_memory_and_is_on_record_once_it_is_back(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    watcher = watched.watch()
    watched.wait(MINUTE_MS)

    def refuse(*_: object) -> None:
        raise StoreUnavailable("the server does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(watcher_module, "load_event", refuse)
        watched.wait(AWAY_MS)
        assert watched.sent == []
        watched.wait(5 * MINUTE_MS)
        assert watched.sent == ["Test Cup: 1 alarm\n[A0] the database has been away for 60 s"]
        assert watcher.step()
    watched.wait(MINUTE_MS)
    (alarm,) = watched.alarms
    assert (alarm.kind, alarm.state) == (EpisodeKind.DATABASE_AWAY, AlarmState.SENT)
    assert len(watched.sent) == 2
    assert watched.sent[1].endswith(f"[A1] {alarm.text}")
    assert alarm.text.endswith("and is back")


def test_the_watcher_ends_with_the_event_once_nothing_is_due(watched: Watched) -> None:
    watcher = watched.watch()
    watched.played.play_all()
    change_rows(watched.played.database, update(Event).values(run_holder=None, run_beat_at_ms=None))
    assert not watcher.step()
