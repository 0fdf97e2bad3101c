"""Functions of observations as players."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="the extra env is not installed")

import numpy as np

from tourney.errors import PlayerError
from tourney.lab import play
from tourney.player import load_player
from tourney.player.agents import Agent, make_agent
from tourney.player.encoders import ENCODERS
from tourney.testing import calling_view, playing_view

FIRST = calling_view("AK97.K32.QT3.AK7", "Pass 1C")


def answers(policy: Callable[[Any], Any], encoder: str = "pgx480", seed: int | None = None, views: Any = None) -> Any:
    agent: Any = type("Net", (Agent,), {"policy": staticmethod(policy), "encoder": ENCODERS[encoder], "seed": seed})
    views = views or [FIRST]
    return [str(made) for made in agent.act(None, [], views)]


def values(**by_call: float) -> Callable[[Any], Any]:
    """A policy with the same values always, by the texts of calls; others have 0."""
    row = np.zeros(38)
    for text, value in by_call.items():
        row[[str(ENCODERS["pgx480"].made(number)) for number in range(38)].index(text.removeprefix("_"))] = value
    return lambda seen: np.tile(row, (len(seen), 1))


def test_the_highest_value_counts_among_legal_calls_and_of_equals_the_first() -> None:
    assert answers(values(_1C=9, XX=8, _2H=3, _1NT=2)) == ["2H"]
    assert answers(values()) == ["Pass"]
    assert answers(values(_1S=1, _2S=1)) == ["1S"]
    assert answers(values(Pass=-np.inf, X=-np.inf)) == ["1D"]


def test_cards_are_chosen_where_the_encoder_has_them() -> None:
    view = playing_view("AK97.K32.QT3.AK7", "1NT Pass Pass Pass", "S2", dummy="QJ.A54.J98.Q6542", dealer="S")
    dummy_plays = answers(lambda seen: np.tile(np.arange(90), (len(seen), 1)), "openspiel571", views=[view])
    assert dummy_plays == ["QS"]
    with pytest.raises(PlayerError, match="calls alone"):
        answers(values(), views=[view])


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        (
            lambda seen: np.zeros((len(seen), 37)),
            r"Net returns 38 values for each of 1 observations.*shape \(1, 37\)",
        ),
        (lambda seen: 1.0, r"got an array of shape \(\)"),
        (values(_2H=np.nan), "Net returns NaN as the value of a legal action on board 1"),
    ],
)
def test_what_is_no_value_for_each_action_is_refused(policy: Callable[[Any], Any], why: str) -> None:
    with pytest.raises(PlayerError, match=why):
        answers(policy)


def test_what_is_drawn_depends_on_the_seed_and_the_board_and_not_on_who_is_asked_too() -> None:
    other = calling_view("2.K32.QT3.AK7542", "Pass 1C")
    drawn = [answers(values(), seed=seed)[0] for seed in range(40)]
    assert len(set(drawn)) > 10
    assert [answers(values(), seed=seed, views=[other, FIRST])[1] for seed in range(40)] == drawn


def test_a_function_in_a_module_plays_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_net.py").write_text(
        "import numpy as np\n\n\ndef policy(seen):\n    return np.zeros((len(seen), 90))\n\n\nsize = 3\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    boards = play(2, {"NS": "a_net:policy@openspiel571", "EW": "a_net:policy@openspiel571"}, seed=3)
    assert [str(made.call) for board in boards for made in board.calls] == ["Pass"] * 8
    for name, why in (
        ("a_net:policy@pgx", "an encoder is one of openspiel571, pgx480, kaggle, got 'pgx'; did you mean 'pgx480'?"),
        ("a_net:size@pgx480", "size is no function of observations, got 3"),
        ("a_net:gone@pgx480", "gone is no function of observations, got None"),
    ):
        with pytest.raises(PlayerError) as caught:
            load_player(name, tmp_path)
        assert str(caught.value) == why
    assert make_agent(lambda seen: seen, "mine", "pgx480").__name__ == "mine"
