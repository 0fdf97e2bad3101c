"""The report of a duel: which of two teams is better, from the boards that they have played so far.

The boards of a duel are divided over matches that are played side by side. They count in the order of their deals,
the first board of each match before the second of any, up to the first that is unfinished; so quick boards do not
overtake slow ones.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, zip_longest
from typing import Annotated, Final

from tourney.bridge import Deal, Side
from tourney.config.stages import StageConfig
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.output.rows import Cell, Row
from tourney.output.tables import Parts, text_table
from tourney.output.units import TeamName
from tourney.plurals import count
from tourney.protocol.session.records import IRREGULARITIES, IncidentKind
from tourney.results.scorecard import Scorecard, load_scorecard
from tourney.scoring.strength.estimate import error_by_deal
from tourney.scoring.strength.sequential import RequiredVerdict, SequentialTest, Swing, Verdict
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.event_results import count_incidents, load_playing_ms
from tourney.store.results.matches import load_board_worths
from tourney.times import format_duration
from tourney.views.analysis import (
    BiddingAndPlay,
    BiddingAndPlayDocument,
    split_swings,
)
from tourney.views.report import Report
from tourney.views.sequential_test import SequentialReport, SequentialTestDocument, run_test
from tourney.views.swings import Swings, find_swings

_MS_OF_HOUR: Final = 3_600_000

SWINGS_SHOWN: Final = 5
FORFEITS_NOTED: Final = Fraction(1, 100)
"""The share of forfeited boards above which the verdict is shown with a warning."""


class ProgramDocument(Row, kw_only=True):
    """What the programs of a team did."""

    team: TeamName
    """The name of the team."""
    forfeited: Annotated[int, Cell(">Boards forfeited")]
    """Boards that the team has lost by a fault of its programs."""
    crashes: Annotated[int, Cell(">Crashes")]
    """How often its programs ended in the middle of a board, those that came back included."""
    over_time: Annotated[int, Cell(">Over time")]
    """Calls and cards that came too late."""
    irregular: Annotated[int, Cell(">Irregular")]
    """Calls and cards that were illegal, or out of turn."""
    thinking_ms: Annotated[
        int, Cell(">Thinking, s a board", lambda row: f"{row.thinking_ms / 1000 / max(row.boards, 1):.2f}")
    ]
    """The time that its programs have taken, over both rooms, in milliseconds."""
    boards: int
    """The boards that count."""

    def plus(self, other: "ProgramDocument") -> "ProgramDocument":
        """Return what they did in both of two duels."""
        figures = {
            field.name: getattr(self, field.name) + getattr(other, field.name)
            for field in self.row_fields()
            if field.name != "team"
        }
        return replace(self, **figures)


class DuelDocument(Row):
    """A duel: the first team against the second."""

    event: str
    """The name of the event."""
    first: str
    """The name of the team that H1 is about."""
    second: str
    """The name of the other team."""
    test: SequentialTestDocument
    """The boards that count, and what they say."""
    in_play: int
    """Boards that are finished and do not count yet, because boards before them are unfinished."""
    playing_ms: int
    """How long boards were played, in milliseconds."""
    bidding_and_play: BiddingAndPlayDocument | None
    """What was won in the auction and what in the play; null unless `tourney analyse` has solved boards."""
    programs: tuple[ProgramDocument, ...]
    """What the programs of both did."""
    swings: Swings
    """The biggest swings of all boards that were finished, those that do not count included."""


OUTCOMES: Final = (
    *("better", "not worse", "not better", "no difference", "worse"),
    *("same", "undecided", "not tested", "in play"),
)
"""What `DuelReport.outcome` may be."""


class DuelReport(Report):
    """A duel as far as it has been played."""

    event: str
    first: str
    second: str
    result: SequentialReport
    """The boards that count, and what they say."""
    in_play: int
    """Boards that are finished and do not count yet, because boards before them are unfinished."""
    programs: tuple[ProgramDocument, ...]
    """What the programs of the first team did, and those of the second."""
    playing_ms: int
    """How long boards were played."""
    bidding_and_play: BiddingAndPlay | None
    """What was won in the auction and what in the play, on boards that have been solved; None without any."""
    swings: Swings
    """The biggest swings."""
    deals: tuple[Deal, ...]
    """The deals of the boards that count, in their order."""

    @property
    def is_tested(self) -> bool:
        """Whether a sequential test decides it; otherwise a fixed number of boards is played."""
        return not self.result.test.is_fixed

    @property
    def verdict(self) -> Verdict:
        """What the boards say so far."""
        return self.result.verdict

    @property
    def outcome(self) -> str:
        """The verdict in a word or two: what the first program is."""
        test = self.result.test
        match self.verdict:
            case Verdict.BETTER:
                return "better" if test.can_tell_better else "not worse"
            case Verdict.NOT_BETTER:
                if test.is_two_sided:
                    return "no difference"
                return "worse" if test.can_tell_worse else "not better"
            case Verdict.WORSE:
                return "worse"
            case Verdict.SAME:
                return "same"
            case Verdict.UNDECIDED:
                return "undecided" if self.is_tested else "not tested"
            case Verdict.CONTINUE:
                return "in play"

    @property
    def is_over(self) -> bool:
        """Whether no further board is needed."""
        return self.verdict is not Verdict.CONTINUE

    def meets(self, required: RequiredVerdict) -> bool:
        """Return whether the boards say so far what is required."""
        return required.is_met(self.result.test, self.verdict)

    def progress(self) -> Iterator[str]:
        """Yield what is shown while the duel goes on."""
        boards, *test = self.result.progress()
        more = self.result.after + self.in_play
        in_play = f" ({more} {'more not counted' if self.is_over else 'in play'})" if more else ""
        yield f"{self.first} v {self.second}  {boards.replace('  won', f'{in_play}  won', 1)}"
        if self.is_tested:
            yield from test

    def content(self) -> DuelDocument:
        """Return all figures."""
        return DuelDocument.from_attributes(
            self,
            test=self.result.content(),
            bidding_and_play=self.bidding_and_play.content() if self.bidding_and_play is not None else None,
        )

    def text(self) -> Parts:
        """Yield the progress, the verdict in words, the estimate, the biggest swings, and what the programs did."""
        yield from self.progress()
        yield self.verdict_text
        yield from self.result.describe_final()
        if self.bidding_and_play is not None:
            yield self.bidding_and_play.text()
        boards = self.result.tally.boards
        for program in self.programs:
            lost = program.forfeited
            if boards and Fraction(lost, boards) > FORFEITS_NOTED:
                what = f"{count(lost, 'board')} by faults of its programs, {100 * lost / boards:.0f} % of all"
                yield f"{program.team} lost {what}: that is in the verdict"
        if self.playing_ms and self.swings.boards:
            pace = round(self.swings.boards * _MS_OF_HOUR / self.playing_ms)
            yield f"played for {format_duration(self.playing_ms)}, {count(pace, 'board')} an hour"
        yield text_table(ProgramDocument, self.programs)
        if self.swings.rows:
            yield from self.swings.text()

    @property
    def verdict_text(self) -> str:
        """The verdict as a sentence."""
        if not self.is_tested and self.is_over:
            return f"All {count(self.result.tally.boards, 'board')} are played"
        return self.result.verdict_text(self.first, self.second)


def load(drawn: DrawnEvent) -> DuelReport:
    """Load the report of a duel.

    Raises:
        ConfigError: something is wrong with the event file.
        StoreError: the database cannot be used.
        UsageError: the event is not a duel.
    """
    stage = drawn.config.stage[0]
    if not stage.format.is_duel:
        raise UsageError(f"{drawn.event.name!r} is not a duel: its first stage is {stage.format.with_article}")
    return load_duel(drawn.database, drawn.event, stage)


def load_duel(database: Database, event: EventInfo, stage: StageConfig) -> DuelReport:
    """Load the report of a duel, given the stage of the event file.

    Args:
        database: has the record.
        event: the duel, as drawn.
        stage: its stage in the event file.

    Raises:
        StoreError: the database cannot be used.
    """
    matches = event.all_rounds[0].matches  # none while the results are frozen
    in_order = sorted(matches, key=lambda match: match.number)
    cards = [load_scorecard(database, event, match, None) for match in in_order]
    swings, deals, finished = _count(cards)
    boards = stage.matches * stage.boards_per_match
    without = SequentialTest(boards_max=boards, is_fixed=True)  # decided by its number of boards
    result = run_test(event.name, SequentialTest.parse(stage.sprt, boards) if stage.sprt else without, swings)
    deals = deals[: len(result.swings)]
    if result.test.is_fixed:
        result = replace(result, error=error_by_deal(result.swings, deals))
    incidents = count_incidents(database, event.id)
    lost, thinking_ms = Counter[str](), Counter[str]()
    for card in cards:
        for board in card.boards:
            lost.update({ruling.team for ruling in board.forfeits})
        for table in card.match.tables:
            thinking_ms.update({table.team(side): card.thinking_ms(table, side) for side in Side})
    programs = (
        ProgramDocument(
            team=name,
            forfeited=lost[name],
            crashes=incidents.get((name, IncidentKind.CRASH), 0),
            over_time=incidents.get((name, IncidentKind.OVER_TIME), 0),
            irregular=sum(incidents.get((name, kind), 0) for kind in IRREGULARITIES),
            thinking_ms=thinking_ms[name],
            boards=result.tally.boards,
        )
        for name in event.team_names
    )
    first, second = event.team_names
    return DuelReport(
        event=event.name,
        first=first,
        second=second,
        result=result,
        in_play=finished - len(swings),
        programs=tuple(programs),
        playing_ms=load_playing_ms(database, event.id),
        bidding_and_play=split_swings((card, load_board_worths(database, card.match.board_set_id)) for card in cards),
        swings=find_swings(event.name, cards, 1, SWINGS_SHOWN),
        deals=tuple(deals),
    )


def _count(cards: Sequence[Scorecard]) -> tuple[list[Swing], list[Deal], int]:
    """Return the swings in the order of the deals up to the first unfinished board, and their deals.

    Cancelled boards are left out. The third figure is how many boards are finished at all.
    """
    swings: list[Swing] = []
    deals: list[Deal] = []
    finished, is_unbroken = 0, True
    for board in chain.from_iterable(zip_longest(*(card.boards for card in cards))):
        compared = board.comparison if board is not None else None
        if compared is None:
            is_unbroken = False
        elif not compared.is_cancelled:
            finished += 1
            if is_unbroken:
                # After a ruling the two teams may score other than opposite figures.
                imps = Fraction(compared.imps_home - compared.imps_away, 2)
                swings.append(int(imps) if imps.denominator == 1 else imps)
                assert board is not None
                assert board.deal is not None  # it has been compared
                deals.append(board.deal)
    return swings, deals, finished
