"""The draw: teams, rounds, matches, tables and boards, written once and read by everybody."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from pydantic import TypeAdapter
from sqlalchemy import Connection, delete, func, insert, select, update

from tourney.bridge import SEATS, Board, Seat, format_deal
from tourney.errors import StoreError
from tourney.protocol.bluechip.profile import PROFILES, WireProfile
from tourney.store.database import Database
from tourney.store.models import (
    BoardAttempt,
    BoardRow,
    BoardSet,
    DealRow,
    Event,
    Finalisation,
    Host,
    IncidentRow,
    Match,
    Order,
    Round,
    RulingRow,
    Stage,
    TableRow,
    TableState,
    Team,
)
from tourney.store.models import Connection as ConnectionRow
from tourney.store.objects import (
    EventDraw,
    EventInfo,
    HostSettings,
    MatchInfo,
    PlannedMatch,
    PlannedRound,
    PlannedTeam,
    RoundInfo,
    TableInfo,
    TeamInfo,
)

_SETTINGS: Final = TypeAdapter(HostSettings)
_WIRE: Final = TypeAdapter(WireProfile)

PORT_COLUMNS = (TableRow.port_north, TableRow.port_east, TableRow.port_south, TableRow.port_west)
"""In the order of `SEATS`."""


def name_key(name: str) -> str:
    """What names are compared by: case aside."""
    return name.casefold()


def save_draw(database: Database, draw: EventDraw, now_ms: int) -> None:
    """Store a new event with its whole draw.

    Raises:
        StoreError: there is an event of this name.
    """
    with database.write() as connection:
        if _event_id(connection, draw.name) is not None:
            raise StoreError(f"event {draw.name!r} has been drawn already")
        event_id = _insert(
            connection,
            Event,
            name=draw.name,
            name_key=name_key(draw.name),
            seed=draw.seed,
            plan=draw.plan,
            settings="{}",
            created_at_ms=now_ms,
        )
        stage_id = _insert(
            connection,
            Stage,
            event_id=event_id,
            number=1,
            name=draw.stage_name,
            format=draw.stage_format,
            boards_per_match=draw.boards_per_match,
            vp_scale=draw.vp_scale,
            shared_deals=draw.shared_deals,
        )
        teams = _save_teams(connection, event_id, draw.teams)
        board_sets = {name: _save_boards(connection, event_id, name, b) for name, b in draw.board_sets.items()}
        rounds = _save_rounds(connection, stage_id, draw.rounds, teams)
        planned = [(rounds[number], match) for number, r in enumerate(draw.rounds, 1) for match in r.matches]
        _save_matches(connection, event_id, planned, teams, board_sets, now_ms)


def _save_teams(connection: Connection, event_id: int, teams: tuple[PlannedTeam, ...]) -> dict[int, int]:
    """Gives the id of each team by its number; so do the next ones for what they save."""
    rows = [
        {
            "event_id": event_id,
            "number": number,
            "name": team.name,
            "name_key": name_key(team.name),
            "command": team.command,
            "profile": team.profile,
            "wire": wire_to_json(team.wire),
        }
        for number, team in enumerate(teams, 1)
    ]
    connection.execute(insert(Team), rows)
    found = connection.execute(select(Team.number, Team.id).where(Team.event_id == event_id))
    return {row.number: row.id for row in found}


def _save_boards(connection: Connection, event_id: int, name: str, boards: tuple[Board, ...]) -> int:
    board_set_id = _insert(connection, BoardSet, event_id=event_id, name=name)
    deals = [{"event_id": event_id, "hands": format_deal(board.deal)} for board in boards]
    connection.execute(insert(DealRow), deals)
    newest = select(DealRow.id).where(DealRow.event_id == event_id).order_by(DealRow.id.desc()).limit(len(deals))
    deal_ids = sorted(connection.scalars(newest))
    rows = [
        {
            "board_set_id": board_set_id,
            "number": board.number,
            "position": position,
            "dealer": board.dealer.letter,
            "vulnerability": board.vulnerability,
            "deal_id": deal_id,
        }
        for position, (board, deal_id) in enumerate(zip(boards, deal_ids, strict=True))
    ]
    connection.execute(insert(BoardRow), rows)
    return board_set_id


def _save_rounds(
    connection: Connection, stage_id: int, rounds: tuple[PlannedRound, ...], teams: dict[int, int]
) -> dict[int, int]:
    rows = [
        {
            "stage_id": stage_id,
            "number": number,
            "starts_at_ms": round_.starts_at_ms,
            "bye_team_id": teams[round_.bye] if round_.bye is not None else None,
        }
        for number, round_ in enumerate(rounds, 1)
    ]
    connection.execute(insert(Round), rows)
    found = connection.execute(select(Round.number, Round.id).where(Round.stage_id == stage_id))
    return {row.number: row.id for row in found}


def _save_matches(
    connection: Connection,
    event_id: int,
    planned: list[tuple[int, PlannedMatch]],
    teams: dict[int, int],
    board_sets: dict[str, int],
    now_ms: int,
) -> None:
    """`planned` are the matches with the ids of their rounds, in the order of their numbers."""
    matches = [
        {
            "event_id": event_id,
            "round_id": round_id,
            "number": number,
            "home_team_id": teams[match.home],
            "away_team_id": teams[match.away],
            "board_set_id": board_sets[match.board_set],
        }
        for number, (round_id, match) in enumerate(planned, 1)
    ]
    connection.execute(insert(Match), matches)
    match_ids = connection.scalars(select(Match.id).where(Match.event_id == event_id).order_by(Match.number))
    tables = [
        {
            "match_id": match_id,
            "room": room,
            "ns_team_id": teams[north_south],
            "ew_team_id": teams[east_west],
            "state": TableState.WAITING,
            "reason": "",
            "host": None,
            "attempt": 0,
            "taken": False,
            "changed_at_ms": now_ms,
        }
        for match_id, (_, match) in zip(match_ids, planned, strict=True)
        for room, (north_south, east_west) in match.seating.items()
    ]
    connection.execute(insert(TableRow), tables)


def drop_draw(database: Database, event_id: int) -> bool:
    """Remove an event of which no board has been begun; False, and nothing done, when one has."""
    with database.write() as connection:
        match_ids = select(Match.id).where(Match.event_id == event_id)
        table_ids = select(TableRow.id).where(TableRow.match_id.in_(match_ids))
        begun = connection.scalar(select(func.count()).where(BoardAttempt.table_id.in_(table_ids)))
        if begun:
            return False
        sets = select(BoardSet.id).where(BoardSet.event_id == event_id)
        stages = select(Stage.id).where(Stage.event_id == event_id)
        for statement in (
            # Programs may have sat down before the first board.
            delete(ConnectionRow).where(ConnectionRow.table_id.in_(table_ids)),
            delete(Order).where(Order.table_id.in_(table_ids)),
            delete(IncidentRow).where(IncidentRow.table_id.in_(table_ids)),
            delete(RulingRow).where(RulingRow.event_id == event_id),
            delete(Finalisation).where(Finalisation.event_id == event_id),
            delete(TableRow).where(TableRow.match_id.in_(match_ids)),
            delete(Match).where(Match.event_id == event_id),
            delete(BoardRow).where(BoardRow.board_set_id.in_(sets)),
            delete(BoardSet).where(BoardSet.event_id == event_id),
            delete(DealRow).where(DealRow.event_id == event_id),
            delete(Round).where(Round.stage_id.in_(stages)),
            delete(Stage).where(Stage.event_id == event_id),
            delete(Team).where(Team.event_id == event_id),
            delete(Host).where(Host.event_id == event_id),
            delete(Event).where(Event.id == event_id),
        ):
            connection.execute(statement)
        return True


def load_event(database: Database, name: str) -> EventInfo | None:
    """The event of that name with its draw and the state of its tables; None when there is none."""
    with database.read() as connection:
        event = connection.execute(select(*Event.__table__.c).where(Event.name_key == name_key(name))).one_or_none()
        if event is None:
            return None
        stage = connection.execute(select(*Stage.__table__.c).where(Stage.event_id == event.id)).one()
        teams = tuple(
            TeamInfo(row.id, row.number, row.name, row.command, row.profile, wire_from_json(row.wire, row.profile))
            for row in connection.execute(
                select(*Team.__table__.c).where(Team.event_id == event.id).order_by(Team.number)
            )
        )
        names = {team.id: team.name for team in teams}
        matches = defaultdict(list)
        for match in _load_matches(connection, event.id, names):
            matches[match.round].append(match)
        rounds = tuple(
            RoundInfo(
                row.number,
                row.starts_at_ms,
                names.get(row.bye_team_id),
                tuple(matches[row.number]),
            )
            for row in connection.execute(
                select(*Round.__table__.c).where(Round.stage_id == stage.id).order_by(Round.number)
            )
        )
        return EventInfo(
            id=event.id,
            name=event.name,
            seed=event.seed,
            plan=event.plan,
            stage_name=stage.name,
            stage_format=stage.format,
            boards_per_match=stage.boards_per_match,
            vp_scale=stage.vp_scale,
            teams=teams,
            rounds=rounds,
        )


def _load_matches(connection: Connection, event_id: int, names: dict[int, str]) -> list[MatchInfo]:
    query = (
        select(
            Match.id,
            Match.number,
            Round.number.label("round_number"),
            Match.home_team_id,
            Match.away_team_id,
            Match.board_set_id,
            TableRow.id.label("table_id"),
            TableRow.room,
            TableRow.ns_team_id,
            TableRow.ew_team_id,
            TableRow.state,
            TableRow.reason,
            TableRow.host,
            TableRow.attempt,
            *PORT_COLUMNS,
        )
        .join(Round, Round.id == Match.round_id)
        .join(TableRow, TableRow.match_id == Match.id)
        .where(Match.event_id == event_id)
        .order_by(Match.number, TableRow.id)
    )
    matches: dict[int, MatchInfo] = {}
    for row in connection.execute(query):
        match = matches.setdefault(
            row.number,
            MatchInfo(
                id=row.id,
                number=row.number,
                round=row.round_number,
                home=names[row.home_team_id],
                away=names[row.away_team_id],
                board_set_id=row.board_set_id,
                tables={},
            ),
        )
        match.tables[row.room] = TableInfo(
            id=row.table_id,
            match=row.number,
            room=row.room,
            ns_team=names[row.ns_team_id],
            ew_team=names[row.ew_team_id],
            state=row.state,
            reason=row.reason,
            host=row.host,
            attempt=row.attempt,
            ports=ports_of(row.port_north, row.port_east, row.port_south, row.port_west),
        )
    return list(matches.values())


def ports_of(*ports: int | None) -> dict[Seat, int]:
    """The port of each seat; empty while none is open."""
    return {seat: port for seat, port in zip(SEATS, ports, strict=True) if port is not None}


def update_teams(database: Database, event: EventInfo, teams: Iterable[PlannedTeam]) -> None:
    """Store commands and wire settings of teams, which may change between runs."""
    stored = {team.name: team for team in event.teams}
    with database.write() as connection:
        for team in teams:
            before = stored[team.name]
            if (team.command, team.profile, team.wire) != (before.command, before.profile, before.wire):
                connection.execute(
                    update(Team)
                    .where(Team.id == before.id)
                    .values(command=team.command, profile=team.profile, wire=wire_to_json(team.wire))
                )


def wire_to_json(wire: WireProfile) -> str:
    return _WIRE.dump_json(wire).decode()


def wire_from_json(text: str, profile: str) -> WireProfile:
    """What a team's row holds; a row of the first schema has the name of a profile alone."""
    return _WIRE.validate_json(text) if text != "{}" else PROFILES[profile]


def update_starts(database: Database, event: EventInfo, starts_at_ms: tuple[int | None, ...]) -> None:
    """Store the times of the rounds, which may change between runs."""
    stages = select(Stage.id).where(Stage.event_id == event.id)
    with database.write() as connection:
        for round_, starts in zip(event.rounds, starts_at_ms, strict=True):
            if round_.starts_at_ms != starts:
                connection.execute(
                    update(Round)
                    .where(Round.stage_id.in_(stages), Round.number == round_.number)
                    .values(starts_at_ms=starts)
                )


def save_settings(database: Database, event_id: int, settings: HostSettings) -> None:
    """Store what hosts need of the event file; of pass phrases the hashes, and nothing that has them in clear."""
    text = _SETTINGS.dump_json(settings, exclude={"logins"}).decode()
    with database.write() as connection:
        connection.execute(update(Event).where(Event.id == event_id).values(settings=text))


def load_settings(database: Database, event_id: int) -> HostSettings:
    """What `save_settings` stored.

    Raises:
        StoreError: there is no such event.
    """
    with database.read() as connection:
        text = connection.scalar(select(Event.settings).where(Event.id == event_id))
    if text is None:
        raise StoreError(f"database {database} has no event {event_id}")
    return _SETTINGS.validate_json(text)


def _event_id(connection: Connection, name: str) -> int | None:
    return connection.scalar(select(Event.id).where(Event.name_key == name_key(name)))


def _insert(connection: Connection, model: type, **values: object) -> int:
    """Insert a row and give its id."""
    key = connection.execute(insert(model).values(**values)).inserted_primary_key
    assert key is not None
    return int(key[0])
