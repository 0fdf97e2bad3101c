"""Exports an event, or one of its matches, as one JSON file: UTF-8, a line a match.

`EventDocument` says what is in it; the JSON Schema that `tourney export --schema` prints is derived from that type.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from tourney.bridge import Side, format_deal
from tourney.export.files import PROGRAM, replace_file
from tourney.export.game_tags import sheet_of
from tourney.export.registry import ExportRequest
from tourney.output.rows import Unit, document_of
from tourney.output.times import format_utc
from tourney.output.units import (
    ByRoom,
    CallText,
    CardText,
    ContractText,
    DealText,
    FinalEnd,
    Milliseconds,
    SeatLetter,
    Time,
    Tricks,
    VulnerabilityName,
)
from tourney.report.analysis import AnalysisDocument, analysis_document
from tourney.report.figures import BoardPointsDocument, board_points, imps_of
from tourney.report.match import (
    ForfeitDocument,
    ScoreDocument,
    SheetPartDocument,
    forfeit_documents,
    result_document,
    score_document,
    sheet_part,
)
from tourney.report.rulings import IncidentDocument, RulingDocument, incident_row, ruling_row
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
from tourney.report.travellers import PlayedTravellerDocument, traveller_document
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.standings import Standings
from tourney.results.travellers import StageTravellers
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.pairs.field import PairsScoring
from tourney.store.draw.objects import BoardRecord, EventInfo


class CallDocument(TypedDict):
    """A call."""

    seat: SeatLetter
    """The seat that called."""
    call: CallText
    """The call, such as 1NT, Pass, X or XX."""
    alerted: bool
    """Whether the call was alerted."""
    alert: str
    """The explanation from the player, or from the operator; empty where there is none."""
    thinking_ms: Milliseconds
    """Thinking time in milliseconds."""
    at: Time
    """When the call was made."""
    substituted: bool
    """Whether the table made the call in the player's place."""


class CardDocument(TypedDict):
    """A card."""

    seat: SeatLetter
    """The hand the card came from: dummy for dummy's cards."""
    card: CardText
    """The card: rank, then suit, such as QD."""
    thinking_ms: Milliseconds
    """Thinking time in milliseconds."""
    at: Time
    """When the card was played."""
    substituted: bool
    """Whether the table played the card in the player's place."""


class _EndDocument(TypedDict):
    attempt: int
    """Which attempt at the board in this room it was, from 1."""
    began_at: Time
    """When the attempt began."""
    ended: FinalEnd
    """How the board ended: by the rules, or, from `time` on, forfeited by one side."""
    fault: SeatLetter | None
    """The seat at fault where the board was forfeited, else null."""
    reason: str
    """Why the attempt ended as it did, in a sentence; empty when it ended by the rules."""


class TableRecordDocument(_EndDocument):
    """How a board went in one room; its result is null where it was forfeited."""

    contract: ContractText | None
    """The contract, such as 4SX, or Pass."""
    declarer: SeatLetter | None
    """The declarer; null too when the board was passed out."""
    tricks: Tricks | None
    """Tricks won by declarer's side; null too when the board was passed out."""
    score: int | None
    """The score of North-South in points."""
    ns_ms: Milliseconds
    """Thinking time of North-South in milliseconds."""
    ew_ms: Milliseconds
    """Thinking time of East-West in milliseconds."""
    tm_ms: Milliseconds | None
    """Time that the table itself took, in milliseconds; null where there is no result."""


class PlayedBoardDocument(TableRecordDocument):
    """A board as it was played in one room, with the calls and cards made up to its end."""

    calls: list[CallDocument]
    """The calls in order."""
    cards: Annotated[list[CardDocument], Unit("In the order of play.", maxItems=52)]
    """The cards in the order of play."""


class BoardDocument(BoardPointsDocument):
    """A board that both rooms have finished."""

    board: int
    """The number of the board."""
    dealer: SeatLetter
    """The dealer."""
    vulnerable: VulnerabilityName
    """Which sides are vulnerable."""
    deal: DealText
    """The four hands in PBN, from North, suits from spades to clubs."""
    imps: int | None
    """IMPs of the home team, negative when it lost them; null where boards are scored in points, and at pairs, like
    the next one."""
    imps_away: int | None
    """IMPs of the away team: the opposite, unless the score was adjusted."""
    cancelled: bool
    """Whether the board counts for nobody; its IMPs are 0 then."""
    forfeits: list[ForfeitDocument]
    """The teams that forfeited the board, by room."""
    rooms: ByRoom[PlayedBoardDocument | None]
    """The board in each room; null for a room in which it was not begun."""
    analysis: AnalysisDocument | None
    """The double-dummy analysis; null for a board that has not been solved."""


class MatchDocument(ScoreDocument, CarryDocument, SheetPartDocument):
    """A match as far as it has been played."""

    match: int
    """The number of the match."""
    round: int
    """The number of the round, counted through the event."""
    home: str
    """The name of the home team."""
    away: str
    """The name of the away team."""
    third_place: bool
    """Whether it is the match for third place of a knockout."""
    rooms: ByRoom[DirectionsDocument]
    """Which team sits in which direction, in the first segment."""
    segments: list[SegmentDocument]
    """The segments in the order of play, extra boards of a level match last."""
    boards_in_match: int
    """The number of boards in the match."""
    rulings: list[RulingDocument]
    """The rulings on the match, withdrawn ones included."""
    incidents: list[IncidentDocument]
    """The incidents at its tables."""
    boards: list[BoardDocument]
    """The boards that both rooms have finished."""


class ExportedRoundDocument(RoundHeadDocument):
    """A round."""

    matches: list[int]
    """The numbers of its matches."""


class StageTravellersDocument(TypedDict):
    """The travellers of a stage of pairs."""

    stage: str
    """The name of the stage."""
    scoring: PairsScoring
    """How results are compared."""
    results_expected: int | None
    """The number of results that every board is scored to; null where it is the most that any board has."""
    boards: list[PlayedTravellerDocument]
    """The boards by number, once all tables have played them."""


class EventHeadDocument(TypedDict):
    """An event without its matches."""

    program: str
    """The program and version that wrote the file."""
    event: str
    """The name of the event."""
    stages: list[StageDocument]
    """The stages in the order of play."""
    seed: str | None
    """The seed of the deals; null until every match is over, here and in every event of the database with the same
    seed, because it gives away deals still to be played."""
    teams: list[NumberedTeamDocument]
    """The teams in the order of the draw."""
    rounds: list[ExportedRoundDocument]
    """The rounds in the order of play."""
    final: Time | None
    """When the results were made final; null while they are provisional."""
    standings: list[StandingDocument]
    """The ranking, best team first; with several stages or groups, by how far teams have come."""
    fields: list[FieldHeadDocument]
    """A ranking for each stage and group; empty in an event of one stage without groups."""
    rulings: list[RulingDocument]
    """The rulings that are not on a match."""
    travellers: NotRequired[list[StageTravellersDocument]]
    """At pairs: the boards that count of each stage, with the result of every table and what it is worth."""


class EventDocument(EventHeadDocument):
    """What `tourney export --format json` writes: an event, or one of its matches, with every call and card.

    Further fields may come with later versions; those that are here stay.
    """

    matches: list[MatchDocument]
    """The matches that have been drawn, by number."""


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes `event.json`, or a file named after the only match."""
    path = request.folder / f"{request.stem}.json"
    seed = request.hidden.shown_seed(request.event)
    travellers = list(request.travellers.values()) if request.match is None else []
    write_json(request.event, request.standings, request.played(), path, seed, travellers)
    yield path


def write_json(
    event: EventInfo,
    standings: Standings,
    played: Iterable[PlayedMatch],
    path: Path,
    seed: str | None,
    travellers: Sequence[StageTravellers] = (),
) -> None:
    """Writes an `EventDocument`.

    Args:
        event: the event.
        standings: its standings.
        played: its matches.
        path: where the file goes.
        seed: the seed of the deals; None if it must not be known yet.
        travellers: the stages of pairs with their boards.

    Raises:
        LaunchError: the file cannot be written.
    """
    head = json.dumps(_head(event, standings, seed, travellers), ensure_ascii=False, default=document_of)
    with replace_file(path) as file:
        # Match by match: a long event need not fit into memory.
        file.write(f'{head.removesuffix("}")}, "matches": [')
        for index, match in enumerate(played):
            file.write(",\n" if index else "\n")
            json.dump(_match(match), file, ensure_ascii=False, default=document_of)
        file.write("\n]}\n")


def _head(
    event: EventInfo, standings: Standings, seed: str | None, travellers: Sequence[StageTravellers]
) -> EventHeadDocument:
    ranking = standings_document(standings)
    head: EventHeadDocument = {
        "program": PROGRAM,
        "event": event.name,
        "stages": [stage_document(stage) for stage in event.stages],
        "seed": seed if standings.is_over else None,
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
        "rulings": [ruling_row(ruling) for ruling in standings.rulings if ruling.match is None],
    }
    if travellers:
        head["travellers"] = [
            {
                "stage": stage.stage.name,
                "scoring": stage.scoring,
                "results_expected": stage.expected,
                "boards": [traveller_document(traveller) for traveller in stage.travellers],
            }
            for stage in travellers
        ]
    return head


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
        **score_document(played.card, is_cancelled=played.is_cancelled),
        "rulings": [ruling_row(ruling) for ruling in played.card.rulings],
        "incidents": list(map(incident_row, played.incidents)),
        "boards": [_board(board, match.compared_scale) for board in played.boards],
        **sheet_part(sheet_of(played)),
    }


def _board(played: PlayedBoard, scale: BoardScale | None) -> BoardDocument:
    board = played.board
    return {
        "board": board.number,
        "dealer": board.dealer.letter,
        "vulnerable": board.vulnerability.value,
        "deal": format_deal(board.deal),
        "imps": imps_of(scale, played.imps),
        "imps_away": imps_of(scale, played.imps_away),
        **board_points(scale, played.imps, played.imps_away),
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
