"""Sealed boards: what is hashed, what an opened file says, and what is refused."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.support.refusals import refused_texts
from tourney.bridge import board_from_seed
from tourney.errors import FormatError
from tourney.formats.seal import (
    OpenedSeal,
    SealedBoards,
    format_board_line,
    format_opened,
    parse_commitment,
    parse_opened,
)

NONCE = "00" * 31 + "07"


def lines(set_name: str, *numbers: int, seed: str = "7") -> tuple[str, ...]:
    return tuple(format_board_line(board_from_seed(seed, set_name, number)) for number in numbers)


BOARDS = SealedBoards("Test Cup", "7", {"1.1": lines("1.1", 1, 2), "1.2": lines("1.2", 1, 2)})
OPENED = OpenedSeal(NONCE, BOARDS.commitment(NONCE), BOARDS)


def test_the_hash_is_that_of_the_documented_lines() -> None:
    text = (
        "tourney-seal-1\n"
        "nonce 0000000000000000000000000000000000000000000000000000000000000007\n"
        "event Malmö\n"
        "seed 7\n"
        "set 1.1\n"
        "1 N None N:T75.J75.98632.93 J.AQ94.A54.KJT74 AK963.K632.K.Q85 Q842.T8.QJT7.A62\n"
        "2 E NS N:7.AQ82.KQJ6.T983 Q8.KJ543.52.Q642 AKJ965..AT9743.5 T432.T976.8.AKJ7\n"
    )
    boards = SealedBoards("Malmö", "7", {"1.1": lines("1.1", 1, 2)})
    assert boards.commitment(NONCE) == hashlib.sha256(text.encode("utf-8")).hexdigest()


first, second = BOARDS.sets["1.1"]
CHANGES = {
    "another event": replace(BOARDS, event="Test Cup 2"),
    "another seed": replace(BOARDS, seed="8"),
    "sets the other way round": replace(BOARDS, sets=dict(reversed(BOARDS.sets.items()))),
    "boards the other way round": replace(BOARDS, sets=BOARDS.sets | {"1.1": (second, first)}),
    "another number": replace(BOARDS, sets=BOARDS.sets | {"1.1": (first.replace("1 N", "5 N", 1), second)}),
    "another dealer": replace(BOARDS, sets=BOARDS.sets | {"1.1": (first.replace("1 N", "1 S", 1), second)}),
    "another vulnerability": replace(BOARDS, sets=BOARDS.sets | {"1.1": (first.replace("None", "All"), second)}),
    "two cards exchanged": replace(
        BOARDS, sets=BOARDS.sets | {"1.1": (first.replace("T75.", "J75.").replace(" J.AQ", " T.AQ"), second)}
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_is_changed_changes_the_hash(change: str) -> None:
    assert format_opened(replace(OPENED, boards=CHANGES[change])) != format_opened(OPENED)
    assert CHANGES[change].commitment(NONCE) != OPENED.commitment


def test_an_opened_file_is_read_back_as_it_was_written() -> None:
    assert parse_opened(format_opened(OPENED), "opened.json") == OPENED
    of_file = replace(OPENED, boards=replace(BOARDS, seed=None))
    assert parse_opened(format_opened(of_file), "opened.json") == of_file


def test_the_board_that_the_seed_does_not_deal_is_named() -> None:
    assert BOARDS.first_not_of_seed is None
    stranger = lines("1.2", 2, seed="8")
    sets = BOARDS.sets | {"1.2": (BOARDS.sets["1.2"][0], *stranger)}
    assert replace(BOARDS, sets=sets).first_not_of_seed == "board 2 of set 1.2"
    assert replace(BOARDS, sets=sets, seed=None).first_not_of_seed is None


def changed(**fields: Any) -> str:
    return json.dumps(json.loads(format_opened(OPENED)) | fields)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [*refused_texts("seals"), ("[" * 100_000, "x is not a file of opened boards: it is not JSON")],
)
def test_what_is_no_opened_file_is_refused_in_one_sentence(text: str, sentence: str) -> None:
    """A text that ends with a brace is of fields that are changed in a good file."""
    with pytest.raises(FormatError) as refused:
        parse_opened(changed(**json.loads(text)) if text.endswith("}") else text, "x")
    assert str(refused.value) == sentence


@given(st.integers(0, 10_000), st.characters())
def test_a_character_changed_in_an_opened_file_never_fits_but_where_it_says_the_same(at: int, char: str) -> None:
    text = format_opened(OPENED)
    at %= len(text)
    assume(text[at] != char)
    try:
        opened = parse_opened(text[:at] + char + text[at + 1 :], "x")
    except FormatError:
        return
    # A blank more or less says the same.
    assert opened == OPENED or opened.boards.commitment(opened.nonce) != opened.commitment


def test_a_hash_is_taken_as_people_copy_it() -> None:
    assert parse_commitment(f" {'AB ' * 16}\n{'cd' * 16} ") == "ab" * 16 + "cd" * 16


@pytest.mark.parametrize("text", ["", "ab" * 31, "ab" * 33, "xy" * 32, "٣" * 64])
def test_what_is_no_hash_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match=r"^a hash has 64 hexadecimal digits, got "):
        parse_commitment(text)
