"""What a run knows of the workers of its cluster."""

from types import SimpleNamespace
from typing import Any

import pytest
from distributed.security import Security

from tourney.cluster.client import UNHEARD_S, ClusterClient


class ToldScheduler:
    """Says of each worker when it last heard of it, by a clock that is two hours off."""

    def __init__(self) -> None:
        self.last_seen = {"ONE": 7200.0, "TWO": 7200.0}

    async def identity(self, n_workers: int) -> dict[str, Any]:  # as Dask's
        return {
            "workers": {
                f"tls://10.0.0.1/{name}": {"name": name, "nthreads": 1, "last_seen": at}
                for name, at in self.last_seen.items()
            }
        }


async def test_a_worker_that_stops_reporting_is_out_of_reach_until_it_reports_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = [100.0]
    monkeypatch.setattr("tourney.cluster.client.time", SimpleNamespace(monotonic=lambda: now_s[0]))
    client, scheduler = ClusterClient("tls://10.0.0.1:8786", Security()), ToldScheduler()
    monkeypatch.setattr(client, "_scheduler", scheduler)

    async def heard_after(seconds: float, *names: str) -> dict[str, bool]:
        now_s[0] += seconds
        for name in names:
            scheduler.last_seen[name] += seconds
        await client.poll()
        return {name: worker.is_heard for name, worker in client.workers.items()}

    assert await heard_after(0) == {"ONE": True, "TWO": True}
    assert await heard_after(UNHEARD_S - 0.5, "TWO") == {"ONE": True, "TWO": True}
    assert await heard_after(0.5, "TWO") == {"ONE": False, "TWO": True}
    assert await heard_after(0.5, "ONE", "TWO") == {"ONE": True, "TWO": True}
