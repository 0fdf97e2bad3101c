"""`tourney rulings`: what was ruled, and what else a director may want to know."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli.tables_out import CsvTable, form_options, print_report

if TYPE_CHECKING:
    from tourney.cli.output import Printer
    from tourney.movement.seating import Room
    from tourney.store.rulings.verdicts import IncidentInfo, RulingInfo


@click.command("rulings")
@event_argument
@form_options
@click.option("--match", "number", type=int, metavar="N", help="Those of this match only.")
@click.option("--incidents", "with_incidents", is_flag=True, help="List incidents as well; with --csv, instead.")
def rulings_command(event_path: Path, as_json: bool, as_csv: bool, number: int | None, with_incidents: bool) -> None:
    """List the rulings of an event, the newest last.

    EVENT is the path of an event file. Rulings that were withdrawn are listed, and do not count. This is for the
    director: boards that one room still has to play are in it.
    """
    from tourney.cli.output import make_console
    from tourney.report.rulings import rulings_document
    from tourney.store.rulings.rulings import load_incidents, load_match_rulings, load_rulings

    with open_event(event_path, number) as drawn:
        database, event = drawn.database, drawn.event
        match = drawn.match(number) if number is not None else None
        rulings = load_rulings(database, event.id) if match is None else load_match_rulings(database, match)
        incidents = load_incidents(database, event.id, match) if with_incidents else None

    def people() -> None:
        where = event.name if match is None else f"{event.name}, match {match.number}: {match.home} - {match.away}"
        console = make_console()
        console.print(f"{where}: {_how_many(rulings)}")
        if rulings:
            _print_rulings(console, rulings)
        if incidents is not None:
            _print_incidents(console, incidents)

    print_report(
        as_json,
        as_csv,
        document=lambda: rulings_document(event.name, rulings, incidents),
        table=lambda: _csv_table(rulings, incidents),
        people=people,
    )


def _csv_table(rulings: "Sequence[RulingInfo]", incidents: "Sequence[IncidentInfo] | None") -> CsvTable:
    """As in the files of the same names that `tourney export` writes."""
    from tourney.export.csv import INCIDENTS, RULINGS, ruling_row
    from tourney.report.rulings import incident_document

    if incidents is not None:
        return CsvTable(INCIDENTS, map(incident_document, incidents))
    return CsvTable(RULINGS, map(ruling_row, rulings))


def _how_many(rulings: "Sequence[RulingInfo]") -> str:
    from tourney.cli.output import count

    withdrawn = sum(not ruling.is_live for ruling in rulings)
    return count(len(rulings), "ruling", "rulings") + (f", {withdrawn} of them withdrawn" if withdrawn else "")


def _print_rulings(console: "Printer", rulings: "Iterable[RulingInfo]") -> None:
    from tourney.cli.output import make_table
    from tourney.report.rulings import describe_author, describe_cause, describe_kind
    from tourney.report.times import format_local

    table = make_table("When", ">Match", "Room", ">Board", "Team", "What", "Why", "Clause", "Whose", "Withdrawn")
    for ruling in rulings:
        table.add_row(
            format_local(ruling.at_ms),
            *_place(ruling.match, ruling.room, ruling.board),
            ruling.team,
            describe_kind(ruling),
            describe_cause(ruling),
            ruling.law,
            describe_author(ruling),
            _withdrawal(ruling),
        )
    console.print(table)


def _withdrawal(ruling: "RulingInfo") -> str:
    """`2026-11-21 15:00 CET by Jane: heard again`; nothing for a ruling that stands."""
    from tourney.report.times import format_local

    if ruling.withdrawn_at_ms is None:
        return ""
    by = f" by {ruling.withdrawn_by}" if ruling.withdrawn_by else ""
    why = f": {ruling.withdrawn_reason}" if ruling.withdrawn_reason else ""
    return f"{format_local(ruling.withdrawn_at_ms)}{by}{why}"


def _print_incidents(console: "Printer", incidents: "Sequence[IncidentInfo]") -> None:
    from tourney.cli.output import count, make_table
    from tourney.report.times import format_local

    console.print()
    console.print(count(len(incidents), "incident", "incidents"))
    if not incidents:
        return
    table = make_table("When", ">Match", "Room", ">Board", "Seat", "Team", "What", "Text")
    for incident in incidents:
        table.add_row(
            format_local(incident.at_ms),
            *_place(incident.match, incident.room, incident.board),
            incident.seat.title if incident.seat is not None else "",
            incident.team or "",
            incident.kind.value,
            incident.text,
        )
    console.print(table)


def _place(match: int | None, room: "Room | None", board: int | None) -> tuple[str, str, str]:
    """Three cells; what there is not is empty."""
    return (
        str(match) if match is not None else "",
        room.value if room is not None else "",
        str(board) if board is not None else "",
    )
