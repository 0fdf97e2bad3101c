"""The session's requests to its shell: effects collected in order, and the armed timers."""

from tourney.protocol.session.effects import Effect, LogRemark, StartTimer


class Outbox:
    """Collects effects. Each timer has a name; arming it again replaces its time."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        self.armed: dict[str, int] = {}
        """Expiry times of armed timers, by name; a disarmed timer may still expire, and is then ignored."""

    def take_effects(self) -> list[Effect]:
        """Return the effects since the last call, in order."""
        effects, self.effects = self.effects, []
        return effects

    def log_remark(self, connection: int | None, text: str) -> None:
        """Add a remark for the wire log; `connection` is None for the whole table."""
        self.effects.append(LogRemark(connection, text))

    def start_timer(self, name: str, at_ms: int) -> None:
        """Start a timer that cannot be disarmed."""
        self.effects.append(StartTimer(name, at_ms))

    def arm(self, name: str, at_ms: int) -> None:
        """Start a timer that can be disarmed."""
        self.armed[name] = at_ms
        self.effects.append(StartTimer(name, at_ms))

    def disarm(self, name: str) -> None:
        self.armed.pop(name, None)
