"""`tourney lab plan`: how many boards it takes to tell two programs apart."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import EXISTING_FILE, open_event
from tourney.cli._output import Printer, json_option, print_json
from tourney.errors import ConfigError, UsageError
from tourney.output.rows import Row
from tourney.output.tables import TextTable
from tourney.plurals import count

if TYPE_CHECKING:
    from tourney.scoring.strength.planning import DuelPlan

_MS_OF_HOUR: Final = 3_600_000


class BoardsPlanDocument(Row):
    """The boards that a duel takes if boards spread as given."""

    of: str
    """Where the standard deviation comes from."""
    sd: float
    """The standard deviation of a board, in IMPs."""
    fixed: int
    """Boards of a test of fixed length whose interval has two sides."""
    fixed_one_sided: int
    """Boards of a test of fixed length that asks for one direction."""
    sequential: int
    """Boards that the sequential test takes on average, if the difference is as asked for or 0."""
    sequential_midway: int
    """Boards that it takes on average if the difference is half of that."""


class PlanDocument(Row):
    """How many boards it takes to detect a difference."""

    detect: float
    """The difference, in IMPs a board."""
    power: float
    """How often it is to be detected."""
    plans: list[BoardsPlanDocument]
    """A plan for each standard deviation."""
    pace: float | None
    """Boards an hour, over both rooms, as given or as measured in the event; null if neither is known."""


@click.command("plan")
@click.option(
    "--detect", type=float, metavar="IMPS", default=0.5, show_default=True, help="The difference, in IMPs a board."
)
@click.option(
    "--power", type=float, metavar="P", default=0.95, show_default=True, help="How often it is to be detected."
)
@click.option("--sd", type=float, metavar="IMPS", help="The standard deviation of a board.")
@click.option(
    "--event",
    "event_path",
    metavar="EVENT",
    type=EXISTING_FILE,
    help="Take the standard deviation, and the pace, from the boards of an event that was played.",
)
@click.option("--pace", type=float, metavar="N", help="Boards an hour, over both rooms, to say how long it takes.")
@json_option
def plan_command(
    detect: float, power: float, sd: float | None, event_path: Path | None, pace: float | None, as_json: bool
) -> None:
    """Say how many boards it takes to detect a difference between two programs.

    \b
    tourney lab plan --detect 0.5 --power 0.95
    tourney lab plan --detect 0.25 --event new-v-old.toml

    A board is played in both rooms. Without --sd and --event there is a row for versions of one program, of which
    most boards are played alike, and one for programs of different origin. The sequential test stops when it knows;
    its boards are those it takes on average, if the difference is as asked for or 0, and half-way, about the longest.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.scoring.strength.planning import SD_OF_RELATIVES, SD_OF_STRANGERS, plan_duel

    if sd is not None and event_path is not None:
        raise UsageError("the standard deviation comes from one place: give --sd or --event, got both")
    if pace is not None and not pace > 0:
        raise UsageError(f"--pace is a number of boards an hour above 0, got {pace:g}")
    if sd is not None:
        sources = {"given": sd}
    elif event_path is not None:
        played_sd, played_pace = _measured(event_path)
        sources = {"as played": played_sd}
        pace = pace if pace is not None else played_pace
    else:
        sources = {"versions of one program": SD_OF_RELATIVES, "unrelated programs": SD_OF_STRANGERS}
    try:
        plans = [_plan(name, plan_duel(detect=detect, sd=each, power=power), each) for name, each in sources.items()]
    except ConfigError as error:
        raise UsageError(str(error)) from None
    plan = PlanDocument(detect, power, plans, pace)
    if as_json:
        print_json(plan)
    else:
        _print(plan)


def _measured(path: Path) -> tuple[float, float | None]:
    """Return the standard deviation of the boards of an event, and how many it played an hour if that is known."""
    from tourney.report.strength import load
    from tourney.store.results.event_results import load_playing_ms

    with open_event(path) as drawn:
        report = load(drawn)
        playing_ms = load_playing_ms(drawn.database, drawn.event.id)
    if not report.sd:
        raise UsageError(f"the boards of {path} have no spread to plan with: give --sd")
    return report.sd, len(report.swings) * _MS_OF_HOUR / playing_ms if playing_ms else None


def _plan(of: str, found: "DuelPlan", sd: float) -> BoardsPlanDocument:
    return BoardsPlanDocument(
        of, sd, found.fixed_two_sided, found.fixed_one_sided, found.sequential, found.sequential_midway
    )


def _print(plan: PlanDocument) -> None:
    printer, pace = Printer(), plan.pace
    printer.print(f"Boards to detect a difference of {plan.detect:g} IMPs a board in {100 * plan.power:g} % of duels")
    table = TextTable("Programs", ">SD", ">Fixed, 2 sides", ">Fixed, 1 side", ">Sequential", ">Half-way")
    for each in plan.plans:
        figures = (each.fixed, each.fixed_one_sided, each.sequential, each.sequential_midway)
        table.add_row(each.of, f"{each.sd:.1f}", *map(str, figures))
        if pace is not None:
            table.add_row("", "hours", *(f"{boards / pace:.{1 if boards > pace else 2}f}" for boards in figures))
    printer.print(table)
    if pace is not None:
        printer.print(f"Hours are those at {count(round(pace), 'board')} an hour.")
    if max(each.sequential for each in plan.plans) < 176:
        printer.print(f"A sequential test plays {count(32, 'board')} at least, and until 16 boards had a swing.")
