"""What a kind of contest gives to the rooms that show it, so that none of them asks which kind it is."""

import re
from pathlib import Path
from typing import Final

import tourney
from tourney.contest import FORMATS, common_entrant

QUESTIONS: Final = (
    *("all_meet", "by_average", "changes_partners", "enters_pairs", "has_movement"),
    *("is_at_matchpoints", "is_board_a_match", "is_drawn_by_round", "is_duel"),
    *("is_knockout", "is_open", "is_matchpoints", "is_round_robin", "names_tables"),
    *("ranks_by_boards", "ranks_by_points", "uses_vp_scale"),
)
"""The attributes that ask a stage, a match or its scale which kind it is."""

_ASKS: Final = re.compile(
    rf"\.({'|'.join(QUESTIONS)})\b|\.game is |\bformat\.(name|pairing) ==|\.game_settings is |\.pairs is (not )?None"
    r"|\bisinstance\([^)]*\w(Contest|Scale)\)"
)

_OF_KINDS: Final = ("contest", "movement", "scoring")
"""The rooms that the kinds are made of."""

_ABOUT_OTHER_THINGS: Final = ("bots", "bridge", "client", "protocol")
"""Where such a word is about a contract, or about what a program is told."""

LIMIT: Final = 17
"""The number of questions outside; it may only get less."""


def test_nobody_outside_asks_a_contest_which_kind_it_is() -> None:
    house = Path(tourney.__file__).parent
    found = [
        f"{place}: {line.strip()}"
        for suffix in ("py", "html", "jinja")
        for path in sorted(house.rglob(f"*.{suffix}"))
        if not (place := path.relative_to(house).as_posix()).startswith((*_OF_KINDS, *_ABOUT_OTHER_THINGS))
        for line in path.read_text(encoding="utf-8").splitlines()
        for _ in _ASKS.finditer(line)
    ]
    assert len(found) <= LIMIT, "\n".join([*found, f"{len(found)} questions"])


def test_what_takes_part_in_several_contests_is_a_team_unless_all_have_the_same() -> None:
    teams, pairs, games = (FORMATS[name] for name in ("swiss", "howell", "rubber"))
    assert common_entrant([pairs, games]) == "pair"
    assert common_entrant([teams, pairs]) == "team"
    assert common_entrant([]) == "team"
