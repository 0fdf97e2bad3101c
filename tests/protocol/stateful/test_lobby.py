"""A lobby's port: names, games that are made, joined and left, seats that are kept, limits; without sockets."""

import pytest

from tests.support.lobby_rig import LobbyRig
from tourney.bridge import SEATS, Seat
from tourney.protocol.stateful.lobby.state import LobbyLimits

BOTS = LobbyLimits(bots=3)


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


def test_a_flood_behind_a_held_hello_is_sent_away() -> None:
    rig = LobbyRig()
    rig.hello("Ann")
    second = rig.hello("Ann", *["JOIN-M"] * 21)
    assert second not in rig.open


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


# Coming back


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


# Tournaments


def in_tournament(**wishes: str) -> LobbyRig:
    """Eight clients in a tournament of the first one's making, each with its wish for a partner."""
    rig = LobbyRig()
    rig.hello("Ann", "JOIN-T")
    for name in ("Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"):
        rig.hello(name, f"JOIN-T t1 {wishes.get(name, '')}".strip())
    return rig


@pytest.mark.clause("SS-46")
def test_players_come_back_to_a_tournament_when_the_lobby_opens_again() -> None:
    opened = LobbyRig()
    opened.core.tournaments.restore(1, ("Ann & Bob", "Cat & Dan", "Eve & Fay", "Gus & Hal"), 0)
    opened.converse("""
        Dan comes -> ... -> TOURNAMENTS t1 -> ...
        round of t1: Ann & Bob v Cat & Dan, Eve & Fay v Gus & Hal
    """)
    assert opened.rounds == {}
    opened.converse("Dan: JOIN-T t1")
    assert list(opened.rounds.values()) == [opened.clients["Dan"]]


# Limits


def test_more_connections_than_the_limits_are_refused() -> None:
    rig = LobbyRig(LobbyLimits(clients=3, clients_per_address=1))
    rig.hello("Ann", "JOIN-M")
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
