"""Exports a match, or an event, as PBN: a game a board and room, the open room's first.

`ScoreIMP` is given once a board, in its last game, for North-South there, as is customary in the format. A board that
a ruling has decided has a game for each room, begun there or not, with the rulings in the tag `Ruling`, and in its
last game the IMPs of both sides, `NS 3 EW -3`. A board that was forfeited has the calls and cards up to then, no
result, and a `Termination` (PBN 2.1 section 4.1.8): `time forfeit` for one out of time or fallen silent, `rules
infraction` for too many illegal lines, `abandoned` for a program that was gone; `adjudication` where a ruling makes
the score of a finished board another than its result, or no cards are played. The thinking time of every call and
card is in the tables AuctionTimeTable and PlayTimeTable (PBN 2.1 sections 5.4 and 5.8). What has been solved has what
can be made in OptimumResultTable (section 5.7) and par in OptimumScore.

A game of a pairs event is a table's, with the numbers of the pairs in PairNS and PairEW. Once all tables have played
a board its games have the scores, and its ScoreTable is in the first of them; the file of one table has it too. The
TotalScoreTable is in the first game of its stage. `all.pbn` goes board by board, and an event of several stages has
a file for each, for the boards of every stage are numbered from 1 (`pairs_tables`).

Rubber bridge and Chicago are played at one table, so there is no room; what is on the score sheet is in tags
(`game_tags`).
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Final

from tourney.contest.draw import MatchInfo
from tourney.contest.record import Ruling
from tourney.export.files import PROGRAM, match_file_stem, replace_file, write_file
from tourney.export.game_tags import game_tags, sheet_of
from tourney.export.pairs_tables import SCORINGS, pair_numbers, pairs_tags, score_table, total_score_table
from tourney.export.request import ExportRequest
from tourney.formats.pbn.writer import (
    PbnRecord,
    PbnTable,
    both_sides,
    format_header,
    format_record,
    format_records,
)
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.travellers import StageTravellers
from tourney.store.draw.objects import BoardRecord, CardColumns, EventInfo
from tourney.times import utc
from tourney.views.rulings import describe_ruling

TERMINATIONS: Final = {
    BoardEnd.TIME: "time forfeit",
    BoardEnd.STALL: "time forfeit",
    BoardEnd.ILLEGAL: "rules infraction",
    BoardEnd.DISCONNECT: "abandoned",
    BoardEnd.CRASH: "abandoned",
}
"""PBN's names for ends other than by the rules of the game."""

_HEADER: Final = format_header(PROGRAM)


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes a file for each match that has a finished board, and one of all; or the file of the only match.

    In pairs events `all.pbn` goes board by board, and an event of several pairs stages has a file `stage-1.pbn` and
    so on for each.
    """
    event, folder, stages = request.event, request.folder, request.travellers
    if request.match is not None:
        played = next(request.played())
        yield _write_match(folder, played.match, match_records(event, played, stages.get(played.match.stage)))
        return
    paths = {0: folder / "all.pbn"}
    if len(stages) > 1:
        paths |= {stage: folder / f"stage-{stage}.pbn" for stage in sorted(stages)}
    totals = {number: total_score_table(stage, pair_numbers(event)) for number, stage in stages.items()}
    with ExitStack() as stack:
        files = {key: stack.enter_context(replace_file(path)) for key, path in paths.items()}
        for file in files.values():
            file.write(_HEADER)
        empty = set(files)
        order: Sequence[MatchInfo] = request.matches
        if request.travellers:  # those with the same boards after each other
            order = sorted(order, key=lambda match: (match.stage, match.board_set_id, match.number))
        matches = request.played(order)
        for (stage, _), found in groupby(matches, key=lambda each: (each.match.stage, each.match.board_set_id)):
            records: list[PbnRecord] = []
            for played in found:
                own = match_records(event, played, stages.get(stage))
                if own:
                    yield _write_match(folder, played.match, own)
                    records += own
            if stage in stages and records:
                records = list(_board_by_board(records, totals.pop(stage, None)))
            text = "".join(map(format_record, records))
            for key in {0, stage} & set(files) if text else ():
                files[key].write(text)
                empty.discard(key)
        for key in empty:
            files[key].write("\r\n")
    yield from paths.values()


def _board_by_board(records: Iterable[PbnRecord], total: PbnTable | None) -> Iterator[PbnRecord]:
    """Yields the games of a set of boards, board by board; the first of each has the tables."""
    for _, games in groupby(sorted(records, key=_number), key=_number):
        first, *others = games
        yield replace(first, tables=(*first.tables, total)) if total is not None else first
        total = None
        yield from (replace(game, tables=()) for game in others)


def _number(record: PbnRecord) -> int:
    return record.board.number


def _write_match(folder: Path, match: MatchInfo, records: Sequence[PbnRecord]) -> Path:
    """Writes the file of one match, without a game when no board is finished; returns its path."""
    path = folder / f"{match_file_stem(match)}.pbn"
    write_file(path, format_records(records, PROGRAM))
    return path


def match_records(
    event: EventInfo, played: PlayedMatch, stage: StageTravellers | None = None
) -> tuple[PbnRecord, ...]:
    """Returns the games of a match, in the order of the file; `stage` is its own if it is one of pairs."""
    sheet = sheet_of(played)
    of_game = game_tags(sheet) if sheet is not None else {}
    games = []
    for board in played.boards:
        # A board that was decided by a ruling is there, with its IMPs, although nobody may have begun it.
        rooms = list(board.line.tables if board.line.rulings else board.records)
        records = [_game(event, played, board, room, is_last=room is rooms[-1]) for room in rooms]
        if sheet is not None:
            records = [replace(record, room=None, tags=of_game.get(record.board.number, ())) for record in records]
        games += records if stage is None else [_at_pairs(event, played.match, record, stage) for record in records]
    return tuple(games)


def _at_pairs(event: EventInfo, match: MatchInfo, record: PbnRecord, stage: StageTravellers) -> PbnRecord:
    """Returns a game as pairs events have it: no room, no teams, and scores against the other tables."""
    traveller = stage.by_board.get(record.board.number)
    numbers = pair_numbers(event)
    line = next((line for line in traveller.lines if line.match.number == match.number), None) if traveller else None
    return replace(
        record,
        room=None,
        home_team="",
        visit_team="",
        table=str(stage.tables[match.number]),
        scoring=SCORINGS[stage.scoring],
        tags=tuple(pairs_tags(stage, match, line, numbers)),
        tables=(score_table(stage, traveller, numbers),) if traveller is not None else (),
    )


def _game(event: EventInfo, played: PlayedMatch, board: PlayedBoard, room: Room, *, is_last: bool) -> PbnRecord:
    match, record, rulings = played.match, board.records.get(room), board.line.rulings
    scale = match.board_scale
    table = board.line.tables[room]
    calls, play = (record.calls, record.play) if record is not None else ((), CardColumns())
    return PbnRecord(
        event=event.name,
        date=utc(record.began_at_ms).date() if record is not None else None,
        board=board.board,
        names=played.names_at(table, record.began_at_ms if record is not None else None),
        is_of_programs=not played.seated,
        # Information that was given without an alert is there too.
        calls=tuple([(call.call, call.alert if call.alerted or call.alert else None) for call in calls]),
        cards=tuple(zip(play.seats, play.cards, strict=True)),
        result=record.result.result if record is not None and record.result is not None else None,
        room=room.value.title(),
        home_team=match.home,
        visit_team=match.away,
        round=str(match.round),
        stage=event.stage_of(match).name,
        table=str(match.number),
        scoring=match.format.pbn_scoring(scale),
        tags=((scale.pbn_score, _score(match, board, room)),) if is_last else (),
        ruling="; ".join(describe_ruling(ruling, with_match=False) for ruling in rulings),
        termination=_termination(record, rulings, room),
        makeable=board.analysis.worth.table if board.analysis is not None else board.board.makes,
        par_ns=board.analysis.worth.par_ns if board.analysis is not None else None,
        call_ms=tuple([call.thinking_ms for call in calls]),
        card_ms=tuple(play.thinking_ms),
    )


def _score(match: MatchInfo, board: PlayedBoard, room: Room) -> str:
    """Returns the figures of a board, those of East-West where a ruling may have parted the two."""
    ns, ew = map(match.board_scale.format, board.figures_at(room, match.home))
    return both_sides(ns, ew if board.line.rulings else None)


def _termination(record: BoardRecord | None, rulings: Sequence[Ruling], room: Room) -> str:
    if record is not None and record.result is None:
        return TERMINATIONS[record.ended]
    is_ruled = any(ruling.room in (room, None) for ruling in rulings)
    is_unplayed = record is None or (record.ended is BoardEnd.PLAYED and record.board.makes is not None)
    return "adjudication" if is_ruled or is_unplayed else "normal"
