"""Many auctions that reach every rule of the reference bidding, as text: what is called and what alerts say.

At every turn of an auction three more hands are asked what they would call there, so that rare situations meet hands
that fit them. `python -m tests.support.bidding_net FILE` writes all of it: the first difference between two checkouts
is the first line of a `diff` of their files.
"""

import random
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from tests.support.bots_table import views_of
from tourney.bots import Decision, Strategy
from tourney.bots.basic import BasicStrategy
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import (
    BIDS,
    SEATS,
    Auction,
    Bid,
    Board,
    Call,
    Card,
    Hand,
    PlayerView,
    Seat,
    Vulnerability,
    board_from_seed,
    parse_call,
)

AUCTIONS: Final = 400
BLOCK: Final = 50
"""Auctions that share a checksum."""
_DEALS: Final = 6
"""Deals of which the one that a board's wish likes best is taken."""
_HIGH_CARDS: Final = {14: 4, 13: 3, 12: 2, 11: 1}

_RARE: Final = (Path(__file__).parents[1] / "golden" / "rare_auctions.txt").read_text(encoding="ascii").splitlines()
"""Auctions that random ones seldom come to: many hands are asked for the next call."""
_HANDS: Final = 25
"""Boards whose hands are asked after each of these."""


class Meddler:
    """Calls what the basic player calls, but for one call in four, which is any of the cheaper legal ones."""

    def __init__(self, seed: int) -> None:
        self._basic = BasicStrategy(seed)
        self._seed = seed

    def choose_call(self, view: PlayerView) -> Decision:
        """Choose a legal call."""
        generator = random.Random(f"{self._seed}|{view.number}|{view.seat.value}|{len(view.auction.calls)}")
        if generator.random() < 0.75:
            return self._basic.choose_call(view)
        highest = view.auction.last_bid or BIDS[0]
        return Decision(generator.choice([call for call in view.auction.legal_calls() if _is_near(call, highest)]))

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Choose a legal card."""
        return self._basic.choose_card(view, hand)


def _is_near(call: Call, highest: Bid) -> bool:
    return not isinstance(call, Bid) or BIDS.index(call) - BIDS.index(highest) <= 9


def players_of(number: int) -> list[Strategy]:
    """Seat the basic player with itself, with players that meddle, or against random ones."""
    basic: list[Strategy] = [BasicStrategy(number % 7 + each) for each in range(4)]
    meddlers: list[Strategy] = [Meddler(number % 5 + each) for each in range(4)]
    wild = RandomStrategy(number)
    tables = [
        basic,
        meddlers,
        [basic[0], meddlers[1], basic[2], meddlers[3]],
        [meddlers[0], basic[1], meddlers[2], basic[3]],
        [basic[0], wild, basic[2], wild],
        [meddlers[0], meddlers[1], basic[2], basic[3]],
    ]
    return tables[number % len(tables)]


def points_of(hand: Hand) -> int:
    """Count high-card points."""
    return sum(_HIGH_CARDS.get(card.rank, 0) for card in hand.cards)


def _longest(hand: Hand) -> int:
    return max(len(hand.suit(suit)) for suit in {card.suit for card in hand.cards})


_WISHES: Final[tuple[Callable[[Board], float], ...]] = (
    lambda _: 0,
    lambda board: points_of(board.deal[board.dealer]),
    lambda board: points_of(board.deal[board.dealer]) + points_of(board.deal[board.dealer.partner]),
    lambda board: sum(_longest(board.deal[seat]) for seat in SEATS),
    lambda board: -abs(points_of(board.deal[board.dealer]) - 16) - 5 * _longest(board.deal[board.dealer]),
)
"""Kinds of deals: any, a strong dealer, strong partners, long suits, a notrump opening."""


@lru_cache(maxsize=256)
def board_of(number: int) -> Board:
    """Deal a board of one of the kinds; dealer and vulnerability go through all combinations."""
    boards = [board_from_seed("net", str(each), number) for each in range(1, _DEALS + 1)]
    return max(boards, key=_WISHES[number % len(_WISHES)])


def auction_text(number: int) -> str:
    """Hold one auction, and write it with what other hands would have called: a line a turn."""
    board, players = board_of(number), players_of(number)
    others = [board_of(number + each).deal[SEATS[number % 4]] for each in (1, 2, 3)]
    views, auction = views_of(board), Auction(board.dealer)
    lines = [f"auction {number}: {board.dealer.title} deals, {board.vulnerability} vulnerable"]
    while not auction.is_over:
        seat = auction.turn
        decision = players[seat].choose_call(views[seat])
        asked = list(_asked(board, auction, others, seed=number))
        lines.append(f"{board.deal[seat]} {_text_of(decision)} | {', '.join(map(_text_of, asked))}")
        auction.add(decision.call)
        for view in views:
            view.add_call(decision.call)
    return "".join(f"{line}\n" for line in lines)


def _asked(board: Board, auction: Auction, hands: list[Hand], seed: int) -> Iterator[Decision]:
    for hand in hands:
        view = PlayerView(auction.turn, board.number, board.dealer, Vulnerability(board.vulnerability), hand)
        for call in auction.calls:
            view.add_call(call)
        yield BasicStrategy(seed).choose_call(view)


def rare_text(calls: str, number: int) -> str:
    """Write what many hands would call after a rare auction."""
    dealer, vulnerability = SEATS[number % 4], tuple(Vulnerability)[number // 4 % 4]
    lines = [f"after {calls}: {dealer.title} deals, {vulnerability} vulnerable"]
    for each in range(number, number + _HANDS):
        for hand in board_of(each).deal.hands:
            view = PlayerView(dealer.plus(len(calls.split())), number, dealer, vulnerability, hand)
            for text in calls.split():
                view.add_call(parse_call(text))
            lines.append(f"{hand} {_text_of(BasicStrategy(number).choose_call(view))}")
    return "".join(f"{line}\n" for line in lines)


def _text_of(decision: Decision) -> str:
    return f"{decision.call} ({decision.alert})" if decision.alert else str(decision.call)


def auction_blocks() -> dict[str, str]:
    """Write all auctions, in blocks of fifty."""
    return {
        f"auctions-{first:04}-to-{first + BLOCK - 1:04}": "".join(map(auction_text, range(first, first + BLOCK)))
        for first in range(1, AUCTIONS + 1, BLOCK)
    }


def rare_blocks() -> dict[str, str]:
    """Write a block for each rare auction."""
    return {
        f"after-{calls.replace(' ', '-')}": rare_text(calls, number) for number, calls in enumerate(_RARE, start=1)
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("".join((auction_blocks() | rare_blocks()).values()), encoding="utf-8")
