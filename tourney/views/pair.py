"""The card of a pair: its boards one by one with what they were worth, its rounds, and its total.

A board is left out until its last table has finished the round in which it plays it, as in `tourney boards`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from tourney.bridge import Side
from tourney.contest import common_entrant
from tourney.contest.record import Ruling
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import NO_FIGURES
from tourney.output.content import Content, EntrantLink, Heading, Linked, MatchLink, RoundLink, Title, TravellerLink
from tourney.output.rows import ABSENT, INLINE, NOT_IN_CSV, Cell, Row, Unit, document_of
from tourney.output.tables import CsvTable, Parts, csv_row, make_table
from tourney.output.units import CardUnit, SideLetters
from tourney.plurals import count
from tourney.results.standings import Standings
from tourney.results.travellers import PairRound, PlayedLine, PlayedTraveller, StageTravellers, load_travellers
from tourney.scoring.pairs.field import PairsScoring, PairTotal
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.store.draw.objects import EventInfo
from tourney.store.rulings import PENALTIES
from tourney.views.outcome import ContractDocument, contract_row, played_columns
from tourney.views.pair_figures import (
    PairsUnit,
    PairTotalDocument,
    RoundedFigure,
    format_adjusted,
    line_percentage,
    line_points,
    pairs_unit,
    round_figure,
)
from tourney.views.report import Report
from tourney.views.rulings import CountedRulings, describe_rulings
from tourney.views.travellers import SCORING_NAMES, format_own_score, link_to_play


class PairBoardDocument(Row, kw_only=True):
    """A board of a pair; contract, declarer, tricks and lead are null without a result at the table."""

    round: int
    """The number of the round, counted through the event."""
    board: int
    """The number of the board."""
    table: int
    """The number of the table in the movement."""
    match: int
    """The number of the match, as rulings and exports have it."""
    direction: SideLetters
    """The direction of the pair."""
    opponents: str
    """The pair in the other direction."""
    played: Annotated[ContractDocument | None, INLINE]
    lead: CardUnit | None
    """The opening lead; null where no card was played."""
    score: int | None
    """The score of North-South in points that counts; null if there is none that counts for both sides."""
    own_score: int | None
    """The same as the pair's own: positive if it is plus."""
    points: RoundedFigure | None
    """Matchpoints, two for each result that is beaten, or IMPs of the pair; null if nothing counts."""
    top: int | None
    """The most matchpoints on the board; null in IMPs."""
    percentage: RoundedFigure | None
    """Matchpoints as a percentage of the top; null in IMPs."""
    running: RoundedFigure | None
    """The percentage, or the IMPs per board, of the pair over its boards up to this one, without penalties."""
    adjusted: str = ABSENT
    """What counts for the pair where there is no score for both sides: A+, A or A- for an average plus, an average or
    an average minus, or a weighted score such as 60:420/40:-50, in North-South's points."""
    cancelled: bool
    """Whether the board was cancelled at this table."""
    rulings: CountedRulings
    """The rulings that determine what counts."""


class RoundOfPairDocument(Row, kw_only=True):
    """A round of a pair, with what it has won on the boards of it that may be shown."""

    round: int
    """The number of the round, counted through the event."""
    match: int | None
    """The number of the match; null if the pair sits out, like the next three."""
    table: int | None
    """The number of the table in the movement."""
    direction: SideLetters | None
    """The direction of the pair."""
    opponents: str | None
    """The pair in the other direction."""
    partner: Annotated[str, NOT_IN_CSV] = ABSENT
    """The partner in this round of a player who has another one in each; missing otherwise."""
    sits_out: bool
    """Whether the pair sits out, or its opponents have left the event before they met."""
    total: Annotated[PairTotalDocument, INLINE]


class PairStageDocument(Row, kw_only=True):
    """A stage of a pair: its total as in the standings, and what it is made of."""

    stage: str
    """The name of the stage."""
    scoring: PairsScoring
    """How results are compared."""
    rank: int | None
    """The rank from 1, among the pairs of its direction if these are ranked apart; null before a board counts."""
    ranked: int
    """How many pairs are ranked with it."""
    direction: SideLetters | None
    """The direction in which the pair is ranked; null if all pairs are ranked together."""
    total: Annotated[PairTotalDocument, INLINE]
    penalties: RoundedFigure
    """The matchpoints or IMPs that penalties have taken from the total."""
    penalty_rulings: CountedRulings
    """These penalties."""
    rounds: list[RoundOfPairDocument]
    """The rounds."""
    results: list[PairBoardDocument]
    """The boards, in the order in which the pair played them; those that a table still has to play are left out."""


@dataclass(frozen=True, slots=True)
class BoardOfPair:
    """A board that a pair has played."""

    traveller: PlayedTraveller
    line: PlayedLine
    """What its table has on it."""
    side: Side
    """The direction of the pair."""
    level: Fraction | None
    """What it ranks by, over its boards up to this one."""


@dataclass(frozen=True)
class PairInStage:
    """A pair in a stage, with its boards and rounds there."""

    pair: str
    of_stage: StageTravellers
    unit: PairsUnit

    @cached_property
    def ranking(self) -> Standings:
        """The list in which it is ranked."""
        return next(each for each in self.of_stage.rankings if any(row.team == self.pair for row in each.rows))

    @cached_property
    def total(self) -> PairTotal:
        """What it has won, penalties deducted."""
        return self.of_stage.totals.get(self.pair, PairTotal(self.pair, frozenset(), {}))

    @property
    def fine(self) -> Fraction:
        """What penalties have taken from it."""
        return self.of_stage.fines.get(self.pair, Fraction())

    @property
    def penalties(self) -> Sequence[Ruling]:
        """The rulings that have done so."""
        return tuple(ruling for ruling in self.ranking.rulings_on(self.pair) if ruling.kind in PENALTIES)

    @cached_property
    def rounds(self) -> Sequence[PairRound]:
        """Its rounds as far as they are drawn."""
        return self.of_stage.rounds_of(self.pair)

    @cached_property
    def boards(self) -> Sequence[BoardOfPair]:
        """Its boards in the order of play."""
        found, lines = [], []
        for traveller, line in self.of_stage.lines_of.get(self.pair, ()):
            lines.append(line)
            level = self.of_stage.add_up(self.pair, lines).level
            found.append(BoardOfPair(traveller, line, line.side_of(self.pair), level))
        return found

    def content(self) -> PairStageDocument:
        """Return it as a row."""
        ranking, unit = self.ranking, self.unit
        return PairStageDocument(
            stage=self.of_stage.stage.name,
            scoring=self.of_stage.scoring,
            rank=ranking.rank_of(ranking.row_of(self.pair)),
            ranked=len(ranking.rows),
            direction=ranking.direction,
            total=unit.total_row(self.total),
            penalties=round_figure(self.fine),
            penalty_rulings=self.penalties,
            rounds=[round_row(found, unit) for found in self.rounds],
            results=[_board_row(board, unit) for board in self.boards],
        )

    def text(self) -> Parts:
        """Yield the place, the boards, the rounds, penalties and rulings."""
        yield self._describe_place()
        if self.boards:
            yield ""
            yield make_table(
                list(self._board_columns()),
                self.boards,
                caption="Boards that count; scores are the pair's own",
                section_of=lambda board: board.line.match.round,
            )
        yield ""
        yield make_table(list(self._round_columns()), self.rounds, caption="Rounds")
        if self.penalties:
            left, available = self.total.points, self.total.available
            won, rest = (self.unit.points(points, available) for points in (left + self.fine, left))
            yield f"On the boards {won}, less penalties {self.unit.fine(self.fine)}: {rest}"
        on_boards = (board.line.rulings for board in self.boards)
        yield from describe_rulings((self.penalties, *on_boards), self.of_stage.table_names)
        drawn = sum(found.match.boards for found in self.rounds if found.match is not None)
        if drawn > len(self.boards):
            yield f"{count(drawn - len(self.boards), 'board')} still to be played, here or at other tables"

    def _describe_place(self) -> str:
        """Describe the total: `rank 2= of 8, 14 boards, 47.00 of 84 matchpoints, 55.95 %`."""
        ranking, unit = self.ranking, self.unit
        row = ranking.row_of(self.pair)
        if ranking.rank_of(row) is None:
            return f"No board counts yet, {SCORING_NAMES[self.of_stage.scoring]}"
        direction = f" {ranking.direction.full_name}" if ranking.direction is not None else ""
        words = f"Rank {ranking.format_rank(row)} of {len(ranking.rows)}{direction}"
        words += f", {count(self.total.boards, 'board')}, {unit.describe_total(self.total)}"
        figures = row.pairs or NO_FIGURES
        if figures.carried is None:
            return words
        _, carried, result = unit.levels(figures, carries_over=True)
        return f"{words}, and {carried} carried over: {result}"

    def _board_columns(self) -> Iterator[Cell]:
        """Yield the columns of a row for each board."""
        stage, unit = self.of_stage.stage.number, self.unit

        def opponents(board: BoardOfPair) -> str:
            return board.line.pair(board.side.other)

        yield Cell(">Round", "line.match.round", to=(RoundLink, "line.match.round"))
        yield Cell(
            ">Board",
            "traveller.board.number",
            worth=4,
            to=lambda board: TravellerLink(stage, board.traveller.board.number),
        )
        yield Cell("Against", opponents, worth=4, to=lambda board: EntrantLink(opponents(board)))
        yield Cell("As", "side.value")
        yield from played_columns(lambda board: board.line, lambda board: link_to_play(board.traveller, board.line))
        yield Cell(">Score", lambda board: format_own_score(board.line, board.side), worth=3, words="The pair's own")
        yield from unit.board_columns(lambda board: (board.line.scored, board.side))
        yield Cell(unit.running_heading, lambda board: unit.level(board.level))

    def _round_columns(self) -> Iterator[Cell]:
        """Yield the columns of a row for each round."""
        yield Cell(
            ">Round",
            "round.number",
            worth=2,
            to=(RoundLink, "round.number"),
        )
        yield Cell(
            ">Table",
            "table",
            to=lambda found: MatchLink(found.match.number) if found.match is not None else None,
        )
        yield Cell("With", lambda found: _linked(found.partner), if_any=True)
        yield Cell("Against", _opponents, worth=2)
        yield Cell("As", lambda found: found.direction or "")
        yield Cell(">Boards", "total.boards")
        yield from self.unit.total_columns(lambda found: found.total)


def _opponents(found: PairRound) -> Content:
    shown = _linked(found.opponents) or "sits out"
    return (shown, "(not played)") if found.is_missed else shown


def _linked(name: str | None) -> Content:
    return Linked(name, EntrantLink(name)) if name is not None else ""


class PairReport(Report):
    """The card of a pair."""

    event: str
    """The name of the event."""
    pair: str
    """The name of the pair."""
    number: int
    """Its number in the draw."""
    withdrawn: bool
    """Whether it has left the event."""
    stages: Annotated[
        Sequence[PairInStage],
        Unit(form=list[PairStageDocument], json=lambda stages: document_of([each.content() for each in stages])),
    ]
    """The pairs stages in which it plays."""

    def csv(self) -> CsvTable:
        """Return a row for each board."""
        documents = [stage.content() for stage in self.stages]
        rows = ({"stage": each.stage, **csv_row(board)} for each in documents for board in each.results)
        return CsvTable(("stage", *PairBoardDocument.csv_columns()), rows)

    def text(self) -> Parts:
        """Yield a card for each stage."""
        entrant = common_entrant(stage.of_stage.stage.format for stage in self.stages)
        withdrawn = ", withdrawn from the event" if self.withdrawn else ""
        yield Title(f"{self.event}, {self.pair}", f"{entrant} {self.number}{withdrawn}")
        for stage in self.stages:
            if len(self.stages) > 1:
                yield Heading(stage.of_stage.stage.name)
            yield from stage.text()


def load(drawn: DrawnEvent, *, pair: str) -> PairReport:
    """Load the card of a pair, given by its name or its number in the draw.

    Raises:
        ConfigError: something is wrong with the event file, which says how pairs are ranked.
        StoreError: the database cannot be used.
        UsageError: there is no such pair.
    """
    name = drawn.pair_named(pair)
    return card_of(drawn.event, name, load_travellers(drawn), drawn.config.reports.matchpoints)


def card_of(event: EventInfo, pair: str, stages: Sequence[StageTravellers], scale: MatchpointScale) -> PairReport:
    """Return the card of a pair in those stages in which it plays; `scale` is how matchpoints are shown."""
    entered = [PairInStage(pair, stage, pairs_unit(stage.scoring, scale)) for stage in stages if pair in stage.pairs]
    return PairReport(
        event=event.name,
        pair=pair,
        number=next(team.number for team in event.teams if team.name == pair),
        withdrawn=any(stage.ranking.is_withdrawn(pair) for stage in entered),
        stages=entered,
    )


def round_row(found: PairRound, unit: PairsUnit) -> RoundOfPairDocument:
    """Return a round of a pair."""
    return RoundOfPairDocument.from_attributes(
        found,
        round=found.round.number,
        match=found.match.number if found.match is not None else None,
        partner=found.partner or ABSENT,
        sits_out=found.match is None or found.is_missed,
        total=unit.total_row(found.total),
    )


def _board_row(board: BoardOfPair, unit: PairsUnit) -> PairBoardDocument:
    line, side, score = board.line, board.side, board.line.score
    return PairBoardDocument.from_attributes(
        line,
        round=line.match.round,
        board=board.traveller.board.number,
        match=line.match.number,
        direction=side,
        opponents=line.pair(side.other),
        played=contract_row(line.result),
        own_score=score if score is None or side is Side.NS else -score,
        points=line_points(line.scored, side),
        top=line.scored.top if line.scored is not None else None,
        percentage=line_percentage(line.scored, side),
        running=unit.round_level(board.level),
        adjusted=format_adjusted(line.scored, side) or ABSENT,
        cancelled=line.is_cancelled,
    )
