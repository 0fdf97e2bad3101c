"""A knockout with scores that do not balance, on simulated time: who advances, and what every report says."""

import json
from pathlib import Path

from tests.support.conditions_text import conditions_text
from tests.support.events import bot, port_range, printed
from tests.support.simulated_run import run_simulated

EVENT = """
[event]
name = "Unbalanced"
results = "results"
{teams}
[[stage]]
format = "knockout"
boards_per_match = 10
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
    # Board 10 is open, 24 IMPs either way. On the others Ants lead by 90, and have -24 on five where Dogs have 0,
    # which makes 60 for Dogs by Law 12C4. So Ants win, though their own figures are 30 short of those of Dogs.
    ahead = [{"Ants": imps, "Dogs": -imps} for imps in (24, 24, 24, 18)]
    _adjust(event, 1, *ahead, *[{"Ants": -24, "Dogs": 0}] * 5)
    # Cats lead by 54 and have average minus on six boards, as Bees have.
    _adjust(event, 2, *[{"Bees": -18, "Cats": 18}] * 3, *[{"Bees": -3, "Cats": -3}] * 6)
    run = run_simulated(event)
    assert (run.status, run.err) == (0, "")

    rounds = json.loads(printed("rounds", event, "--json").out)["rounds"]
    figures = [_figures(event, number) for number in (1, 2)]
    margins: dict[str, int] = {}
    for match, boards in zip(rounds[0]["matches"], figures, strict=True):
        home, away = sum(board[0] for board in boards), sum(board[1] for board in boards)
        assert (match["margin_home"], match["margin_away"], match["void"]) == (home, away, False)
        assert float(match["lead"]) == (home - away) / 2
        margins |= {match["home"]: home, match["away"]: away}
    (final,) = rounds[1]["matches"]
    assert {final["home"], final["away"]} == {"Ants", "Cats"}
    table = json.loads(printed("standings", event, "--round", "1", "--json").out)["standings"]
    assert {row["team"]: (row["won"], row["lost"]) for row in table} == {
        "Ants": (1, 0),
        "Cats": (1, 0),
        "Bees": (0, 1),
        "Dogs": (0, 1),
    }
    assert {row["team"]: row["imps_for"] - row["imps_against"] for row in table} == margins

    half = rounds[0]["matches"][0]["lead"]
    said = (
        f"Ants wins by {half} IMPs: margins Ants {margins['Ants']:+}, Dogs {margins['Dogs']:+}, "
        f"half their difference {half} (Law 12C4)"
    )
    assert f"Match 1: {said}" in printed("rounds", event).out
    card = printed("match", event, "1").out
    assert said in card
    assert "Margin" in card
    assert "Law 12C4" in conditions_text(event)
    assert printed("export", event, "--format", "usebio", "--out", tmp_path / "out").status == 0
    (xml,) = (tmp_path / "out").rglob("*.xml")
    own = f"own margins: TEAM {margins['Ants']}, OPPOSING_TEAM {margins['Dogs']} IMPs; decided by {half} (Law 12C4)"
    assert own in xml.read_text(encoding="latin-1")
    assert printed("export", event, "--format", "html", "--out", tmp_path / "site").status == 0
    for page in ("index.html", "round-001.html", "match-001/index.html"):
        assert f"half their difference {half} (Law 12C4)" in (tmp_path / "site" / page).read_text(encoding="utf-8"), (
            page
        )
    assert printed("verify", event).status == 0


def _figures(event: Path, match: int) -> list[tuple[int, int]]:
    """Each team's figure on each board of a match."""
    card = json.loads(printed("match", event, str(match), "--json").out)
    return [(board["imps"], board["imps_away"]) for board in card["boards"]]


def _adjust(event: Path, match: int, *boards: dict[str, int]) -> None:
    """Give both teams of a match their figures on its boards, from board 1 on."""
    for number, figures in enumerate(boards, 1):
        awards = [part for team, imps in figures.items() for part in ("--award", f"{team}={imps}")]
        ruled = printed("rule", "adjust", event, str(match), str(number), *awards, "--reason", "by way of a test")
        assert ruled.status == 0, ruled.err
