"""`tourney lab strength`: how much better programs are than others, and how surely, by their IMPs a board."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tourney.cli._common import EXISTING_FILE, open_event
from tourney.cli._output import form_options, print_report
from tourney.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from tourney.scoring.strength.sequential import SequentialTest


_Function = TypeVar("_Function", bound=Callable[..., Any])


def sprt_options(function: _Function) -> _Function:
    """Add `--sprt` (`hypotheses`), `--alpha` and `--beta`, of which `make_test` makes a test."""
    wrongly = "may be accepted wrongly; 0.05 by default."
    for option in (
        click.option("--beta", type=float, metavar="P", help=f"How often D0 {wrongly}"),
        click.option("--alpha", type=float, metavar="P", help=f"How often D1 {wrongly}"),
        click.option(
            "--sprt", "hypotheses", metavar="D0,D1", help="Hypotheses of the test in IMPs a board; 0,0.5 by default."
        ),
    ):
        function = option(function)
    return function


@click.command("strength")
@click.argument("event_path", metavar="[EVENT]", required=False, type=EXISTING_FILE)
@click.option(
    "--imps-file",
    "imps_path",
    metavar="FILE",
    type=EXISTING_FILE,
    help="Instead of an event, test the boards of a CSV file with a column imp: IMPs to the first program.",
)
@sprt_options
@click.option(
    "--boards",
    "cap",
    type=int,
    metavar="N",
    help="The most boards; 4000 by default.",
)
@click.option("--two-sided", "is_two_sided", is_flag=True, help="Either program may turn out to be the better one.")
@form_options
def strength_command(
    event_path: Path | None,
    imps_path: Path | None,
    hypotheses: str | None,
    alpha: float | None,
    beta: float | None,
    cap: int | None,
    is_two_sided: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Estimate how much better programs are than others.

    \b
    tourney lab strength club.toml
    tourney lab strength --imps-file boards.csv --sprt 0,0.5 --csv

    For EVENT, the path of an event file, the teams are rated by the IMPs of all boards that both rooms have finished.
    Each has its rating with half of its interval of 95 %, the probability of being better than the next team, and
    that of being the best. It also says how often equal teams would lie as far apart. Errors are estimated by deal,
    since one deal may suit a team at all its tables. Each two teams that have met follow. With --imps-file, a list of
    boards is run through the sequential test in the order of the file, up to the board that decides. --csv then has a
    row for each board.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    of_test = {
        "--sprt": hypotheses,
        "--alpha": alpha,
        "--beta": beta,
        "--boards": cap,
        "--two-sided": is_two_sided or None,
    }
    if (event_path is None) == (imps_path is None):
        raise UsageError(f"give EVENT or --imps-file FILE, got {'neither' if event_path is None else 'both'}")
    if imps_path is None:
        assert event_path is not None
        given = next((option for option, value in of_test.items() if value is not None), None)
        if given is not None:
            raise UsageError(f"{given} is for the test of a list of boards: give --imps-file FILE as well")
        from tourney.report.strength import load

        with open_event(event_path) as drawn:
            report = load(drawn)
            if not report.swings:
                raise UsageError(
                    f"strength is estimated from boards that two teams have played in both rooms at IMPs, and "
                    f"{drawn.event.name!r} has none so far"
                )
            print_report(report, as_json=as_json, as_csv=as_csv)
        return
    from tourney.lab.imps_file import read_imps
    from tourney.report.sequential_test import run_test

    test = make_test(hypotheses, alpha, beta, cap, is_two_sided=is_two_sided)
    print_report(run_test(imps_path.stem, test, read_imps(imps_path)), as_json=as_json, as_csv=as_csv)


def make_test(
    hypotheses: str | None, alpha: float | None, beta: float | None, cap: int | None, *, is_two_sided: bool
) -> "SequentialTest":
    """Make a test of what the options say; None stands for an option that was not given.

    Raises:
        UsageError: one sentence on figures that make no test.
    """
    from tourney.scoring.strength.sequential import SequentialTest

    usual = SequentialTest()
    d0, d1 = usual.d0, usual.d1
    if hypotheses is not None:
        try:
            d0, d1 = (float(text) for text in hypotheses.split(","))
        except ValueError:
            raise UsageError(f"--sprt: two differences in IMPs a board, such as 0,0.5, got {hypotheses!r}") from None
    try:
        return SequentialTest(
            d0=d0,
            d1=d1,
            alpha=usual.alpha if alpha is None else alpha,
            beta=usual.beta if beta is None else beta,
            boards_max=usual.boards_max if cap is None else cap,
            is_two_sided=is_two_sided,
        )
    except ConfigError as error:
        raise UsageError(str(error)) from None
