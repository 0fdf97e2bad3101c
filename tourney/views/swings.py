"""The biggest swings: boards that one team won by the most IMPs, with what was played in both rooms.

A board is compared once both rooms have finished it, as on the scorecard. A board whose score a ruling has changed
was not won at the table and is left out.

In a duel the report says where the IMPs went: all boards are divided into groups by what was called on them, in
several ways, and the biggest swings have both auctions side by side.
"""

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from operator import itemgetter
from typing import Annotated, Final

from tourney.bridge import SEATS, Board, Contract, Seat, Side
from tourney.bridge.auction import AUCTION_COLUMNS, auction_rows
from tourney.bridge.minibridge import count_hcp
from tourney.contest.draw import MatchInfo
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room
from tourney.output.content import BoardLink, EntrantLink, Hands, Heading, MatchLink, Title
from tourney.output.rows import NOT_IN_CSV, Cell, Row, Unit, document_of
from tourney.output.tables import CsvTable, Part, csv_table, make_table, text_table
from tourney.output.units import BoardCount, ByRoom, ImpsABoard, MatchNumber
from tourney.plurals import count
from tourney.results.scorecard import Scorecard, ScorecardBoard, iter_scorecards
from tourney.scoring.strength.estimate import standard_error
from tourney.store.results.event_results import MatchFilter, load_auctions, load_sets
from tourney.views.butler import describe_left_out
from tourney.views.figures import board_figures
from tourney.views.outcome import ResultDocument, result_row
from tourney.views.report import Report


class SwingDocument(Row, kw_only=True):
    """A board that one team won by IMPs."""

    match: MatchNumber
    """The number of the match."""
    round: int
    """The number of the round, counted through the event."""
    board: int
    """The number of the board."""
    home: str
    """The name of the home team."""
    away: str
    """The name of the away team."""
    winner: str
    """The name of the team that won the IMPs."""
    imps: int
    """IMPs of the home team, negative when it lost them."""
    open: ResultDocument
    """The result in the open room."""
    closed: ResultDocument
    """The result in the closed room."""
    calls: Annotated[ByRoom[list[str]], NOT_IN_CSV]
    """In a duel, the calls in each room, from the dealer's on; otherwise empty."""


@dataclass(frozen=True)
class Swing:
    """A board that one team won by IMPs, with its match."""

    match: MatchInfo
    board: ScorecardBoard
    imps: int
    """IMPs of the home team, negative when it lost them."""
    dealt: Board | None = None
    """In a duel, the deal."""
    calls: ByRoom[list[str]] = field(default_factory=dict)
    """In a duel, the calls in each room."""

    @property
    def contracts(self) -> list[tuple[str, Contract]]:
        """The contracts in both rooms, each with the team that declared it."""
        found = [(self.board.tables[room], each.result.contract) for room, each in self.board.results.items()]
        return [(table.team(contract.declarer.side), contract) for table, contract in found if contract is not None]

    @property
    def bidders(self) -> list[list[Seat]]:
        """Who has bid in each room, in the order of the bids."""
        return [
            [self.board.dealer.plus(place) for place, call in enumerate(calls) if call[0].isdigit()]
            for calls in self.calls.values()
        ]

    def describe_opening(self) -> str:
        """Return how strong the hand is that has opened in both rooms."""
        openers = {bidders[0] if bidders else None for bidders in self.bidders}
        opener = openers.pop()
        if openers or opener is None or self.dealt is None:
            return "two hands" if openers else "none"
        least = count_hcp(self.dealt.deal[opener]) // 5 * 5
        return f"{least:02}-{least + 4:02} points"

    def describe_level(self) -> str:
        """Return the level of the higher contract."""
        return f"level {max((contract.level for _, contract in self.contracts), default=0)}"

    def describe_competition(self) -> str:
        """Return in how many rooms both sides have bid."""
        competitive = sum({seat.side for seat in bidders} == set(Side) for bidders in self.bidders)
        return f"in {count(competitive, 'room')}"

    def name_declarers(self, is_meant: Callable[[Contract], bool] = lambda _: True) -> str:
        """Return the teams that have declared contracts of a kind."""
        teams = {team for team, contract in self.contracts if is_meant(contract)}
        return " and ".join(sorted(teams)) or "none"

    @property
    def winner(self) -> str:
        """The name of the team that won the IMPs."""
        return self.match.home if self.imps > 0 else self.match.away

    @property
    def size(self) -> int:
        """The size in IMPs, 1 to 24."""
        return abs(self.imps)

    @property
    def loser(self) -> str:
        """The name of the team that lost them."""
        return self.match.away if self.imps > 0 else self.match.home

    def row(self) -> SwingDocument:
        """Return the swing with what was played in both rooms."""
        results = {room.value: result_row(result) for room, result in self.board.results.items()}
        return SwingDocument.from_attributes(self, self.match, board=self.board.number, **results)


def _of_room(room: Room) -> tuple[Cell, Cell]:
    """Return the columns of what was played in a room."""
    return (
        Cell(room.value.title(), lambda swing: swing.board.results[room].result, worth=1),
        Cell(">Score", lambda swing: swing.board.results[room].result.score, worth=-1),
    )


AUCTIONS_SHOWN: Final = 5
"""How many swings of a duel a text shows with both auctions."""

COLUMNS: Final = (
    Cell(">IMPs", "size", worth=2),
    Cell("To", "winner", worth=2, to=(EntrantLink, "winner")),
    Cell("Against", "loser", to=(EntrantLink, "loser")),
    Cell(">Match", "match.number", worth=2, to=(MatchLink, "match.number")),
    Cell(
        ">Board",
        "board.number",
        worth=2,
        to=(BoardLink, "match.number", "board.number"),
    ),
    *_of_room(Room.OPEN),
    *_of_room(Room.CLOSED),
)


_GROUPED_BY: Final[Mapping[str, Callable[[Swing], str]]] = {
    "opening hand": Swing.describe_opening,
    "higher contract": Swing.describe_level,
    "doubled": lambda swing: swing.name_declarers(lambda contract: contract.doubled > 0),
    "slam": lambda swing: swing.name_declarers(lambda contract: contract.level >= 6),
    "both sides bid": Swing.describe_competition,
    "declarer": Swing.name_declarers,
}


class GroupDocument(Row):
    """Boards of a duel that have something in common."""

    by: Annotated[str, Cell("By")]
    """What boards are grouped by: each is in one group of each kind."""
    group: Annotated[str, Cell("Group", worth=2)]
    """What these have in common."""
    boards: BoardCount
    """How many they are."""
    imps: Annotated[int, Cell(">IMPs", worth=1)]
    """IMPs that the first team won on them, less those that it lost."""
    imps_a_board: Annotated[ImpsABoard, Cell(">A board")]
    """What they add to the IMPs a board of all boards."""
    error: Annotated[float, Unit("IMPs a board", text="{:.2f}".format), Cell(">+-")]
    """The standard error of that, by deal."""


def _group(boards: Sequence[Swing]) -> Iterator[GroupDocument]:
    deals = [board.dealt and board.dealt.deal for board in boards]
    for by, group_of in _GROUPED_BY.items():
        names = list(map(group_of, boards))
        for group, number in sorted(Counter(names).items()):
            won = [board.imps if name == group else 0 for board, name in zip(boards, names, strict=True)]
            yield GroupDocument(by, group, number, sum(won), sum(won) / len(won), standard_error(won, deals))


class Swings(Report, kw_only=True):
    """The biggest swings."""

    event: str
    """The name of the event."""
    boards: int
    """How many boards were compared."""
    swings: int
    """How many swings there are, of which `rows` has the biggest."""
    adjusted: int
    """How many boards were left out because a ruling has changed their score."""
    rows: Annotated[
        tuple[Swing, ...],
        Unit(form=list[SwingDocument], json=lambda swings: document_of([swing.row() for swing in swings])),
    ]
    """The swings, biggest first; equal ones in the order of the event."""
    least: int
    """The minimum size in IMPs."""
    in_points: int
    """Boards left out because their match is scored at board-a-match, where no board is worth more than another."""
    loser: str | None
    """The team that lost them all; null for any."""
    groups: tuple[GroupDocument, ...] = ()
    """In a duel, all boards in groups, in several ways."""

    def csv(self) -> CsvTable:
        """Return a row per swing."""
        times = [f"{room}_{whose}_ms" for room in Room for whose in ("ns", "ew", "tm")]
        return csv_table(SwingDocument, (swing.row() for swing in self.rows), without=times)

    def text(self) -> Iterator[Part]:
        """Yield a table of swings."""
        at_least = f" of {self.least} IMPs or more" if self.least > 1 else ""
        at_least += f" lost by {self.loser}" if self.loser is not None else ""
        listed = f"; the {len(self.rows)} biggest" if len(self.rows) < self.swings else ""
        swings = f"{count(self.swings, 'swing')}{at_least} on {count(self.boards, 'board')}{listed}"
        yield Title(self.event, swings)
        if self.rows:
            yield make_table(COLUMNS, self.rows)
        yield from describe_left_out(self.adjusted)
        if self.in_points:
            yield f"{count(self.in_points, 'board')} left out: at board-a-match a board is won by points, not by IMPs"
        if self.groups:
            yield Heading("Where the IMPs went")
            yield text_table(GroupDocument, self.groups)
        for swing in self.rows[:AUCTIONS_SHOWN]:
            if swing.dealt is not None:
                yield from _side_by_side(swing, swing.dealt)


def _side_by_side(swing: Swing, board: Board) -> Iterator[Part]:
    """Yield a deal and both auctions."""
    where = f"Match {swing.match.number}, board {board.number}: {count(swing.size, 'IMP')} to {swing.winner}"
    dealt = f"dealer {board.dealer.title}, vulnerable {board.vulnerability.value}"
    words = f"{where}; {dealt}; left the open room, {swing.board.tables[Room.OPEN].ns_team} North-South"
    yield Hands(board, words)
    opened, closed = (auction_rows(board.dealer, swing.calls[room]) for room in Room)
    both = zip_longest(opened, closed, fillvalue=[None] * len(SEATS))
    rows = [[call or "" for call in (*one, None, *other)] for one, other in both]
    seats = [seat.title for seat in AUCTION_COLUMNS]
    columns = [Cell(name, itemgetter(place)) for place, name in enumerate([*seats, "", *seats])]
    yield make_table(columns, rows, caption=words)


def load(
    drawn: DrawnEvent,
    *,
    least: int,
    top: int,
    team: str | None = None,
    round_number: int | None = None,
    match_number: int | None = None,
) -> Swings:
    """Load the biggest swings of an event, a round or a match: at most `top`, each of at least `least` IMPs.

    With `team`, in upper or lower case, they are those that the team lost.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such team, round or match.
    """
    drawn.check_round(round_number)
    matches = [drawn.match(match_number).number] if match_number is not None else None
    scope = MatchFilter(drawn.event.id, round_number, matches)
    loser = drawn.team_named(team) if team is not None else None
    cards = iter_scorecards(drawn.database, drawn.event, {}, scope)
    if not drawn.event.stages[0].format.is_duel:
        return find_swings(drawn.event.name, cards, least, top, loser)
    cards = iter(list(cards))  # before the calls: all of each of these boards are on record then
    sets, calls = load_sets(drawn.database, scope), load_auctions(drawn.database, scope)
    deals = {(each, board.number): board for each, stored in sets.items() for board in stored.boards}

    def with_calls(swing: Swing) -> Swing:
        number, tables = swing.board.number, swing.board.tables.items()
        called = {room.value: calls[table.id, number] for room, table in tables}
        return replace(swing, dealt=deals[swing.match.board_set_id, number], calls=called)

    return find_swings(drawn.event.name, cards, least, top, loser, with_calls)


def find_swings(
    event: str,
    cards: Iterable[Scorecard],
    least: int,
    top: int,
    loser: str | None = None,
    with_calls: Callable[[Swing], Swing] | None = None,
) -> Swings:
    """Find the biggest swings of scorecards: at most `top`, each of at least `least` (1 or more) IMPs.

    With what adds the calls to a board, all boards are grouped by them.
    """
    assert least >= 1
    counts = Counter(boards=0, swings=0, adjusted=0, in_points=0)
    boards: Iterable[Swing] = _iter_boards(cards, counts)
    groups = tuple(_group(boards := list(map(with_calls, boards)))) if with_calls is not None else ()

    def swings() -> Iterator[Swing]:
        for board in boards:
            counts["boards"] += 1
            if board.size >= least and loser in (None, board.loser):
                counts["swings"] += 1
                yield board

    # A stream, so that only the biggest swings stay in memory.
    rows = heapq.nsmallest(top, swings(), key=lambda swing: -swing.size)
    return Swings(event=event, rows=tuple(rows), least=least, loser=loser, groups=groups, **counts)


def _iter_boards(cards: Iterable[Scorecard], counts: Counter[str]) -> Iterator[Swing]:
    """Yield the boards that are compared, and count the others in `counts` along the way."""
    for card in cards:
        for board in card.boards if "swings" not in card.match.format.instead else ():
            imps = board_figures(card.match.board_scale, board.imps, board.imps_away).imps
            if imps is None:
                counts["in_points"] += board.imps is not None
            elif board.rulings:
                counts["adjusted"] += 1
            else:
                yield Swing(card.match, board, imps)
