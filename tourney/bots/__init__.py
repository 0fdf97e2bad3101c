"""The reference players that ship with tourney: how they choose calls and cards. `client` talks to the table."""

from collections.abc import Callable
from functools import partial
from typing import Final

from tourney.bots.strategy import Decision, Strategy, answer_line, explain_call
from tourney.errors import ConfigError

STYLES: Final = ("basic", "random")
"""The styles that a bot can be started with."""


def strategy_of(style: str, seed: int) -> Strategy:
    """Make a player of one of the `STYLES`. Only that style is imported, which halves the start of a random one.

    Raises:
        ConfigError: there is no such style.
    """
    if style == "basic":
        from tourney.bots.basic import BasicStrategy  # noqa: PLC0415 # as the docstring says

        return BasicStrategy(seed)
    if style == "random":
        from tourney.bots.random_style import RandomStrategy  # noqa: PLC0415

        return RandomStrategy(seed)
    raise ConfigError(f"a style of play is one of {', '.join(STYLES)}, got {style!r}")


def seated_bot(style: str, seed: int) -> Callable[[str], list[str]]:
    """Make a player in the process of its table; what is returned answers a line in the stateful protocol."""
    from tourney.bots.claims import accepts_claim  # noqa: PLC0415
    from tourney.protocol.stateful.player import ForgetfulPlayer  # noqa: PLC0415

    strategy = strategy_of(style, seed)
    player = ForgetfulPlayer("", judge_claim=accepts_claim, explain_call=partial(explain_call, strategy))
    return partial(answer_line, strategy, player)


__all__ = ["STYLES", "Decision", "Strategy", "seated_bot", "strategy_of"]
