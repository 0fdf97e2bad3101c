"""Totals go by the boards that may be shown: no total tells what a board is worth that somebody still has to play."""

from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text, once
from tourney.config.web import WebConfig
from tourney.event.drawn import open_event
from tourney.results.load import load_results
from tourney.results.scorecard import load_scorecard
from tourney.site.public import PublicView
from tourney.store.draw.objects import Visibility
from tourney.store.rulings import FinalisationInfo, save_finalisation

TEAMS = ("Ants", "Bees", "Cats", "Dogs")


def draw(folder: Path, more: str = "") -> PlayedEvent:
    return draw_event(folder, event_text(*TEAMS, boards=3, more=more))


FIRST = """
    match 1 board 1: 1NT N 7, 1NT N 7
    match 1 board 2: 1NT N 7, 1NT N 7
    match 2 board 1: 1NT N 7, 1NT N 7
    match 2 board 2: 1NT N 7, 1NT N 7
    match 1 board 3: 7NT N 13, 1NT N 7
    scored
"""
"""Match 1 is over; match 2 has its last board to play: that of match 1 is worth 16 IMPs, the others nothing."""

TOTALS = "$ match EVENT 1 --json | : imps_home imps_away vp_home"
PLAYED = "$ standings EVENT --json | standings: team played vp"
WITH_MATCH_1 = "Ants 1 17.71 -> Dogs 1 2.29 -> Bees 0 0.00 -> Cats 0 0.00"


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    played = draw(tmp_path)
    converse(played, FIRST)
    return played


def test_a_finished_match_has_totals_of_the_boards_shown_and_no_score_until_its_boards_are_free(
    played: PlayedEvent,
) -> None:
    converse(
        played,
        f"""
        {TOTALS} -> 0 0 -
        $ rounds EVENT --json | rounds.matches[match=1]: state boards_over imps_home imps_away vp_home -> over 2 0 0 -
        {PLAYED} -> Ants 0 0.00 -> Bees 0 0.00 -> Cats 0 0.00 -> Dogs 0 0.00
        $ match EVENT 1
            -> ...
            -> ...It is finished; its score is shown when nobody has the other boards to play any more....
            -> ...
        """,
    )
    with open_event(played.path) as drawn:
        card = load_scorecard(drawn.database, drawn.event, drawn.match(1), drawn.scales[1])
        assert (card.score, card.is_withheld, card.totals[:2]) == (None, True, (0, 0))
        view = PublicView(drawn, WebConfig(), 0)
        assert (view.standings.matches_over, [*view.finished_matches]) == (0, [1])
    converse(
        played,
        f"""
        match 2 board 3: 1NT N 7, 1NT N 7
        scored
        {TOTALS} -> 16 0 17.71
        $ standings EVENT --json | standings: played -> 1 -> 1 -> 1 -> 1
        """,
    )


def test_the_run_and_the_director_go_by_everything_on_record(played: PlayedEvent) -> None:
    assert load_results(played.database, played.event, {}).scores == {}
    assert load_results(played.database, played.event.seen_whole(), {}).scores.keys() == {1}
    director = (line.replace("EVENT", "EVENT --director") for line in (TOTALS, PLAYED))
    totals, standings = director
    converse(played, f"{totals} -> 16 0 17.71\n{standings} -> {WITH_MATCH_1}")
    with open_event(played.path, is_director=True) as drawn:
        assert drawn.event.visibility is Visibility.EVERYTHING
        assert PublicView(drawn, WebConfig(), 0).standings.matches_over == 0


def test_an_organiser_may_have_totals_count_all_boards(tmp_path: Path) -> None:
    converse(
        draw(tmp_path, '[reports]\ntotals = "all"'),
        f"""
        {FIRST}
        {TOTALS} -> 16 0 17.71
        $ match EVENT 1 --json | boards.2.imps -> -
        {PLAYED} -> {WITH_MATCH_1}
        """,
    )


def test_final_results_are_published_with_all_their_totals(played: PlayedEvent) -> None:
    save_finalisation(played.database, played.event.id, FinalisationInfo(True, "director", "", 1))
    converse(played, f"{PLAYED} -> {WITH_MATCH_1}")


def test_a_match_that_is_forfeited_before_its_first_board_counts_at_once(tmp_path: Path) -> None:
    converse(
        draw(tmp_path),
        """
        rule 1 match-forfeit Ants: not there
        scored
        $ standings EVENT --json | standings[played=1]: team -> Dogs -> Ants
        """,
    )


def test_the_next_round_is_drawn_from_scores_that_another_event_keeps_from_everybody(tmp_path: Path) -> None:
    swiss = 'format = "swiss"\nrounds = 2'
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    database = '[event]\ndatabase = "sqlite:///../cups.db"\n'
    one = draw_event(tmp_path / "one", event_text(*TEAMS, boards=1, stage=swiss).replace("[event]\n", database))
    other = event_text("Emus", "Flies", boards=1, name="Other").replace("[event]\n", database)
    draw_event(tmp_path / "two", other)
    converse(
        one,
        """
        match 1 board 1: 1NT N 13, 1NT N 7
        match 2 board 1: 1NT N 7, 1NT N 7
        scored
        $ standings EVENT --json | standings: played -> 0 -> 0 -> 0 -> 0
        drawn -> 2
        """,
    )
