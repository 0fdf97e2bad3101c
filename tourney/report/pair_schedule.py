"""The sheet of a pair: where it sits in each round, against whom, on which boards, and at which port."""

from collections.abc import Iterator, Mapping

from typing_extensions import TypedDict

from tourney.bridge import Side
from tourney.config import PortPlan
from tourney.errors import UsageError
from tourney.event.file import EventFile
from tourney.host.ports import ports_of_pairs
from tourney.movement.pairs.movement import Movement
from tourney.output.rows import NOTHING
from tourney.output.tables import CsvTable, TextTable
from tourney.output.times import format_local, format_utc
from tourney.output.units import SideLetters, Time
from tourney.report.invitation import find_team
from tourney.report.report import Report
from tourney.report.schedule import format_ranges
from tourney.results.travellers import number_tables
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo, StageInfo
from tourney.store.results.matches import load_board_numbers


class PairRoundDocument(TypedDict):
    """A round of a pair. All but its number and time is null while it is not drawn, or if the pair sits out."""

    round: int
    """The number of the round, counted through the event from 1."""
    starts: Time | None
    """When it starts; null for at once."""
    drawn: bool
    """Whether it has been drawn."""
    table: int | None
    """The number of the table in the movement."""
    direction: SideLetters | None
    """The direction of the pair there."""
    opponents: str | None
    """The name of the other pair."""
    boards: list[int] | None
    """The numbers of the boards, in the order of play."""


class PairScheduleDocument(TypedDict):
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
    """The rounds of the stages of pairs."""


class PairSchedule(Report):
    """The rounds of a pair."""

    event: EventInfo
    pair: str
    host: str
    port: int | None
    movements: Mapping[int, Movement]
    """The movements of the stages of pairs, by number of the stage."""
    board_numbers: Mapping[int, list[int]]
    """Numbers of the boards by the id of their set, in the order of play."""

    @property
    def number(self) -> int:
        """The number of the pair in the draw."""
        return next(team.number for team in self.event.teams if team.name == self.pair)

    def document(self) -> PairScheduleDocument:
        """Return all rounds."""
        return {
            "event": self.event.name,
            "pair": self.pair,
            "number": self.number,
            "host": self.host,
            "port": self.port,
            "rounds": list(self._rounds()),
        }

    def csv(self) -> CsvTable:
        """Return a row for each round."""
        rows = (
            {**each, "boards": format_ranges(each["boards"]) if each["boards"] else None, "port": self.port}
            for each in self._rounds()
        )
        return CsvTable((*PairRoundDocument.__annotations__, "port"), rows)

    def text(self) -> Iterator[str | TextTable]:
        """Yield a table of the rounds."""
        where = f"{self.host}, port {self.port} in all rounds" if self.port is not None else self.host
        yield f"{self.event.name}: {self.pair}, at {where}"
        yield ""
        rounds = list(self._rounds())
        is_timed = any(each["starts"] is not None for each in rounds)
        table = TextTable(">Round", *(["Starts"] if is_timed else []), ">Table", "Seats", "Opponents", "Boards")
        starts = {round_.number: round_.starts_at_ms for round_ in self.event.all_rounds}
        for each in rounds:
            at_ms = starts[each["round"]]
            time = [format_local(at_ms) if at_ms is not None else "at once"] if is_timed else []
            if each["direction"] is None:
                cells = [NOTHING, "sits out" if each["drawn"] else "not drawn yet", NOTHING, NOTHING]
            else:
                seats = "North and South" if each["direction"] == "NS" else "East and West"
                cells = [str(each["table"]), seats, each["opponents"] or "", format_ranges(each["boards"] or [])]
            table.add_row(str(each["round"]), *time, *cells)
        yield table

    def _rounds(self) -> Iterator[PairRoundDocument]:
        for number, movement in self.movements.items():
            stage = self.event.stages[number - 1]
            if stage.entries and all(entry.team != self.pair for entry in stage.entries):
                continue  # the pair has not qualified
            for round_ in stage.rounds:
                yield self._round(stage, movement, round_)

    def _round(self, stage: StageInfo, movement: Movement, round_: RoundInfo) -> PairRoundDocument:
        match = next((match for match in round_.matches if self.pair in match.teams), None)
        return {
            "round": round_.number,
            "starts": format_utc(round_.starts_at_ms) if round_.starts_at_ms is not None else None,
            "drawn": round_.is_drawn,
            "table": number_tables(stage, movement)[match.number] if match is not None else None,
            "direction": self._side(match).value if match is not None else None,
            "opponents": next(team for team in match.teams if team != self.pair) if match is not None else None,
            "boards": self.board_numbers[match.board_set_id][: match.boards] if match is not None else None,
        }

    def _side(self, match: MatchInfo) -> Side:
        return Side.NS if match.home == self.pair else Side.EW


def load_pair_schedule(event_file: EventFile, database: Database, event: EventInfo, name: str) -> PairSchedule:
    """Load the rounds of a pair.

    Raises:
        StoreError: the database cannot be used.
        UsageError: the event has no such pair, or no stage of pairs.
    """
    movements = event_file.config.movements
    if not movements:
        raise UsageError(f"--pair: {event.name!r} has no stage of pairs")
    pair = find_team(event_file, name).name
    tables = event_file.config.tables
    number = next(team.number for team in event.teams if team.name == pair)
    doors = ports_of_pairs(tables.ports, number, number) if tables.port_plan is PortPlan.PER_PAIR else {}
    return PairSchedule(
        event=event,
        pair=pair,
        host=event_file.address.host,
        port=min(doors.values(), default=None),
        movements=movements,
        board_numbers=load_board_numbers(database, event.id),
    )
