"""`tourney init` and `tourney check`: an event file to start from, and what is wrong with one."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli.opening import event_argument

if TYPE_CHECKING:
    from tourney.coordinator.event_file import EventFile


@click.command("init")
@click.argument("path", type=click.Path(path_type=Path))
def init_command(path: Path) -> None:
    """Write an event file with every setting explained, ready to run with the bots that ship with tourney.

    PATH is the new file; nothing that is there is overwritten.

    \b
    tourney init my-event.toml
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.errors import ConfigError
    from tourney.resources import example_event_text

    text = example_event_text()
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise ConfigError(f"{path} is there already: give the name of a new file") from None
    except FileNotFoundError:
        raise ConfigError(f"folder {path.parent} does not exist: make it first") from None
    except OSError as error:
        raise ConfigError(f"event file {path} cannot be written: {error.strerror}") from None
    word = shlex.quote(str(path))
    click.echo(
        f"Wrote {path}: four teams of our own bots. Change what you like, then\n"
        f"  tourney check {word}      says what is wrong with it\n"
        f"  tourney schedule {word}   shows who meets whom\n"
        f"  tourney run {word}        plays it"
    )


@click.command("check")
@event_argument
def check_command(event_path: Path) -> None:
    """Check an event file: say all that is wrong with it, or what it asks for.

    EVENT is the path of an event file. Nothing is drawn or stored. Exit status 1 when something is wrong.
    """
    from tourney.coordinator.drawing import check_boards
    from tourney.coordinator.event_file import load_event_file
    from tourney.errors import ConfigError, StoreError, TourneyError
    from tourney.store.database import Database

    event_file = load_event_file(event_path)
    problems = []
    try:
        check_boards(event_file)
    except TourneyError as error:
        problems.append(f"{event_path.name}: deals, pbn: {error}")
    database = None
    try:
        database = Database(event_file.database_url)
    except StoreError as error:
        problems.append(f"{event_path.name}: event, database: {error}")
    if database is None or problems:
        raise ConfigError("\n".join(problems))
    _print_summary(event_file, str(database))
    database.close()


def _print_summary(event_file: "EventFile", database: str) -> None:
    from tourney.cli.output import count, make_console, make_table
    from tourney.config import SharedDeals
    from tourney.movement.round_robin import plan_round_robin

    config, stage = event_file.config, event_file.config.stage[0]
    rounds = plan_round_robin(len(config.team), cycles=stage.format.cycles)
    matches = sum(len(round_.pairings) for round_ in rounds)
    at_once = min(config.tables.at_once, len(config.team) // 2)
    started = sum(team.command is not None for team in config.team)
    boards = count(stage.boards_per_match, "board", "boards")
    if config.deals.pbn is not None:
        deals = f"from {config.deals.pbn}"
    else:
        deals = "from a seed by chance" if config.deals.seed is None else f"from seed {config.deals.seed}"
    shared = "the same in all matches of a round" if config.deals.shared is SharedDeals.ROUND else "new in each match"
    starts = "as soon as the round before is over" if stage.starts is None else "at the times given"
    table = make_table("", "")
    table.show_header = False
    for row in (
        ("Event", config.event.name),
        ("Teams", f"{len(config.team)}; programs of {started} are started, those of the others are waited for"),
        ("Stage", f"{stage.name}, {stage.format.value}, {stage.vp_scale}"),
        ("Rounds", f"{len(rounds)}, {starts}"),
        ("Matches", f"{matches} of {boards}"),
        ("Tables", f"{2 * matches}, at most {2 * at_once} at once, on {config.tables.host}"),
        ("Ports", f"{config.tables.ports}, {config.tables.port_plan.value}"),
        ("Deals", f"{deals}, {shared}"),
        ("Results", str(event_file.results)),
        ("Database", database),
    ):
        table.add_row(*row)
    console = make_console()
    console.print(f"{event_file.path.name} is fine")
    console.print(table)
