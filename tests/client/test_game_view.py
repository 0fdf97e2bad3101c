"""What a person is shown and may do is what the rules say, however often the connection is lost."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.protocol_players import Script, made, on_record, rig_for, seeds, sessions
from tests.support.stateful_tables import connect_stateful
from tests.support.table_rig import TablePlayer, play_to_end
from tests.support.typing_player import TypingPlayer
from tourney.bridge import SEATS, Seat, Side, parse_card
from tourney.client.game_view import GameView
from tourney.protocol.stateful.messages import parse_server_message


def view_of(*lines: str) -> GameView:
    """The view after lines of a server."""
    view = GameView()
    for line in lines:
        message = parse_server_message(line.encode())
        assert message is not None
        view = view.after(message)
    return view


@settings(max_examples=25, deadline=None)
@given(sessions(), seeds, st.sampled_from([0.0, 0.05]))
def test_four_people_play_what_they_type_and_only_legal_moves_are_taken(
    scripts: list[Script], seed: int, lost: float
) -> None:
    rig = rig_for(scripts, patience=10_000)
    choice = Random(seed)
    people = {seat: TypingPlayer(rig.core.state.settings.team(seat.side), seat, scripts, choice) for seat in SEATS}
    players: dict[Seat, TablePlayer] = dict(people)
    for seat in SEATS:
        rig.seats[seat] = connect_stateful(rig)

    def lose_one(_: Seat) -> None:
        if rig.core.state.board is not None and choice.random() < lost:
            unlucky = choice.choice(SEATS)
            rig.hang_up(unlucky)
            people[unlucky].session.lose_connection()
            rig.seats[unlucky] = peer = connect_stateful(rig)
            for line in people[unlucky].start():
                rig.send_line(peer, line)

    play_to_end(rig, players, choice, before_line=lose_one)

    assert on_record(rig) == [each if len(each) != 6 else (*each[:4], False, "") for each in made(scripts)]
    assert not [note for person in people.values() for note in person.session.notices if "refused" in note]


DEALT = ("JOINED g1 S", "JOINED g1 W Beta", "JOINED g1 N Alpha", "JOINED g1 E Beta", "X-BOARD 7 S BOTH")
HAND = "HAND AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C"


def test_whose_deal_it_is_follows_from_the_auction_without_extensions() -> None:
    view = view_of(*DEALT[:4], HAND, "AUCOPEN W PASS,1C,PASS")

    assert view.dealer is Seat.NORTH
    assert view.auction is not None
    assert not view.is_my_turn


def test_the_leader_of_a_complete_trick_is_found_from_its_winner_after_a_lost_connection() -> None:
    closed = ("AUCOPEN 0 1S,PASS,PASS,PASS", "AUCCLOSE S 1 0 NS", "X-DECLARER S", "TRICKSWON W,E")

    view = view_of(*DEALT, HAND, *closed, "TRICK 0 2D,KD,AD,4D")

    assert view.last_trick is not None
    assert view.last_trick.leader is Seat.WEST  # the third card won, and East played it
    assert (view.tricks_won(Side.NS), view.tricks_won(Side.EW)) == (0, 2)


def test_a_played_card_is_not_held_before_the_server_has_sent_the_hand_again() -> None:
    closed = ("AUCOPEN 0 1S,PASS,PASS,PASS", "AUCCLOSE S 1 0 NS", "TRICKSWON -", "DUMMY AC")

    view = view_of(*DEALT, HAND, *closed, "TRICK W 2D,3D,6D,5C")

    assert parse_card("5D") in view.held(Seat.SOUTH)
    assert parse_card("6D") not in view.held(Seat.SOUTH)


def test_a_server_that_seats_nobody_anew_begins_a_board_with_its_hand() -> None:
    over = view_of(*DEALT, HAND, "AUCOPEN 0 PASS,PASS,PASS,PASS", "AUCCLOSE 0 0 0 0", "X-RESULT PASS 0 0")
    assert over.is_over

    message = parse_server_message(HAND.encode())
    assert message is not None
    view = over.after(message)

    assert (view.calls, view.closed, view.is_over, view.seat) == ((), None, False, Seat.SOUTH)
    assert view.result is not None


def test_at_minibridge_declarer_sees_dummy_and_names_a_part_score_or_a_game() -> None:
    view = view_of(*DEALT, HAND, "DUMMY 7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C", "AUCOPEN S -")

    assert (view.is_minibridge, view.declarer, view.dummy) == (True, Seat.SOUTH, Seat.NORTH)
    assert " ".join(map(str, view.legal_calls())) == "1C 1D 1H 1S 1NT 3NT 4H 4S 5C 5D"


def test_the_last_trick_is_known_from_the_state_after_a_lost_connection() -> None:
    closed = ("AUCOPEN 0 1S,PASS,PASS,PASS", "AUCCLOSE S 1 0 NS", "X-DECLARER S", "DUMMY AC", "TRICKSWON W,E")
    cards = "2D,3D,4D,KD,2C,3C,AC,4C,5H"
    state = f"X-STATE S 7 S BOTH {HAND[5:]} 1S,PASS,PASS,PASS - {cards}"

    view = view_of(*DEALT, HAND, *closed, state, "TRICK S 5H")

    assert view.last_trick is not None
    assert view.last_trick.leader is Seat.WEST
    assert view.last_trick.cards == tuple(map(parse_card, ("2C", "3C", "AC", "4C")))
