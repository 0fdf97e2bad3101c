"""The play of the basic player: which card, by plain sense and by what has been seen."""

from tourney.bots.basic.play.declarer import declarer_lead
from tourney.bots.basic.play.defence import defender_lead
from tourney.bots.basic.play.follow import follow
from tourney.bots.basic.play.layout import Table
from tourney.bots.basic.play.opening_lead import opening_lead
from tourney.bots.temperament import Temper
from tourney.bridge import Card, PlayerView, Seat


def decide_card(view: PlayerView, hand: Seat, temper: Temper) -> Card:
    """A legal card for the hand in turn.

    Args:
        view: what the player knows.
        hand: the player's own seat, or dummy's when the player is declarer.
        temper: decides between leads that look alike.
    """
    legal = view.legal_cards(hand)
    if len(legal) == 1:
        return legal[0]
    card = _chosen(view, hand, temper)
    return card if card in legal else legal[-1]


def _chosen(view: PlayerView, hand: Seat, temper: Temper) -> Card:
    if not view.cards:
        return opening_lead(view, temper)
    table = Table.of(view, hand)
    if table.trick.cards:
        return follow(table)
    return declarer_lead(table) if table.declares else defender_lead(table, temper)
