"""`[launch]`: where hosts are started."""

import pytest

from tourney.config import EventConfig, parse_event_file

EVENT = (
    '[event]\nname = "Cup"\n[[team]]\nname = "A"\n[[team]]\nname = "B"\n[[stage]]\nboards_per_match = 2\n[launch]\n'
)


def parse(launch: str) -> EventConfig:
    return parse_event_file(EVENT + launch, "event.toml")


@pytest.mark.parametrize(
    "scheduler",
    [
        "tls://bridge.example.org:8786",
        "tls://10.1.2.3",
        "tcp://[::1]",
    ],
)
def test_a_scheduler_is_reached_by_tls_or_is_on_this_machine(scheduler: str) -> None:
    assert parse(f'scheduler = "{scheduler}"').launch.scheduler == scheduler
