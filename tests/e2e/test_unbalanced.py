"""A knockout with scores that do not balance, as a user runs it: who advances, and what every report says."""

import json
from pathlib import Path

from tests.support.events import bot, port_range, printed

EVENT = """
[event]
name = "Unbalanced"
results = "results"
{teams}
[[stage]]
format = "knockout"
boards_per_match = 2
extra_boards = 0

[deals]
seed = 5

[tables]
trick_pause_ms = 0
ports = "{ports}"
"""


def test_a_knockout_goes_by_law_12c4_where_scores_do_not_balance(tmp_path: Path) -> None:
    teams = "".join(
        f'[[team]]\nname = "{name}"\nprofile = "tourney"\ncommand = "{bot(seed)}"\n'
        for seed, name in enumerate(("Ants", "Bees", "Cats", "Dogs"), 1)
    )
    event = tmp_path / "event.toml"
    event.write_text(EVENT.format(teams=teams, ports=port_range(8)), encoding="utf-8")
    assert printed("schedule", event).status == 0
    # Ants lead by 8 before -8 to them and +4 to Dogs, who get -6 and +6: Ants win by 2.
    _adjust(event, 1, {"Ants": 8, "Dogs": -8}, {"Ants": -8, "Dogs": 4})
    # Cats lead by 2 before average minus to both: Cats still win by 2, and are not the second loser of the match.
    _adjust(event, 2, {"Bees": -2, "Cats": 2}, {"Bees": -3, "Cats": -3})
    run = printed("run", event)
    assert (run.status, run.err) == (0, "")

    rounds = json.loads(printed("rounds", event, "--json").out)["rounds"]
    one, two = rounds[0]["matches"]
    assert (one["margin_home"], one["margin_away"], one["lead"]) == (0, -4, "2")
    assert (two["margin_home"], two["margin_away"], two["lead"]) == (-5, -1, "-2")
    (final,) = rounds[1]["matches"]
    assert {final["home"], final["away"]} == {"Ants", "Cats"}
    rows = {
        row["team"]: row for row in json.loads(printed("standings", event, "--round", "1", "--json").out)["standings"]
    }
    assert {team: (row["won"], row["lost"]) for team, row in rows.items()} == {
        "Ants": (1, 0),
        "Cats": (1, 0),
        "Bees": (0, 1),
        "Dogs": (0, 1),
    }
    assert {team: row["imps_for"] - row["imps_against"] for team, row in rows.items()} == {
        "Ants": 0,
        "Cats": -1,
        "Bees": -5,
        "Dogs": -4,
    }

    said = "Ants wins by 2 IMPs: margins Ants 0, Dogs -4, half their difference 2 (Law 12C4)"
    assert f"Match 1: {said}" in printed("rounds", event).out
    card = printed("match", event, "1").out
    assert said in card
    assert "Margin" in card
    assert "Law 12C4" in printed("coc", event).out
    assert printed("export", event, "--format", "usebio", "--out", tmp_path / "out").status == 0
    (xml,) = (tmp_path / "out").rglob("*.xml")
    assert "own margins: TEAM 0, OPPOSING_TEAM -4 IMPs; decided by 2 (Law 12C4)" in xml.read_text(encoding="latin-1")
    assert printed("export", event, "--format", "html", "--out", tmp_path / "site").status == 0
    for page in ("index.html", "round-001.html", "match-001/index.html"):
        assert "half their difference 2 (Law 12C4)" in (tmp_path / "site" / page).read_text(encoding="utf-8"), page
    assert printed("verify", event).status == 0


def _adjust(event: Path, match: int, *boards: dict[str, int]) -> None:
    """Give both teams of a match their figures on its boards, from board 1 on."""
    for number, figures in enumerate(boards, 1):
        awards = [part for team, imps in figures.items() for part in ("--award", f"{team}={imps}")]
        ruled = printed("rule", "adjust", event, str(match), str(number), *awards, "--reason", "by way of a test")
        assert ruled.status == 0, ruled.err
