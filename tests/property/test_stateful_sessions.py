"""Whole sessions in the stateful-server protocol, whatever is sent when."""

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.protocol_players import Script, made, on_record, rig_for, seeds, sessions, words_of
from tests.support.stateful_tables import blue_chip_player, forgetful_player, scripted
from tests.support.table_rig import TablePlayer, TableRig, play_to_end
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import SEATS, Seat, board_from_seed
from tourney.contest.games import GameBoards
from tourney.protocol.session.records import SeatTaken
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.table import TableSettings
from tourney.scoring.games import GameKind, GameSettings, PassedOut

WORDS = words_of(
    "HELLO JOIN-T JOIN-M BID PLAY X-HELLO X-ALERT X-PING X-PONG HAND DUMMY TRICK SHOUT hello bid play",
    "Alpha Beta Gamma Spring g1 g2 N E S W 0 - 1C 3NT 7NT PASS DOUBLE REDOUBLE AS 2C 10H TH TURN,ALERT,BOARD",
    '"Alpha" "a b" " , 1 \\',
)
garbage = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=5).map(lambda said: " ".join(said).encode()),
    st.binary(max_size=60).map(lambda data: data.replace(b"\n", b"")),
    st.just(b"PLAY " + b"AS," * 10_000),
    st.sampled_from([b"JOIN-T", b"HELLO Alpha", b"HELLO Beta", b"BID PASS", b"PLAY 2C", b"X-HELLO TURN"]),
)


def say_noise(rig: TableRig, seat: Seat, player: TablePlayer, line: bytes) -> None:
    """Say a line on a player's own connection; what comes back is for the player.

    What a program says about itself counts: the list of an `X-HELLO` (SS-10), and before it has a seat the name of a
    `HELLO` (SS-05), with which it would sit down as another's. So it says its own again.
    """
    said = rig.send_line(seat, line)
    names = [b"X-HELLO"]
    if not any(record.connection == rig.seats[seat].number for record in rig.of_kind(SeatTaken)):
        names.append(b"HELLO")
    name = b"".join(line.upper().split()[:1])
    if name in names:
        for own in player.start():
            if own.encode().split()[0] == name:
                said += rig.send_line(seat, own)
    rig.seats[seat].lines += said


@pytest.mark.clause("SS-34")
@given(scripts=sessions(), order=seeds, plain=st.frozensets(st.sampled_from(SEATS)), pause=st.sampled_from([0, 1000]))
@examples(15)
def test_any_session_at_a_mixed_table_is_recorded_as_played(
    scripts: list[Script], order: int, plain: frozenset[Seat], pause: int
) -> None:
    rig = rig_for(scripts, trick_pause_ms=pause)
    players: dict[Seat, TablePlayer] = {}
    for seat in SEATS:
        rig.seats[seat] = rig.connect() if seat in plain else rig.connect_stateful(seat)
        player = blue_chip_player if seat in plain else forgetful_player
        players[seat] = player(rig, seat, scripted(scripts))
    play_to_end(rig, players, Random(order))
    recorded = [entry for entry in on_record(rig) if len(entry) != 6]  # alerts have their full stops from Blue Chip
    assert recorded == [entry for entry in made(scripts) if len(entry) != 6]


GAMES = (
    GameSettings(kind=GameKind.RUBBER, length=None, honours=True, passed_out=PassedOut.NEXT_DEALER),
    GameSettings(kind=GameKind.MINIBRIDGE, length=None, honours=False, passed_out=PassedOut.REDEAL),
)


@pytest.mark.clause("SS-30", "SS-38")
@given(
    game=st.sampled_from(GAMES),
    seed=st.integers(0, 1000),
    losses=st.lists(st.tuples(st.integers(0, 300), st.sampled_from(SEATS)), max_size=12),
    noise=st.lists(st.tuples(st.integers(0, 300), st.sampled_from(SEATS), garbage), max_size=20),
)
@example(GAMES[0], 3, [], [(3, Seat.EAST, b"HELLO Alpha")])
@example(GAMES[1], 35, [], [])
@examples(10)
def test_a_game_with_clients_that_are_lost_and_come_back_amid_garbage_goes_to_its_end(
    game: GameSettings,
    seed: int,
    losses: list[tuple[int, Seat]],
    noise: list[tuple[int, Seat, bytes]],
) -> None:
    boards = tuple(board_from_seed(seed, game.kind, number) for number in (1, 2))
    rules = TableRules(rejoins_max=1000, irregularities_max=1000)
    source = GameBoards(game, boards, {})
    rig = TableRig(TableSettings("Alpha", "Beta", boards, 0, bad_lines_max=1000, rules=rules, source=source))
    players: dict[Seat, TablePlayer] = {}
    for seat in SEATS:
        rig.seats[seat] = rig.connect_stateful(seat)
        players[seat] = forgetful_player(rig, seat, RandomStrategy(seed))
    lines = 0

    def disturb(_: Seat) -> None:
        nonlocal lines
        lines += 1
        for at, seat, line in noise:
            if at == lines and not rig.seats[seat].closed:
                say_noise(rig, seat, players[seat], line)
        for at, seat in losses:
            if at == lines and not rig.ended:
                rig.hang_up(seat)
                reconnect(seat)

    def reconnect(seat: Seat) -> None:
        rig.seats[seat] = rig.connect_stateful(seat)
        for said in players[seat].start():
            told = rig.send_line(seat, said)  # which takes the lines that are there
            rig.seats[seat].lines += told

    # Before they have sat down, garbage may have given them another's name, for which they are sent away.
    play_to_end(rig, players, Random(seed), before_line=disturb, reconnect=reconnect)
    assert rig.ended == [None]
