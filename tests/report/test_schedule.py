"""The schedule as it is loaded and written."""

from pathlib import Path

import pytest

from tests.support.played_event import draw_event, event_text
from tourney.report.schedule import format_ranges, load_schedule


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([7], "7"), ([1, 2, 3], "1-3"), ([1, 2, 9, 11, 12], "1-2, 9, 11-12"), ([3, 2, 1], "3, 2, 1")],
)
def test_numbers_that_count_up_are_drawn_together(numbers: list[int], text: str) -> None:
    assert format_ranges(numbers) == text


def test_a_schedule_has_the_whole_draw_with_byes_and_times_in_utc(tmp_path: Path) -> None:
    starts = "starts = [2026-11-21T14:00:00Z, 2026-11-21T18:30:00+02:00, 2026-11-22T09:00:00Z]"
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", boards=3, stage=starts))
    document = load_schedule(played.database, played.event).document()
    assert document["event"] == "Test Cup"
    assert document["stages"] == [
        {
            "stage": 1,
            "name": "Round robin",
            "format": "round-robin",
            "boards_per_match": 3,
            "segments": 1,
            "vp_scale": "wbf-continuous",
            "rounds": [1, 2, 3],
            "teams": [
                {"team": team, "seed": seed, "group": None, "from_round": 1, "carry_vp": "0.00"}
                for seed, team in enumerate(("Ants", "Bees", "Cats"), 1)
            ],
        }
    ]
    assert document["teams"] == [
        {"number": 1, "team": "Ants"},
        {"number": 2, "team": "Bees"},
        {"number": 3, "team": "Cats"},
    ]
    assert [round_["starts"] for round_ in document["rounds"]] == [
        "2026-11-21T14:00:00Z",
        "2026-11-21T16:30:00Z",
        "2026-11-22T09:00:00Z",
    ]
    assert sorted(round_["byes"] for round_ in document["rounds"]) == [["Ants"], ["Bees"], ["Cats"]]
    assert [(round_["stage"], round_["drawn"]) for round_ in document["rounds"]] == [(1, True)] * 3
    assert [match["match"] for round_ in document["rounds"] for match in round_["matches"]] == [1, 2, 3]
    first = document["rounds"][0]["matches"][0]
    home, away = first["home"], first["away"]
    assert first == {
        "match": 1,
        "home": home,
        "away": away,
        "boards": [1, 2, 3],
        "rooms": {"open": {"ns": home, "ew": away}, "closed": {"ns": away, "ew": home}},
        "segments": [
            {
                "segment": 1,
                "boards": [1, 2, 3],
                "rooms": {
                    "open": {"ns": home, "ns_pair": 1, "ew": away, "ew_pair": 1},
                    "closed": {"ns": away, "ns_pair": 2, "ew": home, "ew_pair": 2},
                },
            }
        ],
        "carry_home": "0",
        "carry_away": "0",
    }
    assert {home, away, *document["rounds"][0]["byes"]} == {"Ants", "Bees", "Cats"}


def test_matches_that_share_no_boards_have_the_numbers_of_their_own_set(tmp_path: Path) -> None:
    text = event_text("Ants", "Bees", "Cats", "Dogs", deals='seed = 1\nshared = "match"')
    played = draw_event(tmp_path, text)
    schedule = load_schedule(played.database, played.event)
    assert len({match.board_set_id for match in played.event.matches}) == 6
    assert [schedule.boards_of(match) for match in played.event.matches] == [[1, 2]] * 6
