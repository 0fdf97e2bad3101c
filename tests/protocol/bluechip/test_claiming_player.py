"""Our own player where it makes and judges claims."""

from collections.abc import Sequence

import pytest

from tests.support.wire_players import CARDS, DUMMY, ONE_NT, hear, says
from tests.support.wire_tables import SOUTH, WEST
from tourney.bridge import Card, PlayerView, Seat, parse_card
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.player import AskCard, ClaimJudge, Leave


def asked_declarer(judge: ClaimJudge = lambda view, claimant, cards: False) -> tuple[PlayerCore, AskCard]:
    """South plays 1NT, and is to play from dummy to West's lead."""
    player = PlayerCore(SOUTH, "Alpha", judge_claim=judge)
    player.start()
    hear(player, 'South ("Alpha") seated', 'Teams : N/S : "Alpha" E/W : "Beta"', "Start of board")
    hear(player, "Board number 1. Dealer North. Neither vulnerable.", CARDS, "North passes", "East passes")
    player.make_call(ONE_NT)
    hear(player, "West passes", "North passes", "East passes")
    (asked,) = hear(player, "West plays 4S", DUMMY)
    assert isinstance(asked, AskCard)
    return player, asked


@pytest.mark.clause("BC-41")
@pytest.mark.parametrize("answer", ["South's claim is rejected", "Error: West's program has no words: play on"])
def test_a_claim_that_is_not_accepted_is_followed_by_the_same_question(answer: str) -> None:
    player, asked = asked_declarer()
    assert player.make_claim(asked) == says("South claims")
    assert player.make_card(asked.hand, parse_card("AS"), asked=asked) == [], "nobody plays meanwhile"
    (again,) = hear(player, answer)
    assert isinstance(again, AskCard)
    assert (again.view, again.hand) == (asked.view, asked.hand)
    assert player.make_card(again.hand, parse_card("AS"), asked=again)
    assert hear(player, "Error: what follows is no claim of ours")[-1:] == [
        Leave("the table said 'Error: what follows is no claim of ours'")
    ]


@pytest.mark.clause("BC-41")
def test_after_a_claim_that_is_accepted_the_next_line_is_the_tables() -> None:
    player, asked = asked_declarer()
    player.make_claim(asked)
    assert hear(player, "South's claim is accepted", "Timing - N/S : 1") == []
    assert hear(player, "Start of board") == says("South ready for deal")
    assert player.make_claim(asked) == []


@pytest.mark.clause("BC-41")
def test_the_owner_judges_the_claim_of_an_opponent_with_the_cards_that_are_shown() -> None:
    judged = []

    def judge(view: PlayerView, claimant: Seat, cards: Sequence[Card]) -> bool:
        judged.append((view, claimant, cards))
        return True

    player, asked = asked_declarer(judge)
    assert hear(player, "West claims") == []
    assert hear(player, "West's cards : S -. H A K. D -. C 4.") == says("South accepts West's claim")
    assert judged == [(asked.view, WEST, tuple(map(parse_card, ("AH", "KH", "4C"))))]
    (again,) = hear(player, "West's claim is rejected")
    assert isinstance(again, AskCard)
    assert again.view is asked.view


@pytest.mark.clause("BC-40")
def test_a_board_that_begins_again_has_no_claim() -> None:
    player, asked = asked_declarer()
    player.make_claim(asked)
    hear(player, "Start of board")
    assert hear(player, "South's claim is rejected") == []
