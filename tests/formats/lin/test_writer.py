"""LIN, written: a match byte for byte, results, and texts that the format cannot hold."""

import pytest

from tourney.bridge import (
    PASS,
    BoardInPlay,
    Contract,
    Result,
    Seat,
    Strain,
    Vulnerability,
    board_from_seed,
    parse_call,
    score_ns,
)
from tourney.formats.lin.writer import LinCall, LinGame, LinMatch, format_line, format_lines, format_vugraph

NAMES = ("Alpha", "Beta", "Alpha", "Beta")
OTHERS = ("Beta", "Alpha", "Beta", "Alpha")
HANDS_1 = "SHT763DKT8532CQ85,ST954HAQ984DAQJ9C,SA83HKJ52DCAKT976,SKQJ762HD764CJ432"  # South, West, North, East; voids


def game(
    number: int,
    calls: str,
    cards: int = 0,
    tricks: int | None = None,
    names: tuple[str, str, str, str] = NAMES,
    explanations: dict[int, str] | None = None,
) -> LinGame:
    """A board from a seed: its calls, `!` behind those alerted, then so many cards, each the lowest legal one."""
    in_play = BoardInPlay(board_from_seed("sample", "pbn", number))
    made = []
    for index, word in enumerate(calls.split()):
        call = PASS if word.startswith("p") else parse_call(word.removesuffix("!"))
        in_play.add_call(call)
        made.append(LinCall(call, word.endswith("!"), (explanations or {}).get(index, "")))
    for _ in range(cards):
        assert in_play.play is not None
        in_play.add_card(in_play.play.legal_cards()[-1])
    contract = in_play.contract
    result = in_play.result
    if result is None and tricks is not None:
        result = Result(contract, tricks, score_ns(contract, tricks, in_play.board.vulnerability))
    played = in_play.play.cards if in_play.play is not None else []
    return LinGame(
        board=in_play.board,
        names=names,
        calls=tuple(made),
        cards=tuple(card for _, card in played),
        result=result,
    )


def match(*games: tuple[LinGame | None, LinGame | None]) -> LinMatch:
    return LinMatch(
        title="Test Cup",
        segment="Final 1",
        teams=("Alpha", "Beta"),
        names=(NAMES, OTHERS),
        boards=(1, 2, 3),
        games=games,
    )


def test_a_vugraph_file_is_written_byte_for_byte() -> None:
    claimed = game(1, "1NT! p 3NT p p p", cards=6, tricks=8, explanations={0: "12-14", 2: "to play"})
    forfeited = game(3, "1C p", names=OTHERS)
    assert format_vugraph(match((claimed, game(1, "p p p p", names=OTHERS)), (None, forfeited))) == (
        "vg|Test Cup,Final 1,I,1,3,Alpha,0,Beta,0|\n"
        "rs|3NN-1,PASS,,,,|\n"
        "pn|Alpha,Beta,Alpha,Beta,Beta,Alpha,Beta,Alpha|pg||\n"
        f"qx|o1|st||md|3{HANDS_1}|rh||ah|Board 1|sv|o|\n"
        "mb|1N!|an|12-14|mb|p|mb|3N|an|to play|mb|p|mb|p|mb|p|pg||\n"
        "pc|C2|pc|C5|pc|D9|pc|C6|pg||\n"
        "pc|C7|pc|C3|pg||\n"
        "mc|8|pg||\n"
        f"qx|c1|st||md|3{HANDS_1}|rh||ah|Board 1|sv|o|\n"
        "mb|p|mb|p|mb|p|mb|p|pg||\n"
        "qx|c3|st||md|1SJT864HAJ8DAQ95C6,S9732H743D76CQ852,SKQ5HQT2DJ83CK743,SAHK965DKT42CAJT9|rh||ah|Board 3|sv|e|\n"
        "mb|1C|mb|p|pg||\n"
    )


def test_a_board_for_hand_viewers_is_one_line_with_the_names_in_front() -> None:
    line = format_line(game(1, "1NT p p p", cards=5, tricks=7))
    assert line == (
        f"pn|Alpha,Beta,Alpha,Beta|st||md|3{HANDS_1}|rh||ah|Board 1|sv|o|"
        "mb|1N|mb|p|mb|p|mb|p|pg||pc|C2|pc|C5|pc|D9|pc|C6|pg||pc|C7|pg||mc|7|pg||"
    )
    assert format_lines([game(1, "1NT p p p", cards=5, tricks=7)] * 2) == f"{line}\n{line}\n"


@pytest.mark.parametrize(
    ("contract", "tricks", "text"),
    [
        (Contract(4, Strain.HEARTS, 0, Seat.EAST), 10, "4HE="),
        (Contract(3, Strain.NOTRUMP, 0, Seat.WEST), 10, "3NW+1"),
        (Contract(4, Strain.SPADES, 1, Seat.WEST), 6, "4SWx-4"),
        (Contract(7, Strain.CLUBS, 2, Seat.NORTH), 13, "7CNxx="),
    ],
)
def test_results_are_told_as_vugraph_files_tell_them(contract: Contract, tricks: int, text: str) -> None:
    made = LinGame(
        board=board_from_seed("sample", "pbn", 1),
        names=NAMES,
        calls=(),
        cards=(),
        result=Result(contract, tricks, score_ns(contract, tricks, Vulnerability.NONE)),
    )
    assert f"\nrs|{text},,,,,|\n" in format_vugraph(match((made, None)))


def test_doubles_and_redoubles_are_letters() -> None:
    line = format_line(game(1, "1C X! XX p p p", tricks=7))
    assert "mb|1C|mb|d!|mb|r|mb|p|" in line


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("4+♠, no ♥", "4+!S, no !H"),
        ("a|b\r\nc", "a/b c"),
        ("Łódź 15+", "Lodz 15+"),
        ("Stop!hearts !D", "Stop! hearts ! D"),
        ("really!", "really!"),
        ("shows pn", "shows pn."),
    ],
)
def test_explanations_are_written_in_ascii_without_the_delimiter(text: str, written: str) -> None:
    assert f"|an|{written}|" in format_line(game(1, "1C p p p", tricks=7, explanations={0: text}))


@pytest.mark.parametrize(
    ("name", "written"),
    [("Ants, Ltd", "Ants; Ltd"), ("♠ Aces|x", "S Aces/x"), ("Ørsted", "Orsted"), ("pn", "pn."), ("", "")],
)
def test_names_have_no_comma_and_no_delimiter(name: str, written: str) -> None:
    line = format_line(game(1, "1C p p p", tricks=7, names=("N", "E", "S", name)))
    assert line.startswith(f"pn|S,{written},N,E|")
