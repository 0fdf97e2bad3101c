"""A program for `make kills` that notes every line it hears or says, before anybody could know of it otherwise.

With `--fickle` each start has a mind of its own: what it says after it has come back is not what it said before.
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from tourney.bots import client
from tourney.bots.client import BotSettings, run_bot
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import Seat
from tourney.errors import TourneyError
from tourney.protocol.bluechip.player import PlayerCore


class NotingCore(PlayerCore):
    """A player core whose lines go into a file, unbuffered: what a killed process has noted stays."""

    note: Callable[[str, str], None]

    def receive_line(self, line: bytes) -> list[object]:  # type: ignore[override]
        """Note a line, then act on it."""
        self.note("heard", line.decode("ascii", "replace"))
        return super().receive_line(line)  # type: ignore[return-value]


def main() -> None:
    """Play at one table until it ends the session."""
    parser = argparse.ArgumentParser(prog="python -m tests.kills.noting_player")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seat", required=True)
    parser.add_argument("--team", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--fickle", action="store_true")
    asked = parser.parse_args()
    seat = next(seat for seat in Seat if asked.seat in (seat.letter, seat.title))
    name = f"{asked.port}-{seat.letter}-{asked.team}"
    starts = len(list(asked.folder.glob(f"{name}-*.txt")))
    path = asked.folder / f"{name}-{starts:03d}-{os.getpid()}.txt"
    notes = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o640)

    def note(what: str, line: str) -> None:
        os.write(notes, f"{what} {line}\n".encode())

    setattr(NotingCore, "note", staticmethod(note))  # noqa: B010 # of the class, as the bot makes its own object
    setattr(client, "PlayerCore", NotingCore)  # noqa: B010 # likewise
    send_line = client.BotPlayer.send_line

    def noted_say(bot: client.BotPlayer, line: str) -> None:
        note("said", line)
        send_line(bot, line)

    setattr(client.BotPlayer, "send_line", noted_say)  # noqa: B010 # likewise
    settings = BotSettings(asked.host, asked.port, seat, asked.team, think_ms=30, alerts=False)
    try:
        run_bot(settings, RandomStrategy(asked.seed + (starts if asked.fickle else 0)), lambda text: None)
    except TourneyError as error:
        note("ended", str(error))
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
