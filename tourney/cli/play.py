"""`tourney play`: a person's seat at a table."""

import click

from tourney.cli._common import EXIT_INTERRUPTED, SEAT_NAMES
from tourney.cli._ranges import FloatRange, IntRange


@click.command("play")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address of the server.")
@click.option("--port", type=IntRange(1, 65535), required=True, help="Port of the server.")
@click.option(
    "--name",
    required=True,
    help="Your name; at an event that of your team, as the organiser entered it, with its passphrase after a #.",
)
@click.option(
    "--game", metavar="ID", help="Game to join. By default a seat in whatever the server has, or a new game."
)
@click.option("--tournament", metavar="ID", help="Tournament to join.")
@click.option(
    "--seat", type=click.Choice(SEAT_NAMES, case_sensitive=False), help="Seat to take in the --game; by default any."
)
@click.option(
    "--plain",
    is_flag=True,
    help="Print a line for each thing that happens in place of a picture, for screen readers; pipes have it anyway.",
)
@click.option(
    "--wait-s",
    type=FloatRange(0, 86_400),
    default=120,
    show_default=True,
    help="Seconds to try to reach a server that does not answer, at first and after a lost connection.",
)
def play_command(
    host: str,
    port: int,
    name: str,
    game: str | None,
    tournament: str | None,
    seat: str | None,
    plain: bool,
    wait_s: float,
) -> None:
    """Play bridge yourself, in a terminal, at a table of tourney.

    The server speaks the stateful-server protocol: an event with a [stateful] port. The terminal shows your hand, the
    auction, dummy and the trick; you type calls and cards, such as 1n, p, x, sa and 10h, and ? for help. Whatever is
    not legal is not sent. When the connection is lost, the command connects again, and play continues where it was.

    Exit status: 0 when the session has ended or you quit; 1, with one sentence, if the server cannot be reached or
    refuses you; 130 after Ctrl-C.
    """
    from tourney.bridge import Seat
    from tourney.client.display import has_keyboard
    from tourney.client.program import PlaySettings, run_play
    from tourney.client.server_link import ServerAddress
    from tourney.client.session import SeatAddress
    from tourney.errors import UsageError

    if game is not None and tournament is not None:
        raise UsageError("a seat is in a --game or in a --tournament, got both")
    if seat is not None and game is None:
        raise UsageError("--seat is for a --game: elsewhere the server assigns the seats")
    if not name.strip():
        raise UsageError("--name has at least one letter, got none")
    chosen = None if seat is None else Seat(SEAT_NAMES.index(seat.title()))
    place = SeatAddress(tournament=tournament, game=game, seat=chosen)
    settings = PlaySettings(ServerAddress(host, port, wait_s), name, place, is_plain=plain or not has_keyboard())
    try:
        run_play(settings)
    except KeyboardInterrupt:
        raise SystemExit(EXIT_INTERRUPTED) from None
