"""Programs with which a board is begun again while an opponent thinks.

The program at the fickle seat opens with one call and ends; the next one started there opens with another. The one at
the thinking seat makes its first call when the table has sent it something else meanwhile, which it reads afterwards.
Both end with status 1 when the table refuses a line, as most programs do.
"""

import argparse
import select
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # it is run by its path

from tests.support.misbehaving import FaultyPlayer, PlayerSettings, print_error
from tourney.bots.client import connect
from tourney.bridge import PASS, Seat
from tourney.errors import TourneyError
from tourney.protocol.player import AskCall

THINK_S_MAX = 60.0


class Fickle(FaultyPlayer):
    """Passes; the first time it runs, it bids and ends."""

    mark: Path

    def call(self, ask: AskCall) -> None:
        is_first = not self.mark.exists()
        self.mark.touch()
        if is_first:
            bid = next(call for call in ask.view.auction.legal_calls() if call != PASS)
            self.perform(self.core.make_call(bid))
            raise SystemExit(3)
        self.perform(self.core.make_call(PASS))


class Thinker(FaultyPlayer):
    """Passes, the first time only when there is something to read."""

    has_thought = False

    def call(self, ask: AskCall) -> None:
        if not self.has_thought:
            self.has_thought = True
            select.select([self.connection], [], [], THINK_S_MAX)
        self.perform(self.core.make_call(PASS))


def main() -> int:
    """Play one seat."""
    parser = argparse.ArgumentParser()
    for name in ("host", "port", "seat", "team", "room", "fickle", "thinker", "mark"):
        parser.add_argument(f"--{name}", required=True)
    asked = parser.parse_args()
    kinds = {asked.fickle: Fickle, asked.thinker: Thinker}
    kind = kinds.get(f"{asked.room}-{asked.seat}", FaultyPlayer)
    settings = PlayerSettings(Seat.from_letter(asked.seat[0]), asked.team, style="basic", after=10**9, die=True)
    with connect(asked.host, int(asked.port)) as connection:
        player = kind(connection, settings)
        if isinstance(player, Fickle):
            player.mark = Path(asked.mark)
        try:
            player.play()
        except TourneyError as error:
            print_error(str(error))
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
