"""Drawn events of rubber bridge and Chicago, played by the core of a table and put on record as a host does."""

from pathlib import Path
from random import Random

from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text, once
from tests.support.table_rig import TableRig, play_out
from tourney.bots.basic import BasicStrategy
from tourney.bridge import SEATS
from tourney.contest.games import GameBoards
from tourney.protocol.session.records import BoardBegan
from tourney.protocol.session.table import TableSettings
from tourney.store.control.table_state import assign_table, take_table
from tourney.store.control.tables import load_job
from tourney.store.record.writer import Recorder, TableLedger


def draw_game(folder: Path, stage: str, *teams: str) -> PlayedEvent:
    """Draw an event of two pairs, or more, whose matches are games."""
    text = event_text(*(teams or ("Ants", "Bees")), stage=stage).replace("boards_per_match = 2\n", "")
    return draw_event(folder, text)


@once
def play_game_event(folder: Path, stage: str, *teams: str) -> PlayedEvent:
    """Draw such an event, and play all its matches to the end."""
    return play_games(draw_game(folder, stage, *teams))


def play_game(
    game: PlayedEvent, number: int = 1, *, stop_after: int | None = None, more: int = 4
) -> list[BoardBegan]:
    """Play a match by its core with four basic players, and put it on record as a host does.

    With `stop_after`, the host dies once so many boards have finished and `more` records of the next are written.
    """
    match = game.reload().matches[number - 1]
    (table,) = match.tables
    assign_table(game.database, table.id, "host", {seat: 2000 + seat for seat in SEATS}, BEGINS_AT_MS)
    attempt = take_table(game.database, table.id, "host", BEGINS_AT_MS)
    assert attempt is not None
    job = load_job(game.database, table.id)
    assert job.game is not None
    source = GameBoards(job.game, job.all_boards, job.finished)
    rig = TableRig(TableSettings(match.home, match.away, job.boards, source=source, under_way=job.under_way))
    play_out(rig, {seat: BasicStrategy(seat) for seat in SEATS}, Random(1))
    records = rig.records
    if stop_after is not None:
        begun = [index for index, record in enumerate(records) if isinstance(record, BoardBegan)]
        records = records[: begun[stop_after] + more]
    ledger = TableLedger.of_job(job, attempt)
    Recorder(game.database).write((ledger, record) for record in records)
    return [record for record in records if isinstance(record, BoardBegan)]


def play_games(game: PlayedEvent) -> PlayedEvent:
    """Play all matches of a drawn event to the end."""
    for number in range(1, len(game.event.matches) + 1):
        play_game(game, number)
    game.reload()
    game.score()
    return game
