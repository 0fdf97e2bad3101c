"""`tourney serve` as a process, for tests with a real browser or a real client."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.events import Finished, read_until, rest_of, start_tourney


@dataclass(frozen=True)
class Served:
    """A server and the address at which it listens, with a slash at its end."""

    process: "subprocess.Popen[str]"
    address: str

    def end(self, by: signal.Signals = signal.SIGTERM) -> Finished:
        """End it, and return how it ended."""
        self.process.send_signal(by)
        return rest_of(self.process)


@contextmanager
def serving(event: Path, *more: str, port: int = 0) -> Iterator[Served]:
    """Serve an event; what still runs afterwards is killed."""
    process = start_tourney("serve", event, "--port", str(port), *more)
    try:
        said = read_until(process, "http://")
        found = re.search(r"http://\S+", said)
        assert found is not None, said
        yield Served(process, found[0])
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
