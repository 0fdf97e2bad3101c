"""The picture fits its terminal, shows what the player may see, and passes on nothing that a terminal would obey."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from tests.client.test_typed import AUCTION, CLOSED, TRICK_1
from tourney.client.screen import ScreenStyle, draw_screen
from tourney.client.session import HELP, PlaySession, SeatAddress


def session_after(*lines: str, name: str = "Alpha") -> PlaySession:
    session = PlaySession(name, SeatAddress())
    session.open_connection()
    for line in lines:
        session.receive_line(line.encode())
    return session


def picture(session: PlaySession, columns: int = 80, rows: int = 24, typed: str = "") -> str:
    """The picture as plain text."""
    return "\n".join(line.plain.rstrip() for line in draw_screen(session, typed, ScreenStyle(columns, rows)))


IN_PLAY = (*CLOSED, "X-ALERT E asks 4", *TRICK_1, "TRICK N -", "TRICK E 7H", "TRICK S 7H,2H")


def test_the_picture_of_a_board_in_play() -> None:
    assert picture(session_after(*IN_PLAY), 72).splitlines() == [
        "Board 7  Dealer South  Vul both  Game g1",
        "N Alpha           E Beta            S you             W Beta",
        "─" * 71,
        "West   North  East   South    Contract  1NT by East",
        "                     Pass     Tricks    NS 1  EW 0",
        "Pass   Pass   1NT!   Pass",
        "Pass   Pass",
        "East 1NT! asks",
        "",
        "You, South                     N ♥7             Dummy W",
        "♠ A K Q J                W .         E ♥2       ♠ 10",
        "♥ 10 9 8                       S ?              ♥ -",
        "♦ 7 6                                           ♦ 10",
        "♣ 4 3 2                  last S ♦5 ♦2 ♦A ♦3     ♣ A K Q J 10 9 8 7 6 5",
        "─" * 71,
        "your card, the hearts 10 9 8",
        ">",
    ]


def test_the_hand_is_shown_with_its_points_and_the_turn_with_what_is_legal() -> None:
    shown = picture(session_after(*AUCTION, "AUCOPEN S 1D,PASS,1H"))

    assert "You, South, 10 HCP" in shown
    assert "your bid: 1S .. 7NT, PASS, DOUBLE" in shown


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 120])
@pytest.mark.parametrize("rows", [6, 16, 24, 50])
def test_no_line_is_longer_than_the_terminal_is_wide_and_the_prompt_is_always_there(columns: int, rows: int) -> None:
    auction = "AUCOPEN S " + ",".join(
        ["PASS,PASS,1C,DOUBLE,REDOUBLE,PASS,PASS,1D,DOUBLE"] + ["PASS,PASS,2D,DOUBLE"] * 6
    )
    session = session_after(*AUCTION, auction, 'X-ALERT W "a very long explanation of what it asks for, in words" 4')
    for _ in range(9):
        session.receive_typed("what is it that I may type here, and why is it that nobody has ever told me about it?")

    lines = draw_screen(session, "2c! asks" * 10, ScreenStyle(columns, rows))

    assert max(line.cell_len for line in lines) < columns
    assert len(lines) <= rows
    assert lines[-1].plain.startswith("> ")


def test_four_hands_of_thirteen_cards_of_one_suit_fit_sixty_columns() -> None:
    hand = "HAND AS,KS,QS,JS,10S,9S,8S,7S,6S,5S,4S,3S,2S"

    assert "♠ AKQJT98765432" in picture(session_after(*AUCTION[:5], hand, "AUCOPEN S -"), 60)


def test_letters_stand_for_suits_where_there_are_no_signs() -> None:
    lines = draw_screen(session_after(*IN_PLAY), "", ScreenStyle(60, 24, has_signs=False))

    assert "\n".join(line.plain for line in lines).isascii()


SAID_BY_OTHERS = ("JOINED g1 S", "JOINED g1 W {}", "X-ALERT W {} 1", "NAK {}", "X-END {}")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=40), st.sampled_from(SAID_BY_OTHERS[1:]))
def test_texts_of_others_never_send_a_control_character_to_the_terminal(data: bytes, form: str) -> None:
    quoted = b'"' + data.replace(b"\n", b"").replace(b"\\", b"").replace(b'"', b"") + b'"'
    session = session_after(*AUCTION, "AUCOPEN N 1C,PASS")
    session.receive_line(form.encode().replace(b"{}", quoted))

    console = Console(file=io.StringIO(), color_system=None, width=200)
    for line in draw_screen(session, "", ScreenStyle(120, 40)):
        console.print(line)
    written = console.file.getvalue()  # type: ignore[attr-defined] # a StringIO

    assert all(char.isprintable() for char in written.replace("\n", ""))
    assert all(text.isprintable() for text in session.take_messages())


def test_all_of_the_help_and_the_whole_of_a_long_alert_can_be_read() -> None:
    said = "shows five spades and a minor, at least five cards in each, and less than an opening bid: " * 2
    session = session_after(*AUCTION, f'X-ALERT E "{said.strip()}" 2', "AUCOPEN S 1D,2D,PASS")
    assert said.strip() in " ".join(picture(session).split())
    session.receive_typed("?")
    shown = " ".join(picture(session).split())
    assert all(line in shown for line in HELP)
    session.receive_typed("7n")
    assert HELP[0] not in " ".join(picture(session).split())
