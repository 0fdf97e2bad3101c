"""Misbehaving players: what each of them does at a table core whose other players are in memory."""

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support.wire_tables import table
from tourney.bots.random_style import RandomStrategy
from tourney.bots.strategy import answer
from tourney.bridge import DOUBLE, SEATS, Auction, Board, Seat, board_from_seed
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.player_lines import format_connecting, parse_player_line
from tourney.protocol.lines import LineBuffer, Overlong
from tourney.protocol.player import PlayerEffect, SendLine
from tourney.protocol.session.intents import CallIntent, CardIntent
from tourney.protocol.session.records import CallMade, CardPlayed
from tourney.testing import misbehaving
from tourney.testing.misbehaving import KINDS, FaultyPlayer, main
from tourney.testing.table_rig import Peer, TableRig

SEAT = Seat.SOUTH


class Program:
    """A misbehaving player's `main` on a thread; `connection` is the table's end of its connection."""

    def __init__(self, *words: str) -> None:
        self.status: int | None = None
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = str(listener.getsockname()[1])
            place = ["--port", port, "--seat", SEAT.title, "--team", "Alpha"]
            self._thread = threading.Thread(target=self._run, args=[[*words, *place]])
            self._thread.start()
            listener.settimeout(20)
            self.connection, _ = listener.accept()
        self.connection.settimeout(20)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = LineBuffer()
        self._pending: list[bytes | Overlong] = []
        self.raw = b""
        """All bytes that the player has sent."""

    def _run(self, words: list[str]) -> None:
        try:
            main(words)
            self.status = 0
        except SystemExit as left:
            self.status = left.code if isinstance(left.code, int) else -1

    def read(self) -> list[bytes | Overlong]:
        """Read the next lines; none if the player has closed its end."""
        while True:
            try:
                data = self.connection.recv(65536)
            except ConnectionResetError:
                return []
            self.raw += data
            lines = self._lines.feed(data)
            if lines or not data:
                return lines

    def hear(self) -> str:
        """Read the next line."""
        self._pending = self._pending or self.read()
        line = self._pending.pop(0)
        assert isinstance(line, bytes)
        return line.decode("latin-1")

    def tell(self, line: str) -> None:
        """Send a line to the player, which may have left already."""
        with suppress(ConnectionError):
            self.connection.sendall(line.encode() + b"\r\n")

    def rest(self) -> list[bytes | Overlong]:
        """Close the table's end, and read all that the player says until it leaves."""
        self.connection.shutdown(socket.SHUT_WR)
        lines = self._pending
        while more := self.read():
            lines += more
        return lines

    def close(self) -> None:
        self.connection.close()
        self._thread.join(20)
        assert not self._thread.is_alive(), "the player is left behind"


@contextmanager
def program(*words: str) -> Iterator[Program]:
    with closing(Program(*words)) as running:
        yield running


@dataclass
class Session:
    """A session that was played: `said` and `told` are South's lines, to and from the table."""

    rig: TableRig
    said: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    raw: bytes = b""
    status: int | None = None

    @property
    def refusals(self) -> list[str]:
        return [line for line in self.told if line.startswith(("Illegal", "Error"))]

    @property
    def board_count(self) -> int:
        return self.told.count("Start of board")


class _Partner:
    """A player in memory that follows the protocol."""

    def __init__(self, rig: TableRig, seat: Seat) -> None:
        self._rig = rig
        self._core = PlayerCore(seat, rig.core.state.settings.team(seat.side))
        self._strategy = RandomStrategy(seat)
        self._peer = rig.connect()
        self._react(self._core.start())

    def work(self) -> bool:
        """Handle the lines that have arrived; return whether there were any."""
        lines = self._peer.take()
        for line in lines:
            self._react(self._core.receive_line(line.encode()))
        return bool(lines)

    def _react(self, effects: list[PlayerEffect]) -> None:
        for effect in answer(self._strategy, self._core, effects):
            if isinstance(effect, SendLine):
                told = self._rig.send_line(self._peer, effect.line)
                self._peer.lines[:0] = told
            else:
                assert effect.reason is None, effect.reason


def boards_with_play(count: int) -> tuple[Board, ...]:
    """Make boards that the random players play in a contract."""
    return tuple(board_from_seed("misbehaving", "all", number) for number in range(1, count + 1))


def play(*words: str, boards: int = 1, **settings: Any) -> Session:
    """Play with a misbehaving South until it has left or its connection has been closed."""
    session = Session(rig := table(boards_with_play(boards), trick_pause_ms=0, **settings))
    partners = [_Partner(rig, seat) for seat in SEATS if seat is not SEAT]
    with program(*words) as south:
        peer = rig.connect()
        while not peer.closed:
            for told in serve(partners, peer):
                session.told.append(told)
                south.tell(told)
            if not (lines := south.read()):
                break
            for line in lines:
                session.said.append(line.decode("latin-1") if isinstance(line, bytes) else "(overlong)")
                peer.lines[:0] = rig.send_line(peer, line)
        session.told += serve(partners, peer)
        session.raw = south.raw
    session.status = south.status
    return session


def serve(partners: list[_Partner], peer: Peer) -> list[str]:
    """Let the other players play as far as they can; return what South is told."""
    while any(partner.work() for partner in partners):
        pass
    return peer.take()


def said_cards(session: Session) -> list[str]:
    return [line for line in session.said if " plays " in line]


def said_calls(session: Session) -> list[str]:
    verbs = ("bids", "passes", "doubles", "redoubles")
    return [line for line in session.said if line.split()[1] in verbs]


# Players that finish the session all the same


def test_each_line_of_double_send_comes_twice() -> None:
    session = play("double-send")
    assert session.said[::2] == session.said[1::2]
    assert session.refusals


def test_lines_of_lf_only_have_no_cr() -> None:
    session = play("lf-only")
    assert session.status == 0
    assert b"\r" not in session.raw
    assert session.raw.count(b"\n") == len(session.said) > 60


def test_byte_by_byte_writes_each_byte_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: set[int] = set()
    send = FaultyPlayer.send

    def measured(player: FaultyPlayer, data: bytes) -> None:
        sizes.add(len(data))
        send(player, data)

    monkeypatch.setattr(FaultyPlayer, "send", measured)
    assert play("byte-by-byte").status == 0
    assert sizes == {1}


def test_the_million_bytes_of_megabyte_line_come_in_one_line_and_play_goes_on() -> None:
    session = play("megabyte-line", "--at-card", "4")
    assert session.status == 0
    assert session.said.count("(overlong)") == 1
    assert len(session.raw) > 1_000_000
    assert len(session.refusals) == 1
    assert len(session.rig.of_kind(CardPlayed)) == 52


def test_a_talker_says_each_ready_line_as_often_as_it_is_told_to() -> None:
    session = play("talker", "--flood", "5")
    assert session.status == 0
    assert session.said.count("South ready for deal") == 6
    assert session.said.count("South ready for dummy") in (0, 6)


def test_early_ready_has_asked_for_everything_before_it_is_due() -> None:
    session = play("early-ready", boards=2)
    assert session.status == 0
    log_on = [f"South ready {what}" for what in ("for teams", "to start", "for deal", "for cards")]
    assert session.said[1:5] == log_on
    assert session.said.count("South ready for cards") == 1 + 2
    at = session.said.index("South ready for cards", 5)
    assert session.said[at + 1 : at + 4] == [f"South ready for {who}'s bid" for who in ("North", "East", "West")]
    assert session.refusals == []


def test_wrong_seat_speaks_as_its_left_hand_opponent_before_each_line_of_its_own() -> None:
    session = play("wrong-seat")
    assert session.status in (0, 1)
    assert session.said[1:7] == [
        f"{who} ready {what}" for what in ("for teams", "to start", "for deal") for who in ("West", "South")
    ]


def test_what_a_slow_player_takes_is_before_its_calls_and_cards_only(monkeypatch: pytest.MonkeyPatch) -> None:
    thought: list[int] = []
    monkeypatch.setattr(misbehaving, "think", thought.append)
    session = play("slow", "--think-ms", "70")
    assert session.status == 0
    assert thought == [70] * (len(said_calls(session)) + len(said_cards(session)))


def test_what_a_slow_ready_player_takes_is_before_its_ready_lines_only(monkeypatch: pytest.MonkeyPatch) -> None:
    thought: list[int] = []
    monkeypatch.setattr(misbehaving, "think", thought.append)
    session = play("slow-ready", "--think-ms", "80")
    assert session.status == 0
    assert thought == [80] * sum(" ready " in line for line in session.said)


@pytest.mark.parametrize(
    ("kind", "refusal"), [("illegal-call", "Illegal bid"), ("wrong-hand", "Illegal card"), ("revoke", "Illegal card")]
)
@pytest.mark.parametrize("times", [1, 2])
def test_an_irregularity_is_tried_on_every_board_so_often_and_then_play_goes_on(
    kind: str, refusal: str, times: int
) -> None:
    session = play(kind, "--times", str(times), boards=2)
    assert session.status == 0
    assert session.refusals == [refusal] * (2 * times)
    assert len(session.rig.of_kind(CardPlayed)) == 2 * 52


def test_an_illegal_call_is_a_bid_too_low_or_a_double_of_nothing_at_the_first_turn() -> None:
    session = play("illegal-call")
    auction = Auction(session.rig.of_kind(CallMade)[0].seat)
    for made in session.rig.of_kind(CallMade):
        if auction.turn is SEAT:
            break
        auction.add(made.call)
    tried = parse_player_line(said_calls(session)[0])
    assert isinstance(tried, CallIntent)
    assert auction.why_illegal(tried.call) is not None
    assert tried.call == auction.last_bid or (tried.call is DOUBLE and auction.last_bid is None)


@pytest.mark.parametrize(("kind", "is_held"), [("wrong-hand", False), ("revoke", True)])
def test_wrong_hand_plays_a_card_that_the_hand_never_held_and_revoke_one_of_another_suit_that_it_holds(
    kind: str, is_held: bool
) -> None:
    session = play(kind)
    said = [line for line in map(parse_player_line, said_cards(session)) if isinstance(line, CardIntent)]
    hands = {line.seat for line in said}
    on_record = [CardIntent(card.seat, card.card) for card in session.rig.of_kind(CardPlayed) if card.seat in hands]
    tried, instead = next((said[i : i + 2] for i, card in enumerate(on_record) if said[i] != card))
    assert tried.seat is not None
    assert tried.seat is instead.seat
    (board,) = boards_with_play(1)
    assert (tried.card in board.deal[tried.seat]) is is_held
    assert kind == "wrong-hand" or tried.card.suit is not instead.card.suit


def test_out_of_turn_passes_when_another_is_to_call() -> None:
    session = play("out-of-turn", "--times", "2")
    assert session.status == 0
    assert len(session.refusals) == 2
    assert all(line.startswith("Error: ") for line in session.refusals)


def test_with_die_a_player_ends_at_the_first_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    session = play("illegal-call", "--die")
    assert session.status == 1
    assert session.refusals == ["Illegal bid"]
    assert capsys.readouterr().err == "the table said 'Illegal bid'\n"


@pytest.mark.parametrize(
    ("kind", "fits"),
    [
        ("no-alert-stop", lambda line: "Alert. " in line and not line.endswith(".")),
        ("bare-alert", lambda line: line.endswith(" Alert.")),
        ("long-alert", lambda line: len(line) > 2000 and line.endswith(".")),
    ],
)
def test_an_alerting_player_alerts_all_its_calls_in_its_own_way(kind: str, fits: Callable[[str], bool]) -> None:
    session = play(kind)
    assert session.status == 0
    calls = said_calls(session)
    assert calls
    assert all(map(fits, calls))
    assert all(call.alerted for call in session.rig.of_kind(CallMade) if call.seat is SEAT)


def test_noise_sends_garbage_before_each_line_until_the_table_has_enough() -> None:
    session = play("noise")
    assert session.status == 1
    assert session.said[1] == format_connecting("Alpha", SEAT, 18)
    assert session.said[3] == "South ready for teams"
    assert len(session.refusals) == 21  # one for each bad line, and the reason why the connection is closed


# Players that go wrong at a moment


@pytest.mark.parametrize(("kind", "status"), [("crash", 3), ("hang-up", 0), ("reset", 0)])
def test_a_player_leaves_after_the_line_it_was_told_to(
    kind: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with program(kind, "--after", "2") as player:
        assert player.hear().startswith("Connecting")
        player.tell('South ("Alpha") seated')
        assert player.hear() == "South ready for teams"
        player.tell('Teams : N/S : "Alpha" E/W : "Beta"')
        assert player.read() == []
    assert player.status == status
    assert capsys.readouterr().err == ("South crashed after 2 lines\n" if kind == "crash" else "")


@pytest.mark.parametrize("cards", [1, 6, 52])
def test_a_player_leaves_at_the_card_it_was_told_to(cards: int) -> None:
    session = play("crash", "--at-card", str(cards))
    assert session.status == 3
    told = [line for line in session.told if " plays " in line]
    assert len(told) + len(said_cards(session)) == cards
    assert session.board_count == 1


def test_a_stalled_player_says_nothing_more_and_stays_until_the_table_closes() -> None:
    with program("stall", "--after", "2") as player:
        player.hear()
        player.tell('South ("Alpha") seated')
        assert player.hear() == "South ready for teams"
        player.tell('Teams : N/S : "Alpha" E/W : "Beta"')
        player.tell("Start of board")
        assert player.rest() == []
    assert player.status == 1


def test_a_player_that_is_to_stall_after_no_line_never_says_a_word() -> None:
    with program("stall", "--after", "0") as player:
        assert player.rest() == []
    assert player.raw == b""


def test_garbage_is_the_last_that_is_heard_and_depends_on_the_seed_only() -> None:
    sent = []
    for seed in (1, 1, 2):
        with program("garbage", "--after", "1", "--seed", str(seed)) as player:
            player.hear()
            player.tell('South ("Alpha") seated')
            player.tell('Teams : N/S : "Alpha" E/W : "Beta"')
            player.rest()
        sent.append(player.raw.partition(b"\r\n")[2])
    assert [len(data) for data in sent] == [4098] * 3
    assert sent[0] == sent[1] != sent[2]


def test_lines_have_no_end_from_the_moment_on() -> None:
    with program("no-line-end", "--after", "2") as player:
        player.tell('South ("Alpha") seated')
        player.tell('Teams : N/S : "Alpha" E/W : "Beta"')
        player.tell("Start of board")
        player.rest()
    lines = player.raw.split(b"\r\n")
    assert lines[1:] == [b"South ready for teams", b"South ready to startSouth ready for deal"]


def test_a_deaf_player_asks_for_its_cards_and_never_reads() -> None:
    with program("deaf") as player:
        assert [player.hear() for _ in range(5)][1:] == [
            f"South ready {what}" for what in ("for teams", "to start", "for deal", "for cards")
        ]
        player.connection.setblocking(False)
        with pytest.raises(BlockingIOError):
            # Far more than the buffers of both ends hold: it could only be sent if somebody read.
            player.connection.sendall(b"x" * 100_000_000)
        # Closing in an orderly way would wait until everything is read.
        player.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


# The command


def test_a_marker_file_makes_a_player_go_wrong_once_only(tmp_path: Path) -> None:
    words = ("crash", "--at-card", "3", "--once", str(tmp_path / "crashed"))
    assert play(*words).status == 3
    again = play(*words)
    assert again.status == 0
    assert len(again.rig.of_kind(CardPlayed)) == 52


def test_the_same_seed_makes_the_same_choices() -> None:
    said = [play("wrong-hand", "--seed", seed, boards=2).said for seed in ("5", "5", "6")]
    assert said[0] == said[1] != said[2]


def test_help_says_what_every_kind_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    printed = " ".join(capsys.readouterr().out.split())
    assert [name for name, kind in KINDS.items() if f"{name} {kind.sentence}" not in printed] == []


@pytest.mark.parametrize("words", [["no-such-kind"], ["crash", "--seat", "Nobody"], ["crash", "--port", "x"]])
def test_wrong_words_are_a_matter_of_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*words, "--team", "Alpha"])
    assert "error: argument" in capsys.readouterr().err


def test_a_table_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        with pytest.raises(SystemExit, match="1"):
            main(["crash", "--port", str(port), "--seat", "north", "--team", "Alpha"])
    assert capsys.readouterr().err == f"table 127.0.0.1 port {port} cannot be reached: Connection refused\n"


def test_as_a_process_it_has_the_status_of_its_fault_and_ends_on_sigterm() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = ["--port", str(listener.getsockname()[1]), "--seat", "East", "--team", "Beta"]
        base = [sys.executable, "-m", "tourney.testing.misbehaving"]
        crash = subprocess.run([*base, "crash", "--after", "0", *place], capture_output=True, check=False, timeout=30)
        assert (crash.returncode, crash.stderr) == (3, b"East crashed after 0 lines\n")
        listener.accept()[0].close()
        deaf = subprocess.Popen([*base, "deaf", *place])
        connection, _ = listener.accept()
        with connection:
            assert connection.recv(10) == b"Connecting"
            os.kill(deaf.pid, signal.SIGTERM)
            assert deaf.wait(30) == -signal.SIGTERM
