"""A drawn event as it is read from the record: teams, stages, rounds, matches, their tables and their boards."""

import functools
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Final, TypedDict

from sqlalchemy import ColumnElement, Connection, func, select

from tourney.bridge import SEATS, Board, Deal, Seat, Side, parse_deal
from tourney.config.values import Processes
from tourney.contest import FORMATS, Contest
from tourney.contest.record import DrawnEntry, VoidMatches
from tourney.errors import StoreError
from tourney.movement.round_robin import Pairing
from tourney.protocol.wires import WireProfile
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.games import GameSettings
from tourney.store.db.database import Database
from tourney.store.db.plain_json import format_plain, parse_plain
from tourney.store.db.queries import AnyRow, AnySelect, has_rows, load_column, load_value, make_object
from tourney.store.draw.objects import (
    EventInfo,
    MatchInfo,
    RoundAssignment,
    RoundInfo,
    SegmentInfo,
    StageInfo,
    TableInfo,
    TeamInfo,
)
from tourney.store.draw.plans import (
    board_scale_of,
    game_of,
    stage_plan,
)
from tourney.store.models import (
    BoardAttempt,
    BoardRow,
    BoardSet,
    Bye,
    DealRow,
    Event,
    Match,
    Round,
    StageEntry,
    StageRow,
    TableRow,
    Team,
)

PORT_COLUMNS: Final = (TableRow.port_north, TableRow.port_east, TableRow.port_south, TableRow.port_west)
"""In the order of `SEATS`."""

NS_TEAM: Final = Team.__table__.alias("ns_team")
EW_TEAM: Final = Team.__table__.alias("ew_team")

TEAM_NAMES: Final = (NS_TEAM.c.name.label("ns_team"), EW_TEAM.c.name.label("ew_team"))
"""The teams of both sides."""

SEATED_TABLES: Final = (
    TableRow.__table__.join(Match)
    .join(NS_TEAM, NS_TEAM.c.id == TableRow.ns_team_id)
    .join(EW_TEAM, EW_TEAM.c.id == TableRow.ew_team_id)
)
"""Tables with their match and the teams of both sides."""

_BEFORE_PORTS: Final = (
    *(TableRow.id, Match.number.label("match"), TableRow.room),
    *TEAM_NAMES,
    *(TableRow.state, TableRow.reason, TableRow.host, TableRow.attempt),
)
_AFTER_PORTS: Final = (TableRow.boards, TableRow.segment, TableRow.first_position, TableRow.ns_pair, TableRow.ew_pair)

SELECT_TABLES: Final[AnySelect] = select(*_BEFORE_PORTS, *PORT_COLUMNS, *_AFTER_PORTS).select_from(SEATED_TABLES)
"""What `table_info` needs, in the order of the fields of `TableInfo`; other columns come after it."""


def name_key(name: str) -> str:
    """Return the form in which names are compared, ignoring case."""
    return name.casefold()


def load_event(database: Database, name: str, of_match: int | None = None) -> EventInfo | None:
    """Load the event of that name with its draw and the state of its tables; None if there is none.

    Args:
        database: the database that holds it.
        name: the name of the event, in any case.
        of_match: the number of a match, to load only the matches of its round, and of knockouts: the other rounds
            have none then, in a draw of thousands that takes a tenth of the time.
    """
    with database.read() as connection:
        event = connection.execute(select(Event).where(Event.name_key == name_key(name))).one_or_none()
        if event is None:
            return None
        rows = connection.execute(select(Team).where(Team.event_id == event.id).order_by(Team.number))
        teams, partnerships = _split_sides(tuple(map(team_info, rows)), event.plan)
        sides = {team.id: team for team in (*teams, *partnerships)}
        stages = _load_stages(connection, event, sides, of_match)
        processes = _parse_processes(event.settings)
        return make_object(
            EventInfo, event, teams=teams, partnerships=partnerships, stages=stages, processes=processes
        )


def _parse_processes(settings: str) -> dict[str, Processes]:
    """Return the teams of which a process has more than one seat; none before the first run."""
    said = json.loads(settings).get("processes", {})
    return {name: Processes(kind) for name, kind in said.items()}


def _split_sides(teams: tuple[TeamInfo, ...], plan: str) -> tuple[tuple[TeamInfo, ...], tuple[TeamInfo, ...]]:
    """Return the entrants among the teams on record and, where partners change, the partnerships that they form."""
    partners = _partners_of(plan)
    if not partners:
        return teams, ()
    players = teams[: -len(partners)]
    named = zip(teams[len(players) :], partners, strict=True)
    return players, tuple(replace(team, players=(players[n - 1], players[m - 1])) for team, (n, m) in named)


def _partners_of(plan: str) -> tuple[Pairing, ...]:
    """Return the partnerships of an event by the numbers of their players, from the plan of its draw."""
    said = stage_plan(plan, 1)
    played = FORMATS.get(said.get("format", ""))
    return played.partnerships(len(said["teams"])) if played is not None else ()


def load_sides(connection: Connection, event_id: int, ids: Collection[int]) -> list[TeamInfo]:
    """Load the teams with these ids, in no order; a partnership comes with its players."""
    plan = connection.execute(select(Event.plan).where(Event.id == event_id)).scalar_one()
    if not _partners_of(plan):
        return [team_info(row) for row in connection.execute(select(Team).where(Team.id.in_(ids)))]
    rows = connection.execute(select(Team).where(Team.event_id == event_id).order_by(Team.number))
    _, partnerships = _split_sides(tuple(map(team_info, rows)), plan)
    return [team for team in partnerships if team.id in ids]


def load_team_names(database: Database, event_id: int) -> list[str]:
    """Load the names of an event's teams, in the order of the draw."""
    return list(load_column(database, select(Team.name).where(Team.event_id == event_id).order_by(Team.number)))


def count_matches(database: Database, event_id: int) -> int:
    """Count the drawn matches of an event, which are numbered from 1 to that count."""
    return load_value(database, select(func.count()).select_from(Match).where(Match.event_id == event_id)) or 0


def _load_stages(
    connection: Connection, event: AnyRow, sides: dict[int, TeamInfo], of_match: int | None
) -> tuple[StageInfo, ...]:
    is_of_event = StageRow.event_id == event.id
    stages = connection.execute(select(StageRow).where(is_of_event).order_by(StageRow.number)).all()
    rules = {stage.id: _match_rules(stage, event) for stage in stages}
    entries: defaultdict[int, list[DrawnEntry]] = defaultdict(list)
    entered = select(StageEntry).join(StageRow).where(is_of_event).order_by(StageEntry.seed)
    for entry in connection.execute(entered):
        team = sides[entry.team_id].name
        entries[entry.stage_id].append(make_object(DrawnEntry, entry, team=team, group=entry.group_number))
    byes: defaultdict[int, list[str]] = defaultdict(list)
    sitting_out = select(Bye.round_id, Team.name).join_from(Bye, Team).join(Round).join(StageRow)
    for round_id, team in connection.execute(sitting_out.where(is_of_event).order_by(Team.number)):
        byes[round_id].append(team)
    drawn = select(Round).join(StageRow).where(is_of_event).order_by(StageRow.number, Round.number)
    rounds = list(enumerate(connection.execute(drawn), 1))
    places = {row.id: (number, rules[row.stage_id]) for number, row in rounds}
    in_knockout = [row.id for _, row in rounds if rules[row.stage_id]["format"].is_knockout]
    wanted = _matches_of(event.id, of_match) | Match.round_id.in_(in_knockout)
    matches = _load_matches(connection, wanted, sides, places)
    for (number, row), (_, after) in pairwise(rounds):
        if row.id not in in_knockout or after.drawn_at_ms is None:
            continue
        there = {entry.team for entry in entries[after.stage_id]}
        if is_same := after.stage_id == row.stage_id:
            playing = (each.teams for each in matches[number + 1] if not each.is_third_place)
            there = {*byes[after.id], *chain.from_iterable(playing)}
        for place, match in enumerate(matches[number]):
            advanced = there.intersection(match.teams)
            # A team that has left the event enters no further stage, and has won its match all the same.
            if is_same or advanced:
                matches[number][place] = replace(match, advanced=frozenset(advanced))
    found = []
    for stage in stages:
        of_stage = []
        numbers = [number for number, row in rounds if row.stage_id == stage.id]
        assignments = _assign([(number, matches[number]) for number in numbers], entries[stage.id])
        for number in numbers:
            _, row = rounds[number - 1]
            of_stage.append(
                make_object(
                    RoundInfo,
                    row,
                    number=number,
                    stage=stage.number,
                    number_in_stage=row.number,
                    is_drawn=row.drawn_at_ms is not None,
                    byes=tuple(byes[row.id]),
                    matches=tuple(matches[number]),
                    assignments=tuple(assignments[number]),
                )
            )
        said = stage_plan(event.plan, stage.number)
        found.append(
            make_object(
                StageInfo,
                stage,
                format=rules[stage.id]["format"],
                entries=tuple(entries[stage.id]),
                rounds=tuple(of_stage),
                board_scale=rules[stage.id]["board_scale"],
                sections=int(said.get("sections", 1)) if "compare_within" in said else 1,
                sessions=int(said.get("sessions", 1)),
            )
        )
    return tuple(found)


class _MatchRules(TypedDict):
    """What a stage has laid down for each of its matches: fields of `MatchInfo`."""

    stage: int
    format: Contest
    void_matches: VoidMatches
    board_scale: BoardScale
    game: GameSettings | None
    boards_drawn: int
    segments_drawn: int
    extra_boards: int


def _match_rules(stage: AnyRow, event: AnyRow) -> _MatchRules:
    """Return the rules of a stage from its row and the plan of the draw.

    Raises:
        StoreError: this program does not know its format.
    """
    said = stage_plan(event.plan, stage.number)
    if stage.format not in FORMATS:
        raise StoreError(
            f"event {event.name!r}: stage {stage.number} is a {stage.format}, which this program does not know"
        )
    return {
        "stage": stage.number,
        "format": FORMATS[stage.format],
        "void_matches": VoidMatches(said.get("void_matches", VoidMatches.AS_PLAYED)),
        "board_scale": board_scale_of(said),
        "game": game_of(said),
        "boards_drawn": stage.boards_per_match,
        "segments_drawn": stage.segments,
        "extra_boards": stage.extra_boards,
    }


def _assign(
    rounds: Sequence[tuple[int, Sequence[MatchInfo]]], entries: Iterable[DrawnEntry]
) -> defaultdict[int, list[RoundAssignment]]:
    """Return what is played in each round of a stage, by its number.

    Args:
        rounds: the number of each round with the matches that it decides.
        entries: those of the stage; where matches are played in halves, North-South stay at the table of their seed.
    """
    played: defaultdict[int, list[RoundAssignment]] = defaultdict(list)
    for number, matches in rounds:
        for match in matches:
            at_once = match.format.tables_per_match
            for first in range(0, len(match.rooms), at_once):
                rooms = match.rooms[first : first + at_once]
                in_round = match.format.played_in(rooms[0], number, rounds[0][0] + rounds[-1][0])
                played[in_round].append(RoundAssignment(match, rooms, in_round))
    seeds = {entry.team: entry.seed for entry in entries}
    for assignments in played.values():
        assignments.sort(key=lambda each: seeds[each.teams[0]] if each.is_half else 0)
    return played


def load_game(connection: Connection, match_id: int) -> GameSettings | None:
    """Load the game that a match is played as; None for a match of teams."""
    row = connection.execute(
        select(StageRow.number, Event.plan)
        .join_from(StageRow, Event)
        .join(Round)
        .join(Match)
        .where(Match.id == match_id)
    ).one()
    return game_of(stage_plan(row.plan, row.number))


def _matches_of(event_id: int, of_match: int | None) -> ColumnElement[bool]:
    """Return the condition for the matches to load: those of an event, or of the round of one of them."""
    if of_match is None:
        return Match.event_id == event_id
    one = Match.__table__.alias("one")
    return Match.round_id == (
        select(one.c.round_id).where(one.c.event_id == event_id, one.c.number == of_match).scalar_subquery()
    )


def _load_matches(
    connection: Connection,
    wanted: ColumnElement[bool],
    sides: dict[int, TeamInfo],
    places: dict[int, tuple[int, _MatchRules]],
) -> defaultdict[int, list[MatchInfo]]:
    """Load matches, keyed by number of the round; `places` are the round and its stage's rules by id of the round."""
    # Rows are read by position: a large event has ten thousand tables, and access by name takes twice as long.
    segments: defaultdict[int, dict[int, SegmentInfo]] = defaultdict(dict)
    tables = SELECT_TABLES.add_columns(TableRow.match_id).where(wanted)
    for row in connection.execute(tables.order_by(TableRow.match_id, TableRow.segment, TableRow.id)):
        table = table_info(row)
        of_match = segments[row[-1]]
        segment = of_match.get(table.segment)
        if segment is None:
            segment = of_match[table.segment] = SegmentInfo(table.segment, table.first, table.boards, {})
        segment.tables[table.room] = table
    matches: defaultdict[int, list[MatchInfo]] = defaultdict(list)
    query: AnySelect = select(
        *(Match.round_id, Match.id, Match.number, Match.home_team_id, Match.away_team_id, Match.board_set_id),
        *(Match.carry_home, Match.carry_away, Match.third_place),
    )
    for row in connection.execute(query.where(wanted).order_by(Match.number)):
        round_id, id_, number, home, away, board_set_id, carry_home, carry_away, is_third_place = row
        round_, rules = places[round_id]
        partners = [side for side in (sides[home], sides[away]) if side.players]
        matches[round_].append(
            MatchInfo(
                *(id_, number, round_, sides[home].name, sides[away].name, board_set_id),
                tuple(segments[id_].values()),
                carry_home=carry_home,
                carry_away=carry_away,
                is_third_place=is_third_place,
                players={side.name: tuple(player.name for player in side.players) for side in partners},
                **rules,
            )
        )
    return matches


def table_info(row: AnyRow) -> TableInfo:
    """Make a table from a row that begins with the columns of `SELECT_TABLES`."""
    first = len(_BEFORE_PORTS)
    last = first + len(PORT_COLUMNS)
    ports = {seat: port for seat, port in zip(SEATS, row[first:last], strict=True) if port is not None}
    return TableInfo(*(*row[:first], ports, *row[last : last + len(_AFTER_PORTS)]))


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


# Boards, set by set

_parse_dealt: Final = functools.lru_cache(maxsize=256)(parse_deal)
"""Whoever shows a match reads its boards again after every change: of a long match, one set."""


SELECT_BOARDS: Final[AnySelect] = (
    select(BoardSet.id, BoardSet.name, BoardRow.number, BoardRow.dealer, BoardRow.vulnerability, DealRow.hands)
    .select_from(BoardSet)
    .join(BoardRow)
    .join(DealRow)
)
"""Boards, each with the id and the name of its set."""


def read_board(row: AnyRow, parse: Callable[[str], Deal] = _parse_dealt) -> Board:
    """Return the board of a row of `SELECT_BOARDS`; `parse` may be one that does not keep what it parses."""
    return Board(row.number, row.dealer, row.vulnerability, parse(row.hands))


def load_boards(connection: Connection, board_set_id: int) -> tuple[Board, ...]:
    """Load the boards of a set, in the order of play."""
    query = SELECT_BOARDS.where(BoardRow.board_set_id == board_set_id).order_by(BoardRow.position)
    return tuple(read_board(row) for row in connection.execute(query))


def iter_event_boards(database: Database, event_id: int) -> Iterator[tuple[str, Board]]:
    """Load every board of an event with the name of its set, sets as in the draw, boards in the order of play."""
    query = SELECT_BOARDS.where(BoardSet.event_id == event_id).order_by(BoardSet.id, BoardRow.position)
    with database.read() as connection:
        for row in connection.execute(query):
            yield row.name, read_board(row, parse_deal)


BEGUN: Final = select(BoardAttempt.table_id).join_from(BoardAttempt, TableRow).join(Match).limit(1)
"""Has a row if a board of a match has been begun at any table."""


def is_begun(database: Database, event_id: int) -> bool:
    """Return whether a board of the event has been begun at any table."""
    return has_rows(database, BEGUN.where(Match.event_id == event_id))


def is_round_begun(database: Database, round_id: int) -> bool:
    """Return whether a board of a round has been begun at any table, or its programs have been admitted."""
    begun = select(TableRow.id).join_from(TableRow, Match).where(Match.round_id == round_id, TableRow.attempt > 0)
    return has_rows(database, begun)
