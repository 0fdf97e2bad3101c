"""A double round robin of many teams that nobody has played: made for measuring what reads the record of an event."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from tourney.benchmarks.events import teams_text
from tourney.bridge import PASS, Bid, Board, BoardInPlay, Side, Strain
from tourney.config import parse_event_file
from tourney.coordinator.drawing import ensure_drawn
from tourney.coordinator.event_file import EventFile
from tourney.movement.seating import Room
from tourney.protocol.records import BoardBegan, BoardEnd, BoardEnded, CallMade, CardPlayed, TableRecord
from tourney.scoring.match import compare_board, score_match
from tourney.scoring.victory_points import VpScale
from tourney.store.database import Database
from tourney.store.made_events import MadeBoard, MatchFiller, make_board
from tourney.store.objects import MatchInfo, StoredMatchScore
from tourney.store.results import load_match_boards

BEGINS_AT_MS: Final = 1_790_000_000_000
"""2026-09-21T14:13:20Z: when the first board of every table begins."""

THINKING_MS: Final = 50
"""About each call and card."""

WAYS: Final = 2
"""Each board is played in one way at most tables, and in another at the others."""


def make_event(folder: Path, teams: int, boards: int) -> EventFile:
    """Draw an event in a folder, and put all of it on record as played.

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
    database = Database(file.database_url)
    try:
        event = ensure_drawn(file, database, BEGINS_AT_MS)
        (scale,) = file.scales.values()
        assert scale is not None
        with MatchFiller.open(database) as filler:
            for round_ in event.rounds:
                _fill_round(filler, round_.matches, load_match_boards(database, round_.matches[0]), scale)
    finally:
        database.close()
    return file


def _fill_round(filler: MatchFiller, matches: Sequence[MatchInfo], boards: Sequence[Board], scale: VpScale) -> None:
    ways = [[play_board(board, way) for board in boards] for way in range(WAYS)]
    made = [[make_board(records) for records in way] for way in ways]
    scores = [[_score_ns(records) for records in way] for way in ways]

    def played(table_id: int) -> Iterator[MadeBoard]:
        return (made[_way(table_id, place)][place] for place in range(len(boards)))

    def score(match: MatchInfo) -> StoredMatchScore:
        comparisons = []
        for place, board in enumerate(boards):
            open_ns, closed_ns = (
                scores[_way(match.tables_at(place)[room].id, place)][place] for room in (Room.OPEN, Room.CLOSED)
            )
            home = {room: match.tables_at(place)[room].side_of(match.home) for room in Room}
            comparisons.append(
                compare_board(
                    board.number,
                    open_ns,
                    closed_ns,
                    home_open=home[Room.OPEN],
                    home_closed=home[Room.CLOSED],
                )
            )
        came_to = score_match(comparisons, scale)
        return StoredMatchScore(
            match.number,
            came_to.boards,
            came_to.imps_home,
            came_to.imps_away,
            came_to.vp_home,
            came_to.vp_away,
            came_to.lost_home,
            came_to.lost_away,
        )

    filler.fill(matches, played, score, BEGINS_AT_MS)


def _way(table_id: int, place: int) -> int:
    """How a board is played at a table, 0 or 1: not alike everywhere, so that IMPs are won and lost."""
    return int((table_id * 31 + place * 17) % 7 == 0)


def _score_ns(records: Iterable[TableRecord]) -> int:
    *_, ended = records
    assert isinstance(ended, BoardEnded)
    assert ended.result is not None
    return ended.result.score


def play_board(board: Board, way: int) -> list[TableRecord]:
    """The records of a board that dealer plays in one notrump: all with their highest cards, or the lowest."""
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
            made = CallMade(board.number, seq, turn, call, "", alerted=False, thinking_ms=THINKING_MS, at_ms=now_ms)
            records.append(made)
            in_play.add_call(call)
        else:
            card = in_play.play.legal_cards()[-way]
            records.append(CardPlayed(board.number, len(in_play.play.cards), turn, card, THINKING_MS, now_ms))
            in_play.add_card(card)
    ended = BoardEnded(
        board.number, BoardEnd.PLAYED, "", in_play.result, spent_ms[Side.NS], spent_ms[Side.EW], now_ms
    )
    return [*records, ended]
