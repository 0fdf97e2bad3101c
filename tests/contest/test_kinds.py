"""What a kind of contest gives to the rooms that show it, so that none of them asks which kind it is."""

import re
from pathlib import Path
from typing import Final

import tourney
from tourney.contest import common_entrant, contest_of
from tourney.movement.formats import find_format

_QUESTIONS: Final = re.compile(
    r"\bis_(of_(pairs|teams|games|individuals)|at_one_table|at_pairs|game)\b(?!\()"
    r"|\bformat\.game is|\bisinstance\([^)]*Contest\)|\bisinstance\([^)]*(PairsFormat|SeveralTeamsFormat)\)"
)
"""What asks a stage or a match which kind of contest it is; a function `is_game` asks a bid whether it is a game."""

_ROOMS_OF_OTHER_GAMES: Final = ("bots", "bridge", "client", "scoring/minibridge.py")
"""Where `is_game` is about a contract."""

_ASKED_OUTSIDE: Final = 3
"""The model of a stage in the event file, who can play Minibridge, and what travellers are scored by. It may only get
less."""


def test_nobody_outside_asks_a_contest_which_kind_it_is() -> None:
    house = Path(tourney.__file__).parent
    found = []
    for suffix in ("py", "html", "jinja"):
        for path in sorted(house.rglob(f"*.{suffix}")):
            place = path.relative_to(house).as_posix()
            if not place.startswith(("contest/", *_ROOMS_OF_OTHER_GAMES)):
                lines = path.read_text(encoding="utf-8").splitlines()
                found += [f"{place}: {line.strip()}" for line in lines if _QUESTIONS.search(line)]
    assert len(found) <= _ASKED_OUTSIDE, "\n".join(found)


def test_what_takes_part_in_several_contests_is_a_team_unless_all_have_the_same() -> None:
    teams, pairs, games = (contest_of(find_format(name)) for name in ("swiss", "howell", "rubber"))
    assert common_entrant([pairs, games]) == "pair"
    assert common_entrant([teams, pairs]) == "team"
    assert common_entrant([]) == "team"


def test_each_kind_says_what_its_views_show() -> None:
    shown = {
        name: (kind.entrant, kind.has_rooms, kind.ranks_by_boards, kind.keeps_sheet, kind.uses_vp_scale)
        for name in ("round-robin", "knockout", "mitchell", "chicago", "american-whist")
        for kind in [contest_of(find_format(name))]
    }
    assert shown == {
        "round-robin": ("team", True, False, False, True),
        "knockout": ("team", True, False, False, False),
        "mitchell": ("pair", False, True, False, False),
        "chicago": ("pair", False, False, True, False),
        "american-whist": ("team", True, False, False, True),
    }
