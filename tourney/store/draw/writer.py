"""The draw: teams, stages, rounds, matches, tables and boards, written once; later rounds when they are drawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, delete, func, select, update

from tourney.bridge import Board, format_deal
from tourney.contest.draw import EntryInfo, MatchInfo, RoundInfo, StageInfo
from tourney.errors import StoreError
from tourney.movement.seating import TableInfo
from tourney.store.control.table_state import new_table_columns, reopen_table
from tourney.store.db.database import Database
from tourney.store.db.queries import add_rows, delete_rows, insert_row, insert_rows, make_values, update_row
from tourney.store.db.transactions import lock
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.tables import BEGUN, TeamInfo, name_key, wire_to_json
from tourney.store.models import (
    BoardRow,
    BoardSet,
    Bye,
    ConsoleLogRow,
    DealRow,
    Event,
    Match,
    MatchResult,
    Model,
    Round,
    RulingRow,
    StageEntry,
    StageRow,
    TableRow,
    Team,
    UserRow,
)

_DRAW_LOCK: Final = 0x6472617773
"""Whoever draws an event in a PostgreSQL database holds this advisory lock: the letters of `draws`."""


def save_draw(database: Database, event: EventInfo, now_ms: int) -> None:
    """Store a new event with its draw.

    Raises:
        StoreError: there is an event of this name.
    """
    with database.write() as connection:
        # Two programs may come at once: the second waits, and finds the event.
        lock(database, connection, _DRAW_LOCK)
        if connection.scalar(select(Event.id).where(Event.name_key == name_key(event.name))) is not None:
            raise StoreError(f"event {event.name!r} has been drawn already")
        event_id = insert_row(connection, Event, _event_values(event) | {"created_at_ms": now_ms})
        _save_parts(connection, event_id, event, now_ms)


def _event_values(event: EventInfo) -> dict[str, object]:
    return make_values(Event, event, name_key=name_key(event.name), settings="{}")


def _save_parts(connection: Connection, event_id: int, event: EventInfo, now_ms: int) -> None:
    teams = save_teams(connection, event_id, event.sides)
    sets = {name: save_boards(connection, event_id, name, boards) for name, boards in event.board_sets.items()}
    writer = DrawWriter(connection, event_id, teams, sets, now_ms)
    for stage in event.stages:
        writer.add_stage(stage)


def save_teams(connection: Connection, event_id: int, teams: Sequence[TeamInfo], first: int = 1) -> dict[str, int]:
    """Store teams, numbered from `first` on; return the id of each by its name."""
    rows = [
        _team_values(team) | {"event_id": event_id, "number": number, "name_key": name_key(team.name)}
        for number, team in enumerate(teams, first)
    ]
    return dict(zip((team.name for team in teams), insert_rows(connection, Team, rows), strict=True))


def _team_values(team: TeamInfo) -> dict[str, object]:
    """Return what the event file says of a team."""
    names = ("name", "command", "profile")
    return {name: getattr(team, name) for name in names} | {"wire": wire_to_json(team.wire)}


def save_boards(connection: Connection, event_id: int, name: str, boards: tuple[Board, ...]) -> int:
    """Store a set of boards, in a transaction; return its id."""
    board_set_id = insert_row(connection, BoardSet, {"event_id": event_id, "name": name})
    _add_boards(connection, event_id, board_set_id, boards)
    return board_set_id


def _add_boards(
    connection: Connection, event_id: int, board_set_id: int, boards: Sequence[Board], first_position: int = 0
) -> None:
    deals = [
        {
            "event_id": event_id,
            "hands": format_deal(board.deal),
            "makes": str(board.makes) if board.makes is not None else None,
        }
        for board in boards
    ]
    dealt = zip(boards, insert_rows(connection, DealRow, deals), strict=True)
    rows = [
        make_values(
            BoardRow,
            board,
            board_set_id=board_set_id,
            position=position,
            deal_id=deal_id,
        )
        for position, (board, deal_id) in enumerate(dealt, first_position)
    ]
    add_rows(connection, BoardRow, rows)


def save_entries(
    connection: Connection,
    stage_id: int,
    entries: Sequence[EntryInfo],
    teams: Mapping[str, int],
    first_seed: int = 1,
) -> None:
    """Store entries of a stage, in a transaction; `teams` are the ids of teams by name."""
    rows = [
        make_values(
            StageEntry, entry, stage_id=stage_id, team_id=teams[entry.team], seed=seed, group_number=entry.group
        )
        for seed, entry in enumerate(entries, first_seed)
    ]
    add_rows(connection, StageEntry, rows)


@dataclass(frozen=True, slots=True)
class DrawWriter:
    """Stores stages, rounds and tables of an event in a transaction, with the ids of what they refer to."""

    connection: Connection
    event_id: int
    teams: Mapping[str, int]
    """Ids of teams by name."""
    sets: Mapping[str, int]
    """Ids of board sets by name."""
    now_ms: int

    def add_stage(self, stage: StageInfo) -> None:
        values = make_values(StageRow, stage, event_id=self.event_id, format=stage.format.name)
        stage_id = insert_row(self.connection, StageRow, values)
        save_entries(self.connection, stage_id, stage.entries, self.teams)
        rounds = [
            {
                "stage_id": stage_id,
                "number": round_.number_in_stage,
                "starts_at_ms": round_.starts_at_ms,
                "drawn_at_ms": self.now_ms if round_.is_drawn else None,
            }
            for round_ in stage.rounds
        ]
        ids = insert_rows(self.connection, Round, rounds)
        self.add_rounds(replace(round_, id=id_) for round_, id_ in zip(stage.rounds, ids, strict=True))

    def add_rounds(self, rounds: Iterable[RoundInfo]) -> None:
        """Store what is drawn of rounds that are on record.

        Matches that have no number yet have those after the last of the event.
        """
        of_event = Match.event_id == self.event_id
        last = self.connection.scalar(select(func.max(Match.number)).where(of_event)) or 0
        byes, rows = [], []
        matches: list[MatchInfo] = []
        for round_ in rounds:
            byes += [{"round_id": round_.id, "team_id": self.teams[team]} for team in round_.byes]
            for match in round_.matches:
                matches.append(match)
                values = make_values(
                    Match,
                    match,
                    event_id=self.event_id,
                    round_id=round_.id,
                    number=match.number or last + len(matches),
                    home_team_id=self.teams[match.home],
                    away_team_id=self.teams[match.away],
                    board_set_id=self.sets[match.board_set],
                    third_place=match.is_third_place,
                )
                rows.append(values)
        add_rows(self.connection, Bye, byes)
        for match_id, match in zip(insert_rows(self.connection, Match, rows), matches, strict=True):
            self.add_tables(match_id, match.tables)

    def add_tables(self, match_id: int, tables: Iterable[TableInfo]) -> None:
        """Store tables of a match."""
        rows = [
            make_values(
                TableRow,
                table,
                match_id=match_id,
                first_position=table.first,
                ns_team_id=self.teams[table.ns_team],
                ew_team_id=self.teams[table.ew_team],
                **new_table_columns(self.now_ms),
            )
            for table in tables
        ]
        add_rows(self.connection, TableRow, rows)


# Changes while the event runs


def save_next_rounds(database: Database, event: EventInfo, stage: StageInfo, now_ms: int) -> None:
    """Store newly drawn rounds, which alone the stage has, and its entries if the first round is among them."""
    with database.write() as connection:
        sets = connection.execute(select(BoardSet.name, BoardSet.id).where(BoardSet.event_id == event.id))
        writer = DrawWriter(connection, event.id, _team_ids(event), dict(iter(sets)), now_ms)
        if stage.rounds[0].number_in_stage == 1:
            save_entries(connection, stage.id, stage.entries, writer.teams)
        writer.add_rounds(stage.rounds)
        drawn = Round.id.in_([round_.id for round_ in stage.rounds])
        connection.execute(update(Round).where(drawn).values(drawn_at_ms=now_ms))


def _team_ids(event: EventInfo) -> dict[str, int]:
    return {team.name: team.id for team in event.sides}


def drop_rounds(database: Database, stage: StageInfo) -> bool:
    """Undo the draw of rounds in which no board has begun, which alone the stage has; its entries go with its first.

    Return False, without a change, if a board has begun.
    """
    ids = [round_.id for round_ in stage.rounds]
    of_rounds = Match.round_id.in_(ids)
    with database.write() as connection:
        ruled = select(RulingRow.id).join_from(RulingRow, Match).where(of_rounds).limit(1)
        if any(connection.scalar(query) is not None for query in (BEGUN.where(of_rounds), ruled)):
            return False
        delete_rows(connection, Match.__table__, of_rounds)
        connection.execute(delete(Bye).where(Bye.round_id.in_(ids)))
        connection.execute(update(Round).where(Round.id.in_(ids)).values(drawn_at_ms=None))
        if stage.number > 1 and stage.rounds[0].number_in_stage == 1:
            connection.execute(delete(StageEntry).where(StageEntry.stage_id == stage.id))
        return True


def add_segment(
    database: Database, event: EventInfo, match: MatchInfo, tables: Sequence[TableInfo], now_ms: int
) -> None:
    """Give a match the tables of extra boards, and take its score away; without effect if it has them already."""
    is_as_known = (Match.id == match.id, Match.boards == match.boards)
    with database.write() as connection:
        boards = match.boards + tables[0].boards
        if connection.execute(update(Match).where(*is_as_known).values(boards=boards)).rowcount:
            DrawWriter(connection, event.id, _team_ids(event), {}, now_ms).add_tables(match.id, tables)
            connection.execute(delete(MatchResult).where(MatchResult.match_id == match.id))


def extend_matches(
    database: Database, event: EventInfo, boards: Mapping[str, Sequence[Board]], plan: str, now_ms: int
) -> None:
    """Give all matches of an event of one stage further boards, and have those that were finished played on.

    Args:
        database: has the draw.
        event: the event as drawn; each of its matches has a board set of its own, and one segment.
        boards: the further boards by the name of the set, as many for each.
        plan: what the draw depends on from now on.
        now_ms: milliseconds since 1970 UTC.
    """
    more = len(next(iter(boards.values())))
    match_ids = [match.id for match in event.matches]
    with database.write() as connection:
        before = connection.execute(
            update(Event).where(Event.id == event.id, Event.plan == event.plan).values(plan=plan)
        )
        if not before.rowcount:
            return  # somebody else has done it
        sets = connection.execute(select(BoardSet.id, BoardSet.name).where(BoardSet.event_id == event.id))
        for set_id, name in sets.all():
            known = connection.scalar(select(func.count()).where(BoardRow.board_set_id == set_id))
            _add_boards(connection, event.id, set_id, boards[name], known or 0)
        longer = StageRow.boards_per_match + more
        connection.execute(update(StageRow).where(StageRow.event_id == event.id).values(boards_per_match=longer))
        connection.execute(update(Match).where(Match.event_id == event.id).values(boards=Match.boards + more))
        tables = TableRow.match_id.in_(match_ids)
        connection.execute(update(TableRow).where(tables).values(boards=TableRow.boards + more))
        connection.execute(delete(MatchResult).where(MatchResult.match_id.in_(match_ids)))
        for table_id in connection.scalars(select(TableRow.id).where(tables)).all():
            reopen_table(connection, table_id, now_ms)


def enter_late(
    database: Database, event: EventInfo, teams: Sequence[TeamInfo], entries: Sequence[EntryInfo], plan: str
) -> None:
    """Add teams to the event and to its first stage, in which matches are being played already."""
    stage = event.stages[0]
    with database.write() as connection:
        ids = save_teams(connection, event.id, teams, first=len(event.teams) + 1)
        save_entries(connection, stage.id, entries, ids, first_seed=len(stage.entries) + 1)
        update_row(connection, Event, event.id, plan=plan)


def replace_draw(database: Database, event_id: int, event: EventInfo, now_ms: int) -> bool:
    """Store another draw of an event in which no board has begun; return False, without a change, if one has.

    The users of the console and its log stay; a user whose team is no longer there belongs to none.
    """
    with database.write() as connection:
        if connection.scalar(BEGUN.where(Match.event_id == event_id)) is not None:
            return False
        of_teams = select(UserRow.id, Team.name_key).join_from(UserRow, Team).where(UserRow.event_id == event_id)
        teams_of_users = dict(iter(connection.execute(of_teams)))
        for table in Model.metadata.tables.values():
            if "event_id" in table.c and table not in _KEPT:
                delete_rows(connection, table, table.c.event_id == event_id)
        update_row(connection, Event, event_id, **_event_values(event))
        _save_parts(connection, event_id, event, now_ms)
        for user_id, team_key in teams_of_users.items():
            team = select(Team.id).where(Team.event_id == event_id, Team.name_key == team_key).scalar_subquery()
            update_row(connection, UserRow, user_id, team_id=team)
        return True


_KEPT: Final = (UserRow.__table__, ConsoleLogRow.__table__)
"""Tables of an event that do not follow from its draw."""


def update_teams(database: Database, event: EventInfo, teams: Iterable[TeamInfo]) -> None:
    """Store commands and wire settings of teams, which may change between runs."""
    stored = {team.name: team for team in event.sides}
    with database.write() as connection:
        for team in teams:
            before, now = stored[team.name], _team_values(team)
            if now != _team_values(before):
                update_row(connection, Team, before.id, **now)


def update_starts(database: Database, event: EventInfo, starts_at_ms: Iterable[int | None]) -> None:
    """Store the times of all rounds, which may change between runs."""
    with database.write() as connection:
        for round_, starts in zip(event.all_rounds, starts_at_ms, strict=True):
            if round_.starts_at_ms != starts:
                update_row(connection, Round, round_.id, starts_at_ms=starts)
