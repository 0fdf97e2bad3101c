"""Totals go by the boards that may be shown: no total tells what a board is worth that somebody still has to play."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import NOTE, document_of, run
from tests.support.played_event import PlayedEvent, draw_event, event_text, once
from tourney.config.web import WebConfig
from tourney.coordinator.draw import draw_next
from tourney.event.drawn import open_event
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.results.load import load_results
from tourney.results.scorecard import load_scorecard
from tourney.site.public import PublicView
from tourney.store.draw.objects import Visibility
from tourney.store.rulings import FinalisationInfo, save_finalisation

TEAMS = ("Ants", "Bees", "Cats", "Dogs")


def draw(folder: Path, more: str = "", stage: str = "") -> PlayedEvent:
    return draw_event(folder, event_text(*TEAMS, boards=3, stage=stage, more=more))


def play_first(played: PlayedEvent) -> None:
    """Match 1 is over; match 2 has its last board to play: that of match 1 is worth 13 IMPs, the others nothing."""
    for board in (1, 2):
        for number in (1, 2):
            for room in Room:
                played.record(number, room, board, "1NT N", 7)
    for room, made in zip(Room, ("7NT N", "1NT N"), strict=True):
        played.record(1, room, 3, made, 13 if made == "7NT N" else 7)
    played.score()
    played.reload()


def play_second(played: PlayedEvent) -> None:
    for room in Room:
        played.record(2, room, 3, "1NT N", 7)
    played.score()
    played.reload()


def shown(played: PlayedEvent, *words: str) -> Any:  # JSON
    return document_of(run(words[0], played.path, *words[1:], "--json"), NOTE if "--director" in words else "")


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    played = draw(tmp_path)
    play_first(played)
    return played


def matches_counted(played: PlayedEvent, *words: str) -> int:
    """How many matches the standings count, those of both teams."""
    return sum(row["played"] for row in shown(played, "standings", *words)["standings"])


def imps(document: Any) -> tuple[int, int, str | None]:  # JSON
    return document["imps_home"], document["imps_away"], document["vp_home"]


def test_a_finished_match_has_totals_of_the_boards_shown_and_no_score_until_its_boards_are_free(
    played: PlayedEvent,
) -> None:
    assert imps(shown(played, "match", "1")) == (0, 0, None)
    rounds = shown(played, "rounds")["rounds"][0]["matches"][0]
    assert (rounds["state"], rounds["boards_over"], *imps(rounds)) == ("over", 2, 0, 0, None)
    assert {(row["team"], row["played"], row["vp"]) for row in shown(played, "standings")["standings"]} == {
        (team, 0, "0.00") for team in TEAMS
    }
    with open_event(played.path) as drawn:
        match = drawn.match(1)
        card = load_scorecard(drawn.database, drawn.event, match, drawn.scales[1])
        assert (card.score, card.is_withheld, card.totals[:2]) == (None, True, (0, 0))
        view = PublicView(drawn, WebConfig(), 0)
        assert view.standings.matches_over == 0
        assert view.finished_matches == {1}
    text = run("match", played.path, "1").stdout
    assert "It is finished; its score is shown when nobody has the other boards to play any more." in text
    play_second(played)
    home, away, vp = imps(shown(played, "match", "1"))
    assert (abs(home - away) > 10, vp is not None) == (True, True)
    assert matches_counted(played) == 4


def test_the_run_and_the_director_go_by_everything_on_record(played: PlayedEvent) -> None:
    assert load_results(played.database, played.event, {}).scores == {}
    assert load_results(played.database, played.event.seen_whole(), {}).scores.keys() == {1}
    home, away, vp = imps(shown(played, "match", "1", "--director"))
    assert (abs(home - away) > 10, vp is not None) == (True, True)
    assert matches_counted(played, "--director") == 2
    with open_event(played.path, is_director=True) as drawn:
        assert drawn.event.visibility is Visibility.EVERYTHING
        assert PublicView(drawn, WebConfig(), 0).standings.matches_over == 0


def test_an_organiser_may_have_totals_count_all_boards(tmp_path: Path) -> None:
    played = draw(tmp_path, '[reports]\ntotals = "all"')
    play_first(played)
    document = shown(played, "match", "1")
    assert abs(document["imps_home"] - document["imps_away"]) > 10
    assert document["boards"][2]["imps"] is None
    assert matches_counted(played) == 2


def test_final_results_are_published_with_all_their_totals(played: PlayedEvent) -> None:
    save_finalisation(played.database, played.event.id, FinalisationInfo(True, "director", "", 1))
    assert matches_counted(played) == 2


def test_a_match_that_is_forfeited_before_its_first_board_counts_at_once(tmp_path: Path) -> None:
    played = draw(tmp_path)
    played.rule(1, "Ants", RulingKind.MATCH_FORFEIT, "not there")
    played.score()
    played.reload()
    assert matches_counted(played) == 2


def test_the_next_round_is_drawn_from_scores_that_another_event_keeps_from_everybody(tmp_path: Path) -> None:
    swiss = 'format = "swiss"\nrounds = 2'
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    database = '[event]\ndatabase = "sqlite:///../cups.db"\n'
    one = draw_event(tmp_path / "one", event_text(*TEAMS, boards=1, stage=swiss).replace("[event]\n", database))
    other = event_text("Emus", "Flies", boards=1, name="Other").replace("[event]\n", database)
    draw_event(tmp_path / "two", other)
    for number, tricks in ((1, 13), (2, 7)):
        one.record(number, Room.OPEN, 1, "1NT N", tricks)
        one.record(number, Room.CLOSED, 1, "1NT N", 7)
    one.score()
    one.reload()
    assert shown(one, "standings")["standings"][0]["played"] == 0
    assert draw_next(one.file, one.database, one.event, 0) == [2]
