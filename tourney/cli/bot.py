"""`tourney bot`: the reference player."""

from typing import TYPE_CHECKING

import click

from tourney.cli._common import DIALECT_NAMES, FILE, SEAT_NAMES
from tourney.cli._ranges import FloatRange, IntRange

if TYPE_CHECKING:
    from pathlib import Path

    from tourney.bots.api.service_player import ServiceSettings

ANY = "any"


@click.command("bot")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address of the table.")
@click.option("--port", type=IntRange(1, 65535), help="Port of the table. Required, except with --shared.")
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
    "--shared",
    is_flag=True,
    help="With --player: play many seats, which the table host that has started the program hands over by its"
    " standard input, as `processes` of a team says.",
)
@click.option(
    "--api",
    metavar="URL",
    help="Seat a service that answers over HTTP, at this address: http://127.0.0.1:8085. --dialect says what it is"
    " asked in.",
)
@click.option("--dialect", type=click.Choice(DIALECT_NAMES), help="What the service at --api is asked in.")
@click.option(
    "--play-api", metavar="URL", help="Another service that plays the cards, where the one at --api only bids."
)
@click.option("--play-dialect", type=click.Choice(DIALECT_NAMES), help="What the service at --play-api is asked in.")
@click.option("--model", metavar="NAME", help="Model or system that the service is to bid by, if it has several.")
@click.option(
    "--opponents-model", metavar="NAME", help="Model or system of the opponents, for a service that can be told."
)
@click.option(
    "--scoring",
    type=click.Choice(["imps", "matchpoints"]),
    help="What the service is told about the scoring; by default that of the table, where tourney has started the"
    " program beside it, else imps.",
)
@click.option(
    "--request-s",
    type=FloatRange(0.1, 3600),
    default=60,
    show_default=True,
    help="Seconds that an answer of the service may take, repeated requests included. Keep it below the limits of the"
    " table.",
)
@click.option(
    "--at-once",
    type=IntRange(0, 1000),
    default=4,
    show_default=True,
    help="Requests that a service gets at the same time from all your programs on this machine; 0 for no limit.",
)
@click.option(
    "--answers",
    type=FILE,
    help="Keep the answers of the service in this file, and give them again on a board that is begun again.",
)
@click.option(
    "--on-failure",
    type=click.Choice(["leave", "basic"]),
    default="leave",
    show_default=True,
    help="What happens when the service fails. leave: the program ends, and the table rules as on any crash; what is"
    " not legal goes to the table. basic: tourney's own player acts in its place, five times a board at most.",
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
    port: int | None,
    protocol: str,
    seat: str | None,
    game: str | None,
    team: str,
    player: str | None,
    shared: bool,
    api: str | None,
    dialect: str | None,
    play_api: str | None,
    play_dialect: str | None,
    model: str | None,
    opponents_model: str | None,
    scoring: str | None,
    request_s: float,
    at_once: int,
    answers: "Path | None",
    on_failure: str,
    style: str | None,
    seed: int | None,
    think_ms: int,
    line_gap_ms: int,
    system: str,
    alerts: bool,
    wait_s: float,
) -> None:
    """Play at a table until the session ends, with a player of your own or the one that ships with tourney.

    With --api the player is a service that answers over HTTP.

    Exit status: 0 after `End of session` or `X-END`. 1, with one sentence, if the table cannot be reached, refuses
    the player, sends something unreadable in place of a line that it owes, or closes the connection. Likewise if a
    service at --api cannot be reached, refuses a question or does not answer it.
    """
    import os
    from dataclasses import replace
    from pathlib import Path

    from tourney.bots import strategy_of
    from tourney.bots.client import BotSettings, run_bot
    from tourney.bots.seated_player import SeatedPlayer, make_player
    from tourney.bridge import Seat
    from tourney.config.command import TERMS_VARIABLE
    from tourney.errors import UsageError
    from tourney.player.loading import load_player
    from tourney.protocol.seat_handover import UNKNOWN_TERMS, TableTerms
    from tourney.protocol.wires import Language

    language = Language(protocol)
    if shared and (player is None or port is not None or seat is not None or think_ms or line_gap_ms):
        raise UsageError("--shared is for a --player whose seats a table host hands over: leave out where it plays")
    if port is None and not shared:
        raise UsageError("--port is the port of the table, got none")
    if language is Language.BLUE_CHIP and seat is None and not shared:
        raise UsageError(f"--seat is one of {', '.join(SEAT_NAMES)} or {ANY}, got none")
    if language is Language.BLUE_CHIP and game is not None:
        raise UsageError("--game is for --protocol stateful: a table of the other language has one game")
    chosen = None if seat is None or seat.lower() == ANY else Seat(SEAT_NAMES.index(seat.title()))
    if language is Language.STATEFUL and chosen is not None and game is None:
        raise UsageError("in the stateful protocol a tournament assigns the seats: --seat is for a --game there")
    settings = BotSettings(
        host,
        port or 0,
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

    def notify(text: str) -> None:
        click.echo(text, err=True)

    for option in ("--player" if player is not None else "", "--api" if api is not None else ""):
        if option and (style is not None or seed is not None):
            raise UsageError(f"--style and --seed are of tourney's own player: leave them out with {option}")
    if player is not None and api is not None:
        raise UsageError("--player and --api both say who plays: leave one of them out")
    terms = TableTerms.parse(os.environ.get(TERMS_VARIABLE, "{}"))
    if shared:
        from tourney.bots.shared_process import run_shared

        assert player is not None
        run_shared(load_player(player, Path.cwd()), settings)
        return
    if player is not None:
        seated = SeatedPlayer(make_player(load_player(player, Path.cwd())), terms)
        is_unknown = language is Language.STATEFUL and terms == UNKNOWN_TERMS  # a table there says no to a claim
        run_bot(replace(settings, claims=terms.claims or is_unknown), seated, notify)
        seated.end_board()
        return
    if api is None:
        if (dialect or play_api or play_dialect or model or opponents_model) is not None:
            raise UsageError("--dialect, --play-api, --play-dialect and --model are of a service: give its --api too")
        run_bot(settings, strategy_of(style or "basic", 1 if seed is None else seed), notify)
        return
    services = _services(
        api,
        dialect,
        play_api,
        play_dialect,
        model,
        opponents_model,
        (scoring or terms.scoring) == "matchpoints",
        request_s,
        at_once,
        answers,
    )
    from tourney.bots.api.service_player import seat_services

    substitute = strategy_of("basic", 1) if on_failure == "basic" else None
    # An explanation would be one more request, perhaps while the service has a question of another seat.
    run_bot(replace(settings, explains=False), seat_services(services, notify, substitute), notify)


def _services(
    url: str,
    dialect: str | None,
    play_url: str | None,
    play_dialect: str | None,
    model: str | None,
    opponents_model: str | None,
    is_matchpoints: bool,
    request_s: float,
    at_once: int,
    answers: "Path | None",
) -> "ServiceSettings":
    """Return the services that options name.

    Raises:
        UsageError: one is missing.
    """
    from tourney.bots.api.dialect import ApiOptions
    from tourney.bots.api.service import ApiLimits
    from tourney.bots.api.service_player import ServiceSettings
    from tourney.config.api import DialectName
    from tourney.errors import UsageError

    if dialect is None:
        raise UsageError(f"--api needs --dialect, what the service is asked in: one of {', '.join(DIALECT_NAMES)}")
    return ServiceSettings(
        url=url,
        dialect=DialectName(dialect),
        play_url=play_url,
        play_dialect=DialectName(play_dialect) if play_dialect is not None else None,
        options=ApiOptions(model, opponents_model, is_matchpoints),
        limits=ApiLimits(request_s, at_once),
        answer_path=answers,
    )
