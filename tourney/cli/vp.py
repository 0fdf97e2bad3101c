"""`tourney vp`: what a margin in IMPs is worth in victory points."""

from typing import Final

import click

from tourney.cli._common import default_option
from tourney.cli._output import print_text
from tourney.cli._ranges import IntRange
from tourney.errors import ConfigError, UsageError
from tourney.output.rows import Cell
from tourney.output.tables import make_table
from tourney.plurals import count, plural
from tourney.scoring import BOARDS_MAX, SCALE_NAMES, WBF_CONTINUOUS

_IMPS_MAX = 24 * BOARDS_MAX  # no board is worth more than 24


scale_option: Final = default_option(
    "--vp-scale",
    "scale_name",
    type=click.Choice(SCALE_NAMES),
    default=WBF_CONTINUOUS,
    help="Victory point scale; seed-24 is for 24 boards only.",
)


@click.command("vp")
@click.option("--boards", type=IntRange(1, BOARDS_MAX), required=True, help="Boards in the match.")
@scale_option
@click.option(
    "--margin",
    metavar="IMPS",
    type=IntRange(-_IMPS_MAX, _IMPS_MAX),
    help="Margin in IMPs, negative for a lost match. By default the whole table is printed.",
)
def vp_command(boards: int, scale_name: str, margin: int | None) -> None:
    """Print the victory points of a margin, or the table of a scale.

    \b
    tourney vp --boards 24 --margin 15
    tourney vp --boards 16 --vp-scale wbf-discrete
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.scoring.victory_points import format_vp, vp_scale

    try:
        scale = vp_scale(scale_name, boards)
    except ConfigError as error:
        raise UsageError(str(error)) from None
    length = count(scale.boards, "board")
    if margin is not None:
        own, other = map(format_vp, scale.split(margin))
        click.echo(f"{margin} {plural(abs(margin), 'IMP')} over {length}, {scale.name}: {own} - {other}")
        return
    rows = scale.table()
    columns = [
        # The last row also applies to every greater margin.
        Cell(">IMPs", lambda row: f"{row.least_margin}{'+' if row is rows[-1] else ''}"),
        Cell(">Winner", lambda row: format_vp(row.winner)),
        Cell(">Loser", lambda row: format_vp(row.loser)),
    ]
    print_text([f"{length}, {scale.name}", make_table(columns, rows)])
