"""The sheet of a pair: where it sits in each round, against whom, on which boards, and at which port."""

from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import Annotated

from tourney.bridge import Side
from tourney.config import PortPlan
from tourney.errors import UsageError
from tourney.event.file import EventFile
from tourney.host.ports import ports_of_pairs
from tourney.movement.pairs.movement import Movement
from tourney.output.rows import CSV_ONLY, TEXT_ONLY, Cell, Row
from tourney.output.tables import CsvTable, TextTable, csv_table, text_table
from tourney.output.units import Moment, SideLetters
from tourney.report.invitation import find_team
from tourney.report.report import Report
from tourney.report.schedule import BoardNumbers
from tourney.results.travellers import number_tables
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, RoundInfo, StageInfo
from tourney.store.results.matches import load_board_numbers
from tourney.times import format_start


def _describe_seats(each: "PairRoundDocument") -> str:
    if each.direction is None:
        return "sits out" if each.drawn else "not drawn yet"
    return "North and South" if each.direction == Side.NS else "East and West"


class PairRoundDocument(Row, kw_only=True):
    """A round of a pair. All but its number and time is null while it is not drawn, or if the pair sits out."""

    round: Annotated[int, Cell(">Round")]
    """The number of the round, counted through the event from 1."""
    starts: Annotated[Moment | None, Cell("Starts", lambda each: format_start(each.starts, each.zone))]
    """When it starts; null for at once."""
    zone: Annotated[tzinfo | None, TEXT_ONLY] = None
    """The time zone in which people read that; None for that of this machine."""
    drawn: bool
    """Whether it has been drawn."""
    table: Annotated[int | None, Cell(">Table")]
    """The number of the table in the movement."""
    direction: Annotated[SideLetters | None, Cell("Seats", _describe_seats)]
    """The direction of the pair there."""
    opponents: Annotated[str | None, Cell("Opponents")]
    """The name of the other pair."""
    boards: Annotated[BoardNumbers | None, Cell("Boards")]
    """The numbers of the boards, in the order of play."""
    port: Annotated[int | None, CSV_ONLY]
    """The port of the pair."""


class PairSchedule(Report):
    """Where a pair sits in each round."""

    event: str
    """The name of the event."""
    pair: str
    """The name of the pair."""
    number: int
    """The number of the pair in the draw."""
    host: str
    """The address that its programs connect to."""
    port: int | None
    """The port of the pair in all rounds; null unless every pair has its own (`port_plan`)."""
    rounds: list[PairRoundDocument]
    """The rounds of the pairs stages."""

    def csv(self) -> CsvTable:
        """Return a row for each round."""
        return csv_table(PairRoundDocument, self.rounds)

    def text(self) -> Iterator[str | TextTable]:
        """Yield a table of the rounds."""
        where = f"{self.host}, port {self.port} in all rounds" if self.port is not None else self.host
        yield f"{self.event}: {self.pair}, at {where}"
        yield ""
        is_timed = any(each.starts is not None for each in self.rounds)
        yield text_table(PairRoundDocument, self.rounds, headings={} if is_timed else {"starts": ""})


def load_pair_schedule(event_file: EventFile, database: Database, event: EventInfo, name: str) -> PairSchedule:
    """Load the rounds of a pair.

    Raises:
        StoreError: the database cannot be used.
        UsageError: the event has no such pair, or no pairs stage.
    """
    stages = [stage for stage in event.stages if stage.format.ranks_by_boards]
    if not stages:
        raise UsageError(f"--pair: {event.name!r} has no pairs stage")
    pair = find_team(event_file, name).name
    tables = event_file.config.tables
    number = next(team.number for team in event.teams if team.name == pair)
    doors = ports_of_pairs(tables.ports, number, number) if tables.port_plan is PortPlan.PER_PAIR else {}
    port = min(doors.values(), default=None)
    boards = load_board_numbers(database, event.id)
    zone = event_file.place.names.zone
    rounds = [
        _round(stage, event_file.config.movements.get(stage.number), round_, pair, boards, port, zone)
        for stage in stages
        if pair in {entry.team for entry in stage.entries} or not stage.entries
        for round_ in stage.rounds
    ]
    return PairSchedule(event.name, pair, number, event_file.address.host, port, rounds)


def _round(
    stage: StageInfo,
    movement: Movement | None,
    round_: RoundInfo,
    pair: str,
    boards: Mapping[int, list[int]],
    port: int | None,
    zone: tzinfo | None,
) -> PairRoundDocument:
    """Return a round of a pair; `boards` are the numbers of boards by the id of their set, in the order of play."""
    match = next((match for match in round_.matches if pair in match.entrants), None)
    side = Side.NS if match is not None and match.team_of(pair) == match.home else Side.EW
    return PairRoundDocument(
        round=round_.number,
        starts=round_.starts_at_ms,
        zone=zone,
        drawn=round_.is_drawn,
        table=number_tables(stage, movement)[match.number] if match is not None else None,
        direction=side if match is not None else None,
        opponents=match.opponents_of(pair) if match is not None else None,
        boards=boards[match.board_set_id][: match.boards] if match is not None else None,
        port=port,
    )
