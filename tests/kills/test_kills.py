"""A small event of real processes that are killed at random: what players have noted is on record (BC-49).

`make kills` plays as many as one likes, on both databases.
"""

from pathlib import Path

import pytest

from tests.kills import campaign
from tests.sim.seeds import draw_first


@pytest.mark.clause("BC-49")
@pytest.mark.campaign
def test_what_players_have_noted_is_on_record_once_after_any_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "BOARDS", 1)
    outcome = campaign.Campaign(tmp_path, draw_first(), None, None).play(kills=3)
    assert outcome.faults == [], outcome
    assert outcome.checked > outcome.on_record > 0, outcome
