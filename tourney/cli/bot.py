"""`tourney bot`: the reference player."""

from typing import TYPE_CHECKING, Any, Final

import click

from tourney.cli._common import FILE, SEAT_NAMES, default_option, flag_option, print_note, protocol_option
from tourney.cli._ranges import FloatRange, IntRange

if TYPE_CHECKING:
    from tourney.bots.api.service_player import ServiceSettings

ANY = "any"

_SERVICE_SETTINGS: Final[dict[str, click.ParamType[Any]]] = {
    "play_api": click.STRING,
    "model": click.STRING,
    "opponents_model": click.STRING,
    "scoring": click.Choice(["imps", "matchpoints"]),
    "request_s": FloatRange(0.1, 3600),
    "answers": FILE,
}
_LINE_SETTINGS: Final[dict[str, click.ParamType[Any]]] = {
    "think_ms": IntRange(0, 600_000),
    "line_gap_ms": IntRange(0, 10_000),
    "system": click.STRING,
    "alerts": click.BOOL,
}
"""What `--set` takes: of a service over HTTP, and of what is said at the table."""


def _read_settings(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    """Read the words `KEY=VALUE` of `--set`."""
    types, settings = _SERVICE_SETTINGS | _LINE_SETTINGS, {}
    for word in values:
        key, _, value = word.partition("=")
        if key not in types:
            raise click.BadParameter(f"one of {', '.join(types)} is set, got {word!r}", context, parameter)
        settings[key] = types[key].convert(value, parameter, context)
    return settings


@click.command("bot")
@default_option("--host", default="127.0.0.1", help="Address of the table.")
@click.option("--port", type=IntRange(1, 65535), help="Port of the table. Required, except with --shared.")
@protocol_option("Language to speak. In the stateful protocol the bot remembers nothing from one line to the next.")
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
@flag_option(
    "--shared",
    help="With --player: play many seats, which the table host that has started the program hands over by its"
    " standard input, as `processes` of a team says.",
)
@click.option(
    "--api",
    metavar="SERVICE",
    help="Seat a service that answers over HTTP: what it is asked in and its address, 'ben http://127.0.0.1:8085'."
    " ben, brill and bba are known.",
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
    "--set",
    "more",
    metavar="KEY=VALUE",
    multiple=True,
    callback=_read_settings,
    help="A setting that few need; may be repeated. Of the lines to the table: think_ms, a wait before each call"
    " and card; line_gap_ms, between two lines; system, sent after the protocol version; alerts=no. Of a service at"
    " --api: play_api, another service that plays the cards; model; opponents_model; scoring, imps"
    " or matchpoints; request_s, for an answer, 60; answers, a file that keeps them.",
)
@default_option(
    "--wait-s",
    type=FloatRange(0, 86_400),
    default=30,
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
    style: str | None,
    seed: int | None,
    more: dict[str, Any],
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
    if shared and (player is None or port is not None or seat is not None):
        raise UsageError("--shared is for a --player whose seats a table host hands over: leave out where it plays")
    if port is None and not shared:
        raise UsageError("--port is the port of the table, got none")
    if language is Language.BLUE_CHIP and seat is None and not shared:
        raise UsageError(f"--seat is one of {', '.join(SEAT_NAMES)} or {ANY}, got none")
    if language is Language.BLUE_CHIP and game is not None:
        raise UsageError("--game is for --protocol stateful: a table of the other language has one game")
    chosen = None if seat is None or seat.lower() == ANY else Seat[seat.upper()]
    if language is Language.STATEFUL and chosen is not None and game is None:
        raise UsageError("in the stateful protocol a tournament assigns the seats: --seat is for a --game there")
    settings = BotSettings(
        host,
        port or 0,
        chosen,
        team,
        system=" ".join(more.get("system", "").split()),
        think_ms=more.get("think_ms", 0),
        line_gap_ms=more.get("line_gap_ms", 0),
        alerts=more.get("alerts", True),
        connect_s=wait_s,
        protocol=language,
        game=game,
    )

    def notify(text: str) -> None:
        print_note(text)

    if player is not None and api is not None:
        raise UsageError("--player and --api both say who plays: leave one of them out")
    if (player or api) is not None and (style is not None or seed is not None):
        raise UsageError("--style and --seed are of tourney's own player: leave them out with --player and --api")
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
        if more.keys() & _SERVICE_SETTINGS:
            raise UsageError(f"{', '.join(_SERVICE_SETTINGS)} are of a service: give its --api too")
        run_bot(settings, strategy_of(style or "basic", 1 if seed is None else seed), notify)
        return
    from tourney.bots.api.service_player import seat_services

    services = _service_settings(api, {"scoring": terms.scoring, **more})
    # An explanation would be one more request, perhaps while the service has a question of another seat.
    run_bot(replace(settings, explains=False), seat_services(services, notify), notify)


def _service_settings(api: str, more: dict[str, Any]) -> "ServiceSettings":
    """Return the services that `--api` and `--set` name.

    Raises:
        UsageError: one is not named as services are.
    """
    from tourney.bots.api.service import ApiOptions
    from tourney.bots.api.service_player import ServiceSettings
    from tourney.config.api import REQUEST_S, Service
    from tourney.errors import UsageError

    play_api = more.get("play_api")
    try:
        service, play = Service.parse(api), Service.parse(play_api) if play_api is not None else None
    except ValueError as error:
        raise UsageError(str(error)) from None
    return ServiceSettings(
        service=service,
        play=play,
        options=ApiOptions(more.get("model"), more.get("opponents_model"), more.get("scoring") == "matchpoints"),
        request_s=more.get("request_s", REQUEST_S),
        answer_path=more.get("answers"),
    )
