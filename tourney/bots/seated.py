"""A reference player in the process of its table: the stateful protocol and a strategy, without a connection."""

from tourney.bots.strategy import Strategy, answer
from tourney.protocol.player import SendLine
from tourney.protocol.stateful.player import ForgetfulPlayer


class SeatedBot:
    """Answers the lines of its table."""

    def __init__(self, strategy: Strategy) -> None:
        self._core = ForgetfulPlayer("")
        self._strategy = strategy

    def __call__(self, line: str) -> list[str]:
        """Return what it says to a line."""
        effects = answer(self._strategy, self._core, self._core.receive_line(line.encode()))
        return [effect.line for effect in effects if isinstance(effect, SendLine)]  # its seat is the lobby's matter
