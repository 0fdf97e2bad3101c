"""JSON documents of the event as the public sees it, for the API of live pages; the others are those of reports."""

from typing import Annotated

from tourney.output.rows import INLINE, Row
from tourney.output.units import CallText, CardUnit, ContractUnit, SeatUnit, VulnerabilityName
from tourney.site.public import EventState, PublicBoard, PublicView
from tourney.views.schedule import DrawDocument
from tourney.views.status_tables import TableHeadDocument


class PublicEventDocument(Row):
    """The draw of an event, and how far it has come."""

    event: str
    """The name of the event."""
    state: EventState
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


class LiveTableDocument(TableHeadDocument, kw_only=True):
    """A table at which a match is being played."""

    play: PlayDocument | None
    """What may be shown of it; null unless `live` in `[web]` of the event file allows it."""


class LiveDocument(Row):
    """What is being played at this moment."""

    event: str
    """The name of the event."""
    state: EventState
    """How far it has come."""
    tables: list[LiveTableDocument]
    """The tables in play, in the order of matches, the open room first."""


def view_event(view: PublicView) -> PublicEventDocument:
    """Return the draw and how far the event has come."""
    return PublicEventDocument(view.event.name, view.state, view.schedule.draw())


def view_live(view: PublicView) -> LiveDocument:
    """Return what is being played."""
    tables = []
    for table in view.tables:
        if table.is_playing:
            board = view.board_in_play(table)
            tables.append(
                LiveTableDocument.from_attributes(
                    table,
                    match=table.match.number,
                    ns=table.ns_team,
                    ew=table.ew_team,
                    play=_play(board) if board is not None else None,
                )
            )
    return LiveDocument(view.event.name, view.state, tables)


def _play(shown: PublicBoard) -> PlayDocument:
    board, contract, play = shown.open, shown.open.contract, shown.open.play
    return PlayDocument(
        dealer=board.dealer,
        vulnerable=board.vulnerability,
        calls=list(map(str, board.auction.calls)),
        contract=contract,
        declarer=contract.declarer if contract is not None else None,
        cards=[PlayedCardDocument(*played) for played in (play.cards if play is not None else ())],
        hands={seat.letter: str(hand) for seat, hand in shown.hands.items()},
        tricks_declarer=play.tricks_won if play is not None else 0,
        tricks_defence=play.tricks_lost if play is not None else 0,
    )
