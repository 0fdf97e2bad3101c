"""The player with a handicap: which tricks it misplays, and that `tourney duel` finds it out."""

import itertools
import json
from pathlib import Path

import pytest

from tests.support.bots_table import play_board
from tests.support.events import BOT, bot, printed
from tourney.bots import Strategy
from tourney.bots.basic import BasicStrategy
from tourney.bridge import Seat, board_from_seed
from tourney.scoring.imps import imps
from tourney.scoring.strength.sequential import SequentialTest, Verdict
from tourney.testing.misplaying import MisplayingStrategy, main

BAD = BOT.replace("tourney bot", "tourney.testing.misplaying --share 0.5")


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_the_share_of_tricks_is_misplayed_and_the_same_ones_each_time(share: float) -> None:
    one, other = MisplayingStrategy(3, share), MisplayingStrategy(3, share)
    hands = [board_from_seed(7, "1.1", number).deal[Seat.NORTH] for number in range(1, 401)]
    tricks = [(hand, trick) for hand in hands for trick in range(1, 14)]
    misplayed = [one.misplays(*place) for place in tricks]
    assert misplayed == [other.misplays(*place) for place in tricks]
    assert sum(misplayed) / len(tricks) == pytest.approx(share, abs=0.02)
    if 0 < share < 1:
        assert misplayed != [MisplayingStrategy(4, share).misplays(*place) for place in tricks]


def test_another_board_with_the_same_number_has_other_errors() -> None:
    strategy = MisplayingStrategy(3, 0.5)

    def misplayed(seed: int, seat: Seat) -> list[bool]:
        hand = board_from_seed(seed, "1.1", 1).deal[seat]
        return [strategy.misplays(hand, trick) for trick in range(1, 14)]

    errors = [misplayed(seed, seat) for seed in (1, 2) for seat in (Seat.NORTH, Seat.EAST)]
    assert all(one != other for one, other in itertools.combinations(errors, 2))
    assert misplayed(1, Seat.NORTH) == errors[0]


def test_a_share_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["--share", "1.5", "--port", "2000", "--seat", "North", "--team", "Bad"])
    assert left.value.code == 2
    assert "--share: invalid" in capsys.readouterr().err


def test_a_sequential_test_tells_the_handicap_and_its_absence_with_the_sides_exchanged() -> None:
    good: Strategy = BasicStrategy(1)
    bad: Strategy = MisplayingStrategy(1, 0.1)
    swings = []
    for number in range(1, 61):
        board = board_from_seed(5, "1.1", number)
        rooms = ([good, bad, good, bad], [bad, good, bad, good])
        scores = [play_board(board, seats).outcome.score for seats in rooms]
        swings.append(imps(scores[0] - scores[1]))
    test = SequentialTest(d1=1)
    assert [*test.run(swings)][-1][1] is Verdict.BETTER
    assert [*test.run(-swing for swing in swings)][-1][1] is Verdict.NOT_BETTER


def test_a_duel_is_played_against_it_and_won(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sides = (bot(1, "basic"), BAD, "--names", "Good,Bad", "--profile", "tourney", "--concurrency", "1")
    done = printed("duel", *sides, "--seed", "5", "--sprt", "none", "--boards", "4", "--json")
    assert done.status == 0, done.err
    assert json.loads(done.out)["test"]["imps"] > 0
