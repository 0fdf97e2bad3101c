"""A player's class is found by its name, and whatever is wrong with it is said in a sentence."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tourney.errors import PlayerError
from tourney.player import load_player

MODULE = """
from tourney.player import Player
from helper_of_robin import WORD
class Robin(Player):
    word = WORD
class Wren(Player):
    pass
number = 3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    before, known = list(sys.path), set(sys.modules)
    (tmp_path / "two_birds.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "helper_of_robin.py").write_text("WORD = 'tweet'\n", encoding="utf-8")
    (tmp_path / "lonely_bird.py").write_text(
        "from tourney.player import Player\nclass Owl(Player):\n    pass\n", encoding="utf-8"
    )
    (tmp_path / "sick_bird.py").write_text("1 / 0\n", encoding="utf-8")
    yield tmp_path
    sys.path[:] = before
    for name in set(sys.modules) - known:
        del sys.modules[name]


def test_a_class_is_found_by_module_and_name_with_the_modules_beside_it(folder: Path) -> None:
    player = load_player("two_birds:Robin", folder)
    assert player.__name__ == "Robin"
    assert vars(player)["word"] == "tweet"


def test_the_class_may_be_left_out_where_there_is_one(folder: Path) -> None:
    assert load_player("lonely_bird", folder).__name__ == "Owl"
    assert load_player("lonely_bird.py", folder).__name__ == "Owl"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("two_birds", "name the class after a colon, as in two_birds:MyBot: two_birds has Robin, Wren"),
        ("two_birds:Tit", "two_birds has no class 'Tit'; its players are: Robin, Wren"),
        ("two_birds:number", "two_birds:number is no player: it has to be a subclass of tourney.player.Player"),
        ("no_bird:X", "there is no module 'no_bird' in "),
        ("no bird", "a player is named by its module and its class, such as my_bot:MyBot, got 'no bird'"),
        ("sick_bird:X", "importing sick_bird failed: ZeroDivisionError: division by zero"),
    ],
)
def test_what_cannot_be_loaded_is_named(folder: Path, name: str, sentence: str) -> None:
    with pytest.raises(PlayerError) as refused:
        load_player(name, folder)
    assert str(refused.value).startswith(sentence)
