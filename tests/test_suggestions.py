"""Suggestions for mistyped names."""

import pytest

from tourney.suggestions import SUGGESTED_MAX, close_names, suggest

KEYS = ("name", "boards_per_match", "boards_won", "vp_scale")


@pytest.mark.parametrize(
    ("given", "end"),
    [
        ("nmae", "; did you mean 'name'?"),
        ("NAME", "; did you mean 'name'?"),
        ("boards per match", "; did you mean 'boards_per_match'?"),
        ("boards", "; did you mean 'boards_per_match' or 'boards_won'?"),
        ("vp-scale", "; did you mean 'vp_scale'?"),
        ("colour", ""),
        ("", ""),
    ],
)
def test_a_close_name_is_suggested_and_a_far_one_is_not(given: str, end: str) -> None:
    assert suggest(given, KEYS) == end


def test_the_closest_of_several_names_comes_first_and_there_are_never_many() -> None:
    names = [f"team {n}" for n in range(9)]
    assert close_names("Team 4", names)[0] == "team 4"
    assert len(close_names("team", names)) == SUGGESTED_MAX
