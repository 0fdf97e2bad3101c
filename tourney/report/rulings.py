"""Rulings and incidents in words and as JSON.

Shapes (`N`, `VP` and `TIME` as in `documents`):

ruling_document
    {"ruling": N, "at": TIME, "match": N | null, "room": "open" | "closed" | null, "board": N | null,
     "attempt": N | null, "team", "kind", "amount": N | VP | null, "reason", "law", "author", "ended": text | null,
     "withdrawn": {"at": TIME, "by", "reason"} | null}
    `kind` is one of warning, penalty-imps, penalty-vp, board-forfeit, match-forfeit, withdrawal. `amount` is a number
    of IMPs for penalty-imps, victory points for penalty-vp, else null. `ended` is how the attempt at the board ended
    that the ruling is on. `match` is null for a withdrawal, which is from the event.
incident_document
    {"at": TIME, "match": N, "room", "board": N | null, "attempt": N | null, "kind", "seat": "N" | "E" | "S" | "W" |
     null, "team": text | null, "text"}
rulings_document
    {"event", "rulings": [as above], "incidents": [as above], when asked for}
"""

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from tourney.protocol.records import RulingKind
from tourney.report.times import format_utc
from tourney.scoring.victory_points import format_vp
from tourney.store.objects import IncidentInfo, RulingInfo
from tourney.store.rulings import BY_RULE

Document: TypeAlias = dict[str, Any]  # JSON

_WHAT: Final = {
    RulingKind.WARNING: "warning",
    RulingKind.BOARD_FORFEIT: "board forfeited",
    RulingKind.MATCH_FORFEIT: "match forfeited",
    RulingKind.WITHDRAWAL: "withdrawn from the event",
}


def counts(ruling: RulingInfo) -> bool:
    """Whether a ruling changes a score: it stands, and is no mere warning."""
    return ruling.is_live and ruling.kind is not RulingKind.WARNING


def describe_kind(ruling: RulingInfo) -> str:
    """What it does: `board forfeited`, `penalty of 3 IMPs`."""
    if ruling.kind is RulingKind.PENALTY_IMPS:
        return f"penalty of {ruling.amount} {'IMP' if ruling.amount == 1 else 'IMPs'}"
    if ruling.kind is RulingKind.PENALTY_VP:
        return f"penalty of {format_vp(ruling.amount)} VP"
    return _WHAT[ruling.kind]


def describe_cause(ruling: RulingInfo) -> str:
    """Why, and how a board ended that was forfeited at the table: `stall: East owed a call for 300 s`."""
    is_forfeit = ruling.ended is not None and ruling.ended.is_forfeit
    return f"{ruling.ended}: {ruling.reason}" if is_forfeit else ruling.reason


def describe_author(ruling: RulingInfo) -> str:
    return "by rule" if ruling.author == BY_RULE else f"by {ruling.author}"


def describe_ruling(ruling: RulingInfo, *, with_match: bool = True) -> str:
    """One line for people: `match 3, board 7, open room: Beta: board forfeited: stall: ... (BC-45, by rule)`."""
    places = [
        f"match {ruling.match}" if with_match and ruling.match is not None else "",
        f"board {ruling.board}" if ruling.board is not None else "",
        f"{ruling.room.value} room" if ruling.room is not None else "",
    ]
    place = ", ".join(filter(None, places))
    source = ", ".join(filter(None, (ruling.law, describe_author(ruling))))
    words = [place, ruling.team, describe_kind(ruling), describe_cause(ruling)]
    return f"{': '.join(filter(None, words))} ({source})"


def ruling_document(ruling: RulingInfo) -> Document:
    return {
        "ruling": ruling.id,
        "at": format_utc(ruling.at_ms),
        "match": ruling.match,
        "room": ruling.room.value if ruling.room is not None else None,
        "board": ruling.board,
        "attempt": ruling.attempt,
        "team": ruling.team,
        "kind": ruling.kind.value,
        "amount": _amount(ruling),
        "reason": ruling.reason,
        "law": ruling.law,
        "author": ruling.author,
        "ended": ruling.ended.value if ruling.ended is not None else None,
        "withdrawn": {
            "at": format_utc(ruling.withdrawn_at_ms),
            "by": ruling.withdrawn_by,
            "reason": ruling.withdrawn_reason,
        }
        if ruling.withdrawn_at_ms is not None
        else None,
    }


def short_ruling_document(ruling: RulingInfo) -> Document:
    """A ruling in a row of the standings or the cross-table."""
    return {
        "match": ruling.match,
        "kind": ruling.kind.value,
        "amount": _amount(ruling),
        "reason": describe_cause(ruling),
    }


def _amount(ruling: RulingInfo) -> int | str | None:
    if ruling.kind is RulingKind.PENALTY_IMPS:
        return ruling.amount
    return format_vp(ruling.amount) if ruling.kind is RulingKind.PENALTY_VP else None


def incident_document(incident: IncidentInfo) -> Document:
    return {
        "at": format_utc(incident.at_ms),
        "match": incident.match,
        "room": incident.room.value,
        "board": incident.board,
        "attempt": incident.attempt,
        "kind": incident.kind.value,
        "seat": incident.seat.letter if incident.seat is not None else None,
        "team": incident.team,
        "text": incident.text,
    }


def rulings_document(
    event: str, rulings: Iterable[RulingInfo], incidents: Iterable[IncidentInfo] | None = None
) -> Document:
    document: Document = {"event": event, "rulings": [ruling_document(ruling) for ruling in rulings]}
    if incidents is not None:
        document["incidents"] = [incident_document(incident) for incident in incidents]
    return document
