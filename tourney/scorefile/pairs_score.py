"""The score of a field of pairs in files: every traveller, and the rankings. All figures are exact."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from tourney.bridge import Deal, Side
from tourney.errors import FormatError
from tourney.formats.unchecked import SourceFinding
from tourney.movement.pairs.ranking import rank_pairs
from tourney.movement.ranking import PairsFigures
from tourney.plurals import count
from tourney.scorefile.pairs_results import FieldResult, StatedPair, read_field
from tourney.scoring.pairs.field import PairsRules, PairsScoring, ScoredField, deduct, score_field
from tourney.scoring.pairs.traveller import Traveller, TravellerLine


@dataclass(frozen=True, slots=True)
class RankedPair:
    """A pair with its place; without a place if no board of it counts."""

    rank: int | None
    is_shared: bool
    pair: str
    figures: PairsFigures


@dataclass(frozen=True)
class ScoredPairsFile:
    """A field of pairs in a file."""

    name: str
    field: ScoredField
    stated: Mapping[str, StatedPair]
    """What the file says of pairs besides their results."""
    sections: Mapping[str, str]
    """The section of each pair, where sections are compared by themselves; otherwise empty."""
    findings: Sequence[SourceFinding] = ()
    """What could not be told from the files."""

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
        figures = {
            pair: PairsFigures(
                *(total.boards, total.points, total.available, total.level),
                self.field.rules.scoring,
                carried.get(pair),
            )
            for pair, total in self.field.totals.items()
        }
        for place in rank_pairs(self.field, pairs, carried=carried).places:
            for tied in self._in_stated_order(place):
                rank = len(ranked) + 1
                ranked.update(tied)
                for pair in tied:
                    yield RankedPair(rank, len(tied) > 1, pair, figures[pair])
        for pair in pairs:
            if pair not in ranked:
                yield RankedPair(None, is_shared=False, pair=pair, figures=figures[pair])

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


def _in_groups(results: Sequence[FieldResult]) -> tuple[tuple[TravellerLine, ...], list[SourceFinding]]:
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
        findings.append(SourceFinding(other.file, other.line, other.board, None, text))
    groups = {deal: group for group, deal in enumerate(deals)}
    return tuple(replace(own.table, group=groups.get(own.deal, 0)) for own in results), findings


def _in_order(boards: Iterable[str]) -> list[str]:
    """Return the boards by number where all have one, else in the order of the file."""
    names = list(boards)
    return sorted(names, key=int) if all(map(_is_number, names)) else names


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
