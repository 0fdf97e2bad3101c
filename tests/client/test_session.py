"""A person's session: seats asked for, lost and given back, alerts, refusals, sentences for a pipe."""

import pytest

from tests.client.test_typed import AUCTION, CLOSED, TRICK_1
from tests.support.typing_player import converse, news_of, session_after
from tourney.bridge import Seat
from tourney.client.session import PlaySession, SeatAddress
from tourney.protocol.lines import Overlong

HELLO = [
    "X-HELLO BOARD,DECLARER,ALERT,RESULT,PING,POINTS,END,LEFT,STOPPED,NOTE,STATE,GAMES,CLAIM,UNDO,ASK,SAY",
    "HELLO Anna",
]


def started(**place: object) -> tuple[PlaySession, list[str]]:
    session = PlaySession("Anna", SeatAddress(**place))  # type: ignore[arg-type] # of a test's own making
    return session, session.open_connection()


@pytest.mark.parametrize(
    ("place", "join"),
    [
        ({"game": "g3"}, "JOIN-M g3"),
        ({"game": "g3", "seat": Seat.WEST}, "JOIN-M g3 W"),
        ({"tournament": "clubnight"}, "JOIN-T clubnight"),
    ],
)
def test_the_seat_that_was_named_is_asked_for_with_the_name(place: dict[str, object], join: str) -> None:
    assert started(**place)[1][1:] == [HELLO[1], join]


@pytest.mark.parametrize("games", ["-", "g3,g4"])
def test_without_a_choice_the_client_asks_for_its_own_game_or_a_new_one(games: str) -> None:
    session, said = started()
    assert len(said) == 2
    converse(
        session,
        f"""
        server: TOURNAMENTS t1 -> nothing
        server: GAMES {games} -> JOIN-M
        server: GAMES g9 -> nothing
        server: JOINED g5 S
        server: NAK "something else" -> nothing
        """,
    )


def test_where_no_games_are_made_the_client_joins_the_tournament_without_a_word() -> None:
    converse(
        started()[0],
        """
        server: TOURNAMENTS clubnight
        server: GAMES -
        server: NAK "no games are made here: JOIN-T clubnight asks for a seat" -> JOIN-T clubnight
        news -> nothing
        server: NAK "no seat of Anna is free now: the next that is free is yours" -> nothing
        news -> refused: no seat of Anna is free now: the next that is free is yours
        """,
    )


LOBBY = ("TOURNAMENTS -", "GAMES -")


@pytest.mark.parametrize(
    ("lines", "typed", "sent"),
    [
        (LOBBY, "tournament", "JOIN-T"),
        (LOBBY, "tournament t1 Bob B", 'JOIN-T t1 "Bob B"'),
        (LOBBY, "start", "X-START"),
        (LOBBY, "new chicago", "JOIN-M chicago"),
        (AUCTION, "director East hesitated", 'X-DIRECTOR "East hesitated"'),
        (AUCTION, "director", 'X-DIRECTOR ""'),
        ((*CLOSED, "TRICK S 4H"), "state", "JOIN-M g1 S"),
    ],
)
def test_a_command_is_a_message_of_the_protocol(lines: tuple[str, ...], typed: str, sent: str) -> None:
    assert session_after(*lines).receive_typed(typed) == [sent]


def test_sentences_speak_of_the_words_that_a_person_types() -> None:
    converse(
        session_after(*LOBBY),
        """
        types: tournament t,1
        news -> ... -> type tournament, its id...
        server: NAK "there is no game g9: JOIN-M alone or JOIN-M chicago makes one, JOIN-M g1 joins one"
        news -> refused: there is no game g9: new alone or new chicago makes one, join g1 joins one
        """,
    )


def test_who_sits_in_a_game_is_asked_before_a_tournament_ends_it_and_told_what_comes() -> None:
    converse(
        session_after("TOURNAMENTS t1", "GAMES -", *AUCTION),
        """
        types: tournament t1 -> nothing
        news -> ... -> you would give up your seat in game g1: type tournament t1 once more...
        types: ?
        # it was not said twice in a row
        types: tournament t1 -> nothing
        types: tournament t1 -> JOIN-T t1
        server: X-NOTE "you are in t1, with 5 players so far: it begins when Ann says X-START"
        news -> ... -> you are in t1, with 5 players so far: it begins when Ann says start
        """,
    )


def test_games_are_offered_only_to_who_has_no_seat_and_is_getting_none() -> None:
    converse(
        session_after("TOURNAMENTS -", "GAMES g1"),  # its own, from before
        """
        news -> nothing
        server: JOINED g1 S
        server: GAMES g1,g2
        news -> nothing
        """,
    )
    again = session_after(
        "TOURNAMENTS -", "GAMES g1", 'NAK "this lobby has 1 games at once: join one of those, or wait"'
    )
    assert news_of(again)[-1] == "games with a free seat: g1 (join g1)"


def test_a_lost_connection_asks_for_the_same_seat_and_then_for_any_of_the_tournament() -> None:
    nak = 'NAK "no games are made here: JOIN-T clubnight asks for a seat"'
    session = session_after("TOURNAMENTS clubnight", "GAMES -", nak, *AUCTION, "AUCOPEN S -", name="Anna")
    converse(session, "loses its connection\nprompt -> not connected\ntypes: 1n -> nothing")
    session.wait_for_server("the server has closed the connection", 120)
    converse(
        session,
        """
        connects -> X-HELLO... -> HELLO Anna -> JOIN-M g1 S
        server: TOURNAMENTS clubnight
        server: GAMES -
        server: NAK "no seat S of game g1 is free for Alpha" -> JOIN-T
        server: JOINED g2 W
        news -> ... -> connected again
        """,
    )
    assert (session.view.seat, session.view.game, session.refused) == (Seat.WEST, "g2", "")


def test_who_comes_back_to_a_seat_that_is_taken_stays_in_its_room_and_is_told_where_it_sits() -> None:
    session = session_after("TOURNAMENTS cup", "GAMES -", 'NAK "no games"', "JOINED match003closed S")
    converse(
        session,
        """
        loses its connection
        connects
        server: TOURNAMENTS cup
        server: NAK "no seat S of game match003closed is free" -> JOIN-T - - CLOSED
        """,
    )
    assert session.view.seat is None
    converse(session, "server: JOINED match003closed N")
    taken = "your seat, South in match 3, closed room, is taken: you are North in match 3, closed room"
    assert session.refusal == taken


def test_a_seat_that_is_chosen_at_an_event_is_asked_for_on_every_connection_until_any_is_wanted() -> None:
    session = PlaySession("Alpha", SeatAddress(room="closed", seat=Seat.SOUTH))
    converse(
        session,
        """
        connects -> X-HELLO... -> HELLO Alpha -> JOIN-T - - CLOSED S
        server: TOURNAMENTS cup -> nothing
        server: GAMES - -> nothing
        server: JOINED match003closed S -> nothing
        loses its connection
        connects -> X-HELLO... -> HELLO Alpha -> JOIN-T - - CLOSED S
        server: JOINED match003closed S
        """,
    )
    assert session.refusal == ""
    converse(
        session,
        """
        types: leave
        server: X-LEFT match003closed S
        types: tournament -> JOIN-T
        loses its connection
        connects -> X-HELLO... -> HELLO Alpha
        """,
    )


def test_a_game_that_is_over_when_the_connection_is_back_leaves_the_player_without_a_seat() -> None:
    session = session_after("TOURNAMENTS -", "GAMES -", *AUCTION)
    converse(
        session,
        """
        loses its connection
        connects -> X-HELLO... -> HELLO Alpha -> JOIN-M g1 S
        server: TOURNAMENTS -
        server: GAMES g2 -> nothing
        server: NAK "the game g1 is over: JOIN-M alone makes one" -> nothing
        """,
    )
    assert session.view.seat is None
    converse(session, "types: join g2 -> JOIN-M g2\ntypes: new -> JOIN-M")


def test_a_name_that_a_lost_connection_still_has_is_said_again_on_another_connection() -> None:
    session = session_after("TOURNAMENTS -", "GAMES -", *AUCTION)
    converse(
        session,
        """
        loses its connection
        connects
        server: NAK "Anna is here already, on another connection: take another name"
        server: NAK "HELLO and a name come first"
        """,
    )
    assert session.is_turned_away
    assert session.refused == "Anna is here already, on another connection: take another name"
    assert session.view.seat is Seat.SOUTH  # to be asked for again


def test_a_game_that_is_over_leaves_the_player_in_the_lobby() -> None:
    session = session_after("TOURNAMENTS -", "GAMES -", *AUCTION, "SCORE-M 420 0 0 130 40 1")
    converse(
        session,
        """
        types: leave -> X-LEAVE
        server: X-LEFT g1 W Bob
        news -> ... -> Bob has left, West in game g1
        """,
    )
    assert Seat.WEST not in session.view.names
    score = "NS 420 above, 0 below; EW 130 above, 40 below, vulnerable"
    converse(
        session,
        f"""
        server: X-LEFT g1 S
        news -> ... -> game g1 is over for you, {score}: new, join GAME or quit
        server: GAMES g2 -> nothing
        news -> games with a free seat: g2 (join g2)
        """,
    )
    assert session.view.seat is None


def test_the_score_of_a_game_without_a_line_has_none() -> None:
    converse(
        session_after(*AUCTION, "SCORE-M 420 0 0 50 0 1"),
        """
        told -> ... -> score: NS 420; EW 50 -> ...
        server: SCORE-M 420 60 0 50 0 1
        told -> score: NS 420 above, 60 below; EW 50 above, 0 below, vulnerable
        """,
    )


def test_an_alert_goes_before_the_call_that_it_explains_and_is_marked() -> None:
    session = session_after(*AUCTION, "AUCOPEN S -")
    converse(session, 'types: 1n! 15 to 17 -> X-ALERT S "15 to 17" -> BID 1NT')
    assert session.view.alerts == {1: "15 to 17"}
    converse(
        session,
        """
        # the server has not answered yet
        types: 1n -> nothing
        server: AUCOPEN S 1NT,PASS,PASS,DOUBLE
        types: p -> BID PASS
        """,
    )


def test_a_server_that_stops_is_waited_for_without_an_end_and_what_it_notes_is_no_refusal() -> None:
    session = session_after(*AUCTION)
    converse(
        session,
        """
        server: X-NOTE "t1 begins with X-START"
        server: X-STOPPED "the lobby closes"
        loses its connection
        """,
    )
    assert (session.is_over, session.is_stopped) == (False, True)
    session.wait_for_server("nobody listens there", None)
    session.wait_for_server("the server has closed the connection", None)
    converse(
        session,
        """
        news -> t1 begins with start -> the lobby closes -> play has stopped: waiting until it goes on, or quit
        connects
        server: TOURNAMENTS -
        """,
    )
    assert not session.is_stopped


NOTHING = "nobody has asked you for anything that you could accept or reject"


def test_a_claim_is_made_and_answered_by_words() -> None:
    converse(
        session_after(*CLOSED, "DUMMY AC,KC", "TRICK S -"),
        f"""
        types: claim -> X-CLAIM
        server: X-CLAIM 1 S AS,KH
        news -> ... -> you claim the rest of the tricks with S: A, H: K
        types: accept -> nothing
        news -> {NOTHING}
        server: X-CLAIMED 1 NO
        news -> the claim is rejected: play goes on
        server: TRICK 0 -
        server: X-CLAIM 2 E AD,10H
        news -> East claims the rest of the tricks with H: 10, D: A: accept or reject
        prompt -> accept or reject East's claim
        types: reject -> X-REJECT 2
        types: accept -> X-ACCEPT 2
        server: X-CLAIMED 2 YES
        news -> the claim is accepted
        server: TRICKSWON E,E,E,E,E,E,E,E,E,E,E,E,E
        prompt -> the board is over
        """,
    )


def test_what_is_taken_back_is_asked_for_and_answered_by_words() -> None:
    session = session_after(*AUCTION, "AUCOPEN W 1NT")
    converse(
        session,
        f"""
        types: undo -> X-UNDO
        server: X-UNDO 1 S
        news -> ... -> you ask to take the last call or card back
        types: accept -> nothing
        news -> {NOTHING}
        server: X-UNDONE 1 YES
        news -> it is taken back
        """,
    )
    for line in (*AUCTION, "AUCOPEN S -"):
        session.receive_line(line.encode())
    converse(
        session,
        f"""
        prompt -> your bid: 1C...
        server: X-UNDO 2 W
        news -> ... -> West asks to take the last call or card back: accept or reject
        types: accept -> X-ACCEPT 2
        server: X-UNDONE 2 NO
        news -> nothing is taken back: play goes on
        types: reject -> nothing
        news -> {NOTHING}
        """,
    )


def test_calls_are_asked_about_and_explained_by_words() -> None:
    converse(
        session_after(*AUCTION, "AUCOPEN S 1NT,2C,PASS,PASS"),
        """
        types: ask 2 -> X-ASK 2
        server: X-TELL 2 "both majors"
        news -> ... -> call 2, 2C means: both majors
        types: ask two -> nothing
        news -> type ask and the number of the call, from 1 for the first: ask 3
        types: tell majors -> nothing
        news -> nobody has asked you what a call means
        server: X-ASKED 1
        news -> an opponent asks what your call 1, 1NT means: tell TEXT
        types: tell 15 to 17 -> X-TELL 1 "15 to 17"
        """,
    )


def test_what_is_said_is_shown_until_the_person_is_deaf_to_it() -> None:
    converse(
        session_after(*AUCTION),
        """
        types: say good luck -> X-SAY "good luck"
        server: X-SAID S "good luck"
        news -> ... -> you say: good luck
        server: X-SAID W "thank you"
        news -> West says: thank you
        types: mute -> nothing
        news -> you hear nothing of what the others say
        server: X-SAID W hm
        news -> nothing
        types: say -> nothing
        news -> type say and a text
        types: mute -> nothing
        news -> you hear the others
        server: X-SAID W hm
        news -> West says: hm
        """,
    )


def test_a_ping_is_answered_and_a_farewell_ends_the_session() -> None:
    session = session_after(*AUCTION)
    converse(session, 'server: X-PING B7 -> X-PONG B7\nserver: X-END "the event is over"')
    assert session.is_over
    assert not session.has_left


@pytest.mark.parametrize("line", [Overlong(8192), b"TRICK", b"HAND 1X", b"AUCOPEN \x1b -", b"SHOUT hello"])
def test_a_line_that_cannot_be_read_ends_nothing(line: bytes | Overlong) -> None:
    session = session_after(*AUCTION, "AUCOPEN S -")
    assert session.receive_line(line) == []
    assert session.view.is_my_turn


def test_moves_of_a_pipe_wait_for_the_turn_and_commands_do_not() -> None:
    session = session_after(*AUCTION, "AUCOPEN W -")
    assert session.must_wait("1n")
    assert not session.must_wait("quit")
    session.receive_line(b"AUCOPEN S 1C,PASS,PASS")
    assert not session.must_wait("1n")


def test_what_happens_is_told_in_sentences() -> None:
    converse(
        session_after(*AUCTION, "AUCOPEN S -"),
        """
        told
        server: AUCOPEN W 1S
        server: X-ALERT W "asks for hearts" 2
        server: AUCOPEN N 1S,DOUBLE
        server: AUCOPEN 0 1S,DOUBLE,PASS,PASS,PASS
        server: AUCCLOSE S 1 DOUBLE NS
        server: X-DECLARER S
        server: TRICK W -
        server: DUMMY 7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C
        server: TRICK N 10D
        told
            -> South bids 1S
            -> West doubles (alert: asks for hearts)
            -> North passes
            -> East passes
            -> South passes
            -> the contract is 1S doubled by South
            -> dummy, North: S: 7 6 5, H: 4 3 2, D: A K Q J, C: 10 9 8
            -> West plays the 10 of diamonds
            -> dummy's card, the diamonds A K Q J
        server: TRICK E 10D,AD
        server: TRICK S 10D,AD,2D
        server: TRICK 0 10D,AD,2D,7D
        server: TRICKSWON N
        server: HAND AS
        server: TRICK N -
        server: X-RESULT 1SXS 9 360
        told
            -> North plays the ace of diamonds
            -> East plays the 2 of diamonds
            -> your card, the diamonds 7 6 5
            -> South plays the 7 of diamonds
            -> North wins the trick: NS 1, EW 0
            -> dummy's card: S: 7 6 5, H: 4 3 2, D: K Q J, C: 10 9 8
            -> result of board 7: 1S doubled by South made with 2 over, 9 tricks: NS +360
        """,
    )


def test_the_state_tells_what_is_left_in_hand_and_in_dummy() -> None:
    converse(
        session_after(*CLOSED, *TRICK_1, "TRICK S 4H"),
        """
        told
        types: state
        told
            -> dummy holds S: 10, H: -, D: 10, C: A K Q J 10 9 8 7 6 5
            -> you hold S: A K Q J, H: 10 9 8, D: 7 6, C: 4 3 2
        """,
    )
