"""`tourney vp`: what a margin in IMPs is worth in victory points."""

from typing import TYPE_CHECKING

import click

from tourney.errors import ConfigError, UsageError
from tourney.plurals import count, plural
from tourney.scoring import BOARDS_MAX, SCALE_NAMES, WBF_CONTINUOUS

if TYPE_CHECKING:
    from tourney.scoring.victory_points import VpScale

_IMPS_MAX = 24 * BOARDS_MAX  # no board is worth more than 24


@click.command("vp")
@click.option("--boards", type=click.IntRange(1, BOARDS_MAX), required=True, help="Boards in the match.")
@click.option(
    "--scale",
    "scale_name",
    type=click.Choice(SCALE_NAMES),
    default=WBF_CONTINUOUS,
    show_default=True,
    help="Victory point scale; seed-24 is for 24 boards only.",
)
@click.option(
    "--imps",
    "margin",
    type=click.IntRange(-_IMPS_MAX, _IMPS_MAX),
    help="Margin in IMPs, negative for a lost match. By default the whole table is printed.",
)
@click.option("--csv", "as_csv", is_flag=True, help="Print imps,winner,loser for programs.")
def vp_command(boards: int, scale_name: str, margin: int | None, as_csv: bool) -> None:
    """Print the victory points of a margin, or the table of a scale.

    \b
    tourney vp --boards 24 --imps 15
    tourney vp --boards 16 --scale wbf-discrete --csv
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.scoring.victory_points import vp_scale

    try:
        scale = vp_scale(scale_name, boards)
    except ConfigError as error:
        raise UsageError(str(error)) from None
    if as_csv:
        _print_csv(scale, margin)
    elif margin is not None:
        _print_sentence(scale, margin)
    else:
        _print_table(scale)


def _length(scale: "VpScale") -> str:
    return count(scale.boards, "board")


def _print_sentence(scale: "VpScale", margin: int) -> None:
    from tourney.scoring.victory_points import format_vp

    own, other = scale.split(margin)
    unit = plural(abs(margin), "IMP")
    click.echo(f"{margin} {unit} over {_length(scale)}, {scale.name}: {format_vp(own)} - {format_vp(other)}")


def _print_csv(scale: "VpScale", margin: int | None) -> None:
    from tourney.scoring.victory_points import VpRow, format_vp

    rows: list[VpRow] = scale.table() if margin is None else [VpRow(margin, *scale.split(abs(margin)))]
    click.echo("imps,winner,loser")
    for row in rows:
        click.echo(f"{row.imps},{format_vp(row.winner)},{format_vp(row.loser)}")


def _print_table(scale: "VpScale") -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    from tourney.scoring.victory_points import format_vp
    from tourney.terminal import make_rich_console

    table = Table(box=SIMPLE_HEAD)
    for heading in ("IMPs", "Winner", "Loser"):
        table.add_column(heading, justify="right")
    rows = scale.table()
    for row in rows:
        # The last row also applies to every greater margin.
        margin = f"{row.imps}+" if row is rows[-1] else str(row.imps)
        table.add_row(margin, format_vp(row.winner), format_vp(row.loser))
    console = make_rich_console()
    console.print(f"{_length(scale)}, {scale.name}")
    console.print(table)
