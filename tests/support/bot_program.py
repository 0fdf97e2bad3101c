"""The bot of `tourney bot` as a program of its own, for events with dozens of them.

Tests start a thousand bots, each for a board or two; without the command line of `tourney`, which has tests of its
own, such a bot takes three quarters of the processor time.
"""

import gc
import sys

gc.disable()  # it is about to end

from tourney.bots import strategy_of  # noqa: E402 # see above
from tourney.bots.client import BotSettings, run_bot  # noqa: E402
from tourney.bridge import Seat  # noqa: E402
from tourney.errors import TourneyError  # noqa: E402
from tourney.protocol.wires import Language  # noqa: E402


def tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main(words: list[str]) -> int:
    """Play until the session ends; the options are those of `tourney bot`."""
    given = {"--seat": "", "--protocol": Language.BLUE_CHIP, **dict(zip(words[::2], words[1::2], strict=True))}
    settings = BotSettings(
        given["--host"],
        int(given["--port"]),
        Seat.from_letter(given["--seat"][0]) if given["--seat"] else None,
        given["--team"],
        think_ms=int(given["--think-ms"]),
        protocol=Language(given["--protocol"]),
    )
    try:
        run_bot(settings, strategy_of(given["--style"], int(given["--seed"])), tell)
    except TourneyError as error:
        tell(f"Error: {error}")
        return 1
    return 0


if __name__ == "__main__":
    status = main(sys.argv[1:])
    gc.freeze()
    sys.exit(status)
