"""The movements of a pairs event: their rows by number, and how evenly they let pairs compete."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated

from tourney.config import EventConfig
from tourney.config.stages import stage_teams
from tourney.movement.groups import group_letter
from tourney.movement.pairs.balance import measure_balance
from tourney.movement.pairs.individual import plan_individual
from tourney.movement.pairs.movement import Movement
from tourney.movement.pairs.movement_csv import COLUMNS
from tourney.movement.pairs.planning import CompareWithin
from tourney.output.rows import NOT_IN_CSV, TEXT_ONLY, Row
from tourney.output.tables import CsvTable, TextTable, csv_table
from tourney.plurals import count
from tourney.report.report import Report


class MovementDocument(Row, kw_only=True):
    """The movement of a pairs stage."""

    stage: int
    """The number of the stage, from 1."""
    name: str
    """The name of the movement."""
    pairs: int
    """The number of pairs."""
    rounds: int
    """The number of rounds."""
    sets: int
    """The number of board sets."""
    sections: int
    """How many sections play side by side."""
    sessions: int
    """How often it is played, each time with new boards."""
    winners: int
    """How many lists there are: 1, or 2 where every pair keeps its direction."""
    mean: float
    """The mean of the competition between two pairs."""
    variance: float
    """Its variance; 0 for a perfect movement."""
    least: int
    """The least competition between two pairs."""
    most: int
    """The most competition between two pairs."""
    remarks: Annotated[Sequence[str], NOT_IN_CSV]
    """What an organiser should know of it, a sentence each."""
    tables: Annotated[int, TEXT_ONLY]
    """The number of tables."""


class MovementsReport(Report):
    """The movements of a pairs event."""

    event: str
    """The name of the event."""
    movements: list[MovementDocument]
    """Those of its pairs stages."""

    def csv(self) -> CsvTable:
        """Return a row for each movement."""
        return csv_table(MovementDocument, self.movements)

    def text(self) -> Iterator[str | TextTable]:
        """Yield a paragraph for each movement."""
        yield self.event
        for each in self.movements:
            yield ""
            parts = count(each.rounds, "round"), count(each.tables, "table"), count(each.sets, "set")
            yield f"{each.name}: {', '.join(parts)}"
            yield (
                f"Competition between two pairs: {each.least} to {each.most}, mean {each.mean}, "
                f"variance {each.variance}"
            )
            for remark in each.remarks:
                yield f"{remark[:1].upper()}{remark[1:]}"


def load_movements(config: EventConfig) -> MovementsReport | None:
    """Return the movements of an event; None if no stage of it is of pairs."""
    found: list[MovementDocument] = []
    for stage, movement in config.movements.items():
        if config.stage[stage - 1].compare_within is not CompareWithin.SECTION:
            found.append(_measured(stage, movement))
            continue
        # Sections that are compared by themselves are measured by themselves.
        for number, section in enumerate(movement.sections):
            named = replace(section, name=f"{section.name}, section {group_letter(number)}")
            found.append(_measured(stage, named))
    return MovementsReport(config.event.name, found) if config.movements else None


def _measured(stage: int, movement: Movement) -> MovementDocument:
    balance = measure_balance(movement)
    return MovementDocument(
        stage=stage,
        name=movement.name,
        pairs=movement.pairs,
        rounds=movement.rounds,
        sets=movement.sets,
        sections=max(1, len(movement.sections)),
        sessions=movement.sessions,
        winners=2 if movement.has_two_winners else 1,
        mean=_rounded(balance.mean),
        variance=_rounded(balance.variance),
        least=balance.least,
        most=balance.most,
        remarks=movement.remarks,
        tables=movement.tables,
    )


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
    rows = [
        {
            "round": row.round,
            "table": row.table,
            "north": row.partnerships[0][0],
            "south": row.partnerships[0][1],
            "east": row.partnerships[1][0],
            "west": row.partnerships[1][1],
            "set": row.round,
        }
        for row in plan_individual(players)
    ]
    return CsvTable(("round", "table", "north", "south", "east", "west", "set"), rows)


def _rounded(value: Fraction) -> float:
    return round(float(value), 2)
