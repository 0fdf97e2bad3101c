"""The score of a field of pairs in a file: rankings and travellers, as a document and as text.

Inside, all figures are exact. What is shown is rounded to two decimals, exact halves away from average: 50 percent, a
half of the top, or no IMPs (English Bridge Union, White Book 2025, section 4.2.6).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NotRequired

from typing_extensions import TypedDict

from tourney.bridge import Side
from tourney.errors import FormatError
from tourney.movement.pairs.ranking import rank_pairs
from tourney.plurals import count
from tourney.report.pair_figures import (
    RoundedFigure,
    average_of,
    format_figure,
    format_percentage,
    round_figure,
    round_percentage,
    round_points,
)
from tourney.report.report import NOTHING, TextTable
from tourney.report.values import SideLetters
from tourney.scorefile.pairs_results import FieldResult, parse_field
from tourney.scoring.pairs.field import (
    PairsRules,
    PairsScoring,
    PairTotal,
    ScoredField,
    ScoredLine,
    ScoredTraveller,
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

    @property
    def is_matchpoints(self) -> bool:
        """Whether it is scored in matchpoints, not in IMPs."""
        return self.field.rules.scoring is PairsScoring.MATCHPOINTS

    @cached_property
    def rankings(self) -> dict[Side | None, list[RankedPair]]:
        """The ranking of all, under None; or one for each direction, if every pair has kept its own."""
        sides = tuple(Side) if self.field.has_two_winners else (None,)
        return {side: list(self._rank(side)) for side in sides}

    def _rank(self, side: Side | None) -> Iterator[RankedPair]:
        ranked = set[str]()
        for place in rank_pairs(self.field, side):
            for pair in place.pairs:
                ranked.add(pair)
                yield RankedPair(place.rank, len(place.pairs) > 1, self.field.totals[pair])
        for pair, total in self.field.totals.items():
            if pair not in ranked and (side is None or side in total.sides):
                yield RankedPair(None, is_shared=False, total=total)


def score_pairs_file(name: str, data: bytes, scoring: PairsScoring) -> ScoredPairsFile:
    """Score the results of a field in a file.

    Raises:
        FormatError: the file cannot be read, or no board in it has two results.
    """
    results = parse_field(data, name)
    boards: defaultdict[str, list[FieldResult]] = defaultdict(list)
    for result in results:
        boards[result.board].append(result)
    if max(map(len, boards.values())) == 1:
        raise FormatError(f"{name}: no board has a second result, so there is nothing to compare")
    travellers = [
        Traveller(board, tuple(TravellerLine.of_score(own.ns, own.ew, own.score_ns) for own in boards[board]))
        for board in _in_order(boards)
    ]
    return ScoredPairsFile(name, score_field(travellers, PairsRules(scoring=scoring)))


def _in_order(boards: Iterable[str]) -> list[str]:
    """Return the boards by number where all have one, else in the order of the file."""
    names = list(boards)
    return sorted(names, key=int) if all(map(_is_number, names)) else names


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


# The document


class ScoredPairDocument(TypedDict):
    """A pair of the field."""

    rank: int | None
    """The rank from 1, in its direction if pairs never changed theirs; null if no board of it counts."""
    pair: int | str
    """The pair as the file has it, a number where it is one."""
    direction: SideLetters | None
    """The direction in which the pair is ranked; null if all pairs are ranked together."""
    boards: int
    """How many boards count."""
    percentage: NotRequired[RoundedFigure | None]
    """Matchpoints as a percentage of those that the pair could have won; only at matchpoints."""
    imps: NotRequired[RoundedFigure | None]
    """IMPs per board; only at cross-IMPs and Butler."""
    total: RoundedFigure
    """Matchpoints, two for each result that is beaten, or IMPs, over all boards."""


class FieldResultDocument(TypedDict):
    """One result of a board."""

    ns: int | str | None
    """The North-South pair; null if it is unknown."""
    ew: int | str | None
    """The East-West pair; null if it is unknown."""
    score: int
    """The score of North-South in points."""
    ns_points: RoundedFigure | None
    """Matchpoints or IMPs of North-South; null if there is nothing to compare with."""
    ns_percentage: RoundedFigure | None
    """Matchpoints of North-South as a percentage of the top; null in IMPs."""


class TravellerDocument(TypedDict):
    """One board with all its results."""

    board: int | str
    """The board as the file has it, a number where it is one."""
    results: list[FieldResultDocument]
    """The results, in the order of the file."""


class ScoredFieldDocument(TypedDict):
    """A field of pairs in a file, scored."""

    pairs: list[ScoredPairDocument]
    """The pairs, best first; North-South before East-West where they are ranked apart."""
    boards: list[TravellerDocument]
    """The boards, by number where each has one."""


def pairs_document(scored: ScoredPairsFile) -> ScoredFieldDocument:
    """Make the JSON document of `tourney score --pairs`."""
    return {
        "pairs": [
            _pair_document(pair, side, is_matchpoints=scored.is_matchpoints)
            for side, ranking in scored.rankings.items()
            for pair in ranking
        ],
        "boards": [
            {
                "board": _name(scored_board.traveller.board),
                "results": [_result_document(line) for line in scored_board.lines],
            }
            for scored_board in scored.field.travellers
        ],
    }


def _pair_document(ranked: RankedPair, side: Side | None, *, is_matchpoints: bool) -> ScoredPairDocument:
    total = ranked.total
    document: ScoredPairDocument = {
        "rank": ranked.rank,
        "pair": _name(total.pair),
        "direction": side.value if side is not None else None,
        "boards": total.boards,
        "total": round_figure(total.points, average_of(total.available)),
    }
    level = total.level
    if is_matchpoints:
        document["percentage"] = round_percentage(level)
    else:
        document["imps"] = None if level is None else round_figure(level)
    return document


def _result_document(line: ScoredLine) -> FieldResultDocument:
    return {
        "ns": _name(line.line.ns) if line.line.ns else None,
        "ew": _name(line.line.ew) if line.line.ew else None,
        "score": _score_ns(line),
        "ns_points": round_points(line.ns, line.top),
        "ns_percentage": round_percentage(line.percentage(Side.NS)),
    }


def _score_ns(line: ScoredLine) -> int:
    (result,) = line.line.ns_result  # what is read from a file is never artificial or weighted
    assert not isinstance(result, str)
    return result.score_ns


def _name(text: str) -> int | str:
    """Turn a board or a pair into a number where it is one."""
    return int(text) if _is_number(text) and str(int(text)) == text else text


# The text


def draw_pairs(scored: ScoredPairsFile) -> Iterator[str | TextTable]:
    """Yield the parts of the text: the rankings, then each board."""
    field = scored.field
    results = sum(len(board.lines) for board in field.travellers)
    yield (
        f"{scored.name}: {_TITLES[field.rules.scoring]}; {count(len(field.totals), 'pair')}, "
        f"{count(len(field.travellers), 'board')}, {count(results, 'result')}"
    )
    for side, ranking in scored.rankings.items():
        if not ranking:
            continue  # the file names no pair
        yield ""
        if side is not None:
            yield _DIRECTIONS[side]
        yield _ranking_table(ranking, is_matchpoints=scored.is_matchpoints)
    for board in field.travellers:
        yield ""
        top = board.lines[0].top
        yield f"Board {board.traveller.board}{f', top {top}' if top is not None else ''}"
        yield _traveller_table(board, is_matchpoints=scored.is_matchpoints)


def _ranking_table(ranking: Sequence[RankedPair], *, is_matchpoints: bool) -> TextTable:
    figures = (">MP", ">of", ">%") if is_matchpoints else (">IMPs", ">per board")
    table = TextTable(">Rank", "Pair", ">Boards", *figures)
    for ranked in ranking:
        total = ranked.total
        rank = NOTHING if ranked.rank is None else f"{ranked.rank}{'=' if ranked.is_shared else ''}"
        points = format_figure(total.points, average_of(total.available))
        if is_matchpoints:
            table.add_row(
                rank, total.pair, str(total.boards), points, str(total.available), format_percentage(total.level)
            )
        else:
            table.add_row(rank, total.pair, str(total.boards), points, format_figure(total.level))
    return table


def _traveller_table(board: ScoredTraveller, *, is_matchpoints: bool) -> TextTable:
    """Return the results of a board, the best for North-South first."""
    figures = (">MP NS", ">MP EW", ">% NS") if is_matchpoints else (">IMPs NS", ">IMPs EW")
    table = TextTable("NS", "EW", ">Score", *figures)
    for line in sorted(board.lines, key=lambda line: -_score_ns(line)):
        average = average_of(line.top)
        cells = [line.line.ns or NOTHING, line.line.ew or NOTHING, str(_score_ns(line))]
        cells += [format_figure(line.ns, average), format_figure(line.ew, average)]
        table.add_row(*cells, *([format_percentage(line.percentage(Side.NS))] if is_matchpoints else []))
    return table
