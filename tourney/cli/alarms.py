"""`tourney alarms`: tell an organiser who does not look what goes wrong."""

import os
from pathlib import Path
from time import monotonic_ns, sleep
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import EXIT_INTERRUPTED, event_argument, open_event
from tourney.cli._output import Printer
from tourney.errors import LaunchError, UsageError
from tourney.output.rows import NOTHING
from tourney.output.tables import TextTable
from tourney.plurals import count
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.alarms.sender import Delivery
    from tourney.config.alarms import AlarmsConfig
    from tourney.event.drawn import DrawnEvent
    from tourney.event.file import EventFile

_TEST_TEXT: Final = "This is a test: messages about alarms will arrive like this one."


@click.command("alarms")
@event_argument
@click.option("--test", "is_test", is_flag=True, help="Send a test message to each address, and say what came of it.")
@click.option("--list", "is_list", is_flag=True, help="List the alarms on record, with the state of their messages.")
def alarms_command(event_path: Path, is_test: bool, is_list: bool) -> None:
    """Watch an event until it has ended, and send messages when something is wrong.

    EVENT is the path of an event file. `[alarms]` in it has the settings; the addresses are in the file that it
    names, or in the environment variable TOURNEY_ALARMS. `tourney serve` starts this command too. Several watchers
    may watch one event, on several machines: each alarm is sent once.

    Exit status: 0 when the event has ended, 1 when a test message did not reach every address, 130 after Ctrl-C.
    """
    if is_test and is_list:
        raise UsageError("--test sends a message and --list lists alarms: give one of them")
    if is_test:
        _test(event_path)
        return
    with open_event(event_path) as drawn:
        if is_list:
            _list(drawn)
            return
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


def _test(event_path: Path) -> None:
    """Send a test message, which can be done before the event is drawn."""
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


def _list(drawn: "DrawnEvent") -> None:
    from tourney.store.alarms import load_alarms
    from tourney.times import format_second

    alarms = load_alarms(drawn.database, drawn.event.id)
    if not alarms:
        click.echo("no alarms are on record")
        return
    zone = drawn.place.names.zone
    table = TextTable(">No.", "Since", "Over", "Message", "Alarm")
    for alarm in alarms:
        over = format_second(alarm.ended_at_ms, zone) if alarm.ended_at_ms is not None else NOTHING
        message = f"{alarm.state.value}: {alarm.error}" if alarm.error else alarm.state.value
        table.add_row(f"A{alarm.id}", format_second(alarm.raised_at_ms, zone), over, message, alarm.text)
    Printer().print(table)


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
