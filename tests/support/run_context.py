"""What the parts of a run go by, for tests of a part by itself."""

from dataclasses import replace

from tests.support.played_event import PlayedEvent
from tourney.coordinator.run_context import Notice, RunContext, RunEvent, RunSink
from tourney.runtime.clock import HostClock


class Reported(list[RunEvent]):
    """What a run has reported; its `append` is the sink."""

    @property
    def notices(self) -> list[str]:
        return [event.sentence for event in self if isinstance(event, Notice)]

    def of(self, kind: type[RunEvent]) -> list[RunEvent]:
        return [event for event in self if isinstance(event, kind)]


def run_context(
    played: PlayedEvent, report: RunSink = lambda _: None, clock: HostClock | None = None, **rules: int
) -> RunContext:
    """A run of an event, with `rules` other than its file's."""
    config = played.file.config
    changed = config.model_copy(update={"rules": config.rules.model_copy(update=rules)})
    file = replace(played.file, config=changed)
    return RunContext(file, played.database, played.event, clock or HostClock(), report)
