"""Watchers are told what has changed of what they watch: once a second at most, nothing lost, ended at once."""

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

from tourney.web import hub as hub_module
from tourney.web.hub import Hub, Watcher


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "APART_S", 0.01)
    monkeypatch.setattr(hub_module, "SPREAD_S", 0.0)


def join(hub: Hub, *topics: str) -> tuple[Watcher, AsyncIterator[bytes]]:
    watcher = hub.join(topics)
    assert watcher is not None
    return watcher, hub.messages(watcher)


async def test_a_watcher_is_greeted_then_told_what_it_watches() -> None:
    hub = Hub(10)
    hub.publish(["before"])
    _, messages = join(hub, "", "match/7")
    assert await anext(messages) == b"retry: 2000\nevent: hello\ndata: {}\n\n"
    hub.publish(["match/8", "match/7"])
    assert await anext(messages) == b"event: topic\ndata: /match/7\n\n"


async def test_what_changes_while_nobody_reads_is_told_together_and_once() -> None:
    hub = Hub(10)
    _, messages = join(hub, "", "live", "match/7")
    await anext(messages)
    for _ in range(1000):
        hub.publish(["live"])
    hub.publish(["", "match/8"])
    assert await anext(messages) == b"event: topic\ndata: / /live\n\n"
    hub.publish(["match/7"])
    assert await anext(messages) == b"event: topic\ndata: /match/7\n\n"


async def test_what_changes_between_two_messages_is_told_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "APART_S", 0.05)
    hub = Hub(10)
    _, messages = join(hub, "a", "b")
    await anext(messages)
    hub.publish(["a"])
    await anext(messages)
    following = asyncio.ensure_future(anext(messages))
    await asyncio.sleep(0)
    hub.publish(["a"])
    await asyncio.sleep(0)
    hub.publish(["b"])
    assert await following == b"event: topic\ndata: /a /b\n\n"


async def test_silence_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "ALIVE_S", 0.01)
    _, messages = join(Hub(10), "live")
    await anext(messages)
    assert await anext(messages) == b": alive\n\n"


async def test_all_streams_end_when_the_server_does() -> None:
    hub = Hub(10)
    streams = [join(hub, "live")[1] for _ in range(5)]
    for messages in streams:
        await anext(messages)
    hub.end()
    for messages in streams:
        assert [message async for message in messages] == [b"event: bye\ndata: {}\n\n"]
    assert len(hub) == 0
    assert hub.join(["live"]) is None


async def test_who_leaves_is_sent_nothing_more_and_watched_no_more() -> None:
    hub = Hub(10)
    watcher, messages = join(hub, "live")
    await anext(messages)
    assert hub.watched() == ["live"]
    watcher.leave()
    assert [message async for message in messages] == []
    assert (len(hub), hub.watched()) == (0, [])


async def test_no_more_may_watch_than_the_limit() -> None:
    hub = Hub(1)
    watcher, messages = join(hub, "live")
    assert hub.join(["live"]) is None
    watcher.leave()
    assert await anext(messages)
    assert [message async for message in messages] == []
    assert hub.join(["live"]) is not None


async def test_those_whose_moments_are_close_are_told_in_one_turn_of_the_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hub_module, "STEP_S", 0.05)
    hub = Hub(200, spread_s=0.04, apart_s=0.0)
    streams = [join(hub, "live")[1] for _ in range(100)]
    for messages in streams:
        await anext(messages)
    moments = set()

    async def hear(messages: AsyncIterator[bytes]) -> None:
        await anext(messages)
        moments.add(turn)

    turn = 0
    ended = asyncio.gather(*map(hear, streams))
    await asyncio.sleep(0)
    hub.publish(["live"])
    while not ended.done():
        turn += 1
        await asyncio.sleep(0)
    assert len(moments) <= 4  # two steps of time, and a turn between being woken and being heard


def test_watchers_are_told_at_moments_of_their_own() -> None:
    hub = Hub(200, spread_s=0.5)
    moments = sorted(watcher.wait_s for _ in range(200) if (watcher := hub.join(["live"])) is not None)
    gaps = [after - before for before, after in pairwise(moments)]
    assert moments[0] < 0.01
    assert moments[-1] > 0.49
    assert max(gaps) < 0.01
