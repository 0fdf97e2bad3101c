"""`[launch]`: where hosts are started."""

import pytest

from tourney.config import EventConfig, parse_event_file
from tourney.errors import ConfigError

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


@pytest.mark.parametrize(
    ("launch", "problem"),
    [
        (
            'scheduler = "tcp://10.1.2.3:8786"',
            "launch, scheduler: tcp:// is not encrypted, so it is for a scheduler on 127.0.0.1 alone: expected "
            "\"tls://HOST:PORT\", got 'tcp://10.1.2.3:8786'",
        ),
        *(
            (f'scheduler = "{text}"', f"launch, scheduler: expected \"tls://HOST:PORT\", got '{text}'")
            for text in ("10.1.2.3:8786", "tls://h:70000", "tls://h:1/x")
        ),
    ],
)
def test_what_is_wrong_with_the_launch_of_hosts_is_one_sentence(launch: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(launch)
    assert str(caught.value) == f"event.toml: {problem}"
