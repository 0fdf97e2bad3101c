"""The card of a pair: its boards one by one with what they were worth, its rounds, and its total.

A board is left out until its last table has finished the round in which it plays it, as in `tourney boards`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tourney.bridge import Side
from tourney.event.drawn import DrawnEvent
from tourney.output.rows import ABSENT, INLINE, NOTHING, InCsv, Row
from tourney.output.tables import CsvTable, TextTable, csv_table
from tourney.output.units import CardUnit, SideLetters
from tourney.plurals import count
from tourney.report.outcome import ContractDocument, contract_row, format_outcome
from tourney.report.pair_figures import (
    DIRECTIONS,
    PairsUnit,
    PairTotalDocument,
    RoundedFigure,
    format_adjusted,
    format_line_percentage,
    format_shared_rank,
    line_percentage,
    line_points,
    round_figure,
    round_percentage,
    round_points,
    total_row,
)
from tourney.report.report import Report
from tourney.report.rulings import CountedRulings, describe_ruling
from tourney.report.travellers import SCORING_NAMES, describe_rulings, format_own_score
from tourney.results.travellers import (
    PairRound,
    PlayedLine,
    PlayedTraveller,
    StageTravellers,
    load_travellers,
)
from tourney.scoring.pairs.field import PairsScoring, PairTotal
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.store.rulings import PENALTIES, RulingInfo


class PairBoardDocument(Row, kw_only=True):
    """A board of a pair; contract, declarer, tricks and lead are null without a result at the table."""

    board: Annotated[int, InCsv(after="match")]
    """The number of the board."""
    round: int
    """The number of the round, counted through the event."""
    table: int
    """The number of the table in the movement."""
    match: int
    """The number of the match, as rulings and exports have it."""
    direction: SideLetters
    """The direction of the pair."""
    opponents: str
    """The pair in the other direction."""
    played: Annotated[ContractDocument | None, INLINE]
    lead: Annotated[CardUnit | None, InCsv(after="declarer")]
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
    cancelled: Annotated[bool, InCsv(after="adjusted")]
    """Whether the board was cancelled at this table."""
    rulings: CountedRulings
    """The rulings that determine what counts."""
    adjusted: str = ABSENT
    """What counts for the pair where there is no score for both sides: A+, A or A- for an average plus, an average or
    an average minus, or a weighted score such as 60:420/40:-50, in North-South's points."""


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


class PairCardDocument(Row):
    """The card of a pair."""

    event: str
    """The name of the event."""
    pair: str
    """The name of the pair."""
    number: int
    """Its number in the draw."""
    withdrawn: bool
    """Whether it has left the event."""
    stages: list[PairStageDocument]
    """The stages of pairs in which it plays."""


class PairBoardOfStage(Row):
    """A board of a pair with its stage, in CSV."""

    stage: str
    """The name of the stage."""
    board: Annotated[PairBoardDocument, INLINE]


@dataclass(frozen=True, slots=True)
class PairStage:
    """What a pair has made in a stage."""

    pair: str
    of_stage: StageTravellers
    penalties: tuple[RulingInfo, ...]
    """The penalties that count against it here."""

    @property
    def lines(self) -> Iterator[tuple[PlayedTraveller, PlayedLine, PairTotal]]:
        """Yield its boards in the order of play, each with its total up to there."""
        so_far: list[PlayedLine] = []
        for traveller, line in self.of_stage.lines_of.get(self.pair, ()):
            so_far.append(line)
            yield traveller, line, self.of_stage.add_up(self.pair, so_far)

    @property
    def lines_shown(self) -> int:
        """How many of its boards may be shown."""
        return len(self.of_stage.lines_of.get(self.pair, ()))

    @property
    def boards_hidden(self) -> int:
        """How many boards it has in the rounds drawn so far that may not be shown yet."""
        rounds = self.of_stage.rounds_of(self.pair)
        return sum(found.match.boards for found in rounds if found.match is not None) - self.lines_shown

    @property
    def total(self) -> PairTotal:
        """What it has won, penalties deducted."""
        return self.of_stage.totals.get(self.pair, PairTotal(self.pair, frozenset(), {}))

    @property
    def fine(self) -> Fraction:
        """What penalties have taken from it."""
        return self.of_stage.fines.get(self.pair, Fraction())

    @property
    def rank(self) -> int | None:
        """Its rank; None before a board counts."""
        rows = self.of_stage.ranking_of(self.pair).rows
        return next(row.rank for row in rows if row.team == self.pair) if self.total.level is not None else None


class PairReport(Report):
    """The card of a pair as it is shown."""

    event: str
    pair: str
    number: int
    is_withdrawn: bool
    stages: tuple[PairStage, ...]
    matchpoints: MatchpointScale

    def content(self) -> PairCardDocument:
        """Return the stages of the pair with their rounds and boards."""
        stages = list(map(_stage_row, self.stages))
        return PairCardDocument(self.event, self.pair, self.number, self.is_withdrawn, stages)

    def csv(self) -> CsvTable:
        """Return a row for each board."""
        stages = map(_stage_row, self.stages)
        rows = (PairBoardOfStage(stage.stage, board) for stage in stages for board in stage.results)
        return csv_table(PairBoardOfStage, rows)

    def text(self) -> Iterator[str | TextTable]:
        """Yield a card for each stage: the place, the boards, the rounds, penalties and rulings."""
        withdrawn = ", withdrawn" if self.is_withdrawn else ""
        yield f"{self.event}: {self.pair}, pair {self.number}{withdrawn}"
        for stage in self.stages:
            if len(self.stages) > 1:
                yield ""
                yield stage.of_stage.stage.name
            yield self._describe_place(stage)
            if stage.lines_shown:
                yield ""
                yield self._boards_table(stage)
            yield ""
            yield self._rounds_table(stage)
            yield from self._describe_fine(stage)
            yield from describe_rulings(line.rulings for _, line in stage.of_stage.lines_of.get(stage.pair, ()))
            hidden = stage.boards_hidden
            if hidden:
                yield f"{count(hidden, 'board')} still to be played, here or at other tables"

    def _describe_place(self, stage: PairStage) -> str:
        """Describe the total: `rank 2= of 8, 14 boards, 47.00 of 84 matchpoints, 55.95 %`."""
        total = stage.total
        ranking = stage.of_stage.ranking_of(stage.pair)
        direction = f" {DIRECTIONS[ranking.direction]}" if ranking.direction is not None else ""
        if stage.rank is None:
            return f"no board counts yet, {SCORING_NAMES[stage.of_stage.scoring]}"
        rank = format_shared_rank(stage.rank, (row.rank for row in ranking.rows))
        words = f"rank {rank} of {len(ranking.rows)}{direction}, {count(total.boards, 'board')}"
        *points, level = self._unit(stage).total(total.points, total.available, total.level)
        if stage.of_stage.is_matchpoints:
            return f"{words}, {' of '.join(points)} matchpoints, {level} %"
        return f"{words}, {points[0]} IMPs, {level} per board"

    def _unit(self, stage: PairStage) -> PairsUnit:
        return PairsUnit(stage.of_stage.is_matchpoints, self.matchpoints)

    def _boards_table(self, stage: PairStage) -> TextTable:
        unit, is_matchpoints = self._unit(stage), stage.of_stage.is_matchpoints
        figures = [f">{unit.name}", *([">%", ">Running %"] if is_matchpoints else [">Running"])]
        table = TextTable(
            *(">Round", ">Board", "Against", "As", "Contract", "Lead", ">Tricks", ">Score", *figures),
            worth={"Board": 4, "Against": 4, "Score": 3, "MP": 3, "IMPs": 3, "%": 2, "Contract": 2}
            | {"Running %": 2, "Running": 2, "As": 2, "Tricks": 1},
        )
        before = None
        for traveller, line, so_far in stage.lines:
            if before not in (None, line.match.round):
                table.add_section()
            before = line.match.round
            side = line.side_of(stage.pair)
            result = line.result
            made = format_outcome(result) if result else "not played"
            tricks = str(result.result.tricks) if result and result.result.contract is not None else NOTHING
            cells = [str(line.match.round), str(traveller.board.number), line.pair(side.other), side.value, made]
            cells += [str(line.lead) if line.lead is not None else NOTHING, tricks, format_own_score(line, side)]
            cells.append(unit.on_board(line, side))
            cells += [format_line_percentage(line, side)] if is_matchpoints else []
            table.add_row(*cells, unit.level(so_far.level))
        return table

    def _rounds_table(self, stage: PairStage) -> TextTable:
        unit = self._unit(stage)
        table = TextTable(">Round", ">Table", "Against", "As", ">Boards", *unit.total_headings)
        for found in stage.of_stage.rounds_of(stage.pair):
            if found.match is None:
                table.add_row(str(found.round.number), NOTHING, "sits out")
                continue
            side, total = found.side_of(stage.pair), found.total
            other = found.opponents_of(stage.pair) or ""
            name = f"{other} (not played)" if found.is_missed else other
            cells = [str(found.round.number), str(found.table), name, side.value if side is not None else ""]
            cells.append(str(total.boards))
            cells += unit.total(total.points, total.available, total.level) if total.level is not None else []
            table.add_row(*cells)
        return table

    def _describe_fine(self, stage: PairStage) -> Iterator[str]:
        if not stage.penalties:
            return
        unit, left, available = self._unit(stage), stage.total.points, stage.total.available
        won, rest = (unit.points(points, available) for points in (left + stage.fine, left))
        yield f"On the boards {won}, less penalties {unit.fine(stage.fine)}: {rest}"
        for ruling in stage.penalties:
            yield describe_ruling(ruling)


def load(drawn: DrawnEvent, *, pair: str) -> PairReport:
    """Load the card of a pair, given by its name or its number in the draw.

    Raises:
        ConfigError: something is wrong with the event file, which says how pairs are ranked.
        StoreError: the database cannot be used.
        UsageError: there is no such pair.
    """
    name = drawn.pair_named(pair)
    stages = load_travellers(drawn.database, drawn.event, drawn.ranking_rules, drawn.movements)
    entered = [stage for stage in stages if name in stage.pairs]
    return PairReport(
        event=drawn.event.name,
        pair=name,
        number=next(team.number for team in drawn.event.teams if team.name == name),
        is_withdrawn=any(stage.ranking_of(name).is_withdrawn(name) for stage in entered),
        stages=tuple(
            PairStage(
                name,
                stage,
                tuple(ruling for ruling in stage.ranking_of(name).rulings_on(name) if ruling.kind in PENALTIES),
            )
            for stage in entered
        ),
        matchpoints=drawn.file.config.reports.matchpoints,
    )


# Documents


def round_row(found: PairRound, pair: str, *, is_matchpoints: bool) -> RoundOfPairDocument:
    """Return a round of a pair."""
    return RoundOfPairDocument(
        round=found.round.number,
        match=found.match.number if found.match is not None else None,
        table=found.table,
        direction=found.side_of(pair),
        opponents=found.opponents_of(pair),
        sits_out=found.match is None or found.is_missed,
        total=total_row(found.total, is_matchpoints=is_matchpoints),
    )


def _stage_row(stage: PairStage) -> PairStageDocument:
    of_stage, pair = stage.of_stage, stage.pair
    ranking = of_stage.ranking_of(pair)
    is_matchpoints = of_stage.is_matchpoints
    return PairStageDocument(
        stage=of_stage.stage.name,
        scoring=of_stage.scoring,
        rank=stage.rank,
        ranked=len(ranking.rows),
        direction=ranking.direction,
        total=total_row(stage.total, is_matchpoints=is_matchpoints),
        penalties=round_figure(stage.fine),
        penalty_rulings=stage.penalties,
        rounds=[round_row(found, pair, is_matchpoints=is_matchpoints) for found in of_stage.rounds_of(pair)],
        results=[_board_row(stage, *each) for each in stage.lines],
    )


def _board_row(
    stage: PairStage, traveller: PlayedTraveller, line: PlayedLine, so_far: PairTotal
) -> PairBoardDocument:
    side = line.side_of(stage.pair)
    score = line.score
    is_matchpoints = stage.of_stage.is_matchpoints
    return PairBoardDocument(
        board=traveller.board.number,
        round=line.match.round,
        table=line.table,
        match=line.match.number,
        direction=side,
        opponents=line.pair(side.other),
        played=contract_row(line.result),
        lead=line.lead,
        score=score,
        own_score=score if score is None or side is Side.NS else -score,
        points=line_points(line, side),
        top=line.scored.top if line.scored is not None else None,
        percentage=line_percentage(line, side),
        running=round_percentage(so_far.level) if is_matchpoints else round_points(so_far.level, None),
        cancelled=line.is_cancelled,
        rulings=line.rulings,
        adjusted=format_adjusted(line, side) or ABSENT,
    )
