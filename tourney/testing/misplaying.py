"""A player with a handicap: `python -m tourney.testing.misplaying --share 0.1 --port P --seat S --team T`.

It plays as the bot `basic`, but misplays a known share of tricks, so that a program of known weakness is at hand when
something is said about strength. Exit statuses are those of `tourney bot`.
"""

import argparse
import sys
from collections.abc import Sequence
from random import Random

from tourney.bots import strategy_of
from tourney.bots.client import BotSettings, run_bot
from tourney.bots.strategy import Decision
from tourney.bridge import Card, Hand, PlayerView, Seat
from tourney.errors import TourneyError
from tourney.testing.misbehaving import add_place, print_error


class MisplayingStrategy:
    """Plays like another style, but badly in a share of all tricks, from whichever hand it plays.

    Which tricks those are follows from the seed, the cards that the player was dealt and the number of the trick. So
    a board has the same errors whenever it is played, and another board with the same number has others.
    """

    def __init__(self, seed: int, share: float, style: str = "basic") -> None:
        """Prepare to play.

        Args:
            seed: the same seed makes the same choices and the same errors.
            share: the share of tricks that are misplayed, 0 to 1.
            style: how it calls, and plays the other tricks.
        """
        self._own = strategy_of(style, seed)
        self._seed = seed
        self._share = share

    def choose_call(self, view: PlayerView) -> Decision:
        """Call like the other style."""
        return self._own.choose_call(view)

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Play a card; in a trick that is misplayed one as different as possible from that of the other style."""
        card = self._own.choose_card(view, hand)
        if not self.misplays(view.hand, len(view.tricks) + 1):
            return card
        return max(view.legal_cards(hand), key=lambda other: (abs(other.rank - card.rank), other != card, other))

    def misplays(self, dealt: Hand, trick: int) -> bool:
        """Return whether a trick, from 1, is misplayed by a player that was dealt these cards."""
        cards = "".join(map(str, dealt.cards))
        return Random(f"{self._seed}|misplayed|{cards}|{trick}").random() < self._share


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share <= 1:
        raise ValueError
    return share


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tourney.testing.misplaying",
        description="The bot basic with a handicap: it misplays a share of all tricks.",
    )
    parser.add_argument("--share", type=_share, default=0.1, help="share of tricks that it misplays, 0 to 1")
    add_place(parser)
    parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same choices and errors")
    return parser


def main(words: Sequence[str] | None = None) -> None:
    """Play as the arguments say, by default those of this process; returns only after success.

    Raises:
        SystemExit: with status 1 if the player was refused or lost its connection, 2 for a command that cannot be
            used.
    """
    asked = _parser().parse_args(words)
    settings = BotSettings(asked.host, asked.port, Seat.from_letter(asked.seat[0]), asked.team)
    try:
        run_bot(settings, MisplayingStrategy(asked.seed, asked.share), print_error)
    except TourneyError as error:
        print_error(str(error))
        raise SystemExit(error.exit_status) from None


if __name__ == "__main__":
    main(sys.argv[1:])
