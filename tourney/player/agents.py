"""Networks as players: a function from observations to a value for each action becomes a `Player`.

    import numpy as np

    weights = np.load("net.npz")

    def policy(seen):
        return seen @ weights["w"] + weights["b"]

`tourney duel my_net:policy@pgx480 my_net:other@pgx480 --in-process --auctions` measures it, where `pgx480` is the
encoder of its observations.
"""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, ClassVar, Final

import numpy as np

from tourney.bridge import Call, Card
from tourney.errors import PlayerError
from tourney.player.encoders import ENCODERS, Encoder
from tourney.player.kaggle import KaggleAgent
from tourney.player.player import Player
from tourney.player.view import View
from tourney.suggestions import suggest


class Agent(Player):
    """A player that makes the call or card with the highest value among the legal ones; of equals, the first."""

    policy: ClassVar[Callable[[Any], Any]]
    """Takes observations as an array of float32, one a row, and returns the values, or logits, of all actions in as
    many rows: an array of numpy, or one that numpy makes an array of, such as those of jax and torch."""
    encoder: ClassVar[Encoder]
    """The form of the observations, and the numbers of the actions."""
    seed: ClassVar[int | None] = None
    """Where it draws by the softmax of the values: what is drawn depends on this, the board, hand and turn alone."""

    @classmethod
    def act(cls, model: Any, players: Sequence[Player], views: Sequence[View]) -> list[Call | Card]:  # noqa: ARG003
        """Answer all seats that wait by one call of the policy.

        Raises:
            PlayerError: it returns no such array.
        """
        encoder = cls.encoder
        if not encoder.plays and not all(view.asks_call for view in views):
            raise PlayerError(f"{cls.__name__} has the actions of {encoder.name}, which are calls alone: no cards")
        values = cls.policy(np.stack([encoder.encode(view) for view in views]))
        if hasattr(values, "detach"):  # torch's, which may be on another device
            values = values.detach().cpu()
        values = np.asarray(values, dtype=np.float64)
        if values.shape != (len(views), encoder.actions):
            raise PlayerError(
                f"{cls.__name__} returns {encoder.actions} values for each of {len(views)} observations of "
                f"{encoder.name}, got an array of shape {values.shape}"
            )
        return [cls._choose(row, view) for row, view in zip(values, views, strict=True)]

    @classmethod
    def _choose(cls, values: Any, view: View) -> Call | Card:
        encoder = cls.encoder
        legal = encoder.legal(view)
        of_legal = values[legal]
        if np.isnan(of_legal).any():
            raise PlayerError(f"{cls.__name__} returns NaN as the value of a legal action on board {view.number}")
        if cls.seed is None:
            return encoder.made(legal[int(np.argmax(of_legal))])
        weights = np.cumsum(np.exp(of_legal - of_legal.max()))
        key = f"{cls.seed}|{view.number}|{view.hand}|{len(view.auction.calls) + len(view.cards)}"
        drawn = int.from_bytes(sha256(key.encode()).digest()[:8], "big") / 2**64
        return encoder.made(legal[int(np.searchsorted(weights, drawn * weights[-1], side="right"))])


KAGGLE: Final = "kaggle"
"""What stands in the place of an encoder for an agent function of Kaggle's."""


def make_agent(policy: object, name: str, encoder: str) -> type[Player]:
    """Return the class of players that decide by a function.

    Args:
        policy: the function, as in `Agent`, or as in `KaggleAgent`.
        name: what messages call it.
        encoder: the name of one of `ENCODERS`, or `KAGGLE`.

    Raises:
        PlayerError: there is no such encoder, or what is given is no function.
    """
    found = ENCODERS.get(encoder)
    if found is None and encoder != KAGGLE:
        allowed = [*ENCODERS, KAGGLE]
        raise PlayerError(f"an encoder is one of {', '.join(allowed)}, got {encoder!r}{suggest(encoder, allowed)}")
    if not callable(policy):
        raise PlayerError(f"{name} is no function of observations, got {policy!r:.60}")
    if found is None:
        return type(name, (KaggleAgent,), {"agent": staticmethod(policy)})
    return type(name, (Agent,), {"policy": staticmethod(policy), "encoder": found})
