"""A small process beside a table host that ends the host's programs if the host is killed.

The parent-death signal exists only on Linux and reaches only the programs themselves; the reaper also reaches their
helpers, and works everywhere. It reads a pipe from the host: if the pipe closes without a message, the host is gone.
"""

import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Final

from tourney.errors import LaunchError
from tourney.log import configure_logging
from tourney.runtime.processes import MARK, ProcessId, end_left_behind, is_running, own_process_id

_LOGGER: Final = logging.getLogger(__name__)

_WORD: Final = b"done"
_END_S: Final = 5.0
"""How long the reaper may take to end after it has been told that nothing is left to do, in seconds."""

_OWNER_ENDS_S: Final = 30.0
"""How long a host whose pipe is closed may take to vanish, in seconds: writing a core dump takes a while."""

_POLL_S: Final = 0.02


class OrphanReaper:
    """Context manager of a host: within it, programs recorded below `folder` do not outlive this process.

    After a normal exit from the context the reaper ends; after an exception or a kill, it stays until this process is
    gone and then ends what is left behind.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "OrphanReaper":
        """Start the process.

        Raises:
            LaunchError: it cannot be started.
        """
        owner = own_process_id()
        words = [sys.executable, "-m", "tourney.launch.orphan_reaper", str(self._folder), str(owner.pid), owner.start]
        try:
            # In a group of its own, so that Ctrl-C does not reach it.
            # Without the mark of the host, which it is to outlive.
            variables = {name: value for name, value in os.environ.items() if name != MARK}
            self._process = subprocess.Popen(  # noqa: S603 # ours
                words, stdin=subprocess.PIPE, start_new_session=True, env=variables
            )
        except OSError as error:
            raise LaunchError(f"the orphan reaper cannot be started: {error.strerror}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        process = self._process
        assert process is not None
        assert process.stdin is not None
        if kind is not None:
            process.returncode = 0  # it outlives us on purpose: keeps Python from warning
            process.stdin.close()
            return
        try:
            process.communicate(_WORD, timeout=_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def main() -> None:
    """Wait for the end of the host, then end the programs it has left."""
    folder, owner = Path(sys.argv[1]), ProcessId(int(sys.argv[2]), sys.argv[3])
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends with its host, not before
    if sys.stdin.buffer.read() == _WORD:
        return
    deadline = time.monotonic() + _OWNER_ENDS_S
    while is_running(owner) and time.monotonic() < deadline:
        time.sleep(_POLL_S)
    configure_logging(to_stderr=True)
    for sentence in end_left_behind(folder):
        _LOGGER.warning(sentence, extra={"action": "orphan_ended"})


if __name__ == "__main__":
    main()
