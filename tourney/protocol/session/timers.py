"""The timers that a table has asked for, each known by its name."""

from tourney.protocol.session.outbox import Desk


class Timers:
    """One timer a name. Another time for the same name takes the place of the one before."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._armed: dict[str, int] = {}

    def arm(self, name: str, at_ms: int) -> None:
        self._armed[name] = at_ms
        self._desk.start_timer(name, at_ms)

    def disarm(self, name: str) -> None:
        """It may still run out, and means nothing then."""
        self._armed.pop(name, None)

    def at_ms(self, name: str) -> int | None:
        """When it runs out; None while it is not armed."""
        return self._armed.get(name)

    def take(self, name: str) -> int | None:
        """It has run out: for when it was armed, None when it was not."""
        return self._armed.pop(name, None)
