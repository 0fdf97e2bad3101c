"""Matches as CSV tables, UTF-8 with a line of headings; what is not known, or not there, is an empty field.

standings.csv   rank, team, played, won, drawn, lost, imps_for, imps_against, vp: the whole event only
matches.csv     a row a match; IMPs so far, victory points once it is over
boards.csv      a row a board and room; score_ns is North-South's, imps_home the home team's, times in milliseconds
calls.csv       a row a call: number counts from 1; alerted is 1 or 0, alert the information as the player sent it
cards.csv       a row a card: number counts from 1 to 52; seat is the hand it came from, dummy's for dummy's cards

Only boards that both rooms have finished have rows. Times of day are ISO 8601 in UTC.
"""

import csv
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, TypeAlias

from tourney.bridge import Side, format_deal
from tourney.movement.seating import Room
from tourney.report.documents import Document, result_document, score_document, standing_document
from tourney.report.export_files import replace_file
from tourney.report.played import PlayedBoard, PlayedMatch
from tourney.report.standings import Standings
from tourney.report.times import format_utc
from tourney.store.objects import BoardRecord

STANDINGS: Final = ("rank", "team", "played", "won", "drawn", "lost", "imps_for", "imps_against", "vp")
MATCHES: Final = (
    *("match", "round", "home", "away", "boards", "boards_finished"),
    *("imps_home", "imps_away", "vp_home", "vp_away"),
)
BOARDS: Final = (
    *("match", "round", "board", "room", "home", "away", "ns", "ew", "dealer", "vulnerable", "deal"),
    *("contract", "declarer", "tricks", "score_ns", "imps_home", "ns_ms", "ew_ms", "attempt", "began_at"),
)
CALLS: Final = (
    *("match", "board", "room", "number", "seat", "team"),
    *("call", "alerted", "alert", "thinking_ms", "at"),
)
CARDS: Final = ("match", "board", "room", "number", "trick", "seat", "team", "card", "thinking_ms", "at")

_Writer: TypeAlias = "csv.DictWriter[str]"


def write_csv(
    standings: Standings | None, played: Iterable[PlayedMatch], folder: Path, prefix: str = ""
) -> Iterator[Path]:
    """Write the tables; their paths.

    Args:
        standings: None leaves standings.csv out.
        played: the matches.
        folder: where the files go.
        prefix: what the name of every file starts with.

    Raises:
        LaunchError: a file cannot be written.
    """
    if standings is not None:
        path = folder / f"{prefix}standings.csv"
        with replace_file(path) as file:
            writer = _start(file, STANDINGS)
            writer.writerows(standing_document(row) for row in standings.rows)
        yield path
    names = {"matches": MATCHES, "boards": BOARDS, "calls": CALLS, "cards": CARDS}
    paths = {name: folder / f"{prefix}{name}.csv" for name in names}
    with ExitStack() as stack:
        writers = {
            name: _start(stack.enter_context(replace_file(paths[name])), columns) for name, columns in names.items()
        }
        for match in played:
            writers["matches"].writerow(_match_row(match))
            for board in match.boards:
                for room, record in board.records.items():
                    writers["boards"].writerow(_board_row(match, board, room, record))
                    writers["calls"].writerows(_call_rows(match, room, record))
                    writers["cards"].writerows(_card_rows(match, room, record))
    yield from paths.values()


def _start(file: Any, columns: tuple[str, ...]) -> _Writer:  # csv asks for no more than `write`
    writer = csv.DictWriter(file, columns)
    writer.writeheader()
    return writer


def _match_row(played: PlayedMatch) -> Document:
    card, match = played.card, played.match
    return {
        "match": match.number,
        "round": match.round,
        "home": match.home,
        "away": match.away,
        "boards": len(card.boards),
        "boards_finished": card.boards_finished,
        **score_document(card),
    }


def _board_row(played: PlayedMatch, finished: PlayedBoard, room: Room, record: BoardRecord) -> Document:
    match, board = played.match, finished.board
    table = match.tables[room]
    result = result_document(record.result)
    result["score_ns"] = result.pop("score")
    return {
        **_place(played, room, record),
        "round": match.round,
        "home": match.home,
        "away": match.away,
        "ns": table.ns_team,
        "ew": table.ew_team,
        "dealer": board.dealer.letter,
        "vulnerable": board.vulnerability.value,
        "deal": format_deal(board.deal),
        **result,
        "imps_home": finished.imps,
        "ns_ms": record.result.times_ms[Side.NS],
        "ew_ms": record.result.times_ms[Side.EW],
        "attempt": record.attempt,
        "began_at": format_utc(record.began_at_ms),
    }


def _place(played: PlayedMatch, room: Room, record: BoardRecord) -> Document:
    return {"match": played.match.number, "board": record.board.number, "room": room.value}


def _call_rows(played: PlayedMatch, room: Room, record: BoardRecord) -> Iterator[Document]:
    place, table = _place(played, room, record), played.match.tables[room]
    for number, call in enumerate(record.calls, 1):
        yield {
            **place,
            "number": number,
            "seat": call.seat.letter,
            "team": table.team(call.seat.side),
            "call": str(call.call),
            "alerted": int(call.alerted),
            "alert": call.alert,
            "thinking_ms": call.thinking_ms,
            "at": format_utc(call.at_ms),
        }


def _card_rows(played: PlayedMatch, room: Room, record: BoardRecord) -> Iterator[Document]:
    place, table = _place(played, room, record), played.match.tables[room]
    for index, card in enumerate(record.cards):
        yield {
            **place,
            "number": index + 1,
            "trick": index // 4 + 1,
            "seat": card.seat.letter,
            "team": table.team(card.seat.side),
            "card": str(card.card),
            "thinking_ms": card.thinking_ms,
            "at": format_utc(card.at_ms),
        }
