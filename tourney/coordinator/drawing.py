"""The draw of an event: who meets whom, on which boards. Made once, stored, and held against the file ever after."""

import hashlib
import json
import secrets
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from tourney.bridge import Board, board_from_seed, format_deal
from tourney.config import EventConfig, SharedDeals
from tourney.coordinator.event_file import EventFile
from tourney.coordinator.run_lock import hold_run_lock
from tourney.errors import ConfigError
from tourney.formats.pbn import decode_pbn, parse_boards
from tourney.movement.round_robin import plan_round_robin
from tourney.movement.seating import seat_match
from tourney.store.database import Database
from tourney.store.draws import drop_draw, load_event, save_draw, update_starts, update_teams
from tourney.store.objects import EventDraw, EventInfo, PlannedMatch, PlannedRound, PlannedTeam
from tourney.store.schema import prepare

_SEED_BITS: Final = 63
"""Of a seed drawn by chance; as long as an integer of TOML may be."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_STEPS: Final = "steps of the vp_scale"
_BOARDS: Final = "boards of the PBN file"


def ensure_drawn(
    event_file: EventFile, database: Database, now_ms: int, *, holds_run_lock: bool = False
) -> EventInfo:
    """The stored draw of the event; made first where there is none, and anew while no board has been begun.

    Args:
        event_file: what is to be drawn.
        database: where the draw is kept.
        now_ms: milliseconds since 1970 UTC.
        holds_run_lock: the caller is the event's run; nobody else may draw anew what a run is waiting to play.

    Raises:
        ConfigError: the file does not fit the draw that is being played, or names boards that cannot be used.
        FormatError: its PBN file holds no boards to play.
        LaunchError: the file has changed while the event is being run.
        StoreError: the database cannot be used.
    """
    prepare(database)
    config = event_file.config
    boards = _pbn_boards(event_file)
    plan = _plan_text(config, boards)
    event = load_event(database, config.event.name)
    if event is None or event.plan != plan:
        draw = draw_event(config, boards, plan)
        if event is not None:
            with nullcontext() if holds_run_lock else hold_run_lock(event_file.results):
                _drop_or_refuse(event_file, database, event, plan)
        save_draw(database, draw, now_ms)
    else:
        update_teams(database, event, _planned_teams(config))
        update_starts(database, event, _starts_at_ms(config, len(event.rounds)))
    event = load_event(database, config.event.name)
    assert event is not None
    return event


def _drop_or_refuse(event_file: EventFile, database: Database, event: EventInfo, plan: str) -> None:
    if not drop_draw(database, event.id):
        why = _first_difference(json.loads(event.plan), json.loads(plan))
        raise ConfigError(
            f"{event_file.path.name}: boards of {event.name!r} have been played by its draw, "
            f"the file no longer fits it: {why}"
        )


def draw_event(config: EventConfig, pbn_boards: tuple[Board, ...] | None, plan: str) -> EventDraw:
    """The whole draw. `pbn_boards` are those of the PBN file, None when boards are dealt from a seed.

    Raises:
        ConfigError: there are too few boards, or a match would play two of the same number.
    """
    stage = config.stage[0]
    seed = str(config.deals.seed if config.deals.seed is not None else secrets.randbits(_SEED_BITS))
    rounds = plan_round_robin(len(config.team), cycles=stage.format.cycles)
    starts = _starts_at_ms(config, len(rounds))
    planned = []
    for round_, starts_at_ms in zip(rounds, starts, strict=True):
        matches = []
        for index, (home, away) in enumerate(round_.pairings, 1):
            seating = {s.room: (s.north_south, s.east_west) for s in seat_match(home, away)}
            matches.append(PlannedMatch(home, away, seating, _set_name(config, round_.number, index)))
        planned.append(PlannedRound(starts_at_ms, tuple(matches), round_.bye))
    names = list(dict.fromkeys(match.board_set for round_ in planned for match in round_.matches))
    count = stage.boards_per_match
    if pbn_boards is None:
        board_sets = {
            name: tuple(board_from_seed(seed, name, number) for number in range(1, count + 1)) for name in names
        }
    else:
        board_sets = _cut_boards(pbn_boards, names, count, config.deals.pbn or "")
    return EventDraw(
        name=config.event.name,
        seed=seed,
        plan=plan,
        teams=_planned_teams(config),
        stage_name=stage.name,
        stage_format=stage.format,
        boards_per_match=count,
        vp_scale=stage.vp_scale,
        shared_deals=config.deals.shared,
        board_sets=board_sets,
        rounds=tuple(planned),
    )


def _planned_teams(config: EventConfig) -> tuple[PlannedTeam, ...]:
    return tuple(PlannedTeam(team.name, team.command, team.profile, team.wire_profile) for team in config.team)


def _set_name(config: EventConfig, round_: int, match: int) -> str:
    """The boards of match number `match` of a round: stage, round and, if it has its own, match."""
    return f"1.{round_}.{match}" if config.deals.shared is SharedDeals.MATCH else f"1.{round_}"


def _cut_boards(boards: tuple[Board, ...], names: list[str], count: int, file: str) -> dict[str, tuple[Board, ...]]:
    """The boards of a file in order, `count` to each set."""
    needed = count * len(names)
    if len(boards) < needed:
        raise ConfigError(f"{file} has {len(boards)} boards, {needed} are needed: {len(names)} sets of {count}")
    sets = {name: boards[i * count : (i + 1) * count] for i, name in enumerate(names)}
    for name, chosen in sets.items():
        numbers = [board.number for board in chosen]
        twice = next((number for number in numbers if numbers.count(number) > 1), None)
        if twice is not None:
            raise ConfigError(f"{file}: one match would play two boards number {twice} (set {name}, {count} boards)")
    return sets


def check_boards(event_file: EventFile) -> None:
    """Make sure that the event's boards can be had, without drawing anything.

    Raises:
        ConfigError: the PBN file cannot be read, has too few boards, or two of one number for a match.
        FormatError: it holds no boards to play.
    """
    boards = _pbn_boards(event_file)
    if boards is not None:
        draw_event(event_file.config, boards, plan="")


def _pbn_boards(event_file: EventFile) -> tuple[Board, ...] | None:
    name = event_file.config.deals.pbn
    if name is None:
        return None
    return tuple(parse_boards(decode_pbn(event_file.read_named_file(name, "PBN file")), name))


def _starts_at_ms(config: EventConfig, rounds: int) -> tuple[int | None, ...]:
    starts = config.stage[0].starts
    if starts is None:
        return (None,) * rounds
    return tuple((time - _EPOCH) // timedelta(milliseconds=1) for time in starts)


def _plan_text(config: EventConfig, boards: tuple[Board, ...] | None) -> str:
    """All that the draw hangs on, as JSON: two files with the same text have the same draw.

    The texts are kept for as long as events are: how a class is printed must not come into them.
    """
    stage = config.stage[0]
    steps = [[step.least_margin, step.winner, step.loser] for step in config.scale(stage).steps]
    plan = {
        "teams": [team.name for team in config.team],
        "stage name": stage.name,
        "format": stage.format.value,
        "boards_per_match": stage.boards_per_match,
        "vp_scale": stage.vp_scale,
        _STEPS: _fingerprint(steps),
        "seed": config.deals.seed,
        "pbn": config.deals.pbn,
        _BOARDS: _fingerprint([_board_text(board) for board in boards]) if boards is not None else None,
        "shared": config.deals.shared.value,
    }
    return json.dumps(plan)


def _board_text(board: Board) -> str:
    return f"{board.number} {board.dealer.letter} {board.vulnerability.value} {format_deal(board.deal)}"


def _fingerprint(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def _first_difference(stored: dict[str, Any], given: dict[str, Any]) -> str:
    for key, value in given.items():
        before = stored.get(key)
        if before == value:
            continue
        if key in (_STEPS, _BOARDS):
            return f"the {key} are not those it was drawn with"
        return f"{key} was {_shown(before)} when it was drawn, now it is {_shown(value)}"
    return "it was drawn by another version of this program"


def _shown(value: object) -> str:
    if value is None:
        return "not given"
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else text[:77] + "..."
