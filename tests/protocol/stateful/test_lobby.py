"""A lobby's port: names, games that are made, joined and left, seats that are kept, limits; without sockets."""

import pytest

from tests.support.lobby_rig import LobbyRig
from tourney.bridge import SEATS, Seat, Side
from tourney.protocol.stateful.lobby.state import UNPLAYED_MS, LobbyLimits

BOTS = LobbyLimits(bots=3)
KINDS = "JOIN-M rubber, JOIN-M chicago, JOIN-M minibridge, JOIN-M duplicate"


HELD = "you have held seat N of g1 on the board in play, and get no other on it"


def of_four(bots: int = 0) -> LobbyRig:
    """Four clients in a game of the first one's making: South, West, North and East."""
    rig = LobbyRig(LobbyLimits(bots=bots))
    rig.converse("""
        Ann comes: JOIN-M
        Bob comes: JOIN-M g1
        Cat comes: JOIN-M g1
        Dan comes: JOIN-M g1
    """)
    return rig


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
    rig.converse("Ann hears -> nothing")
    rig.hang_up(first)
    rig.converse("Ann hears -> ... -> JOINED g1 N -> ...")


def test_a_flood_behind_a_held_hello_is_sent_away() -> None:
    rig = LobbyRig()
    rig.hello("Ann")
    second = rig.hello("Ann", *["JOIN-M"] * 21)
    assert second not in rig.open


@pytest.mark.clause("SS-46")
def test_the_game_that_joined_has_named_in_a_tournament_brings_its_player_back_to_its_table() -> None:
    rig = in_tournament()
    rig.converse("""
        Ann: X-START
        Ann hangs up
        round of t1: Ann & Bob v Cat & Dan, Eve & Fay v Gus & Hal
        Ann comes: JOIN-M match001open
        Ann: JOIN-M match001open S
    """)
    assert rig.clients["Ann"] in rig.rounds.values()
    assert rig.passed_on[-1] == (rig.clients["Ann"], b"JOIN-M match001open S"), "its table answers"


@pytest.mark.clause("SS-39")
def test_whoever_first_gives_a_phrase_keeps_the_name_also_when_the_lobby_opens_again() -> None:
    rig = LobbyRig()
    owner = rig.hello("Ann#open sesame", "JOIN-M")
    assert "open sesame" not in repr(rig.kept)
    LobbyRig(kept=rig.kept).converse("""
        Ann comes -> NAK "Ann is kept with a pass phrase: HELLO Ann#phrase, or take another name"
        Ann comes as ann#sesame -> NAK "ann is kept with another pass phrase"
        Ann comes as Ann#open sesame -> ... -> GAMES - -> ...
    """)
    # With the phrase the newest connection has the name, and its seat.
    rig.converse("Ann comes as ann#open sesame: JOIN-M -> ... -> JOINED g1 S")
    assert owner not in rig.open
    assert rig.heard(owner)[-1] == 'NAK "ann has connected again, with the pass phrase"'


# Games


@pytest.mark.clause("SS-40")
def test_a_game_forms_with_joined_to_everybody_and_begins_with_the_fourth_player() -> None:
    rig = LobbyRig()
    rig.converse("""
        Ann comes: JOIN-M -> ... -> GAMES - -> JOINED g1 S
        Bob comes: JOIN-M g1 N
        Ann hears -> JOINED g1 N Bob
        Bob hears -> ... -> JOINED g1 N -> JOINED g1 S Ann
        Cat comes: JOIN-M G1
    """)
    assert rig.started == []
    rig.converse("""
        Ann: BID PASS -> ... -> NAK "g1 has not begun: it waits for 1 more"
        Dan comes: JOIN-M g1
    """)
    (started,) = rig.started
    assert (started.number, started.kind) == (1, "rubber")
    assert started.players == dict(zip(SEATS, ("Bob", "Dan", "Ann", "Cat"), strict=True))
    assert sorted(rig.tables[1].seated) == list(SEATS)


@pytest.mark.clause("SS-40")
def test_a_kind_in_place_of_an_id_makes_a_game_of_that_kind() -> None:
    rig = LobbyRig(BOTS)
    rig.converse("""
        Ann comes: JOIN-M Chicago
        Bob comes: JOIN-M duplicate N
        Cat comes: JOIN-M
    """)
    assert [each.kind for each in rig.started] == ["chicago", "duplicate", "rubber"]
    assert rig.started[1].players[Seat.NORTH] == "Bob"


@pytest.mark.clause("SS-40")
def test_bots_fill_the_game_of_one_person_at_once_and_give_their_seats_to_persons() -> None:
    rig = LobbyRig(BOTS)
    rig.converse("""
        Ann comes: JOIN-M
            -> ...
            -> JOINED g1 S
            -> JOINED g1 N "Bot N"
            -> JOINED g1 E "Bot E"
            -> JOINED g1 W "Bot W"
            -> JOINED g1 S
    """)
    assert len(rig.tables[1].seated) == 4
    rig.converse("""
        Bob comes -> ... -> GAMES g1 -> ...
        Bob: JOIN-M g1 N
        g1 has N Bob
    """)
    assert len(rig.tables[1].seated) == 4
    # Two of them let the other bots stay; a full table of persons is not listed any more.
    rig.converse("""
        Cat comes: JOIN-M g1
        Dan comes: JOIN-M g1
        Eve comes: JOIN-M g1 -> ... -> GAMES - -> NAK "g1 has four players"
    """)


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
    LobbyRig(BOTS).converse(f"""
        Ann comes: JOIN-M
        the table of g1 ends
        Ann: {line} -> ... -> NAK "{why}"
        Ann is connected
    """)


# Leaving


@pytest.mark.clause("SS-40", "SS-42")
def test_joining_another_game_leaves_the_first_and_an_empty_one_is_gone_without_a_trace() -> None:
    rig = LobbyRig()
    rig.converse("""
        Ann comes: JOIN-M
        Bob comes: JOIN-M
        Ann: JOIN-M g2
        Bob hears -> ... -> JOINED g2 W Ann
    """)
    assert rig.broken == []
    rig.converse("""
        Bob: X-LEAVE
        Ann hears -> ... -> X-LEFT g2 S Bob
        # The number is taken by the next game, so that the record has no gap.
        Eve comes: JOIN-M -> ... -> JOINED g1 S
    """)


@pytest.mark.clause("SS-42")
def test_a_game_that_the_last_person_leaves_is_broken_off() -> None:
    rig = LobbyRig(BOTS)
    rig.converse("""
        Ann comes: JOIN-M
        Ann hears
        Ann: X-LEAVE
    """)
    assert [(each.number, each.reason) for each in rig.broken] == [(1, "Ann has left, and nobody is left")]
    rig.converse("""
        Ann hears -> X-LEFT g1 S -> GAMES -
    """)


@pytest.mark.clause("SS-45")
def test_players_of_a_game_that_is_over_are_told_the_list_and_may_make_the_next() -> None:
    rig = LobbyRig(BOTS)
    rig.converse("""
        Ann comes: JOIN-M
        Ann hears
        the table of g1 ends
        Ann hears -> X-LEFT g1 S -> GAMES -
        Ann: JOIN-M
    """)
    assert [each.number for each in rig.started] == [1, 2]
    assert len(rig.tables[2].seated) == 4


# One hand of a board


@pytest.mark.clause("SS-47")
def test_after_a_restart_it_is_still_known_who_has_seen_which_hand() -> None:
    rig = LobbyRig()
    players = dict(zip(SEATS, ("Ann", "Bob", "Cat", "Dan"), strict=True))
    holders = [*((seat, name, "") for seat, name in players.items()), (Seat.EAST, "Eve", "")]
    rig.core.games.restore(1, "rubber", players, 0, board=3, holders=holders)
    rig.converse("""
        Ann comes: JOIN-M
        # nobody else comes back
        wait 120_000
        Eve comes: JOIN-M g1 W
            -> ...
            -> NAK "you have held seat E of g1 on the board in play, and get no other on it"
        Eve: JOIN-M g1
    """)
    assert rig.core.games.by_number[1].seats[Seat.EAST].name == "Eve"


# Games within a minute


@pytest.mark.clause("SS-47")
def test_a_player_and_an_address_make_so_many_games_within_a_minute_and_no_more() -> None:
    rig = LobbyRig(LobbyLimits(bots=3, starts_per_name=2, starts_per_address=3))
    rig.converse("""
        Ann comes from 192.0.2.1:5: JOIN-M
        Ann: X-LEAVE
        Ann: JOIN-M
        Ann: X-LEAVE
        Ann: JOIN-M -> ... -> NAK "Ann makes at most 2 games within a minute: the next in 60 s"
        Zed comes from 192.0.2.1:6: JOIN-M
        Zed: X-LEAVE
        Zed: JOIN-M -> ... -> NAK "all at 192.0.2.1 make at most 3 games within a minute: the next in 60 s"
    """)
    assert len(rig.started) == 3
    rig.converse("""
        Bob comes from 192.0.2.2:5: JOIN-M
        wait 60_000
        Ann: JOIN-M
    """)
    assert len(rig.started) == 5


# Coming back


@pytest.mark.clause("SS-43")
@pytest.mark.parametrize("join", ["JOIN-M", "JOIN-M g1", "JOIN-M g1 S"])
def test_a_lost_connection_keeps_its_seat_for_a_while(join: str) -> None:
    rig = of_four()
    rig.converse("Ann hangs up")
    assert Seat.SOUTH not in rig.tables[1].seated
    rig.converse(f"""
        wait 119_000
        Eve comes: JOIN-M g1 -> ... -> NAK "g1 has four players"
        Ann comes: {join}
        g1 has S Ann
    """)


@pytest.mark.clause("SS-43")
def test_a_seat_whose_player_does_not_come_back_is_a_bots_or_anybodys() -> None:
    for bots in (0, 1):
        rig = of_four(bots)
        rig.converse("""
            Ann hangs up
            wait 120_000
        """)
        assert (Seat.SOUTH in rig.tables[1].seated) is (bots == 1)
        rig.converse("""
            Eve comes: JOIN-M g1
            g1 has S Eve
            Ann comes: JOIN-M g1 -> ... -> NAK "g1 has four players"
        """)


@pytest.mark.clause("SS-43")
def test_a_person_alone_with_bots_has_its_seat_as_long_as_the_game() -> None:
    rig = LobbyRig(BOTS)
    rig.converse("""
        Ann comes: JOIN-M
        Ann hangs up
        wait 1_799_000
        Ann comes: JOIN-M
        g1 has S Ann
        Ann hangs up
        wait 1_800_000
    """)
    assert [each.reason for each in rig.broken] == ["nobody has said anything for 1800 s"]


@pytest.mark.clause("SS-43")
def test_games_of_the_record_go_on_with_the_players_they_had() -> None:
    rig = LobbyRig(BOTS)
    rig.core.games.use_number(1)
    rig.core.games.restore(2, "rubber", dict(zip(SEATS, ("Bot N", "Bob", "Ann", "Bot W"), strict=True)), 0)
    rig.started = []
    rig.converse("""
        Joe comes
        # nobody is there with whom it could be played
        Joe hears -> ... -> GAMES -
        Ann comes: JOIN-M -> ... -> JOINED g2 S -> ...
        Joe hears -> ... -> GAMES g2
        Eve comes: JOIN-M -> ... -> JOINED g3 S -> ...
    """)


@pytest.mark.clause("SS-31")
def test_the_state_on_request_is_asked_of_the_table() -> None:
    rig = LobbyRig(BOTS)
    rig.converse("""
        Ann comes: JOIN-M
        Ann: join-m
        Ann: BID 1NT
    """)
    assert rig.passed_on == [(rig.clients["Ann"], b"JOIN-M g1"), (rig.clients["Ann"], b"BID 1NT")]


# Tournaments


def in_tournament(**wishes: str) -> LobbyRig:
    """Eight clients in a tournament of the first one's making, each with its wish for a partner."""
    rig = LobbyRig()
    rig.hello("Ann", "JOIN-T")
    for name in ("Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"):
        rig.hello(name, f"JOIN-T t1 {wishes.get(name, '')}".strip())
    return rig


@pytest.mark.clause("SS-46")
def test_a_tournament_pairs_wishes_first_and_the_others_as_they_came() -> None:
    rig = in_tournament(Bob="Hal", Fay="Cat")
    rig.converse("""
        Bob: X-START -> ... -> NAK "Ann has made t1, and begins it"
        Ann: X-START
        round of t1: Bob & Hal v Cat & Fay, Ann & Dan v Eve & Gus
    """)
    (begun,) = rig.begun
    assert begun.pairs == ("Bob & Hal", "Cat & Fay", "Ann & Dan", "Eve & Gus")
    seated = {name: (key.table, key.seat.side) for key, sits in rig.rounds.items() for name in rig.names_of(sits)}
    assert seated["Bob"] == seated["Hal"] == (1, Side.NS)
    assert seated["Eve"] == seated["Gus"] == (2, Side.EW)
    rig.converse("Ann hears")
    rig.end_round()
    rig.converse("""
        Ann: BID PASS -> NAK "your next table in t1 is not open yet: JOINED says when it is"
        round of t1: Bob & Hal v Ann & Dan, Cat & Fay v Eve & Gus
        Ann hears -> JOINED match1 ... -> ...
    """)
    rig.end_tournament(1)
    rig.converse("""
        Ann hears -> ... -> TOURNAMENTS - -> GAMES -
        Ann: JOIN-T -> ... -> TOURNAMENTS t2
    """)


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
    LobbyRig().converse(f"""
        Ann comes: JOIN-T
        Ann: JOIN-T t1 Bob
        {name} comes: {join} -> ... -> NAK "{why}"
    """)


@pytest.mark.clause("SS-46")
def test_whoever_waited_for_a_partner_is_told_when_that_chooses_another_or_does_not_come() -> None:
    rig = in_tournament(Cat="Zoe", Dan="Hal", Hal="Bob")
    rig.converse("""
        Dan hears -> ... -> NAK "your wish for a partner cannot be met: Hal plays with Bob"
        Ann: X-START
        Cat hears -> ... -> NAK "your wish for a partner cannot be met: Zoe has not come"
    """)
    assert rig.begun[0].pairs == ("Bob & Hal", "Ann & Cat", "Dan & Eve", "Fay & Gus")


@pytest.mark.clause("SS-46")
def test_the_maker_that_leaves_gives_the_tournament_to_the_next_and_an_empty_one_is_gone() -> None:
    in_tournament().converse("""
        Ann: JOIN-M
        Zoe comes: JOIN-T t1
        Bob: X-START
        tournaments begun -> t1
    """)
    LobbyRig().converse("""
        Ann comes: JOIN-T
        Ann: X-LEAVE -> ... -> TOURNAMENTS - -> GAMES -
    """)


@pytest.mark.clause("SS-46")
def test_lost_connections_come_back_to_a_tournament_also_when_the_lobby_opens_again() -> None:
    rig = in_tournament()
    rig.converse("""
        Ann: X-START
        round of t1: Ann & Bob v Cat & Dan, Eve & Fay v Gus & Hal
        Ann hangs up
    """)
    assert len(rig.rounds) == 7
    rig.converse("""
        # Its place is its own all the time.
        wait 1_000_000
        Ann comes: JOIN-T
        round of t1: Ann & Bob v Cat & Dan
    """)
    assert rig.clients["Ann"] in rig.rounds.values()

    opened = LobbyRig()
    opened.core.tournaments.restore(1, rig.begun[0].pairs, 0)
    opened.converse("""
        Dan comes -> ... -> TOURNAMENTS t1 -> ...
        round of t1: Ann & Bob v Cat & Dan, Eve & Fay v Gus & Hal
    """)
    assert opened.rounds == {}
    opened.converse("Dan: JOIN-T t1")
    assert list(opened.rounds.values()) == [opened.clients["Dan"]]


# Limits


@pytest.mark.clause("SS-44")
def test_a_player_that_owes_a_call_loses_its_seat_only_while_others_wait() -> None:
    rig = LobbyRig(BOTS)
    rig.converse("""
        Ann comes: JOIN-M
        S of g1 has owed a call for 900_000
        g1 has S Ann
        Bob comes: JOIN-M g1 N
        S of g1 has owed a call for 299_999
        g1 has S Ann
        Ann hears
        S of g1 has owed a call for 300_000
        Ann hears
            -> NAK "you have owed a call or card for 300 s: your seat in g1 is free"
            -> X-LEFT g1 S
            -> GAMES g1
    """)
    assert rig.tables[1].seated[Seat.SOUTH] < 0


def test_more_games_connections_or_names_than_the_limits_are_refused() -> None:
    rig = LobbyRig(LobbyLimits(games=1, clients=3, clients_per_address=1, names=1))
    rig.converse("""
        Ann comes as Ann#open sesame: JOIN-M
        Bob comes as Bob#open sesame
            -> NAK "this lobby keeps 1 names with pass phrases, and no more: leave yours out"
        Bob: HELLO Bob
        Bob: JOIN-M -> ... -> NAK "this lobby has 1 games at once: join one, or wait"
        Bob hangs up
    """)
    first, second, _, last = (rig.connect(f"192.0.2.{host}") for host in ("1:1", "1:2", "2:1", "3:1"))
    way = "and the oldest gives way"
    assert rig.heard(first) == [f'NAK "this lobby takes 1 connections at once from 192.0.2.1, {way}"']
    assert rig.heard(last) == []
    assert rig.heard(second) == [f'NAK "this lobby takes 3 connections at once, {way}"']


def test_an_address_that_comes_again_and_again_waits_and_others_do_not() -> None:
    rig = LobbyRig(LobbyLimits(clients_per_address=2))
    for number in range(8):
        rig.hang_up(rig.connect(f"192.0.2.1:{number}"))
    rig.wait(20_000)
    why = "this lobby takes 8 connections a minute from 192.0.2.1: come back in 40 s"
    assert rig.heard(rig.connect("192.0.2.1:9")) == [f'NAK "{why}"']
    assert rig.heard(rig.connect("192.0.2.2:1")) == []
    rig.wait(40_000)
    assert rig.heard(rig.connect("192.0.2.1:10")) == []


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
    rig.converse("""
        Ann comes as Ann#sesame
        Bob comes as Bob#sesame: JOIN-M
        wait 1000
    """)
    assert set(rig.kept) == {"ann", "bob"}
    rig.wait(UNPLAYED_MS)
    assert set(rig.kept) == {"bob"}
    rig.converse("Ann comes from 192.0.2.2:1 as Ann#another phrase")
    assert "is kept" not in "".join(rig.heard(rig.clients["Ann"]))


def test_a_client_that_its_table_sends_away_keeps_its_seat_like_one_whose_connection_is_lost() -> None:
    rig = LobbyRig(BOTS)
    rig.converse("Ann comes: JOIN-M")
    rig.send_away(1, Seat.SOUTH)
    rig.converse("""
        Ann is disconnected
        Ann comes: JOIN-M
        g1 has S Ann
    """)


# Who sits in the games of the list


@pytest.mark.clause("SS-50")
def test_who_asks_for_games_is_told_what_is_played_there_and_by_whom() -> None:
    rig = LobbyRig()
    rig.converse("""
        Ann comes: JOIN-M
        Tim comes asking for GAMES
        Tom comes
        Tim hears -> ... -> X-GAME g1 rubber - - Ann - -> GAMES g1
    """)
    assert not [line for line in rig.heard(rig.clients["Tom"]) if line.startswith("X-GAME")]
    rig.converse("""
        Bob comes: JOIN-M g1 N
        Tim hears -> X-GAME g1 rubber Bob - Ann - -> GAMES g1
        Tom hears -> nothing
        Cat comes: JOIN-M chicago
        Tim hears -> X-GAME g2 chicago - - Cat - -> GAMES g1,g2
        Bob: X-LEAVE
        Tim hears -> X-GAME g1 rubber - - Ann - -> GAMES g1,g2
    """)
