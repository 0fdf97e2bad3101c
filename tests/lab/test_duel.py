"""`tourney.lab.duel`: the event file of a duel, its boards, and when its tables are stopped."""

from dataclasses import replace

import pytest

from tourney.bridge import board_from_seed
from tourney.config import parse_event_file
from tourney.errors import ConfigError
from tourney.lab.duel import SEED_KEY, DuelSettings, DuelTeam, check_same_duel, format_duel
from tourney.scoring.strength.sequential import SequentialTest

SETTINGS = DuelSettings(
    first=DuelTeam("New (beta)", {"command": "new {port}", "profile": "tourney"}),
    second=DuelTeam("Old", {"command": "old {port}"}),
    boards=100,
    matches=3,
    test=SequentialTest(d1=0.25, is_two_sided=True, boards_max=100),
    seed=7,
)


def test_the_event_file_of_a_duel_says_what_was_asked_for() -> None:
    config = parse_event_file(format_duel(SETTINGS), "duel.toml")
    (stage,) = config.stage
    assert [team.name for team in config.team] == ["New (beta)", "Old"]
    assert (config.team[0].profile, config.deals.seed) == ("tourney", 7)
    assert (stage.format.is_duel, stage.matches, stage.boards_per_match) == (True, 3, 34)
    assert stage.sprt is not None
    assert SequentialTest.parse(stage.sprt, 100) == SETTINGS.test
    elsewhere = parse_event_file(format_duel(replace(SETTINGS, results="results/second")), "second.toml")
    assert elsewhere.event.results_folder == "results/second"


def test_boards_of_a_file_are_divided_so_that_the_matches_take_turns() -> None:
    boards = [board_from_seed(1, "1.1", number) for number in range(1, 8)]
    settings = replace(SETTINGS, boards=7, matches=2, deals="boards.pbn")
    assert settings.boards_left_out == 1
    divided = settings.divide(boards)
    assert [board.deal for board in divided] == [boards[n].deal for n in (0, 2, 4, 1, 3, 5)]
    assert [board.number for board in divided] == [1, 2, 3, 1, 2, 3]
    assert [(b.dealer, b.vulnerability) for b in divided[:3]] == [
        (boards[n].dealer, boards[n].vulnerability) for n in (0, 2, 4)
    ]


def test_another_duel_under_the_same_name_is_refused_with_the_first_line_that_differs() -> None:
    found = format_duel(SETTINGS)
    check_same_duel(f"# mine\n{found}", found, "duel.toml")
    other = format_duel(replace(SETTINGS, seed=8))
    check_same_duel(found, other, "duel.toml", [SEED_KEY])
    with pytest.raises(ConfigError, match=r"duel\.toml is a duel of other parameters: seed = 7 there, got seed = 8;"):
        check_same_duel(found, other, "duel.toml")
    shorter = format_duel(replace(SETTINGS, test=None))
    with pytest.raises(ConfigError, match=r": sprt = .* there, got \[deals\];"):
        check_same_duel(found, shorter, "duel.toml")
