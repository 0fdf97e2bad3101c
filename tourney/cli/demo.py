"""`tourney demo`: a complete small event, from the draw to the exports."""

from pathlib import Path

import click

from tourney.cli._common import FOLDER, default_option
from tourney.cli._ranges import IntRange
from tourney.errors import LaunchError

TEAMS = ("Alpha", "Beta", "Gamma", "Delta")
FOLDERS_MAX = 1000


@click.command("demo")
@click.option(
    "--folder",
    type=FOLDER,
    help="Folder to use; by default tourney-demo or the next free tourney-demo-N.",
)
@default_option("--boards", type=IntRange(1, 100), default=8, help="Boards per match.")
@default_option("--seed", type=int, default=42, help="The same seed deals the same boards.")
def demo_command(folder: Path | None, boards: int, seed: int) -> None:
    """Play a round robin of four teams of `tourney bot`, each program in its own process, over TCP.

    Prints the schedule, the progress, the standings and a scorecard, and exports all results.
    """
    if folder is None:
        names = ["tourney-demo", *(f"tourney-demo-{n}" for n in range(2, FOLDERS_MAX))]
        folder = next((Path(name) for name in names if not Path(name).exists()), Path(names[-1]))
    event = folder / "event.toml"
    with LaunchError.of_system(f"folder {folder} cannot be written"):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise LaunchError(f"folder {folder} is not empty: name a new one, for a demo needs its own")
        rest = f"[deals]\nseed = {seed}\n\n[tables]\ntrick_pause_ms = 0\n"
        event.write_text(format_demo_event("Demo", "tourney bot", boards, rest), encoding="utf-8")
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
    click.echo("your own event begins with: tourney init my-event.toml")


def _call(words: list[str]) -> None:
    from tourney.cli.main import cli

    cli.main(words, prog_name="tourney", standalone_mode=False)


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
