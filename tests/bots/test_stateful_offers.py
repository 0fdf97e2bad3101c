"""A program in the stateful-server protocol: it claims, and tells opponents what its calls mean."""

from typing import Any, cast

import pytest

from tests.protocol.stateful.test_board import begun, in_1nt
from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, WEST
from tourney.bots.basic import BasicStrategy
from tourney.bots.client import BotPlayer, BotSettings
from tourney.bots.seated_player import SeatedPlayer
from tourney.bots.strategy import Strategy
from tourney.player import Bid, Card, Player, Strain, View
from tourney.protocol.session.rules import TableRules
from tourney.protocol.wires import Language

CLAIMS = TableRules(claims=True)


class Claimant(Player):
    """Claims at each trick, and says what its bid of one notrump means."""

    def call(self, view: View) -> tuple[Bid, str]:
        return Bid(1, Strain.NOTRUMP), "12 to 14 points"

    def play(self, view: View) -> Card:
        return min(view.legal_cards)

    def claim(self, view: View) -> bool:
        return True


class BotNorth(BotPlayer):
    """A program at North of a rig's table, without a socket."""

    def __init__(self, rig: TableRig, strategy: Strategy, *, claims: bool = True) -> None:
        settings = BotSettings("", 0, None, "Alpha", protocol=Language.STATEFUL, claims=claims)
        super().__init__(cast("Any", None), settings, strategy, lambda _: None)
        self._rig = rig
        self.sent: list[str] = []
        self._unheard: list[str] = []
        self.perform(self.core.start()[:1])  # which asks for the extensions
        self.sent.clear()

    def send_line(self, line: str) -> None:
        self.sent.append(line)
        self._unheard += self._rig.send_line(NORTH, line)

    def hear_all(self) -> None:
        self._unheard += self._rig.take(NORTH)
        while self._unheard:
            self.hear(self._unheard.pop(0).encode())


@pytest.mark.clause("SS-51")
@pytest.mark.parametrize("opponents", ["CLAIM", "STATE"])
def test_a_program_claims_once_a_trick_and_plays_if_the_claim_is_rejected_or_cannot_be_made(opponents: str) -> None:
    rig = in_1nt(opponents, rules=CLAIMS)
    bot = BotNorth(rig, SeatedPlayer(Claimant()))
    rig.send_line(EAST, "PLAY 10S")
    bot.hear_all()
    if opponents == "CLAIM":
        assert bot.sent == ["X-CLAIM"]
        assert "X-CLAIM 1 N AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C" in rig.take(WEST)
        rig.send_line(WEST, "X-REJECT 1")
        bot.hear_all()
    assert bot.sent == ["X-CLAIM", "PLAY 5S"]


@pytest.mark.clause("SS-51")
def test_a_program_that_knows_that_no_claims_are_taken_makes_none() -> None:
    rig = in_1nt("CLAIM", rules=CLAIMS)
    bot = BotNorth(rig, SeatedPlayer(Claimant()), claims=False)
    rig.send_line(EAST, "PLAY 10S")
    bot.hear_all()
    assert bot.sent == ["PLAY 5S"]


@pytest.mark.clause("SS-53")
@pytest.mark.parametrize(
    ("strategy", "meaning"),
    [(SeatedPlayer(Claimant()), '"12 to 14 points"'), (BasicStrategy(1), "natural")],
)
def test_an_opponent_who_asks_is_told_what_a_program_has_said_about_its_call(
    strategy: Strategy, meaning: str
) -> None:
    rig = begun("ASK")
    bot = BotNorth(rig, strategy)
    bot.send_line("JOIN-T")
    bot.hear_all()
    rig.clear()
    rig.send_line(EAST, "X-ASK 1")
    bot.hear_all()
    assert rig.take(EAST) == [f"X-TELL 1 {meaning}"]
