"""An event with a team stage and a pairs stage: each report shows the stages that it is for, and names others."""

from pathlib import Path

import pytest

from tests.support.commands import lines_of, printed, run
from tests.support.event_conversation import converse
from tests.support.pairs_events import play_by_chance
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event
from tourney.config.web import WebConfig
from tourney.movement.seating import Room
from tourney.results.standings import load_standings
from tourney.site.public import PublicView
from tourney.web.public import PublicSite

SECTIONS = "".join(f'[[team]]\nname = "{name}"\n' for name in ("Ants", "Bees", "Cats", "Dogs"))
TEXT = (
    f'[event]\nname = "Both"\n{SECTIONS}[[stage]]\nname = "League"\nboards_per_match = 2\n'
    '[[stage]]\nname = "Final"\nformat = "howell"\nboards_per_round = 1\nteams = 4\n[deals]\nseed = 1\n'
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    """A round robin of four teams, matches 1 to 6, that the earlier name wins, then a Howell of the same as pairs."""
    played = draw_event(tmp_path_factory.mktemp("both"), TEXT)
    for match in played.event.matches:
        for room in Room:
            for board in played.boards(match.number):
                is_better = played.table(match.number, room).ns_team == min(match.teams)
                played.record(match.number, room, board.number, "4S N", 10 if is_better else 9)
    converse(played, "scored\ndrawn -> 4 -> 5 -> 6")
    play_by_chance(played, first=4)
    played.reload()
    return played


def test_the_scorecard_of_a_match_of_teams_is_shown_and_that_of_a_table_of_pairs_refused(played: PlayedEvent) -> None:
    converse(
        played,
        """
        $ match EVENT 1 --json | match -> 1
        $ match EVENT 1 --csv | : board -> 1 -> 2
        $ match EVENT 7 -> refused: ...stage 'Final' of 'Both' is one of pairs: `tourney boards`...
        """,
    )


def test_rounds_are_those_of_matches_of_teams_and_the_final_is_named(played: PlayedEvent) -> None:
    text = printed(run("rounds", played.path))
    assert "Both: 6 of 6 matches over" in text
    assert "Round 4" not in text
    assert "without 'Final', of pairs: `tourney crosstable`" in text
    assert "without" not in printed(run("rounds", played.path, "--round", "3"))
    converse(
        played,
        """
        $ rounds EVENT --json | rounds: round -> 1 -> 2 -> 3
        $ rounds EVENT --csv | : match -> 1 -> 2 -> 3 -> 4 -> 5 -> 6
        $ rounds EVENT --round 4 -> refused: ...
        $ rounds EVENT ants bees --json | rounds.matches: home -> Ants
        $ rounds EVENT ants bees -> ... -> ...tourney crosstable... -> ...
        """,
    )


def test_boards_are_those_of_the_pairs_before_a_later_stage_of_teams_is_drawn(tmp_path: Path) -> None:
    heat, final = 'format = "howell"\nboards_per_round = 1\n', 'format = "match"\nteams = 2\n'
    played = draw_event(tmp_path, f'[event]\nname = "Cup"\n{SECTIONS}[[stage]]\n{heat}[[stage]]\n{final}')
    converse(played, "$ boards EVENT -> ...Cup: 0 boards finished at all tables... -> ...")


def test_boards_before_the_final_has_begun_are_those_of_the_teams(tmp_path: Path) -> None:
    converse(
        draw_event(tmp_path, TEXT),
        """
        match 1 is played
        match 2 is played
        scored
        $ boards EVENT --json | round -> 1
        $ crosstable EVENT --json | pairs -> nothing
        """,
    )


def test_the_ranking_of_the_event_adds_up_matches_of_teams_only(played: PlayedEvent) -> None:
    standings = load_standings(played.database, played.event, played.drawn.ranking_rules)
    league, _ = standings.fields
    of_league = {row.team: row for row in league.rows}
    for row in standings.rows:
        assert (row.played, row.won, row.vp) == (3, of_league[row.team].won, of_league[row.team].vp)
        assert row.pairs is not None
    rows = [line.split(",") for line in lines_of(run("standings", played.path, "--csv"))]
    boards = rows[0].index("boards")
    assert [row[boards] for row in rows[5:9]] == [""] * 4, "a team in the league has no figures of pairs"


def test_the_screen_in_the_hall_has_the_standings_of_the_newest_stage(played: PlayedEvent) -> None:
    content = PublicSite(PublicView(played.drawn, WebConfig(), BEGINS_AT_MS), BEGINS_AT_MS).content("live/wall")
    assert content is not None
    page = content.body
    assert b'class="hall"' in page
    assert b"Final" in page.partition(b'class="hall"')[2]
    assert b"League" not in page.partition(b"<footer")[0].partition(b'<section class="standings"')[2]
