"""A board of a match as its page shows it: per room the auction by rounds, its alerts, and the tricks."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field

from tourney.bridge import SEATS, Auction, Board, Contract, Seat, Side
from tourney.bridge.auction import auction_rows
from tourney.frozen import frozen
from tourney.movement.seating import Room
from tourney.protocol.session.records import CallMade, CardPlayed
from tourney.results.analysis import AnalysedPlay
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.site.filters import NOTICED_MS
from tourney.site.pages.table_picture import PictureRoom, TablePicture, picture_deal, tricks_of, winner_of
from tourney.store.draw.objects import BoardRecord
from tourney.store.draw.tables import TableInfo
from tourney.store.rulings import IncidentInfo, RulingInfo


@frozen
class TrickRow:
    """A trick, the lead first; the last one may have fewer than four cards."""

    number: int
    cards: Sequence[CardPlayed]
    winner: Seat | None
    """The hand that won it; None if the trick was not finished."""
    declarer_tricks: int
    """Tricks of declarer's side so far."""
    defence_tricks: int


@frozen
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


@frozen
class RoomView:
    """A board in one room."""

    room: Room
    table: TableInfo
    record: BoardRecord | None
    """The record; None if the board was forfeited before it began."""
    contract: Contract | None
    """The contract; None if the board was passed out, or forfeited during the auction."""
    made: AuctionAndPlay
    analysis: AnalysedPlay | None
    """The double dummy analysis; None if the play has not been solved."""
    rulings: tuple[RulingInfo, ...]
    """The rulings in force on the board in this room."""
    incidents: tuple[IncidentInfo, ...]

    @property
    def longest(self) -> CallMade | CardPlayed | None:
        """The call or card that took longest; None if none took a tenth of a second."""
        if self.record is None:
            return None
        actions: list[CallMade | CardPlayed] = [*self.record.calls, *self.record.cards]
        found = max(actions, key=lambda each: each.thinking_ms, default=None)
        return found if found is not None and found.thinking_ms >= NOTICED_MS else None


def board_rulings(played: PlayedMatch, board: PlayedBoard, room: Room | None) -> tuple[RulingInfo, ...]:
    """Returns the rulings in force on a board: those on a room, or (None) those on neither room."""
    place = (board.board.number, room)
    return tuple(ruling for ruling in played.card.live_rulings if (ruling.board, ruling.room) == place)


def picture_board(board: Board, views: Collection[RoomView]) -> TablePicture:
    """Returns the picture of a board, whose cards a script plays as they were played in its rooms."""
    rooms = [
        PictureRoom(
            name=view.room.value if len(views) > 1 else "",
            players={seat: view.table.team(seat.side) for seat in SEATS},
            contract=view.contract,
        )
        for view in views
    ]
    return picture_deal(board, rooms)


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
    return RoomView(room, board.tables[room], record, contract, made, analysis, rulings, tuple(incidents))


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
