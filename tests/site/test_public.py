"""What the public sees of an event: boards that are over everywhere, results that are not frozen, no workings."""

from pathlib import Path

import pytest
from sqlalchemy import delete

from tests.support.event_conversation import converse
from tests.support.live_event import say_doing, set_state, take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.two_events import win
from tourney.bridge import Seat
from tourney.conditions.document import format_html
from tourney.config.values import LiveBoards
from tourney.config.web import WebConfig
from tourney.event.seal import SEAL_FILE, seal_event
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import RulingKind
from tourney.site.public import PublicView
from tourney.store.models import BoardAttempt, CallRow, CardRow
from tourney.store.record.live import load_boards_under_way
from tourney.store.rulings import FinalisationInfo, save_finalisation

NOW_MS = BEGINS_AT_MS + 3_600_000
EVERYTHING = WebConfig()
FREEZE = WebConfig(freeze_rounds=1)


def view_of(played: PlayedEvent, rules: WebConfig = EVERYTHING) -> PublicView:
    played.reload()
    return PublicView(played.drawn, rules, NOW_MS)


def draw_three_rounds(folder: Path) -> PlayedEvent:
    """Four teams, a round robin of three rounds in which the earlier name wins; the last round is not played."""
    played = draw_event(folder, event_text("Ants", "Bees", "Cats", "Dogs"))
    for match in played.event.matches:
        if match.round < 3:
            win(played, match.number, min(match.home, match.away))
    played.score()
    return played


def play_last_round(played: PlayedEvent) -> None:
    for match in played.event.rounds[2].matches:
        win(played, match.number, max(match.home, match.away))
    played.rule(match.number, match.home, RulingKind.ADJUSTED_SCORE, "last round", board=1, amount=5)
    played.score()


def test_a_freeze_leaves_the_schedule_and_who_has_finished(tmp_path: Path) -> None:
    played = draw_three_rounds(tmp_path)
    play_last_round(played)
    view = view_of(played, FREEZE)
    assert [len(round_.matches) for round_ in view.event.rounds] == [2, 2, 2]
    last = view.event.rounds[2].matches[0]
    assert view.is_frozen(3)
    assert not view.is_frozen(2)
    assert last.number in view.finished_matches
    assert [table.finished for table in view.tables if table.match.number == last.number] == [2, 2]
    assert [line.number for line in view.played(last.number).card.boards] == [1, 2]
    assert len(view.schedule.document()["rounds"][2]["matches"]) == 2


def test_a_freeze_ends_when_the_results_are_final(tmp_path: Path) -> None:
    played = draw_three_rounds(tmp_path)
    play_last_round(played)
    save_finalisation(played.database, played.event.id, FinalisationInfo(True, "Jane", "", NOW_MS))
    assert view_of(played, FREEZE).standings.matches_over == 6
    assert view_of(played, FREEZE).state.final
    save_finalisation(played.database, played.event.id, FinalisationInfo(False, "Jane", "", NOW_MS))
    assert view_of(played, FREEZE).standings.matches_over == 4


def test_of_a_board_in_play_there_is_only_its_number(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=4))
    table = take_up(played)
    converse(
        played,
        """
        match 1 board 1 is played
        1-open board 2 is played
        1-open board 3: 2 calls
        """,
    )
    set_state(played, table, TableState.PLAYING)
    say_doing(played, table, last="West bids 1NT")
    view = view_of(played)
    open_room, closed_room = view.tables
    assert (open_room.board, open_room.finished, open_room.boards, open_room.is_playing) == (3, 2, 4, True)
    assert (closed_room.board, closed_room.finished, closed_room.is_playing) == (None, 1, True)
    assert open_room.team(Seat.NORTH) == open_room.ns_team
    assert [board.board.number for board in view.played(1).boards] == [1]
    assert view.state.round == 1
    assert view.state.playing


# Boards in play


LAST_TABLE = WebConfig(live=LiveBoards.LAST_TABLE)


def play_to(folder: Path) -> PlayedEvent:
    """Board 1 of two matches is finished everywhere but in the open room of match 1, which plays it."""
    played = draw_event(folder, event_text("Ants", "Bees", "Cats", "Dogs"))
    converse(
        played,
        """
        1-closed board 1 is played
        match 2 board 1 is played
        1-open board 1: 3 calls
        """,
    )
    return played


def begin_play(played: PlayedEvent, cards: int) -> None:
    """Begin board 1 in the open room of match 1 anew, and play so many cards of it."""
    table = played.match(1).tables_at(0)[Room.OPEN]
    with played.database.write() as connection:
        for model in (CardRow, CallRow, BoardAttempt):
            connection.execute(delete(model).where(model.table_id == table.id))
    played.begin_at_random(1, Room.OPEN, 1, cards)


def test_what_is_younger_than_the_delay_is_held_back(tmp_path: Path) -> None:
    played = play_to(tmp_path)
    begin_play(played, cards=9)
    times = [call.at_ms for call in load_boards_under_way(played.database, played.event.id)[1].calls]
    rules = WebConfig(live=LiveBoards.LAST_TABLE, delay_s=(NOW_MS - times[1]) // 1000)
    view = view_of(played, rules)
    board = view.board_in_play(view.tables[0])
    assert board is not None
    assert (len(board.open.auction.calls), board.open.play, board.hands) == (2, None, {})


@pytest.mark.parametrize("other", ["none", "room", "match", "event"])
def test_a_table_is_not_the_last_while_any_other_has_the_hands_to_play(tmp_path: Path, other: str) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs"))
    if other != "room":
        played.play(1, [Room.CLOSED], [1])
    if other != "match":
        played.play(2, boards=[1])
    played.begin(1, Room.OPEN, 1)
    if other == "event":
        (tmp_path / "two").mkdir()
        at = f'[event]\ndatabase = "sqlite:///{played.database.file}"\n'
        draw_event(tmp_path / "two", event_text("Eels", "Frogs", name="Two").replace("[event]\n", at))
    view = view_of(played, LAST_TABLE)
    assert (view.board_in_play(view.tables[0]) is not None) == (other == "none")


def test_the_hash_that_seals_the_boards_is_published_and_what_opens_it_is_not(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees"))
    assert view_of(played).conditions.event.commitment is None
    seal = seal_event(played.file.results, played.database, played.event, NOW_MS)
    html = format_html(view_of(played).conditions)
    assert seal.commitment in html
    assert seal.nonce not in html
    (played.file.results / SEAL_FILE).write_text("damaged", encoding="utf-8")
    assert view_of(played).conditions.event.commitment is None
