"""What somebody may have meant who has mistyped a name: `did you mean 'status'?`."""

from collections.abc import Iterable
from typing import Final

SUGGESTED_MAX: Final = 3
"""How many names are suggested: with more, the list of all of them is as quick to read."""

_LIKENESS_MIN: Final = 0.6
"""From 0 to 1, as `difflib` measures it; below its own limit, suggestions are as often wrong as right."""

_BEHIND_MAX: Final = 0.1
"""How much less like the mistyped name the others may be than the closest one: `sed` is `seed`, not `shared`."""

_BEGINNING: Final = 0.75
"""How much like a long name its beginning is: `boards` is `boards_per_match`, more than it is `extra_boards`."""

_BEGINNING_MIN: Final = 3
"""The length from which a beginning says anything."""


def close_names(given: str, known: Iterable[str]) -> list[str]:
    """Return the known names that are most like a mistyped one, the closest first."""
    from difflib import SequenceMatcher  # noqa: PLC0415 # needed for mistakes alone

    folded = _fold(given)
    matcher = SequenceMatcher(b=folded)
    likeness: dict[str, float] = {}
    for name in known:
        matcher.set_seq1(_fold(name))
        is_begun = len(folded) >= _BEGINNING_MIN and _fold(name).startswith(folded)
        likeness[name] = max(matcher.ratio(), _BEGINNING if is_begun else 0)
    least = max(_LIKENESS_MIN, max(likeness.values(), default=0) - _BEHIND_MAX)
    close = [name for name in likeness if likeness[name] >= least]
    return sorted(close, key=lambda name: -likeness[name])[:SUGGESTED_MAX]


def suggest(given: str, known: Iterable[str]) -> str:
    """Return the end of a sentence, `; did you mean 'status'?`; empty if no name is close."""
    return suggest_all(close_names(given, known))


def suggest_all(names: Iterable[str]) -> str:
    """Return the end of a sentence that suggests these names; empty if there are none."""
    shown = " or ".join(repr(str(name)) for name in names)
    return f"; did you mean {shown}?" if shown else ""


def _fold(name: str) -> str:
    """Return a name as it is compared: `boards_per_match`, `Boards-per-match` and `boards per match` are alike."""
    return " ".join(name.casefold().replace("_", " ").replace("-", " ").split())
