"""Tests of secrecy: which boards are hidden, because somebody in the database still has their hands to play."""

from dataclasses import replace
from functools import partial

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent
from tests.support.store_events import NOW_MS, draw_final, make_draw, stages_draw
from tests.support.stored_event import stored_event
from tourney.bridge import SEATS, Board, Deal, Vulnerability
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.secrecy import load_hidden_boards
from tourney.store.rulings import FinalisationInfo, save_finalisation


def hidden(stored: PlayedEvent, *numbers: str) -> list[str]:
    """The hidden boards of matches, as they are loaded for the event and for the set of a match."""
    found = []
    for number in numbers or "1":
        match = stored.match(int(number))
        of_event = load_hidden_boards(stored.database, stored.event).of_match(match)
        assert load_hidden_boards(stored.database, stored.event, match.board_set_id).of_match(match) == of_event
        found.append(" ".join(map(str, sorted(of_event))) or "none")
    return found


tell = partial(converse, hidden=hidden)


def other_draw(*, turned: int = 0, name: str = "Autumn Cup") -> EventInfo:
    """An event with the boards of `make_draw`: each under another number, with another dealer and vulnerability."""
    draw = make_draw(name=name)

    def changed(board: Board) -> Board:
        north, east, south, west = (board.deal[seat.plus(turned)] for seat in SEATS)
        return Board(board.number + 16, board.dealer.plus(1), Vulnerability.ALL, Deal((north, east, south, west)))

    return replace(draw, board_sets={name: tuple(map(changed, boards)) for name, boards in draw.board_sets.items()})


@pytest.fixture
def stored(database: Database) -> PlayedEvent:
    return stored_event(database)


@pytest.fixture
def four(database: Database) -> PlayedEvent:
    return stored_event(database, make_draw(4))


PLAYED = "match 1 boards 1-2: Pass, Pass"


def test_boards_are_hidden_until_every_match_of_the_set_has_finished_them(four: PlayedEvent) -> None:
    tell(
        four,
        f"""
        hidden 1 2 -> 1 2 -> 1 2
        {PLAYED}
        hidden 1 2 -> 1 2 -> none
        2-open boards 1-2: Pass
        hidden -> 1 2
        2-closed boards 1-2: Pass
        hidden 1 2 -> none -> none
        """,
    )


def test_a_match_with_a_score_has_nothing_left_to_play(four: PlayedEvent) -> None:
    tell(four, f"{PLAYED}\n0 IMPs in match 2\nhidden -> none")


def test_a_match_with_boards_of_its_own_hides_none_of_others(database: Database) -> None:
    tell(stored_event(database, make_draw(4, shared="match")), f"{PLAYED}\nhidden 1 2 -> none -> none")


@pytest.mark.parametrize("turned", [0, 1, 2, 3])
def test_hands_that_another_event_has_to_play_are_hidden_whatever_dealer_and_number(
    stored: PlayedEvent, turned: int
) -> None:
    tell(stored, f"{PLAYED}\n0 IMPs in match 1\nhidden -> none")
    other = stored_event(stored.database, other_draw(turned=turned))
    tell(stored, "hidden -> 1 2")
    tell(other, "hidden -> none\nmatch 1 boards 17-18: Pass, Pass\nhidden -> none")
    tell(stored, "hidden -> none")


def test_boards_of_a_round_that_is_not_drawn_yet_are_still_to_be_played(database: Database) -> None:
    draw = make_draw(4, name="Swiss of four", stage_format="swiss", starts="rounds = 3")
    stored = stored_event(database, draw)
    tell(stored, f"{PLAYED}\nmatch 2 boards 1-2: Pass, Pass\n0 IMPs in matches 1 2\nhidden -> none")
    # The same hands under the names of the rounds in which the other event plays them.
    sets = draw.board_sets
    swapped = {"1.1": sets["1.2"], "1.2": sets["1.1"], "1.3": sets["1.3"]}
    other = stored_event(database, replace(draw, name="Later", board_sets=swapped))
    assert len(other.event.rounds) == 1
    tell(stored, "hidden -> 1 2")
    tell(other, "0 IMPs in matches 1 2")
    tell(stored, "hidden -> 1 2")  # round 2 of the other event, which is not drawn yet, plays them


def test_extra_boards_are_hidden_while_another_match_may_be_tied(database: Database) -> None:
    stored = stored_event(database, stages_draw())
    stored.event = draw_final(database, stored.event)
    final = stored.event.matches[-1]
    others = " ".join(str(match.number) for match in stored.event.matches[:-1])

    def of_set() -> set[int]:
        return set(load_hidden_boards(database, stored.event).by_set.get(final.board_set_id, ()))

    tell(stored, f"0 IMPs in matches {others}")
    assert of_set() == {1, 2, 3, 4, 5, 6}
    tell(stored, f"match {final.number} boards 1-2: Pass, Pass")
    assert of_set() == {3, 4, 5, 6}
    tell(stored, f"0 IMPs in match {final.number}")
    assert load_hidden_boards(database, stored.event).by_set == {}


def test_an_event_whose_results_are_final_hides_nothing_until_they_are_opened_again(stored: PlayedEvent) -> None:
    other = stored_event(stored.database, other_draw())
    tell(stored, f"{PLAYED}\nhidden -> 1 2")
    save_finalisation(stored.database, other.event.id, FinalisationInfo(True, "Jane", "rained off", NOW_MS))
    tell(stored, "hidden -> none")
    save_finalisation(stored.database, other.event.id, FinalisationInfo(False, "Jane", "sun", NOW_MS))
    tell(stored, "hidden -> 1 2")


def test_hands_that_one_match_plays_twice_are_hidden_between(database: Database) -> None:
    draw = make_draw()
    first, second = draw.board_sets["1.1"]
    stored = stored_event(database, replace(draw, board_sets={"1.1": (first, replace(second, deal=first.deal))}))
    tell(stored, "match 1 board 1: Pass, Pass")
    assert load_hidden_boards(database, stored.event).of_match(stored.match(1)) == {1}
    tell(stored, "0 IMPs in match 1\nhidden -> none")


def test_seeds_are_told_of_events_that_still_play(stored: PlayedEvent) -> None:
    assert load_hidden_boards(stored.database, stored.event).seeds == {"7"}
    tell(stored, "0 IMPs in match 1")
    assert load_hidden_boards(stored.database, stored.event).seeds == frozenset()
