"""A finished board played on from any card of it: the reader has a seat, the reference player has the others.

The address has all that was played, so that nothing is kept between two cards, and a position can be shared.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tourney.bots.basic import BasicStrategy
from tourney.bridge import DECK, SEATS, BoardInPlay, Card, Hand, PlayerView, Seat
from tourney.errors import RuleError
from tourney.site.pages.table_picture import PictureRoom, SeatControls, TablePicture, picture_play
from tourney.store.draw.objects import BoardRecord

NO_CARD: Final = "-"
"""Stands in an address for no card at all."""
_CARDS: Final = {card.pbn: card for card in DECK}
_REFERENCE: Final = BasicStrategy(1)


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """A position that the reader has come to."""

    picture: TablePicture
    controls: SeatControls | None
    """What may be played; None once the board is over."""
    tricks: int
    """Declarer's."""


def play_on(record: BoardRecord, seat: Seat, cards: str, players: Mapping[Seat, str]) -> PlayedOn | None:
    """Play a board on until it is the reader's turn, or it is over.

    Args:
        record: the board as it was called at a table.
        seat: the reader's; as dummy the reader plays for nobody.
        cards: what has been played, from the lead on, as `SAHT`; `NO_CARD` for nothing.
        players: the names of the seats.

    Returns:
        The position; None if there is no such position of the board.
    """
    play = BoardInPlay(record.board)
    texts = cards.removeprefix(NO_CARD)
    try:
        for call in record.calls:
            play.add_call(call.call)
        for place in range(0, len(texts), 2):
            play.add_card(_CARDS[texts[place : place + 2]])
        while (actor := play.actor) is not None and actor is not seat:
            play.add_card(_choose(play, actor))
    except (KeyError, RuleError):
        return None
    if play.play is None or play.contract is None:
        return None
    played = play.play.cards
    seen = SEATS if play.is_over else {seat, play.contract.dummy} if played else {seat}
    left = play.hand if play.is_over else lambda each: Hand.of(play.play.left_of(play.hand(each)))
    hands = {each: left(each) for each in seen}
    names = {**players, seat: "you"}
    picture = picture_play(
        play,
        hands,
        PictureRoom(name="", players=names, contract=play.contract),
        [call.call for call in record.calls],
        played,
        turn=play.turn,
        tricks=(play.play.tricks_won, play.play.tricks_lost),
        bottom=seat,
    )
    controls = None
    if play.turn is not None:
        own = {seat, play.contract.dummy} if seat is play.contract.declarer else {seat}
        controls = SeatControls(
            action="?",
            method="get",
            fields={"cards": "".join(card.pbn for _, card in played) or NO_CARD},
            prompt="Your card",
            hands=frozenset(own & hands.keys()),
            cards=frozenset(play.play.legal_cards()),
        )
    return PlayedOn(picture, controls, play.play.tricks_won)


def _choose(play: BoardInPlay, actor: Seat) -> Card:
    """Return the card of the reference player for the hand in turn; it knows what a player in its seat does."""
    assert play.turn is not None
    view = PlayerView(actor, play.number, play.dealer, play.vulnerability, play.hand(actor))
    view.follow(play, {})
    return _REFERENCE.choose_card(view, play.turn)
