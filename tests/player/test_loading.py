"""A player's class is found by its name, and whatever is wrong with it is said in a sentence."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tourney.bots.seated_player import make_player
from tourney.errors import PlayerError
from tourney.player import Player, View, load_player
from tourney.player.loading import check_signatures

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
    (tmp_path / "shy_bird.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
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
        ("sick_bird:X", "importing sick_bird raised ZeroDivisionError: division by zero"),
        ("shy_bird:X", "importing shy_bird raised SystemExit: 0"),
    ],
)
def test_what_cannot_be_loaded_is_named(folder: Path, name: str, sentence: str) -> None:
    with pytest.raises(PlayerError) as refused:
        load_player(name, folder)
    assert str(refused.value).startswith(sentence)


def test_what_an_author_raises_is_the_cause_of_the_error_with_its_traceback(folder: Path) -> None:
    with pytest.raises(PlayerError) as refused:
        load_player("sick_bird", folder)
    assert isinstance(refused.value.__cause__, ZeroDivisionError)
    assert refused.value.traceback.endswith("    1 / 0\n    ~~^~~\nZeroDivisionError: division by zero\n")


class Own(Player):
    """Has each method as a player has it, in other words."""

    def __init__(self, network: object = None, *, depth: int = 3) -> None: ...
    def call(self, question: View) -> str: ...  # type: ignore[empty-body] # its parameters are what is tried
    def board_ends(self, *views: View) -> None: ...


def test_methods_that_take_what_they_are_given_are_accepted_whatever_their_parameters_are_called() -> None:
    check_signatures(Own)


class NoModel(Player):
    def __init__(self) -> None: ...


class TwoModels(Player):
    def __init__(self, model: object, other: object) -> None: ...


class NoView(Player):
    def play(self) -> str: ...  # type: ignore[override, empty-body] # that is what is tried


class NoClaimant(Player):
    def accept_claim(self, view: View, cards: object) -> bool: ...  # type: ignore[override, empty-body] # likewise


class NoPlayers(Player):
    @classmethod
    def act(cls, model: object, views: object) -> list[str]: ...  # type: ignore[override, empty-body] # likewise


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        (NoModel, "NoModel.__init__ takes (self, model=None), got (self)"),
        (TwoModels, "TwoModels.__init__ takes (self, model=None), got (self, model, other)"),
        (NoView, "NoView.play takes (self, view), got (self)"),
        (NoClaimant, "NoClaimant.accept_claim takes (self, view, claimant, cards), got (self, view, cards)"),
        (NoPlayers, "NoPlayers.act takes (model, players, views), got (model, views)"),
    ],
)
def test_a_method_that_cannot_be_called_is_said_with_the_signature_that_it_needs(
    player: type[Player], sentence: str
) -> None:
    with pytest.raises(PlayerError) as refused:
        make_player(player)
    assert str(refused.value) == sentence
