"""endplay reads PBN and solves boards: its modules where it is installed, and a mark for what needs it.

It is no package for every Python that tourney runs on.
"""

import importlib
import importlib.util
import warnings
from typing import Any, Final

import pytest

from tourney.bridge import Vulnerability

IS_THERE: Final = importlib.util.find_spec("endplay") is not None

REASON: Final = "endplay is not installed: it has no package for Python 3.14"

needs_endplay = pytest.mark.skipif(not IS_THERE, reason=REASON)


class _Missing:
    """Skips the test that uses it, one that forgets the mark."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_", "pytest")):  # what pytest looks for in a module that it collects
            raise AttributeError(name)
        pytest.skip(REASON)


class _Lazy:
    """Imports a module when something of it is first used; to import endplay takes as long as many tests."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_", "pytest")):  # what pytest looks for in a module that it collects
            raise AttributeError(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it imports packages that deprecate their own use
            return getattr(importlib.import_module(self._name), name)


def _load(name: str) -> Any:  # a module without types
    return _Lazy(name) if IS_THERE else _Missing()


endplay_pbn: Final = _load("endplay.parsers.pbn")
endplay_types: Final = _load("endplay.types")

ENDPLAY_VULNERABILITY: Final = {
    Vulnerability.NONE: "none",
    Vulnerability.NS: "ns",
    Vulnerability.EW: "ew",
    Vulnerability.ALL: "both",
}


def read_denomination(denom: Any) -> str:
    """Return the strain or suit that endplay has read, in our letters."""
    return "NT" if denom is endplay_types.Denom.nt else denom.name[0].upper()


def read_endplay_call(bid: Any) -> str:
    """Return the call that it has read, as we write it."""
    if isinstance(bid, endplay_types.ContractBid):
        return f"{bid.level}{read_denomination(bid.denom)}"
    return bid.penalty.abbr.upper() or "Pass"
