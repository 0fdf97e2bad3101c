"""Rulings and incidents in words and as JSON.

Shapes (`N`, `VP` and `TIME` as in `documents`):

ruling_document
    {"ruling": N, "at": TIME, "match": N | null, "room": "open" | "closed" | null, "board": N | null,
     "attempt": N | null, "team": text | null, "kind", "amount": N | VP | null, "assigned": [ASSIGNED], "reason",
     "law", "author", "ended": text | null, "withdrawn": {"at": TIME, "by", "reason"} | null}
    `kind` is one of warning, penalty-imps, penalty-vp, board-forfeit, adjusted-score, assigned-score,
    board-cancelled, board-replay, match-forfeit, withdrawal. `amount` is a number of IMPs for penalty-imps and
    adjusted-score, victory points for penalty-vp, else null. ASSIGNED is {"weight": N, "contract", "declarer",
    "tricks"} as in a RESULT of `documents`, a result that counts for the team. `ended` is how the attempt at the
    board ended that the ruling is on. `match` is null for a withdrawal, which is from the event; `team` is null for
    what is the same for both.
incident_document
    {"at": TIME, "match": N, "room", "board": N | null, "attempt": N | null, "kind", "seat": "N" | "E" | "S" | "W" |
     null, "team": text | null, "text"}
rulings_document
    {"event", "rulings": [as above], "incidents": [as above], when asked for}
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from tourney.protocol.session.record_words import BoardEnd, RulingKind
from tourney.report.times import format_utc
from tourney.scoring.adjusted import AVERAGE_MINUS, AVERAGE_PLUS
from tourney.scoring.victory_points import format_vp
from tourney.store.rulings.verdicts import RULE_AUTHOR, IncidentInfo, RulingInfo

Document: TypeAlias = dict[str, Any]  # JSON

_WHAT: Final = {
    RulingKind.WARNING: "warning",
    RulingKind.BOARD_FORFEIT: "board forfeited",
    RulingKind.BOARD_CANCELLED: "board cancelled",
    RulingKind.BOARD_REPLAY: "board to be played again",
    RulingKind.MATCH_FORFEIT: "match forfeited",
    RulingKind.WITHDRAWAL: "withdrawn from the event",
}

_AVERAGES: Final = {AVERAGE_PLUS: "average plus", 0: "average", AVERAGE_MINUS: "average minus"}

_COUNTED: Final = {
    RulingKind.WARNING: ("warning", "warnings"),
    RulingKind.PENALTY_IMPS: ("penalty in IMPs", "penalties in IMPs"),
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
    """What it does: `board forfeited`, `penalty of 3 IMPs`."""
    if ruling.kind is RulingKind.PENALTY_IMPS:
        return f"penalty of {ruling.amount} {'IMP' if ruling.amount == 1 else 'IMPs'}"
    if ruling.kind is RulingKind.PENALTY_VP:
        return f"penalty of {format_vp(ruling.amount)} VP"
    if ruling.kind is RulingKind.ADJUSTED_SCORE:
        return f"{_AVERAGES.get(ruling.amount, 'adjusted score')}, {ruling.amount:+} IMPs"
    if ruling.kind is RulingKind.ASSIGNED_SCORE:
        return f"assigned {format_assigned(ruling)}"
    return _WHAT[ruling.kind]


def format_assigned(ruling: RulingInfo) -> str:
    """`4S N 10`, or `60: 4S N 10, 40: 4S N 9`."""
    if len(ruling.assigned) == 1:
        return str(ruling.assigned[0])
    return ", ".join(f"{part.weight}: {part}" for part in ruling.assigned)


def describe_cause(ruling: RulingInfo) -> str:
    """Why, and how a board ended that was forfeited at the table: `stall: East owed a call for 300 s`."""
    end = _forfeit_at_table(ruling)
    return f"{end}: {ruling.reason}" if end is not None else ruling.reason


def _forfeit_at_table(ruling: RulingInfo) -> BoardEnd | None:
    """How the board ended that the ruling is on, when that is what cost a side the board."""
    return ruling.ended if ruling.ended is not None and ruling.ended.is_forfeit else None


def describe_author(ruling: RulingInfo) -> str:
    return "by rule" if ruling.author == RULE_AUTHOR else f"by {ruling.author}"


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


def summarize_rulings(rulings: Iterable[RulingInfo]) -> list[str]:
    """A line a team: `Beta: 14 boards forfeited (9 stall, 5 crash), 1 withdrawal (strikes)`.

    The teams are in the order of their first ruling, what was ruled in that of `RulingKind`, causes the most frequent
    first: how the boards ended, the law, or the author where there is none.
    """
    by_team: dict[str, dict[RulingKind, list[RulingInfo]]] = {}
    for ruling in rulings:
        by_team.setdefault(ruling.team, {}).setdefault(ruling.kind, []).append(ruling)
    return [
        f"{team or 'both'}: {', '.join(_summarize(kind, by_kind[kind]) for kind in RulingKind if kind in by_kind)}"
        for team, by_kind in by_team.items()
    ]


def _summarize(kind: RulingKind, rulings: list[RulingInfo]) -> str:
    """`14 boards forfeited (9 stall, 5 crash)`; a cause that is the only one goes without its number."""
    causes = Counter(_forfeit_at_table(ruling) or ruling.law or describe_author(ruling) for ruling in rulings)
    words = [f"{number} {cause}" if len(causes) > 1 else cause for cause, number in causes.most_common()]
    one, many = _COUNTED[kind]
    return f"{len(rulings)} {one if len(rulings) == 1 else many} ({', '.join(words)})"


def ruling_document(ruling: RulingInfo) -> Document:
    return {
        "ruling": ruling.id,
        "at": format_utc(ruling.at_ms),
        "match": ruling.match,
        "room": ruling.room.value if ruling.room is not None else None,
        "board": ruling.board,
        "attempt": ruling.attempt,
        "team": ruling.team or None,
        "kind": ruling.kind.value,
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
    if ruling.kind in (RulingKind.PENALTY_IMPS, RulingKind.ADJUSTED_SCORE):
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
