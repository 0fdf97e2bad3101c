"""A field of pairs in files, scored: every traveller, and the rankings. All figures are exact."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, NamedTuple

from tourney.bridge import Deal, Side
from tourney.errors import FormatError
from tourney.formats.unchecked import SourceFinding
from tourney.movement.pairs.ranking import rank_pairs
from tourney.movement.ranking import PairsFigures, format_rank
from tourney.output.content import Heading
from tourney.output.rows import ABSENT, INLINE, NOTHING, Cell, Row
from tourney.output.tables import Part, TextTable, make_table
from tourney.plurals import count
from tourney.scorefile.match import BoardName, FindingDocument, describe_findings, finding_rows
from tourney.scorefile.pairs_results import FieldFile, FieldResult, StatedPair, find_results
from tourney.scorefile.records import ReadFiles
from tourney.scoring.pairs.field import (
    PairsRules,
    PairsScoring,
    ScoredField,
    ScoredLine,
    ScoredTraveller,
    deduct,
    score_field,
)
from tourney.scoring.pairs.traveller import Traveller, TravellerLine
from tourney.views.pair_figures import (
    PairInRankingDocument,
    PairsUnit,
    ResultFigures,
    describe_score,
    pair_in_ranking,
    pairs_unit,
    ranking_columns,
    result_figures,
)
from tourney.views.report import Report
from tourney.views.travellers import SCORING_NAMES


class RankedPair(NamedTuple):
    """A pair with its place; without a place if no board of it counts."""

    rank: int | None
    is_shared: bool
    pair: str
    names: str
    """Its names; empty if the file has none."""
    figures: PairsFigures

    @property
    def place(self) -> str:
        """The rank as people read it."""
        return NOTHING if self.rank is None else format_rank(self.rank, is_shared=self.is_shared)


class FieldRanking(NamedTuple):
    """The ranking of a list. The section is empty where all are compared; the side None where some changed it."""

    section: str
    side: Side | None
    pairs: list[RankedPair]


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
    figures: Annotated[ResultFigures, INLINE]


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
    """The field of pairs in files, scored."""

    name: str
    """What the text calls the files."""
    field: ScoredField
    rankings: list[FieldRanking]
    """North-South before East-West where pairs have kept their directions."""
    findings: list[SourceFinding]
    """What could not be told from the files."""

    def content(self) -> ScoredFieldDocument:
        """Return the pairs and the boards."""
        pairs = [
            ScoredPairDocument(
                rank=ranked.rank,
                figures=pair_in_ranking(ranked.pair, ranking.side, ranked.figures),
                names=ranked.names or ABSENT,
                section=ranking.section or ABSENT,
            )
            for ranking in self.rankings
            for ranked in ranking.pairs
        ]
        boards = [
            FieldBoardDocument(each.traveller.board, list(map(_result_row, each.lines)))
            for each in self.field.travellers
        ]
        return ScoredFieldDocument(pairs, boards, finding_rows(self.findings))

    def text(self) -> Iterator[Part]:
        """Yield the rankings, then each board."""
        field = self.field
        unit = pairs_unit(field.rules.scoring)
        results = sum(len(board.lines) for board in field.travellers)
        yield (
            f"{self.name}: {SCORING_NAMES[field.rules.scoring]}; {count(len(field.totals), 'pair')}, "
            f"{count(len(field.travellers), 'board')}, {count(results, 'result')}"
        )
        for section, side, pairs in self.rankings:
            words = [f"Section {section}"] if section else []
            words += [side.full_name] if side is not None else []
            if pairs:  # else the file names no pair
                yield Heading(", ".join(words)) if words else ""
                columns = [
                    Cell(">Rank", "place", worth=3),
                    Cell("Pair", lambda each: f"{each.pair} {each.names}".rstrip(), worth=3),
                    *ranking_columns(unit, lambda each: each.figures, carries_over=False),
                ]
                yield make_table(columns, pairs)
        for board in field.travellers:
            top = board.lines[0].top
            yield Heading(f"Board {board.traveller.board}{f', top {unit.top(top)}' if top is not None else ''}")
            yield _traveller_table(board, unit)
        if self.findings:
            yield ""
        yield from describe_findings(self.findings, "in these results")


def score_pairs(read: ReadFiles, scoring: PairsScoring | None = None) -> FieldReport:
    """Score the results of a field in files.

    Args:
        read: the files.
        scoring: how; None for what the files say, or else matchpoints.

    Raises:
        FormatError: a result cannot be read, or no board has two.
    """
    found = find_results(read)
    boards: defaultdict[str, list[FieldResult]] = defaultdict(list)
    for result in found.results:
        boards[result.board].append(result)
    if max(map(len, boards.values())) == 1:
        raise FormatError(f"{read.name}: no board has a second result, so there is nothing to compare")
    findings = list(found.findings)
    # By number where all have one, else in the order of the file.
    is_numbered = all(board.isascii() and board.isdigit() for board in boards)
    travellers = [
        Traveller(board, tuple(_in_groups(boards[board], findings)), boards[board][0].session)
        for board in (sorted(boards, key=int) if is_numbered else boards)
    ]
    rules = PairsRules(
        scoring=scoring or found.scoring or PairsScoring.MATCHPOINTS,
        expected=found.expected,
        by_section=found.is_by_section,
    )
    penalties = {pair: stated.penalty for pair, stated in found.pairs.items() if stated.penalty}
    scored = deduct(score_field(travellers, rules), penalties)
    return FieldReport(read.name, scored, list(_rankings(scored, found)), findings)


def _rankings(field: ScoredField, found: FieldFile) -> Iterator[FieldRanking]:
    is_one_list = not field.has_two_winners or any(pair.direction == "" for pair in found.pairs.values())
    section_of = defaultdict[str, str](str)
    if found.is_by_section:
        section_of |= {pair: result.table.section for result in found.results for pair in result.pairs}
    for section in sorted(set(section_of.values())) or [""]:
        for side in (None,) if is_one_list else Side:
            pairs = [
                pair
                for pair, total in field.totals.items()
                if (side is None or side in total.sides) and section_of[pair] == section
            ]
            yield FieldRanking(section, side, list(_rank(field, found.pairs, pairs)))


def _rank(field: ScoredField, stated: Mapping[str, StatedPair], pairs: Sequence[str]) -> Iterator[RankedPair]:
    carried = {pair: said.carried for pair, said in stated.items() if said.carried}
    places = [
        tied for place in rank_pairs(field, pairs, carried=carried).places for tied in _in_stated_order(place, stated)
    ]
    ranked = {pair for place in places for pair in place}
    rank = 1
    for place in (*places, *([pair] for pair in pairs if pair not in ranked)):
        for pair in place:
            total = field.totals[pair]
            figures = PairsFigures(
                *(total.boards, total.points, total.available, total.level), field.rules.scoring, carried.get(pair)
            )
            names = stated[pair].names if pair in stated else ""
            yield RankedPair(rank if pair in ranked else None, len(place) > 1, pair, names, figures)
        rank += len(place)


def _in_stated_order(pairs: Sequence[str], stated: Mapping[str, StatedPair]) -> list[list[str]]:
    """Return pairs with the same score in the order of the file's ranking, whose tie-breaks it does not tell."""
    by_rank: defaultdict[int, list[str]] = defaultdict(list)
    for pair in pairs:
        rank = stated[pair].rank if pair in stated else None
        if rank is None:
            return [list(pairs)]
        by_rank[rank].append(pair)
    return [by_rank[rank] for rank in sorted(by_rank)]


def _in_groups(results: Sequence[FieldResult], findings: list[SourceFinding]) -> Iterator[TravellerLine]:
    """Yield the lines of a board, in groups where tables had other cards (Law 87); `findings` receives that.

    A result without its cards counts among those of the deal that most tables had.
    """
    tables = Counter(result.deal for result in results if result.deal is not None)
    firsts: dict[Deal | None, FieldResult] = {}
    for result in results:
        firsts.setdefault(result.deal, result)
    groups: dict[Deal | None, int] = {deal: group for group, (deal, _) in enumerate(tables.most_common())}
    for deal in list(groups)[1:]:
        usual, other = firsts[next(iter(groups))], firsts[deal]
        where = f"on line {usual.line}" if usual.file == other.file else f"in {usual.where}"
        text = f"the cards are other ones than {where}: results are compared with those of the same cards"
        findings.append(SourceFinding(other.file, other.line, other.board, None, text))
    for result in results:
        yield replace(result.table, group=groups.get(result.deal, 0))


def _result_row(line: ScoredLine) -> FieldResultDocument:
    return FieldResultDocument(ns=line.line.ns or None, ew=line.line.ew or None, figures=result_figures(line))


def _traveller_table(board: ScoredTraveller, unit: PairsUnit) -> TextTable:
    """Return the results of a board, the best for North-South first."""
    columns = [
        Cell("North-South", lambda line: line.line.ns or NOTHING),
        Cell("East-West", lambda line: line.line.ew or NOTHING),
        Cell(">Score", describe_score),
        *unit.columns_of_sides(lambda line: line),
    ]
    lines = sorted(board.lines, key=lambda line: (line.line.group, line.score is None, -(line.score or 0)))
    return make_table(columns, lines)
