"""A board of a match as its page shows it: per room the auction by rounds, its alerts, and the tricks."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tourney.bridge import SEATS, Auction, Board, Contract, Seat, Side, Trick
from tourney.bridge.auction import auction_rows
from tourney.movement.seating import Room
from tourney.protocol.session.records import CallMade, CardPlayed
from tourney.results.analysis import AnalysedPlay
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.site.filters import NOTICED_MS, format_seconds
from tourney.site.views.axes import PlotBar, plot_thinking
from tourney.site.views.table_picture import PictureRoom, TablePicture, card_words, picture_deal
from tourney.store.draw.objects import BoardRecord, TableInfo
from tourney.store.rulings import IncidentInfo, RulingInfo


@dataclass(frozen=True, slots=True)
class AlertNote:
    """A note on a call, below the auction."""

    number: int
    """The number of the note, from 1 in each room."""
    call: CallMade

    @property
    def is_explained(self) -> bool:
        return bool(self.call.alert.strip())


@dataclass(frozen=True, slots=True)
class AuctionCell:
    """A call in the table of an auction."""

    call: CallMade
    note: AlertNote | None


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick, the lead first; the last one may have fewer than four cards."""

    number: int
    cards: tuple[CardPlayed, ...]
    winner: Seat | None
    """The hand that won it; None if the trick was not finished."""
    declarer_tricks: int
    """Tricks of declarer's side so far."""
    defence_tricks: int


@dataclass(frozen=True, slots=True)
class RoomView:
    """A board in one room."""

    room: Room
    table: TableInfo
    record: BoardRecord | None
    """The record; None if the board was forfeited before it began."""
    contract: Contract | None
    """The contract; None if the board was passed out, or forfeited during the auction."""
    auction: tuple[tuple[AuctionCell | None, ...], ...]
    """Rows of four, in `AUCTION_COLUMNS`."""
    notes: tuple[AlertNote, ...]
    tricks: tuple[TrickRow, ...]
    analysis: AnalysedPlay | None
    """The double dummy analysis; None if the play has not been solved."""
    rulings: tuple[RulingInfo, ...]
    """The rulings in force on the board in this room."""
    incidents: tuple[IncidentInfo, ...]

    def team(self, seat: Seat) -> str:
        """Returns the team that sat there."""
        return self.table.team(seat.side)

    @property
    def has_substitutes(self) -> bool:
        """Whether the table called or played in a player's place."""
        if self.record is None:
            return False
        calls, cards = self.record.calls, self.record.cards
        return any(call.substituted for call in calls) or any(card.substituted for card in cards)

    @property
    def costs(self) -> Mapping[int, int]:
        """Tricks that each card cost its side, by number of the card; 1 is the lead."""
        return self.analysis.cost_by_number if self.analysis is not None else {}

    @property
    def thinking(self) -> tuple[PlotBar, ...]:
        """A bar for each call and card; none if nobody thought for a millisecond."""
        if self.record is None:
            return ()
        calls = [(c.seat, c.thinking_ms, f"{c.seat.title}, {c.call}") for c in self.record.calls]
        cards = [(c.seat, c.thinking_ms, f"{c.seat.title}, {card_words(c.card)}") for c in self.record.cards]
        return plot_thinking([(seat, ms, f"{what}: {format_seconds(ms)}") for seat, ms, what in calls + cards])

    @property
    def longest(self) -> CallMade | CardPlayed | None:
        """The call or card that took longest; None if none took a tenth of a second."""
        if self.record is None:
            return None
        actions: list[CallMade | CardPlayed] = [*self.record.calls, *self.record.cards]
        found = max(actions, key=lambda each: each.thinking_ms, default=None)
        return found if found is not None and found.thinking_ms >= NOTICED_MS else None

    @property
    def lead(self) -> CardPlayed | None:
        """The opening lead."""
        return self.record.cards[0] if self.record is not None and self.record.cards else None


def board_rulings(played: PlayedMatch, board: PlayedBoard, room: Room | None) -> tuple[RulingInfo, ...]:
    """Returns the rulings in force on a board: those on a room, or (None) those on neither room."""
    place = (board.board.number, room)
    return tuple(ruling for ruling in played.card.live_rulings if (ruling.board, ruling.room) == place)


def view_rooms(played: PlayedMatch, board: PlayedBoard) -> Mapping[Room, RoomView]:
    """Returns the views of both rooms of a board.

    Raises:
        RuleError: the record of a forfeited board has an illegal auction.
    """
    return {room: _view_room(played, board, room) for room in board.tables}


def picture_board(board: Board, views: Collection[RoomView]) -> TablePicture:
    """Returns the picture of a board, whose cards a script plays as they were played in its rooms."""
    rooms = [
        PictureRoom(
            name=view.room.value if len(views) > 1 else "",
            players={seat: view.team(seat) for seat in SEATS},
            contract=view.contract,
        )
        for view in views
    ]
    return picture_deal(
        board.number, board.dealer, board.vulnerability, {seat: board.deal[seat] for seat in SEATS}, rooms
    )


def _view_room(played: PlayedMatch, board: PlayedBoard, room: Room) -> RoomView:
    record = board.records.get(room)
    contract = _contract(record) if record is not None else None
    notes = _notes(record.calls) if record is not None else {}
    return RoomView(
        room=room,
        table=board.tables[room],
        record=record,
        contract=contract,
        auction=_auction(record.calls, notes) if record is not None else (),
        notes=tuple(notes.values()),
        tricks=_tricks(record.cards, contract) if record is not None and contract is not None else (),
        analysis=board.analysis.play(room) if board.analysis is not None else None,
        rulings=board_rulings(played, board, room),
        incidents=tuple(
            found for found in played.incidents if (found.board, found.room) == (board.board.number, room)
        ),
    )


def _contract(record: BoardRecord) -> Contract | None:
    if record.result is not None:
        return record.result.result.contract
    auction = Auction(record.board.dealer)
    for call in record.calls:
        auction.add(call.call)
    return auction.contract


def _notes(calls: tuple[CallMade, ...]) -> dict[int, AlertNote]:
    """Returns the notes by the index of their call."""
    told = [index for index, call in enumerate(calls) if call.alerted or call.alert]
    return {index: AlertNote(number, calls[index]) for number, index in enumerate(told, 1)}


def _auction(
    calls: tuple[CallMade, ...], notes: Mapping[int, AlertNote]
) -> tuple[tuple[AuctionCell | None, ...], ...]:
    if not calls:
        return ()
    return auction_rows(calls[0].seat, [AuctionCell(call, notes.get(index)) for index, call in enumerate(calls)])


def _tricks(cards: tuple[CardPlayed, ...], contract: Contract) -> tuple[TrickRow, ...]:
    rows: list[TrickRow] = []
    won = dict.fromkeys(Side, 0)
    declarer = contract.declarer.side
    for first in range(0, len(cards), len(SEATS)):
        played = cards[first : first + len(SEATS)]
        trick = Trick(played[0].seat, tuple(card.card for card in played))
        winner = trick.winner(contract.strain.trumps) if trick.is_complete else None
        if winner is not None:
            won[winner.side] += 1
        rows.append(TrickRow(len(rows) + 1, played, winner, won[declarer], won[declarer.other]))
    return tuple(rows)
