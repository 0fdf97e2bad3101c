"""The score of a field of pairs in files, as a document and as text: the rankings, and every traveller."""

from collections.abc import Iterator
from typing import Annotated

from tourney.bridge import Side
from tourney.formats.adjusted import format_side_result
from tourney.movement.ranking import format_rank
from tourney.output.rows import ABSENT, INLINE, NOTHING, Row
from tourney.output.tables import Part, TextTable
from tourney.plurals import count
from tourney.report.pair_figures import (
    PairInRankingDocument,
    PairsUnit,
    RoundedFigure,
    format_percentage,
    pair_in_ranking,
    pairs_unit,
    ranking_table,
    round_percentage,
    round_points,
)
from tourney.report.report import Report
from tourney.report.travellers import SCORING_NAMES
from tourney.scorefile.match_report import BoardName, FindingDocument, describe_findings, finding_rows
from tourney.scorefile.pairs_score import ScoredPairsFile
from tourney.scoring.pairs.field import ScoredLine, ScoredTraveller


class ScoredPairDocument(Row, kw_only=True):
    """A pair of the field."""

    rank: int | None
    """The rank from 1, in its list; null if no board of it counts."""
    figures: Annotated[PairInRankingDocument, INLINE]
    names: str = ABSENT
    """The names of the pair, if the file has them."""
    section: str = ABSENT
    """The section in which the pair is ranked, where each is compared and ranked by itself."""


class FieldResultDocument(Row, kw_only=True):
    """One result of a board."""

    ns: str | None
    """The North-South pair; null if it is unknown."""
    ew: str | None
    """The East-West pair; null if it is unknown."""
    score: int | None
    """The score of North-South in points; null if there is no score that counts for both sides."""
    ns_points: RoundedFigure | None
    """Matchpoints, two for each result that is beaten, or IMPs of North-South; null if nothing is to compare with."""
    ns_percentage: RoundedFigure | None
    """Matchpoints of North-South as a percentage of the top; null in IMPs."""
    ew_points: RoundedFigure | None
    """Matchpoints or IMPs of East-West; null likewise."""
    ew_percentage: RoundedFigure | None
    """Matchpoints of East-West as a percentage of the top; null in IMPs."""
    adjusted_ns: str = ABSENT
    """What counts for North-South where there is no score: A+, A or A- for an average plus, an average or an average
    minus, or a weighted score such as 60:420/40:-50."""
    adjusted_ew: str = ABSENT
    """The same for East-West, also with North-South's points."""


class FieldBoardDocument(Row):
    """One board with all its results."""

    board: BoardName
    """The board as the file has it, a number where it is one."""
    results: list[FieldResultDocument]
    """The results, in the order of the file."""


class ScoredFieldDocument(Row):
    """A field of pairs in a file, scored."""

    pairs: list[ScoredPairDocument]
    """The pairs, best first; North-South before East-West where they are ranked apart."""
    boards: list[FieldBoardDocument]
    """The boards, by number where each has one."""
    findings: list[FindingDocument]
    """What could not be told from the file, so that not all of it counts for everybody."""


class FieldReport(Report):
    """The field of pairs in files as it is shown."""

    scored: ScoredPairsFile

    def content(self) -> ScoredFieldDocument:
        """Return the pairs and the boards."""
        scored = self.scored
        pairs = [
            ScoredPairDocument(
                rank=ranked.rank,
                figures=pair_in_ranking(ranked.pair, side, ranked.figures),
                names=scored.names_of(ranked.pair) or ABSENT,
                section=section or ABSENT,
            )
            for (section, side), ranking in scored.rankings.items()
            for ranked in ranking
        ]
        travellers = scored.field.travellers
        boards = [FieldBoardDocument(each.traveller.board, list(map(_result_row, each.lines))) for each in travellers]
        return ScoredFieldDocument(pairs, boards, finding_rows(scored.findings))

    def text(self) -> Iterator[Part]:
        """Yield the rankings, then each board."""
        scored, field = self.scored, self.scored.field
        unit = pairs_unit(field.rules.scoring)
        results = sum(len(board.lines) for board in field.travellers)
        yield (
            f"{scored.name}: {SCORING_NAMES[field.rules.scoring]}; {count(len(field.totals), 'pair')}, "
            f"{count(len(field.travellers), 'board')}, {count(results, 'result')}"
        )
        for (section, side), ranking in scored.rankings.items():
            if not ranking:
                continue  # the file names no pair
            yield ""
            heading = [f"Section {section}"] if section else []
            heading += [side.full_name] if side is not None else []
            if heading:
                yield ", ".join(heading)
            rows = [
                (
                    NOTHING if ranked.rank is None else format_rank(ranked.rank, is_shared=ranked.is_shared),
                    f"{ranked.pair} {scored.names_of(ranked.pair)}".rstrip(),
                    ranked.figures,
                )
                for ranked in ranking
            ]
            yield ranking_table("Pair", rows, unit)
        for board in field.travellers:
            yield ""
            top = board.lines[0].top
            yield f"Board {board.traveller.board}{f', top {unit.top(top)}' if top is not None else ''}"
            yield _traveller_table(board, unit)
        if scored.findings:
            yield ""
            yield from describe_findings(scored.findings, "in these results")


def _result_row(line: ScoredLine) -> FieldResultDocument:
    score, own = line.score, line.line
    return FieldResultDocument(
        ns=own.ns or None,
        ew=own.ew or None,
        score=score,
        ns_points=round_points(line.ns, line.top),
        ns_percentage=round_percentage(line.percentage(Side.NS)),
        ew_points=round_points(line.ew, line.top),
        ew_percentage=round_percentage(line.percentage(Side.EW)),
        adjusted_ns=format_side_result(own.ns_result) if score is None else ABSENT,
        adjusted_ew=format_side_result(own.ew_result) if score is None else ABSENT,
    )


def _traveller_table(board: ScoredTraveller, unit: PairsUnit) -> TextTable:
    """Return the results of a board, the best for North-South first."""
    headings = [*(f">{unit.name} {side}" for side in Side), *unit.if_percent(">% NS")]
    table = TextTable("North-South", "East-West", ">Score", *headings)
    for line in sorted(board.lines, key=lambda line: (line.line.group, line.score is None, -(line.score or 0))):
        own = line.line
        counted = dict.fromkeys(map(format_side_result, (own.ns_result, own.ew_result)))
        score = str(line.score) if line.score is not None else " ".join(counted)
        figures = [unit.points(line.points(side), line.top) for side in Side]
        figures += unit.if_percent(format_percentage(line.percentage(Side.NS)))
        table.add_row(own.ns or NOTHING, own.ew or NOTHING, score, *figures)
    return table
