"""Reports as JSON documents, whose field names stay.

Shapes (`N` a whole number, `VP` a decimal text such as "13.34", `TIME` ISO 8601 in UTC; `|` null where said):

schedule_document
    {"event",
     "stages": [{"stage": N, "name", "format", "boards_per_match": N, "segments": N, "vp_scale", "rounds": [N, ...],
                 "teams": [{"team", "seed": N, "group": "A" | null, "from_round": N, "carry_vp": VP}]}],
     "teams": [{"number": N, "team"}],
     "rounds": [{"round": N, "stage": N, "starts": TIME | null (at once), "drawn": true | false, "byes": [team, ...],
                 "matches": [{"match": N, "home", "away", "boards": [N, ...],
                              "rooms": {"open": {"ns", "ew"}, "closed": {"ns", "ew"}},
                              "segments": [{"segment": N, "boards": [N, ...],
                                            "rooms": {"open": SEATS, "closed": SEATS}}],
                              "carry_home": IMPS, "carry_away": IMPS}]}]}
    where SEATS is {"ns", "ns_pair": 1 | 2, "ew", "ew_pair": 1 | 2}, `rooms` of a match are those of its first
    segment, IMPS a decimal text such as "2.5". Rounds are numbered through the event; one that hangs on results to
    come is not `drawn` and has no matches. `teams` of a stage are empty while it is not known who comes to it.
standings_document
    {"event", "final": TIME | null, "standings": [{"rank": N, "team", "played": N, "won": N, "drawn": N, "lost": N,
                             "imps_for": N, "imps_against": N, "vp": VP, "withdrawn": true | false,
                             "rulings": [COUNTED]}]}
    where COUNTED is {"match": N | null, "kind", "amount": N | VP | null, "reason"}: the rulings against the team that
    count, as `rulings` has them. `imps_against` are IMPs that opponents won, before what they lost on their own.
    `final` is when the results were made final, null while they are provisional.
    Explained, it has two more fields, shaped as in `ties`: "tie_breaks": [criterion, ...] and "explained":
    [TIE].
    An event of several stages or groups is ranked by how far teams have come, `vp` those of all its stages but
    knockouts; it has one more field, "fields": [{"stage", "format", "group": "A" | null, "standings": as above, and
    what explains it}], a ranking for each stage and group.
scorecard_document
    {"match": N, "home", "away",
     "boards": [{"board": N, "open": RESULT | null, "closed": RESULT | null, "imps": N | null, "imps_away": N | null,
                 "cancelled": true | false, "forfeits": [{"room": "open" | "closed", "team", "reason"}], PAR}],
     "imps_home": N, "imps_away": N, "vp_home": VP | null, "vp_away": VP | null, "carry_home": IMPS,
     "carry_away": IMPS, "rulings": [RULING]}
    where RESULT is {"contract", "declarer": "N" | "E" | "S" | "W", "tricks": 0..13, "score": N,
    "ns_ms": N, "ew_ms": N, "tm_ms": N}, the score that of North-South, the times thinking times of both sides and the
    table's own share in milliseconds; passed out: contract "Pass", declarer and tricks null. `imps` are the home
    team's, `imps_away` the away team's: the opposite, unless the score was adjusted. Every board of the match is
    listed; one that is not over in both rooms has nulls. A room in which the board was forfeited has an entry in
    `forfeits`, and a RESULT only where it had come to one before. A board that was cancelled counts for nobody: its
    IMPs are 0. PAR is there only for a board that is shown and that `tourney analyse` has solved:
    "par": N, "par_contracts": [text, ...], "par_imps": {"open": N | null, "closed": N | null}
    `par` is North-South's score when both sides bid and play as well as can be, by one of the contracts, such as
    "4S E ="; `par_imps` are IMPs that North-South won in that room against par, negative when they lost, null where
    the board did not come to a result. Victory points are null until the match is over.
    RULING is as in `rulings`; those that were withdrawn are left out.
crosstable_document
    {"event", "teams": [{"number": N, "team", "stage", "group": "A" | null, "rank": N, "vp": VP,
                         "withdrawn": true | false, "rulings": [COUNTED],
                         "matches": [{"match": N, "round": N, "opponent", "home": true | false,
                                      "imps_for": N | null, "imps_against": N | null, "vp": VP | null}]}]}
    A team has a row for each stage but knockouts that it is in. Figures are null too where a match is cancelled
    because a team has left early.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from tourney.bridge import Side
from tourney.movement.carry_over import format_imps_hundredths
from tourney.movement.groups import group_letter
from tourney.movement.ranking import StandingRow
from tourney.movement.seating import Room
from tourney.report.crosstable import Crosstable, CrosstableCell
from tourney.report.par import BoardPar, par_document
from tourney.report.rulings import Document, describe_cause, ruling_document, short_ruling_document
from tourney.report.schedule import Schedule
from tourney.report.ties import ties_document
from tourney.report.times import format_utc
from tourney.results.scorecard import Scorecard
from tourney.results.standings import Standings
from tourney.scoring.victory_points import format_vp
from tourney.store.draw.objects import BoardRecord, BoardResult, MatchInfo, RoundInfo, SegmentInfo, StageInfo
from tourney.store.rulings.verdicts import RulingInfo


def schedule_document(schedule: Schedule) -> Document:
    event = schedule.event
    return {
        "event": event.name,
        "stages": [stage_document(stage) for stage in event.stages],
        "teams": [{"number": team.number, "team": team.name} for team in event.teams],
        "rounds": [_round(schedule, round_) for round_ in event.all_rounds],
    }


def stage_document(stage: StageInfo) -> Document:
    """A stage of a schedule."""
    return {
        "stage": stage.number,
        "name": stage.name,
        "format": stage.format.name,
        "boards_per_match": stage.boards_per_match,
        "segments": stage.segments,
        "vp_scale": stage.vp_scale,
        "rounds": [round_.number for round_ in stage.rounds],
        "teams": [
            {
                "team": entry.team,
                "seed": entry.seed,
                "group": group_letter(entry.group - 1) if stage.groups > 1 else None,
                "from_round": entry.from_round,
                "carry_vp": format_vp(entry.carry_vp),
            }
            for entry in stage.entries
        ],
    }


def _round(schedule: Schedule, round_: RoundInfo) -> Document:
    return {
        "round": round_.number,
        "starts": format_utc(round_.starts_at_ms) if round_.starts_at_ms is not None else None,
        "stage": round_.stage,
        "drawn": round_.is_drawn,
        "byes": list(round_.byes),
        "matches": [
            {
                "match": match.number,
                "home": match.home,
                "away": match.away,
                "boards": schedule.boards_of(match),
                "rooms": seating_document(match),
                "segments": segments_document(match, schedule.boards_of(match)),
                **carry_document(match),
            }
            for match in round_.matches
        ],
    }


def seating_document(match: MatchInfo) -> Document:
    """Who sits which way in each room, in the first segment: `rooms` of the schedule."""
    return _rooms(match.segments[0])


def _rooms(segment: SegmentInfo) -> Document:
    tables = segment.tables
    return {room.value: {"ns": tables[room].ns_team, "ew": tables[room].ew_team} for room in Room}


def segments_document(match: MatchInfo, boards: Sequence[int]) -> list[Document]:
    """The segments of a match, and which pair of each team sits where."""
    return [
        {
            "segment": segment.number,
            "boards": list(boards[segment.first : segment.first + segment.boards]),
            "rooms": {
                room.value: {
                    "ns": table.ns_team,
                    "ns_pair": table.ns_pair,
                    "ew": table.ew_team,
                    "ew_pair": table.ew_pair,
                }
                for room, table in segment.tables.items()
            },
        }
        for segment in match.segments
    ]


def carry_document(match: MatchInfo) -> Document:
    """IMPs that both teams have brought along from the stage before."""
    return {
        "carry_home": format_imps_hundredths(match.carry_home),
        "carry_away": format_imps_hundredths(match.carry_away),
    }


def standings_document(table: Standings, *, explained: bool = False) -> Document:
    document = {
        "event": table.event,
        "final": format_utc(table.final_since_ms) if table.final_since_ms is not None else None,
        "standings": _standing_rows(table),
    }
    if explained:
        document |= ties_document(table)
    if table.fields:
        document["fields"] = [_field(field, explained=explained) for field in table.fields]
    return document


def _standing_rows(table: Standings) -> list[Document]:
    return [
        standing_document(row)
        | {
            "withdrawn": table.is_withdrawn(row.team),
            "rulings": [short_ruling_document(ruling) for ruling in table.rulings_on(row.team)],
        }
        for row in table.rows
    ]


def _field(field: Standings, *, explained: bool) -> Document:
    assert field.stage is not None
    document = {
        "stage": field.stage.name,
        "format": field.stage.format.name,
        "group": field.group,
        "standings": _standing_rows(field),
    }
    return document | ties_document(field) if explained else document


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


def scorecard_document(card: Scorecard, pars: Mapping[int, BoardPar] | None = None) -> Document:
    """A scorecard; `pars` are of boards that it shows and that have been solved, by number."""
    known = pars or {}
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
                "cancelled": board.is_cancelled,
                "forfeits": forfeit_documents(board.forfeits),
                **par_document(known.get(board.number)),
            }
            for board in card.boards
        ],
        **score_document(card),
        **carry_document(card.match),
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
                "stage": field.stage,
                "group": field.group,
                "rank": row.rank,
                "vp": format_vp(row.vp),
                "withdrawn": row.withdrawn,
                "rulings": [short_ruling_document(ruling) for ruling in row.rulings],
                "matches": [_cell(cell) for cell in row.cells],
            }
            for field in table.fields
            for row in field.rows
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
