"""The conditions of contest of stages: who comes, how they are drawn, what is brought along, where teams sit."""

import re

import pytest

from tests.conditions.test_conditions import BASE, BEFORE, LEAGUE, NAMED, event_file, section_of
from tourney.conditions.document import conditions_of, format_markdown


def text_of(changes: str) -> str:
    return format_markdown(conditions_of(event_file(changes))).replace("\\", "")


# Knockouts


def test_extra_boards_beside_a_file_of_boards_are_said_to_be_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(BASE, "deals.seed")
    file = 'deals.pbn = "boards.pbn"'
    extra = "Extra boards of level matches are dealt by computer from a secret seed."
    assert extra in text_of(f"{file} & KNOCKOUT")
    assert extra not in text_of(f"{file} & KNOCKOUT & stage.extra_boards = 0")
    assert extra not in text_of(file)


# Carry-over


def test_what_a_second_knockout_counts_on_is_the_last_stage_that_was_none(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = '[[stage]]\nname = "Cup"\nformat = "knockout"\nrounds = 1\n'
    monkeypatch.setitem(NAMED, "AFTER_A_CUP", {BEFORE: LEAGUE + cup})
    text = section_of(text_of("AFTER_A_CUP & FINAL & stage.carry_over.won = 0.5"), "Stage 3: Final")
    assert 'the matches of the two teams in "League"' in text


# Seats


def rows_of(text: str) -> dict[int, tuple[str, str]]:
    """The seats of every segment that is named."""
    found: dict[int, tuple[str, str]] = {}
    for segments, sits, pair in re.findall(r"^\| ([\d, .]+) \| (.*) \| (first|second) \|$", text, re.MULTILINE):
        found |= {int(number): (sits, pair) for number in re.findall(r"\d+", segments)}
    return found


def test_extra_boards_change_the_seats_of_a_match_of_one_segment() -> None:
    text = text_of('KNOCKOUT & stage.seats = "alternate"')
    assert "Each set of extra boards counts as one more segment." in text
    assert rows_of(text).keys() == {1, 2, 3, 4, 5}
