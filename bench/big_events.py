"""Makes a large double round robin on record, to measure the commands that read it."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from bench.events import teams_text
from bench.made_events import MadeBoard, MadeTable, MatchFiller, hash_board, make_board
from tourney.bridge import PASS, Bid, Board, BoardInPlay, Side, Strain, format_deal
from tourney.config import parse_event_file
from tourney.contest.draw import MatchInfo
from tourney.coordinator.draw import ensure_drawn
from tourney.event.file import EventFile
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardBegan, BoardEnd, BoardEnded, CallMade, CardPlayed, TableRecord
from tourney.runtime.parallel import side_by_side
from tourney.scoring.imps import imps
from tourney.scoring.match import BoardComparison, MatchScore, score_match
from tourney.scoring.victory_points import VpScale
from tourney.store.db.database import Database
from tourney.store.record.hash_chain import RESULT, board_text
from tourney.store.results.matches import load_match_boards

BEGINS_AT_MS: Final = 1_790_000_000_000
"""When the first board of every table begins: 2026-09-21T14:13:20Z."""

THINKING_MS: Final = 50
"""Thinking time of each call and card."""

WAYS: Final = 2
"""How many ways a board is played in: one at most tables, another at the rest."""


class PlayedRound(NamedTuple):
    """The boards and tables of one played round."""

    ways: Sequence[Sequence[MadeBoard]]
    """The boards of the round, played in each way."""
    tables: Sequence[MadeTable]


def make_event(folder: Path, teams: int, boards: int) -> EventFile:
    """Draws an event in a folder and records all of it as played.

    Another process plays and computes the hashes while this one writes the rows.

    Raises:
        TourneyError: the folder or its database cannot be used.
    """
    folder.mkdir()
    text = (
        f'[event]\nname = "{teams} teams"\n{teams_text(teams)}[[stage]]\nformat = "double-round-robin"\n'
        f"boards_per_match = {boards}\n[deals]\nseed = 1\n"
    )
    file = EventFile(folder / "event.toml", parse_event_file(text, "event.toml"))
    file.path.write_text(text, encoding="utf-8")
    with closing(Database(file.database_url)) as database:
        event = ensure_drawn(file, database, BEGINS_AT_MS)
        (scale,) = file.scales.values()
        assert scale is not None
        rounds = [
            (
                load_match_boards(database, round_.matches[0]),
                [table.id for match in round_.matches for table in match.tables],
            )
            for round_ in event.rounds
        ]
        with MatchFiller.open(database) as filler:
            for round_, played in zip(event.rounds, side_by_side(play_rounds, rounds, 1), strict=True):
                boards_made = [board for way in played.ways for board in way]
                score = partial(_score, scale=scale, ways=played.ways)
                filler.fill(round_.matches, boards_made, played.tables, score, BEGINS_AT_MS)
    return file


def play_rounds(rounds: Iterable[tuple[Sequence[Board], Sequence[int]]]) -> Iterator[PlayedRound]:
    """Plays rounds, each given by its boards and the ids of its tables."""
    for boards, table_ids in rounds:
        ways = [[make_board(play_board(board, way)) for board in boards] for way in range(WAYS)]
        texts = [
            board_text(
                *(board.number, board.dealer.letter, board.vulnerability.value, format_deal(board.deal)), makes=None
            )
            for board in boards
        ]
        tables = []
        for table_id in table_ids:
            chosen = [_way(table_id, place) for place in range(len(boards))]
            hashes = [hash_board(table_id, ways[way][place], texts[place]) for place, way in enumerate(chosen)]
            places = [way * len(boards) + place for place, way in enumerate(chosen)]
            tables.append(MadeTable(table_id, places, hashes))
        yield PlayedRound(ways, tables)


def _score(match: MatchInfo, scale: VpScale, ways: Sequence[Sequence[MadeBoard]]) -> MatchScore:
    comparisons = []
    for place in range(match.boards):
        tables = match.tables_at(place)
        boards = {room: ways[_way(tables[room].id, place)][place] for room in Room}
        opened, closed = (boards[room].result[RESULT.index("score_ns")] for room in Room)
        won = imps(opened - closed if tables[Room.OPEN].side_of(match.home) is Side.NS else closed - opened)
        comparisons.append(BoardComparison(boards[Room.OPEN].number, won, -won))
    return score_match(comparisons, scale)


def _way(table_id: int, place: int) -> int:
    """Returns which way a table plays a board, 0 or 1, so that IMPs are won and lost."""
    return int((table_id * 31 + place * 17) % 7 == 0)


def play_board(board: Board, way: int) -> list[TableRecord]:
    """Returns the records of a board that dealer plays in 1NT, everybody playing the highest or the lowest card."""
    in_play, now_ms = BoardInPlay(board), BEGINS_AT_MS
    spent_ms = {Side.NS: 0, Side.EW: 0}
    records: list[TableRecord] = [BoardBegan(board.number, now_ms)]
    while (turn := in_play.turn) is not None:
        actor = in_play.actor
        assert actor is not None
        spent_ms[actor.side] += THINKING_MS
        now_ms += THINKING_MS
        if in_play.play is None:
            seq = len(in_play.auction.calls)
            call = PASS if seq else Bid(1, Strain.NOTRUMP)
            made = CallMade(
                board=board.number,
                seq=seq,
                seat=turn,
                call=call,
                alert="",
                alerted=False,
                thinking_ms=THINKING_MS,
                at_ms=now_ms,
            )
            records.append(made)
            in_play.add_call(call)
        else:
            card = in_play.play.legal_cards()[-way]
            records.append(
                CardPlayed(
                    board=board.number,
                    seq=len(in_play.play.cards),
                    seat=turn,
                    card=card,
                    thinking_ms=THINKING_MS,
                    at_ms=now_ms,
                )
            )
            in_play.add_card(card)
    ended = BoardEnded(
        board=board.number,
        end=BoardEnd.PLAYED,
        reason="",
        result=in_play.result,
        ns_ms=spent_ms[Side.NS],
        ew_ms=spent_ms[Side.EW],
        at_ms=now_ms,
    )
    return [*records, ended]
