"""An event, or one of its matches, as one JSON file: UTF-8, a line a match.

    {"program": "tourney 1.0", "event", "seed" | null,
     "stages": [...], as `schedule_document` has them
     "teams": [{"number": N, "team"}],
     "rounds": [{"round": N, "stage": N, "starts": TIME | null, "drawn": true | false, "byes": [team, ...],
                 "matches": [N, ...]}],
     "final": TIME | null, "standings": [...], "fields": [...], as `standings_document` has them; no fields
     in an event of one stage without groups
     "rulings": [RULING], withdrawals, which are from the event and in no match
     "matches": [{"match": N, "round": N, "home", "away",
                  "third_place": true | false, "rooms": {"open": {"ns", "ew"}, "closed": {"ns", "ew"}},
                  "segments": [...], "carry_home": IMPS, "carry_away": IMPS, as `schedule_document` has them
                  "boards_in_match": N, "imps_home": N, "imps_away": N, "vp_home": VP | null, "vp_away": VP | null,
                  "rulings": [RULING], "incidents": [INCIDENT],
                  "boards": [{"board": N, "dealer": SEAT, "vulnerable": "None" | "NS" | "EW" | "All",
                              "deal": PBN from North, "imps": N, "imps_away": N, "cancelled": true | false,
                              "forfeits": [{"room": "open" | "closed", "team", "reason"}],
                              "rooms": {"open": PLAYED | null, "closed": PLAYED | null},
                              "analysis": ANALYSIS | null}]}]}

    PLAYED: {"contract", "declarer": SEAT | null, "tricks": 0..13 | null, "score": N,
             "ns_ms": N, "ew_ms": N, "tm_ms": N, "attempt": N, "began_at": TIME,
             "ended", "fault": SEAT | null, "reason",
             "calls": [{"seat": SEAT, "call", "alerted": true | false, "alert", "thinking_ms": N, "at": TIME,
                        "substituted": true | false}],
             "cards": [{"seat": SEAT, "card", "thinking_ms": N, "at": TIME, "substituted": true | false}]}

N is a whole number, VP a decimal text such as "13.34", TIME is ISO 8601 in UTC, SEAT one of N E S W. `score` is
North-South's, `imps` the home team's, `imps_away` the away team's: the opposite, unless the score was adjusted.
RULING and INCIDENT are as in `rulings`; rulings that were withdrawn are here and say so. `alert` is the information
as the player sent it, or the operator gave it, "" where there is none. A board that was cancelled counts for nobody,
its IMPs are 0. ANALYSIS is as in `tourney analyse --json` (`worth_document`), null until that has solved the board:
{"tricks", "par", "par_contracts", "plays": [{"room", "possible", "made", "costs": [...]}]}. The seat of a card is the
hand it came from; `substituted` says that the table acted in the player's place. `boards` has only those that both
rooms are over with.
A board that was forfeited in a room (`ended` is time, illegal, disconnect, stall or crash, `fault` the seat that it
is laid to) has null for contract, declarer, tricks, score and tm_ms, and the calls and cards made up to then; null in
the place of PLAYED says that it was not begun. `seed` is null until every match is over: deals that are still to be
played can be had from it. `event.schema.json` beside this file says the same as a JSON Schema (draft 2020-12).
"""

import json
from collections.abc import Iterable
from pathlib import Path

from tourney.bridge import format_deal
from tourney.export.files import PROGRAM, replace_file
from tourney.movement.seating import Room
from tourney.report.analysis import worth_document
from tourney.report.documents import (
    carry_document,
    forfeit_documents,
    record_document,
    score_document,
    seating_document,
    segments_document,
    stage_document,
    standings_document,
)
from tourney.report.rulings import Document, incident_document, ruling_document
from tourney.report.times import format_utc
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.standings import Standings
from tourney.store.draw.objects import BoardRecord, EventInfo


def schema_text() -> str:
    """The JSON Schema that the document keeps to."""
    return Path(__file__).with_name("event.schema.json").read_text(encoding="utf-8")


def write_json(event: EventInfo, standings: Standings, played: Iterable[PlayedMatch], path: Path) -> None:
    """Write the document.

    Raises:
        LaunchError: the file cannot be written.
    """
    head = json.dumps(_head(event, standings), ensure_ascii=False)
    with replace_file(path) as file:
        # Match by match: a long event need not fit into memory.
        file.write(f'{head.removesuffix("}")}, "matches": [')
        for index, match in enumerate(played):
            file.write(",\n" if index else "\n")
            json.dump(_match(match), file, ensure_ascii=False)
        file.write("\n]}\n")


def _head(event: EventInfo, standings: Standings) -> Document:
    ranking = standings_document(standings)
    return {
        "program": PROGRAM,
        "event": event.name,
        "stages": [stage_document(stage) for stage in event.stages],
        "seed": event.seed if standings.is_over else None,
        "teams": [{"number": team.number, "team": team.name} for team in event.teams],
        "rounds": [
            {
                "round": round_.number,
                "starts": format_utc(round_.starts_at_ms) if round_.starts_at_ms is not None else None,
                "stage": round_.stage,
                "drawn": round_.is_drawn,
                "byes": list(round_.byes),
                "matches": [match.number for match in round_.matches],
            }
            for round_ in event.all_rounds
        ],
        "final": ranking["final"],
        "standings": ranking["standings"],
        "fields": ranking.get("fields", []),
        "rulings": [ruling_document(ruling) for ruling in standings.rulings if ruling.match is None],
    }


def _match(played: PlayedMatch) -> Document:
    match = played.match
    return {
        "match": match.number,
        "round": match.round,
        "home": match.home,
        "away": match.away,
        "third_place": match.is_third_place,
        "rooms": seating_document(match),
        "segments": segments_document(match, [board.number for board in played.card.boards]),
        **carry_document(match),
        "boards_in_match": len(played.card.boards),
        **score_document(played.card),
        "rulings": [ruling_document(ruling) for ruling in played.card.rulings],
        "incidents": [incident_document(incident) for incident in played.incidents],
        "boards": [_board(board) for board in played.boards],
    }


def _board(played: PlayedBoard) -> Document:
    board = played.board
    return {
        "board": board.number,
        "dealer": board.dealer.letter,
        "vulnerable": board.vulnerability.value,
        "deal": format_deal(board.deal),
        "imps": played.imps,
        "imps_away": played.imps_away,
        "cancelled": played.is_cancelled,
        "forfeits": forfeit_documents(played.forfeits),
        "rooms": {room.value: _record(played.records[room]) if room in played.records else None for room in Room},
        "analysis": worth_document(played.analysis) if played.analysis is not None else None,
    }


def _record(record: BoardRecord) -> Document:
    return {
        **record_document(record),
        "calls": [
            {
                "seat": call.seat.letter,
                "call": str(call.call),
                "alerted": call.alerted,
                "alert": call.alert,
                "thinking_ms": call.thinking_ms,
                "at": format_utc(call.at_ms),
                "substituted": call.substituted,
            }
            for call in record.calls
        ],
        "cards": [
            {
                "seat": card.seat.letter,
                "card": str(card.card),
                "thinking_ms": card.thinking_ms,
                "at": format_utc(card.at_ms),
                "substituted": card.substituted,
            }
            for card in record.cards
        ],
    }
