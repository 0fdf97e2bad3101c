"""Travellers of a pairs event: each board with the result of every table, and what it is worth to both pairs.

`tourney boards` shows them. A board is left out until its last table has finished the round in which it plays it.
Lines that no comparison has made are marked: artificial and assigned scores, boards that were cancelled at a table or
not played because a pair has left, and points among fewer results than others (Neuberg).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, Final

from tourney.bridge import Side
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.output.content import BoardLink, EntrantLink, Hands, MatchLink, RoundLink, Title
from tourney.output.rows import ABSENT, INLINE, NOTHING, Cell, Row
from tourney.output.tables import CsvTable, Parts, csv_table, make_table
from tourney.output.units import CardUnit
from tourney.plurals import count, plural
from tourney.results.travellers import PlayedLine, PlayedTraveller, StageTravellers, load_travellers
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.scoring.pairs.traveller import Average
from tourney.views import boards
from tourney.views.boards import BoardComparisons, DealtBoardDocument, dealt_row
from tourney.views.outcome import ContractDocument, contract_row, played_columns
from tourney.views.pair_figures import (
    PairsUnit,
    ResultFigures,
    describe_counted,
    describe_score,
    describe_tops,
    pairs_unit,
    result_figures,
)
from tourney.views.report import Report
from tourney.views.rulings import CountedRulings, describe_rulings

SCORING_NAMES: Final = {
    PairsScoring.MATCHPOINTS: "matchpoints",
    PairsScoring.CROSS_IMPS: "cross-IMPs per comparison",
    PairsScoring.BUTLER: "Butler IMPs",
}


class PlayedResultDocument(Row, kw_only=True):
    """What one table made of a board; contract, declarer, tricks and lead are null without a result there."""

    section: str = ABSENT
    """The letter of the section with whose tables the result is compared; only where sections are compared by
    themselves."""
    round: int
    """The number of the round in which the table played it, counted through the event."""
    table: int
    """The number of the table in the movement."""
    match: int
    """The number of the match, as rulings and exports have it."""
    ns: str
    """The North-South pair."""
    ew: str
    """The East-West pair."""
    played: Annotated[ContractDocument | None, INLINE]
    lead: CardUnit | None
    """The opening lead; null where no card was played."""
    figures: Annotated[ResultFigures, INLINE]
    cancelled: bool
    """Whether the board was cancelled at this table, so that it counts for neither pair."""
    rulings: CountedRulings
    """The rulings that determine what counts."""


class TravelledBoardDocument(Row):
    """A board of a pairs stage."""

    stage: str
    """The name of the stage."""
    dealt: Annotated[DealtBoardDocument, INLINE]
    top: int | None
    """The most matchpoints on the board; null in IMPs, and where sections that are compared apart differ in it."""
    results_compared: int
    """How many results are compared with each other; artificial scores are not among them."""
    neuberg: bool
    """Whether these are fewer than on other boards, so that matchpoints were brought to the same top."""


class PlayedTravellerDocument(Row):
    """A board with the results of all tables."""

    board: Annotated[TravelledBoardDocument, INLINE]
    results: list[PlayedResultDocument]
    """The tables, best for North-South first, then those without a result."""


class TravellersDocument(Row):
    """The travellers of a pairs stage."""

    event: str
    """The name of the event."""
    scoring: PairsScoring
    """How results are compared."""
    boards: list[PlayedTravellerDocument]
    """The boards by number; those that a table still has to play are left out."""


class TravellerResult(Row):
    """A board and the result of a table, in CSV."""

    board: Annotated[TravelledBoardDocument, INLINE]
    result: Annotated[PlayedResultDocument, INLINE]


class TravellersReport(Report):
    """The travellers that were asked for."""

    event: str
    of_stage: StageTravellers
    travellers: tuple[PlayedTraveller, ...]
    asked: str
    """Which boards were asked for, if not all: `board 7`, `round 2`."""
    matchpoints: MatchpointScale

    def content(self) -> TravellersDocument:
        """Return the boards with the result of every table."""
        return TravellersDocument(self.event, self.of_stage.scoring, list(map(traveller_row, self.travellers)))

    def csv(self) -> CsvTable:
        """Return a row for each table of each board."""
        rows = (
            TravellerResult(row.board, result)
            for row in map(traveller_row, self.travellers)
            for result in row.results
        )
        return csv_table(TravellerResult, rows)

    def text(self) -> Parts:
        """Yield each board with its hands and the lines of its tables."""
        of_stage, shown = self.of_stage, len(self.travellers)
        finished = "" if self.asked and shown == 1 else f"{count(shown, 'board')} finished at all tables, "
        yield Title(
            f"{self.event}, {self.asked}" if self.asked else self.event,
            f"{finished}{SCORING_NAMES[of_stage.scoring]}",
        )
        if self.asked and not shown and of_stage.hidden:
            yield "Tables have still to play what was asked for"
        for traveller in self.travellers:
            yield from self.board_text(traveller)
        if of_stage.hidden and not self.asked:
            yield ""
            yield f"{count(of_stage.hidden, 'board')} {plural(of_stage.hidden, 'is', 'are')} still to be played"

    def board_text(self, traveller: PlayedTraveller) -> Parts:
        """Yield a board with its hands, the lines of its tables and the rulings on it."""
        board = traveller.board
        yield Hands(
            board, f"Board {board.number}: dealer {board.dealer.title}, vulnerable {board.vulnerability.value}"
        )
        if traveller.tops:
            unequal = ", for fewer results than other boards have (Neuberg)" if traveller.is_unequal else ""
            yield f"Top {describe_tops(traveller, self._unit)}{unequal}"
        yield make_table(list(self._columns(traveller)), in_order(traveller.lines))
        yield from describe_rulings((line.rulings for line in traveller.lines), self.of_stage.table_names)

    @property
    def _unit(self) -> PairsUnit:
        return pairs_unit(self.of_stage.scoring, self.matchpoints)

    def _columns(self, traveller: PlayedTraveller) -> Iterator[Cell]:
        """Yield the columns of a row for each line."""
        yield Cell("Section", "section", if_any=True)
        yield Cell(">Round", "match.round", to=(RoundLink, "match.round"))
        yield Cell(">Table", "table", to=(MatchLink, "match.number"))
        yield Cell("North-South", "ns", worth=4, to=(EntrantLink, "ns"))
        yield Cell("East-West", "ew", worth=4, to=(EntrantLink, "ew"), tone="team")
        yield from played_columns(lambda line: line, lambda line: link_to_play(traveller, line))
        yield Cell(">Score", format_score, worth=3, words="North-South's")
        yield from self._unit.columns_of_sides(lambda line: line.scored)


def load(
    drawn: DrawnEvent, *, board: int | None = None, round_number: int | None = None
) -> BoardComparisons | TravellersReport:
    """Load the boards of the newest round of matches, or the travellers of a pairs stage that has begun later.

    Args:
        drawn: the event.
        board: the number of the only board that is wanted.
        round_number: another round; of pairs, the boards that were played in it are wanted, with all their tables.

    Raises:
        ConfigError: something is wrong with the event file, which says how pairs are ranked.
        StoreError: the database cannot be used.
        UsageError: there is no such round or board, or the pairs are not known yet.
    """
    drawn.check_round(round_number)
    event, stages = drawn.event, load_travellers(drawn)
    if round_number is not None:
        number = event.all_rounds[round_number - 1].stage
        found = [each for each in stages if each.stage.number == number]
        is_of_matches = number not in [stage.number for stage in event.pairs_stages]
    else:
        found, newest = [each for each in stages if each.travellers], boards.load_newest(drawn)
        is_of_matches = newest is not None and not any(each.stage.rounds[0].number > newest.round for each in found)
        found = found or list(stages[:1])
    if is_of_matches:
        return boards.load(drawn, board=board, round_number=round_number)
    if not found:
        raise UsageError(f"the pairs of {event.name!r} are not known yet: an earlier stage is still to be played")
    of_stage = found[-1]
    numbers = sorted(number for number in of_stage.numbers if round_number in (None, *of_stage.numbers[number]))
    if board is not None:
        place = f"round {round_number}" if round_number is not None else f"stage {of_stage.stage.name!r}"
        boards.check_board(board, numbers, place)
    wanted = [board] if board is not None else numbers
    asked = [f"round {round_number}"] if round_number is not None else []
    asked += [f"board {board}"] if board is not None else []
    return TravellersReport(
        event=event.name,
        of_stage=of_stage,
        travellers=tuple(found for found in of_stage.travellers if found.board.number in wanted),
        asked=", ".join(asked),
        matchpoints=drawn.config.reports.matchpoints,
    )


# Documents


def traveller_row(traveller: PlayedTraveller) -> PlayedTravellerDocument:
    """Return a board with the results of all tables."""
    board = TravelledBoardDocument(
        stage=traveller.stage.name,
        dealt=dealt_row(traveller.set_name, traveller.board),
        top=traveller.top,
        results_compared=traveller.results,
        neuberg=traveller.is_unequal,
    )
    return PlayedTravellerDocument(board, list(map(result_row, in_order(traveller.lines))))


def result_row(line: PlayedLine) -> PlayedResultDocument:
    """Return what one table made of a board."""
    return PlayedResultDocument.from_attributes(
        line,
        round=line.match.round,
        match=line.match.number,
        played=contract_row(line.result),
        figures=result_figures(line.scored),
        cancelled=line.is_cancelled,
        section=line.section or ABSENT,
    )


# Text


def in_order(lines: Sequence[PlayedLine]) -> list[PlayedLine]:
    """Return the lines section by section, best for North-South first, those without points last."""

    def order(line: PlayedLine) -> tuple[bool, str, bool, Fraction, int, int]:
        points = line.scored.ns if line.scored is not None else None
        is_artificial = isinstance(line.counts(Side.NS), Average)
        return points is None, line.section, is_artificial, -(points or Fraction()), line.match.round, line.table

    return sorted(lines, key=order)


def format_score(line: PlayedLine) -> str:
    """Format the score that counts, North-South's: `420`, or `A- A+ *` for sides that differ."""
    return (describe_score(line.scored) or _nothing(line)) + _star(line)


def format_own_score(line: PlayedLine, side: Side) -> str:
    """Format the score that counts for one side as its own: `+420`, `A+ *`; a weighted one is North-South's."""
    made = line.counts(side)
    if made is None or isinstance(made, Average) or len(made) > 1:
        return (describe_counted(line.scored, side) or _nothing(line)) + _star(line)
    own = made[0].score_ns if side is Side.NS else -made[0].score_ns
    return (f"{own:+}" if own else "0") + _star(line)


def _nothing(line: PlayedLine) -> str:
    return "cancelled" if line.is_cancelled else NOTHING


def _star(line: PlayedLine) -> str:
    """Return the mark of a score that a ruling has changed; nothing for any other."""
    return " *" if line.rulings else ""


def link_to_play(traveller: PlayedTraveller, line: PlayedLine) -> BoardLink | None:
    """Return where auction and play at a table are; None without a result there."""
    return BoardLink(line.match.number, traveller.board.number) if line.result is not None else None
