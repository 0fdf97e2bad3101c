"""`tourney lobby`: one port at which players make games of their own."""

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._ranges import IntRange
from tourney.errors import ConfigError, LaunchError, UsageError

if TYPE_CHECKING:
    from tourney.coordinator.lobby_tournaments import LobbySettings
    from tourney.event.file import EventFile

FILE_NAME = "lobby.toml"
KINDS = ("rubber", "chicago", "minibridge", "duplicate")
UNDO = ("never", "calls", "all")


@click.command("lobby")
@click.argument("folder", metavar="[FOLDER]", type=click.Path(path_type=Path), default="lobby")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 for all.")
@click.option("--port", type=IntRange(1, 65535), default=2100, show_default=True, help="Port for all players.")
@click.option(
    "--bots",
    type=IntRange(0, 3),
    default=0,
    show_default=True,
    help="Most bots in a game: with 3, a single player has a game at once.",
)
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default=KINDS[0],
    show_default=True,
    help="Game that is made for a player who does not say which.",
)
@click.option("--name", default="Lobby", show_default=True, help="Name of a lobby that is opened for the first time.")
@click.option("--seed", type=int, help="Deal all boards from this number; by default they are dealt at random.")
@click.option(
    "--trick-pause-ms",
    type=IntRange(0, 60_000),
    default=1000,
    show_default=True,
    help="Pause after each trick, so that people can look at it.",
)
@click.option(
    "--undo",
    type=click.Choice(UNDO),
    default=UNDO[-1],
    show_default=True,
    help="What players take back in games if both opponents agree: nothing, calls, or calls and cards.",
)
@click.option(
    "--chat/--no-chat", default=True, show_default=True, help="Whether players may talk to each other in games."
)
@click.option("--games-max", type=IntRange(1, 1000), default=250, show_default=True, help="Games at once.")
@click.option(
    "--starts-per-name",
    type=IntRange(1, 1000),
    default=6,
    show_default=True,
    help="Games that one player may make within a minute.",
)
@click.option(
    "--starts-per-address",
    type=IntRange(1, 10_000),
    default=30,
    show_default=True,
    help="Games that all players at one address may make within a minute.",
)
@click.option("--tournaments-max", type=IntRange(0, 100), default=10, show_default=True, help="Tournaments at once.")
@click.option("--clients-max", type=IntRange(1, 10_000), default=4096, show_default=True, help="Connections at once.")
@click.option(
    "--clients-per-address",
    type=IntRange(1, 10_000),
    default=64,
    show_default=True,
    help="Connections from one address at once.",
)
@click.option(
    "--names-max",
    type=IntRange(0, 10_000),
    default=1000,
    show_default=True,
    help="Names that are kept with a passphrase.",
)
@click.option(
    "--lines-per-s",
    type=IntRange(1, 100_000),
    default=200,
    show_default=True,
    help="Lines a second that are read from one connection.",
)
@click.option(
    "--start-s",
    type=IntRange(1, 86_400),
    default=60,
    show_default=True,
    help="Seconds after the last player has come when a tournament begins by itself, once it can.",
)
@click.option(
    "--away-s",
    type=IntRange(1, 86_400),
    default=120,
    show_default=True,
    help="Seconds for which a seat is kept for a player whose connection is lost.",
)
@click.option(
    "--idle-s",
    type=IntRange(1, 86_400),
    default=300,
    show_default=True,
    help="Seconds for which a player may owe a call or card while others wait.",
)
@click.option(
    "--idle-game-s",
    type=IntRange(1, 604_800),
    default=1800,
    show_default=True,
    help="Seconds after which a game in which nobody sends anything is broken off.",
)
@click.option(
    "--web",
    "web_port",
    type=IntRange(0, 65_535),
    metavar="PORT",
    help="Serve its pages too, at this port of this machine, and seats at /seat to play in a browser.",
)
def lobby_command(
    folder: Path,
    host: str,
    port: int,
    bots: int,
    kind: str,
    name: str,
    seed: int | None,
    trick_pause_ms: int,
    undo: str,
    chat: bool,
    games_max: int,
    starts_per_name: int,
    starts_per_address: int,
    tournaments_max: int,
    clients_max: int,
    clients_per_address: int,
    names_max: int,
    lines_per_s: int,
    start_s: int,
    away_s: int,
    idle_s: int,
    idle_game_s: int,
    web_port: int | None,
) -> None:
    """Keep a lobby open: players connect to one port and make their own games, without an event file.

    \b
    tourney lobby --bots 3
    tourney lobby club --host 0.0.0.0 --kind chicago

    FOLDER, by default ./lobby, keeps the record and the file lobby.toml, in which `database` may name another place
    for the record, as TOURNEY_DATABASE does. All commands that read events read that file:
    `tourney standings lobby/lobby.toml` lists the games with their scores. Ctrl-C closes the lobby; the same command
    opens it again, and unfinished games go on.

    Exit status: 0 after Ctrl-C or SIGTERM, 1 if the port or the record cannot be used.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.config.lobby import LobbyKind
    from tourney.coordinator.lobby_tournaments import LobbySettings
    from tourney.host.lobby import LobbyLimits
    from tourney.protocol.access import ConnectionLimits
    from tourney.protocol.session.rules import UndoRule

    settings = LobbySettings(
        host=host,
        port=port,
        kind=LobbyKind(kind),
        seed=seed,
        trick_pause_ms=trick_pause_ms,
        undo=UndoRule(undo),
        chat=chat,
        limits=LobbyLimits(
            games=games_max,
            starts_per_name=starts_per_name,
            starts_per_address=starts_per_address,
            tournaments=tournaments_max,
            clients=clients_max,
            clients_per_address=clients_per_address,
            names=names_max,
            bots=bots,
            start_ms=1000 * start_s,
            away_ms=1000 * away_s,
            idle_ms=1000 * idle_s,
            idle_game_ms=1000 * idle_game_s,
        ),
        connection=ConnectionLimits(lines_per_s=lines_per_s),
    )
    keep_lobby(prepare_file(folder, name), settings, web_port)


def prepare_file(folder: Path, name: str) -> "EventFile":
    """Return the file of a lobby, which is written when it opens for the first time.

    Raises:
        TourneyError: it cannot be written, or is that of something else.
    """
    from tourney.config.toml import format_toml_text
    from tourney.config.values import clean_name
    from tourney.event.file import load_event_file

    if folder.parts and folder.parts[0].endswith(":"):
        raise UsageError(
            "FOLDER is a folder; a database is named in TOURNEY_DATABASE or in lobby.toml, as every user of this "
            "machine sees command lines"
        )
    path = folder / FILE_NAME
    if not path.exists():
        try:
            name = clean_name(name)
        except ValueError as error:
            raise ConfigError(f"--name: {error}") from None
        lines = ["[event]", f"name = {format_toml_text(name)}", "lobby = true", 'results = "results"']
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        except OSError as error:
            raise LaunchError(f"folder {folder} cannot be written: {error.strerror}") from None
    event_file = load_event_file(path)
    if not event_file.config.event.lobby:
        raise ConfigError(f"{path} is an event file, not that of a lobby: name another folder")
    return event_file


def keep_lobby(event_file: "EventFile", settings: "LobbySettings", web_port: int | None = None) -> None:
    """Keep a lobby open until Ctrl-C or SIGTERM.

    Args:
        event_file: the file of the lobby.
        settings: what its keeper has chosen.
        web_port: where its pages and seats are served, by a process of their own; None for nowhere.

    Raises:
        TourneyError: its port or its record cannot be used.
    """
    import asyncio
    from contextlib import ExitStack

    from tourney.cli._children import running_beside
    from tourney.config.command import reachable
    from tourney.coordinator.draw import ensure_drawn
    from tourney.coordinator.lobby_run import LobbyRun
    from tourney.coordinator.run_lease import hold_run_lock
    from tourney.host.host_process import BUSY_MS
    from tourney.log import configure_logging
    from tourney.runtime import clock
    from tourney.runtime.privacy import private_process
    from tourney.store.db.database import Database

    def notify(text: str) -> None:
        click.echo(text)

    configure_logging(level="warning", file=None, to_stderr=True)
    with private_process(), hold_run_lock(event_file.results):
        database = Database(event_file.database_url)
        try:
            event = ensure_drawn(event_file, database, clock.wall_ms(), holds_run_lock=True)

            # Players wait for the loop: what it writes itself fails at once where others have the lock.
            database.close()
            database = Database(event_file.database_url, busy_ms=BUSY_MS)

            async def keep() -> None:
                run = LobbyRun(event_file, database, event, settings, notify)
                loop = asyncio.get_running_loop()
                for number in (signal.SIGINT, signal.SIGTERM):
                    loop.add_signal_handler(number, run.stop)
                await run.run()

            with ExitStack() as serving:
                if web_port is not None:
                    players_at = f"{reachable(settings.host)}:{settings.port}"
                    words = ("serve", event_file.path, "--port", str(web_port), "--seats", players_at)
                    serving.enter_context(running_beside(*words))
                asyncio.run(keep())
        finally:
            database.close()
    click.echo(f"the lobby is closed; its games: tourney standings {event_file.path}")
