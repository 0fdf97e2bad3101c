"""Alarms: tell an organiser who does not look what goes wrong."""

import os
from pathlib import Path
from time import monotonic_ns, sleep
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import EXIT_INTERRUPTED, open_event
from tourney.errors import LaunchError, UsageError
from tourney.plurals import count
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.alarms.sender import Delivery
    from tourney.config.alarms import AlarmsConfig
    from tourney.event.drawn import DrawnEvent
    from tourney.event.file import EventFile

_TEST_TEXT: Final = "This is a test: messages about alarms will arrive like this one."


def watch_alarms(event_path: Path) -> None:
    """Watch an event until it has ended, and send messages when something is wrong; Ctrl-C ends it."""
    with open_event(event_path) as drawn:
        try:
            _watch(drawn)
        except KeyboardInterrupt:
            raise SystemExit(EXIT_INTERRUPTED) from None


def _settings(file: "EventFile") -> "AlarmsConfig":
    """Return `[alarms]` of an event file.

    Raises:
        UsageError: it has none.
    """
    if file.config.alarms is None:
        raise UsageError(f"{file.path} has no section [alarms]")
    return file.config.alarms


def _send(file: "EventFile", title: str, body: str) -> "list[Delivery]":
    from tourney.alarms.addresses import load_addresses
    from tourney.alarms.sender import send_message

    return send_message(load_addresses(_settings(file), file.folder, os.environ), title, body)


def send_test(event_path: Path) -> None:
    """Send a test message to each address, and say what came of it; the event need not be drawn.

    Raises:
        LaunchError: a message was not sent.
    """
    from tourney.event.file import load_event_file

    file = load_event_file(event_path)
    link = _settings(file).link
    body = _TEST_TEXT if link is None else f"{_TEST_TEXT}\n{link}"
    deliveries = _send(file, f"{file.config.event.name}: test", body)
    for delivery in deliveries:
        click.echo(str(delivery))
    failed = sum(delivery.error is not None for delivery in deliveries)
    if failed:
        raise LaunchError(f"{failed} of {len(deliveries)} test messages were not sent")


def _watch(drawn: "DrawnEvent") -> None:
    from tourney.alarms.addresses import load_addresses
    from tourney.alarms.watcher import POLL_S, EventWatcher
    from tourney.extras import check_extra

    config = _settings(drawn.file)
    addresses = load_addresses(config, drawn.file.folder, os.environ)  # a mistake is found now, not at night
    check_extra("alarms", "sending messages")
    watcher = EventWatcher(
        drawn,
        config,
        lambda title, body: _send(drawn.file, title, body),
        lambda: monotonic_ns() // 1_000_000,
        clock.wall_ms,
    )
    where = count(len(addresses), "address", "addresses")
    click.echo(f"{drawn.event.name}: watched, messages go to {where} (Ctrl-C ends it)")
    while watcher.step():
        sleep(POLL_S)
    click.echo(f"{drawn.event.name}: the event has ended")
