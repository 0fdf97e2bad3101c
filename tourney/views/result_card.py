"""The result card of a duel: what a paper or a README says of it, and what is needed to play it again.

The standard error is estimated by deal: all boards with the cards of a deal are one observation, however many dealers
and vulnerabilities it was played with. The naive error, as if boards were independent, stands beside it.
"""

import math
import shlex
from collections.abc import Mapping, Sequence
from typing import Annotated, Final

from tourney import __version__
from tourney.bots import STYLES
from tourney.bridge import Board
from tourney.config import CardPlay
from tourney.config.command import own_client_command, player_in
from tourney.config.suites import SUITES, Suite, hash_boards
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import IN_PROCESS
from tourney.output.rows import Unit
from tourney.output.tables import Parts
from tourney.output.units import ImpsABoard
from tourney.protocol.wires import Language
from tourney.scoring.strength.estimate import QUANTILE_95, boards_that_tell, standard_error
from tourney.store.results.matches import load_match_boards
from tourney.views.duel import load as load_duel
from tourney.views.report import Report

DIFFERENCE: Final = 0.1
"""In IMPs a board: what published results are said to differ by."""


class ResultCard(Report):
    """A duel without a sequential test, as far as its boards are played."""

    first: str
    """The name of the first program, whose IMPs these are."""
    second: str
    """The name of the other program."""
    first_digest: str | None
    """The SHA-256 of the files of the first program; null where nobody has noted it."""
    second_digest: str | None
    """That of the other program."""
    suite: str
    """The name of the suite with the beginning of the SHA-256 of its boards, the file of the boards, or the seed that
    they are dealt from."""
    suite_deals: int | None
    """How many deals the suite has; null if it has no name."""
    boards_sha256: str
    """The SHA-256 of the boards that are played: a line each of dealer, vulnerability and deal, in the order of their
    texts."""
    cards: str
    """`played`, or `double-dummy` where auctions alone were played."""
    deals: int
    """Different deals."""
    boards: int
    """Boards that both rooms have finished."""
    imps_a_board: ImpsABoard
    """IMPs a board of the first program."""
    error: Annotated[float, Unit("IMPs a board")]
    """Its standard error by deal."""
    naive_error: Annotated[float, Unit("IMPs a board")]
    """Its standard error as if all boards were independent."""
    boards_needed: int
    """How many such boards show a difference of 0.1 IMPs a board, in 95 % of duels."""
    version: str
    """The version of tourney."""
    command: str
    """Plays the same boards again."""

    def text(self) -> Parts:
        """Yield a table of Markdown."""
        half = QUANTILE_95 * self.error
        interval = f"{self.imps_a_board - half:+.2f} to {self.imps_a_board + half:+.2f}"
        of = "" if self.deals == self.boards else f", of {self.deals} deals"
        yield f"| {self.first} v {self.second} | |"
        yield "| --- | --- |"
        yield f"| IMPs a board | {self.imps_a_board:+.3f} ± {self.error:.3f} (standard error by deal) |"
        yield f"| as if boards were independent | ± {self.naive_error:.3f} |"
        yield f"| interval of 95 % | {interval} |"
        yield f"| boards | {self.boards}{of}; {self.boards_needed} would show a difference of {DIFFERENCE:g} |"
        yield f"| cards | {self.cards} |"
        part = f", {self.deals} of its {self.suite_deals} deals" if self.suite_deals not in (None, self.deals) else ""
        yield f"| suite | {self.suite}{part} |"
        yield f"| boards played | SHA-256 {self.boards_sha256} |"
        for name, digest in ((self.first, self.first_digest), (self.second, self.second_digest)):
            yield f"| {name} | SHA-256 {digest or 'not known'} |"
        yield f"| played by | tourney {self.version}: `{self.command}` |"


def load(drawn: DrawnEvent, digests: Mapping[str, str]) -> ResultCard:
    """Load the result card of a duel; `digests` are the hashes of programs by their names.

    Raises:
        StoreError: the database cannot be used.
        UsageError: the event is no duel, has a sequential test, or too few of its deals are finished.
    """
    report, config = load_duel(drawn), drawn.config
    if report.is_tested:
        raise UsageError(
            f"{report.event!r} has a sequential test, which stops where luck helps: a result card takes a fixed "
            "number of boards (--sprt none)"
        )
    boards = [board for match in drawn.event.matches for board in load_match_boards(drawn.database, match)]
    swings, deals = report.result.swings, report.deals
    error = standard_error(swings, deals)
    if math.isinf(error):
        raise UsageError(f"a result card takes boards of at least 2 deals that are finished, got {len(set(deals))}")
    teams = {team.name: team.command or "" for team in config.team}
    styles = {own_client_command(["--style", style], Language.BLUE_CHIP): style for style in STYLES}
    commands = (teams[report.first], teams[report.second])
    names = [player_in(command) or styles.get(command, command) for command in commands]
    in_process = all(table.host == IN_PROCESS for table in drawn.event.tables)
    label, suite, source = _describe_deals(drawn, boards)
    more = ["--auctions"] if config.deals.cards is CardPlay.DOUBLE_DUMMY else []
    more += ["--in-process"] if in_process else []
    command = ["tourney", "duel", *names, *source, "--boards", str(len(boards)), "--sprt", "none", *more]
    return ResultCard(
        first=report.first,
        second=report.second,
        first_digest=digests.get(report.first),
        second_digest=digests.get(report.second),
        suite=label,
        suite_deals=suite.deals if suite is not None else None,
        boards_sha256=hash_boards(boards),
        cards=config.deals.cards.value,
        deals=len(set(deals)),
        boards=len(swings),
        imps_a_board=report.result.tally.mean,
        error=error,
        naive_error=standard_error(swings, range(len(swings))),
        boards_needed=boards_that_tell(DIFFERENCE, error, len(swings)),
        version=__version__,
        command=shlex.join(command),
    )


def _describe_deals(drawn: DrawnEvent, boards: Sequence[Board]) -> tuple[str, Suite | None, list[str]]:
    """Return what the boards are called, the suite that they are of, and the options that play them again."""
    deals = drawn.config.deals
    if deals.pbn is None:
        return f"seed {deals.seed}", None, ["--seed", str(deals.seed)]
    label = deals.pbn.removeprefix(f"{drawn.path.stem}-").removesuffix(".pbn")  # see `name_boards`
    suite = SUITES.get(label.partition("@")[0])
    if suite is None:
        return deals.pbn, None, ["--deals", deals.pbn]
    if suite.seed is not None:
        return label, suite, ["--suite", label]
    variants = ["--variants"] if len({board.deal for board in boards}) < len(boards) else []
    return label, suite, ["--suite", f"{label}={suite.file}", *variants]
