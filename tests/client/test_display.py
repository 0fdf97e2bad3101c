"""Plain lines: what is typed is answered at once, and lines of a pipe wait for the player's turn."""

import pytest

from tests.client.test_typed import AUCTION
from tests.support.typing_player import session_after
from tourney.client.display import LineDisplay


async def test_a_line_is_answered_before_the_next_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    session = session_after(*AUCTION, "AUCOPEN S -")
    sent: list[str] = []
    display = LineDisplay(session, lambda line: sent.extend(session.receive_typed(line or "quit")))
    display.show()
    capsys.readouterr()
    display.receive("9s")
    assert capsys.readouterr().out == "'9s' is a card, and it is your turn to bid: 1C .. 7NT, PASS; ? for help\n"
    display.receive("1s")
    display.receive("2s")
    assert sent == ["BID 1S"]
    session.receive_line(b"AUCOPEN S 1S,PASS,PASS,DOUBLE")
    display.show()
    assert sent == ["BID 1S", "BID 2S"]
    display.receive(None)
    assert session.has_left
