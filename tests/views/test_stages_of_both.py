"""An event with a team stage and a pairs stage: each report shows the stages that it is for, and names others."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import run
from tests.support.pairs_events import play_by_chance
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event
from tourney.config.web import WebConfig
from tourney.coordinator.draw import draw_next
from tourney.movement.seating import Room
from tourney.results.standings import load_standings
from tourney.site.public import PublicView
from tourney.web.public import PublicSite

TEAMS = ("Ants", "Bees", "Cats", "Dogs")
TEXT = (
    '[event]\nname = "Both"\n{teams}[[stage]]\nname = "League"\nboards_per_match = 2\n'
    '[[stage]]\nname = "Final"\nformat = "howell"\nboards_per_round = 1\nteams = 4\n[deals]\nseed = 1\n'
)
SECTIONS = "".join(f'[[team]]\nname = "{name}"\n' for name in TEAMS)
AT_TEAMS = range(1, 7)
"""The numbers of the matches; those of the tables of the final follow."""
FIRST_OF_FINAL = 7


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    """A round robin of four teams that the earlier name wins, then a Howell of the same four as pairs."""
    played = draw_event(tmp_path_factory.mktemp("both"), TEXT.format(teams=SECTIONS))
    for match in played.event.matches:
        for room in Room:
            for board in played.boards(match.number):
                is_better = played.table(match.number, room).ns_team == min(match.teams)
                played.record(match.number, room, board.number, "4S N", 10 if is_better else 9)
    played.score()
    assert draw_next(played.file, played.database, played.event, 0)
    played.reload()
    play_by_chance(played, first=4)
    played.reload()
    return played


def invoke(played: PlayedEvent, *words: str) -> tuple[int, str]:
    done = run(words[0], played.path, *words[1:])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def shown(played: PlayedEvent, *words: str) -> str:
    status, output = invoke(played, *words)
    assert status == 0, output
    return output


def document(played: PlayedEvent, *words: str) -> Any:
    return json.loads(shown(played, *words, "--json"))


def test_the_scorecard_of_a_match_of_teams_is_shown_and_that_of_a_table_of_pairs_refused(played: PlayedEvent) -> None:
    assert document(played, "match", "1")["match"] == 1
    assert shown(played, "match", "1", "--csv").count("\n") == 3
    status, output = invoke(played, "match", str(FIRST_OF_FINAL))
    assert (status, output.count("\n")) == (1, 1)
    assert "stage 'Final' of 'Both' is one of pairs: `tourney boards`" in output


def test_rounds_are_those_of_matches_of_teams_and_the_final_is_named(played: PlayedEvent) -> None:
    text = shown(played, "rounds")
    assert "Both: 6 of 6 matches over" in text
    assert "Round 4" not in text
    assert "without 'Final', of pairs: `tourney crosstable`" in text
    assert [round_["round"] for round_ in document(played, "rounds")["rounds"]] == [1, 2, 3]
    assert "without" not in shown(played, "rounds", "--round", "3")
    assert shown(played, "rounds", "--csv").count("\n") == 1 + len(AT_TEAMS)
    assert invoke(played, "rounds", "--round", "4")[0] == 1


def test_boards_are_those_of_the_pairs_before_a_later_stage_of_teams_is_drawn(tmp_path: Path) -> None:
    heat, final = 'format = "howell"\nboards_per_round = 1\n', 'format = "match"\nteams = 2\n'
    played = draw_event(tmp_path, f'[event]\nname = "Cup"\n{SECTIONS}[[stage]]\n{heat}[[stage]]\n{final}')
    assert "Cup: 0 boards finished at all tables" in shown(played, "boards")


def test_two_teams_have_the_matches_between_them_and_not_the_tables_of_pairs(played: PlayedEvent) -> None:
    (round_,) = document(played, "rounds", "ants", "bees")["rounds"]
    assert [match["home"] for match in round_["matches"]] == ["Ants"]
    assert "tourney crosstable" in shown(played, "rounds", "ants", "bees")


def test_boards_before_the_final_has_begun_are_those_of_the_teams(tmp_path: Path) -> None:
    teams = "".join(f'[[team]]\nname = "{name}"\n' for name in TEAMS)
    begun = draw_event(tmp_path, TEXT.format(teams=teams))
    for number in (1, 2):
        begun.play(number)
    begun.score()
    assert document(begun, "boards")["round"] == 1
    assert document(begun, "crosstable")["pairs"] == []


def test_the_ranking_of_the_event_adds_up_matches_of_teams_only(played: PlayedEvent) -> None:
    standings = load_standings(played.database, played.event, played.drawn.ranking_rules)
    league, _ = standings.fields
    of_league = {row.team: row for row in league.rows}
    for row in standings.rows:
        assert (row.played, row.won, row.vp) == (3, of_league[row.team].won, of_league[row.team].vp)
        assert row.pairs is not None
    rows = [line.split(",") for line in shown(played, "standings", "--csv").splitlines()]
    boards = rows[0].index("boards")
    assert [row[boards] for row in rows[5:9]] == [""] * 4, "a team in the league has no figures of pairs"


def test_the_screen_in_the_hall_has_the_standings_of_the_newest_stage(played: PlayedEvent) -> None:
    content = PublicSite(PublicView(played.drawn, WebConfig(), BEGINS_AT_MS), BEGINS_AT_MS).content("live/wall")
    assert content is not None
    page = content.body
    assert b'class="hall"' in page
    assert b"Final" in page.partition(b'class="hall"')[2]
    assert b"League" not in page.partition(b"<footer")[0].partition(b'<section class="standings"')[2]
