"""The reference player's connection: waiting for a table, gaps, silence, unreadable lines, and error messages."""

import socket
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from tourney.bots import Decision, Strategy, client
from tourney.bots.client import BotSettings, run_bot
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import REDOUBLE, Bid, Card, PlayerView, Seat, Strain
from tourney.errors import LaunchError, ProtocolError

BOARD = "Board number 4. Dealer West. Both vulnerable."
CARDS = "West's cards : S A K Q. H A K Q. D A K Q. C A K Q J."


class Table:
    """A table for one bot, which says what the test wants."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads = ThreadPoolExecutor(1)
        self._link: socket.socket | None = None
        self._unread = b""
        self.told: list[str] = []
        """What the bot has said to its user."""

    @property
    def port(self) -> int:
        port: int = self._listener.getsockname()[1]
        return port

    def seat(self, strategy: Strategy | None = None, **settings: Any) -> Future[None]:
        """Run a bot as West, who deals board 4; return the error it ends with, if any."""
        given: dict[str, Any] = {"host": "127.0.0.1", "port": self.port, "seat": Seat.WEST, "team": "Beta"}
        chosen = BotSettings(**(given | settings))
        bot = self._threads.submit(run_bot, chosen, strategy or RandomStrategy(1), self.told.append)
        self._link, _ = self._listener.accept()
        self._link.settimeout(20)
        return bot

    def hear(self) -> str:
        """Read the bot's next line."""
        assert self._link is not None
        while b"\n" not in self._unread:
            data = self._link.recv(65536)
            assert data, "the bot has closed the connection"
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode().rstrip("\r")

    def send_line(self, text: str, end: str = "\r\n") -> None:
        assert self._link is not None
        self._link.sendall((text + end).encode())

    def to_the_cards(self) -> None:
        """Lead the bot to the point where West may call."""
        for line in ('West ("Beta") seated', 'Teams : N/S : "Alpha" E/W : "Beta"', "Start of board", BOARD):
            self.hear()
            self.send_line(line)
        assert self.hear() == "West ready for cards"

    def close(self) -> None:
        if self._link is not None:
            self._link.close()
        self._listener.close()
        self._threads.shutdown()


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.close()


@pytest.fixture
def sleeps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Stop the bot's clock; return how long it wanted to sleep each time, in milliseconds."""
    slept: list[int] = []
    clock = SimpleNamespace(monotonic=lambda: 1000.0, sleep=lambda seconds: slept.append(round(1000 * seconds)))
    monkeypatch.setattr(client, "time", clock)
    return slept


def test_two_lines_in_a_row_are_written_with_the_gap_between_them(table: Table, sleeps: list[int]) -> None:
    table.seat(line_gap_ms=300)
    table.to_the_cards()
    assert sleeps == []  # every line so far was an answer to one from the table
    table.send_line(CARDS)
    assert [table.hear(), table.hear()] == ["West passes", "West ready for North's bid"]
    assert sleeps == [300]


class Illegal:
    """Redoubles whatever was called."""

    def choose_call(self, view: PlayerView) -> Decision:
        return Decision(REDOUBLE)

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        raise AssertionError("the auction is not over")


@pytest.mark.clause("BC-20")
def test_an_illegal_call_goes_to_the_table_which_rules_on_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "SILENCE_S", 0.01)
    bot = table.seat(Illegal())
    table.to_the_cards()
    table.send_line(CARDS)
    assert table.hear() == "West redoubles"
    assert table.told == [
        "West may not call XX: there is no double to redouble: sent all the same, for the table to rule on"
        f" (table 127.0.0.1 port {table.port})"
    ]
    for _ in range(49):
        table.send_line("Illegal bid")
        assert table.hear() == "West redoubles"
    table.send_line("Illegal bid\r\nWest passes")  # the table has acted: it is not asked again
    assert table.hear() == "West ready for North's bid"
    table.send_line("Illegal bid")
    with pytest.raises(ProtocolError, match="the table said 'Illegal bid'"):
        bot.result(timeout=20)


@pytest.mark.parametrize("line", ["Start of Board", 'Teams : N/S : "Alpha" E/W : "Beta"', "End of session"])
def test_a_known_line_without_an_end_is_taken_after_a_short_silence(
    table: Table, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "SILENCE_S", 0.01)
    bot = table.seat()
    table.hear()
    table.send_line('West ("Beta") seated')
    assert table.hear() == "West ready for teams"
    table.send_line(line, end="")
    if line == "End of session":
        assert bot.result(timeout=20) is None
    else:
        assert table.hear().startswith("West ready ")


def test_what_may_go_on_is_waited_for(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "SILENCE_S", 0.01)
    bot = table.seat()
    table.hear()
    table.send_line("Error: the seat", end="")
    table.send_line(" is taken")
    with pytest.raises(ProtocolError, match="the table said 'Error: the seat is taken'"):
        bot.result(timeout=20)


def test_a_score_and_a_closed_connection_end_the_session(table: Table) -> None:
    bot = table.seat()
    table.hear()
    table.send_line('West ("Beta") seated')
    table.send_line("NS:1NT+1 120")
    assert table.hear() == "West ready for teams"
    table.close()
    assert bot.result(timeout=20) is None


def test_a_line_of_another_tables_own_between_boards_is_told_and_played_past(table: Table) -> None:
    bot = table.seat()
    for line in ('West ("Beta") seated', 'Teams : N/S : "Alpha" E/W : "Beta"'):
        table.hear()
        table.send_line(line)
    assert table.hear() == "West ready to start"
    table.send_line("Tea is served")
    table.send_line("Timing - N/S : this board  00:00,  total  0:00:00.  E/W : this board  00:00,  total  0:00:00")
    table.send_line("End of session")
    assert bot.result(timeout=20) is None
    where = f"table 127.0.0.1 port {table.port}"
    assert table.told == [f"the table sent 'Tea is served', which needs no answer ({where})"]


class Alerting(RandomStrategy):
    """Opens one notrump with an alert, in every position."""

    def choose_call(self, view: PlayerView) -> Decision:
        return Decision(Bid(1, Strain.NOTRUMP), "12 to 14 points")


@pytest.mark.parametrize(
    ("alerts", "called"), [(True, "West bids 1NT Alert. 12 to 14 points."), (False, "West bids 1NT")]
)
def test_a_bot_without_alerts_makes_the_same_call_and_explains_nothing(
    table: Table, alerts: bool, called: str
) -> None:
    table.seat(Alerting(1), alerts=alerts)
    table.to_the_cards()
    table.send_line(CARDS)
    assert table.hear() == called


@pytest.fixture
def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


def test_a_closed_port_is_told_at_once_and_every_five_seconds(
    closed_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = [1000.0]

    def sleep(seconds: float) -> None:
        now_s[0] += seconds

    told: list[tuple[int, str]] = []
    monkeypatch.setattr(client, "time", SimpleNamespace(monotonic=lambda: now_s[0], sleep=sleep))
    settings = BotSettings("127.0.0.1", closed_port, Seat.WEST, "Beta", connect_s=12)
    with pytest.raises(LaunchError, match=f"no table listens on 127.0.0.1 port {closed_port} after 12 s"):
        run_bot(settings, RandomStrategy(1), lambda text: told.append((round(now_s[0] - 1000), text)))
    start = f"no table listens on 127.0.0.1 port {closed_port} yet: trying for another"
    assert told == [(0, f"{start} 12 s"), (5, f"{start} 7 s"), (10, f"{start} 2 s")]
