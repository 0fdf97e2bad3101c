"""Matches that do not count because a team left early: no report, page or document gives them victory points."""

from typing import Any

import pytest

from tests.support.commands import json_report, run
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.protocol.session.records import RulingKind


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    """Dogs leave after one of three matches, which is match 1: Ants - Dogs."""
    played = draw_event(tmp_path_factory.mktemp("left"), event_text("Ants", "Bees", "Cats", "Dogs"))
    for number in (1, 2):
        played.play(number)
    played.score()
    played.rule(None, "Dogs", RulingKind.WITHDRAWAL, "gone home", author="Jane", law="")
    played.reload()
    assert played.match(1).teams == ("Ants", "Dogs")
    return played


def shown(played: PlayedEvent, *words: str) -> str:
    done = run(words[0], played.path, *words[1:])
    assert done.exit_code == 0, done.output
    return done.output


def check(line: Any) -> None:
    assert (line["vp_home"], line["vp_away"], line["cancelled"]) == (None, None, True)


def test_rounds_and_scorecards_say_cancelled_and_give_no_victory_points(played: PlayedEvent) -> None:
    cancelled, counted = json_report("rounds", played.path)["rounds"][0]["matches"]
    check(cancelled)
    assert counted["vp_home"] is not None
    assert "cancelled" not in counted
    check(json_report("match", played.path, "1"))
    (round_,) = json_report("rounds", played.path, "Ants", "Dogs")["rounds"]
    (met,) = round_["matches"]
    check(met)
    assert "cancelled: a team has left" in shown(played, "rounds")
    text = shown(played, "match", "1")
    assert "Cancelled: a team left" in text
    assert "VP" not in text.split()
