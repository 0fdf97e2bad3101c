"""The Butler ranking of pairs: each score against the datum of all tables that played the board.

A pair is a team's two programs in one direction, `Alpha N-S` or `Alpha E-W`, whichever room they sit in: a team sits
North-South in one room of every match and East-West in the other, and the record has the seating. At pairs it
is an entrant, whichever way it sits.

A board counts for a match once both rooms have finished it, as on the scorecard. A board whose score a ruling has
changed counts for neither pair, and its results are left out of the datum.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Annotated, Final

from typing_extensions import TypedDict

from tourney.bridge import Side
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.plurals import count, plural
from tourney.report.report import Column, CsvTable, Report, TextTable, csv_table, text_table
from tourney.report.values import Constraint, SideLetters
from tourney.results.scorecard import Scorecard, iter_scorecards
from tourney.scoring.butler import Datum, Trim, butler_imps, check_trim, datum, format_average
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.event_results import MatchFilter


class PairDocument(TypedDict):
    """A pair of the ranking."""

    rank: int
    """The rank from 1; equal pairs share it."""
    pair: str
    """The name of the pair, such as `Alpha N-S`; in an event of pairs `Alpha`."""
    team: str
    """The name of the team."""
    side: SideLetters | None
    """The direction in which the pair sits; null in an event of pairs, who may sit both ways."""
    boards: int
    """How many boards the pair has played that count."""
    imps: int
    """IMPs against the datum over those boards."""
    average: Annotated[str, Constraint("IMPs a board.", pattern=r"^-?\d+\.\d\d$")]
    """IMPs per board as a decimal string."""


class ButlerDocument(TypedDict):
    """The Butler ranking of an event or of a round."""

    event: str
    """The name of the event."""
    round: int | None
    """The number of the round; null for the whole event."""
    datum: Datum
    """What scores are compared with: the mean or the median."""
    trim: int | str
    """How many results are left out at either end of each datum, or the fraction of them as a decimal string."""
    boards: int
    """How many deals count."""
    results: int
    """How many results are compared."""
    adjusted: int
    """How many boards of matches are left out because a ruling has changed their score."""
    pairs: list[PairDocument]
    """The pairs, best first."""


@dataclass(frozen=True, slots=True)
class ButlerRow:
    """A pair; `rank` counts from 1 by IMPs per board, and equal pairs share it."""

    rank: int
    team: str
    side: Side | None
    """The direction of a pair of a team; None in an event of pairs."""
    boards: int
    imps: int

    @property
    def pair(self) -> str:
        """The name of the pair: `Alpha N-S`, or in an event of pairs `Alpha`."""
        if self.side is None:
            return self.team
        return f"{self.team} {'N-S' if self.side is Side.NS else 'E-W'}"


_Row = Column[ButlerRow]
COLUMNS: Final = (
    _Row("rank", ">Rank", lambda row: row.rank),
    _Row("pair", "Pair", lambda row: row.pair),
    _Row("team", "", lambda row: row.team),
    _Row("side", "", lambda row: row.side),
    _Row("boards", ">Boards", lambda row: row.boards),
    _Row("imps", ">IMPs", lambda row: row.imps),
    _Row("average", ">Average", lambda row: format_average(row.imps, row.boards)),
)


@dataclass(frozen=True, slots=True)
class ButlerRanking(Report):
    """The Butler ranking of an event or of a round."""

    event: str
    round: int | None
    """The number of the round; None for the whole event."""
    datum: Datum
    trim: Trim
    rows: tuple[ButlerRow, ...]
    """Best first; pairs without a board are left out."""
    boards: int
    """Deals that count."""
    results: int
    """Results that are compared."""
    adjusted: int
    """Boards of matches left out because a ruling has changed their score."""

    def document(self) -> ButlerDocument:
        """Return the pairs and a description of the datum."""
        return {
            "event": self.event,
            "round": self.round,
            "datum": self.datum,
            "trim": str(self.trim) if isinstance(self.trim, Decimal) else self.trim,
            "boards": self.boards,
            "results": self.results,
            "adjusted": self.adjusted,
            "pairs": [
                {
                    "rank": row.rank,
                    "pair": row.pair,
                    "team": row.team,
                    "side": row.side.value if row.side is not None else None,
                    "boards": row.boards,
                    "imps": row.imps,
                    "average": format_average(row.imps, row.boards),
                }
                for row in self.rows
            ],
        }

    def csv(self) -> CsvTable:
        """Return a row per pair."""
        return csv_table(COLUMNS, self.rows)

    def text(self) -> Iterator[str | TextTable]:
        """Yield a table of pairs."""
        where = f", round {self.round}" if self.round is not None else ""
        compared = f"{count(self.results, 'result')} of {count(self.boards, 'deal')}"
        yield f"{self.event}{where}: Butler of {compared}, {self._describe_datum()}"
        yield text_table(COLUMNS, self.rows)
        yield from describe_left_out(self.adjusted)

    def _describe_datum(self) -> str:
        """Describe the datum: `datum is the mean, without 2 results at either end`."""
        words = f"datum is the {self.datum.value}"
        if not self.trim:
            return words
        left_out = count(self.trim, "result") if isinstance(self.trim, int) else f"{self.trim} of them"
        return f"{words}, without {left_out} at either end"


def load(
    drawn: DrawnEvent,
    *,
    round_number: int | None = None,
    datum_name: str | None = None,
    trim: str | None = None,
) -> ButlerRanking:
    """Load the ranking of an event or of one round; datum and trim are by default those of the event file.

    Raises:
        ConfigError: something is wrong with the event file.
        StoreError: the database cannot be used.
        UsageError: there is no such round, or the trim is not a number or is out of range.
    """
    drawn.check_two_rooms("Butler scores")
    drawn.check_round(round_number)
    left_out = _parse_trim(trim) if trim is not None else None
    reports = drawn.file.config.reports
    kind = Datum(datum_name) if datum_name is not None else reports.butler_datum
    if left_out is None:
        left_out = reports.butler_trim
    return load_butler(drawn.database, drawn.event, kind, left_out, round_number)


def _parse_trim(text: str) -> Trim:
    """Parse the trim: a number of results such as `1`, or a fraction such as `0.1`."""
    try:
        return check_trim(int(text) if text.isascii() and text.isdecimal() else Decimal(text))
    except InvalidOperation:
        raise UsageError(f'--trim: a number such as "1" or "0.1" is asked for, got {text!r}') from None
    except ValueError as error:
        raise UsageError(f"--trim: {error}") from None


def describe_left_out(adjusted: int) -> Iterator[str]:
    """Yield a line that counts the boards left out because a ruling has changed their score, if there are any."""
    if adjusted:
        are = plural(adjusted, "is", "are")
        yield f"{count(adjusted, 'board')} of a match whose score a ruling has changed {are} left out"


@dataclass(frozen=True, slots=True)
class _Score:
    ns_team: str
    ew_team: str
    score_ns: int
    is_of_pairs: bool


_Pair = tuple[str, Side | None]
"""The name of a team and the direction of its pair; None at pairs."""


def load_butler(
    database: Database, event: EventInfo, kind: Datum, trim: Trim, round_number: int | None = None
) -> ButlerRanking:
    """Load the ranking of an event or of one round from the results on record.

    Raises:
        StoreError: the database cannot be used.
    """
    cards = iter_scorecards(database, event, {}, MatchFilter(event.id, round_number))
    return rank_pairs(event.name, (card for card in cards if card.match.game is None), kind, trim, round_number)


def rank_pairs(
    event: str, cards: Iterable[Scorecard], kind: Datum, trim: Trim, round_number: int | None = None
) -> ButlerRanking:
    """Rank the pairs by the scorecards of the matches that count."""
    deals: defaultdict[tuple[int, int], list[_Score]] = defaultdict(list)
    adjusted = 0
    for card in cards:
        for board in card.boards:
            if board.rulings:
                adjusted += 1
                continue
            for room, found in board.results.items():
                table = board.tables[room]
                score = _Score(table.ns_team, table.ew_team, found.result.score, card.match.format.is_of_pairs)
                deals[card.match.board_set_id, board.number].append(score)
    boards: defaultdict[_Pair, int] = defaultdict(int)
    totals: defaultdict[_Pair, int] = defaultdict(int)
    for scores in deals.values():
        compared_with = datum([score.score_ns for score in scores], kind, trim)
        for score in scores:
            gained = butler_imps(score.score_ns, compared_with)
            for team, side, imps in ((score.ns_team, Side.NS, gained), (score.ew_team, Side.EW, -gained)):
                pair = (team, None if score.is_of_pairs else side)
                boards[pair] += 1
                totals[pair] += imps
    return ButlerRanking(
        event=event,
        round=round_number,
        datum=kind,
        trim=trim,
        rows=_rank(boards, totals),
        boards=len(deals),
        results=sum(map(len, deals.values())),
        adjusted=adjusted,
    )


def _rank(boards: dict[_Pair, int], totals: dict[_Pair, int]) -> tuple[ButlerRow, ...]:
    """Rank pairs by IMPs per board; ties are listed by name, North-South first."""
    averages = {pair: Fraction(totals[pair], number) for pair, number in boards.items()}
    order = sorted(boards, key=lambda pair: (-averages[pair], pair[0], pair[1] is not Side.NS))
    rows: list[ButlerRow] = []
    for place, pair in enumerate(order, 1):
        is_equal = place > 1 and averages[pair] == averages[order[place - 2]]
        rank = rows[-1].rank if is_equal else place
        rows.append(ButlerRow(rank, *pair, boards[pair], totals[pair]))
    return tuple(rows)
