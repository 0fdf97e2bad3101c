"""Analyses as JSON documents, whose field names stay.

Shapes (`N`, `VP`, `TIME`, RESULT and COUNTED as in `documents`):

rounds_document
    {"event", "rounds": [{"round": N, "stage": N, "starts": TIME | null, "byes": [team, ...], "matches": [MATCH]}]}
    where MATCH is {"match": N, "round": N, "home", "away", "state": "to-come" | "playing" | "stopped" | "over",
    "boards": N, "boards_over": N, "imps_home": N | null, "imps_away": N | null, "vp_home": VP | null,
    "vp_away": VP | null, "carry_home": IMPS, "carry_away": IMPS, "rulings": [COUNTED]}. Of a match that is not over
    IMPs are those so far, null before a board is over in both rooms.
head_to_head_document
    {"event", "teams": [{"team", "played": N, "won": N, "drawn": N, "lost": N, "imps_for": N, "imps_against": N,
     "vp": VP}], "matches": [MATCH]}, the teams in the order they were asked for.
butler_document
    {"event", "round": N | null, "datum": "mean" | "median", "trim": N | decimal text, "boards": N, "results": N,
     "adjusted": N,
     "pairs": [{"rank": N, "pair", "team", "side": "NS" | "EW", "boards": N, "imps": N, "average": decimal text}]}
boards_document
    {"event", "round": N,
     "boards": [{"board": N, "set", "dealer", "vulnerable", "deal", "frequencies": [{"score": N, "tables": N}],
                 "tables": [{"match": N, "room", "ns", "ew", "contract", "declarer", "lead": card | null, "tricks",
                             "score", "imps_ns": N, "rulings": [COUNTED]}]}]}
    Contract, declarer, tricks and score are those of a RESULT, all null where the board came to none. `imps_ns` are
    those of the North-South team over both rooms of its match. A table with rulings is not among the frequencies.
swings_document
    {"event", "boards": N, "swings": N, "adjusted": N,
     "rows": [{"match": N, "round": N, "board": N, "home", "away", "winner", "imps": N, "open": RESULT,
               "closed": RESULT}]}
    `imps` are the home team's; `swings` says how many there are, of which `rows` has the biggest.
times_document
    {"event", "match": N | null,
     "teams": [{"team", "boards": N, "total_ms": N, "average_ms": N | null, "slowest_board": BOARD | null,
                "slowest_match": PLACE | null, "longest": THOUGHT | null}],
     "sides": [{"match": N, "room", "side": "NS" | "EW", "team", "boards": N, "total_ms": N, "average_ms": N | null,
                "longest": {"board": N, "ms": N} | null, "board_times": [{"board": N, "ms": N}]}]}
    where PLACE is {"match": N, "room", "side", "ms": N}, BOARD has "board": N as well, and THOUGHT "seat" (the hand
    that it came from), "kind": "call" | "card", "number": N (of the board, from 1) and "action" too. `board_times`
    are there for one match only. A team's boards are counted at each table.
"""

from collections.abc import Iterable
from decimal import Decimal

from tourney.bridge import format_deal
from tourney.movement.seating import Room
from tourney.report.boards import BoardAtTable, BoardComparisons, ComparedBoard
from tourney.report.butler import ButlerRanking, ButlerRow
from tourney.report.documents import carry_document, result_document, standing_document
from tourney.report.head_to_head import HeadToHead
from tourney.report.rounds import MatchLine, RoundResults
from tourney.report.rulings import Document, short_ruling_document
from tourney.report.swings import Swing, Swings
from tourney.report.times import format_utc
from tourney.report.times_used import BoardTime, SideTimes, TeamTimes, TimesUsed, average_ms
from tourney.scoring.butler import format_average
from tourney.scoring.victory_points import format_vp
from tourney.store.results.bulk_results import Thought
from tourney.store.rulings.verdicts import RulingInfo

_PLAYED = ("contract", "declarer", "tricks", "score")


def rounds_document(results: RoundResults) -> Document:
    return {
        "event": results.event,
        "rounds": [
            {
                "round": round_.number,
                "starts": format_utc(round_.starts_at_ms) if round_.starts_at_ms is not None else None,
                "stage": round_.stage,
                "byes": list(round_.byes),
                "matches": [match_line_document(line) for line in round_.matches],
            }
            for round_ in results.rounds
        ],
    }


def match_line_document(line: MatchLine) -> Document:
    """MATCH."""
    return {
        "match": line.match.number,
        "round": line.match.round,
        "home": line.match.home,
        "away": line.match.away,
        "state": line.state.value,
        "boards": line.boards,
        "boards_over": line.boards_over,
        "imps_home": line.imps_home,
        "imps_away": line.imps_away,
        "vp_home": format_vp(line.vp_home) if line.vp_home is not None else None,
        "vp_away": format_vp(line.vp_away) if line.vp_away is not None else None,
        **carry_document(line.match),
        "rulings": _rulings(line.rulings),
    }


def head_to_head_document(meeting: HeadToHead) -> Document:
    teams = [standing_document(row) for row in meeting.records]
    return {
        "event": meeting.event,
        "teams": [{key: value for key, value in team.items() if key != "rank"} for team in teams],
        "matches": [match_line_document(line) for line in meeting.matches],
    }


def butler_document(ranking: ButlerRanking) -> Document:
    return {
        "event": ranking.event,
        "round": ranking.round,
        "datum": ranking.datum.value,
        "trim": str(ranking.trim) if isinstance(ranking.trim, Decimal) else ranking.trim,
        "boards": ranking.boards,
        "results": ranking.results,
        "adjusted": ranking.adjusted,
        "pairs": [butler_row_document(row) for row in ranking.rows],
    }


def butler_row_document(row: ButlerRow) -> Document:
    """A pair of the Butler ranking."""
    return {
        "rank": row.rank,
        "pair": row.pair,
        "team": row.team,
        "side": row.side.value,
        "boards": row.boards,
        "imps": row.imps,
        "average": format_average(row.imps, row.boards),
    }


def boards_document(comparisons: BoardComparisons) -> Document:
    return {
        "event": comparisons.event,
        "round": comparisons.round,
        "boards": [
            _deal(compared)
            | {
                "frequencies": [{"score": score, "tables": tables} for score, tables in compared.frequencies.items()],
                "tables": [_at_table(table) for table in compared.tables],
            }
            for compared in comparisons.boards
        ],
    }


def board_rows(comparisons: BoardComparisons) -> list[Document]:
    """A row a table, each with its board."""
    return [
        _deal(compared) | _at_table(table) | {"adjusted": bool(table.rulings)}
        for compared in comparisons.boards
        for table in compared.tables
    ]


def _deal(compared: ComparedBoard) -> Document:
    board = compared.board
    return {
        "board": board.number,
        "set": compared.set_name,
        "dealer": board.dealer.letter,
        "vulnerable": board.vulnerability.value,
        "deal": format_deal(board.deal),
    }


def _at_table(table: BoardAtTable) -> Document:
    played = result_document(table.result) if table.result is not None else dict.fromkeys(_PLAYED)
    return {
        "match": table.match.number,
        "room": table.room.value,
        "ns": table.ns_team,
        "ew": table.ew_team,
        **{key: played[key] for key in _PLAYED},
        "lead": str(table.lead) if table.lead is not None else None,
        "imps_ns": table.imps_ns,
        "rulings": _rulings(table.rulings),
    }


def swings_document(swings: Swings) -> Document:
    return {
        "event": swings.event,
        "boards": swings.boards,
        "swings": swings.swings,
        "adjusted": swings.adjusted,
        "rows": [swing_document(swing) for swing in swings.rows],
    }


def swing_document(swing: Swing) -> Document:
    """A row of the swings."""
    return {
        "match": swing.match.number,
        "round": swing.match.round,
        "board": swing.board,
        "home": swing.match.home,
        "away": swing.match.away,
        "winner": swing.winner,
        "imps": swing.imps,
        **{room.value: result_document(swing.results[room]) for room in Room},
    }


def times_document(times: TimesUsed) -> Document:
    return {
        "event": times.event,
        "match": times.match.number if times.match is not None else None,
        "teams": [_team_times(team) for team in times.teams],
        "sides": [
            side_document(side)
            | ({"board_times": [_board_time(board) for board in side.boards]} if times.match is not None else {})
            for side in times.sides
        ],
    }


def _team_times(team: TeamTimes) -> Document:
    board, match, longest = team.slowest_board, team.slowest_match, team.longest
    return {
        "team": team.team,
        "boards": team.boards,
        "total_ms": team.total_ms,
        "average_ms": average_ms(team.total_ms, team.boards),
        "slowest_board": _place(board) | _board_time(board.slowest) if board and board.slowest else None,
        "slowest_match": _place(match) | {"ms": match.total_ms} if match is not None else None,
        "longest": _place(longest[0]) | _thought(longest[1]) if longest is not None else None,
    }


def side_document(side: SideTimes) -> Document:
    """A side of a room of a match."""
    return {
        **_place(side),
        "team": side.team,
        "boards": len(side.boards),
        "total_ms": side.total_ms,
        "average_ms": average_ms(side.total_ms, len(side.boards)),
        "longest": _board_time(side.longest) if side.longest is not None else None,
    }


def board_time_rows(times: TimesUsed) -> list[Document]:
    """A row a board and side."""
    return [_place(side) | {"team": side.team} | _board_time(board) for side in times.sides for board in side.boards]


def _place(side: SideTimes) -> Document:
    return {"match": side.match.number, "room": side.room.value, "side": side.side.value}


def _board_time(board: BoardTime) -> Document:
    return {"board": board.board, "ms": board.time_ms}


def _thought(thought: Thought) -> Document:
    return {
        "board": thought.board,
        "ms": thought.thinking_ms,
        "seat": thought.seat.letter,
        "kind": "card" if thought.is_card else "call",
        "number": thought.number,
        "action": thought.action,
    }


def _rulings(rulings: Iterable[RulingInfo]) -> list[Document]:
    return [short_ruling_document(ruling) for ruling in rulings]
