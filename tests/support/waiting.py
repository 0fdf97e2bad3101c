"""What waits for something that tells nobody when it has come."""

import asyncio
from collections.abc import Callable


async def until(is_so: Callable[[], object]) -> None:
    """Look until something is so; a test's own limit ends what waits in vain."""
    while not is_so():  # noqa: ASYNC110 # nobody sets an event
        await asyncio.sleep(0.01)
