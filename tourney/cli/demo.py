"""`tourney demo`: a complete small event, from the draw to the exports."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import click

from tourney.cli._common import FOLDER
from tourney.cli._ranges import IntRange
from tourney.errors import LaunchError

TEAMS = ("Alpha", "Beta", "Gamma", "Delta")
FOLDERS_MAX = 1000
FILES_SHOWN = 5
"""How many files of a folder are named before the demo is written into it."""


@click.command("demo")
@click.option(
    "--folder",
    type=FOLDER,
    help="Folder to use; by default tourney-demo or the next free tourney-demo-N.",
)
@click.option("--boards", type=IntRange(1, 100), default=8, show_default=True, help="Boards per match.")
@click.option("--yes", is_flag=True, help="Write into a folder that is not empty, without asking.")
@click.option("--seed", type=int, default=42, show_default=True, help="The same seed deals the same boards.")
def demo_command(folder: Path | None, boards: int, yes: bool, seed: int) -> None:
    """Play a round robin of four teams of `tourney bot`, each program in its own process, over TCP.

    Prints the schedule, the progress, the standings and a scorecard, and exports all results.
    """
    folder = folder or _free_folder()
    event = folder / "event.toml"
    if event.exists():
        raise LaunchError(f"{event} exists already: a demo needs its own folder")
    if not yes:
        _ask_before_writing_into(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        event.write_text(_event_text(boards, seed), encoding="utf-8")
    except OSError as error:
        raise LaunchError(f"folder {folder} cannot be written: {error.strerror}") from None
    _play(event, folder)


def _play(event: Path, folder: Path) -> None:
    """Play a demo and print what comes of it, as the commands that a user would type."""
    steps = [
        ["schedule", str(event)],
        ["run", str(event)],
        ["standings", str(event)],
        ["match", str(event), "1"],
    ]
    steps += [
        ["export", str(event), "--format", kind, "--out", str(folder / "export" / kind)]
        for kind in ("pbn", "csv", "json")
    ]
    for words in steps:
        click.echo(f"\n$ tourney {' '.join(words)}")
        _call(words)
    click.echo(f"\neverything is in {folder}; every line to and from the players in {folder / 'results' / 'wire'}")
    click.echo(f"your own event begins with: {_own_command()} init my-event.toml")


def _call(words: list[str]) -> None:
    from tourney.cli.main import cli

    cli.main(words, prog_name="tourney", standalone_mode=False)


def _ask_before_writing_into(folder: Path) -> None:
    """Ask whether a folder with files of the user's may be used; without a terminal there is nobody to ask.

    Raises:
        LaunchError: the answer is no, or nobody can be asked, or the folder cannot be read.
    """
    try:
        files = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise LaunchError(f"folder {folder} cannot be read: {error.strerror}") from None
    if not files:
        return
    what = f"folder {folder} is not empty ({', '.join(files[:FILES_SHOWN])}{', ...' if files[FILES_SHOWN:] else ''})"
    if not _can_ask():
        raise LaunchError(f"{what}: name a new one, or give --yes to write the demo into it")
    if not click.confirm(f"{what}. Write the demo into it?"):
        raise LaunchError(f"nothing was written into {folder}")


def _can_ask() -> bool:
    """Return whether somebody sits at the terminal that questions go to."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _own_command() -> str:
    """Return the words with which this program is called from here: its path, unless the shell finds it by name."""
    program = Path(sys.executable).parent / "tourney"
    found = shutil.which("tourney")
    if not program.exists() or (found is not None and Path(found).resolve() == program.resolve()):
        return "tourney"
    near = os.path.relpath(program)
    return shlex.quote(str(program) if near.startswith(os.pardir) else near)


def _free_folder() -> Path:
    names = ["tourney-demo", *(f"tourney-demo-{n}" for n in range(2, FOLDERS_MAX))]
    return next((Path(name) for name in names if not Path(name).exists()), Path(names[-1]))


def _event_text(boards: int, seed: int) -> str:
    rest = f"[deals]\nseed = {seed}\n\n[tables]\ntrick_pause_ms = 0\n"
    return format_demo_event("Demo", "tourney bot", boards, rest)


def format_demo_event(name: str, bot: str, boards: int, rest: str) -> str:
    """Format the event file of a round robin of four teams of bots.

    Args:
        name: the name of the event.
        bot: the command that starts a bot, without what differs from seat to seat.
        boards: the boards of a match.
        rest: the sections after that of the stage.
    """
    teams = "".join(
        f'\n[[team]]\nname = "{team}"\nprofile = "tourney"\n'
        f'command = "{bot} --host {{host}} --port {{port}} --seat {{seat}} --team {{team}} --seed {number}"\n'
        for number, team in enumerate(TEAMS, 1)
    )
    return (
        f'[event]\nname = "{name}"\nresults = "results"\n{teams}\n'
        f'[[stage]]\nformat = "round-robin"\nboards_per_match = {boards}\n\n{rest}'
    )
