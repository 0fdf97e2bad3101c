"""Standings and cross-tables from the stored scores."""

from pathlib import Path

import pytest
from sqlalchemy import event as sqlalchemy_event

from tests.played_event import PlayedEvent, draw_event, event_text
from tourney.report.crosstable import Crosstable, load_crosstable
from tourney.report.documents import crosstable_document, standings_document
from tourney.report.standings import load_standings
from tourney.scoring.victory_points import VpHundredths
from tourney.store.objects import StoredMatchScore
from tourney.store.results import save_match_score


def store_score(played: PlayedEvent, number: int, imps: tuple[int, int], vp: tuple[int, int]) -> None:
    score = StoredMatchScore(number, 2, *imps, VpHundredths(vp[0]), VpHundredths(vp[1]))
    save_match_score(played.database, played.match(number), score, 0)


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """The draw: 1 Ants - Dogs, 2 Bees - Cats; 3 Dogs - Cats, 4 Ants - Bees; 5 Bees - Dogs, 6 Cats - Ants."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs"))
    assert [(match.home, match.away) for match in played.event.matches] == [
        ("Ants", "Dogs"),
        ("Bees", "Cats"),
        ("Dogs", "Cats"),
        ("Ants", "Bees"),
        ("Bees", "Dogs"),
        ("Cats", "Ants"),
    ]
    return played


def play_two_rounds(played: PlayedEvent) -> None:
    store_score(played, 1, (20, 5), (1500, 500))
    store_score(played, 2, (3, 3), (1000, 1000))
    store_score(played, 4, (0, 30), (123, 1877))


def test_standings_worked_out_by_hand(played: PlayedEvent) -> None:
    play_two_rounds(played)
    table = load_standings(played.database, played.event)
    assert (table.rounds, table.matches, table.matches_over) == (3, 6, 3)
    assert standings_document(table) == {
        "event": "Test Cup",
        "standings": [
            {
                "rank": 1,
                "team": "Bees",
                "played": 2,
                "won": 1,
                "drawn": 1,
                "lost": 0,
                "imps_for": 33,
                "imps_against": 3,
                "vp": "28.77",
            },
            {
                "rank": 2,
                "team": "Ants",
                "played": 2,
                "won": 1,
                "drawn": 0,
                "lost": 1,
                "imps_for": 20,
                "imps_against": 35,
                "vp": "16.23",
            },
            {
                "rank": 3,
                "team": "Cats",
                "played": 1,
                "won": 0,
                "drawn": 1,
                "lost": 0,
                "imps_for": 3,
                "imps_against": 3,
                "vp": "10.00",
            },
            {
                "rank": 4,
                "team": "Dogs",
                "played": 1,
                "won": 0,
                "drawn": 0,
                "lost": 1,
                "imps_for": 5,
                "imps_against": 20,
                "vp": "5.00",
            },
        ],
    }


def test_standings_after_a_round_leave_later_rounds_out(played: PlayedEvent) -> None:
    play_two_rounds(played)
    table = load_standings(played.database, played.event, rounds=1)
    assert (table.rounds, table.matches, table.matches_over) == (1, 2, 2)
    assert [(row.rank, row.team, row.vp) for row in table.rows] == [
        (1, "Ants", 1500),
        (2, "Bees", 1000),
        (2, "Cats", 1000),
        (4, "Dogs", 500),
    ]


def test_standings_of_an_event_not_begun_have_every_team_with_zeros(played: PlayedEvent) -> None:
    document = standings_document(load_standings(played.database, played.event))
    assert [row["team"] for row in document["standings"]] == ["Ants", "Bees", "Cats", "Dogs"]
    assert {row["vp"] for row in document["standings"]} == {"0.00"}
    assert {row["rank"] for row in document["standings"]} == {1}


def test_standings_read_no_boards(played: PlayedEvent) -> None:
    play_two_rounds(played)
    statements: list[str] = []
    engine = played.database._engine
    sqlalchemy_event.listen(engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    load_standings(played.database, played.event)
    assert len(statements) == 2
    assert statements[0] == "BEGIN"
    assert "FROM matches JOIN match_results" in statements[1].replace("\n", "")


def rows_of(table: Crosstable) -> list[tuple[str, int, int, list[tuple[str, int | None]]]]:
    return [(row.team, row.rank, row.vp, [(cell.opponent, cell.vp) for cell in row.cells]) for row in table.rows]


def test_a_cross_table_has_each_match_from_both_sides_in_the_order_of_the_draw(played: PlayedEvent) -> None:
    play_two_rounds(played)
    table = load_crosstable(played.database, played.event)
    assert rows_of(table) == [
        ("Ants", 2, 1623, [("Dogs", 1500), ("Bees", 123), ("Cats", None)]),
        ("Bees", 1, 2877, [("Cats", 1000), ("Ants", 1877), ("Dogs", None)]),
        ("Cats", 3, 1000, [("Bees", 1000), ("Dogs", None), ("Ants", None)]),
        ("Dogs", 4, 500, [("Ants", 500), ("Cats", None), ("Bees", None)]),
    ]
    assert (table.matches, table.matches_over) == (6, 3)


def test_the_document_of_a_cross_table(played: PlayedEvent) -> None:
    play_two_rounds(played)
    document = crosstable_document(load_crosstable(played.database, played.event))
    ants = document["teams"][0]
    assert {key: ants[key] for key in ("number", "team", "rank", "vp")} == {
        "number": 1,
        "team": "Ants",
        "rank": 2,
        "vp": "16.23",
    }
    assert ants["matches"][0] == {
        "match": 1,
        "round": 1,
        "opponent": "Dogs",
        "home": True,
        "imps_for": 20,
        "imps_against": 5,
        "vp": "15.00",
    }
    assert document["teams"][1]["matches"][1] == {
        "match": 4,
        "round": 2,
        "opponent": "Ants",
        "home": False,
        "imps_for": 30,
        "imps_against": 0,
        "vp": "18.77",
    }
    assert ants["matches"][2] == {
        "match": 6,
        "round": 3,
        "opponent": "Cats",
        "home": False,
        "imps_for": None,
        "imps_against": None,
        "vp": None,
    }


def test_a_double_round_robin_has_two_matches_against_each_team(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", stage='format = "double-round-robin"'))
    store_score(played, 1, (7, 0), (1300, 700))
    store_score(played, 2, (9, 1), (1400, 600))
    assert rows_of(load_crosstable(played.database, played.event)) == [
        ("Ants", 2, 1900, [("Bees", 1300), ("Bees", 600)]),
        ("Bees", 1, 2100, [("Ants", 700), ("Ants", 1400)]),
    ]


def test_scores_of_boards_played_at_random_add_up_to_the_standings(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", boards=4))
    played.play_all()
    table = load_standings(played.database, played.event)
    assert (table.matches, table.matches_over) == (3, 3)
    assert sum(row.vp for row in table.rows) == 3 * 2000
    assert sum(row.imps_for for row in table.rows) == sum(row.imps_against for row in table.rows) > 0
