"""`tourney merge`: one record of the shares of a duel."""

from pathlib import Path

import click

from tourney.cli._common import EXISTING_FILE
from tourney.errors import LaunchError
from tourney.plurals import count


@click.command("merge")
@click.argument("out", type=click.Path(exists=True, path_type=Path))
@click.argument("files", nargs=-1, required=True, type=EXISTING_FILE)
def merge_command(out: Path, files: tuple[Path, ...]) -> None:
    """Make one record of the shares of a duel, or of a league.

    \b
    tourney duel my_net:policy@pgx480 basic --sprt none --seed 7 --boards 1000 --name mine --shard 1/2
    tourney duel my_net:policy@pgx480 basic --sprt none --seed 7 --boards 1000 --name mine --shard 2/2
    tourney merge mine.toml mine-1-of-2.db mine-2-of-2.db

    OUT is the event file of the duel, or the folder of a league, whose duels without a record get one. FILES are what
    `--shard` has written. Each is checked as `tourney verify` does. All must be of one duel, played by the same
    programs and version, and no share may be missing. The record has no times. Its bytes are the same for any number
    of shares.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.event.file import load_event_file
    from tourney.lab.event_files import duels_in
    from tourney.lab.shards import merge_shards
    from tourney.store.db.database import Database

    duels = duels_in(out) if out.is_dir() else [load_event_file(out)]
    new = [file for file in duels if Database(file.database_url).is_missing]
    if not new:
        raise LaunchError(f"{out} has a record already: merge into another event file or folder")
    merge_shards(new, files)
    click.echo(f"{out}: {count(len(files), 'share')} merged")
