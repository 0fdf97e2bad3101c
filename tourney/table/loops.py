"""The event loop of table hosts: uvloop's where it is to be had, which handles twice the lines of asyncio's."""

import asyncio
from collections.abc import Callable


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """What makes the loop, for `asyncio.Runner`."""
    try:
        import uvloop  # noqa: PLC0415 # not on every platform
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop


def loop_name() -> str:
    """`uvloop` or `asyncio`."""
    return loop_factory().__module__.partition(".")[0]
