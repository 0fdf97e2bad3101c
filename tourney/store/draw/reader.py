"""A drawn event as it is read from the record: teams, stages, rounds, matches, their tables and their boards."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise

from sqlalchemy import ColumnElement, Connection, func, select

from tourney.bridge import Board, parse_deal
from tourney.config.values import Processes
from tourney.contest import FORMATS
from tourney.contest.draw import EntryInfo, MatchInfo, RoundAssignment, RoundInfo, StageInfo, StageRules, VoidMatches
from tourney.errors import StoreError
from tourney.movement.seating import TableInfo
from tourney.store.db.database import Database
from tourney.store.db.queries import AnyRow, AnySelect, has_rows, load_value, make_object
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.tables import (
    BEGUN,
    HAS_NO_SCORE,
    SELECT_BOARDS,
    SELECT_TABLES,
    TeamInfo,
    board_scale_of,
    game_of,
    load_entrants,
    name_key,
    read_board,
    stage_plan,
    table_info,
)
from tourney.store.models import (
    BoardRow,
    BoardSet,
    Bye,
    Event,
    Match,
    Round,
    StageEntry,
    StageRow,
    TableRow,
    Team,
)


def load_event(
    database: Database, name: str, of_match: int | None = None, *, is_left: bool = False
) -> EventInfo | None:
    """Load the event of that name with its draw and the state of its tables; None if there is none.

    Args:
        database: the database that holds it.
        name: the name of the event, in any case.
        of_match: the number of a match, to load only the matches of its round, and of knockouts: the other rounds
            have none then, in a draw of thousands that takes a tenth of the time.
        is_left: whether to load only the matches without a score.
    """
    with database.read() as connection:
        event = connection.execute(select(Event).where(Event.name_key == name_key(name))).one_or_none()
        if event is None:
            return None
        teams, partnerships = load_entrants(connection, event.id, event.plan)
        sides = {team.id: team for team in (*teams, *partnerships)}
        wanted = _matches_of(event.id, of_match, is_left=is_left)
        stages = _load_stages(connection, event, sides, wanted)
        # None before the first run.
        said = json.loads(event.settings).get("processes", {})
        processes = {name: Processes(kind) for name, kind in said.items()}
        return make_object(
            EventInfo, event, teams=teams, partnerships=partnerships, stages=stages, processes=processes
        )


def count_matches(database: Database, event_id: int) -> int:
    """Count the drawn matches of an event, which are numbered from 1 to that count."""
    return load_value(database, select(func.count()).select_from(Match).where(Match.event_id == event_id)) or 0


def _load_stages(
    connection: Connection, event: AnyRow, sides: dict[int, TeamInfo], wanted: ColumnElement[bool]
) -> tuple[StageInfo, ...]:
    is_of_event = StageRow.event_id == event.id
    stages = connection.execute(select(StageRow).where(is_of_event).order_by(StageRow.number)).all()
    rules = {stage.id: _stage_rules(stage, event) for stage in stages}
    entries: defaultdict[int, list[EntryInfo]] = defaultdict(list)
    entered = select(StageEntry).join(StageRow).where(is_of_event).order_by(StageEntry.seed)
    for entry in connection.execute(entered):
        team = sides[entry.team_id].name
        entries[entry.stage_id].append(make_object(EntryInfo, entry, team=team, group=entry.group_number))
    byes: defaultdict[int, list[str]] = defaultdict(list)
    sitting_out = select(Bye.round_id, Team.name).join_from(Bye, Team).join(Round).join(StageRow)
    for round_id, team in connection.execute(sitting_out.where(is_of_event).order_by(Team.number)):
        byes[round_id].append(team)
    drawn = select(Round).join(StageRow).where(is_of_event).order_by(StageRow.number, Round.number)
    rounds = list(enumerate(connection.execute(drawn), 1))
    places = {row.id: (number, rules[row.stage_id]) for number, row in rounds}
    in_knockout = [row.id for _, row in rounds if rules[row.stage_id].format.is_knockout]
    wanted |= Match.round_id.in_(in_knockout)
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
        of_stage = tuple(
            make_object(
                RoundInfo,
                row,
                number=number,
                stage=stage.number,
                number_in_stage=row.number,
                is_drawn=row.drawn_at_ms is not None,
                byes=tuple(byes[row.id]),
                matches=tuple(matches[number]),
            )
            for number, row in rounds
            if row.stage_id == stage.id
        )
        own = StageInfo(**vars(rules[stage.id]), id=stage.id, entries=tuple(entries[stage.id]), rounds=of_stage)
        found.append(replace(own, rounds=_assign(own)))
    return tuple(found)


def _stage_rules(stage: AnyRow, event: AnyRow) -> StageRules:
    """Return the rules of a stage from its row and the plan of the draw.

    Raises:
        StoreError: this program does not know its format.
    """
    said = stage_plan(event.plan, stage.number)
    if stage.format not in FORMATS:
        raise StoreError(
            f"event {event.name!r}: stage {stage.number} is a {stage.format}, which this program does not know"
        )
    return make_object(
        StageRules,
        stage,
        format=FORMATS[stage.format],
        void_matches=VoidMatches(said.get("void_matches", VoidMatches.AS_PLAYED)),
        board_scale=board_scale_of(said),
        game=game_of(said),
        sections=int(said.get("sections", 1)) if "compare_within" in said else 1,
        sessions=int(said.get("sessions", 1)),
    )


def _assign(stage: StageInfo) -> tuple[RoundInfo, ...]:
    """Return the rounds of a stage with what is played in each.

    Where matches are played in halves, North-South stay at the table of their seed.
    """
    played: defaultdict[int, list[RoundAssignment]] = defaultdict(list)
    for match in stage.matches:
        rooms, at_once = match.rooms, match.format.tables_per_match
        for first in range(0, len(rooms), at_once):
            in_round = match.format.played_in(
                rooms[first], match.round, stage.rounds[0].number + stage.rounds[-1].number
            )
            played[in_round].append(RoundAssignment(match, rooms[first : first + at_once], in_round))
    seeds = stage.seeds
    for assignments in played.values():
        assignments.sort(key=lambda each: seeds[each.teams[0]] if each.is_half else 0)
    return tuple(replace(each, assignments=tuple(played[each.number])) for each in stage.rounds)


def _matches_of(event_id: int, of_match: int | None, *, is_left: bool) -> ColumnElement[bool]:
    """Return the condition for the matches to load: those of an event, of it without a score, or of one's round."""
    if is_left:
        return (Match.event_id == event_id) & HAS_NO_SCORE
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
    places: dict[int, tuple[int, StageRules]],
) -> defaultdict[int, list[MatchInfo]]:
    """Load matches, keyed by number of the round; `places` are the round and its stage's rules by id of the round."""
    # Rows are read by position: a large event has ten thousand tables, and access by name takes twice as long.
    tables: defaultdict[int, list[TableInfo]] = defaultdict(list)
    seated = SELECT_TABLES.add_columns(TableRow.match_id).where(wanted)
    for row in connection.execute(seated.order_by(TableRow.match_id, TableRow.segment, TableRow.id)):
        tables[row[-1]].append(table_info(row))
    matches: defaultdict[int, list[MatchInfo]] = defaultdict(list)
    query: AnySelect = select(
        *(Match.round_id, Match.id, Match.number, Match.home_team_id, Match.away_team_id, Match.board_set_id),
        *(Match.carry_home, Match.carry_away, Match.third_place),
    )
    for row in connection.execute(query.where(wanted).order_by(Match.number)):
        round_id, id_, number, home_id, away_id, board_set_id, carry_home, carry_away, is_third_place = row
        (round_, rules), home, away = places[round_id], sides[home_id], sides[away_id]
        matches[round_].append(
            MatchInfo(
                *(rules, home.name, away.name, tuple(tables[id_])),
                id=id_,
                number=number,
                round=round_,
                board_set_id=board_set_id,
                carry_home=carry_home,
                carry_away=carry_away,
                is_third_place=is_third_place,
                players={
                    side.name: tuple(player.name for player in side.players) for side in (home, away) if side.players
                },
            )
        )
    return matches


# Boards, set by set


def iter_event_boards(database: Database, event_id: int) -> Iterator[tuple[str, Board]]:
    """Load every board of an event with the name of its set, sets as in the draw, boards in the order of play."""
    query = SELECT_BOARDS.where(BoardSet.event_id == event_id).order_by(BoardSet.id, BoardRow.position)
    with database.read() as connection:
        for row in connection.execute(query):
            yield row.name, read_board(row, parse_deal)


def is_begun(database: Database, event_id: int) -> bool:
    """Return whether a board of the event has been begun at any table."""
    return has_rows(database, BEGUN.where(Match.event_id == event_id))


def is_round_begun(database: Database, round_id: int) -> bool:
    """Return whether a board of a round has been begun at any table, or its programs have been admitted."""
    begun = select(TableRow.id).join_from(TableRow, Match).where(Match.round_id == round_id, TableRow.attempt > 0)
    return has_rows(database, begun)
