"""The player with a handicap: which tricks it misplays, and that `tourney duel` finds it out."""

import json
from pathlib import Path

import pytest

from tests.support.events import BOT, tourney
from tourney.testing.misplaying import MisplayingStrategy, main

BAD = BOT.replace("tourney bot", "tourney.testing.misplaying --share 0.5")


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_the_share_of_tricks_is_misplayed_and_the_same_ones_each_time(share: float) -> None:
    one, other = MisplayingStrategy(3, share), MisplayingStrategy(3, share)
    tricks = [(board, trick) for board in range(1, 401) for trick in range(1, 14)]
    misplayed = [one.misplays(*place) for place in tricks]
    assert misplayed == [other.misplays(*place) for place in tricks]
    assert sum(misplayed) / len(tricks) == pytest.approx(share, abs=0.02)
    if 0 < share < 1:
        assert misplayed != [MisplayingStrategy(4, share).misplays(*place) for place in tricks]


def test_a_share_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--share", "1.5", "--port", "2000", "--seat", "North", "--team", "Bad"])
    assert left.value.code == 2
    assert "--share: invalid" in capsys.readouterr().err


@pytest.mark.parametrize(("first", "second", "verdict"), [("Good", "Bad", "H1"), ("Bad", "Good", "H0")])
def test_a_duel_tells_the_handicap_and_its_absence_with_the_sides_exchanged(
    tmp_path: Path, first: str, second: str, verdict: str
) -> None:
    commands = {"Good": f"{BOT} --seed 1", "Bad": BAD}
    sides = (commands[first], commands[second], "--names", f"{first},{second}", "--profile", "tourney")
    test = ("--seed", "5", "--sprt", "0,2", "--boards", "40", "--matches", "2", "--json")
    done = tourney("duel", *sides, *test, cwd=tmp_path)
    assert done.status == 0, done.err
    found = json.loads(done.out)["test"]
    assert found["verdict"] == verdict
    assert found["imps"] * (1 if first == "Good" else -1) > 2 * found["boards"]
