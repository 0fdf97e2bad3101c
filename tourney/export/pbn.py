"""Exports a match, or an event, as PBN: a game a board and room, the open room's first.

`ScoreIMP` is given once a board, in its last game, for North-South there, as is customary in the format. A board that
a ruling has decided has a game for each room, begun there or not, with the rulings in the tag `Ruling`, and in its
last game the IMPs of both sides, `NS 3 EW -3`. A board that was forfeited has the calls and cards up to then, no
result, and a `Termination` (PBN 2.1 section 4.1.8): `time forfeit` for one out of time or fallen silent, `rules
infraction` for too many illegal lines, `abandoned` for a program that was gone; `adjudication` where a ruling makes
the score of a finished board another than its result. The thinking time of every call and card is in the tables
AuctionTimeTable and PlayTimeTable (PBN 2.1 sections 5.4 and 5.8). What `tourney analyse` has solved has what can be
made in OptimumResultTable (section 5.7), par in OptimumScore, and the cards that cost their side tricks in
CardCostTable, one of our own.

A game of a pairs event is a table's, with the numbers of the pairs in PairNS and PairEW. Once all tables have played
a board its games have the scores, and its ScoreTable is in the first of them; the file of one table has it too. The
TotalScoreTable is in the first game of its stage. `all.pbn` goes board by board, and an event of several stages has
a file for each, for the boards of every stage are numbered from 1 (`pairs_tables`).

Rubber bridge and Chicago are played at one table, so there is no room; what is on the score sheet is in tags
(`game_tags`).
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Final, Literal, NamedTuple, TextIO

from tourney.bridge import Side
from tourney.export.files import PROGRAM, match_file_stem, replace_file
from tourney.export.game_tags import game_tags, sheet_of
from tourney.export.pairs_tables import SCORINGS, pair_numbers, pairs_tags, score_table, total_score_table
from tourney.export.registry import ExportRequest
from tourney.formats.pbn import PbnRecord, PbnTable, format_header, format_record, format_records
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, CallMade
from tourney.report.rulings import describe_ruling
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.travellers import StageTravellers
from tourney.scoring.double_dummy import CardCost
from tourney.scoring.games import GameKind
from tourney.store.draw.objects import BoardRecord, CardColumns, EventInfo, MatchInfo
from tourney.store.rulings import RulingInfo
from tourney.times import utc

_ROOMS: Final[dict[Room, Literal["Open", "Closed"]]] = {Room.OPEN: "Open", Room.CLOSED: "Closed"}
TERMINATIONS: Final = {
    BoardEnd.TIME: "time forfeit",
    BoardEnd.STALL: "time forfeit",
    BoardEnd.ILLEGAL: "rules infraction",
    BoardEnd.DISCONNECT: "abandoned",
    BoardEnd.CRASH: "abandoned",
}
"""PBN's names for ends other than by the rules of the game."""

_SCORINGS: Final = {
    None: "IMP",
    GameKind.RUBBER: "Rubber",
    GameKind.CHICAGO: "Chicago",
    GameKind.MINIBRIDGE: "Minibridge",
}
"""PBN's names for how a board is scored. It has none for Russian or Estonian scoring, nor for Minibridge."""

_HEADER: Final = format_header(PROGRAM)


@dataclass(frozen=True, slots=True)
class Comparisons:
    """What the games of pairs need to know of other tables; empty in a team event."""

    stages: Mapping[int, StageTravellers] = dataclasses.field(default_factory=dict)
    """The pairs stages, by number."""
    totals: Mapping[int, PbnTable] = dataclasses.field(default_factory=dict)
    """Their TotalScoreTables, by number."""


_NOTHING_COMPARED: Final = Comparisons()


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes a file for each match that has a finished board, and one of all; or the file of the only match."""
    compared = _compare(request)
    if request.match is not None:
        yield write_match_pbn(next(match_texts(request.event, request.played(), compared)), request.folder)
        return
    texts = match_texts(request.event, request.played(_in_order(request)), compared)
    yield from write_event_pbn(texts, request.folder, compared)


def _compare(request: ExportRequest) -> Comparisons:
    numbers = pair_numbers(request.event)
    totals = {stage: total_score_table(found, numbers) for stage, found in request.travellers.items()}
    return Comparisons(request.travellers, totals)


def _in_order(request: ExportRequest) -> Sequence[MatchInfo]:
    """Returns the matches in the order of work: in pairs events those with the same boards after each other."""
    if not request.travellers:
        return request.matches
    return sorted(request.matches, key=lambda match: (match.stage, match.board_set_id, match.number))


class GameText(NamedTuple):
    """A game of a match of pairs, to be put together with those of other tables."""

    board: int
    alone: str
    """The game with the tables of its board, as in the file of its match."""
    record: PbnRecord
    """The same without these."""
    tables: tuple[PbnTable, ...]
    """The tables of its board."""


class MatchText(NamedTuple):
    """The games of a match as a file, ready to be written."""

    stem: str
    """The name of the file, without the ending."""
    boards: int
    """Number of boards that all its tables have finished."""
    text: str
    stage: int = 1
    """The number of its stage."""
    board_set: int = 0
    """The id of its set of boards."""
    games: tuple[GameText, ...] = ()
    """In pairs events: its games."""


def match_texts(
    event: EventInfo, played: Iterable[PlayedMatch], compared: Comparisons = _NOTHING_COMPARED
) -> Iterator[MatchText]:
    """Yields each match as a file."""
    for match in played:
        info = match.match
        stage = compared.stages.get(info.stage)
        records = match_records(event, match, stage)
        games = tuple(_game_texts(event, records, stage)) if stage is not None else ()
        text = (
            _HEADER + ("".join(game.alone for game in games) or "\r\n") if games else format_records(records, PROGRAM)
        )
        yield MatchText(match_file_stem(info), len(match.boards), text, info.stage, info.board_set_id, games)


def _game_texts(event: EventInfo, records: Iterable[PbnRecord], stage: StageTravellers) -> Iterator[GameText]:
    for record in records:
        traveller = stage.by_board.get(record.board.number)
        tables = (score_table(stage, traveller, pair_numbers(event)),) if traveller is not None else ()
        alone = format_record(replace(record, tables=tables))
        yield GameText(record.board.number, alone, record, tables)


def write_event_pbn(
    texts: Iterable[MatchText], folder: Path, compared: Comparisons = _NOTHING_COMPARED
) -> Iterator[Path]:
    """Writes a file for each match that has a finished board, and `all.pbn` with all games; yields the paths.

    In pairs events `all.pbn` goes board by board, and an event of several pairs stages has a file
    `stage-1.pbn` and so on for each.

    Args:
        texts: the matches; in pairs events those with the same set of boards after each other.
        folder: where the files go.
        compared: what is known of pairs.

    Raises:
        LaunchError: a file cannot be written.
    """
    stages = sorted(compared.stages) if len(compared.stages) > 1 else []
    with ExitStack() as stack:
        paths = {None: folder / "all.pbn"} | {stage: folder / f"stage-{stage}.pbn" for stage in stages}
        files = {key: stack.enter_context(replace_file(path)) for key, path in paths.items()}
        for file in files.values():
            file.write(_HEADER)
        empty = set(files)
        totals = dict(compared.totals)
        for (stage, _), matches in groupby(texts, key=lambda match: (match.stage, match.board_set)):
            games: list[GameText] = []
            for match in matches:
                if match.boards:
                    yield write_match_pbn(match, folder)
                    games += match.games
                    if not match.games:
                        files[None].write(match.text.removeprefix(_HEADER))
                        empty.discard(None)
            for key in (None, stage) if stage in files else (None,):
                if games:
                    total = totals.get(stage)
                    files[key].write("".join(_board_by_board(games, total)))
                    empty.discard(key)
            if games:
                totals.pop(stage, None)
        for key in empty:
            files[key].write("\r\n")
    yield from paths.values()


def _board_by_board(games: Sequence[GameText], total: PbnTable | None) -> Iterator[str]:
    """Yields the games of a set of boards, board by board; the first of each has the tables."""
    told = set[int]()
    for game in sorted(games, key=lambda game: game.board):
        tables = game.tables if game.board not in told else ()
        if total is not None:
            tables, total = (*tables, total), None
        told.add(game.board)
        yield format_record(replace(game.record, tables=tables))


def write_pbn(request: ExportRequest, path: Path) -> None:
    """Writes all games of a team event into one file, match by match.

    Raises:
        LaunchError: it cannot be written.
        StoreError: the database cannot be used.
    """
    texts = match_texts(request.event, request.played())
    games = "".join(match.text.removeprefix(_HEADER) for match in texts if match.boards)
    with replace_file(path) as file:
        file.write(_HEADER + (games or "\r\n"))


def write_match_pbn(match: MatchText, folder: Path) -> Path:
    """Writes the file of one match, without a game when no board is finished; returns its path.

    Raises:
        LaunchError: it cannot be written.
    """
    path = folder / f"{match.stem}.pbn"
    file: TextIO
    with replace_file(path) as file:
        file.write(match.text)
    return path


def match_records(
    event: EventInfo, played: PlayedMatch, stage: StageTravellers | None = None
) -> tuple[PbnRecord, ...]:
    """Returns the games of a match, in the order of the file; `stage` is its own if it is one of pairs."""
    rulings = {line.number: line.rulings for line in played.card.boards}
    sheet = sheet_of(played)
    of_game = game_tags(sheet) if sheet is not None else {}
    games = []
    for board in played.boards:
        ruled = rulings[board.board.number]
        # A board that was decided by a ruling is there, with its IMPs, although nobody may have begun it.
        rooms = list(board.tables) if ruled else list(board.records)
        records = [_game(event, played, board, room, ruled, is_last=room is rooms[-1]) for room in rooms]
        if sheet is not None:
            records = [replace(record, room=None, tags=of_game.get(record.board.number, ())) for record in records]
        games += records if stage is None else [_at_pairs(event, played.match, record, stage) for record in records]
    return tuple(games)


def _at_pairs(event: EventInfo, match: MatchInfo, record: PbnRecord, stage: StageTravellers) -> PbnRecord:
    """Returns a game as pairs events have it: no room, no teams, and scores against the other tables."""
    traveller = stage.by_board.get(record.board.number)
    line = next((line for line in traveller.lines if line.match.number == match.number), None) if traveller else None
    return replace(
        record,
        room=None,
        home_team="",
        visit_team="",
        table=str(stage.tables[match.number]),
        scoring=SCORINGS[stage.scoring],
        imps_ns=None,
        imps_ew=None,
        tags=tuple(pairs_tags(stage, match, line, pair_numbers(event))),
    )


def _game(
    event: EventInfo,
    played: PlayedMatch,
    board: PlayedBoard,
    room: Room,
    rulings: Sequence[RulingInfo],
    *,
    is_last: bool,
) -> PbnRecord:
    match, record = played.match, board.records.get(room)
    scale = match.board_scale
    table = board.tables[room]
    figures = _figures(match, board, room) if is_last and match.game is None else None
    imps = figures if not scale.is_board_a_match else None
    points = tuple(map(scale.format, figures)) if figures is not None and scale.is_board_a_match else None
    calls, play = (record.calls, record.play) if record is not None else ((), CardColumns())
    return PbnRecord(
        event=event.name,
        site="",
        date=utc(record.began_at_ms).date() if record is not None else None,
        board=board.board,
        names=played.names_at(table, record.began_at_ms if record is not None else None),
        is_of_programs=not match.format.is_lobby,
        calls=tuple([(call.call, _alert(call)) for call in calls]),
        cards=tuple(zip(play.seats, play.cards, strict=True)),
        result=record.result.result if record is not None and record.result is not None else None,
        room=_ROOMS[room],
        home_team=match.home,
        visit_team=match.away,
        round=str(match.round),
        stage=event.stage_of(match).name,
        table=str(match.number),
        scoring="BAM" if scale.is_board_a_match else _SCORINGS[match.format.game],
        imps_ns=imps[0] if imps is not None else None,
        imps_ew=imps[1] if imps is not None and rulings else None,
        points_ns=points[0] if points is not None else None,
        points_ew=points[1] if points is not None and rulings else None,
        ruling="; ".join(describe_ruling(ruling, with_match=False) for ruling in rulings),
        termination=_termination(record, rulings, room),
        makeable=board.analysis.worth.table if board.analysis is not None else None,
        par_ns=board.analysis.worth.par_ns if board.analysis is not None else None,
        call_ms=tuple([call.thinking_ms for call in calls]),
        card_ms=tuple(play.thinking_ms),
        costs=_costs(board, room) if record is not None else None,
    )


def _costs(board: PlayedBoard, room: Room) -> tuple[CardCost, ...] | None:
    play = board.analysis.play(room) if board.analysis is not None else None
    return tuple(CardCost(cost.number, cost.tricks) for cost in play.costs) if play is not None else None


def _figures(match: MatchInfo, board: PlayedBoard, room: Room) -> tuple[int, int]:
    """Returns the IMPs or figures of another scale of North-South and of East-West in a room."""
    imps = board.imps, board.imps_away
    return imps if board.tables[room].side_of(match.home) is Side.NS else (imps[1], imps[0])


def _termination(record: BoardRecord | None, rulings: Sequence[RulingInfo], room: Room) -> str:
    if record is not None and record.result is None:
        return TERMINATIONS[record.ended]
    is_ruled = any(ruling.room in (room, None) for ruling in rulings)
    return "adjudication" if is_ruled or record is None else "normal"


def _alert(call: CallMade) -> str | None:
    """Returns the text of an alert, or of information given without one; None if there is neither."""
    return call.alert if call.alerted or call.alert else None
