"""How fast passphrases may be tried, on a clock that is moved by whoever waits."""

from dataclasses import dataclass, field

from tourney.web.phrase_pace import PhrasePace


@dataclass
class QuickPace:
    """A pace at which nobody waits; `slept_s` are the seconds for which tries would have waited."""

    slept_s: list[float] = field(default_factory=list)
    now_s: float = 0.0

    @property
    def pace(self) -> PhrasePace:
        return PhrasePace(lambda: self.now_s, self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.slept_s.append(seconds)
        self.now_s += seconds
