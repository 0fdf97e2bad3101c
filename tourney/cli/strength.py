"""`tourney lab strength`: how much better programs are than others, and how surely, by their IMPs a board."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import FILE, open_event
from tourney.cli._output import form_options, print_report, write_page
from tourney.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tourney.report.report import Report


@click.command("strength")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@form_options
@click.option(
    "--html-file",
    "html_path",
    metavar="FILE",
    type=FILE,
    help="For duels: write a page with the intervals over time.",
)
def strength_command(paths: tuple[Path, ...], as_json: bool, as_csv: bool, html_path: Path | None) -> None:
    """Estimate how strong programs are, from what was played.

    \b
    tourney lab strength club.toml
    tourney lab strength duels/ new-v-old.toml --html-file history.html

    For the file of an EVENT the teams are rated by the IMPs of all boards that both rooms have finished. Each has its
    rating with half of its interval of 95 %, the probability of being better than the next team, and that of being
    the best. It also says how often equal teams would lie as far apart. Errors are estimated by deal, since one deal
    may suit a team at all its tables. Each two teams that have met follow.

    For event files of duels, or a folder with such files, by default this one, the duels come in the order of time.
    A version is a program of one name whose files were the same: after a change it has a number, `new (2)`. Versions
    that duels join, directly or through others, have a strength against the first of them. Name versions with --names
    when you play them, so that the new one of a duel is the old one of the next.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.cli.duel import check_output

    check_output("--html-file", html_path)
    report = (_rate_event(paths[0]) if len(paths) == 1 and paths[0].is_file() else None) or _history(
        paths or (Path(),), html_path
    )
    print_report(report, as_json=as_json, as_csv=as_csv)


def _rate_event(path: Path) -> "Report | None":
    """Return the ratings of the teams of an event; None for a duel."""
    from tourney.report.strength import load

    with open_event(path) as drawn:
        if drawn.file.config.stage[0].format.is_duel:
            return None
        report = load(drawn)
        if not report.swings:
            raise UsageError(
                f"strength is estimated from boards that two teams have played in both rooms at IMPs, and "
                f"{drawn.event.name!r} has none so far"
            )
        return report


def _history(paths: "Iterable[Path]", html_path: Path | None) -> "Report":
    """Return what the versions of programs have won in their duels; a page of it is written if it is wanted."""
    from tourney.lab.history import load_history

    report = load_history(paths)
    if html_path is not None:
        write_page("history.html", report, html_path)
    return report
