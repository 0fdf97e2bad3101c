"""The conditions of contest of pairs, of rubber bridge and Chicago, and of board-a-match."""

import re

import pytest

from tests.conditions.test_conditions import markdown, section_of
from tourney.movement.pairs.ranking import PairsTieBreak

OF_TEAMS = re.compile(r"\bteams?\b|victory point|open room|closed room|\bhome\b|\bVPs?\b", re.IGNORECASE)
"""Words that have no meaning where pairs play pairs."""


def text_of(changes: str, title: str = "") -> str:
    text = markdown(changes).replace("\\", "").replace("Team ", "Entrant ")
    return section_of(text, title) if title else text


@pytest.mark.parametrize("changes", ["HOWELL", "MITCHELL", "OWN", 'HOWELL & stage.scoring = "cross-imps"'])
def test_conditions_of_pairs_have_no_word_of_matches_of_teams(changes: str) -> None:
    assert OF_TEAMS.findall(text_of(changes).replace("team names", "").replace("Teams : N/S", "")) == []


def test_pairs_of_several_sections_have_the_numbers_by_which_the_movement_seats_them() -> None:
    text = text_of("HOWELL & stage.sections = 2", "Format")
    listed = re.findall(r"^\| (\d) \| Entrant (\d) +\|$", text, re.MULTILINE)
    assert listed == list(zip("2345678", "4582367", strict=True))  # dealt back and forth; the first is no Entrant


def test_the_file_of_an_own_movement_is_not_named() -> None:
    assert "a movement of the organiser's own. It has 2 rounds at up to 2 tables" in text_of("OWN")
    assert "own.csv" not in text_of("OWN")


def test_every_criterion_of_pairs_has_its_words_and_they_stand_in_order() -> None:
    names = [name for name in PairsTieBreak if name is not PairsTieBreak.LOT] + [PairsTieBreak.LOT]
    text = text_of(f"HOWELL & stage.ties = {[name.value for name in names]}", "Standings")
    assert re.findall(r"^(\d)\. ", text, re.MULTILINE) == list("1234567")
    assert "share their rank" not in text
    single = {text_of(f'HOWELL & stage.ties = ["{name.value}"]', "Standings") for name in names}
    assert len(single) == len(names)


@pytest.mark.parametrize(
    ("bye", "words"), [("", "worth nothing"), ("100", "worth 100 points"), ("0.5", "worth 0.5 p")]
)
def test_a_bye_of_a_game_is_worth_what_the_file_says_in_points(bye: str, words: str) -> None:
    text = text_of(f"RUBBER & stage.bye_vp = {bye} & (entrants) = 3", "Standings")
    assert f"A bye is {words}" in text
    assert "victory" not in text
