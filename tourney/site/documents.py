"""JSON documents of the event as the public sees it, for the API of live pages; the others are those of reports."""

from typing_extensions import TypedDict

from tourney.output.times import format_utc
from tourney.output.units import CallText, CardText, ContractText, RoomName, SeatLetter, Time, VulnerabilityName
from tourney.report.schedule import ScheduleDocument
from tourney.site.public import PublicBoard, PublicTable, PublicView


class EventStateDocument(TypedDict):
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
    starts: Time | None
    """When it starts."""
    frozen: list[int]
    """The rounds that have begun and whose results are withheld until they are final."""


class PublicEventDocument(ScheduleDocument):
    """The draw of an event, and how far it has come."""

    state: EventStateDocument
    """How far it has come."""


class PlayedCardDocument(TypedDict):
    """A card of a board in play."""

    seat: SeatLetter
    """The hand that it came from."""
    card: CardText
    """The card that was played."""


class PlayDocument(TypedDict):
    """A board in play as far as it may be shown."""

    dealer: SeatLetter
    """The dealer."""
    vulnerable: VulnerabilityName
    """Which sides are vulnerable."""
    calls: list[CallText]
    """The calls from the dealer on."""
    contract: ContractText | None
    """The contract; null while the auction goes on."""
    declarer: SeatLetter | None
    """The declarer; null while there is no contract."""
    cards: list[PlayedCardDocument]
    """The cards in the order of play."""
    hands: dict[str, str]
    """The hands that may be shown, by seat, as they were dealt, suits from spades to clubs: dummy after the lead."""
    tricks_declarer: int
    """Tricks that declarer's side has won."""
    tricks_defence: int
    """Tricks that the defenders have won."""


class LiveTableDocument(TypedDict):
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


class LiveDocument(TypedDict):
    """What is being played at this moment."""

    event: str
    """The name of the event."""
    state: EventStateDocument
    """How far it has come."""
    tables: list[LiveTableDocument]
    """The tables in play, in the order of matches, the open room first."""


def event_document(view: PublicView) -> PublicEventDocument:
    """Return the draw and how far the event has come."""
    schedule = view.schedule.document()
    return {
        "event": schedule["event"],
        "state": _state_document(view),
        "stages": schedule["stages"],
        "teams": schedule["teams"],
        "rounds": schedule["rounds"],
    }


def live_document(view: PublicView) -> LiveDocument:
    """Return what is being played."""
    return {
        "event": view.event.name,
        "state": _state_document(view),
        "tables": [_table_document(view, table) for table in view.tables if table.is_playing],
    }


def _state_document(view: PublicView) -> EventStateDocument:
    state = view.state
    return {
        "rounds": state.rounds,
        "round": state.round,
        "playing": state.is_playing,
        "final": state.is_final,
        "next_round": state.next_round,
        "starts": format_utc(state.next_starts_at_ms) if state.next_starts_at_ms is not None else None,
        "frozen": list(state.frozen),
    }


def _play_document(board: PublicBoard) -> PlayDocument:
    contract = board.contract
    return {
        "dealer": board.dealer.letter,
        "vulnerable": board.vulnerability.value,
        "calls": [str(call) for call in board.calls],
        "contract": str(contract) if contract is not None else None,
        "declarer": contract.declarer.letter if contract is not None else None,
        "cards": [{"seat": seat.letter, "card": str(card)} for seat, card in board.cards],
        "hands": {seat.letter: str(hand) for seat, hand in board.hands.items()},
        "tricks_declarer": board.tricks_declarer,
        "tricks_defence": board.tricks_defence,
    }


def _table_document(view: PublicView, table: PublicTable) -> LiveTableDocument:
    board = view.board_in_play(table)
    return {
        "match": table.match.number,
        "segment": table.segment,
        "room": table.room.value,
        "round": table.round,
        "ns": table.ns_team,
        "ew": table.ew_team,
        "boards": table.boards,
        "finished": table.finished,
        "board": table.board,
        "play": _play_document(board) if board is not None else None,
    }
