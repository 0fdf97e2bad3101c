"""The draw of an event: its pairings and boards. It is made once, stored, and later compared with the event file."""

import hashlib
import json
import secrets
from contextlib import nullcontext
from typing import Any, Final

from tourney.bridge import Board, format_deal
from tourney.config import EventConfig, SharedDeals, StageConfig
from tourney.coordinator.draw.planning import MOVEMENT_ROWS, StagePlanner, deal_boards, stage_plan_text
from tourney.coordinator.run_lease import hold_run_lock
from tourney.errors import ConfigError, FormatError, StoreError
from tourney.event.file import EventFile
from tourney.event.record_note import check_record, note_record
from tourney.formats.pbn import decode_pbn, parse_boards
from tourney.movement.formats import PlannedEntry
from tourney.movement.seating import SeatsRule
from tourney.store.db.database import Database
from tourney.store.db.maintenance import check_file
from tourney.store.db.schema import prepare
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.plans import GAME, VOID_MATCHES, EventDraw, PlannedTeam, plan_key
from tourney.store.draw.reader import is_begun, load_event
from tourney.store.draw.writer import enter_late, extend_matches, replace_draw, save_draw, update_starts, update_teams

_SEED_BITS: Final = 63
"""The length of a random seed in bits: the largest that fits a TOML integer."""

_STEPS: Final = "steps of the vp_scale"
_BOARDS: Final = "boards of the PBN file"
_BOARDS_PER_MATCH: Final = "boards_per_match"
_LATE: Final = "teams that come late"


def ensure_drawn(
    event_file: EventFile, database: Database, now_ms: int, *, holds_run_lock: bool = False
) -> EventInfo:
    """Return the event's stored draw, first drawing it if there is none or if the file changed before play began.

    Args:
        event_file: the event to draw.
        database: where the draw is kept.
        now_ms: milliseconds since 1970 UTC.
        holds_run_lock: whether the caller is the event's run; nobody else may redraw while a run waits to play.

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
    boards = _pbn_boards(event_file)
    plan = _plan_text(config, boards)
    event = load_event(database, config.event.name)
    if event is not None:
        plan = _as_version_of(event.plan, plan)
    if event is None:
        try:
            save_draw(database, draw_event(config, boards, plan), now_ms)
        except StoreError:
            if load_event(database, config.event.name) is None:
                raise
            # Another program has drawn it meanwhile: its draw counts, and who runs the event is told by its lease.
            return ensure_drawn(event_file, database, now_ms, holds_run_lock=holds_run_lock)
    elif event.plan != plan:
        with nullcontext() if holds_run_lock else hold_run_lock(event_file.results):
            follows = _enter_late(event_file, database, event, plan) or _extend_duel(
                config, database, event, plan, now_ms
            )
            if not follows and not replace_draw(database, event.id, draw_event(config, boards, plan), now_ms):
                raise ConfigError(f"{event_file.path.name}: {_describe_misfit(event, plan)}")
    else:
        take_settings(event_file, database, event)
    event = load_event(database, config.event.name)
    assert event is not None
    note_record(event_file.results, database, event.name)
    return event


def _as_version_of(stored: str, plan: str) -> str:
    """Return the plan without the settings that the version which made the stored one did not have.

    An event that was drawn by an earlier version keeps its rules.
    """
    if not stored.startswith("{"):
        return plan
    known, given = json.loads(stored), json.loads(plan)
    return json.dumps({key: value for key, value in given.items() if key in known or VOID_MATCHES not in key})


def _describe_misfit(event: EventInfo, plan: str) -> str:
    why = _first_difference(json.loads(event.plan), json.loads(plan))
    return f"boards of {event.name!r} have been played by its draw, the file no longer fits it: {why}"


def why_refused(event_file: EventFile, database: Database, event: EventInfo) -> str | None:
    """Return why a run would refuse this file for the event as it was drawn; None if it would take it.

    Raises:
        ConfigError: the boards of its PBN file cannot be used.
        StoreError: the database cannot be used.
    """
    plan = _plan_text(event_file.config, _pbn_boards(event_file))
    if event.plan == plan or not is_begun(database, event.id):
        return None
    try:
        late = _late_entries(event_file, database, event, plan)
    except ConfigError as error:
        return str(error).removeprefix(f"{event_file.path.name}: ")
    return _describe_misfit(event, plan) if late is None and not _more_boards(event, plan) else None


def take_late_teams(event_file: EventFile, database: Database, event: EventInfo) -> list[str]:
    """Enter the teams that were added to the file of a Swiss in progress; return their names.

    Raises:
        ConfigError: they come too late, or there are no boards for them.
        StoreError: the database cannot be used.
    """
    plan = _plan_text(event_file.config, _pbn_boards(event_file))
    if event.plan == plan or not _enter_late(event_file, database, event, plan):
        return []
    return [team.name for team in event_file.config.team[len(event.teams) :]]


def take_settings(event_file: EventFile, database: Database, event: EventInfo) -> None:
    """Store what the draw does not depend on: commands and wire settings of teams, start times.

    Raises:
        StoreError: the database cannot be used.
    """
    update_teams(database, event, _planned_teams(event_file.config))
    update_starts(database, event, _starts_at_ms(event_file.config))


def _enter_late(event_file: EventFile, database: Database, event: EventInfo, plan: str) -> bool:
    """Enter new teams of the file into a Swiss in progress; return False if anything else has changed.

    Raises:
        ConfigError: they come too late, or there are no boards for them.
    """
    entries = _late_entries(event_file, database, event, plan)
    if entries is None:
        return False
    enter_late(database, event, _planned_teams(event_file.config)[len(event.teams) :], entries, plan)
    return True


def _late_entries(
    event_file: EventFile, database: Database, event: EventInfo, plan: str
) -> list[PlannedEntry] | None:
    """Return the entries of new teams of a Swiss in progress; None if there are none, or anything else has changed.

    Raises:
        ConfigError: they come too late, or there are no boards for them.
    """
    config, stage = event_file.config, event.stages[0]
    stored, given = json.loads(event.plan), json.loads(plan)
    known = len(event.teams)
    if _without_teams(stored) != _without_teams(given) or given["teams"][:known] != stored["teams"]:
        return None
    if stored.get(_LATE, {}) != {name: n for name, n in given.get(_LATE, {}).items() if name in stored["teams"]}:
        return None
    drawn = sum(round_.is_drawn for round_ in stage.rounds)
    new = list(enumerate(config.team, 1))[known:]
    if not stage.format.takes_late_teams or not new or not is_begun(database, event.id):
        return None
    for number, team in new:
        if team.enters is None or team.enters <= drawn:
            got = "no `enters`" if team.enters is None else str(team.enters)
            raise ConfigError(
                f"{event_file.path.name}: team {number}, enters: round {drawn} of {stage.name!r} has been drawn, "
                f"a team that comes now enters in a later one, got {got}"
            )
    if config.deals.shared is SharedDeals.MATCH:
        raise ConfigError(
            f"{event_file.path.name}: team {new[0][0]}: every match has its own boards, which were dealt for "
            f"{known} teams: nobody can come late"
        )
    return [PlannedEntry(number, from_round=team.enters or 1) for number, team in new]


def _extend_duel(config: EventConfig, database: Database, event: EventInfo, plan: str, now_ms: int) -> bool:
    """Deal the boards that a duel in progress has been given more of; return False if anything else has changed."""
    more = _more_boards(event, plan)
    if not more or not is_begun(database, event.id):
        return False
    boards = deal_boards(config, event.seed, None)
    extend_matches(database, event, {name: dealt[-more:] for name, dealt in boards.items()}, plan, now_ms)
    return True


def _more_boards(event: EventInfo, plan: str) -> int:
    """Return how many more boards a match a duel is given that is otherwise as it was drawn; 0 for anything else."""
    stored, given = json.loads(event.plan), json.loads(plan)
    more = int(given[_BOARDS_PER_MATCH]) - int(stored[_BOARDS_PER_MATCH])
    of_boards = {key: given[key] for key in (_BOARDS_PER_MATCH, _STEPS)}  # the scale is that of the number of boards
    is_longer = more > 0 and given == stored | of_boards
    return more if is_longer and event.stages[0].format.is_duel and given["pbn"] is None else 0


def _without_teams(plan: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in plan.items() if key not in ("teams", _LATE)}


def draw_event(config: EventConfig, pbn_boards: tuple[Board, ...] | None, plan: str) -> EventDraw:
    """Return the part of the draw that depends on no result; `pbn_boards` are those of the PBN file, if it has one.

    Raises:
        ConfigError: there are too few boards, or a match would play two of the same number.
    """
    seed = str(config.deals.seed if config.deals.seed is not None else secrets.randbits(_SEED_BITS))
    planners = [StagePlanner(config, number) for number in range(1, len(config.stage) + 1)]
    if config.event.lobby:
        return EventDraw(
            name=config.event.name,
            seed=seed,
            plan=plan,
            teams=(),
            stages=tuple(
                planner.plan_stage((), planner.plan_rounds(planner.contest.draw_first(planner.plan, ())))
                for planner in planners
            ),
            board_sets={},
        )
    first = planners[0]
    entries = first.first_entries()
    rounds = first.plan_rounds(first.contest.draw_first(first.plan, entries))
    return EventDraw(
        name=config.event.name,
        seed=seed,
        plan=plan,
        teams=_planned_teams(config),
        stages=(first.plan_stage(entries, rounds), *(planner.plan_stage((), ()) for planner in planners[1:])),
        board_sets=deal_boards(config, seed, pbn_boards),
    )


def _planned_teams(config: EventConfig) -> tuple[PlannedTeam, ...]:
    return tuple(
        PlannedTeam(team.name, team.command, team.profile, team.wire_profile, team.second_command)
        for team in config.team
    )


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
    name = event_file.config.deals.pbn
    if name is None:
        return None
    try:
        return tuple(parse_boards(decode_pbn(event_file.read_named_file(name, "PBN file")), name))
    except FormatError as error:  # as an event file that is wrong: playing has to wait for somebody to mend it
        raise ConfigError(str(error)) from error


def _starts_at_ms(config: EventConfig) -> list[int | None]:
    """Return the start time of each round of the event; None for at once."""
    planners = (StagePlanner(config, number) for number in range(1, len(config.stage) + 1))
    return [starts for planner in planners for starts in planner.starts_at_ms()]


def _plan_text(config: EventConfig, boards: tuple[Board, ...] | None) -> str:
    """Return everything that the draw depends on, as JSON: two files with the same text have the same draw.

    The texts are stored with the event, so they must not depend on how a class is printed.
    """
    first, *others = ({**_stage_basics(config, stage), **stage_plan_text(stage)} for stage in config.stage)
    plan: dict[str, Any] = {"teams": [team.name for team in config.team]}
    plan |= first
    plan |= {
        "seed": config.deals.seed,
        "pbn": config.deals.pbn,
        _BOARDS: _fingerprint([_board_text(board) for board in boards]) if boards is not None else None,
        "shared": config.deals.shared.value,
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


def _stage_basics(config: EventConfig, stage: StageConfig) -> dict[str, Any]:
    steps = [[step.least_margin, step.winner, step.loser] for step in config.scale(stage).steps]
    return {
        "stage name": stage.name,
        "format": stage.format.name,
        _BOARDS_PER_MATCH: stage.boards_per_match,
        "vp_scale": stage.vp_scale,
        _STEPS: _fingerprint(steps),
    }


def _board_text(board: Board) -> str:
    return f"{board.number} {board.dealer.letter} {board.vulnerability.value} {format_deal(board.deal)}"


def _fingerprint(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def _first_difference(stored: dict[str, Any], given: dict[str, Any]) -> str:
    for key in dict.fromkeys((*given, *stored)):
        before, value = stored.get(key), given.get(key)
        if before == value:
            continue
        if key.endswith(GAME):
            return f"{key}: the rules are not those it was drawn with"
        if key == _BOARDS or key.endswith((_STEPS, MOVEMENT_ROWS)):
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
