"""`tourney bot`: the reference player."""

import click

from tourney.cli._common import SEAT_NAMES
from tourney.cli._ranges import FloatRange, IntRange

ANY = "any"


@click.command("bot")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address of the table.")
@click.option("--port", type=IntRange(1, 65535), required=True, help="Port of the table.")
@click.option(
    "--protocol",
    type=click.Choice(["blue-chip", "stateful"]),
    default="blue-chip",
    show_default=True,
    help="Language to speak. In the stateful protocol the bot remembers nothing from one line to the next.",
)
@click.option(
    "--seat",
    type=click.Choice([*SEAT_NAMES, ANY], case_sensitive=False),
    help="Seat to take; any: the seat that the table assigns. Required, except in the stateful protocol, where a seat"
    " is chosen only in a game.",
)
@click.option("--game", metavar="ID", help="Game to join in the stateful protocol, in place of the tournament.")
@click.option(
    "--team",
    envvar="TOURNEY_LOGIN",
    show_envvar=True,
    required=True,
    help="Name of the team, as the organiser entered it; with its passphrase, if it has one, as Alpha#secret.",
)
@click.option(
    "--player",
    metavar="MODULE:CLASS",
    help="Seat a player of your own, a class as in the manual's page on tourney.player: my_bot:MyBot. The module is"
    " looked for in the current folder first. By default tourney's own player plays.",
)
@click.option(
    "--style",
    type=click.Choice(["basic", "random"]),
    help="Of tourney's own player. basic, the default: a natural bidding system and simple"
    " card play; random: any legal call and card.",
)
@click.option(
    "--seed", type=int, help="Of tourney's own player: the same seed, by default 1, makes the same choices."
)
@click.option(
    "--think-ms",
    type=IntRange(0, 600_000),
    default=0,
    show_default=True,
    help="Milliseconds to wait before each call and card.",
)
@click.option(
    "--line-gap-ms",
    type=IntRange(0, 10_000),
    default=0,
    show_default=True,
    help="Minimum milliseconds between two consecutive lines, for tables that take one line per read.",
)
@click.option(
    "--system",
    metavar="NAME",
    default="",
    help="Name of a bidding system or program to send after the protocol version. By default nothing follows the"
    " version: some tables accept nothing there.",
)
@click.option(
    "--alerts/--no-alerts",
    default=True,
    show_default=True,
    help="Whether to alert artificial calls: some tables garble the text of an alert.",
)
@click.option(
    "--wait-s",
    type=FloatRange(0, 86_400),
    default=30,
    show_default=True,
    help="Seconds to wait for a table that does not listen yet.",
)
def bot_command(
    host: str,
    port: int,
    protocol: str,
    seat: str | None,
    game: str | None,
    team: str,
    player: str | None,
    style: str | None,
    seed: int | None,
    think_ms: int,
    line_gap_ms: int,
    system: str,
    alerts: bool,
    wait_s: float,
) -> None:
    """Play at a table until the session ends, with a player of your own or the one that ships with tourney.

    Exit status: 0 after `End of session` or `X-END`. 1, with one sentence, if the table cannot be reached, refuses
    the player, sends something unreadable in place of a line that it owes, or closes the connection.
    """
    from pathlib import Path

    from tourney.bots import Strategy, strategy_of
    from tourney.bots.client import BotSettings, run_bot
    from tourney.bots.seated_player import SeatedPlayer, make_player
    from tourney.bridge import Seat
    from tourney.errors import UsageError
    from tourney.player.loading import load_player
    from tourney.protocol.wires import Language

    language = Language(protocol)
    if language is Language.BLUE_CHIP and seat is None:
        raise UsageError(f"--seat is one of {', '.join(SEAT_NAMES)} or {ANY}, got none")
    if language is Language.BLUE_CHIP and game is not None:
        raise UsageError("--game is for --protocol stateful: a table of the other language has one game")
    chosen = None if seat is None or seat.lower() == ANY else Seat(SEAT_NAMES.index(seat.title()))
    if language is Language.STATEFUL and chosen is not None and game is None:
        raise UsageError("in the stateful protocol a tournament assigns the seats: --seat is for a --game there")
    settings = BotSettings(
        host,
        port,
        chosen,
        team,
        system=" ".join(system.split()),
        think_ms=think_ms,
        line_gap_ms=line_gap_ms,
        alerts=alerts,
        connect_s=wait_s,
        protocol=language,
        game=game,
    )
    seated: SeatedPlayer | None = None
    if player is not None:
        if style is not None or seed is not None:
            raise UsageError("--style and --seed are of tourney's own player: leave them out with --player")
        seated = SeatedPlayer(make_player(load_player(player, Path.cwd())))
    strategy: Strategy = seated or strategy_of(style or "basic", 1 if seed is None else seed)
    run_bot(settings, strategy, lambda text: click.echo(text, err=True))
    if seated is not None:
        seated.end_board()
