"""Tables as they were drawn: who sits there, which boards are played, whose rules hold; all that a table host needs.

Rounds and stages, and with them the kinds of contest, are in `reader`: a host loads none of these.
"""

import functools
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from sqlalchemy import Connection, exists, select

from tourney.bridge import SEATS, Board, Deal, DoubleDummyTable, Seat, Side, parse_deal
from tourney.errors import StoreError
from tourney.formats.plain_json import format_plain, make_of_plain, parse_plain
from tourney.movement.seating import TableInfo
from tourney.protocol.wires import DEFAULT as DEFAULT_WIRE
from tourney.protocol.wires import WireProfile
from tourney.scoring import GAME
from tourney.store.db.database import Database
from tourney.store.db.queries import AnyRow, AnySelect, load_column, make_object
from tourney.store.models import (
    BoardAttempt,
    BoardRow,
    BoardSet,
    DealRow,
    Match,
    MatchResult,
    TableRow,
    Team,
)

if TYPE_CHECKING:
    from tourney.scoring.board_scale import BoardScale
    from tourney.scoring.games import GameSettings

StagePlan: TypeAlias = Mapping[str, Any]
"""What the plan of a draw says of a stage: plain values by key."""


PARTNERSHIPS: Final = "partnerships"
"""The key of the partnerships in the plan, where partners change: those of each, by their numbers."""


def plan_key(key: str, stage: int) -> str:
    """Return the key of a setting of a stage in the plan of a draw: `format`, `stage 2, format`."""
    return key if stage == 1 else f"stage {stage}, {key}"


def stage_plan(plan: str, stage: int) -> StagePlan:
    """Return what the plan of a draw says of a stage, by key; nothing in a plan of the first schema."""
    prefix = plan_key("", stage)
    said = json.loads(plan) if plan.startswith("{") else {}
    return {key.removeprefix(prefix): value for key, value in said.items() if key.startswith(prefix)}


@dataclass(frozen=True, slots=True)
class TeamInfo:
    """A team of an event. Its `id` and its `number`, its place in the draw, are 0 before it is on record."""

    name: str
    command: str | None
    profile: str
    wire: WireProfile = DEFAULT_WIRE
    """The named profile with the team's own settings."""
    id: int = 0
    number: int = 0
    players: tuple["TeamInfo", ...] = ()
    """The two players of a partnership, who enter by themselves; empty for any other team."""

    def at(self, seat: Seat) -> "TeamInfo":
        """Return whose program sits in a seat: the team itself; of two partners the first sits North or East."""
        if not self.players:
            return self
        return self.players[0 if seat in (Seat.NORTH, Seat.EAST) else 1]


PORT_COLUMNS: Final = (TableRow.port_north, TableRow.port_east, TableRow.port_south, TableRow.port_west)
"""In the order of `SEATS`."""


NS_TEAM: Final = Team.__table__.alias("ns_team")


EW_TEAM: Final = Team.__table__.alias("ew_team")


_TEAM_NAMES: Final = (NS_TEAM.c.name.label("ns_team"), EW_TEAM.c.name.label("ew_team"))
"""The teams of both sides."""

TABLE_PLACE: Final = (Match.number.label("match"), TableRow.segment, TableRow.room, *_TEAM_NAMES)
"""Which of `SEATED_TABLES` a row is of, and who sits there."""

SEATED_TABLES: Final = (
    TableRow.__table__.join(Match)
    .join(NS_TEAM, NS_TEAM.c.id == TableRow.ns_team_id)
    .join(EW_TEAM, EW_TEAM.c.id == TableRow.ew_team_id)
)
"""Tables with their match and the teams of both sides."""


_BEFORE_PORTS: Final = (
    TableRow.room,
    *_TEAM_NAMES,
    *(TableRow.ns_pair, TableRow.ew_pair, TableRow.segment, TableRow.first_position, TableRow.boards),
    *(TableRow.id, Match.number.label("match"), TableRow.state, TableRow.reason, TableRow.host, TableRow.attempt),
)


SELECT_TABLES: Final[AnySelect] = select(*_BEFORE_PORTS, *PORT_COLUMNS).select_from(SEATED_TABLES)
"""What `table_info` needs, in the order of the fields of `TableInfo`; other columns come after it."""


def name_key(name: str) -> str:
    """Return the form in which names are compared, ignoring case."""
    return name.casefold()


def load_entrants(
    connection: Connection, event_id: int, plan: str
) -> tuple[tuple[TeamInfo, ...], tuple[TeamInfo, ...]]:
    """Load the entrants of an event and, where partners change, the partnerships that they form."""
    rows = connection.execute(select(Team).where(Team.event_id == event_id).order_by(Team.number))
    teams, partners = tuple(map(team_info, rows)), stage_plan(plan, 1).get(PARTNERSHIPS, ())
    if not partners:
        return teams, ()
    players = teams[: -len(partners)]
    named = zip(teams[len(players) :], partners, strict=True)
    return players, tuple(replace(team, players=(players[n - 1], players[m - 1])) for team, (n, m) in named)


def load_sides(connection: Connection, event_id: int, plan: str, ids: Collection[int]) -> list[TeamInfo]:
    """Load the teams with these ids, in no order; a partnership comes with its players."""
    if PARTNERSHIPS not in stage_plan(plan, 1):
        return [team_info(row) for row in connection.execute(select(Team).where(Team.id.in_(ids)))]
    return [team for team in load_entrants(connection, event_id, plan)[1] if team.id in ids]


def load_team_names(database: Database, event_id: int) -> list[str]:
    """Load the names of an event's teams, in the order of the draw."""
    return list(load_column(database, select(Team.name).where(Team.event_id == event_id).order_by(Team.number)))


def game_of(said: StagePlan) -> "GameSettings | None":
    """Return the game of a stage from its plan; None for matches of teams."""
    if GAME not in said:
        return None
    from tourney.scoring.games import GameSettings  # noqa: PLC0415 # a host without games loads none

    return make_of_plain(GameSettings, said[GAME])


def board_scale_of(said: StagePlan) -> "BoardScale":
    """Return how a stage scores boards, from its plan; IMPs if it does not say."""
    from tourney.scoring.games import stage_scale  # noqa: PLC0415 # as above

    points, vp_scale = str(said.get("board_points", 1)), said.get("vp_scale", "")
    return stage_scale(game_of(said), said.get("scoring", ""), points, vp_scale)


def table_info(row: AnyRow) -> TableInfo:
    """Make a table from a row that begins with the columns of `SELECT_TABLES`."""
    first = len(_BEFORE_PORTS)
    taken = zip(SEATS, row[first : first + len(PORT_COLUMNS)], strict=True)
    return TableInfo(*(*row[:first], {seat: port for seat, port in taken if port is not None}))


def team_at(seat: Seat | None, ns_team: str, ew_team: str) -> str | None:
    """Return which of the teams of a table has a seat; None without a seat."""
    return None if seat is None else ns_team if seat.side is Side.NS else ew_team


def team_info(row: AnyRow) -> TeamInfo:
    """Make a team from its complete row."""
    return make_object(TeamInfo, row, wire=wire_from_json(row.wire))


@functools.lru_cache(maxsize=256)  # most teams of an event share the same settings
def wire_to_json(wire: WireProfile) -> str:
    return format_plain(wire)


@functools.lru_cache(maxsize=256)  # as above
def wire_from_json(text: str) -> WireProfile:
    """Parse the wire settings of a team's row.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        return parse_plain(WireProfile, text)
    except ValueError as error:
        raise StoreError(f"the wire settings of a team cannot be read: {text!r}: {error}") from None


_parse_dealt: Final = functools.lru_cache(maxsize=256)(parse_deal)
"""Whoever shows a match reads its boards again after every change: of a long match, one set."""


SELECT_BOARDS: Final[AnySelect] = (
    select(BoardSet.id, BoardSet.name, BoardRow.number, BoardRow.dealer, BoardRow.vulnerability)
    .add_columns(DealRow.hands, DealRow.makes)
    .select_from(BoardSet)
    .join(BoardRow)
    .join(DealRow)
)
"""Boards, each with the id and the name of its set."""


def read_board(row: AnyRow, parse: Callable[[str], Deal] = _parse_dealt) -> Board:
    """Return the board of a row of `SELECT_BOARDS`; `parse` may be one that does not keep what it parses."""
    return Board(row.number, row.dealer, row.vulnerability, parse(row.hands), read_makes(row.makes))


def read_makes(text: str | None) -> DoubleDummyTable | None:
    """Return the double-dummy table of a deal, from its column."""
    return DoubleDummyTable.parse(text) if text is not None else None


def load_boards(connection: Connection, board_set_id: int) -> tuple[Board, ...]:
    """Load the boards of a set, in the order of play."""
    query = SELECT_BOARDS.where(BoardRow.board_set_id == board_set_id).order_by(BoardRow.position)
    return tuple(read_board(row) for row in connection.execute(query))


HAS_NO_SCORE: Final = ~exists().where(MatchResult.match_id == Match.id)
"""Whether a match has no score on record."""

BEGUN: Final = select(BoardAttempt.table_id).join_from(BoardAttempt, TableRow).join(Match).limit(1)
"""Has a row if a board of a match has been begun at any table."""
