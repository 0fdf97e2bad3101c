"""The movements of an event as rows, by the numbers of pairs or teams."""

from tourney.config import EventConfig
from tourney.config.stages import stage_teams
from tourney.output.tables import CsvTable


def load_movement_rows(config: EventConfig) -> CsvTable | None:
    """Return the movements of an event as an event file takes one, by the numbers of pairs, teams or players.

    Where there are several sections or stages, rows have the letter of their section and the number of their stage at
    the end. None if a stage has no movement.
    """
    sizes = stage_teams(config.stage, len(config.team))
    tables = [stage.format.movement_table(stage, size) for stage, size in zip(config.stage, sizes, strict=True)]
    if not all(tables):
        return None
    rows = [{**row, "stage": number} for number, table in enumerate(tables, 1) for row in table]
    said_once = {name for name in ("section", "stage") if len({row.get(name) for row in rows}) == 1}
    return CsvTable(tuple(name for name in rows[0] if name not in said_once), rows)
