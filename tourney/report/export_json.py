"""An event, or one of its matches, as one JSON file: UTF-8, a line a match.

    {"program": "tourney 1.0", "event", "stage", "format", "boards_per_match": N, "vp_scale", "seed" | null,
     "teams": [{"number": N, "team"}],
     "rounds": [{"round": N, "starts": TIME | null, "bye": team | null, "matches": [N, ...]}],
     "standings": [...], as `standings_document` has it
     "matches": [{"match": N, "round": N, "home", "away",
                  "rooms": {"open": {"ns", "ew"}, "closed": {"ns", "ew"}},
                  "boards_in_match": N, "imps_home": N, "imps_away": N, "vp_home": VP | null, "vp_away": VP | null,
                  "boards": [{"board": N, "dealer": SEAT, "vulnerable": "None" | "NS" | "EW" | "All",
                              "deal": PBN from North, "imps": N,
                              "rooms": {"open": PLAYED, "closed": PLAYED}}]}]}

    PLAYED: {"contract", "declarer": SEAT | null, "tricks": 0..13 | null, "score": N,
             "ns_ms": N, "ew_ms": N, "attempt": N, "began_at": TIME,
             "calls": [{"seat": SEAT, "call", "alerted": true | false, "alert", "thinking_ms": N, "at": TIME}],
             "cards": [{"seat": SEAT, "card", "thinking_ms": N, "at": TIME}]}

N is a whole number, VP a decimal text such as "13.34", TIME is ISO 8601 in UTC, SEAT one of N E S W. `score` is
North-South's, `imps` the home team's. `alert` is the information as the player sent it, "" where there is none. The
seat of a card is the hand it came from. `boards` has only those that both rooms have finished. `seed` is null until
every match is over: deals that are still to be played can be had from it.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tourney import __version__
from tourney.bridge import Side, format_deal
from tourney.report.documents import (
    Document,
    result_document,
    score_document,
    seating_document,
    standings_document,
)
from tourney.report.export_files import replace_file
from tourney.report.played import PlayedBoard, PlayedMatch
from tourney.report.standings import Standings
from tourney.report.times import format_utc
from tourney.store.objects import BoardRecord, EventInfo

PROGRAM: Final = f"tourney {__version__}"


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
    return {
        "program": PROGRAM,
        "event": event.name,
        "stage": event.stage_name,
        "format": event.stage_format.value,
        "boards_per_match": event.boards_per_match,
        "vp_scale": event.vp_scale,
        "seed": event.seed if standings.matches_over == len(event.matches) else None,
        "teams": [{"number": team.number, "team": team.name} for team in event.teams],
        "rounds": [
            {
                "round": round_.number,
                "starts": format_utc(round_.starts_at_ms) if round_.starts_at_ms is not None else None,
                "bye": round_.bye,
                "matches": [match.number for match in round_.matches],
            }
            for round_ in event.rounds
        ],
        "standings": standings_document(standings)["standings"],
    }


def _match(played: PlayedMatch) -> Document:
    match = played.match
    return {
        "match": match.number,
        "round": match.round,
        "home": match.home,
        "away": match.away,
        "rooms": seating_document(match),
        "boards_in_match": len(played.card.boards),
        **score_document(played.card),
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
        "rooms": {room.value: _record(record) for room, record in played.records.items()},
    }


def _record(record: BoardRecord) -> Document:
    return {
        **result_document(record.result),
        "ns_ms": record.result.times_ms[Side.NS],
        "ew_ms": record.result.times_ms[Side.EW],
        "attempt": record.attempt,
        "began_at": format_utc(record.began_at_ms),
        "calls": [
            {
                "seat": call.seat.letter,
                "call": str(call.call),
                "alerted": call.alerted,
                "alert": call.alert,
                "thinking_ms": call.thinking_ms,
                "at": format_utc(call.at_ms),
            }
            for call in record.calls
        ],
        "cards": [
            {
                "seat": card.seat.letter,
                "card": str(card.card),
                "thinking_ms": card.thinking_ms,
                "at": format_utc(card.at_ms),
            }
            for card in record.cards
        ],
    }
