"""Rulings and incidents: in words, as documents, and the report that lists them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NotRequired

from typing_extensions import TypedDict

from tourney.event.drawn import DrawnEvent
from tourney.output.tables import CsvTable, TextTable
from tourney.output.times import format_local, format_utc
from tourney.output.units import Amount, ContractText, RoomName, SeatLetter, Time, Tricks
from tourney.plurals import count
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.report.report import Column, Each, Report, csv_table, for_entrant, text_table
from tourney.results.scorecard import load_scorecard
from tourney.scoring.victory_points import format_vp
from tourney.store.draw.objects import MatchInfo, Visibility
from tourney.store.results.secrecy import load_shown_rulings
from tourney.store.rulings import (
    RULE_AUTHOR,
    IncidentInfo,
    RulingInfo,
    load_incidents,
    load_match_rulings,
    load_rulings,
)

_WHAT: Final = {
    RulingKind.WARNING: "warning",
    RulingKind.BOARD_FORFEIT: "board forfeited",
    RulingKind.BOARD_CANCELLED: "board cancelled",
    RulingKind.BOARD_REPLAY: "board to be played again",
    RulingKind.MATCH_FORFEIT: "match forfeited",
    RulingKind.WITHDRAWAL: "withdrawn from the event",
}

_COUNTED: Final = {
    RulingKind.WARNING: ("warning", "warnings"),
    RulingKind.PENALTY_IMPS: ("penalty in {unit}", "penalties in {unit}"),
    RulingKind.PENALTY_VP: ("penalty in VP", "penalties in VP"),
    RulingKind.BOARD_FORFEIT: ("board forfeited", "boards forfeited"),
    RulingKind.ADJUSTED_SCORE: ("adjusted score", "adjusted scores"),
    RulingKind.ASSIGNED_SCORE: ("assigned score", "assigned scores"),
    RulingKind.BOARD_CANCELLED: ("board cancelled", "boards cancelled"),
    RulingKind.BOARD_REPLAY: ("board played again", "boards played again"),
    RulingKind.MATCH_FORFEIT: ("match forfeited", "matches forfeited"),
    RulingKind.WITHDRAWAL: ("withdrawal", "withdrawals"),
}


def describe_kind(ruling: RulingInfo) -> str:
    """Describe what a ruling does: `board forfeited`, `penalty of 3 IMPs`."""
    scale = ruling.board_scale
    if ruling.kind is RulingKind.PENALTY_IMPS:
        return f"penalty of {scale.describe_penalty(ruling.amount)}"
    if ruling.kind is RulingKind.PENALTY_VP:
        return f"penalty of {scale.describe_vp_penalty(ruling.amount)}"
    if ruling.kind is RulingKind.ADJUSTED_SCORE:
        return scale.describe_award(ruling.amount)
    if ruling.kind is RulingKind.ASSIGNED_SCORE:
        return f"assigned {format_assigned(ruling)}"
    return _WHAT[ruling.kind]


def format_assigned(ruling: RulingInfo) -> str:
    """Format an assigned score: `4S N 10`, or by weight `60: 4S N 10, 40: 4S N 9`."""
    if len(ruling.assigned) == 1:
        return str(ruling.assigned[0])
    return ", ".join(f"{part.weight}: {part}" for part in ruling.assigned)


def describe_cause(ruling: RulingInfo) -> str:
    """Describe the reason; for a forfeit at the table, after how the board ended: `stall: East owed a call ...`."""
    end = _forfeit_at_table(ruling)
    return f"{end}: {ruling.reason}" if end is not None else ruling.reason


def _forfeit_at_table(ruling: RulingInfo) -> BoardEnd | None:
    """Return how the board ended if that is why a side forfeited it, else None."""
    return ruling.ended if ruling.ended is not None and ruling.ended.is_forfeit else None


def describe_author(ruling: RulingInfo) -> str:
    return "by rule" if ruling.author == RULE_AUTHOR else f"by {ruling.author}"


def describe_ruling(ruling: RulingInfo, *, with_match: bool = True) -> str:
    """Describe it in one line: `match 3, board 7, open room: Beta: board forfeited: stall: ... (BC-45, by rule)`."""
    place = describe_place(ruling, with_match=with_match)
    source = ", ".join(filter(None, (ruling.law, describe_author(ruling))))
    words = [place, ruling.team, describe_kind(ruling), describe_cause(ruling)]
    return f"{': '.join(filter(None, words))} ({source})"


def describe_place(ruling: RulingInfo, *, with_match: bool = True) -> str:
    """Describe what a ruling is on: `match 3, board 7, open room`; empty for the whole event."""
    places = [
        f"match {ruling.match}" if with_match and ruling.match is not None else "",
        f"board {ruling.board}" if ruling.board is not None else "",
        f"{ruling.room.value} room" if ruling.room is not None and not ruling.board_scale.is_at_one_table else "",
    ]
    return ", ".join(filter(None, places))


def summarize_rulings(rulings: Iterable[RulingInfo]) -> list[str]:
    """Return a line per team: `Beta: 14 boards forfeited (9 stall, 5 crash), 1 withdrawal (strikes)`.

    Teams are in the order of their first ruling, kinds in the order of `RulingKind`, causes by frequency. The cause
    is how the board ended, otherwise the law, otherwise the author.
    """
    by_team: dict[str, dict[RulingKind, list[RulingInfo]]] = {}
    for ruling in rulings:
        by_team.setdefault(ruling.team, {}).setdefault(ruling.kind, []).append(ruling)
    return [
        f"{team or 'both'}: {', '.join(_summarize(kind, by_kind[kind]) for kind in RulingKind if kind in by_kind)}"
        for team, by_kind in by_team.items()
    ]


def _summarize(kind: RulingKind, rulings: list[RulingInfo]) -> str:
    """Summarise the rulings of one kind: `14 boards forfeited (9 stall, 5 crash)`; a single cause has no number."""
    causes = Counter(_forfeit_at_table(ruling) or ruling.law or describe_author(ruling) for ruling in rulings)
    words = [f"{number} {cause}" if len(causes) > 1 else cause for cause, number in causes.most_common()]
    unit = rulings[0].board_scale.unit
    one, many = (words.format(unit=unit) for words in _COUNTED[kind])
    return f"{count(len(rulings), one, many)} ({', '.join(words)})"


# Documents


class AssignedDocument(TypedDict):
    """A result that counts for the team instead of the one at the table."""

    weight: int
    """The weight of this result among those that were assigned."""
    contract: ContractText
    """The contract, such as 4SX, or Pass."""
    declarer: SeatLetter | None
    """The declarer; null for a board passed out."""
    tricks: Tricks | None
    """Tricks won by declarer's side; null for a board passed out."""


class WithdrawnDocument(TypedDict):
    """When, by whom and why a ruling was withdrawn."""

    at: Time
    """When the ruling was withdrawn."""
    by: str | None
    """Who withdrew it; null if no name was given."""
    reason: str | None
    """Why; null if no reason was given."""


class RulingDocument(TypedDict):
    """A ruling."""

    ruling: int
    """The number of the ruling."""
    at: Time
    """When the ruling was made."""
    match: int | None
    """The number of the match; null for a ruling on the whole event."""
    room: RoomName | None
    """The room; null for a ruling that is not on one room."""
    board: int | None
    """The number of the board; null for a ruling that is not on a board."""
    attempt: int | None
    """Which attempt at the board the ruling is on, from 1; null if it is on no attempt."""
    team: str | None
    """The team that the ruling is on; null if it is the same for both."""
    kind: RulingKind
    """What the ruling does."""
    amount: Amount
    """IMPs as a number, points or victory points as a decimal string, depending on the kind; null if the kind has
    none."""
    assigned: list[AssignedDocument]
    """The results of an assigned score; empty for other kinds."""
    reason: str
    """Why the ruling was made."""
    law: str
    """The law or clause that it is based on; may be empty."""
    author: str
    """Who made the ruling."""
    ended: BoardEnd | None
    """How the attempt at the board ended that the ruling is on; null if it is on no attempt."""
    withdrawn: WithdrawnDocument | None
    """When, by whom and why the ruling was withdrawn; null while it is in force."""


class CountedRulingDocument(TypedDict):
    """A ruling in a row of the standings, the cross-table or a list of matches."""

    match: int | None
    """The number of the match; null for a ruling on the whole event."""
    kind: RulingKind
    """What the ruling does."""
    amount: Amount
    """IMPs as a number, points or victory points as a decimal string, depending on the kind; null if the kind has
    none."""
    reason: str
    """Why the ruling was made."""


class IncidentDocument(TypedDict):
    """What happened at a table that a director may want to know."""

    at: Time
    """When it happened."""
    match: int
    """The number of the match."""
    room: RoomName
    """The room in which it happened."""
    board: int | None
    """The number of the board; null between boards."""
    attempt: int | None
    """Which attempt at the board it was, from 1; null between boards."""
    kind: str
    """The kind of incident."""
    seat: SeatLetter | None
    """The seat that the incident is about; null if it is about no seat."""
    team: str | None
    """The team in that seat; null if the incident is about no seat."""
    text: str
    """The offending line, or what happened."""


class RulingsDocument(TypedDict):
    """What `tourney rulings` lists."""

    event: str
    """The name of the event."""
    rulings: list[RulingDocument]
    """The rulings, newest last, withdrawn ones included."""
    incidents: NotRequired[list[IncidentDocument]]
    """The incidents, newest last; only with `--incidents`."""


def ruling_document(ruling: RulingInfo) -> RulingDocument:
    """Return a ruling as a document."""
    return {
        "ruling": ruling.id,
        "at": format_utc(ruling.at_ms),
        "match": ruling.match,
        "room": ruling.room.value if ruling.room is not None else None,
        "board": ruling.board,
        "attempt": ruling.attempt,
        "team": ruling.team or None,
        "kind": ruling.kind,
        "amount": _amount(ruling),
        "assigned": [
            {
                "weight": part.weight,
                "contract": "Pass" if part.contract is None else str(part.contract),
                "declarer": part.contract.declarer.letter if part.contract is not None else None,
                "tricks": part.tricks if part.contract is not None else None,
            }
            for part in ruling.assigned
        ],
        "reason": ruling.reason,
        "law": ruling.law,
        "author": ruling.author,
        "ended": ruling.ended,
        "withdrawn": {
            "at": format_utc(ruling.withdrawn_at_ms),
            "by": ruling.withdrawn_by,
            "reason": ruling.withdrawn_reason,
        }
        if ruling.withdrawn_at_ms is not None
        else None,
    }


def counted_rulings(rulings: Iterable[RulingInfo]) -> list[CountedRulingDocument]:
    """Return rulings in the short form shown beside the score that includes them."""
    return [
        {
            "match": ruling.match,
            "kind": ruling.kind,
            "amount": _amount(ruling),
            "reason": describe_cause(ruling),
        }
        for ruling in rulings
    ]


def _amount(ruling: RulingInfo) -> int | str | None:
    if ruling.kind in (RulingKind.PENALTY_IMPS, RulingKind.ADJUSTED_SCORE):
        scale = ruling.board_scale
        return scale.format(ruling.amount) if scale.is_in_points else ruling.amount
    return format_vp(ruling.amount) if ruling.kind is RulingKind.PENALTY_VP else None


def incident_document(incident: IncidentInfo) -> IncidentDocument:
    """Return an incident as a document."""
    return {
        "at": format_utc(incident.at_ms),
        "match": incident.match,
        "room": incident.room.value,
        "board": incident.board,
        "attempt": incident.attempt,
        "kind": incident.kind.value,
        "seat": _seat_letter(incident),
        "team": incident.team,
        "text": incident.text,
    }


# The report


def _number(number: int | None) -> str:
    return "" if number is None else str(number)


def _withdrawn_at(ruling: RulingInfo) -> str | None:
    return None if ruling.withdrawn_at_ms is None else format_utc(ruling.withdrawn_at_ms)


def _describe_withdrawal(ruling: RulingInfo) -> str:
    """Describe a withdrawal: `2026-11-21 15:00 CET by Jane: heard again`; empty for a ruling in force."""
    if ruling.withdrawn_at_ms is None:
        return ""
    by = f" by {ruling.withdrawn_by}" if ruling.withdrawn_by else ""
    why = f": {ruling.withdrawn_reason}" if ruling.withdrawn_reason else ""
    return f"{format_local(ruling.withdrawn_at_ms)}{by}{why}"


def _seat_letter(incident: IncidentInfo) -> str | None:
    return incident.seat.letter if incident.seat is not None else None


_Ruling = Column[RulingInfo]
RULING_COLUMNS: Final = (
    _Ruling("ruling", ">No", lambda ruling: ruling.id, worth=3),
    _Ruling("at", "When", lambda ruling: format_utc(ruling.at_ms), lambda ruling: format_local(ruling.at_ms)),
    _Ruling("match", ">Match", lambda ruling: ruling.match, lambda ruling: _number(ruling.match), worth=2),
    _Ruling("room", "Room", lambda ruling: ruling.room, lambda ruling: ruling.room or "", worth=2),
    _Ruling("board", ">Board", lambda ruling: ruling.board, lambda ruling: _number(ruling.board), worth=2),
    _Ruling("attempt", "", lambda ruling: ruling.attempt),
    _Ruling("team", "Team", lambda ruling: ruling.team, worth=2),
    _Ruling("kind", "What", lambda ruling: ruling.kind, describe_kind, worth=3),
    _Ruling("amount", "", _amount),
    _Ruling("assigned", "", format_assigned),
    _Ruling("reason", "Why", lambda ruling: ruling.reason, describe_cause, worth=1),
    _Ruling("law", "Clause", lambda ruling: ruling.law),
    _Ruling("author", "Whose", lambda ruling: ruling.author, describe_author),
    _Ruling("ended", "", lambda ruling: ruling.ended),
    _Ruling("withdrawn_at", "Withdrawn", _withdrawn_at, _describe_withdrawal, worth=1),
    _Ruling("withdrawn_by", "", lambda ruling: ruling.withdrawn_by),
    _Ruling("withdrawn_reason", "", lambda ruling: ruling.withdrawn_reason),
)

_Incident = Column[IncidentInfo]
INCIDENT_COLUMNS: Final = (
    _Incident(
        "at", "When", lambda incident: format_utc(incident.at_ms), lambda incident: format_local(incident.at_ms)
    ),
    _Incident("match", ">Match", lambda incident: incident.match, worth=2),
    _Incident("room", "Room", lambda incident: incident.room, worth=2),
    _Incident("board", ">Board", lambda incident: incident.board, lambda incident: _number(incident.board), worth=2),
    _Incident("attempt", "", lambda incident: incident.attempt),
    _Incident("kind", "", lambda incident: incident.kind),
    _Incident(
        "seat", "Seat", _seat_letter, lambda incident: incident.seat.title if incident.seat is not None else ""
    ),
    _Incident("team", "Team", lambda incident: incident.team, lambda incident: incident.team or ""),
    _Incident("", "What", lambda incident: incident.kind, worth=2),
    _Incident("text", "Text", lambda incident: incident.text, worth=1),
)


class Rulings(Report):
    """The rulings of an event or of one match, newest last, optionally with its incidents."""

    event: str
    match: MatchInfo | None
    """The match; None for the whole event."""
    rulings: Sequence[RulingInfo]
    incidents: Sequence[IncidentInfo] | None
    """None unless they were requested."""
    entrant: str
    """What takes part, `team` or `pair`."""
    has_rooms: bool
    """Whether a match is played in two rooms."""

    def document(self) -> RulingsDocument:
        """Return the rulings, and the incidents if requested."""
        document: RulingsDocument = {
            "event": self.event,
            "rulings": [ruling_document(ruling) for ruling in self.rulings],
        }
        if self.incidents is not None:
            document["incidents"] = [incident_document(incident) for incident in self.incidents]
        return document

    def csv(self) -> CsvTable:
        """Return the rulings, or the incidents instead, as in the files that `tourney export` writes."""
        if self.incidents is not None:
            return csv_table(INCIDENT_COLUMNS, self.incidents)
        return csv_table(RULING_COLUMNS, self.rulings)

    def text(self) -> Iterator[str | TextTable]:
        """Yield tables of rulings and of incidents."""
        match = self.match
        where = self.event if match is None else f"{self.event}, match {match.number}: {match.home} - {match.away}"
        withdrawn = sum(not ruling.is_live for ruling in self.rulings)
        of_them = f", {withdrawn} of them withdrawn" if withdrawn else ""
        yield f"{where}: {count(len(self.rulings), 'ruling')}{of_them}"
        if self.rulings:
            yield text_table(self._columns(RULING_COLUMNS), self.rulings)
        if self.incidents is not None:
            yield ""
            yield count(len(self.incidents), "incident")
            if self.incidents:
                yield text_table(self._columns(INCIDENT_COLUMNS), self.incidents)

    def _columns(self, columns: Sequence[Column[Each]]) -> list[Column[Each]]:
        """Return the columns of the text: with the word for entrants, and with a room where there are two."""
        shown = for_entrant(columns, self.entrant)
        return shown if self.has_rooms else [column for column in shown if column.name != "room"]


def load(drawn: DrawnEvent, *, match_number: int | None = None, with_incidents: bool = False) -> Rulings:
    """Load the rulings of an event, or of one match.

    What would tell how boards were played that are still to be played somewhere is for the director only.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such match.
    """
    database, event = drawn.database, drawn.event
    match = drawn.match(match_number) if match_number is not None else None
    rulings = load_rulings(database, event.id) if match is None else load_match_rulings(database, match)
    incidents = load_incidents(database, event.id, match) if with_incidents else None
    if event.visibility is not Visibility.EVERYTHING:
        cards = {
            each.number: load_scorecard(database, event, each, drawn.scales[each.stage])
            for each in event.matches
            if each.number in {*(r.match for r in rulings), *(found.match for found in incidents or ())}
        }
        rulings = [
            ruling
            for ruling in load_shown_rulings(database, event, rulings)
            if ruling.match is None or ruling.board is None or ruling in cards[ruling.match].rulings
        ]
        if incidents is not None:
            incidents = [found for found in incidents if cards[found.match].shows(found.board)]
    has_rooms = not all(stage.format.is_at_one_table for stage in event.stages)
    return Rulings(event.name, match, rulings, incidents, event.entrant, has_rooms)


# Below the tables of other reports


STARRED_MAX: Final = 12
"""How many rulings are listed one by one below a table; with more, the table would not fit a screen of 24 lines."""


def explain_stars(rulings: Sequence[RulingInfo], event_path: object) -> Iterator[str]:
    """Explain the stars of a table: list the rulings, or count them by team if there are many.

    `event_path` is the event file, as the user gave it.
    """
    if not rulings:
        return
    yield ""
    is_long = len(rulings) > STARRED_MAX
    for line in summarize_rulings(rulings) if is_long else map(describe_ruling, rulings):
        yield f"* {line}"
    if is_long:
        yield f"`tourney rulings {event_path}` lists them"
