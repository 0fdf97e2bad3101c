"""Kills of everything between programs elsewhere and their tables."""

from pathlib import Path

import pytest

from tests.kills.tunnel_campaign import TunnelCampaign, play_undisturbed
from tests.sim.seeds import draw_first

EVENTS = 1
"""`make kills TUNNELS=n` plays more."""


@pytest.mark.campaign
@pytest.mark.timeout(420)
def test_events_through_tunnels_end_as_without_kills(tmp_path: Path) -> None:
    first = draw_first()
    print(f"python -m tests.kills.tunnel_campaign {EVENTS} --first {first}")  # noqa: T201 # runs the same again
    expected = play_undisturbed(tmp_path / "undisturbed")
    for seed in range(first, first + EVENTS):
        outcome = TunnelCampaign(tmp_path / f"{seed}", seed, expected).play()
        assert outcome.faults == [], outcome
