"""The Butler ranking of pairs: each score against the datum of all tables that played the board.

A pair is a team's two programs in one direction, `Alpha N-S` or `Alpha E-W`, in whichever room they sit: the seating
is on record, and a team sits North-South in one room of every match and East-West in the other.

A board counts for a match once both rooms are over with it, as on the scorecard. One whose score a ruling has changed
counts for nobody, and its results are not in the datum.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from tourney.bridge import Side
from tourney.results.scorecard import Scorecard
from tourney.results.scorecards import iter_scorecards
from tourney.scoring.butler import Datum, Trim, butler_imps, datum
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.bulk_results import Scope


@dataclass(frozen=True, slots=True)
class ButlerRow:
    """One pair; `rank` counts from 1 by IMPs a board and is shared by pairs that are equal."""

    rank: int
    team: str
    side: Side
    boards: int
    imps: int

    @property
    def pair(self) -> str:
        """`Alpha N-S`."""
        return f"{self.team} {'N-S' if self.side is Side.NS else 'E-W'}"


@dataclass(frozen=True, slots=True)
class ButlerRanking:
    event: str
    round: int | None
    """The round that it is of; None for the whole event."""
    datum: Datum
    trim: Trim
    rows: tuple[ButlerRow, ...]
    """Best first, pairs without a board left out."""
    boards: int
    """Deals that count."""
    results: int
    """Results that are compared."""
    adjusted: int
    """Boards of matches left out because a ruling has changed their score."""


@dataclass(frozen=True, slots=True)
class _Score:
    ns_team: str
    ew_team: str
    score_ns: int


def load_butler(
    database: Database, event: EventInfo, kind: Datum, trim: Trim, round_number: int | None = None
) -> ButlerRanking:
    """The ranking of an event, or of one round, from the results on record.

    Raises:
        StoreError: the database cannot be used.
    """
    cards = iter_scorecards(database, event, {}, Scope(event.id, round_number))
    return rank_pairs(event.name, cards, kind, trim, round_number)


def rank_pairs(
    event: str, cards: Iterable[Scorecard], kind: Datum, trim: Trim, round_number: int | None = None
) -> ButlerRanking:
    """The ranking from the scorecards of the matches that count."""
    deals: defaultdict[tuple[int, int], list[_Score]] = defaultdict(list)
    adjusted = 0
    for card in cards:
        for board in card.boards:
            if board.rulings:
                adjusted += 1
                continue
            for room, found in board.results.items():
                table = board.tables[room]
                score = _Score(table.ns_team, table.ew_team, found.result.score)
                deals[card.match.board_set_id, board.number].append(score)
    boards: defaultdict[tuple[str, Side], int] = defaultdict(int)
    totals: defaultdict[tuple[str, Side], int] = defaultdict(int)
    for scores in deals.values():
        compared_with = datum([score.score_ns for score in scores], kind, trim)
        for score in scores:
            gained = butler_imps(score.score_ns, compared_with)
            for pair, imps in (((score.ns_team, Side.NS), gained), ((score.ew_team, Side.EW), -gained)):
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


def _rank(boards: dict[tuple[str, Side], int], totals: dict[tuple[str, Side], int]) -> tuple[ButlerRow, ...]:
    """By IMPs a board; equal pairs by name, North-South first."""
    averages = {pair: Fraction(totals[pair], number) for pair, number in boards.items()}
    order = sorted(boards, key=lambda pair: (-averages[pair], pair[0], pair[1] is not Side.NS))
    rows: list[ButlerRow] = []
    for place, pair in enumerate(order, 1):
        is_equal = place > 1 and averages[pair] == averages[order[place - 2]]
        rank = rows[-1].rank if is_equal else place
        rows.append(ButlerRow(rank, *pair, boards[pair], totals[pair]))
    return tuple(rows)
