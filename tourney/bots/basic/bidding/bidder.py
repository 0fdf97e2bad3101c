"""The auction of the basic player: the system where it speaks, judgement where it is silent."""

from typing import Final

from tourney.bots.basic.bidding.alerts import aces_text, alert_text
from tourney.bots.basic.bidding.book import book
from tourney.bots.basic.bidding.inference import read_auction, read_call
from tourney.bots.basic.bidding.judgement import judge
from tourney.bots.basic.bidding.meaning import Meaning, Tag
from tourney.bots.basic.bidding.strong import ACE_ANSWERS
from tourney.bots.evaluation import Evaluation
from tourney.bots.strategy import Decision
from tourney.bots.temperament import Temper
from tourney.bridge import PASS, Bid, PlayerView

_BOLDNESS_MOST: Final = 0.8
"""Points by which a player may value its hand higher, or lower, than it is."""


def decide_call(view: PlayerView, temper: Temper) -> Decision:
    """A legal call for the seat of the view, with its alert when it is artificial.

    Args:
        view: what the seat knows; it is its turn to call.
        temper: makes the player bold on one board and careful on another, where it judges for itself.
    """
    situation = read_auction(view)
    hand = Evaluation.of(view.hand)
    listed = book(situation)
    for each in listed:
        if each.fits(hand):
            return Decision(each.call, _alert([other for other in listed if other.call == each.call]))
    call = judge(situation, hand, _BOLDNESS_MOST * temper.whim("boldness"))
    if not situation.is_legal(call):
        return Decision(PASS)
    return Decision(call, alert_text([read_call(situation, call)]))


def _alert(meanings: list[Meaning]) -> str:
    first = meanings[0]
    if first.tag is Tag.ACES and isinstance(first.call, Bid):
        counts = [aces for aces, strain in ACE_ANSWERS.items() if strain is first.call.strain]
        return aces_text(counts[0], counts[-1]) if len(counts) > 1 else f"{counts[0]} total aces."
    return alert_text(meanings)
