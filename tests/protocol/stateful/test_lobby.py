"""A lobby's port: names, games that are made, joined and left, seats that are kept, limits; without sockets."""

import pytest

from tests.support.lobby_rig import LobbyRig
from tourney.bridge import SEATS, Seat, Side
from tourney.protocol.stateful.lobby.state import UNPLAYED_MS, LobbyLimits

BOTS = LobbyLimits(bots=3)
KINDS = "JOIN-M rubber, JOIN-M chicago, JOIN-M minibridge, JOIN-M duplicate"


def four(rig: LobbyRig, *names: str) -> list[int]:
    """Four clients in a game of the first one's making: South, West, North and East."""
    first = rig.hello(names[0], "JOIN-M")
    return [first, *(rig.hello(name, "JOIN-M g1") for name in names[1:])]


# Names


@pytest.mark.clause("SS-39")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("x" * 31, "a name has at most 30 characters, this one has 31"),
        ("ß" * 20, "a name has at most 30 characters, this one has 40"),
        ("Ann & Bob", "a name has letters, digits, blanks and such as ' - . ( ), got '&'"),
        ("bot n", "names that begin with 'Bot' are those of this server's own players, got 'bot n'"),
        ("...", "a name has a letter or digit, and no full stop at its end, got '...'"),
        ("#open", "a name has 1 to 30 characters, got none"),
        ("Ann#no", "a pass phrase has at least 4 characters, this one has 2"),
    ],
)
def test_a_name_that_nobody_may_have_is_refused_with_what_is_right(name: str, why: str) -> None:
    rig = LobbyRig()
    assert rig.heard(rig.hello(name)) == [f'NAK "{why}"']


@pytest.mark.clause("SS-39")
def test_a_name_that_another_connection_has_is_refused_and_free_again_when_that_has_gone() -> None:
    rig = LobbyRig()
    refused = ['NAK "ANN is here already, on another connection: take another name"']
    first, second = rig.hello("Ann"), rig.hello(" ANN ")
    assert rig.heard(second) == [], "the first may be gone"
    rig.send_line(first, "X-PING 1")
    assert rig.heard(second) == refused, "it is not"
    rig.send_line(second, "HELLO  ANN ")
    rig.wait(3_999)
    assert rig.heard(second) == []
    rig.wait(1)
    assert rig.heard(second) == refused
    rig.hang_up(first)
    rig.send_line(second, "HELLO Ann")
    assert rig.heard(second)[-2:] == ["TOURNAMENTS -", "GAMES -"]


@pytest.mark.clause("SS-43")
def test_who_comes_back_before_its_last_connection_has_ended_is_answered_when_that_has() -> None:
    rig = LobbyRig()
    first = rig.hello("Ann", "JOIN-M rubber N", asks="PING")
    second = rig.hello("Ann", "JOIN-M")
    assert rig.probed == [first]
    assert rig.heard(first)[-1] == f"X-PING H{second}"
    assert rig.heard(second) == []
    rig.hang_up(first)
    assert "JOINED g1 N" in rig.heard(second)


def test_a_flood_behind_a_held_hello_is_sent_away() -> None:
    rig = LobbyRig()
    rig.hello("Ann")
    second = rig.hello("Ann", *["JOIN-M"] * 21)
    assert second not in rig.open


@pytest.mark.clause("SS-46")
def test_a_tournament_begins_by_itself_a_minute_after_the_last_player_has_come_once_it_can() -> None:
    rig = LobbyRig()
    ann = rig.hello("Ann", "JOIN-T", asks="NOTE")
    note = (
        "you are in t1, with 1 player so far: it begins 60 s after the last has come, once there are 8 or more and "
        "an even number, or when Ann says X-START"
    )
    assert f'X-NOTE "{note}"' in rig.heard(ann)
    for name in ("Bob", "Cat", "Dan", "Eve", "Fay", "Gus"):
        rig.hello(name, "JOIN-T t1")
    rig.wait(120_000)
    assert rig.begun == [], "seven make no pairs"
    hal = rig.hello("Hal", "JOIN-T t1")
    assert any(line.startswith('NAK "you are in t1, with 8 players so far') for line in rig.heard(hal))
    rig.wait(59_999)
    assert rig.begun == []
    rig.wait(1)
    assert [begun.number for begun in rig.begun] == [1]


@pytest.mark.clause("SS-46")
def test_the_game_that_joined_has_named_in_a_tournament_brings_its_player_back_to_its_table() -> None:
    rig = LobbyRig()
    clients = eight(rig)
    rig.send_line(clients["Ann"], "X-START")
    rig.hang_up(clients["Ann"])
    rig.play_round(1, ("Ann & Bob", "Cat & Dan"), ("Eve & Fay", "Gus & Hal"))
    ann = rig.hello("Ann", "JOIN-M match001open")
    assert ann in rig.rounds.values()
    rig.send_line(ann, "JOIN-M match001open S")
    assert rig.passed_on[-1] == (ann, b"JOIN-M match001open S"), "its table answers"


def test_what_is_refused_is_quoted_as_it_was_said_and_a_hyphen_stands_for_what_is_left_out() -> None:
    rig = LobbyRig()
    ann = rig.hello("Ann", "JOIN-M Match001Open")
    assert "there is no game Match001Open" in rig.heard(ann)[-1]
    rig.send_line(ann, "JOIN-T T9x")
    assert "there is no tournament T9x" in rig.heard(ann)[-1]
    rig.send_line(ann, "JOIN-M - E")
    assert rig.heard(ann)[-1] == "JOINED g1 E"
    rig.send_line(ann, "JOIN-T -")
    assert "TOURNAMENTS t1" in rig.heard(ann)


@pytest.mark.clause("SS-39")
def test_whoever_first_gives_a_phrase_keeps_the_name_also_when_the_lobby_opens_again() -> None:
    rig = LobbyRig()
    owner = rig.hello("Ann#open sesame", "JOIN-M")
    again = LobbyRig(kept=rig.kept)
    assert "open sesame" not in repr(rig.kept)
    for said, why in (
        ("Ann", "Ann is kept with a pass phrase: HELLO Ann#phrase, or take another name"),
        ("ann#sesame", "ann is kept with another pass phrase"),
    ):
        assert again.heard(again.hello(said)) == [f'NAK "{why}"']
    assert "GAMES -" in again.heard(again.hello("Ann#open sesame"))
    # With the phrase the newest connection has the name, and its seat.
    newest = rig.hello("ann#open sesame", "JOIN-M")
    assert owner not in rig.open
    assert rig.heard(owner)[-1] == 'NAK "ann has connected again, with the pass phrase"'
    assert rig.heard(newest)[-1] == "JOINED g1 S"


# Games


@pytest.mark.clause("SS-40")
def test_a_game_forms_with_joined_to_everybody_and_begins_with_the_fourth_player() -> None:
    rig = LobbyRig()
    ann = rig.hello("Ann", "JOIN-M")
    assert rig.heard(ann)[-2:] == ["GAMES -", "JOINED g1 S"]
    bob = rig.hello("Bob", "JOIN-M g1 N")
    assert rig.heard(ann) == ["JOINED g1 N Bob"]
    assert rig.heard(bob)[-2:] == ["JOINED g1 N", "JOINED g1 S Ann"]
    rig.hello("Cat", "JOIN-M G1")
    assert rig.started == []
    rig.send_line(ann, "BID PASS")
    assert rig.heard(ann)[-1] == 'NAK "g1 has not begun: it waits for 1 more"'
    rig.hello("Dan", "JOIN-M g1")
    (started,) = rig.started
    assert (started.number, started.kind) == (1, "rubber")
    assert started.players == dict(zip(SEATS, ("Bob", "Dan", "Ann", "Cat"), strict=True))
    assert sorted(rig.tables[1].seated) == list(SEATS)


@pytest.mark.clause("SS-40")
def test_a_kind_in_place_of_an_id_makes_a_game_of_that_kind() -> None:
    rig = LobbyRig(BOTS)
    rig.hello("Ann", "JOIN-M Chicago")
    rig.hello("Bob", "JOIN-M duplicate N")
    rig.hello("Cat", "JOIN-M")
    assert [each.kind for each in rig.started] == ["chicago", "duplicate", "rubber"]
    assert rig.started[1].players[Seat.NORTH] == "Bob"


@pytest.mark.clause("SS-40")
def test_bots_fill_the_game_of_one_person_at_once_and_give_their_seats_to_persons() -> None:
    rig = LobbyRig(BOTS)
    ann = rig.hello("Ann", "JOIN-M")
    assert rig.heard(ann)[-5:] == [
        "JOINED g1 S",
        'JOINED g1 N "Bot N"',
        'JOINED g1 E "Bot E"',
        'JOINED g1 W "Bot W"',
        "JOINED g1 S",
    ]
    assert len(rig.tables[1].seated) == 4
    bob = rig.hello("Bob")
    assert "GAMES g1" in rig.heard(bob)
    rig.send_line(bob, "JOIN-M g1 N")
    assert rig.tables[1].seated[Seat.NORTH] == bob
    assert len(rig.tables[1].seated) == 4
    # Two of them let the other bots stay; a full table of persons is not listed any more.
    rig.hello("Cat", "JOIN-M g1")
    rig.hello("Dan", "JOIN-M g1")
    late = rig.hello("Eve", "JOIN-M g1")
    assert rig.heard(late)[-2:] == ["GAMES -", 'NAK "g1 has four players"']


@pytest.mark.clause("SS-33")
def test_two_clients_for_one_seat_have_it_one() -> None:
    rig = LobbyRig()
    rig.hello("Ann", "JOIN-M rubber N")
    bob = rig.hello("Bob", "JOIN-M g1 N")
    assert rig.heard(bob)[-1] == 'NAK "seat N of g1 is Ann\'s"'


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            "JOIN-M g9",
            f"there is no game g9: JOIN-M alone or {KINDS} makes one",
        ),
        (
            "JOIN-M g1",
            f"the game g1 is over: JOIN-M alone or {KINDS} makes one",
        ),
        ("X-LEAVE", "you have no seat: JOIN-M takes one"),
        ("PLAY AS", "you have no seat yet: JOIN-M makes a game of rubber, and JOIN-M g1 joins one"),
        ("JOIN-M g1 N E", "the message is JOIN-M [gameid [position]], got 3 arguments"),
    ],
)
def test_what_cannot_be_is_refused_with_what_is_right(line: str, why: str) -> None:
    rig = LobbyRig(BOTS)
    ann = rig.hello("Ann", "JOIN-M")
    rig.end_table(1)
    rig.send_line(ann, line)
    assert rig.heard(ann)[-1] == f'NAK "{why}"'
    assert ann in rig.open


# Leaving


@pytest.mark.clause("SS-41")
@pytest.mark.clause("SS-42")
def test_whoever_leaves_frees_the_seat_and_all_are_told() -> None:
    rig = LobbyRig()
    ann, bob, cat, dan = four(rig, "Ann", "Bob", "Cat", "Dan")
    watcher = rig.hello("Eve")
    for each in (ann, bob, cat, dan, watcher):
        rig.heard(each)
    rig.send_line(bob, "X-LEAVE")
    assert rig.heard(bob) == ["X-LEFT g1 W", "GAMES g1"]
    assert "X-LEFT g1 W Bob" in rig.heard(ann)
    assert rig.heard(watcher) == ["GAMES g1"]
    rig.send_line(watcher, "JOIN-M g1")
    assert rig.tables[1].seated[Seat.WEST] == watcher


@pytest.mark.clause("SS-40")
@pytest.mark.clause("SS-42")
def test_joining_another_game_leaves_the_first_and_an_empty_one_is_gone_without_a_trace() -> None:
    rig = LobbyRig()
    ann, bob = rig.hello("Ann", "JOIN-M"), rig.hello("Bob", "JOIN-M")
    rig.send_line(ann, "JOIN-M g2")
    assert rig.heard(bob)[-1] == "JOINED g2 W Ann"
    assert rig.broken == []
    rig.send_line(bob, "X-LEAVE")
    assert rig.heard(ann)[-1] == "X-LEFT g2 S Bob"
    # The number is taken by the next game, so that the record has no gap.
    eve = rig.hello("Eve", "JOIN-M")
    assert rig.heard(eve)[-1] == "JOINED g1 S"


@pytest.mark.clause("SS-42")
def test_a_game_that_the_last_person_leaves_is_broken_off() -> None:
    rig = LobbyRig(BOTS)
    ann = rig.hello("Ann", "JOIN-M")
    rig.heard(ann)
    rig.send_line(ann, "X-LEAVE")
    assert [(each.number, each.reason) for each in rig.broken] == [(1, "Ann has left, and nobody is left")]
    assert rig.heard(ann) == ["X-LEFT g1 S", "GAMES -"]


@pytest.mark.clause("SS-45")
def test_players_of_a_game_that_is_over_are_told_the_list_and_may_make_the_next() -> None:
    rig = LobbyRig(BOTS)
    ann = rig.hello("Ann", "JOIN-M")
    rig.heard(ann)
    rig.end_table(1)
    assert rig.heard(ann) == ["X-LEFT g1 S", "GAMES -"]
    rig.send_line(ann, "JOIN-M")
    assert [each.number for each in rig.started] == [1, 2]
    assert len(rig.tables[2].seated) == 4


# One hand of a board


@pytest.mark.clause("SS-47")
def test_nobody_gets_a_second_hand_of_a_board_by_leaving_one_seat_for_another() -> None:
    rig = LobbyRig(BOTS)
    rig.hello("Ann", "JOIN-M")
    eve = rig.hello("Eve", "JOIN-M g1 N")
    rig.begin_board(1, 1)
    for seat in (Seat.EAST, Seat.WEST, Seat.EAST):
        rig.send_line(eve, "X-LEAVE", f"JOIN-M g1 {seat.letter}")
        why = "you have held seat N of g1 on the board in play, and get no other on it"
        assert rig.heard(eve)[-1] == f'NAK "{why}"'
    rig.send_line(eve, "JOIN-M g1")
    assert rig.tables[1].seated[Seat.NORTH] == eve, "its own seat is given back"
    bob = rig.hello("Bob", "JOIN-M g1 E")
    assert rig.tables[1].seated[Seat.EAST] == bob, "a bot's hand of the board in play is a newcomer's"
    rig.begin_board(1, 0)
    rig.send_line(eve, "X-LEAVE", "JOIN-M g1 W")
    assert rig.tables[1].seated[Seat.WEST] == eve


@pytest.mark.clause("SS-47")
def test_an_empty_seat_is_not_for_who_has_left_another_nor_for_a_new_name_from_that_address() -> None:
    rig = LobbyRig()
    home, other = "192.0.2.1:5", "192.0.2.2:5"
    rig.hello("Ann", "JOIN-M", peer=home)
    bob, cat = rig.hello("Bob", "JOIN-M g1", peer=other), rig.hello("Cat", "JOIN-M g1", peer=other)
    rig.hello("Dan", "JOIN-M g1", peer="192.0.2.3:5")
    rig.begin_board(1, 1)
    rig.send_line(bob, "X-LEAVE")
    rig.send_line(cat, "X-LEAVE", "JOIN-M g1 W")
    why = "you have held seat N of g1 on the board in play, and get no other on it"
    assert rig.heard(cat)[-1] == f'NAK "{why}"'
    zed = rig.hello("Zed", "JOIN-M g1 W", peer=other)
    assert "somebody at your address has held seat N of g1 on the board in play and left" in rig.heard(zed)[-1]
    # Who shares an address with somebody that sits there is another person.
    amy = rig.hello("Amy", "JOIN-M g1 W", peer=home)
    assert rig.tables[1].seated[Seat.WEST] == amy
    rig.begin_board(1, 0)
    rig.send_line(zed, "JOIN-M g1")
    assert rig.tables[1].seated[Seat.NORTH] == zed


@pytest.mark.clause("SS-47")
def test_after_a_restart_it_is_still_known_who_has_seen_which_hand() -> None:
    rig = LobbyRig()
    players = dict(zip(SEATS, ("Ann", "Bob", "Cat", "Dan"), strict=True))
    holders = [*((seat, name, "") for seat, name in players.items()), (Seat.EAST, "Eve", "")]
    rig.core.games.restore(1, "rubber", players, 0, board=3, holders=holders)
    rig.hello("Ann", "JOIN-M")
    rig.wait(120_000)  # nobody else comes back
    eve = rig.hello("Eve", "JOIN-M g1 W")
    assert rig.heard(eve)[-1] == 'NAK "you have held seat E of g1 on the board in play, and get no other on it"'
    rig.send_line(eve, "JOIN-M g1")
    assert rig.core.games.by_number[1].seats[Seat.EAST].name == "Eve"


# Games within a minute


@pytest.mark.clause("SS-47")
def test_a_player_and_an_address_make_so_many_games_within_a_minute_and_no_more() -> None:
    rig = LobbyRig(LobbyLimits(bots=3, starts_per_name=2, starts_per_address=3))
    ann = rig.hello("Ann", "JOIN-M", "X-LEAVE", "JOIN-M", "X-LEAVE", "JOIN-M", peer="192.0.2.1:5")
    assert rig.heard(ann)[-1] == 'NAK "Ann makes at most 2 games within a minute: the next in 60 s"'
    zed = rig.hello("Zed", "JOIN-M", "X-LEAVE", "JOIN-M", peer="192.0.2.1:6")
    assert rig.heard(zed)[-1] == 'NAK "all at 192.0.2.1 make at most 3 games within a minute: the next in 60 s"'
    assert len(rig.started) == 3
    rig.hello("Bob", "JOIN-M", peer="192.0.2.2:5")
    rig.wait(60_000)
    rig.send_line(ann, "JOIN-M")
    assert len(rig.started) == 5


# Coming back


@pytest.mark.clause("SS-43")
@pytest.mark.parametrize("join", ["JOIN-M", "JOIN-M g1", "JOIN-M g1 S"])
def test_a_lost_connection_keeps_its_seat_for_a_while(join: str) -> None:
    rig = LobbyRig()
    ann, *_ = four(rig, "Ann", "Bob", "Cat", "Dan")
    rig.hang_up(ann)
    assert Seat.SOUTH not in rig.tables[1].seated
    rig.wait(119_000)
    other = rig.hello("Eve", "JOIN-M g1")
    assert rig.heard(other)[-1] == 'NAK "g1 has four players"'
    ann = rig.hello("Ann", join)
    assert rig.tables[1].seated[Seat.SOUTH] == ann


@pytest.mark.clause("SS-43")
def test_a_seat_whose_player_does_not_come_back_is_a_bots_or_anybodys() -> None:
    for bots in (0, 1):
        rig = LobbyRig(LobbyLimits(bots=bots))
        ann, *_ = four(rig, "Ann", "Bob", "Cat", "Dan")
        rig.hang_up(ann)
        rig.wait(120_000)
        assert (Seat.SOUTH in rig.tables[1].seated) is (bots == 1)
        eve = rig.hello("Eve", "JOIN-M g1")
        assert rig.tables[1].seated[Seat.SOUTH] == eve
        ann = rig.hello("Ann", "JOIN-M g1")
        assert rig.heard(ann)[-1] == 'NAK "g1 has four players"'


@pytest.mark.clause("SS-43")
def test_a_person_alone_with_bots_has_its_seat_as_long_as_the_game() -> None:
    rig = LobbyRig(BOTS)
    ann = rig.hello("Ann", "JOIN-M")
    rig.hang_up(ann)
    rig.wait(1_799_000)
    ann = rig.hello("Ann", "JOIN-M")
    assert rig.tables[1].seated[Seat.SOUTH] == ann
    rig.hang_up(ann)
    rig.wait(1_800_000)
    assert [each.reason for each in rig.broken] == ["nobody has said anything for 1800 s"]


@pytest.mark.clause("SS-43")
def test_games_of_the_record_go_on_with_the_players_they_had() -> None:
    rig = LobbyRig(BOTS)
    rig.core.games.use_number(1)
    rig.core.games.restore(2, "rubber", dict(zip(SEATS, ("Bot N", "Bob", "Ann", "Bot W"), strict=True)), 0)
    rig.started = []
    newcomer = rig.hello("Joe")
    assert rig.heard(newcomer)[-1] == "GAMES -", "nobody is there with whom it could be played"
    ann = rig.hello("Ann", "JOIN-M")
    assert "JOINED g2 S" in rig.heard(ann)
    assert rig.heard(newcomer)[-1] == "GAMES g2"
    eve = rig.hello("Eve", "JOIN-M")
    assert "JOINED g3 S" in rig.heard(eve)


@pytest.mark.clause("SS-31")
def test_the_state_on_request_is_asked_of_the_table() -> None:
    rig = LobbyRig(BOTS)
    ann = rig.hello("Ann", "JOIN-M")
    rig.send_line(ann, "join-m", "BID 1NT")
    assert rig.passed_on == [(ann, b"JOIN-M g1"), (ann, b"BID 1NT")]


# Tournaments


def eight(rig: LobbyRig, **wishes: str) -> dict[str, int]:
    """Eight clients in a tournament of the first one's making, each with its wish for a partner."""
    clients = {"Ann": rig.hello("Ann", "JOIN-T")}
    for name in ("Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"):
        clients[name] = rig.hello(name, f"JOIN-T t1 {wishes.get(name, '')}".strip())
    return clients


@pytest.mark.clause("SS-46")
def test_a_tournament_pairs_wishes_first_and_the_others_as_they_came() -> None:
    rig = LobbyRig()
    clients = eight(rig, Bob="Hal", Fay="Cat")
    rig.send_line(clients["Bob"], "X-START")
    assert rig.heard(clients["Bob"])[-1] == 'NAK "Ann has made t1, and begins it"'
    rig.send_line(clients["Ann"], "X-START")
    (begun,) = rig.begun
    assert begun.pairs == ("Bob & Hal", "Cat & Fay", "Ann & Dan", "Eve & Gus")
    rig.play_round(1, ("Bob & Hal", "Cat & Fay"), ("Ann & Dan", "Eve & Gus"))
    seated: dict[tuple[int, Side], set[int]] = {(key.table, key.seat.side): set() for key in rig.rounds}
    for key, client in rig.rounds.items():
        seated[key.table, key.seat.side].add(client)
    assert seated[1, Side.NS] == {clients["Bob"], clients["Hal"]}
    assert seated[2, Side.EW] == {clients["Eve"], clients["Gus"]}
    for client in clients.values():
        rig.heard(client)
    rig.end_round()
    rig.send_line(clients["Ann"], "BID PASS")
    assert rig.heard(clients["Ann"]) == ['NAK "your next table in t1 is not open yet: JOINED says when it is"']
    rig.play_round(1, ("Bob & Hal", "Ann & Dan"), ("Cat & Fay", "Eve & Gus"))
    assert rig.heard(clients["Ann"])[0].startswith("JOINED match1 ")
    rig.end_tournament(1)
    assert rig.heard(clients["Ann"])[-2:] == ["TOURNAMENTS -", "GAMES -"]
    rig.send_line(clients["Ann"], "JOIN-T")
    assert rig.heard(clients["Ann"])[-1] == "TOURNAMENTS t2"


@pytest.mark.clause("SS-46")
@pytest.mark.parametrize(
    ("name", "join", "why"),
    [
        ("Cat", "JOIN-T t1 Bob", "Ann has asked for Bob before"),
        ("Cat", "JOIN-T t1 Ann", "Ann wants to play with Bob"),
        ("Cat", "JOIN-T t1 CAT", "a partner is somebody else"),
        ("Cat", "JOIN-T t9", "there is no tournament t9: JOIN-T alone makes one"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused(name: str, join: str, why: str) -> None:
    rig = LobbyRig()
    rig.hello("Ann", "JOIN-T", "JOIN-T t1 Bob")
    assert rig.heard(rig.hello(name, join))[-1] == f'NAK "{why}"'


@pytest.mark.clause("SS-46")
def test_whoever_waited_for_a_partner_is_told_when_that_chooses_another_or_does_not_come() -> None:
    rig = LobbyRig()
    clients = eight(rig, Cat="Zoe", Dan="Hal", Hal="Bob")
    assert rig.heard(clients["Dan"])[-1] == 'NAK "your wish for a partner cannot be met: Hal plays with Bob"'
    rig.send_line(clients["Ann"], "X-START")
    assert rig.heard(clients["Cat"])[-1] == 'NAK "your wish for a partner cannot be met: Zoe has not come"'
    assert rig.begun[0].pairs == ("Bob & Hal", "Ann & Cat", "Dan & Eve", "Fay & Gus")


@pytest.mark.clause("SS-46")
def test_a_tournament_has_four_pairs_and_takes_nobody_once_it_has_begun() -> None:
    rig = LobbyRig()
    clients = eight(rig)
    rig.send_line(clients["Hal"], "X-LEAVE")
    rig.send_line(clients["Ann"], "X-START")
    why = "a tournament has at least 4 pairs and an even number of players, there are 7"
    assert rig.heard(clients["Ann"])[-1] == f'NAK "{why}"'
    rig.send_line(clients["Hal"], "JOIN-T t1")
    rig.send_line(clients["Ann"], "X-START", "X-START")
    assert rig.heard(clients["Ann"])[-1] == 'NAK "t1 has begun already"'
    late = rig.hello("Zoe", "JOIN-T t1")
    assert rig.heard(late)[-1] == 'NAK "t1 has begun, and takes nobody any more: JOIN-T alone makes another"'
    rig.send_line(clients["Ann"], "JOIN-M")
    why = "you play in t1 until it is over: JOIN-T leads you back to your table"
    assert rig.heard(clients["Ann"])[-1] == f'NAK "{why}"'


@pytest.mark.clause("SS-46")
def test_the_maker_that_leaves_gives_the_tournament_to_the_next_and_an_empty_one_is_gone() -> None:
    rig = LobbyRig()
    clients = eight(rig)
    rig.send_line(clients["Ann"], "JOIN-M")
    rig.hello("Zoe", "JOIN-T t1")
    rig.send_line(clients["Bob"], "X-START")
    assert len(rig.begun) == 1
    again = LobbyRig()
    ann = again.hello("Ann", "JOIN-T", "X-LEAVE")
    assert again.heard(ann)[-2:] == ["TOURNAMENTS -", "GAMES -"]


@pytest.mark.clause("SS-46")
def test_lost_connections_come_back_to_a_tournament_also_when_the_lobby_opens_again() -> None:
    rig = LobbyRig()
    clients = eight(rig)
    rig.send_line(clients["Ann"], "X-START")
    tables = (rig.begun[0].pairs[:2], rig.begun[0].pairs[2:])
    rig.play_round(1, *tables)
    rig.hang_up(clients["Ann"])
    assert len(rig.rounds) == 7
    rig.wait(1_000_000)  # its place is its own all the time
    ann = rig.hello("Ann", "JOIN-T")
    rig.play_round(1, tables[0])
    assert ann in rig.rounds.values()

    opened = LobbyRig()
    opened.core.tournaments.restore(1, rig.begun[0].pairs, 0)
    dan = opened.hello("Dan")
    assert "TOURNAMENTS t1" in opened.heard(dan)
    opened.play_round(1, *tables)
    assert opened.rounds == {}
    opened.send_line(dan, "JOIN-T t1")
    assert list(opened.rounds.values()) == [dan]


# Limits


@pytest.mark.clause("SS-44")
def test_a_player_that_owes_a_call_loses_its_seat_only_while_others_wait() -> None:
    rig = LobbyRig(BOTS)
    ann = rig.hello("Ann", "JOIN-M")
    rig.owe(1, Seat.SOUTH, 900_000)
    assert rig.tables[1].seated[Seat.SOUTH] == ann
    rig.hello("Bob", "JOIN-M g1 N")
    rig.owe(1, Seat.SOUTH, 299_999)
    assert rig.tables[1].seated[Seat.SOUTH] == ann
    rig.heard(ann)
    rig.owe(1, Seat.SOUTH, 300_000)
    assert rig.tables[1].seated[Seat.SOUTH] < 0
    assert rig.heard(ann) == [
        'NAK "you have owed a call or card for 300 s: your seat in g1 is free"',
        "X-LEFT g1 S",
        "GAMES g1",
    ]


@pytest.mark.clause("SS-44")
def test_a_client_without_a_seat_that_says_nothing_is_disconnected() -> None:
    rig = LobbyRig()
    ann = rig.hello("Ann")
    rig.wait(1_800_000)
    assert ann not in rig.open
    assert rig.heard(ann)[-1] == 'NAK "a client without a seat says something within 1800 s"'


def test_more_games_connections_or_names_than_the_limits_are_refused() -> None:
    rig = LobbyRig(LobbyLimits(games=1, clients=3, clients_per_address=1, names=1))
    rig.hello("Ann#open sesame", "JOIN-M")
    bob = rig.hello("Bob#open sesame")
    assert rig.heard(bob) == ['NAK "this lobby keeps 1 names with pass phrases, and no more: leave yours out"']
    rig.send_line(bob, "HELLO Bob", "JOIN-M")
    assert rig.heard(bob)[-1] == 'NAK "this lobby has 1 games at once: join one, or wait"'
    rig.hang_up(bob)
    first, second = rig.connect("192.0.2.1:1"), rig.connect("192.0.2.1:2")
    way = "and the oldest gives way"
    assert rig.heard(first) == [f'NAK "this lobby takes 1 connections at once from 192.0.2.1, {way}"']
    rig.connect("192.0.2.2:1")
    assert rig.heard(rig.connect("192.0.2.3:1")) == []
    assert rig.heard(second) == [f'NAK "this lobby takes 3 connections at once, {way}"']


@pytest.mark.parametrize(
    ("said", "what"),
    [("JOIN-M", "games"), ("JOIN-T", "tournaments"), ('HELLO "{name}#sesame"', "names with pass phrases")],
)
def test_the_players_at_one_address_take_no_more_than_their_share_and_leave_the_rest(said: str, what: str) -> None:
    rig = LobbyRig(LobbyLimits(games=20, tournaments=20, names=20, starts_per_address=100))
    greedy = [rig.hello(f"Ann {number}", peer=f"192.0.2.1:{number}") for number in range(1, 20)]
    for number, client in enumerate(greedy, 1):
        rig.heard(client)
        rig.send_line(client, said.format(name=f"Ann {number}"))
    refused = f'NAK "all at 192.0.2.1 have 5 {what} at once, the limit is 5"'
    assert [refused in rig.heard(client) for client in greedy] == [False] * 5 + [True] * 14
    other = rig.hello("Bob", peer="192.0.2.2:1")
    rig.heard(other)
    rig.send_line(other, said.format(name="Bob"))
    assert not any(" at once, " in line for line in rig.heard(other))


def test_a_player_alone_in_its_game_may_change_it_for_another_at_the_limit_of_its_address() -> None:
    rig = LobbyRig(LobbyLimits(games=20, starts_per_address=100))
    ann, *_ = [rig.hello(f"Ann {number}", "JOIN-M", peer=f"192.0.2.1:{number}") for number in range(1, 6)]
    rig.heard(ann)
    rig.send_line(ann, "JOIN-M chicago")
    assert not any(" at once, " in line for line in rig.heard(ann))


def test_a_name_under_which_nobody_plays_for_a_day_is_free_again_and_one_of_a_player_is_not() -> None:
    rig = LobbyRig(LobbyLimits(bots=3, idle_game_ms=10**9, idle_ms=10**9, away_ms=10**9))
    rig.hello("Ann#sesame")
    rig.hello("Bob#sesame", "JOIN-M")
    rig.wait(1000)
    assert set(rig.kept) == {"ann", "bob"}
    rig.wait(UNPLAYED_MS)
    assert set(rig.kept) == {"bob"}
    other = rig.hello("Ann#another phrase", peer="192.0.2.2:1")
    assert "is kept" not in "".join(rig.heard(other))


def test_a_client_that_its_table_sends_away_keeps_its_seat_like_one_whose_connection_is_lost() -> None:
    rig = LobbyRig(BOTS)
    ann = rig.hello("Ann", "JOIN-M")
    rig.send_away(1, Seat.SOUTH)
    assert ann not in rig.open
    ann = rig.hello("Ann", "JOIN-M")
    assert rig.tables[1].seated[Seat.SOUTH] == ann


# Who sits in the games of the list


@pytest.mark.clause("SS-50")
def test_who_asks_for_games_is_told_what_is_played_there_and_by_whom() -> None:
    rig = LobbyRig()
    rig.hello("Ann", "JOIN-M")
    watcher, plain = rig.hello("Tim", asks="GAMES"), rig.hello("Tom")
    assert rig.heard(watcher)[-2:] == ["X-GAME g1 rubber - - Ann -", "GAMES g1"]
    assert not [line for line in rig.heard(plain) if line.startswith("X-GAME")]
    bob = rig.hello("Bob", "JOIN-M g1 N")
    assert rig.heard(watcher) == ["X-GAME g1 rubber Bob - Ann -", "GAMES g1"]
    assert rig.heard(plain) == []
    rig.hello("Cat", "JOIN-M chicago")
    assert rig.heard(watcher) == ["X-GAME g2 chicago - - Cat -", "GAMES g1,g2"]
    rig.send_line(bob, "X-LEAVE")
    assert rig.heard(watcher) == ["X-GAME g1 rubber - - Ann -", "GAMES g1,g2"]
