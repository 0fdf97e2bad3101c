"""Events of several stages, on simulated time: groups, then a final in segments between programs of two pairs."""

import json
from pathlib import Path

from tests.support import commands
from tests.support.events import bot, write_event
from tests.support.simulated_run import run_simulated

STAGES = """\
name = "Groups"
groups = 2

[[stage]]
name = "Final"
format = "match"
teams = 2
boards_per_match = 2
segments = 2
seats = "alternate"
[stage.carry_over]
won = 0.5
"""


def test_groups_and_a_final_in_segments_are_played_through_and_ruled_on(tmp_path: Path) -> None:
    teams = [(name, bot(seed)) for seed, name in enumerate(("Ants", "Bees", "Cats", "Dogs"), 1)]
    event = write_event(tmp_path, teams, boards=1, stage=STAGES)
    second = f"second_command = {json.dumps(bot(11))}\n"
    text = event.read_text(encoding="utf-8").replace("command = ", f"{second}command = ")
    event.write_text(text, encoding="utf-8")
    run = run_simulated(event)
    assert (run.status, run.err) == (0, "")
    assert "round 2 is drawn: 3 " in run.out
    assert "match 3 goes on: segment 2 of 2, 1 board\n" in run.out
    schedule = json.loads(commands.run("schedule", event, "--json").stdout)
    (final,) = schedule["rounds"][1]["matches"]
    first, second = (segment["rooms"]["open"] for segment in final["segments"])
    assert (first["ns"], first["ew"]) == (second["ew"], second["ns"]) == (final["home"], final["away"])
    assert (first["ew_pair"], second["ns_pair"]) == (1, 2)

    wire = {path.name for path in (tmp_path / "results" / "wire").glob("match-003*")}
    assert wire == {f"match-003{part}-{room}.jsonl.gz" for part in ("", ".2") for room in ("open", "closed")}

    card = json.loads(commands.run("match", event, "3", "--json").stdout)
    assert [board["imps"] is not None for board in card["boards"]] == [True, True]
    table = json.loads(commands.run("standings", event, "--json", "--explain").stdout)
    assert [field["stage"] for field in table["fields"]] == ["Groups", "Groups", "Final"]
    champion = table["standings"][0]["team"]
    other = ({final["home"], final["away"]} - {champion}).pop()

    ruled = commands.run("rule", "penalty", event, "3", champion, "99", "--reason", "it came late")
    assert ruled.exit_code == 0, ruled.stderr
    assert json.loads(commands.run("standings", event, "--json").stdout)["standings"][0]["team"] == other
    assert commands.run("verify", event).exit_code == 0
