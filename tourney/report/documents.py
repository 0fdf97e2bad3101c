"""Reports as JSON documents, whose field names stay.

Shapes (`N` a whole number, `VP` a decimal text such as "13.34", `TIME` ISO 8601 in UTC; `|` null where said):

schedule_document
    {"event", "stage", "format", "boards_per_match": N, "vp_scale",
     "teams": [{"number": N, "team"}],
     "rounds": [{"round": N, "starts": TIME | null (at once), "bye": team | null,
                 "matches": [{"match": N, "home", "away", "boards": [N, ...],
                              "rooms": {"open": {"ns", "ew"}, "closed": {"ns", "ew"}}}]}]}
standings_document
    {"event", "final": TIME | null, "standings": [{"rank": N, "team", "played": N, "won": N, "drawn": N, "lost": N,
                             "imps_for": N, "imps_against": N, "vp": VP, "withdrawn": true | false,
                             "rulings": [COUNTED]}]}
    where COUNTED is {"match": N | null, "kind", "amount": N | VP | null, "reason"}: the rulings against the team that
    count, as `rulings` has them. `imps_against` are IMPs that opponents won, before what they lost on their own.
    `final` is when the results were made final, null while they are provisional.
    Explained, it has two more fields, shaped as in `ties`: "tie_breaks": [criterion, ...] and "explained":
    [TIE].
scorecard_document
    {"match": N, "home", "away",
     "boards": [{"board": N, "open": RESULT | null, "closed": RESULT | null, "imps": N | null, "imps_away": N | null,
                 "forfeits": [{"room": "open" | "closed", "team", "reason"}]}],
     "imps_home": N, "imps_away": N, "vp_home": VP | null, "vp_away": VP | null, "rulings": [RULING]}
    where RESULT is {"contract", "declarer": "N" | "E" | "S" | "W", "tricks": 0..13, "score": N,
    "ns_ms": N, "ew_ms": N, "tm_ms": N}, the score that of North-South, the times thinking times of both sides and the
    table's own share in milliseconds; passed out: contract "Pass", declarer and tricks null. `imps` are the home
    team's, `imps_away` the away team's: the opposite, unless the score was adjusted. Every board of the match is
    listed; one that is not over in both rooms has nulls. A room in which the board was forfeited has an entry in
    `forfeits`, and a RESULT only where it had come to one before. Victory points are null until the match is over.
    RULING is as in `rulings`; those that were withdrawn are left out.
crosstable_document
    {"event", "teams": [{"number": N, "team", "rank": N, "vp": VP, "withdrawn": true | false, "rulings": [COUNTED],
                         "matches": [{"match": N, "round": N, "opponent", "home": true | false,
                                      "imps_for": N | null, "imps_against": N | null, "vp": VP | null}]}]}
"""

from collections.abc import Iterable
from typing import Final

from tourney.bridge import Side
from tourney.movement.ranking import StandingRow
from tourney.movement.seating import Room
from tourney.report.crosstable import Crosstable, CrosstableCell
from tourney.report.rulings import Document, describe_cause, ruling_document, short_ruling_document
from tourney.report.schedule import Schedule
from tourney.report.scorecard import Scorecard
from tourney.report.standings import Standings
from tourney.report.ties import ties_document
from tourney.report.times import format_utc
from tourney.scoring.victory_points import format_vp
from tourney.store.objects import BoardRecord, BoardResult, MatchInfo, RoundInfo
from tourney.store.verdicts import RulingInfo


def schedule_document(schedule: Schedule) -> Document:
    event = schedule.event
    return {
        "event": event.name,
        "stage": event.stage_name,
        "format": event.stage_format.value,
        "boards_per_match": event.boards_per_match,
        "vp_scale": event.vp_scale,
        "teams": [{"number": team.number, "team": team.name} for team in event.teams],
        "rounds": [_round(schedule, round_) for round_ in event.rounds],
    }


def _round(schedule: Schedule, round_: RoundInfo) -> Document:
    return {
        "round": round_.number,
        "starts": format_utc(round_.starts_at_ms) if round_.starts_at_ms is not None else None,
        "bye": round_.bye,
        "matches": [
            {
                "match": match.number,
                "home": match.home,
                "away": match.away,
                "boards": schedule.boards_of(match),
                "rooms": seating_document(match),
            }
            for match in round_.matches
        ],
    }


def seating_document(match: MatchInfo) -> Document:
    """Who sits which way in each room: `rooms` of the schedule."""
    return {room.value: {"ns": match.tables[room].ns_team, "ew": match.tables[room].ew_team} for room in Room}


def standings_document(table: Standings, *, explained: bool = False) -> Document:
    document = {
        "event": table.event,
        "final": format_utc(table.final_since_ms) if table.final_since_ms is not None else None,
        "standings": [
            standing_document(row)
            | {
                "withdrawn": table.is_withdrawn(row.team),
                "rulings": [short_ruling_document(ruling) for ruling in table.rulings_on(row.team)],
            }
            for row in table.rows
        ],
    }
    return document | ties_document(table) if explained else document


def standing_document(row: StandingRow) -> Document:
    """The figures of a line of `standings`."""
    return {
        "rank": row.rank,
        "team": row.team,
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "imps_for": row.imps_for,
        "imps_against": row.imps_against,
        "vp": format_vp(row.vp),
    }


def scorecard_document(card: Scorecard) -> Document:
    return {
        "match": card.match.number,
        "home": card.match.home,
        "away": card.match.away,
        "boards": [
            {
                "board": board.number,
                **{room.value: _result_or_none(board.results.get(room)) for room in Room},
                "imps": board.imps,
                "imps_away": board.imps_away,
                "forfeits": forfeit_documents(board.forfeits),
            }
            for board in card.boards
        ],
        **score_document(card),
        "rulings": [ruling_document(ruling) for ruling in card.live_rulings],
    }


def forfeit_documents(forfeits: Iterable[RulingInfo]) -> list[Document]:
    """`forfeits` of a board."""
    return [
        {"room": ruling.room.value, "team": ruling.team, "reason": describe_cause(ruling)}
        for ruling in forfeits
        if ruling.room is not None
    ]


def score_document(card: Scorecard) -> Document:
    """IMPs so far, and the victory points of a match that is over."""
    return {
        "imps_home": card.imps_home,
        "imps_away": card.imps_away,
        "vp_home": format_vp(card.score.vp_home) if card.score is not None else None,
        "vp_away": format_vp(card.score.vp_away) if card.score is not None else None,
    }


def _result_or_none(board: BoardResult | None) -> Document | None:
    return result_document(board) if board is not None else None


def result_document(board: BoardResult) -> Document:
    """RESULT of the scorecard."""
    result = board.result
    contract = result.contract
    return {
        "contract": str(contract) if contract is not None else "Pass",
        "declarer": contract.declarer.letter if contract is not None else None,
        "tricks": result.tricks if contract is not None else None,
        "score": result.score,
        "ns_ms": board.times_ms[Side.NS],
        "ew_ms": board.times_ms[Side.EW],
        "tm_ms": board.tm_ms,
    }


_NO_RESULT: Final = dict.fromkeys(("contract", "declarer", "tricks", "score", "tm_ms"))


def record_document(record: BoardRecord) -> Document:
    """A board at one table in exports: RESULT, nulls in its place where it was forfeited, and how it ended."""
    times = {"ns_ms": record.times_ms[Side.NS], "ew_ms": record.times_ms[Side.EW]}
    return {
        **(result_document(record.result) if record.result is not None else _NO_RESULT | times),
        "attempt": record.attempt,
        "began_at": format_utc(record.began_at_ms),
        "ended": record.ended.value,
        "fault": record.fault.letter if record.fault is not None else None,
        "reason": record.reason,
    }


def crosstable_document(table: Crosstable) -> Document:
    return {
        "event": table.event,
        "teams": [
            {
                "number": row.number,
                "team": row.team,
                "rank": row.rank,
                "vp": format_vp(row.vp),
                "withdrawn": row.withdrawn,
                "rulings": [short_ruling_document(ruling) for ruling in row.rulings],
                "matches": [_cell(cell) for cell in row.cells],
            }
            for row in table.rows
        ],
    }


def _cell(cell: CrosstableCell) -> Document:
    return {
        "match": cell.match,
        "round": cell.round,
        "opponent": cell.opponent,
        "home": cell.is_home,
        "imps_for": cell.imps_for,
        "imps_against": cell.imps_against,
        "vp": format_vp(cell.vp) if cell.vp is not None else None,
    }
