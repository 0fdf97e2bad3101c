"""A program for `make kills` that notes every line it hears or says, before anybody could know of it otherwise.

Its words are a folder, maybe `fickle`, host, port, seat, team and seed. If it is fickle, each
start has a mind of its own: what it says after it has come back is not what it said before.
"""

import os
import sys
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
    notes_in, *is_fickle, host, port, letter, team, seed = sys.argv[1:]
    folder, seat = Path(notes_in), Seat.from_letter(letter[0])
    name = f"{port}-{seat.letter}-{team}"
    starts = len(list(folder.glob(f"{name}-*.txt")))
    path = folder / f"{name}-{starts:03d}-{os.getpid()}.txt"
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
    settings = BotSettings(host, int(port), seat, team, think_ms=30, alerts=False)
    try:
        run_bot(settings, RandomStrategy(int(seed) + (starts if is_fickle else 0)), lambda text: None)
    except TourneyError as error:
        note("ended", str(error))
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
