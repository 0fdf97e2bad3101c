"""A board of a match as its page shows it: per room the auction by rounds, its alerts, and the tricks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import SEATS, Auction, Contract, Seat, Side
from tourney.bridge.auction import auction_rows
from tourney.contest.record import Ruling
from tourney.movement.seating import Room, TableInfo
from tourney.protocol.session.records import CallMade, CardPlayed
from tourney.results.played import AnalysedPlay, PlayedBoard, PlayedMatch
from tourney.site.pages.axes import NAMED_RIGHT, AxisTick, Chart, ChartLine, across, points, spread, upward
from tourney.site.pages.table_picture import PictureRoom, TablePicture, picture_play, tricks_of, winner_of
from tourney.store.draw.objects import BoardRecord
from tourney.store.rulings import IncidentInfo

_TRICKS: Final = 13

_APART: Final = 0.06
"""How far below the line of one room that of the other is drawn, in tricks, so that both can be seen."""


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick, the lead first; the last one may have fewer than four cards."""

    number: int
    cards: Sequence[CardPlayed]
    winner: Seat | None
    """The hand that won it; None if the trick was not finished."""
    declarer_tricks: int
    """Tricks of declarer's side so far."""
    defence_tricks: int


@dataclass(frozen=True, slots=True)
class AuctionAndPlay:
    """What was called and played at a table, in the rows of its tables."""

    auction: tuple[tuple[CallMade | None, ...], ...] = ()
    """Rows of four, in `AUCTION_COLUMNS`."""
    told: Sequence[CallMade] = ()
    """The calls that were alerted or explained, in the order of their notes below the auction."""
    tricks: Sequence[TrickRow] = ()
    costs: Mapping[int, int] = field(default_factory=dict)
    """Tricks that each card cost its side, by number of the card; 1 is the lead."""
    has_substitutes: bool = False
    """Whether the table called or played in a player's place."""


def view_auction_and_play(
    calls: Sequence[CallMade],
    cards: Sequence[CardPlayed],
    contract: Contract | None,
    costs: Mapping[int, int] | None = None,
) -> AuctionAndPlay:
    """Return what was called and played at a table, as its tables show it."""
    return AuctionAndPlay(
        auction=auction_rows(calls[0].seat, calls) if calls else (),
        told=[call for call in calls if call.alerted or call.alert],
        tricks=_tricks(cards, contract) if contract is not None else (),
        costs=costs or {},
        has_substitutes=any(call.substituted for call in calls) or any(card.substituted for card in cards),
    )


@dataclass(frozen=True, slots=True)
class RoomView:
    """A board in one room."""

    room: Room
    table: TableInfo
    record: BoardRecord | None
    """The record; None if the board was forfeited before it began."""
    contract: Contract | None
    """The contract; None if the board was passed out, or forfeited during the auction."""
    made: AuctionAndPlay
    picture: TablePicture
    """The board as it was dealt, in the order of this room's players."""
    analysis: AnalysedPlay | None
    """The double dummy analysis; None if the play has not been solved."""
    rulings: tuple[Ruling, ...]
    """The rulings in force on the board in this room."""
    incidents: tuple[IncidentInfo, ...]

    @property
    def longest(self) -> CallMade | CardPlayed | None:
        """The call or card that took longest; None if none took any time."""
        if self.record is None:
            return None
        actions: list[CallMade | CardPlayed] = [*self.record.calls, *self.record.cards]
        found = max(actions, key=lambda each: each.thinking_ms, default=None)
        return found if found is not None and found.thinking_ms else None


def board_rulings(played: PlayedMatch, board: PlayedBoard, room: Room | None) -> tuple[Ruling, ...]:
    """Returns the rulings in force on a board: those on a room, or (None) those on neither room."""
    place = (board.board.number, room)
    return tuple(ruling for ruling in played.card.live_rulings if (ruling.board, ruling.room) == place)


def view_room(played: PlayedMatch, board: PlayedBoard, room: Room) -> RoomView:
    """Returns the view of a board in one room.

    Raises:
        RuleError: the record of a forfeited board has an illegal auction.
    """
    record = board.records.get(room)
    contract = _contract(record) if record is not None else None
    analysis = board.analysis.play(room) if board.analysis is not None else None
    costs = analysis.cost_by_number if analysis is not None else {}
    made = (
        view_auction_and_play(record.calls, record.cards, contract, costs) if record is not None else AuctionAndPlay()
    )
    incidents = (each for each in played.incidents if (each.board, each.room) == (board.board.number, room))
    rulings = board_rulings(played, board, room)
    table = board.line.tables[room]
    sitting = PictureRoom(
        name=room.value if len(board.line.tables) > 1 else "",
        players={seat: table.team(seat.side) for seat in SEATS},
        contract=contract,
    )
    dealt = board.board
    hands = {seat: dealt.deal[seat] for seat in SEATS}
    picture = picture_play(dealt, hands, sitting, (), ())
    return RoomView(room, table, record, contract, made, picture, analysis, rulings, tuple(incidents))


def first_difference(views: Sequence[RoomView]) -> int | None:
    """Return the number of the first card that was not the same in two rooms, counted from 1 for the lead.

    It is None if there are not two rooms with the same contract, or one of them played the cards of the other to its
    end.
    """
    plays = [view.record.cards for view in views if view.record is not None and view.contract is not None]
    if len(plays) < 2 or len({view.contract for view in views}) > 1:
        return None
    pairs = enumerate(zip(*plays, strict=False), 1)
    return next((number for number, (one, other) in pairs if one.card != other.card), None)


def chart_tricks(views: Sequence[RoomView]) -> list[Chart]:
    """Return the chart of the tricks that declarer could make after each card; none if no play has been solved."""
    courses = {}
    for view in views:
        if view.analysis is None or view.record is None or view.contract is None:
            continue
        left = view.analysis.possible
        course = [(0, left)]
        for cost in view.analysis.costs:
            course.append((cost.number, left))
            left += cost.tricks if cost.seat.side is not view.contract.declarer.side else -cost.tricks
            course.append((cost.number, left))
        courses[view.room] = [*course, (len(view.record.cards), left)]
    if not courses:
        return []
    levels = [level for course in courses.values() for _, level in course]
    x, y = across(0, len(SEATS) * _TRICKS, NAMED_RIGHT), upward(min(levels) - 1, max(levels) + 1)
    ends = {room: y(course[-1][1]) for room, course in courses.items()}
    lines = [
        ChartLine(
            points(x, y, [(place, level - _APART * row) for place, level in course]),
            f"line of-{room.value}",
            end=(x(course[-1][0]), ends[room]),
            name=f"{room.value.title() if len(views) > 1 else 'At the table'} {course[-1][1]}",
            name_y=name_y,
        )
        for row, ((room, course), name_y) in enumerate(zip(courses.items(), spread(list(ends.values())), strict=True))
    ]
    ticks = [AxisTick(x(len(SEATS) * trick - 2), str(trick)) for trick in range(1, _TRICKS + 1)]
    title = "Tricks that declarer can still make, double dummy"
    return [
        Chart(
            title=title, x_name="tricks", x_ticks=ticks, y_ticks=y.ticks(whole=True), lines=lines, right=NAMED_RIGHT
        )
    ]


def _contract(record: BoardRecord) -> Contract | None:
    if record.result is not None:
        return record.result.result.contract
    auction = Auction(record.board.dealer)
    for call in record.calls:
        auction.add(call.call)
    return auction.contract


def _tricks(cards: Sequence[CardPlayed], contract: Contract) -> list[TrickRow]:
    rows: list[TrickRow] = []
    won = dict.fromkeys(Side, 0)
    declarer = contract.declarer.side
    for trick in tricks_of([(card.seat, card.card) for card in cards]):
        first = len(SEATS) * len(rows)
        winner = winner_of(trick, contract)
        if winner is not None:
            won[winner.side] += 1
        played = cards[first : first + len(trick.cards)]
        rows.append(TrickRow(len(rows) + 1, played, winner, won[declarer], won[declarer.other]))
    return rows
