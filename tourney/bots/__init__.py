"""The reference players that ship with tourney: what they call and play. How they talk is in `client`."""

from typing import Final

from tourney.bots.strategy import Decision, Strategy
from tourney.errors import ConfigError

STYLES: Final = ("basic", "random")
"""The styles of play a bot can be started with."""


def strategy_of(style: str, seed: int) -> Strategy:
    """A player of one of the `STYLES`; only that style is loaded, which halves the start of a plain one.

    Raises:
        ConfigError: there is no such style.
    """
    if style == "basic":
        from tourney.bots.basic.style import BasicStrategy  # noqa: PLC0415 # as said

        return BasicStrategy(seed)
    if style == "random":
        from tourney.bots.random_style import RandomStrategy  # noqa: PLC0415

        return RandomStrategy(seed)
    raise ConfigError(f"a style of play is one of {', '.join(STYLES)}, got {style!r}")


__all__ = ["STYLES", "Decision", "Strategy", "strategy_of"]
