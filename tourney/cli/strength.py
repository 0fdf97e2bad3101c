"""`tourney lab strength`: how much better programs are than others, and how surely, by their IMPs a board."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import FILE, open_event
from tourney.cli._output import form_options, print_report, write_page
from tourney.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tourney.scoring.strength.sequential import SequentialTest
    from tourney.views.report import Report

TWO_SIDED: Final = "two-sided"


@click.command("strength")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--sprt",
    metavar="TEST",
    help="For a list of boards: the test, as `tourney duel` takes it; by default 0,0.5.",
)
@form_options
@click.option(
    "--html-file",
    "html_path",
    metavar="FILE",
    type=FILE,
    help="For duels: write a page with the intervals over time.",
)
def strength_command(
    paths: tuple[Path, ...], sprt: str | None, as_json: bool, as_csv: bool, html_path: Path | None
) -> None:
    """Estimate how strong programs are, from what was played.

    \b
    tourney lab strength club.toml
    tourney lab strength duels/ new-v-old.toml --html-file history.html
    tourney lab strength boards.csv --sprt 0,0.25

    For the file of an EVENT the teams are rated by the IMPs of all boards that both rooms have finished. Each has its
    rating with half of its interval of 95 %, the probability of being better than the next team, and that of being
    the best. It also says how often equal teams would lie as far apart. Errors are estimated by deal, since one deal
    may suit a team at all its tables. Each two teams that have met follow.

    For event files of duels, or a folder with such files, by default this one, the duels come in the order of time.
    A version is a program of one name whose files were the same: after a change it has a number, `new (2)`. Versions
    that duels join, directly or through others, have a strength against the first of them. Name versions with --names
    when you play them, so that the new one of a duel is the old one of the next.

    A CSV file with a column imp is a list of boards, IMPs to the first program. It is run through the sequential test
    in the order of the file, up to the board that decides. --csv then has a row for each board.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.cli.duel import check_output

    check_output("--html-file", html_path)
    is_list = len(paths) == 1 and paths[0].suffix.lower() == ".csv"
    if sprt is not None and not is_list:
        raise UsageError("--sprt is for a list of boards, a CSV file with a column imp")
    report: Report
    if is_list:
        report = _test_list(paths[0], sprt)
    else:
        report = (_rate_event(paths[0]) if len(paths) == 1 and paths[0].is_file() else None) or _history(
            paths or (Path(),), html_path
        )
    print_report(report, as_json=as_json, as_csv=as_csv)


def _test_list(path: Path, sprt: str | None) -> "Report":
    """Return the sequential test of the boards of a CSV file."""
    from tourney.lab.strength import read_imps
    from tourney.views.sequential_test import run_test

    test, swings = make_test(sprt), read_imps(path)
    return run_test(path.stem, replace(test, boards_max=max(test.boards_max, len(swings))), swings)


def _rate_event(path: Path) -> "Report | None":
    """Return the ratings of the teams of an event; None for a duel."""
    from tourney.views.strength import load

    with open_event(path) as drawn:
        if drawn.config.stage[0].format.is_duel:
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
    from tourney.lab.strength import load_history
    from tourney.site.pages.estimates import chart_history

    report = load_history(paths)
    if html_path is not None:
        write_page(report, "Duels", chart_history(report), html_path)
    return report


def make_test(text: str | None, boards_max: int | None = None) -> "SequentialTest":
    """Make the test of `--sprt`.

    Raises:
        UsageError: one sentence on figures that make no test.
    """
    from tourney.scoring.strength.sequential import SequentialTest

    try:
        if text is None:
            return SequentialTest() if boards_max is None else SequentialTest(boards_max=boards_max)
        return SequentialTest.parse(text, boards_max)
    except ConfigError as error:
        raise UsageError(f"--sprt: {error}") from None
