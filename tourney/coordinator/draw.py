"""The draw of an event: its pairings and boards. It is made once, stored, and later compared with the event file.

Rounds that depend on results are drawn from the record alone once all earlier rounds have finished. Drawing again
from the same record gives the same round. So a round of which no board has begun is redrawn when a ruling has changed
what it depends on.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

from tourney.bridge import Board, format_deal, random_seed
from tourney.config import CardPlay, EventConfig
from tourney.contest.draw import EntryInfo, MatchInfo, RoundInfo, StageInfo
from tourney.coordinator.run_lease import hold_run_lock
from tourney.coordinator.stage_planner import StagePlanner, deal_boards, stage_planners
from tourney.errors import ConfigError, FormatError, StoreError
from tourney.event.file import EventFile
from tourney.event.place import check_record, note_record
from tourney.formats.boards import parse_boards
from tourney.formats.file_kinds import GAME_KINDS, read_text
from tourney.movement.seating import SeatsRule, SharedDeals
from tourney.plurals import count
from tourney.results.load import NO_CHANGE, EventResults, ResultsChange, load_results
from tourney.runtime.solver import with_tables
from tourney.scoring import GAME
from tourney.store.control.orders import PlacedOrder, hold_new_tables, keep_orders, load_placed_orders
from tourney.store.db.database import Database
from tourney.store.db.maintenance import check_file
from tourney.store.db.schema import prepare
from tourney.store.db.transactions import one_transaction
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import is_begun, is_round_begun, load_event
from tourney.store.draw.tables import PARTNERSHIPS, TeamInfo, plan_key
from tourney.store.draw.writer import (
    drop_rounds,
    enter_late,
    extend_matches,
    replace_draw,
    save_draw,
    save_next_rounds,
    update_starts,
    update_teams,
)

_STEPS: Final = "steps of the vp_scale"
_BOARDS: Final = "boards of the PBN file"
_BOARDS_PER_MATCH: Final = "boards_per_match"
_LATE: Final = "teams that come late"


def ensure_drawn(
    event_file: EventFile,
    database: Database,
    now_ms: int,
    *,
    holds_run_lock: bool = False,
    notify: Callable[[str], None] = lambda _: None,
) -> EventInfo:
    """Return the event's stored draw, first drawing it if there is none or if the file changed before play began.

    Args:
        event_file: the event to draw.
        database: where the draw is kept.
        now_ms: milliseconds since 1970 UTC.
        holds_run_lock: whether the caller is the event's run; nobody else may redraw while a run waits to play.
        notify: is told in a sentence what takes long.

    Raises:
        ConfigError: the file does not fit the draw that is being played, or it names boards that cannot be used.
        LaunchError: the file has changed while the event is being run.
        StoreError: the database cannot be used, is damaged, or is not the one that the event was drawn in.
    """
    config = event_file.config
    check_record(event_file.results, database, config.event.name)
    prepare(database)
    if holds_run_lock:
        check_file(database)  # what is damaged is not played in
    event = load_event(database, config.event.name)
    if event is None:
        boards = _pbn_boards(event_file)
        try:
            save_draw(database, _draw_solved(config, notify, boards, _plan_text(config, boards)), now_ms)
        except StoreError:
            if load_event(database, config.event.name) is None:
                raise
            # Another program has drawn it meanwhile: its draw counts, and who runs the event is told by its lease.
            return ensure_drawn(event_file, database, now_ms, holds_run_lock=holds_run_lock, notify=notify)
    elif (edit := PlanEdit(event_file, database, event)).is_made:
        with nullcontext() if holds_run_lock else hold_run_lock(event_file.results):
            if not (
                edit.enter_late()
                or edit.extend_duel(now_ms, notify)
                or replace_draw(database, event.id, _draw_solved(config, notify, edit.boards, edit.plan), now_ms)
            ):
                raise ConfigError(f"{event_file.path.name}: {edit.misfit}")
    else:
        take_settings(event_file, database, event)
    event = load_event(database, config.event.name)
    assert event is not None
    note_record(event_file.results, database, event.name)
    return event


class PlanEdit:
    """What the event file says of the draw, beside what it said when the event was drawn."""

    def __init__(self, event_file: EventFile, database: Database, event: EventInfo) -> None:
        """Compare the file with the event as drawn.

        Raises:
            ConfigError: the boards of its PBN file cannot be used.
        """
        self.boards = _pbn_boards(event_file)
        """The boards of the PBN file, if there is one."""
        self.plan = _plan_text(event_file.config, self.boards)
        """What the draw depends on now."""
        self._stored: dict[str, Any] = json.loads(event.plan)
        self._given: dict[str, Any] = json.loads(self.plan)
        self._file = event_file
        self._database = database
        self._event = event

    @property
    def is_made(self) -> bool:
        """Whether the draw would be another one."""
        return self.plan != self._event.plan

    @property
    def misfit(self) -> str:
        """The first difference, as a sentence for an event that has been begun."""
        why = _first_difference(self._stored, self._given)
        return f"boards of {self._event.name!r} have been played by its draw, the file no longer fits it: {why}"

    def why_refused(self) -> str | None:
        """Return why a run would refuse this file for the event; None if it would take it.

        Raises:
            StoreError: the database cannot be used.
        """
        if not self.is_made or not is_begun(self._database, self._event.id):
            return None
        try:
            fits = self.late_entries() is not None or self.more_boards > 0
        except ConfigError as error:
            return str(error).removeprefix(f"{self._file.path.name}: ")
        return None if fits else self.misfit

    def enter_late(self) -> bool:
        """Enter new teams of the file into a Swiss in progress; return False if there are none, or it takes nobody.

        Raises:
            ConfigError: they come too late, or there are no boards for them.
        """
        entries = self.late_entries()
        if entries is None:
            return False
        teams = _team_sections(self._file.config)[len(self._event.teams) :]
        enter_late(self._database, self._event, teams, entries, self.plan)
        return True

    def late_entries(self) -> list[EntryInfo] | None:
        """Return the entries of new teams of a Swiss in progress; None if there are none, or anything else differs.

        Raises:
            ConfigError: they come too late, or there are no boards for them.
        """
        config, stage, stored, given = self._file.config, self._event.stages[0], self._stored, self._given
        known = len(self._event.teams)
        if _without_teams(stored) != _without_teams(given) or given["teams"][:known] != stored["teams"]:
            return None
        if stored.get(_LATE, {}) != {name: n for name, n in given.get(_LATE, {}).items() if name in stored["teams"]}:
            return None
        drawn = sum(round_.is_drawn for round_ in stage.rounds)
        new = list(enumerate(config.team, 1))[known:]
        if not stage.format.takes_late_teams or not new or not is_begun(self._database, self._event.id):
            return None
        for number, team in new:
            if team.enters is None or team.enters <= drawn:
                got = "no `enters`" if team.enters is None else str(team.enters)
                raise ConfigError(
                    f"{self._file.path.name}: team {number}, enters: round {drawn} of {stage.name!r} has been drawn, "
                    f"a team that comes now enters in a later one, got {got}"
                )
        if config.deals.shared is SharedDeals.MATCH:
            raise ConfigError(
                f"{self._file.path.name}: team {new[0][0]}: every match has its own boards, which were dealt for "
                f"{known} teams: nobody can come late"
            )
        return [EntryInfo(team.name, from_round=team.enters or 1) for _, team in new]

    def extend_duel(self, now_ms: int, notify: Callable[[str], None]) -> bool:
        """Deal the boards that a duel in progress has been given more of; return False if anything else differs."""
        more, event = self.more_boards, self._event
        if not more or not is_begun(self._database, event.id):
            return False
        dealt = deal_boards(self._file.config, event.seed, None)
        boards = {name: boards[-more:] for name, boards in dealt.items()}
        extend_matches(self._database, event, _with_tables(self._file.config, notify, boards), self.plan, now_ms)
        return True

    @property
    def more_boards(self) -> int:
        """How many more boards a match a duel is given that is otherwise as it was drawn; 0 for anything else."""
        stored, given = self._stored, self._given
        more = int(given[_BOARDS_PER_MATCH]) - int(stored.get(_BOARDS_PER_MATCH, 0))
        # The scale is that of the number of boards.
        of_boards = {key: given[key] for key in (_BOARDS_PER_MATCH, _STEPS)}
        is_longer = more > 0 and given == stored | of_boards
        return more if is_longer and self._event.stages[0].format.is_duel and given["pbn"] is None else 0


def take_settings(event_file: EventFile, database: Database, event: EventInfo) -> None:
    """Store what the draw does not depend on: commands and wire settings of teams, start times.

    Raises:
        StoreError: the database cannot be used.
    """
    config = event_file.config
    update_teams(database, event, (*_team_sections(config), *_partnerships(config)))
    planners = stage_planners(config)
    update_starts(database, event, [starts for planner in planners for starts in planner.starts_at_ms()])


def _without_teams(plan: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in plan.items() if key not in ("teams", _LATE)}


def draw_event(config: EventConfig, pbn_boards: tuple[Board, ...] | None, plan: str) -> EventInfo:
    """Return the part of the draw that depends on no result; `pbn_boards` are those of the PBN file, if it has one.

    Raises:
        ConfigError: there are too few boards, or a match would play two of the same number.
    """
    seed = str(config.deals.seed if config.deals.seed is not None else random_seed())
    stages = []
    for planner in stage_planners(config):
        starts = enumerate(planner.starts_at_ms(), 1)
        rounds = [RoundInfo(number_in_stage=number, starts_at_ms=starts_at_ms) for number, starts_at_ms in starts]
        # Later stages are drawn when it is known who enters them; in a lobby nobody does, and each has its round.
        is_first = planner.plan.number == 1 and config.lobby is None
        entries = planner.first_entries() if is_first else ()
        drawn = planner.draw_first(entries) if is_first or config.lobby is not None else []
        rounds[: len(drawn)] = planner.plan_rounds(rounds, drawn, {})
        stages.append(StageInfo(**vars(planner.rules), entries=entries, rounds=tuple(rounds)))
    return EventInfo(
        name=config.event.name,
        seed=seed,
        plan=plan,
        teams=_team_sections(config),
        partnerships=_partnerships(config),
        stages=tuple(stages),
        board_sets=deal_boards(config, seed, pbn_boards) if config.lobby is None else {},
    )


def _draw_solved(
    config: EventConfig, notify: Callable[[str], None], boards: tuple[Board, ...] | None, plan: str
) -> EventInfo:
    event = draw_event(config, boards, plan)
    return replace(event, board_sets=_with_tables(config, notify, event.board_sets))


def _with_tables(
    config: EventConfig, notify: Callable[[str], None], sets: Mapping[str, tuple[Board, ...]]
) -> dict[str, tuple[Board, ...]]:
    """Return the boards of sets with the double-dummy tables of their deals, where no cards are played.

    Raises:
        LaunchError: some have to be solved, and there is no solver.
    """
    if config.deals.cards is CardPlay.PLAYED:
        return dict(sets)
    boards = [board for dealt in sets.values() for board in dealt]
    if unsolved := len({board.deal for board in boards if board.makes is None}):
        notify(f"{count(unsolved, 'deal is', 'deals are')} solved double dummy first")
    solved = iter(with_tables(boards))
    return {name: tuple(islice(solved, len(boards))) for name, boards in sets.items()}


def _team_sections(config: EventConfig) -> tuple[TeamInfo, ...]:
    return tuple(TeamInfo(team.name, team.command, team.profile, team.wire_profile) for team in config.team)


def _partnerships(config: EventConfig) -> tuple[TeamInfo, ...]:
    # A partnership has no program of its own: those of its players sit down for it.
    named = config.partnerships.items()
    return tuple(TeamInfo(name, None, one.profile, one.wire_profile) for name, (one, _) in named)


def boards_to_deal(event_file: EventFile) -> list[Board]:
    """Return the boards that an event file leads to; none if chance decides.

    Raises:
        ConfigError: the PBN file cannot be read, has no boards, too few boards, or two of one number for a match.
    """
    boards, seed = _pbn_boards(event_file), event_file.config.deals.seed
    if boards is None and seed is None:
        return []
    sets = draw_event(event_file.config, boards, plan="").board_sets
    return [board for dealt in sets.values() for board in dealt]


def _pbn_boards(event_file: EventFile) -> tuple[Board, ...] | None:
    name, cards = event_file.config.deals.pbn, event_file.config.deals.cards
    if name is None:
        return None
    try:
        text = read_text(event_file.read_named_file(name, "PBN file"), name, *GAME_KINDS)
        return tuple(parse_boards(text, name, reads_tables=cards is CardPlay.DOUBLE_DUMMY))
    except FormatError as error:  # as an event file that is wrong: playing has to wait for somebody to mend it
        raise ConfigError(str(error)) from error


def _plan_text(config: EventConfig, boards: tuple[Board, ...] | None) -> str:
    """Return everything that the draw depends on, as JSON: two files with the same text have the same draw.

    The texts are stored with the event, so they must not depend on how a class is printed.
    """
    first, *others = (
        stage.plan_of_draw()
        | {
            "stage name": stage.name,
            "format": stage.format.name,
            _BOARDS_PER_MATCH: stage.boards_per_match,
            "vp_scale": stage.vp_scale,
            _STEPS: _fingerprint(
                [[each.least_margin, each.winner, each.loser] for each in config.scale(stage).steps]
            ),
        }
        for stage in config.stage
    )
    plan: dict[str, Any] = {"teams": [team.name for team in config.team]}
    plan |= first
    if partnerships := config.stage[0].format.partnerships(len(config.team)):
        plan[PARTNERSHIPS] = partnerships
    texts = [
        f"{board.number} {board.dealer.letter} {board.vulnerability.value} {format_deal(board.deal)}"
        for board in boards or ()
    ]
    plan |= {
        "seed": config.deals.seed,
        "pbn": config.deals.pbn,
        _BOARDS: _fingerprint(texts) if boards is not None else None,
        "shared": config.deals.shared.value,
        "cards": config.deals.cards.value,
    }
    for number, stage in enumerate(others, 2):
        plan |= {plan_key(key, number): value for key, value in stage.items()}
    late = {team.name: team.enters for team in config.team if team.enters is not None}
    if late:
        plan[_LATE] = late
    rooms = {team.name: team.open_room.value for team in config.team if team.open_room is not None}
    if rooms and any(stage.seats is SeatsRule.RIGHTS for stage in config.stage):
        plan["open_room"] = [f"{name}: {room}" for name, room in rooms.items()]
    return json.dumps(plan)


def _fingerprint(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def _first_difference(stored: dict[str, Any], given: dict[str, Any]) -> str:
    for key in dict.fromkeys((*given, *stored)):
        before, value = stored.get(key), given.get(key)
        if before == value:
            continue
        if key.endswith(GAME):
            return f"{key}: the rules are not those it was drawn with"
        if key == _BOARDS or key.endswith((_STEPS, "movement")):
            return f"the {key} are not those it was drawn with"
        return f"{key} was {_shown(before)} when it was drawn, now it is {_shown(value)}"
    return "it was drawn by another version of this program"


def _shown(value: object) -> str:
    if value is None:
        return "not given"
    if isinstance(value, dict):
        value = [f"{key} in round {number}" for key, number in value.items()]
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."


# Rounds that depend on results


def draw_next(event_file: EventFile, database: Database, event: EventInfo, now_ms: int) -> list[int]:
    """Draw the next rounds if every match so far has its score; return the numbers of those drawn.

    Raises:
        StoreError: the database cannot be used.
    """
    undrawn = next(iter(event.undrawn), None)
    results = load_results(database, event.seen_whole(), event_file.ranking_rules)
    stage = _plan_round(event_file, results, undrawn) if undrawn is not None else None
    if stage is None:
        return []
    with one_transaction(database) as joined:
        save_next_rounds(joined, event, stage, now_ms)
        hold_new_tables(joined, event.id, now_ms)
    return [round_.number for round_ in stage.rounds]


def draw_again(
    event_file: EventFile, database: Database, event: EventInfo, round_: RoundInfo, now_ms: int
) -> list[PlacedOrder] | None:
    """Redraw a round of which no board has begun, if the record now gives a different one.

    Tables that were paused or stopped stay so by their places, and extensions of time stay with the teams.

    Return the extensions that are lost because their teams no longer meet; None if the round stays as it is.

    Raises:
        StoreError: the database cannot be used.
    """
    if not _depends_on_results(event, round_) or has_begun(database, event, round_):
        return None
    stage = _plan_round(event_file, load_results(database, event.seen_whole(), event_file.ranking_rules), round_)
    if stage is None or _is_as_stored(event, stage):
        return None
    ids = [planned.id for planned in stage.rounds]
    with one_transaction(database) as joined:
        orders = load_placed_orders(joined, ids)
        if not drop_rounds(joined, stage):
            return None
        save_next_rounds(joined, event, stage, now_ms)
        lost = keep_orders(joined, ids, orders)
        hold_new_tables(joined, event.id, now_ms)
        return lost


class RedrawnRound(NamedTuple):
    """A drawn round of which results that change would make another."""

    number: int
    difference: str
    """How it would be drawn, after `drawn`: `with Beta in place of Delta`."""
    has_begun: bool
    """Whether something of it has begun, so that it stays as it is."""


def load_redrawn(
    event_file: EventFile, database: Database, event: EventInfo, change: ResultsChange
) -> list[RedrawnRound]:
    """Load which drawn rounds would be drawn otherwise by a change of results; none by a file that is not as drawn.

    Raises:
        StoreError: the database cannot be used.
    """
    rounds = [round_ for round_ in event.rounds if _depends_on_results(event, round_)]
    try:
        if not rounds or PlanEdit(event_file, database, event).is_made:
            return []
    except ConfigError:  # the boards of its PBN file; nobody needs them for a ruling
        return []
    now, then = (
        load_results(database, event.seen_whole(), event_file.ranking_rules, change=each)
        for each in (NO_CHANGE, change)
    )
    redrawn = []
    for round_ in rounds:
        planned = _plan_round(event_file, then, round_)
        if (
            planned is not None
            and planned != _plan_round(event_file, now, round_)
            and not _is_as_stored(event, planned)
        ):
            difference = _describe_difference(event, planned)
            redrawn.append(RedrawnRound(round_.number, difference, has_begun(database, event, round_)))
    return redrawn


def _describe_difference(event: EventInfo, stage: StageInfo) -> str:
    """Describe how the first of the rounds of a stage would be drawn, which is not as stored."""
    planned = stage.rounds[0]
    stored = event.all_rounds[planned.number - 1]
    before, after = (
        {*each.byes, *(team for match in each.matches for team in match.teams)} for each in (stored, planned)
    )
    came, left = (" and ".join(sorted(teams)) for teams in (after - before, before - after))
    if came and left:
        return f"with {came} in place of {left}"
    if came or left:
        return f"with {came}" if came else f"without {left}"
    pairs, pairs_before = ([{*match.teams} for match in each.matches] for each in (planned, stored))
    return "with another carry-over" if pairs == pairs_before else "with other pairings"


def may_change(database: Database, event: EventInfo, round_: RoundInfo) -> bool:
    """Return whether a drawn round may still be redrawn: it depends on results, and none of its boards has begun.

    Raises:
        StoreError: the database cannot be used.
    """
    stage = event.stage_of(round_)
    drawn = stage.format.drawn_with(stage.rounds, round_)
    return _depends_on_results(event, drawn) and not has_begun(database, event, drawn)


def rounds_drawn_from(event: EventInfo, match: MatchInfo) -> list[RoundInfo]:
    """Return the later rounds that have been drawn from the result of a match, among others."""
    return [round_ for round_ in event.rounds if round_.number > match.round and _depends_on_results(event, round_)]


def rounds_begun_from(database: Database, event: EventInfo, match: MatchInfo) -> list[RoundInfo]:
    """Return the rounds drawn from the result of a match of which something has begun: their draw stays as it is.

    Raises:
        StoreError: the database cannot be used.
    """
    return [round_ for round_ in rounds_drawn_from(event, match) if has_begun(database, event, round_)]


def has_begun(database: Database, event: EventInfo, round_: RoundInfo) -> bool:
    """Return whether anything of a round has begun; its matches may belong to a later one.

    Raises:
        StoreError: the database cannot be used.
    """
    numbers = {assignment.match.round for assignment in round_.assignments}
    return any(is_round_begun(database, each.id) for each in event.all_rounds if each.number in numbers)


def _depends_on_results(event: EventInfo, round_: RoundInfo) -> bool:
    stage = event.stage_of(round_)
    return round_.number > 1 and stage.format.drawn_with(stage.rounds, round_) is round_


def _is_as_stored(event: EventInfo, stage: StageInfo) -> bool:
    """Return whether rounds, which alone the stage has, and its entries are as the event has them."""
    for planned in stage.rounds:
        stored = event.all_rounds[planned.number - 1]
        matches, before = (
            [(each.teams, each.carry_home, each.carry_away) for each in round_.matches]
            for round_ in (planned, stored)
        )
        if matches != before or {*planned.byes} != {*stored.byes}:
            return False
    return stage.entries == event.stages[stage.number - 1].entries


def _plan_round(event_file: EventFile, results: EventResults, round_: RoundInfo) -> StageInfo | None:
    """Draw a round from the record of the earlier rounds; None while a match of theirs has no score.

    Return its stage with that round, and with the later ones that depend on none of its results, but no others.
    """
    event = results.event
    if any(match.number not in results.scores for match in event.matches if match.round < round_.number):
        return None
    stage = event.stage_of(round_)
    planner = StagePlanner(event_file.config, stage.number)
    contest, plan, entries = planner.contest, planner.plan, stage.entries
    if round_.number_in_stage == 1:
        before = event.stages[stage.number - 2]
        entries = contest.enter(plan, before.format.qualify(results.of_stage(before), planner.stage.teams))
        drawn = planner.draw_first(entries)
    else:
        drawn = [contest.draw_next(plan, results.of_stage(stage), round_.number_in_stage)]
    earlier = [results.of_stage(each) for each in event.stages[: stage.number - 1]]
    carried = contest.carry_into_matches(plan, entries, drawn, earlier)
    planned = planner.plan_rounds(stage.rounds[round_.number_in_stage - 1 :], drawn, carried)
    return replace(stage, entries=entries, rounds=planned)
