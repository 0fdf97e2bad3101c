"""Exports an event, or one of its matches, as one JSON file: UTF-8, a line a match.

`EventDocument` says what is in it; the JSON Schema that `tourney export --schema` prints is derived from that type.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from typing_extensions import TypedDict

from tourney.bridge import Side, format_deal
from tourney.export.files import PROGRAM, replace_file
from tourney.export.registry import ExportRequest
from tourney.report.analysis import AnalysisDocument, analysis_document
from tourney.report.match import (
    ForfeitDocument,
    ScoreDocument,
    forfeit_documents,
    result_document,
    score_document,
)
from tourney.report.rulings import IncidentDocument, RulingDocument, incident_document, ruling_document
from tourney.report.schedule import (
    CarryDocument,
    DirectionsDocument,
    NumberedTeamDocument,
    RoundHeadDocument,
    SegmentDocument,
    StageDocument,
    carry_document,
    round_head,
    seating_document,
    segment_documents,
    stage_document,
    team_documents,
)
from tourney.report.standings import FieldHeadDocument, StandingDocument, standings_document
from tourney.report.times import format_utc
from tourney.report.values import (
    ByRoom,
    CallText,
    CardText,
    Constraint,
    ContractText,
    DealText,
    FinalEnd,
    Milliseconds,
    SeatLetter,
    Time,
    Tricks,
    VulnerabilityName,
)
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.standings import Standings
from tourney.store.draw.objects import BoardRecord, EventInfo


class CallDocument(TypedDict):
    """A call."""

    seat: SeatLetter
    call: CallText
    alerted: bool
    alert: str
    """The information as the player sent it, or the operator gave it; empty where there is none."""
    thinking_ms: Milliseconds
    at: Time
    substituted: bool
    """The table made it in the player's place."""


class CardDocument(TypedDict):
    """A card."""

    seat: SeatLetter
    """The hand it came from, dummy's for dummy's cards."""
    card: CardText
    thinking_ms: Milliseconds
    at: Time
    substituted: bool
    """The table played it in the player's place."""


class _EndDocument(TypedDict):
    attempt: int
    began_at: Time
    ended: FinalEnd
    fault: SeatLetter | None
    """The seat that a forfeit is laid to."""
    reason: str


class TableRecordDocument(_EndDocument):
    """How a board went in one room; its result is null where it was forfeited."""

    contract: ContractText | None
    declarer: SeatLetter | None
    """Null also when the board was passed out."""
    tricks: Tricks | None
    """Of declarer's side."""
    score: int | None
    """Of North-South."""
    ns_ms: Milliseconds
    """Thinking time of North-South."""
    ew_ms: Milliseconds
    """Thinking time of East-West."""
    tm_ms: Milliseconds | None
    """The table's own share."""


class PlayedBoardDocument(TableRecordDocument):
    """A board as it was played in one room, with the calls and cards made up to its end."""

    calls: list[CallDocument]
    cards: Annotated[list[CardDocument], Constraint("In the order of play.", maxItems=52)]


class BoardDocument(TypedDict):
    """A board that both rooms have finished."""

    board: int
    dealer: SeatLetter
    vulnerable: VulnerabilityName
    deal: DealText
    imps: int
    """Of the home team."""
    imps_away: int
    """The opposite, unless the score was adjusted."""
    cancelled: bool
    """It counts for nobody; its IMPs are 0."""
    forfeits: list[ForfeitDocument]
    rooms: ByRoom[PlayedBoardDocument | None]
    """Null for a room in which the board was not begun."""
    analysis: AnalysisDocument | None
    """Double dummy; null for a board that has not been solved."""


class MatchDocument(ScoreDocument, CarryDocument):
    """A match as far as it has been played."""

    match: int
    round: int
    home: str
    away: str
    third_place: bool
    """Whether it is that of a knockout."""
    rooms: ByRoom[DirectionsDocument]
    """Which team sits which way, in the first segment."""
    segments: list[SegmentDocument]
    """In the order of play, extra boards of a level match last."""
    boards_in_match: int
    rulings: list[RulingDocument]
    """Those that were withdrawn too."""
    incidents: list[IncidentDocument]
    boards: list[BoardDocument]
    """Those that both rooms have finished."""


class ExportedRoundDocument(RoundHeadDocument):
    """A round."""

    matches: list[int]
    """Their numbers."""


class EventHeadDocument(TypedDict):
    """An event without its matches."""

    program: str
    """Program and version that wrote the file."""
    event: str
    stages: list[StageDocument]
    """In the order of play."""
    seed: str | None
    """What the deals came from; null until every match is over, for deals still to be played come from it."""
    teams: list[NumberedTeamDocument]
    rounds: list[ExportedRoundDocument]
    final: Time | None
    """When the results were made final; null while they are provisional."""
    standings: list[StandingDocument]
    """Best first; of several stages or groups, by how far teams have come."""
    fields: list[FieldHeadDocument]
    """A ranking for each stage and group; empty in an event of one stage without groups."""
    rulings: list[RulingDocument]
    """Those of no match."""


class EventDocument(EventHeadDocument):
    """What `tourney export --format json` writes: an event, or one of its matches, with every call and card.

    Further fields may come with later versions; those that are here stay.
    """

    matches: list[MatchDocument]


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes `event.json`, or a file named after the only match."""
    path = request.folder / f"{request.stem}.json"
    write_json(request.event, request.standings, request.played(), path)
    yield path


def write_json(event: EventInfo, standings: Standings, played: Iterable[PlayedMatch], path: Path) -> None:
    """Writes an `EventDocument`.

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


def _head(event: EventInfo, standings: Standings) -> EventHeadDocument:
    ranking = standings_document(standings)
    return {
        "program": PROGRAM,
        "event": event.name,
        "stages": [stage_document(stage) for stage in event.stages],
        "seed": event.seed if standings.is_over else None,
        "teams": team_documents(event),
        "rounds": [
            {**round_head(round_), "matches": [match.number for match in round_.matches]}
            for round_ in event.all_rounds
        ],
        "final": ranking["final"],
        "standings": ranking["standings"],
        "fields": [
            {
                "stage": field["stage"],
                "format": field["format"],
                "group": field["group"],
                "standings": field["standings"],
            }
            for field in ranking.get("fields", [])
        ],
        "rulings": [ruling_document(ruling) for ruling in standings.rulings if ruling.match is None],
    }


def _match(played: PlayedMatch) -> MatchDocument:
    match = played.match
    return {
        "match": match.number,
        "round": match.round,
        "home": match.home,
        "away": match.away,
        "third_place": match.is_third_place,
        "rooms": seating_document(match),
        "segments": segment_documents(match, [board.number for board in played.card.boards]),
        **carry_document(match),
        "boards_in_match": len(played.card.boards),
        **score_document(played.card),
        "rulings": [ruling_document(ruling) for ruling in played.card.rulings],
        "incidents": [incident_document(incident) for incident in played.incidents],
        "boards": [_board(board) for board in played.boards],
    }


def _board(played: PlayedBoard) -> BoardDocument:
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
        "rooms": {
            room.value: _played(played.records[room]) if room in played.records else None for room in played.tables
        },
        "analysis": analysis_document(played.analysis) if played.analysis is not None else None,
    }


def _played(record: BoardRecord) -> PlayedBoardDocument:
    return {
        **table_record_document(record),
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


def table_record_document(record: BoardRecord) -> TableRecordDocument:
    """How a board went at one table; nulls in place of its result where it was forfeited."""
    ended: _EndDocument = {
        "attempt": record.attempt,
        "began_at": format_utc(record.began_at_ms),
        "ended": record.ended.value,
        "fault": record.fault.letter if record.fault is not None else None,
        "reason": record.reason,
    }
    if record.result is not None:
        return {**result_document(record.result), **ended}
    return {
        "contract": None,
        "declarer": None,
        "tricks": None,
        "score": None,
        "tm_ms": None,
        "ns_ms": record.times_ms[Side.NS],
        "ew_ms": record.times_ms[Side.EW],
        **ended,
    }
