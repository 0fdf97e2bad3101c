"""The conditions of contest of stages: who comes, how they are drawn, what is brought along, where teams sit."""

import re

import pytest

from tests.conditions.test_conditions import (
    BASE,
    BEFORE,
    FINAL,
    KNOCKOUT,
    LEAGUE,
    event_file,
    section_of,
)
from tourney.conditions.document import conditions_of, format_markdown

OTHERS = {count: tuple(f"Team {number}" for number in range(2, count + 1)) for count in range(2, 20)}


def text_of(changes: dict[str, str], teams: int = 4) -> str:
    return format_markdown(conditions_of(event_file(changes, OTHERS[teams]))).replace("\\", "")


def stage_text(changes: dict[str, str], title: str, teams: int = 4) -> str:
    return section_of(text_of(changes, teams), title)


# Knockouts


def test_extra_boards_beside_a_file_of_boards_are_said_to_be_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(BASE, "deals.seed")
    file = {"deals.pbn": '"boards.pbn"'}
    extra = "Extra boards of level matches are dealt by computer from a secret seed."
    assert extra in text_of(file | KNOCKOUT)
    assert extra not in text_of(file | KNOCKOUT | {"stage.extra_boards": "0"})
    assert extra not in text_of(file)


# Carry-over


def test_what_a_second_knockout_counts_on_is_the_last_stage_that_was_none() -> None:
    cup = '[[stage]]\nname = "Cup"\nformat = "knockout"\nrounds = 1\n'
    text = stage_text({BEFORE: LEAGUE + cup, **FINAL, "stage.carry_over.won": "0.5"}, "Stage 3: Final")
    assert 'the matches of the two teams in "League"' in text


# Seats


def rows_of(text: str) -> dict[int, tuple[str, str]]:
    """The seats of every segment that is named."""
    found: dict[int, tuple[str, str]] = {}
    for segments, sits, pair in re.findall(r"^\| ([\d, .]+) \| (.*) \| (first|second) \|$", text, re.MULTILINE):
        found |= {int(number): (sits, pair) for number in re.findall(r"\d+", segments)}
    return found


def test_extra_boards_change_the_seats_of_a_match_of_one_segment() -> None:
    text = text_of(KNOCKOUT | {"stage.seats": '"alternate"'})
    assert "Each set of extra boards counts as one more segment." in text
    assert rows_of(text).keys() == {1, 2, 3, 4, 5}
