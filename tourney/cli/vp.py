"""`tourney vp`: what a margin in IMPs is worth in victory points."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tourney.cli._common import EXISTING_FILE
from tourney.cli._output import Printer
from tourney.cli._ranges import IntRange
from tourney.errors import ConfigError, UsageError
from tourney.output.tables import TextTable
from tourney.plurals import count, plural
from tourney.scoring import BOARDS_MAX, SCALE_NAMES, WBF_CONTINUOUS

if TYPE_CHECKING:
    from tourney.scoring.victory_points import VpScale

_IMPS_MAX = 24 * BOARDS_MAX  # no board is worth more than 24


class _ScaleName(click.Choice[str]):
    """The name of a scale; with an event file, any: its own scales are known only once it has been read."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # as click's
        if ctx is not None and isinstance(ctx.params.get("event_path"), Path):
            return str(value)
        return super().convert(value, param, ctx)


@click.command("vp")
@click.option(
    "--event",
    "event_path",
    type=EXISTING_FILE,
    metavar="EVENT",
    is_eager=True,
    help="An event file: the scale and the boards of its first stage that has them, and its own scales.",
)
@click.option(
    "--boards", type=IntRange(1, BOARDS_MAX), help="Boards in the match; without --event they have to be given."
)
@click.option(
    "--vp-scale",
    "scale_name",
    type=_ScaleName(SCALE_NAMES),
    default=None,
    help=f"Victory point scale, by default {WBF_CONTINUOUS}; seed-24 is for 24 boards only. With --event, also one of"
    " the event's own.",
)
@click.option(
    "--margin",
    metavar="IMPS",
    type=IntRange(-_IMPS_MAX, _IMPS_MAX),
    help="Margin in IMPs, negative for a lost match. By default the whole table is printed.",
)
def vp_command(event_path: Path | None, boards: int | None, scale_name: str | None, margin: int | None) -> None:
    """Print the victory points of a margin, or the table of a scale.

    \b
    tourney vp --boards 24 --margin 15
    tourney vp --boards 16 --vp-scale wbf-discrete
    tourney vp --event club.toml
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.scoring.victory_points import UserTable, vp_scale

    own: Mapping[str, UserTable] = {}
    if event_path is not None:
        from tourney.contest import contest_of
        from tourney.event.file import load_event_file

        config = load_event_file(event_path).config
        own = config.own_scales
        stage = next((each for each in config.stage if contest_of(each.format).has_rooms), None)
        if stage is None:
            raise UsageError(f"{event_path} has no team stage, so no match has victory points", option="--event")
        scale_name = scale_name or stage.vp_scale
        boards = boards or stage.boards_per_match
    if boards is None:
        raise click.MissingParameter(param_hint="'--boards'", param_type="option")
    try:
        scale = vp_scale(scale_name or WBF_CONTINUOUS, boards, own)
    except ConfigError as error:
        raise UsageError(str(error)) from None
    if margin is not None:
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


def _print_table(scale: "VpScale") -> None:
    from tourney.scoring.victory_points import format_vp

    table = TextTable(">IMPs", ">Winner", ">Loser")
    rows = scale.table()
    for row in rows:
        # The last row also applies to every greater margin.
        margin = f"{row.imps}+" if row is rows[-1] else str(row.imps)
        table.add_row(margin, format_vp(row.winner), format_vp(row.loser))
    printer = Printer()
    printer.print(f"{_length(scale)}, {scale.name}")
    printer.print(table)
