"""An event scored at board-a-match as a user runs it, on simulated time; every board is compared again here."""

import json
from fractions import Fraction
from pathlib import Path

from tests.support.events import bot, port_range, printed
from tests.support.simulated_run import run_simulated

EVENT = """
[event]
name = "Points"
results = "results"
{teams}
[[stage]]
scoring = "board-a-match"
boards_per_match = 3

[deals]
seed = 5

[tables]
trick_pause_ms = 0
ports = "{ports}"
"""


def test_programs_play_board_a_match_and_verify_finds_nothing(tmp_path: Path) -> None:
    teams = "".join(
        f'[[team]]\nname = "{name}"\nprofile = "tourney"\ncommand = "{bot(seed)}"\n'
        for seed, name in enumerate(("Ants", "Bees", "Cats"), 1)
    )
    event = tmp_path / "event.toml"
    event.write_text(EVENT.format(teams=teams, ports=port_range(8)), encoding="utf-8")
    run = run_simulated(event)
    assert (run.status, run.err) == (0, "")
    assert " points" in run.out
    assert "IMP" not in run.out
    assert printed("verify", event).out.endswith("0 findings\n")
    own = dict.fromkeys(("Ants", "Bees", "Cats"), Fraction())
    for number in (1, 2, 3):
        card = json.loads(printed("match", event, str(number), "--json").out)
        for board in card["boards"]:
            total = board["open"]["score"] - board["closed"]["score"]
            home = Fraction((total > 0) - (total < 0) + 1, 2)
            assert Fraction(board["points"]) == home
            own[card["home"]] += home
            own[card["away"]] += 1 - home
    rows = json.loads(printed("standings", event, "--json").out)["standings"]
    # Each team has a bye, which is worth 60 percent of the 3 points of a match.
    assert {row["team"]: Fraction(row["ranking_score"]) - Fraction("1.8") for row in rows} == own
