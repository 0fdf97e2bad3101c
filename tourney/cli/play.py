"""`tourney play`: a person's seat at a table."""

import re
from pathlib import Path
from typing import Final

import click

from tourney.cli._common import EXIT_INTERRUPTED, FOLDER, SEAT_NAMES, default_option
from tourney.cli._ranges import IntRange
from tourney.errors import UsageError

WAIT_S: Final = 120
"""How long a server is tried that does not answer, at first and after a lost connection."""


@click.command("play")
@default_option("--host", default="127.0.0.1", help="Address of the server.")
@click.option("--port", type=IntRange(1, 65535), help="Port of the server.")
@click.option(
    "--name",
    help="Your name; in an event that of your team, as the organiser entered it, with its passphrase after a #.",
)
@click.option(
    "--game",
    metavar="ID",
    help="Game or tournament to join. By default a seat in any game or tournament there, or a new game.",
)
@click.option(
    "--seat", type=click.Choice(SEAT_NAMES, case_sensitive=False), help="Seat to take in the --game; by default any."
)
@click.option(
    "--against",
    metavar="COMMAND",
    help='Play in your browser against a program: a command such as "./mybot {port} {seat}", or a player such as '
    "my_bot:MyBot.",
)
@click.option(
    "--profile", metavar="NAME", help="Wire profile that the program of --against needs, as in an event file."
)
@default_option("--boards", type=IntRange(1, 1000), default=8, help="Boards to play against the program.")
@click.option("--seed", type=int, help="Deal the boards against the program from this number; by default by chance.")
@click.option(
    "--keep",
    metavar="FOLDER",
    type=FOLDER,
    help="Keep the game in this folder; by default it is thrown away at the end.",
)
def play_command(
    host: str,
    port: int | None,
    name: str | None,
    game: str | None,
    seat: str | None,
    against: str | None,
    profile: str | None,
    boards: int,
    seed: int | None,
    keep: Path | None,
) -> None:
    """Play bridge yourself, at a table of tourney: in a terminal, or in a browser against a program of your own.

    \b
    tourney play --port 2100 --name Anna
    tourney play --against "./mybot {port} {seat}"

    The server speaks the stateful-server protocol: an event with a [stateful] port. Every call, card and result is a
    line, and so is what you may do when it is your turn. You type calls and cards, such as 1n, p, x, sa and 10h, and
    ? for help. Whatever is not legal is not sent. When the connection is lost, the command connects again, and play
    continues where it was.

    Exit status: 0 when the session has ended or you quit; 1, with one sentence, if the server cannot be reached or
    refuses you; 130 after Ctrl-C.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.bridge import Seat
    from tourney.client.display import run_play
    from tourney.client.server_link import ServerAddress
    from tourney.client.session import PlaySession, SeatAddress
    from tourney.client.wording import game_place

    if against is not None:
        if any(option is not None for option in (port, name, game)):
            raise UsageError("--against has a table of its own, so it goes without --port, --name, --game")
        from tourney.cli._own_game import play_own_game

        play_own_game(against, profile, boards, seed, keep)
        return
    if port is None or name is None:
        raise UsageError("--port and --name say where you play, or --against COMMAND against whom")
    if seat is not None and game is None:
        raise UsageError("--seat is for a --game: elsewhere the server assigns the seats")
    if not name.strip():
        raise UsageError("--name has at least one letter, got none")
    chosen = None if seat is None else Seat[seat.upper()]
    has_id = game is not None and (game_place(game) is not None or re.fullmatch("g[0-9]+", game) is not None)
    place = SeatAddress(game=game, seat=chosen) if has_id else SeatAddress(tournament=game, seat=chosen)
    try:
        run_play(ServerAddress(host, port, WAIT_S), PlaySession(name, place))
    except KeyboardInterrupt:
        raise SystemExit(EXIT_INTERRUPTED) from None
