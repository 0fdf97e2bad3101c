"""The movements of an event as rows, by the numbers of pairs or teams."""

from tourney.config import EventConfig
from tourney.config.stages import stage_teams
from tourney.movement.groups import group_letter
from tourney.movement.pairs.individual import plan_individual
from tourney.movement.pairs.movement_csv import COLUMNS
from tourney.output.tables import CsvTable


def load_movement_rows(config: EventConfig) -> CsvTable | None:
    """Return the movements of an event as an event file takes one, by the numbers of pairs or teams.

    Where there are several sections or stages, rows have the letter of their section and the number of their stage at
    the end. None if a stage has no movement.
    """
    sizes = stage_teams(config.stage, len(config.team))
    if not all(stage.format.has_movement for stage in config.stage):
        return None
    if config.stage[0].format.changes_partners:
        return _individual_rows(sizes[0])
    movements = config.movements
    rows = []
    for number, (stage, size) in enumerate(zip(config.stage, sizes, strict=True), 1):
        for row in stage.format.movement_rows(stage, size):
            section = movements[number].section_of(row.pairs[0]) if number in movements else 1
            figures = {"round": row.round, "table": row.table, "ns": row.ns, "ew": row.ew, "set": row.board_set}
            rows.append({**figures, "section": group_letter(section - 1), "stage": number})
    more = ["section"] if any(len(movement.sections) > 1 for movement in movements.values()) else []
    more += ["stage"] if len(sizes) > 1 else []
    return CsvTable((*COLUMNS, *more), rows)


def _individual_rows(players: int) -> CsvTable:
    """Return an individual movement by the numbers of the players in each seat."""
    columns = ("round", "table", "north", "south", "east", "west", "set")
    seated = ((row.round, row.table, *row.partnerships[0], *row.partnerships[1]) for row in plan_individual(players))
    return CsvTable(columns, (dict(zip(columns, (*figures, figures[0]), strict=True)) for figures in seated))
