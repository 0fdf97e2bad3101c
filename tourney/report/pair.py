"""The card of a pair: its boards one by one with what they were worth, its rounds, and its total.

A board is left out until its last table has finished the round in which it plays it, as in `tourney boards`.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Annotated

from tourney.bridge import Side
from tourney.contest import common_entrant
from tourney.event.drawn import DrawnEvent
from tourney.output.rows import ABSENT, INLINE, NOT_IN_CSV, NOTHING, TEXT_ONLY, InCsv, Row
from tourney.output.tables import CsvTable, Part, TextTable, csv_table
from tourney.output.units import CardUnit, SideLetters
from tourney.plurals import count
from tourney.report.outcome import ContractDocument, contract_cells, contract_row
from tourney.report.pair_figures import (
    PairsUnit,
    PairTotalDocument,
    RoundedFigure,
    format_adjusted,
    format_line_percentage,
    line_percentage,
    line_points,
    pairs_unit,
    round_figure,
)
from tourney.report.report import Report
from tourney.report.rulings import CountedRulings, describe_ruling, describe_rulings
from tourney.report.travellers import SCORING_NAMES, format_own_score, star
from tourney.results.travellers import (
    PairRound,
    PlayedLine,
    StageTravellers,
    load_travellers,
)
from tourney.scoring.pairs.field import PairsScoring, PairTotal
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.store.rulings import PENALTIES


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
    line: Annotated[PlayedLine, TEXT_ONLY]
    """The line of its table on the traveller."""
    level: Annotated[Fraction | None, TEXT_ONLY]
    """The exact figure of `running`."""


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
    exact: Annotated[PairTotal, TEXT_ONLY]
    """The exact figures of the total."""


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
    of_stage: Annotated[StageTravellers, TEXT_ONLY]
    """The stage with all its boards."""
    exact: Annotated[PairTotal, TEXT_ONLY]
    """The exact figures of the total."""
    fine: Annotated[Fraction, TEXT_ONLY]
    """The exact figure of the penalties."""

    @property
    def boards_hidden(self) -> int:
        """How many boards it has in the rounds drawn so far that may not be shown yet."""
        rounds = self.of_stage.rounds_of(self.exact.pair)
        return sum(found.match.boards for found in rounds if found.match is not None) - len(self.results)


class PairBoardOfStage(Row):
    """A board of a pair with its stage, in CSV."""

    stage: str
    """The name of the stage."""
    board: Annotated[PairBoardDocument, INLINE]


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
    stages: list[PairStageDocument]
    """The pairs stages in which it plays."""
    matchpoints: Annotated[MatchpointScale, TEXT_ONLY]
    """How the text shows matchpoints."""
    entrant: Annotated[str, TEXT_ONLY]
    """What it is: a `pair`, or a `player` with changing partners."""

    def csv(self) -> CsvTable:
        """Return a row for each board."""
        rows = (PairBoardOfStage(stage.stage, board) for stage in self.stages for board in stage.results)
        return csv_table(PairBoardOfStage, rows)

    def text(self) -> Iterator[Part]:
        """Yield a card for each stage: the place, the boards, the rounds, penalties and rulings."""
        withdrawn = ", withdrawn" if self.withdrawn else ""
        yield f"{self.event}: {self.pair}, {self.entrant} {self.number}{withdrawn}"
        for stage in self.stages:
            if len(self.stages) > 1:
                yield ""
                yield stage.stage
            yield self._describe_place(stage)
            if stage.results:
                yield ""
                yield self._boards_table(stage)
            yield ""
            yield self._rounds_table(stage)
            yield from self._describe_fine(stage)
            yield from describe_rulings(board.rulings for board in stage.results)
            hidden = stage.boards_hidden
            if hidden:
                yield f"{count(hidden, 'board')} still to be played, here or at other tables"

    def _unit(self, stage: PairStageDocument) -> PairsUnit:
        return pairs_unit(stage.of_stage.scoring, self.matchpoints)

    def _describe_place(self, stage: PairStageDocument) -> str:
        """Describe the total: `rank 2= of 8, 14 boards, 47.00 of 84 matchpoints, 55.95 %`."""
        if stage.rank is None:
            return f"no board counts yet, {SCORING_NAMES[stage.scoring]}"
        direction = f" {Side(stage.direction).full_name}" if stage.direction is not None else ""
        ranking = stage.of_stage.ranking_of(self.pair)
        rank = ranking.format_rank(ranking.row_of(self.pair))
        words = f"rank {rank} of {stage.ranked}{direction}, {count(stage.exact.boards, 'board')}"
        unit = self._unit(stage)
        *points, level = unit.total(stage.exact)
        won = "matchpoints" if unit.has_percentages else unit.name
        return f"{words}, {' of '.join(points)} {won}, {level} {unit.level_heading}"

    def _boards_table(self, stage: PairStageDocument) -> TextTable:
        unit = self._unit(stage)
        figures = [f">{unit.name}", *(unit.if_percent(">%", ">Running %") or (">Running",))]
        table = TextTable(
            *(">Round", ">Board", "Against", "As", "Contract", "Lead", ">Tricks", ">Score", *figures),
            worth={"Board": 4, "Against": 4, "Score": 3, "MP": 3, "IMPs": 3, "%": 2, "Contract": 2}
            | {"Running %": 2, "Running": 2, "As": 2, "Tricks": 1},
        )
        for round_, boards in groupby(stage.results, key=lambda board: board.round):
            if table.rows:
                table.add_section()
            for board in boards:
                line, side = board.line, Side(board.direction)
                cells = [
                    str(round_),
                    str(board.board),
                    board.opponents,
                    side.value,
                    *contract_cells(line.result, line.lead),
                ]
                cells += [format_own_score(line, side) + star(line), unit.on_board(line, side)]
                table.add_row(*cells, *unit.if_percent(format_line_percentage(line, side)), unit.level(board.level))
        return table

    def _rounds_table(self, stage: PairStageDocument) -> TextTable:
        unit = self._unit(stage)
        has_partners = stage.of_stage.stage.format.changes_partners
        headings = ["With", "Against"] if has_partners else ["Against"]
        table = TextTable(">Round", ">Table", *headings, "As", ">Boards", *unit.total_headings)
        for each in stage.rounds:
            if each.match is None:
                table.add_row(str(each.round), NOTHING, "sits out")
                continue
            name = f"{each.opponents} (not played)" if each.sits_out else each.opponents or ""
            names = [each.partner, name] if has_partners else [name]
            cells = [str(each.round), str(each.table), *names, each.direction or "", str(each.exact.boards)]
            table.add_row(*cells, *(unit.total(each.exact) if each.exact.level is not None else []))
        return table

    def _describe_fine(self, stage: PairStageDocument) -> Iterator[str]:
        if not stage.penalty_rulings:
            return
        unit, left, available = self._unit(stage), stage.exact.points, stage.exact.available
        won, rest = (unit.points(points, available) for points in (left + stage.fine, left))
        yield f"On the boards {won}, less penalties {unit.fine(stage.fine)}: {rest}"
        for ruling in stage.penalty_rulings:
            yield describe_ruling(ruling)


def load(drawn: DrawnEvent, *, pair: str) -> PairReport:
    """Load the card of a pair, given by its name or its number in the draw.

    Raises:
        ConfigError: something is wrong with the event file, which says how pairs are ranked.
        StoreError: the database cannot be used.
        UsageError: there is no such pair.
    """
    name = drawn.pair_named(pair)
    stages = load_travellers(drawn)
    entered = [stage for stage in stages if name in stage.pairs]
    return PairReport(
        event=drawn.event.name,
        pair=name,
        number=next(team.number for team in drawn.event.teams if team.name == name),
        withdrawn=any(stage.ranking_of(name).is_withdrawn(name) for stage in entered),
        stages=[_stage_row(stage, name) for stage in entered],
        matchpoints=drawn.file.config.reports.matchpoints,
        entrant=common_entrant(stage.stage.format for stage in entered),
    )


def round_row(found: PairRound, pair: str, unit: PairsUnit) -> RoundOfPairDocument:
    """Return a round of a pair."""
    return RoundOfPairDocument(
        round=found.round.number,
        match=found.match.number if found.match is not None else None,
        table=found.table,
        direction=found.side_of(pair),
        opponents=found.opponents_of(pair),
        partner=found.partner_of(pair) or ABSENT,
        sits_out=found.match is None or found.is_missed,
        total=unit.total_row(found.total),
        exact=found.total,
    )


def _stage_row(of_stage: StageTravellers, pair: str) -> PairStageDocument:
    ranking, unit = of_stage.ranking_of(pair), pairs_unit(of_stage.scoring)
    total, fine = of_stage.total_of(pair), of_stage.fines.get(pair, Fraction())
    return PairStageDocument(
        stage=of_stage.stage.name,
        scoring=of_stage.scoring,
        rank=ranking.rank_of(ranking.row_of(pair)),
        ranked=len(ranking.rows),
        direction=ranking.direction,
        total=unit.total_row(total),
        penalties=round_figure(fine),
        penalty_rulings=tuple(ruling for ruling in ranking.rulings_on(pair) if ruling.kind in PENALTIES),
        rounds=[round_row(found, pair, unit) for found in of_stage.rounds_of(pair)],
        results=list(pair_boards(of_stage, pair)),
        of_stage=of_stage,
        exact=total,
        fine=fine,
    )


def pair_boards(of_stage: StageTravellers, pair: str) -> Iterator[PairBoardDocument]:
    """Yield the boards of a pair in the order of play, each with its total up to there."""
    so_far: list[PlayedLine] = []
    unit = pairs_unit(of_stage.scoring)
    for traveller, line in of_stage.lines_of.get(pair, ()):
        so_far.append(line)
        side, score = line.side_of(pair), line.score
        level = of_stage.add_up(pair, so_far).level
        yield PairBoardDocument.from_attributes(
            line,
            board=traveller.board.number,
            round=line.match.round,
            match=line.match.number,
            direction=side,
            opponents=line.pair(side.other),
            played=contract_row(line.result),
            score=score,
            own_score=score if score is None or side is Side.NS else -score,
            points=line_points(line, side),
            top=line.scored.top if line.scored is not None else None,
            percentage=line_percentage(line, side),
            running=unit.round_level(level),
            cancelled=line.is_cancelled,
            adjusted=format_adjusted(line, side) or ABSENT,
            line=line,
            level=level,
        )
