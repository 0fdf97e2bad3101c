"""What a person is shown and may do is what the rules say, however often the connection is lost."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.protocol_players import Script, made, on_record, rig_for, seeds, sessions
from tests.support.stateful_tables import connect_stateful
from tests.support.table_rig import TablePlayer, play_to_end
from tests.support.typing_player import TypingPlayer
from tourney.bridge import SEATS, Seat, Side
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
    assert not [note for person in people.values() for note in person.told if "refused" in note]


DEALT = ("JOINED g1 S", "JOINED g1 W Beta", "JOINED g1 N Alpha", "JOINED g1 E Beta", "X-BOARD 7 S BOTH")
HAND = "HAND AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C"


def test_at_minibridge_declarer_sees_dummy_and_names_a_part_score_or_a_game() -> None:
    view = view_of(*DEALT, HAND, "DUMMY 7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C", "AUCOPEN S -")

    assert (view.is_minibridge, view.declarer, view.dummy) == (True, Seat.SOUTH, Seat.NORTH)
    assert " ".join(map(str, view.legal_calls())) == "1C 1D 1H 1S 1NT 3NT 4H 4S 5C 5D"


def test_all_tricks_are_known_from_the_state_after_a_lost_connection() -> None:
    left = "AUCOPEN 0 1S,PASS,PASS,PASS", "AUCCLOSE S 1 0 NS", "X-DECLARER S", "TRICKSWON S,N"
    cards = "2D,3D,4D,KD,2C,3C,AC,4C,5H"
    dummy = "3D,2H,3H,4H,6H,3C,5C,6C,7C,8C,9C,10C,JC"
    state = f"X-STATE S 7 S BOTH {HAND[5:]} 1S,PASS,PASS,PASS {dummy} {cards}"
    view = view_of(*DEALT, "HAND AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,3C", *left, state, "TRICK S 5H")
    assert view.trick is not None
    assert (view.trick.leader, view.last_trick is not None) == (Seat.NORTH, True)
    assert (view.tricks_won(Side.NS), view.tricks_won(Side.EW)) == (2, 0)
    assert len(view.held(Seat.NORTH)) == 11
