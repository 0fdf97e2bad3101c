"""Exports an event, or one of its matches, as one JSON file: UTF-8, a line a match.

`EventDocument` says what is in it; the JSON Schema that `tourney export --schema` prints is derived from that type.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from tourney.bridge import Call, Side
from tourney.export.files import PROGRAM, replace_file
from tourney.export.game_tags import sheet_of
from tourney.export.request import ExportRequest
from tourney.output.rows import ABSENT, INLINE, Row, Unit, document_of
from tourney.output.units import (
    ByRoom,
    CallText,
    CardUnit,
    DealUnit,
    FinalEnd,
    Milliseconds,
    Moment,
    SeatUnit,
    VulnerabilityName,
)
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.pairs.field import PairsScoring
from tourney.store.draw.objects import BoardRecord
from tourney.views.analysis import AnalysisDocument, analysis_row
from tourney.views.figures import BoardFigures, board_figures
from tourney.views.match import ForfeitDocument, ScoreDocument, forfeit_rows, score_row
from tourney.views.outcome import PlayedDocument, played_row
from tourney.views.rulings import IncidentDocument, RulingDocument, incident_row, ruling_row
from tourney.views.schedule import (
    CarryDocument,
    DirectionsDocument,
    NumberedTeamDocument,
    RoundHeadDocument,
    SegmentDocument,
    StageDocument,
    directions_of,
    round_head,
    segment_rows,
    stage_row,
    team_rows,
)
from tourney.views.score_sheet import SheetDocument, sheet_row
from tourney.views.standings import FieldHeadDocument, StandingDocument, field_head, ranking_rows
from tourney.views.travellers import PlayedTravellerDocument, traveller_row


class CallDocument(Row, kw_only=True):
    """A call."""

    seat: SeatUnit
    """The seat that called."""
    call: Annotated[Call, Unit(form=CallText, json=str)]
    """The call, such as 1NT, Pass, X or XX."""
    alerted: bool
    """Whether the call was alerted."""
    alert: str
    """The explanation from the player, or from the operator; empty where there is none."""
    thinking_ms: Milliseconds
    """Thinking time in milliseconds."""
    at: Moment
    """When the call was made."""
    substituted: bool
    """Whether the table made the call in the player's place."""


class CardDocument(Row, kw_only=True):
    """A card."""

    seat: SeatUnit
    """The hand the card came from: dummy for dummy's cards."""
    card: CardUnit
    """The card: rank, then suit, such as QD."""
    thinking_ms: Milliseconds
    """Thinking time in milliseconds."""
    at: Moment
    """When the card was played."""
    substituted: bool
    """Whether the table played the card in the player's place."""


class PlayedBoardDocument(Row, kw_only=True):
    """A board as it was played in one room, with the calls and cards made up to its end.

    Its result is null where it was forfeited.
    """

    played: Annotated[PlayedDocument | None, INLINE]
    ns_ms: Milliseconds
    """Thinking time of North-South in milliseconds."""
    ew_ms: Milliseconds
    """Thinking time of East-West in milliseconds."""
    tm_ms: Milliseconds | None
    """Time that the table itself took, in milliseconds; null where there is no result."""
    attempt: int
    """Which attempt at the board in this room it was, from 1."""
    began_at: Moment
    """When the attempt began."""
    ended: FinalEnd
    """How the board ended: by the rules, or, from `time` on, forfeited by one side."""
    fault: SeatUnit | None
    """The seat at fault where the board was forfeited, else null."""
    reason: str
    """Why the attempt ended as it did, in a sentence; empty when it ended by the rules."""
    calls: list[CallDocument]
    """The calls in order."""
    cards: Annotated[list[CardDocument], Unit("In the order of play.", maxItems=52)]
    """The cards in the order of play."""


class BoardDocument(Row, kw_only=True):
    """A board that both rooms have finished."""

    board: int
    """The number of the board."""
    dealer: SeatUnit
    """The dealer."""
    vulnerable: VulnerabilityName
    """Which sides are vulnerable."""
    deal: DealUnit
    """The four hands in PBN, from North, suits from spades to clubs."""
    figures: Annotated[BoardFigures, INLINE]
    cancelled: bool
    """Whether the board counts for nobody; its IMPs are 0 then."""
    forfeits: list[ForfeitDocument]
    """The teams that forfeited the board, by room."""
    rooms: ByRoom[PlayedBoardDocument | None]
    """The board in each room; null for a room in which it was not begun."""
    analysis: AnalysisDocument | None
    """The double-dummy analysis; null for a board that has not been solved."""


class MatchDocument(Row, kw_only=True):
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
    carry: Annotated[CarryDocument, INLINE]
    boards_in_match: int
    """The number of boards in the match."""
    score: Annotated[ScoreDocument, INLINE]
    rulings: list[RulingDocument]
    """The rulings on the match, withdrawn ones included."""
    incidents: list[IncidentDocument]
    """The incidents at its tables."""
    boards: list[BoardDocument]
    """The boards that both rooms have finished."""
    sheet: SheetDocument = ABSENT
    """The score sheet of a match of rubber bridge or Chicago. Its boards are in the open room, and their IMPs are the
    points that each side wrote, premiums for what was unfinished at the end included."""


class ExportedRoundDocument(Row):
    """A round."""

    head: Annotated[RoundHeadDocument, INLINE]
    matches: list[int]
    """The numbers of its matches."""


class StageTravellersDocument(Row):
    """The travellers of a pairs stage."""

    stage: str
    """The name of the stage."""
    scoring: PairsScoring
    """How results are compared."""
    results_expected: int | None
    """The number of results that every board is scored to; null where it is the most that any board has."""
    boards: list[PlayedTravellerDocument]
    """The boards by number, once all tables have played them."""


class EventHeadDocument(Row, kw_only=True):
    """An event without its matches."""

    program: str
    """The program and version that wrote the file."""
    event: str
    """The name of the event."""
    stages: list[StageDocument]
    """The stages in the order of play."""
    seed: str | None
    """The seed of the deals; null until every match has finished, here and in every event of the database with
    the same seed, because it gives away deals still to be played."""
    teams: list[NumberedTeamDocument]
    """The teams in the order of the draw."""
    rounds: list[ExportedRoundDocument]
    """The rounds in the order of play."""
    final: Moment | None
    """When the results were made final; null while they are provisional."""
    standings: list[StandingDocument]
    """The ranking, best team first; with several stages or groups, by how far teams have come."""
    fields: list[FieldHeadDocument]
    """A ranking for each stage and group; empty in an event of one stage without groups."""
    rulings: list[RulingDocument]
    """The rulings that are not on a match."""
    travellers: list[StageTravellersDocument] = ABSENT
    """In pairs events: the boards that count of each stage, with the result of every table and what it is worth."""


class EventDocument(EventHeadDocument, kw_only=True):
    """What `tourney export --format json` writes: an event, or one of its matches, with every call and card.

    Further fields may come with later versions; those that are here stay.
    """

    matches: list[MatchDocument]
    """The matches that have been drawn, by number."""


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes `event.json`, or a file named after the only match."""
    path = request.folder / f"{request.stem}.json"
    head = json.dumps(document_of(_head(request)), ensure_ascii=False)
    with replace_file(path) as file:
        # Match by match: a long event need not fit into memory.
        file.write(f'{head.removesuffix("}")}, "matches": [')
        for index, match in enumerate(request.played()):
            file.write(",\n" if index else "\n")
            json.dump(document_of(match_row(match)), file, ensure_ascii=False)
        file.write("\n]}\n")
    yield path


def _head(request: ExportRequest) -> EventHeadDocument:
    event, standings = request.event, request.standings
    return EventHeadDocument(
        program=PROGRAM,
        event=event.name,
        stages=list(map(stage_row, event.stages)),
        seed=request.hidden.shown_seed(event) if standings.is_over else None,
        teams=team_rows(event),
        rounds=[
            ExportedRoundDocument(round_head(round_), [match.number for match in round_.matches])
            for round_ in event.all_rounds
        ],
        final=standings.final_since_ms,
        standings=ranking_rows(standings),
        fields=list(map(field_head, standings.fields)),
        rulings=[ruling_row(ruling) for ruling in standings.rulings if ruling.match is None],
        travellers=[
            StageTravellersDocument(
                stage.stage.name, stage.scoring, stage.expected, list(map(traveller_row, stage.travellers))
            )
            for stage in request.travellers.values()
            if request.match is None
        ]
        or ABSENT,
    )


def match_row(played: PlayedMatch) -> MatchDocument:
    """Return a match with the boards that all its tables have finished."""
    match, sheet = played.match, sheet_of(played)
    return MatchDocument.from_attributes(
        match,
        match=match.number,
        third_place=match.is_third_place,
        rooms=directions_of(match),
        segments=segment_rows(match, [board.number for board in played.card.boards]),
        carry=CarryDocument(match.carry_home, match.carry_away),
        boards_in_match=len(played.card.boards),
        score=score_row(played.card, is_cancelled=played.is_cancelled),
        rulings=list(map(ruling_row, played.card.rulings)),
        incidents=list(map(incident_row, played.incidents)),
        boards=[_board(board, match.compared_scale) for board in played.boards],
        sheet=sheet_row(sheet) if sheet is not None else ABSENT,
    )


def _board(played: PlayedBoard, scale: BoardScale | None) -> BoardDocument:
    board, line = played.board, played.line
    return BoardDocument.from_attributes(
        board,
        board=board.number,
        vulnerable=board.vulnerability,
        figures=board_figures(scale, line.imps, line.imps_away),
        cancelled=line.is_cancelled,
        forfeits=forfeit_rows(line.forfeits),
        rooms={room: _played(played.records[room]) if room in played.records else None for room in line.tables},
        analysis=analysis_row(played.analysis) if played.analysis is not None else None,
    )


def _played(record: BoardRecord) -> PlayedBoardDocument:
    result = record.result
    return PlayedBoardDocument.from_attributes(
        record,
        played=played_row(result),
        ns_ms=record.times_ms[Side.NS],
        ew_ms=record.times_ms[Side.EW],
        tm_ms=result.tm_ms if result is not None else None,
        began_at=record.began_at_ms,
        calls=[CallDocument.from_attributes(call, at=call.at_ms) for call in record.calls],
        cards=[CardDocument.from_attributes(card, at=card.at_ms) for card in record.cards],
    )
