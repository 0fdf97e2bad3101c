"""`[launch]`: where hosts are started."""

import pytest

from tests.config.test_file import file, parse


@pytest.mark.parametrize("scheduler", ["tls://bridge.example.org:8786", "tls://10.1.2.3", "tcp://[::1]"])
def test_a_scheduler_is_reached_by_tls_or_is_on_this_machine(scheduler: str) -> None:
    assert parse(file(more=f'[launch]\nscheduler = "{scheduler}"')).launch.scheduler == scheduler
