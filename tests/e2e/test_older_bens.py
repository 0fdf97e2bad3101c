"""BEN as it was in 2022 and in August 2023, as processes at the tables of a run: their profiles suit them."""

import json
import sys
from pathlib import Path

from tests.support.events import printed, write_event


def program(name: str) -> str:
    return f"{sys.executable} -m tests.support.dialects '{name}' {{host}} {{port}} {{seat}} {{team}} 0"


def test_a_match_between_the_bens_of_2022_and_2023_has_no_incident_with_the_profiles_of_these_names(
    tmp_path: Path,
) -> None:
    event = write_event(tmp_path, [("Old", program("BEN 2022")), ("Newer", program("BEN 2023"))], boards=3)
    text = event.read_text(encoding="utf-8")
    for profile in ("ben-2022", "ben-2023"):
        text = text.replace("profile = 'tourney'", f'profile = "{profile}"', 1)
    event.write_text(text, encoding="utf-8")
    done = printed("run", event, "--hosts", "1")
    assert (done.status, done.err) == (0, ""), done.out
    found = json.loads(printed("rulings", event, "--incidents", "--json").out)
    assert (found["incidents"], found["rulings"]) == ([], [])
