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
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.alarms.sender import Delivery
    from tourney.config.alarms import AlarmsConfig
    from tourney.event.drawn import DrawnEvent

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
    with open_event(event_path) as drawn:
        if is_list:
            _list(drawn)
            return
        config = drawn.file.config.alarms
        if config is None:
            raise UsageError(f"{event_path} has no section [alarms]")
        if is_test:
            _test(drawn, config)
            return
        try:
            _watch(drawn, config)
        except KeyboardInterrupt:
            raise SystemExit(EXIT_INTERRUPTED) from None


def _send(drawn: "DrawnEvent", config: "AlarmsConfig", title: str, body: str) -> "list[Delivery]":
    from tourney.alarms.addresses import load_addresses
    from tourney.alarms.sender import send_message

    return send_message(load_addresses(config, drawn.file.folder, os.environ), title, body)


def _test(drawn: "DrawnEvent", config: "AlarmsConfig") -> None:
    body = _TEST_TEXT if config.link is None else f"{_TEST_TEXT}\n{config.link}"
    deliveries = _send(drawn, config, f"{drawn.event.name}: test", body)
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


def _watch(drawn: "DrawnEvent", config: "AlarmsConfig") -> None:
    from tourney.alarms.addresses import load_addresses
    from tourney.alarms.watcher import POLL_S, EventWatcher
    from tourney.extras import check_extra

    addresses = load_addresses(config, drawn.file.folder, os.environ)  # a mistake is found now, not at night
    check_extra("alarms", "sending messages")
    watcher = EventWatcher(
        drawn,
        config,
        lambda title, body: _send(drawn, config, title, body),
        lambda: monotonic_ns() // 1_000_000,
        clock.wall_ms,
    )
    click.echo(f"{drawn.event.name}: watched, messages go to {len(addresses)} addresses (Ctrl-C ends it)")
    while watcher.step():
        sleep(POLL_S)
    click.echo(f"{drawn.event.name}: the event has ended")
