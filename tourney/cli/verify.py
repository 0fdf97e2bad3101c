"""`tourney verify`: whether the record is unchanged since it was written."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument, match_option, open_event, processes_for
from tourney.cli._output import Printer, form_options, print_csv, print_json
from tourney.plurals import count, plural
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.audit.event import Verification


@click.command("verify")
@event_argument
@form_options
@match_option("Check this match only.")
@click.pass_context
def verify_command(ctx: click.Context, event_path: Path, as_json: bool, as_csv: bool, number: int | None) -> None:
    """Check that the record is complete and that nothing in it was changed.

    EVENT is the path of an event file, whose event may be running. Every call and card is checked against the chain
    of hashes that it was written with. Every board is replayed by the rules, and results and scores of matches are
    computed again. Each row that does not match is listed on a line, or is a row of the CSV table. If there is
    one, the exit status is 1. An SQLite file that is damaged, or was overwritten while the event was played, is
    refused.
    """
    from tourney.audit.event import verify_event
    from tourney.audit.findings import AuditFinding
    from tourney.event.place import check_record
    from tourney.output.tables import csv_table
    from tourney.store.db.maintenance import check_file

    with open_event(event_path, number) as drawn:
        check_file(drawn.database)
        check_record(drawn.place.results, drawn.database, drawn.event.name)
        matches = drawn.event.matches if number is None else (drawn.match(number),)
        outcome = verify_event(
            drawn.database, drawn.event, matches, drawn.scales, clock.wall_ms(), processes_for(matches)
        )
    if as_json:
        print_json(outcome)
    elif as_csv:
        print_csv(csv_table(AuditFinding, outcome.findings))
    else:
        _print(outcome)
    if outcome.findings:
        ctx.exit(1)


def _print(outcome: "Verification") -> None:
    lines = [*(finding.text for finding in outcome.findings), *outcome.notes]
    if outcome.durability == "process":
        lines.append(
            'recorded with durability = "process": a power cut may have taken the last moments of boards in play, '
            "never a finished board"
        )
    records = f"{outcome.records:,} {plural(outcome.records, 'record')}"
    checked, found = count(outcome.boards, "board"), count(len(outcome.findings), "finding")
    console = Printer()
    for line in (*lines, f"{outcome.event}: {records} of {checked} checked, {found}"):
        console.print(line, soft_wrap=True)
