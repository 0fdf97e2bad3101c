"""JSON documents of the event as the public sees it, for the API of live pages; the others are those of reports."""

from collections.abc import Sequence
from typing import Annotated

from tourney.output.rows import INLINE, Row
from tourney.output.units import CallText, CardUnit, ContractUnit, Moment, RoomName, SeatUnit, VulnerabilityName
from tourney.report.schedule import DrawDocument
from tourney.site.public import PublicBoard, PublicTable, PublicView


class EventStateDocument(Row):
    """How far an event has come."""

    rounds: int
    """The number of rounds, those still to be drawn included."""
    round: int | None
    """The first round that is not finished; null once all are."""
    playing: bool
    """Whether a board is in play."""
    final: bool
    """Whether the results are final."""
    next_round: int | None
    """The first round that has not begun; null if it has no time to start at."""
    starts: Moment | None
    """When it starts."""
    frozen: Sequence[int]
    """The rounds that have begun and whose results are withheld until they are final."""


class PublicEventDocument(Row):
    """The draw of an event, and how far it has come."""

    event: str
    """The name of the event."""
    state: EventStateDocument
    """How far it has come."""
    draw: Annotated[DrawDocument, INLINE]


class PlayedCardDocument(Row):
    """A card of a board in play."""

    seat: SeatUnit
    """The hand that it came from."""
    card: CardUnit
    """The card that was played."""


class PlayDocument(Row, kw_only=True):
    """A board in play as far as it may be shown."""

    dealer: SeatUnit
    """The dealer."""
    vulnerable: VulnerabilityName
    """Which sides are vulnerable."""
    calls: list[CallText]
    """The calls from the dealer on."""
    contract: ContractUnit | None
    """The contract; null while the auction goes on."""
    declarer: SeatUnit | None
    """The declarer; null while there is no contract."""
    cards: list[PlayedCardDocument]
    """The cards in the order of play."""
    hands: dict[str, str]
    """The hands that may be shown, by seat, as they were dealt, suits from spades to clubs: dummy after the lead."""
    tricks_declarer: int
    """Tricks that declarer's side has won."""
    tricks_defence: int
    """Tricks that the defenders have won."""


class LiveTableDocument(Row, kw_only=True):
    """A table at which a match is being played."""

    match: int
    """The number of the match."""
    segment: int
    """The segment of the match, from 1."""
    room: RoomName
    """The room of the table."""
    round: int
    """The round, counted through the event."""
    ns: str
    """The team that sits North-South."""
    ew: str
    """The team that sits East-West."""
    boards: int | None
    """The number of boards to be played at the table; null where their results decide it."""
    finished: int
    """How many of them are finished."""
    board: int | None
    """The number of the board in play; null between boards."""
    play: PlayDocument | None
    """What may be shown of it; null unless `live` in `[web]` of the event file allows it."""


class LiveDocument(Row):
    """What is being played at this moment."""

    event: str
    """The name of the event."""
    state: EventStateDocument
    """How far it has come."""
    tables: list[LiveTableDocument]
    """The tables in play, in the order of matches, the open room first."""


def view_event(view: PublicView) -> PublicEventDocument:
    """Return the draw and how far the event has come."""
    return PublicEventDocument(view.event.name, _state(view), view.schedule.draw())


def view_live(view: PublicView) -> LiveDocument:
    """Return what is being played."""
    tables = [_table(view, table) for table in view.tables if table.is_playing]
    return LiveDocument(view.event.name, _state(view), tables)


def _state(view: PublicView) -> EventStateDocument:
    state = view.state
    return EventStateDocument(
        rounds=state.rounds,
        round=state.round,
        playing=state.is_playing,
        final=state.is_final,
        next_round=state.next_round,
        starts=state.next_starts_at_ms,
        frozen=state.frozen,
    )


def _play(board: PublicBoard) -> PlayDocument:
    contract = board.contract
    return PlayDocument(
        dealer=board.dealer,
        vulnerable=board.vulnerability,
        calls=list(map(str, board.calls)),
        contract=contract,
        declarer=contract.declarer if contract is not None else None,
        cards=[PlayedCardDocument(*played) for played in board.cards],
        hands={seat.letter: str(hand) for seat, hand in board.hands.items()},
        tricks_declarer=board.tricks_declarer,
        tricks_defence=board.tricks_defence,
    )


def _table(view: PublicView, table: PublicTable) -> LiveTableDocument:
    board = view.board_in_play(table)
    return LiveTableDocument(
        match=table.match.number,
        segment=table.segment,
        room=table.room,
        round=table.round,
        ns=table.ns_team,
        ew=table.ew_team,
        boards=table.boards,
        finished=table.finished,
        board=table.board,
        play=_play(board) if board is not None else None,
    )
