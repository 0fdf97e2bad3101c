"""`tourney status`: what needs the director, what is being played, and how far the event has progressed."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import Printer, director_option, form_options, print_csv, print_json
from tourney.output.rows import NOTHING
from tourney.output.tables import TextTable
from tourney.plurals import count
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.report.status import EventStatus


@click.command("status")
@event_argument
@form_options
@director_option("what tables wait for, and the latest call or card")
def status_command(event_path: Path, as_json: bool, as_csv: bool, is_director: bool) -> None:
    """Show the state of a running event: what needs the director first, then the tables in play.

    EVENT is the path of an event file. The CSV table has a row per table, including finished tables and those to
    come. Turns, waits, questions to the operator and the latest call or card are for the director alone: another
    table may have the board still to play. `watch -n 1 tourney status EVENT` shows it again every second.
    """
    from tourney.report.status import status_csv, status_document

    with open_event(event_path) as drawn:
        if as_json:
            print_json(status_document(_load(drawn, is_director=is_director)))
        elif as_csv:
            print_csv(status_csv(_load(drawn, is_director=is_director)))
        else:
            _print(Printer(), _load(drawn, is_director=is_director))


def _load(drawn: "DrawnEvent", *, is_director: bool) -> "EventStatus":
    from tourney.coordinator.run_lease import load_event_status
    from tourney.report.status import for_watchers

    status = load_event_status(drawn, clock.wall_ms())
    return status if is_director else for_watchers(status)


def _print(console: Printer, status: "EventStatus") -> None:
    for part in _view(status):
        console.print(part)


def _view(status: "EventStatus") -> list[str | TextTable]:
    from tourney.report.status import alarm_lines, live_table

    counts = ", ".join(f"{number} {state.value}" for state, number in status.counts.items())
    over = ""
    if not status.is_run_going and not status.is_over:
        over = "; no run is in progress"
        if status.hosts_left:
            hosts = count(status.hosts_left, "table host plays", "table hosts play")
            over += f", {hosts} on: `tourney run` takes them over"
    parts: list[str | TextTable] = [f"{status.event}: tables {counts}{over}"]
    parts += [f"  {line}" for line in alarm_lines(status.alarms, is_whole=status.is_all_held)]
    if status.durability == "process":
        parts.append('  record: a power cut may take the last moments of boards in play (durability = "process")')
    if status.workers or any(host.address for host in status.hosts):
        parts += ["", _machines(status)]
    if status.tunnels:
        parts += ["", _tunnels(status)]
    if status.live:
        parts += ["", live_table(status)]
        if not status.is_for_director:
            parts += ["", "turns, waits, questions and the latest calls and cards: `tourney status --director`"]
    return parts


def _tunnels(status: "EventStatus") -> TextTable:
    """Return the tunnels by which teams play from elsewhere now, or did until a moment ago."""
    from tourney.times import format_duration

    table = TextTable("Team", "Plays from", ">Since", ">Heard", ">Resumed")
    for tunnel in status.tunnels:
        since, heard = (
            format_duration(max(0, status.at_ms - at_ms)) for at_ms in (tunnel.opened_at_ms, tunnel.seen_at_ms)
        )
        resumed = count(tunnel.resumes, "time")
        table.add_row(tunnel.team, tunnel.address, f"{since} ago", f"{heard} ago", resumed)
    return table


def _machines(status: "EventStatus") -> TextTable:
    """Return the workers of a cluster, and the hosts on other machines that no worker has started."""
    from tourney.times import format_duration

    def ago(then_ms: int) -> str:
        return f"{format_duration(max(0, status.at_ms - then_ms))} ago"

    table = TextTable("Worker", "Address", ">Hosts", ">Tables", ">Load", ">Last word", "State")
    for worker in status.workers:
        hosts = status.hosts_on(worker)
        load = f"{worker.load_percent} %" if worker.load_percent is not None else NOTHING
        tables = f"{len(status.tables_of(hosts))}/{worker.tables}"
        state = "draining" if worker.is_draining and worker.state == "working" else worker.state.value
        words = state
        table.add_row(worker.name, worker.address, str(len(hosts)), tables, load, ago(worker.heard_at_ms), words)
    for host in status.hosts:
        if host.worker is None and host.address is not None:
            machine = host.process.machine if host.process is not None else host.name
            tables, state = str(len(status.tables_of([host]))), "draining" if host.is_draining else "working"
            table.add_row(machine, host.address, "1", tables, NOTHING, ago(host.beat_at_ms), state)
    return table
