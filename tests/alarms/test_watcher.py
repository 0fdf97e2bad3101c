"""The watcher by simulated clocks: one alarm an episode, whatever clocks, senders and watchers go through."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import insert, update

from tests.support.conversation import steps_of
from tests.support.event_conversation import converse
from tests.support.played_event import BEGINS_AT_MS, CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.alarms import watcher as watcher_module
from tourney.alarms.episodes import CLEAR_MS, MINUTE_MS
from tourney.alarms.sender import Delivery
from tourney.alarms.watcher import AWAY_MS, POLL_S, EventWatcher
from tourney.bridge import Seat
from tourney.config.alarms import AlarmsConfig, EpisodeKind
from tourney.errors import StoreUnavailable
from tourney.protocol.session.records import IncidentKind
from tourney.store.alarms import AlarmInfo, load_alarms
from tourney.store.control.leases import RunHolder, load_run, take_run_lease
from tourney.store.db.queries import change_rows
from tourney.store.models import AlarmState, Event, Host

HOUR_MS = 60 * MINUTE_MS
UNITS_MS = {"s": 1000, "min": MINUTE_MS, "h": HOUR_MS}


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

    def converse(self, script: str) -> None:
        """Let time pass, and check what is told:

        a watcher starts                      another one; `all watchers end`
        the run falls silent                  and `is heard again`
        no mail goes out
        the clock is set 20 h forward         or back, on the wall alone
        5 min pass                            or s, or h
        alarms -> run-silent:run              on record
        messages -> ...                       those that were sent, by their lines
        """
        for step in steps_of(script):
            match step.what.split():
                case ["a", "watcher", "starts"]:
                    self.watch()
                case ["all", "watchers", "end"]:
                    self.watchers.clear()
                case ["the", "run", *how]:
                    self.is_run_alive = how == ["is", "heard", "again"]
                case ["no", "mail", "goes", "out"]:
                    self.is_mail_dead = True
                case ["the", "clock", "is", "set", number, unit, way]:
                    self.wall_ms += int(number) * UNITS_MS[unit] * (1 if way == "forward" else -1)
                case [number, unit, "pass"]:
                    self.wait(int(number) * UNITS_MS[unit])
                case ["alarms"]:
                    step.check([f"{alarm.kind}:{alarm.subject}" for alarm in self.alarms])
                case ["messages"]:
                    step.check([line for message in self.sent for line in message.splitlines()])
                case _:
                    raise AssertionError(f"a watcher has no step {step.what!r}")


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    played = draw_event(tmp_path, event_text().replace("[event]", '[event]\ntimezone = "UTC"'))
    holder = RunHolder("elsewhere", 1, "", BEGINS_AT_MS)
    before = load_run(played.database, played.event.id)
    assert take_run_lease(played.database, played.event.id, holder, before, BEGINS_AT_MS)
    return Watched(played, {})


def test_a_run_that_is_silent_is_one_alarm_although_it_comes_and_goes_and_watchers_are_started_again(
    watched: Watched,
) -> None:
    away = f"{CLEAR_MS // 2000} s pass"
    watched.converse(
        """
        a watcher starts
        a watcher starts
        5 min pass
        alarms -> nothing
        the run falls silent
        10 s pass
        alarms -> nothing
        10 s pass
        alarms -> run-silent:run
        """
    )
    watched.watchers = [watched.watchers[1]]
    watched.converse(
        f"""
        a watcher starts
        the run is heard again
        {away}
        the run falls silent
        {away}
        the run is heard again
        {away}
        the run falls silent
        {away}
        alarms -> run-silent:run
        the run is heard again
        {CLEAR_MS // 1000 + 30} s pass
        the run falls silent
        40 s pass
        alarms -> run-silent:run -> run-silent:run
        messages
            -> Test Cup: 1 alarm -> [A1] the run has not been heard of for 20 s
            -> Test Cup: 1 alarm -> [A2] the run has not been heard of for 20 s
        """
    )


def test_a_clock_that_is_set_forward_or_back_is_no_alarm_and_repeats_none(watched: Watched) -> None:
    watched.converse(
        """
        a watcher starts
        1 min pass
        the clock is set 20 h forward
        2 min pass
        the clock is set 30 h back
        2 min pass
        the clock is set 1 h forward
        2 min pass
        """
    )
    assert [alarm.kind for alarm in watched.alarms if alarm.kind != EpisodeKind.ALL_IS_WELL] == []
    watched.converse(
        """
        the run falls silent
        1 min pass
        the clock is set 20 h forward
        5 min pass
        the clock is set 30 h back
        5 min pass
        """
    )
    assert [alarm.kind for alarm in watched.alarms].count(EpisodeKind.RUN_SILENT) == 1


def test_calls_for_the_director_and_lost_hosts_are_sent_once_and_old_ones_not_at_all(watched: Watched) -> None:
    played = watched.played
    played.incident(1, OPEN, None, IncidentKind.DIRECTOR_CALLED, Seat.EAST, "AKQ of spades")
    watched.converse("the clock is set 2 h forward\na watcher starts\n1 min pass\nalarms -> nothing")
    played.incident(1, CLOSED, None, IncidentKind.DIRECTOR_CALLED, Seat.EAST, "AKQ of spades")
    lost: dict[str, object] = {"event_id": played.event.id, "machine": "", "pid": 1, "pid_start": "", "written": 0}
    lost |= {"started_at_ms": 0, "beat_at_ms": 0, "ended_at_ms": watched.wall_ms}
    for name, reason in (("host-1", "table host host-1 has ended"), ("host-2", "it was told to stop")):
        change_rows(played.database, insert(Host).values(**lost, name=name, reason=reason))
    watched.converse(
        """
        1 min pass
        all watchers end
        a watcher starts
        1 min pass
        alarms -> director-called:1-closed -> host-lost:host-1
        messages
            -> ... -> [A1] table 1-closed: the director is called by East -> [A2] table host host-1 was lost...
        """
    )
    assert "AKQ" not in str(watched.sent)
    assert len(watched.sent) == 1


def test_a_table_that_waits_stalls_or_fails_is_an_alarm(watched: Watched) -> None:
    converse(
        watched.played,
        """
        1-open opens
        1-closed opens
        N S W sit at 1-open
        1-open board 1: 2 calls
        1-open is playing
        1-closed is failed: AKQ of spades
        """,
    )
    watched.converse("a watcher starts\n31 min pass")
    table = watched.played.table(1, OPEN)
    texts = {alarm.kind: (alarm.subject, alarm.text) for alarm in watched.alarms}
    assert texts[EpisodeKind.PROGRAM_FAILED] == ("1-closed", "table 1-closed: cannot go on")
    assert texts[EpisodeKind.SEAT_WAITS] == ("1-open", f"table 1-open: nobody sits East ({table.ew_team})")
    stalled = "table 1-open: no call or card on board 1 for 1800 s"
    assert texts[EpisodeKind.BOARD_STALLED] == ("1-open", stalled)
    assert "AKQ" not in str(texts)


def test_while_messages_cannot_be_sent_they_are_tried_again_and_then_given_up(watched: Watched) -> None:
    watched.converse("a watcher starts\nno mail goes out\nthe run falls silent\n2 min pass")
    (alarm,) = watched.alarms
    assert (alarm.state, alarm.tries, alarm.error) == (AlarmState.DUE, 2, "address 1 (mailtos): no server")
    watched.converse("1 h pass\nmessages -> nothing")
    (alarm,) = watched.alarms
    assert (alarm.state, alarm.tries) == (AlarmState.GIVEN_UP, 4)


def test_an_alarm_whose_sender_was_killed_is_sent_by_another_watcher_after_a_minute(watched: Watched) -> None:
    def be_killed(_title: str, _body: str) -> Sequence[Delivery]:
        raise KeyboardInterrupt

    watched.watch()._send = be_killed
    watched.converse("the run falls silent")
    with pytest.raises(KeyboardInterrupt):
        watched.wait(MINUTE_MS)
    watched.converse(
        """
        all watchers end
        a watcher starts
        50 s pass
        messages -> nothing
        20 s pass
        messages -> Test Cup: 1 alarm -> [A1] ...
        """
    )


def test_the_daily_message_is_sent_once_a_day_at_its_time(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher_module, "DAILY_MINUTE", 14 * 60 + 20)
    watched.converse(
        """
        a watcher starts
        30 min pass
        messages -> Test Cup: daily message -> [A1] all is well: 0 of 2 tables finished
        the clock is set 23 h forward
        60 min pass
        """
    )
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
