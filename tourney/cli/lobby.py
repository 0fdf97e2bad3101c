"""`tourney lobby`: one port at which players make games of their own."""

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import PATH, default_option
from tourney.cli._ranges import IntRange
from tourney.errors import ConfigError, LaunchError, UsageError

if TYPE_CHECKING:
    from tourney.coordinator.lobby_run import LobbySettings
    from tourney.event.file import EventFile

FILE_NAME = "lobby.toml"
KINDS = ("rubber", "chicago", "minibridge", "duplicate")
_FILE = """\
[event]
name = {name}
results = "results"

[lobby]
games = 250              # at once
starts_per_name = 6      # games that one player may make within a minute; all at one address 30
clients_per_address = 64 # connections at once
start_s = 60             # after the last player has come a tournament begins, once it can
chat = true              # players may talk to each other in games

[rules]
undo = "all"             # what players take back if both opponents agree: "never", "calls" or "all"

[tables]
trick_pause_ms = 1000    # after each trick, so that people can look at it

[clock]
absence_s = 120          # a seat is kept so long for a player whose connection is lost
stall_s = 300            # a player may owe a call or card so long while others wait
"""


@click.command("lobby")
@click.argument("folder", metavar="[FOLDER]", type=PATH, default="lobby")
@default_option("--host", default="127.0.0.1", help="Address to listen on; 0.0.0.0 for all.")
@default_option("--port", type=IntRange(1, 65535), default=2100, help="Port for all players.")
@default_option(
    "--bots",
    type=IntRange(0, 3),
    default=0,
    help="Most bots in a game: with 3, a single player has a game at once.",
)
@default_option(
    "--kind",
    type=click.Choice(KINDS),
    default=KINDS[0],
    help="Game that is made for a player who does not say which.",
)
@click.option(
    "--web",
    "web_port",
    type=IntRange(0, 65_535),
    metavar="PORT",
    help="Serve its pages too, at this port of this machine, and seats at /seat to play in a browser.",
)
def lobby_command(folder: Path, host: str, port: int, bots: int, kind: str, web_port: int | None) -> None:
    """Keep a lobby open: players connect to one port and make their own games, without an event file.

    \b
    tourney lobby --bots 3
    tourney lobby club --host 0.0.0.0 --kind chicago

    FOLDER, by default ./lobby, keeps the record and the file lobby.toml, and gives the
    lobby its name. The file says what players may use: the keys
    of `[lobby]`, and some of `[rules]`, `[tables]` and `[clock]`. A `seed` of `[deals]` deals all boards. `database`
    of `[event]` names another place for the record, as TOURNEY_DATABASE does. All commands that read events read that
    file: `tourney rounds lobby/lobby.toml` lists the games with their scores. Ctrl-C closes the lobby; the same
    command opens it again, and unfinished games go on.

    Exit status: 0 after Ctrl-C or SIGTERM, 1 if the port or the record cannot be used.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.config.lobby import LobbyKind
    from tourney.coordinator.lobby_run import LobbySettings

    event_file = prepare_file(folder)
    keep_lobby(event_file, LobbySettings.of_file(event_file.config, host, port, bots, LobbyKind(kind)), web_port)


def prepare_file(folder: Path) -> "EventFile":
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
            name = clean_name(folder.resolve().name.capitalize())
        except ValueError as error:
            raise ConfigError(f"the folder {folder} gives the lobby its name: {error}") from None
        with LaunchError.of_system(f"folder {folder} cannot be written"):
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(_FILE.format(name=format_toml_text(name)), encoding="utf-8")
    event_file = load_event_file(path)
    if event_file.config.lobby is None:
        raise ConfigError(f"{path} is an event file, not that of a lobby: name another folder")
    return event_file


def keep_lobby(event_file: "EventFile", settings: "LobbySettings", web_port: int | None) -> None:
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
    from functools import partial

    from tourney.cli._children import running_beside
    from tourney.config.command import reachable
    from tourney.coordinator.draw import ensure_drawn
    from tourney.coordinator.lobby_run import LobbyRun
    from tourney.coordinator.run_lease import hold_run_lock
    from tourney.coordinator.seated_runs import SeatedRuns
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
        # Players wait for the loop of the hosts: what they write fails at once where others have the lock.
        of_hosts = Database(event_file.database_url, busy_ms=BUSY_MS)
        try:
            event = ensure_drawn(event_file, database, clock.wall_ms(), holds_run_lock=True)

            async def keep() -> None:
                run = LobbyRun(event_file, database, event, settings, notify, make_runs=partial(SeatedRuns, of_hosts))
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
            of_hosts.close()
            database.close()
    click.echo(f"the lobby is closed; its games: tourney rounds {event_file.path}")
