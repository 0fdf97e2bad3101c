"""The score of a field of pairs in a file: rankings and travellers, as a document and as text.

Inside, all figures are exact. What is shown is rounded to two decimals, exact halves away from average: 50 percent, a
half of the top, or no IMPs (English Bridge Union, White Book 2025, section 4.2.6).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Final, TypeAlias

from tourney.bridge import Deal, Side
from tourney.errors import FormatError
from tourney.formats.adjusted import format_side_result
from tourney.formats.unchecked import SourceFinding
from tourney.movement.pairs.ranking import rank_pairs
from tourney.movement.ranking import format_rank
from tourney.output.rows import ABSENT, INLINE, NOTHING, Row, Unit, document_of
from tourney.output.tables import TextTable
from tourney.output.units import SideLetters
from tourney.plurals import count
from tourney.report.pair_figures import (
    LevelDocument,
    PairsUnit,
    RoundedFigure,
    average_of,
    format_figure,
    format_percentage,
    pairs_unit,
    round_figure,
    round_percentage,
    round_points,
)
from tourney.scorefile.pairs_results import FieldResult, StatedPair, read_field
from tourney.scorefile.score import FileFinding, describe_findings
from tourney.scoring.pairs.field import (
    PairsRules,
    PairsScoring,
    PairTotal,
    ScoredField,
    ScoredLine,
    ScoredTraveller,
    deduct,
    score_field,
)
from tourney.scoring.pairs.traveller import Traveller, TravellerLine

_TITLES: Final = {
    PairsScoring.MATCHPOINTS: "matchpoints",
    PairsScoring.CROSS_IMPS: "cross-IMPs, per comparison",
    PairsScoring.BUTLER: "Butler, IMPs against the mean of each board",
}
_DIRECTIONS: Final = {Side.NS: "North-South", Side.EW: "East-West"}


@dataclass(frozen=True, slots=True)
class RankedPair:
    """A pair with its place; without a place if no board of it counts."""

    rank: int | None
    is_shared: bool
    total: PairTotal


@dataclass(frozen=True)
class ScoredPairsFile:
    """A field of pairs in a file."""

    name: str
    field: ScoredField
    stated: Mapping[str, StatedPair]
    """What the file says of pairs besides their results."""
    sections: Mapping[str, str]
    """The section of each pair, where sections are compared by themselves; otherwise empty."""
    findings: Sequence[FileFinding] = ()
    """What could not be told from the files."""

    @property
    def unit(self) -> PairsUnit:
        """What scores are shown in."""
        return pairs_unit(self.field.rules.scoring)

    def names_of(self, pair: str) -> str:
        """Return the names of a pair; empty if the file has none."""
        stated = self.stated.get(pair)
        return stated.names if stated is not None else ""

    @cached_property
    def rankings(self) -> dict[tuple[str, Side | None], list[RankedPair]]:
        """The rankings by section, empty where all are compared, and direction, if every pair has kept its own."""
        is_one_list = not self.field.has_two_winners or any(pair.direction == "" for pair in self.stated.values())
        sides = (None,) if is_one_list else tuple(Side)
        sections = sorted(set(self.sections.values())) or [""]
        return {(section, side): list(self._rank(section, side)) for section in sections for side in sides}

    def _rank(self, section: str, side: Side | None) -> Iterator[RankedPair]:
        ranked = set[str]()
        pairs = [
            pair
            for pair, total in self.field.totals.items()
            if (side is None or side in total.sides) and self.sections.get(pair, "") == section
        ]
        carried = {pair: stated.carried for pair, stated in self.stated.items() if stated.carried}
        for place in rank_pairs(self.field, pairs, carried=carried).places:
            for tied in self._in_stated_order(place):
                rank = len(ranked) + 1
                ranked.update(tied)
                for pair in tied:
                    yield RankedPair(rank, len(tied) > 1, self.field.totals[pair])
        for pair in pairs:
            if pair not in ranked:
                yield RankedPair(None, is_shared=False, total=self.field.totals[pair])

    def _in_stated_order(self, pairs: Sequence[str]) -> list[list[str]]:
        """Return pairs with the same score in the order of the file's ranking, whose tie-breaks it does not tell."""
        by_rank: defaultdict[int, list[str]] = defaultdict(list)
        for pair in pairs:
            stated = self.stated.get(pair)
            if stated is None or stated.rank is None:
                return [list(pairs)]
            by_rank[stated.rank].append(pair)
        return [by_rank[rank] for rank in sorted(by_rank)]


def score_pairs_files(files: Sequence[tuple[str, bytes]], scoring: PairsScoring | None = None) -> ScoredPairsFile:
    """Score the results of a field in files.

    Args:
        files: what messages call each, and its contents.
        scoring: how; None for what the files say, or else matchpoints.

    Raises:
        FormatError: a file cannot be read, or no board in them has two results.
    """
    read = read_field(files)
    name = files[0][0] if len(files) == 1 else count(len(files), "file")
    boards: defaultdict[str, list[FieldResult]] = defaultdict(list)
    for result in read.results:
        boards[result.board].append(result)
    if max(map(len, boards.values())) == 1:
        raise FormatError(f"{name}: no board has a second result, so there is nothing to compare")
    findings = list(read.findings)
    travellers = []
    for board in _in_order(boards):
        lines, fouled = _in_groups(boards[board])
        findings += fouled
        travellers.append(Traveller(board, lines, boards[board][0].session))
    rules = PairsRules(
        scoring=scoring or read.scoring or PairsScoring.MATCHPOINTS,
        expected=read.expected,
        by_section=read.is_by_section,
    )
    sections = {pair: result.table.section for result in read.results if read.is_by_section for pair in result.pairs}
    penalties = {pair: stated.penalty for pair, stated in read.pairs.items() if stated.penalty}
    return ScoredPairsFile(name, deduct(score_field(travellers, rules), penalties), read.pairs, sections, findings)


def _in_groups(results: Sequence[FieldResult]) -> tuple[tuple[TravellerLine, ...], list[FileFinding]]:
    """Return the lines of a board, in groups where tables had other cards (Law 87), with what is to be said of that.

    A result without its cards counts among those of the deal that most tables had.
    """
    tables = Counter(result.deal for result in results if result.deal is not None)
    firsts: dict[Deal | None, FieldResult] = {}
    for result in results:
        firsts.setdefault(result.deal, result)
    deals: list[Deal | None] = [deal for deal, _ in tables.most_common()]
    findings = []
    for deal in deals[1:]:
        usual, other = firsts[deals[0]], firsts[deal]
        where = f"on line {usual.line}" if usual.file == other.file else f"in {usual.where}"
        text = f"the cards are other ones than {where}: results are compared with those of the same cards"
        findings.append(FileFinding(other.file, SourceFinding(other.line, other.board, None, text)))
    groups = {deal: group for group, deal in enumerate(deals)}
    return tuple(replace(own.table, group=groups.get(own.deal, 0)) for own in results), findings


def _in_order(boards: Iterable[str]) -> list[str]:
    """Return the boards by number where all have one, else in the order of the file."""
    names = list(boards)
    return sorted(names, key=int) if all(map(_is_number, names)) else names


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


# The document


def _number(text: str) -> int | str:
    """Turn a board or a pair into a number where it is one."""
    return int(text) if _is_number(text) and str(int(text)) == text else text


NameInFile: TypeAlias = Annotated[str, Unit(form=int | str, json=_number)]
"""A board or a pair as the file has it, a number where it is one."""


class ScoredPairDocument(Row, kw_only=True):
    """A pair of the field."""

    rank: int | None
    """The rank from 1, in its direction if pairs never changed theirs; null if no board of it counts."""
    pair: NameInFile
    """The pair as the file has it, a number where it is one."""
    direction: SideLetters | None
    """The direction in which the pair is ranked; null if all pairs are ranked together."""
    boards: int
    """How many boards count."""
    total: RoundedFigure
    """Matchpoints, two for each result that is beaten, or IMPs, over all boards."""
    names: str = ABSENT
    """The names of the pair, if the file has them."""
    section: str = ABSENT
    """The section in which the pair is ranked, where each is compared and ranked by itself."""
    carry_over: RoundedFigure = ABSENT
    """What the pair has brought from an earlier stage, in percent or IMPs per board, if the file says so; it counts
    for the rank."""
    level: Annotated[LevelDocument, INLINE]


class FieldResultDocument(Row, kw_only=True):
    """One result of a board."""

    ns: NameInFile | None
    """The North-South pair; null if it is unknown."""
    ew: NameInFile | None
    """The East-West pair; null if it is unknown."""
    score: int | None
    """The score of North-South in points; null if there is no score that counts for both sides."""
    ns_points: RoundedFigure | None
    """Matchpoints or IMPs of North-South; null if there is nothing to compare with."""
    ns_percentage: RoundedFigure | None
    """Matchpoints of North-South as a percentage of the top; null in IMPs."""
    adjusted_ns: str = ABSENT
    """What counts for North-South where there is none: A+, A or A- for an average plus, an average or an average
    minus, or a weighted score such as 60:420/40:-50."""
    adjusted_ew: str = ABSENT
    """The same for East-West, also with North-South's points."""


class TravellerDocument(Row):
    """One board with all its results."""

    board: NameInFile
    """The board as the file has it, a number where it is one."""
    results: list[FieldResultDocument]
    """The results, in the order of the file."""


class FieldFindingDocument(Row):
    """Something that could not be told from a file."""

    file: str
    """The name of the file, as it was given."""
    line: int
    """The line of the file, from 1."""
    board: NameInFile | None
    """The board as the file has it, a number where it is one; null where the file does not say."""
    text: str
    """What it is."""


class ScoredFieldDocument(Row):
    """A field of pairs in a file, scored."""

    pairs: list[ScoredPairDocument]
    """The pairs, best first; North-South before East-West where they are ranked apart."""
    boards: list[TravellerDocument]
    """The boards, by number where each has one."""
    findings: list[FieldFindingDocument] = ABSENT
    """What could not be told from the file, so that not all of it counts for everybody; only if there is anything."""


def pairs_document(scored: ScoredPairsFile) -> Any:  # JSON
    """Make the JSON document of `tourney score --pairs`."""
    pairs = [
        _pair_row(pair, section, side, scored)
        for (section, side), ranking in scored.rankings.items()
        for pair in ranking
    ]
    travellers = scored.field.travellers
    boards = [TravellerDocument(each.traveller.board, list(map(_result_row, each.lines))) for each in travellers]
    findings = [
        FieldFindingDocument(each.file, each.finding.line, each.finding.board, each.finding.text)
        for each in scored.findings
    ]
    return document_of(ScoredFieldDocument(pairs, boards, findings or ABSENT))


def _pair_row(ranked: RankedPair, section: str, side: Side | None, scored: ScoredPairsFile) -> ScoredPairDocument:
    total = ranked.total
    stated = scored.stated.get(total.pair)
    return ScoredPairDocument(
        rank=ranked.rank,
        pair=total.pair,
        direction=side,
        boards=total.boards,
        total=round_figure(total.points, average_of(total.available)),
        names=scored.names_of(total.pair) or ABSENT,
        section=section or ABSENT,
        carry_over=round_figure(stated.carried) if stated is not None and stated.carried else ABSENT,
        level=scored.unit.level_row(total.level),
    )


def _result_row(line: ScoredLine) -> FieldResultDocument:
    score, own = line.score, line.line
    return FieldResultDocument(
        ns=own.ns or None,
        ew=own.ew or None,
        score=score,
        ns_points=round_points(line.ns, line.top),
        ns_percentage=round_percentage(line.percentage(Side.NS)),
        adjusted_ns=format_side_result(own.ns_result) if score is None else ABSENT,
        adjusted_ew=format_side_result(own.ew_result) if score is None else ABSENT,
    )


# The text


def draw_pairs(scored: ScoredPairsFile) -> Iterator[str | TextTable]:
    """Yield the parts of the text: the rankings, then each board."""
    field = scored.field
    results = sum(len(board.lines) for board in field.travellers)
    yield (
        f"{scored.name}: {_TITLES[field.rules.scoring]}; {count(len(field.totals), 'pair')}, "
        f"{count(len(field.travellers), 'board')}, {count(results, 'result')}"
    )
    for (section, side), ranking in scored.rankings.items():
        if not ranking:
            continue  # the file names no pair
        yield ""
        heading = [f"Section {section}"] if section else []
        heading += [_DIRECTIONS[side]] if side is not None else []
        if heading:
            yield ", ".join(heading)
        yield _ranking_table(ranking, scored)
    for board in field.travellers:
        yield ""
        top = board.lines[0].top
        yield f"Board {board.traveller.board}{f', top {top}' if top is not None else ''}"
        yield _traveller_table(board, scored.unit)
    if scored.findings:
        yield ""
        yield from describe_findings(scored.findings, "in these results")


def _ranking_table(ranking: Sequence[RankedPair], scored: ScoredPairsFile) -> TextTable:
    unit = scored.unit
    table = TextTable(">Rank", "Pair", ">Boards", *unit.total_headings)
    for ranked in ranking:
        total = ranked.total
        rank = NOTHING if ranked.rank is None else format_rank(ranked.rank, is_shared=ranked.is_shared)
        pair = f"{total.pair} {scored.names_of(total.pair)}".rstrip()
        table.add_row(rank, pair, str(total.boards), *unit.total(total))
    return table


def _traveller_table(board: ScoredTraveller, unit: PairsUnit) -> TextTable:
    """Return the results of a board, the best for North-South first."""
    figures = (f">{unit.name} {side}" for side in Side)
    table = TextTable("NS", "EW", ">Score", *figures, *unit.if_percent(">% NS"))
    for line in sorted(board.lines, key=_best_first):
        average = average_of(line.top)
        cells = [line.line.ns or NOTHING, line.line.ew or NOTHING, _format_score(line)]
        cells += [format_figure(line.ns, average), format_figure(line.ew, average)]
        table.add_row(*cells, *unit.if_percent(format_percentage(line.percentage(Side.NS))))
    return table


def _best_first(line: ScoredLine) -> tuple[int, bool, int]:
    return line.line.group, line.score is None, -(line.score or 0)


def _format_score(line: ScoredLine) -> str:
    """Format what counts: `420`, or `A+ A-` where there is no score for both sides, North-South's first."""
    if line.score is not None:
        return str(line.score)
    own = dict.fromkeys(map(format_side_result, (line.line.ns_result, line.line.ew_result)))
    return " ".join(own)
