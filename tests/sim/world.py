"""What every simulation has: an event on record, its time, a store that fails, a network, and who watches both."""

import tempfile
from functools import cache
from pathlib import Path
from random import Random

from tests.sim.loop import SimulatedLoop
from tests.sim.machines import START_MS, SimulatedClock
from tests.sim.network import Conditions, Network
from tests.sim.players import PassingStrategy
from tests.sim.record import GrowingRecord
from tests.sim.store import MemoryStore, Outage, SimulatedDatabase
from tests.sim.witness import Witness
from tourney.audit.event import verify_event
from tourney.bots.random_style import RandomStrategy
from tourney.coordinator.draw import ensure_drawn
from tourney.event.file import EventFile
from tourney.event.place import forget_record
from tourney.results.scorecard import Scales
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event

NAME = "Simulated"


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


def folder() -> Path:
    """Where this process has files, such as `connections.json`; it is gone when the process ends."""
    return Path(_folder().name)


class World:
    """One event of one seed, from an empty store.

    Args:
        seed: what everything follows from.
        store: the store, which is emptied.
        file: the event.
        outages: when the store fails, and how.
        conditions: of the network.
        passing: whether every player passes.
        before_cut: after how many transactions the power fails, if it does.
    """

    def __init__(
        self,
        seed: int,
        store: MemoryStore,
        file: EventFile,
        outages: tuple[Outage, ...],
        conditions: Conditions,
        *,
        passing: bool,
        before_cut: int | None = None,
    ) -> None:
        self.happened: set[str] = set()
        self.loop = SimulatedLoop()  # type: ignore[abstract] # what it lacks, nothing here asks for
        self._clock = SimulatedClock(self.loop)
        self._store = store
        self._file = file
        store.reset([*outages], lambda: self.loop.now_us, before_cut=before_cut)
        store.on_failure = lambda failure: self.happened.add(f"outage, {failure}")
        store.on_power_cut = lambda: None
        self._database = SimulatedDatabase(store, None)
        forget_record(file.results)  # of the event before
        self._event = ensure_drawn(file, self._database, START_MS)
        self._record = GrowingRecord(store, store.board_at)
        store.on_commit = self._record.read_on
        self._witness = Witness(store, self._record)
        self._network = Network(self.loop, conditions, Random(f"{seed}|network"), self._witness)
        self._strategy = (PassingStrategy if passing else RandomStrategy)(seed)

    def is_troubled(self) -> bool:
        return bool(self._witness.faults or self.loop.errors)

    def load_event(self) -> EventInfo:
        event = load_event(self._database, NAME)
        assert event is not None
        return event

    def check_audit(self, event: EventInfo) -> None:
        """`tourney verify` finds nothing, whatever has happened."""
        scales: Scales = dict(self._file.scales)
        found = verify_event(self._database, event, event.matches, scales, self._clock.now_ms()).findings
        self._witness.faults += [f"verify: {finding.text}" for finding in found]
