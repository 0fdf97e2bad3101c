"""What is to happen at a table, read from the head of a golden file."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.support.wire_logs.decks import FOLDER
from tests.support.wire_logs.programs import Manner
from tourney.bridge import SEATS, Board, Seat, Side, Vulnerability
from tourney.config.programs import PROFILES
from tourney.protocol.access import TableAccess, TeamAccess, hash_phrase
from tourney.protocol.lines import Charset
from tourney.protocol.session.boards import BoardQueue, LineScore
from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import (
    AlertMode,
    PairMethods,
    Penalty,
    Rejoin,
    RemedyName,
    TableRules,
    TimeLimit,
    TimeRules,
)
from tourney.protocol.session.table import TableSettings
from tourney.protocol.wires import ReadyForCards, SeatedForm, TeamsLineForm, WireProfile

DIVIDER: Final = "--- what was read and written ---\n"
"""Stands in a golden file between the scenario and its log."""

_LIMITS: Final = ("call", "board", "match")
_FORMS: Final = {
    "teams_line": TeamsLineForm,
    "seated": SeatedForm,
    "ready_for_cards": ReadyForCards,
    "charset": Charset,
}


@dataclass(frozen=True)
class Event:
    """Something that befalls a table."""

    what: str
    at: str | int
    """When: after so many milliseconds or, as `3:12` and `3:end`, after twelve calls and cards of board 3 or its end;
    `3:12/2` in the second attempt at it."""
    after_ms: int = 0
    """So long after that."""
    seat: Seat | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Scenario:
    """A table with what befalls it."""

    boards: tuple[int, ...]
    table: Mapping[str, Any]
    rules: TableRules
    access: TableAccess
    profiles: Mapping[Side, WireProfile]
    manners: Mapping[Seat, Manner]
    arrivals_ms: Mapping[Seat, int]
    """When each program connects for the first time."""
    events: tuple[Event, ...]
    is_minibridge: bool
    line_scores: tuple[Mapping[Side, LineScore], ...]
    lasts_ms: int
    """How long the table is watched at most."""


def scenario_files() -> list[Path]:
    """Return the golden files, each with a scenario and its log."""
    return sorted(FOLDER.glob("*.log"))


def split_file(path: Path) -> tuple[str, str]:
    """Return the scenario of a golden file, and its log."""
    head, _, log = path.read_text(encoding="utf-8").partition(DIVIDER)
    return head, log


def parse_scenario(text: str) -> Scenario:
    """Parse the head of a golden file."""
    read = tomllib.loads(text)
    manners = {seat: Manner(**_manner(read, seat)) for seat in SEATS}
    return Scenario(
        boards=tuple(read["boards"]),
        table=read.get("table", {}),
        rules=_rules(read.get("rules", {}), read.get("time", {}), read.get("methods", {})),
        access=_access(read.get("phrases", {})),
        profiles={Side(side): _profile(given) for side, given in read.get("profiles", {}).items()},
        manners=manners,
        arrivals_ms={seat: read.get("arrivals_ms", {}).get(seat.letter, 10 * int(seat)) for seat in SEATS},
        events=tuple(_event(each) for each in read.get("events", ())),
        is_minibridge=read.get("minibridge", False),
        line_scores=tuple(
            {side: LineScore(*scores[side.value]) for side in Side} for scores in read.get("line_scores", ())
        ),
        lasts_ms=read.get("lasts_ms", 3_600_000),
    )


def _manner(read: Mapping[str, Any], seat: Seat) -> dict[str, Any]:
    teams = {Side.NS: "Alpha", Side.EW: "Beta"}
    programs: dict[str, dict[str, Any]] = read.get("programs", {})
    given = programs.get("all", {}) | programs.get(seat.side.value, {}) | programs.get(seat.letter, {})
    return {"team": teams[seat.side]} | given


def _rules(given: Mapping[str, Any], time: Mapping[str, Any], methods: Mapping[str, Any]) -> TableRules:
    limits = {name: TimeLimit(time[name][0], RemedyName(time[name][1])) for name in _LIMITS if name in time}
    rules = dict(given)
    for name, kind in (("irregularity_remedy", RemedyName), ("rejoin", Rejoin), ("alerting", AlertMode)):
        if name in rules:
            rules[name] = kind(rules[name])
    if "penalty" in rules:
        rules["penalty"] = Penalty(RulingKind(rules["penalty"][0]), rules["penalty"][1])
    return TableRules(
        time=TimeRules(**{name: ms for name, ms in time.items() if name not in _LIMITS} | limits),
        methods={seat: PairMethods(**methods[seat.side.value]) for seat in Seat if seat.side.value in methods},
        **rules,
    )


def _access(phrases: Mapping[str, str]) -> TableAccess:
    of_side = {side: TeamAccess(phrase=hash_phrase(phrase, "5a17")) for side, phrase in phrases.items()}
    return TableAccess(by_seat={seat: of_side[seat.side.value] for seat in Seat if seat.side.value in of_side})


def _profile(given: str | Mapping[str, Any]) -> WireProfile:
    if isinstance(given, str):
        return PROFILES[given]
    settings: dict[str, Any] = {name: _FORMS[name](each) if name in _FORMS else each for name, each in given.items()}
    return WireProfile(**settings)


def _event(given: Mapping[str, Any]) -> Event:
    known = {"what", "at", "after_ms", "seat"}
    return Event(
        what=given["what"],
        at=given["at"],
        after_ms=given.get("after_ms", 0),
        seat=Seat.from_letter(given["seat"]) if "seat" in given else None,
        arguments={name: each for name, each in given.items() if name not in known},
    )


class Boards(BoardQueue):
    """The boards of a table, where the order depends on nothing; with the scores of a game, if it is one."""

    def __init__(self, boards: tuple[Board, ...], scenario: Scenario, finished: int = 0) -> None:
        super().__init__(boards)
        self._scenario = scenario
        self.finished = finished

    @property
    def is_minibridge(self) -> bool:
        return self._scenario.is_minibridge

    @property
    def line_scores(self) -> Mapping[Side, LineScore] | None:
        scores = self._scenario.line_scores
        return scores[min(self.finished, len(scores) - 1)] if scores else None


def table_settings(scenario: Scenario, boards: tuple[Board, ...], **more: Any) -> TableSettings:
    """Return what the table is given that is to play some boards of a scenario."""
    table = dict(scenario.table)
    ours = frozenset(Side(side) for side in table.pop("ours", ()))
    table.pop("seat_ports", None)
    return TableSettings(
        ns_team=table.pop("ns_team", "Alpha"),
        ew_team=table.pop("ew_team", "Beta"),
        boards=boards,
        profiles=dict(scenario.profiles),
        rules=scenario.rules,
        access=scenario.access,
        ours=ours,
        **table,
        **more,
    )


def not_vulnerable(board: Board) -> Board:
    """Return a board as it is at Minibridge, where nobody is vulnerable."""
    return Board(board.number, board.dealer, Vulnerability.NONE, board.deal)
