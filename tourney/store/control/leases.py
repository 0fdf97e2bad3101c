"""How long somebody has been silent, by our own clock alone: a machine whose clock is off does no harm."""

from collections.abc import Hashable


class BeatWatch:
    """Remembers what was last heard of each, and when it was new; `now_ms` must never go back."""

    def __init__(self) -> None:
        self._heard: dict[Hashable, tuple[object, int]] = {}

    def silent_ms(self, who: Hashable, beat: object, now_ms: int) -> int:
        """For how long the beat of somebody has been this one; 0 when it is another than at the last look."""
        heard = self._heard.get(who)
        if heard is None or heard[0] != beat:
            self._heard[who] = (beat, now_ms)
            return 0
        return now_ms - heard[1]

    def forgive(self) -> None:
        """Begin anew with everybody: for a while nobody could be heard."""
        self._heard.clear()
