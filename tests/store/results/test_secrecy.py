"""Tests of secrecy: which boards are hidden, because somebody in the database still has their hands to play."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.support.store_events import NOW_MS, draw_final, make_draw, save_event, stages_draw, table_of, take
from tests.support.store_records import ended, write_records
from tourney.bridge import SEATS, Board, Deal, Vulnerability
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardBegan
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.matches import load_match_boards, save_match_score
from tourney.store.results.secrecy import load_hidden_boards
from tourney.store.rulings import FinalisationInfo, save_finalisation


def play(database: Database, event: EventInfo, number: int, rooms: Iterable[Room] = Room) -> None:
    """Pass out every board of a match in these rooms."""
    match = event.matches[number - 1]
    boards = load_match_boards(database, match)
    for room in rooms:
        ledger = take(database, table_of(event, number, room), boards_left=len(boards))
        for board in boards:
            write_records(database, ledger, BoardBegan(board.number, NOW_MS), ended(board))


def score(database: Database, event: EventInfo, *numbers: int) -> None:
    level = VpHundredths(1000)
    for number in numbers:
        save_match_score(database, event.matches[number - 1], MatchScore(2, 0, 0, level, level), NOW_MS)


def hidden(database: Database, event: EventInfo, number: int = 1) -> set[int]:
    """The hidden boards of a match, as they are loaded for the event and for the set of the match."""
    match = event.matches[number - 1]
    of_event = load_hidden_boards(database, event).of_match(match)
    assert load_hidden_boards(database, event, match.board_set_id).of_match(match) == of_event
    return set(of_event)


def other_draw(*, turned: int = 0, name: str = "Autumn Cup") -> EventInfo:
    """An event with the boards of `make_draw`: each under another number, with another dealer and vulnerability."""
    draw = make_draw(name=name)

    def changed(board: Board) -> Board:
        north, east, south, west = (board.deal[seat.plus(turned)] for seat in SEATS)
        return Board(board.number + 16, board.dealer.plus(1), Vulnerability.ALL, Deal((north, east, south, west)))

    return replace(draw, board_sets={name: tuple(map(changed, boards)) for name, boards in draw.board_sets.items()})


def test_boards_are_hidden_until_every_match_of_the_set_has_finished_them(database: Database) -> None:
    event = save_event(database, make_draw(4))
    assert (hidden(database, event, 1), hidden(database, event, 2)) == ({1, 2}, {1, 2})
    play(database, event, 1)
    assert (hidden(database, event, 1), hidden(database, event, 2)) == ({1, 2}, set())
    play(database, event, 2, [Room.OPEN])
    assert hidden(database, event, 1) == {1, 2}
    play(database, event, 2, [Room.CLOSED])
    assert (hidden(database, event, 1), hidden(database, event, 2)) == (set(), set())


def test_a_match_with_a_score_has_nothing_left_to_play(database: Database) -> None:
    event = save_event(database, make_draw(4))
    play(database, event, 1)
    score(database, event, 2)
    assert hidden(database, event) == set()


def test_a_match_with_boards_of_its_own_hides_none_of_others(database: Database) -> None:
    event = save_event(database, make_draw(4, shared="match"))
    play(database, event, 1)
    assert (hidden(database, event, 1), hidden(database, event, 2)) == (set(), set())


@pytest.mark.parametrize("turned", [0, 1, 2, 3])
def test_hands_that_another_event_has_to_play_are_hidden_whatever_dealer_and_number(
    database: Database, turned: int
) -> None:
    event = save_event(database)
    play(database, event, 1)
    score(database, event, 1)
    assert hidden(database, event) == set()
    other = save_event(database, other_draw(turned=turned))
    assert (hidden(database, event), hidden(database, other)) == ({1, 2}, set())
    play(database, other, 1)
    assert (hidden(database, event), hidden(database, other)) == (set(), set())


def test_boards_of_a_round_that_is_not_drawn_yet_are_still_to_be_played(database: Database) -> None:
    event = save_event(database, make_draw(4, name="Swiss of four", stage_format="swiss", starts="rounds = 3"))
    play(database, event, 1)
    play(database, event, 2)
    score(database, event, 1, 2)
    assert hidden(database, event) == set()
    # The same hands under the names of the rounds in which the other event plays them.
    draw = make_draw(4, name="Later", stage_format="swiss", starts="rounds = 3")
    sets = draw.board_sets
    swapped = {"1.1": sets["1.2"], "1.2": sets["1.1"], "1.3": sets["1.3"]}
    other = save_event(database, replace(draw, board_sets=swapped))
    assert len(other.rounds) == 1
    assert hidden(database, event) == {1, 2}
    score(database, other, 1, 2)
    assert hidden(database, event) == {1, 2}, "round 2 of the other event, which is not drawn yet, plays them"


def test_extra_boards_are_hidden_while_another_match_may_be_tied(database: Database) -> None:
    event = draw_final(database, save_event(database, stages_draw()))
    final = event.matches[-1]
    score(database, event, *range(1, len(event.matches)))
    assert set(load_hidden_boards(database, event).by_set[final.board_set_id]) == {1, 2, 3, 4, 5, 6}
    play(database, event, final.number)
    assert set(load_hidden_boards(database, event).by_set[final.board_set_id]) == {3, 4, 5, 6}
    score(database, event, final.number)
    assert load_hidden_boards(database, event).by_set == {}


def test_an_event_whose_results_are_final_hides_nothing_until_they_are_opened_again(database: Database) -> None:
    event = save_event(database)
    other = save_event(database, other_draw())
    play(database, event, 1)
    assert hidden(database, event) == {1, 2}
    save_finalisation(database, other.id, FinalisationInfo(True, "Jane", "rained off", NOW_MS))
    assert hidden(database, event) == set()
    save_finalisation(database, other.id, FinalisationInfo(False, "Jane", "sun", NOW_MS))
    assert hidden(database, event) == {1, 2}


def test_hands_that_one_match_plays_twice_are_hidden_between(database: Database) -> None:
    draw = make_draw()
    first, second = draw.board_sets["1.1"]
    event = save_event(database, replace(draw, board_sets={"1.1": (first, replace(second, deal=first.deal))}))
    match = event.matches[0]
    for room in Room:
        ledger = take(database, table_of(event, 1, room))
        write_records(database, ledger, BoardBegan(1, NOW_MS), ended(first))
    assert load_hidden_boards(database, event).of_match(match) == {1}
    score(database, event, 1)
    assert hidden(database, event) == set()


def test_seeds_are_told_of_events_that_still_play(database: Database) -> None:
    event = save_event(database)
    assert load_hidden_boards(database, event).seeds == {"7"}
    score(database, event, 1)
    assert load_hidden_boards(database, event).seeds == frozenset()
