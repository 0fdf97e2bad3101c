"""What the session wants of its shell: effects collected in order, and the timers that have been asked for."""

from tourney.protocol.session.effects import Effect, Note, Record, StartTimer
from tourney.protocol.session.records import TableRecord


class Outbox:
    """Collects effects. Each timer has a name; another time for the same name takes the place of the one before."""

    def __init__(self) -> None:
        self.effects: list[Effect] = []
        self.armed: dict[str, int] = {}
        """When timers run out that count, by name; one that was disarmed may still run out, and means nothing."""

    def take_effects(self) -> list[Effect]:
        """What has been asked for since the last call, in order."""
        effects, self.effects = self.effects, []
        return effects

    def record(self, record: TableRecord) -> None:
        self.effects.append(Record(record))

    def note(self, connection: int | None, text: str) -> None:
        """A remark for the wire log; `connection` is None for the whole table."""
        self.effects.append(Note(connection, text))

    def start_timer(self, name: str, at_ms: int) -> None:
        """Ask for a timer that counts whenever it runs out."""
        self.effects.append(StartTimer(name, at_ms))

    def arm(self, name: str, at_ms: int) -> None:
        """Ask for a timer that can be disarmed."""
        self.armed[name] = at_ms
        self.effects.append(StartTimer(name, at_ms))

    def disarm(self, name: str) -> None:
        self.armed.pop(name, None)
