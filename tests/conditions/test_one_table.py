"""The conditions of contest of pairs, of rubber bridge and Chicago, and of board-a-match."""

import re

import pytest

from tests.conditions.test_conditions import (
    BEFORE,
    CHICAGO,
    ENTRANTS,
    HOWELL,
    LEAGUE,
    MITCHELL,
    NO_BOARDS,
    OWN,
    RUBBER,
    SWISS,
    event_file,
    html,
    markdown,
    section_of,
)
from tourney.movement.formats import PairsFormat
from tourney.movement.pairs.ranking import PairsTieBreak

OF_TEAMS = re.compile(r"\bteams?\b|victory point|open room|closed room|\bhome\b|\bVPs?\b", re.IGNORECASE)
"""Words that have no meaning where pairs play pairs."""


def text_of(changes: dict[str, str], title: str = "") -> str:
    text = markdown(changes).replace("\\", "").replace("Team ", "Entrant ")
    return section_of(text, title) if title else text


@pytest.mark.parametrize("changes", [HOWELL, MITCHELL, OWN, HOWELL | {"stage.scoring": '"cross-imps"'}])
def test_conditions_of_pairs_have_no_word_of_matches_of_teams(changes: dict[str, str]) -> None:
    assert OF_TEAMS.findall(text_of(changes).replace("team names", "").replace("Teams : N/S", "")) == []


def test_pairs_of_several_sections_have_the_numbers_by_which_the_movement_seats_them() -> None:
    text = text_of(HOWELL | {ENTRANTS: "8", "stage.sections": "2"}, "Format")
    listed = re.findall(r"^\| (\d) \| Entrant (\d) +\|$", text, re.MULTILINE)
    assert listed == list(zip("2345678", "4582367", strict=True))  # dealt back and forth; the first is no Entrant


def test_the_whole_movement_is_listed_round_by_round_with_its_sets_and_who_sits_out() -> None:
    changes = HOWELL | {ENTRANTS: "7", "stage.phantom": "true"}
    config = event_file(changes)
    stage = config.stage[0]
    assert isinstance(stage.format, PairsFormat)
    movement = stage.format.movement(stage, 7)
    found = dict(re.findall(r"^\| (\d) \| (\d-.*) \|$", text_of(changes, "Format"), re.MULTILINE))
    assert len(found) == movement.rounds == 7
    for number, rows in movement.by_round.items():
        tables, idle = found[str(number)].split(" | ")
        assert re.findall(r"(\d)-(\d) \((\d)\)", tables) == [
            (str(row.ns), str(row.ew), str(row.board_set)) for row in rows if row.is_played
        ]
        assert [int(idle)] == [pair for row in rows if not row.is_played for pair in row.pairs]


def test_the_balance_of_a_movement_is_told_with_what_it_means() -> None:
    assert "adds up to 3 for any two pairs: the movement is in perfect balance" in text_of(HOWELL)
    ten = text_of(HOWELL | {ENTRANTS: "10"})
    assert "adds up to between 2 and 6 for two pairs, 4 on average with a variance of 3.2." in ten
    assert "balance" not in text_of(MITCHELL)  # the two directions are not compared


def test_an_arrow_switch_names_its_rounds_and_makes_one_list() -> None:
    advised = MITCHELL | {ENTRANTS: "24", "stage.arrow_switch": "true"}
    assert "In rounds 11 and 12 the two pairs of each table exchange directions (arrow switch)" in text_of(advised)
    assert "There is one list of all pairs." in text_of(advised)
    assert "In round 2 the two pairs" in text_of(MITCHELL | {"stage.arrow_switch": "[2]"})
    assert "There are two lists, one of the North-South pairs and one" in text_of(MITCHELL)


def test_the_file_of_an_own_movement_is_not_named() -> None:
    assert "a movement of the organiser's own. It has 2 rounds at up to 2 tables" in text_of(OWN)
    assert "own.csv" not in text_of(OWN)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "(M + 1) x 4 / A - 1"),
        ({}, "With 4 results the top of a board is 6 matchpoints, and average is 3."),
        ({"stage.scoring": '"cross-imps"'}, "divided by the number of comparisons"),
        ({"stage.scoring": '"butler"'}, "The datum is the mean of all results on the board, rounded to 10 points."),
        ({ENTRANTS: "12"}, "Where only 2 results are left, these get 65 and 55 percent of the top, and 60 percent"),
        ({ENTRANTS: "20"}, "Where only 2 or 3 results are left, these get 65 and 55 percent of the top, or 70, 60"),
    ],
)
def test_scoring_of_pairs_is_told_with_its_figures(changes: dict[str, str], words: str) -> None:
    assert words in text_of(HOWELL | changes, "Scoring")


@pytest.mark.parametrize(
    ("changes", "fine"),
    [
        (HOWELL, "10 percent of a top on one board"),
        (HOWELL | {"rules.penalty_imps": "5"}, "16.67 percent of a top on one board"),
        (HOWELL | {"rules.penalty_vp": "2.5"}, "2.5 percent of a top on one board"),
        (HOWELL | {"stage.scoring": '"butler"'}, "3 IMPs"),
        (CHICAGO | {"rules.penalty_imps": "50"}, "50 points"),
        (CHICAGO | {"stage.scoring": '"russian"'}, "3 IMPs"),
        (CHICAGO | {"stage.scoring": '"estonian"'}, "3 IMPs"),
        ({"stage.scoring": '"board-a-match"', "rules.penalty_vp": "0.5"}, "0.50 points"),
        ({}, "3 IMPs"),
        ({BEFORE: LEAGUE, **HOWELL, "stage.name": '"Final"'}, '3 IMPs (in "League") or 10 percent of a top on one '),
    ],
)
def test_a_fine_is_told_in_the_unit_of_the_stage(changes: dict[str, str], fine: str) -> None:
    limit = {"clock.board_s": "60", "clock.board_remedy": '"penalty"'}
    assert f"when it is exceeded, the side is fined {fine}" in text_of(changes | limit, "Time")


def test_every_criterion_of_pairs_has_its_words_and_they_stand_in_order() -> None:
    names = [name for name in PairsTieBreak if name is not PairsTieBreak.LOT] + [PairsTieBreak.LOT]
    text = text_of(HOWELL | {"stage.ties": str([name.value for name in names]).replace("'", '"')}, "Standings")
    assert re.findall(r"^(\d)\. ", text, re.MULTILINE) == list("1234567")
    assert "share their rank" not in text
    single = {text_of(HOWELL | {"stage.ties": f'["{name.value}"]'}, "Standings") for name in names}
    assert len(single) == len(names)


def test_the_port_of_each_pair_is_listed_where_it_has_one() -> None:
    text = text_of(HOWELL | {"tables.port_plan": '"per-pair"', "tables.ports": '"3000-3100"'})
    assert (
        "| Alpha | the pair | asked for | anywhere | 3000 |\n| Entrant 2 | the pair | none | anywhere | 3001 |"
        in text
    )
    assert "Between two rounds, and while the pair sits out, nothing answers there" in text
    assert "| Port |" not in text_of(HOWELL)


def test_when_a_board_may_be_seen_follows_from_how_it_is_played() -> None:
    words = "A board is shown to the public once"
    assert f"{words} the last table that is to play it has finished it, not before." in text_of(HOWELL)
    assert f"{words} its table has finished it, not before." in text_of(RUBBER)
    both = text_of({BEFORE: LEAGUE, **HOWELL, "stage.name": '"Final"'}, "Deals")
    assert "all tables of the round that play it have finished it" in both
    assert "At pairs, that is when the last table that is to play it has finished it." in both


def test_games_say_what_no_program_is_told() -> None:
    part_scores = "No line tells the score, honours or a part score that is carried on"
    for changes in (RUBBER, CHICAGO):
        assert part_scores in text_of(changes)
    for scoring in ("duplicate", "russian", "estonian"):
        text = text_of(CHICAGO | {"stage.scoring": f'"{scoring}"'})
        assert part_scores not in text
        assert "Both follow from the game and not from the number of the board" in text
        assert ("by the Compensation Table of www.compensationtable.com" in text) == (scoring == "estonian")


def test_games_in_a_swiss_or_a_knockout_are_drawn_as_any_other_match() -> None:
    swiss = text_of(NO_BOARDS | SWISS | {"stage.game": '"rubber"'})
    assert "is a Swiss: in each round, teams that are close in the standings meet." in swiss
    knockout = text_of(NO_BOARDS | {"stage.format": '"knockout"', "stage.game": '"chicago"'})
    assert "is a knockout: the loser of a match is out." in knockout
    assert "The side with more points wins the match; if it is level, the better seed does." in knockout
    assert "Teams are ranked by how far they got" in knockout


@pytest.mark.parametrize(
    ("bye", "words"), [("", "worth nothing"), ("100", "worth 100 points"), ("0.5", "worth 0.5 p")]
)
def test_a_bye_of_a_game_is_worth_what_the_file_says_in_points(bye: str, words: str) -> None:
    text = text_of(NO_BOARDS | {"stage.format": '"rubber"', "stage.bye_vp": bye, ENTRANTS: "3"}, "Standings")
    assert f"A bye is {words}" in text
    assert "victory" not in text


def test_board_a_match_has_points_and_no_victory_points_where_teams_rank_by_points() -> None:
    text = text_of({"stage.scoring": '"board-a-match"', ENTRANTS: "3"})
    assert text.count("victory points") == 1
    assert "There are no victory points" in text
    assert "A bye is worth 4.80 points once its round has finished; it does not count as a match." in text
    assert "the complement of the average of the team that left, and 4.80 points." in text


def test_pages_of_one_table_are_html_with_the_same_words() -> None:
    for changes in (HOWELL, RUBBER, {BEFORE: LEAGUE, **MITCHELL, "stage.name": '"Final"'}):
        page = re.sub(r"<[^>]*>", " ", html(changes).partition("<main>")[2])
        page = re.sub(r"&#\d+;|&\w+;", " ", page)
        body = re.sub(r"^\d+\. (?=[a-z])", "", markdown(changes).partition("\n## ")[2], flags=re.MULTILINE)
        assert re.findall(r"\w+", page) == re.findall(r"\w+", body.replace("\\", ""))
