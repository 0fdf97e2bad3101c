"""`tourney demo`: a complete small event, from the draw to the exports."""

from pathlib import Path

import click

from tourney.errors import LaunchError

TEAMS = ("Alpha", "Beta", "Gamma", "Delta")
FOLDERS_MAX = 1000


@click.command("demo")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to use; by default tourney-demo or the next free tourney-demo-N.",
)
@click.option("--boards", type=click.IntRange(1, 100), default=8, show_default=True, help="Boards per match.")
@click.option("--seed", type=int, default=42, show_default=True, help="The same seed deals the same boards.")
def demo_command(folder: Path | None, boards: int, seed: int) -> None:
    """Play a round robin of four teams of `tourney bot`, each program in its own process, over TCP.

    Prints the schedule, the progress, the standings and a scorecard, and exports all results.
    """
    from tourney.cli.main import cli

    folder = folder or _free_folder()
    event = folder / "event.toml"
    if event.exists():
        raise LaunchError(f"{event} is there already: a demo takes a folder of its own")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        event.write_text(_event_text(boards, seed), encoding="utf-8")
    except OSError as error:
        raise LaunchError(f"folder {folder} cannot be written: {error.strerror}") from None

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
        cli.main(words, prog_name="tourney", standalone_mode=False)
    click.echo(f"\neverything is in {folder}; every line to and from the players in {folder / 'results' / 'wire'}")


def _free_folder() -> Path:
    names = ["tourney-demo", *(f"tourney-demo-{n}" for n in range(2, FOLDERS_MAX))]
    return next((Path(name) for name in names if not Path(name).exists()), Path(names[-1]))


def _event_text(boards: int, seed: int) -> str:
    command = "tourney bot --host {host} --port {port} --seat {seat} --team {team}"
    teams = "".join(
        f'\n[[team]]\nname = "{name}"\nprofile = "tourney"\ncommand = "{command} --seed {number}"\n'
        for number, name in enumerate(TEAMS, 1)
    )
    return (
        f'[event]\nname = "Demo"\nresults = "results"\n{teams}\n'
        f'[[stage]]\nformat = "round-robin"\nboards_per_match = {boards}\n\n'
        f"[deals]\nseed = {seed}\n\n[tables]\ntrick_pause_ms = 0\n"
    )
