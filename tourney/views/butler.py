"""The Butler ranking of pairs: each score against the datum of all tables that played the board.

A pair is a team's two programs in one direction, `Alpha N-S` or `Alpha E-W`, whichever room they sit in: a team sits
North-South in one room of every match and East-West in the other, and the record has the seating. In pairs events it
is an entrant, whichever way it sits.

A board counts for a match once both rooms have finished it, as on the scorecard. A board whose score a ruling has
changed counts for neither pair, and its results are left out of the datum.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from tourney.bridge import Side
from tourney.config.event import ReportsConfig
from tourney.errors import ConfigError
from tourney.event.drawn import DrawnEvent
from tourney.output.content import EntrantLink, Title
from tourney.output.rows import Cell, Row, Unit
from tourney.output.tables import CsvTable, Parts, csv_table, text_table
from tourney.output.units import BoardCount, SideLetters
from tourney.plurals import count, plural
from tourney.results.scorecard import Scorecard, iter_scorecards
from tourney.scoring.butler import Datum, Trim, datum_of, format_average
from tourney.scoring.imps import imps
from tourney.store.results.event_results import MatchFilter
from tourney.views.report import Report


class PairDocument(Row):
    """A pair of the ranking."""

    rank: Annotated[int, Cell(">Rank")]
    """The rank from 1; equal pairs share it."""
    pair: Annotated[str, Cell("Pair", to=(EntrantLink, "team"))]
    """The name of the pair, such as `Alpha N-S`; in a pairs event `Alpha`."""
    team: str
    """The name of the team."""
    side: SideLetters | None
    """The direction in which the pair sits; null in a pairs event, where pairs may sit both ways."""
    boards: BoardCount
    """How many boards the pair has played that count."""
    imps: Annotated[int, Cell(">IMPs")]
    """IMPs against the datum over those boards."""
    average: Annotated[str, Unit("IMPs a board.", pattern=r"^-?\d+\.\d\d$"), Cell(">Average", words="IMPs a board")]
    """IMPs per board as a decimal string."""


class ButlerRanking(Report):
    """The Butler ranking of an event or of a round."""

    note = "Each score against all tables that played the same hands, in IMPs. A pair is a team in one direction."

    event: str
    """The name of the event."""
    round: int | None
    """The number of the round; null for the whole event."""
    datum: Datum
    """What scores are compared with: the mean or the median."""
    trim: Annotated[Trim, Unit(form=int | str, json=lambda trim: trim if isinstance(trim, int) else str(trim))]
    """How many results are left out at either end of each datum, or the fraction of them as a decimal string."""
    boards: int
    """How many deals count."""
    results: int
    """How many results are compared."""
    adjusted: int
    """How many boards of matches are left out because a ruling has changed their score."""
    pairs: tuple[PairDocument, ...]
    """The pairs, best first."""

    def csv(self) -> CsvTable:
        """Return a row per pair."""
        return csv_table(PairDocument, self.pairs)

    def text(self) -> Parts:
        """Yield a table of pairs."""
        where = f", round {self.round}" if self.round is not None else ""
        compared = f"{count(self.results, 'result')} of {count(self.boards, 'deal')}"
        yield Title(f"{self.event}{where}", f"Butler of {compared}, {self._describe_datum()}")
        yield text_table(PairDocument, self.pairs)
        yield from describe_left_out(self.adjusted)

    def _describe_datum(self) -> str:
        """Describe the datum: `datum is the mean, without 2 results at either end`."""
        words = f"datum is the {self.datum.value}"
        if not self.trim:
            return words
        left_out = count(self.trim, "result") if isinstance(self.trim, int) else f"{self.trim} of them"
        return f"{words}, without {left_out} at either end"


def load(drawn: DrawnEvent, *, round_number: int | None = None) -> ButlerRanking:
    """Load the ranking of an event or of one round; datum and trim are those of the event file.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such round.
    """
    drawn.check_round(round_number)
    try:
        reports = drawn.config.reports
    except ConfigError:  # the record can be shown without the event file
        reports = ReportsConfig()
    cards = iter_scorecards(drawn.database, drawn.event, {}, MatchFilter(drawn.event.id, round_number))
    return rank_pairs(drawn.event.name, cards, reports.butler_datum, reports.butler_trim, round_number)


def describe_left_out(adjusted: int) -> Iterator[str]:
    """Yield a line that counts the boards left out because a ruling has changed their score, if there are any."""
    if adjusted:
        are = plural(adjusted, "is", "are")
        yield f"{count(adjusted, 'board')} of a match whose score a ruling has changed {are} left out"


_Pair = tuple[str, Side | None]
"""The name of a team and the direction of its pair; None in pairs events."""


@dataclass(frozen=True, slots=True)
class _Score:
    ns: Sequence[_Pair]
    """The pair, or two players who are partners in this match."""
    ew: Sequence[_Pair]
    score_ns: int


def rank_pairs(
    event: str, cards: Iterable[Scorecard], kind: Datum, trim: Trim, round_number: int | None = None
) -> ButlerRanking:
    """Rank the pairs by the scorecards of the matches that count; those of rubber bridge and the like do not."""
    deals: defaultdict[tuple[int, int], list[_Score]] = defaultdict(list)
    adjusted = 0
    for card in cards:
        contest = card.match.format
        for board in card.boards if "butler" not in contest.instead else ():
            if board.rulings:
                adjusted += 1
                continue
            for room, found in board.results.items():
                table = board.tables[room]
                ns, ew = (
                    [(entrant, contest.pair_side(side)) for entrant in card.match.entrants_of(table.team(side))]
                    for side in Side
                )
                deals[card.match.board_set_id, board.number].append(_Score(ns, ew, found.result.score))
    boards: defaultdict[_Pair, int] = defaultdict(int)
    totals: defaultdict[_Pair, int] = defaultdict(int)
    for scores in deals.values():
        compared_with = datum_of(Counter(score.score_ns for score in scores), len(scores), kind, trim)
        for score in scores:
            gained = imps(score.score_ns - compared_with)
            for pairs, won in ((score.ns, gained), (score.ew, -gained)):
                for pair in pairs:
                    boards[pair] += 1
                    totals[pair] += won
    # By IMPs per board; ties are listed by name, North-South first.
    averages = {pair: Fraction(totals[pair], number) for pair, number in boards.items()}
    order = sorted(boards, key=lambda pair: (-averages[pair], pair[0], pair[1] is not Side.NS))
    rows: list[PairDocument] = []
    for place, pair in enumerate(order, 1):
        is_equal = place > 1 and averages[pair] == averages[order[place - 2]]
        rank = rows[-1].rank if is_equal else place
        team, side = pair
        name = team if side is None else f"{team} {'N-S' if side is Side.NS else 'E-W'}"
        average = format_average(totals[pair], boards[pair])
        rows.append(PairDocument(rank, name, team, side, boards[pair], totals[pair], average))
    return ButlerRanking(
        event=event,
        round=round_number,
        datum=kind,
        trim=trim,
        boards=len(deals),
        results=sum(map(len, deals.values())),
        adjusted=adjusted,
        pairs=tuple(rows),
    )
