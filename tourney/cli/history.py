"""`tourney lab history`: the duels of a folder, the oldest first, and how strong each version was."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import FILE
from tourney.cli._output import form_options, print_report

if TYPE_CHECKING:
    from tourney.report.history import HistoryReport


@click.command("history")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@form_options
@click.option(
    "--html-file", "html_path", metavar="FILE", type=FILE, help="Write a page with the intervals over time."
)
def history_command(paths: tuple[Path, ...], as_json: bool, as_csv: bool, html_path: Path | None) -> None:
    """Show what the versions of a program have won in their duels.

    \b
    tourney lab history
    tourney lab history duels/ new-v-old.toml --html-file history.html

    PATH is the event file of a duel, or a folder with such files; by default it is this folder. Duels come in the
    order of time. A version is a program of one name whose files were the same: after a change it has a number,
    `new (2)`. Versions that duels join, directly or through others, have a strength against the first of them. Name
    versions with --names when you play them, so that the new one of a duel is the old one of the next.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.cli.duel import check_outputs
    from tourney.lab.history import load_history

    check_outputs({"--html-file": html_path})
    report = load_history(paths or (Path(),))
    if html_path is not None:
        _write_page(report, html_path)
    print_report(report, as_json=as_json, as_csv=as_csv)


def _write_page(report: "HistoryReport", path: Path) -> None:
    from tourney.export.files import PROGRAM, replace_file
    from tourney.runtime import clock
    from tourney.site.rendering import render_history

    with replace_file(path) as file:
        file.write(render_history(report, PROGRAM, clock.wall_ms()).decode())
