"""A reference player in the process of its table: the stateful protocol and a strategy, without a connection."""

from tourney.bots.strategy import Strategy
from tourney.protocol.player import AskCall, AskCard, PlayerEffect, Say
from tourney.protocol.stateful.player import ForgetfulPlayer


class SeatedBot:
    """Answers the lines of its table."""

    def __init__(self, strategy: Strategy) -> None:
        self._core = ForgetfulPlayer("")
        self._strategy = strategy

    def __call__(self, line: str) -> list[str]:
        """Return what it says to a line."""
        return self._react(self._core.receive_line(line.encode()))

    def _react(self, effects: list[PlayerEffect]) -> list[str]:
        said: list[str] = []
        for effect in effects:
            match effect:
                case Say():
                    said.append(effect.line)
                case AskCall():
                    decision = self._strategy.choose_call(effect.view)
                    said += self._react(self._core.make_call(decision.call, decision.alert, asked=effect))
                case AskCard():
                    card = self._strategy.choose_card(effect.view, effect.hand)
                    said += self._react(self._core.make_card(effect.hand, card, asked=effect))
                case _:
                    pass  # its seat is the lobby's matter
        return said
