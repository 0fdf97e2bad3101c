"""A child that dies with us, however we die: the parent-death signal of Linux."""

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from typing import Final

_PR_SET_PDEATHSIG: Final = 1  # prctl(2)
_ORPHANED_STATUS: Final = 70


def leash() -> Callable[[], None] | None:
    """What a child runs before its program, so that it is killed when this thread ends; None where there is no such.

    Linux ties the signal to the thread that starts the child, so children are started by the thread that stays: the
    one of the event loop. It goes to the child alone, not to what the child starts.
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl  # looked up here: between fork and exec as little as possible is done
    parent = os.getpid()

    def tie() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it died before the signal was asked for
            os._exit(_ORPHANED_STATUS)

    return tie
