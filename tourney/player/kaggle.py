"""Agent functions of Kaggle's `bridge_arena` as players.

    def agent(observation, configuration):
        return {"submission": observation["legalActions"][0]}

`tourney duel my_agent:agent@kaggle basic --in-process --auctions` measures it: the arena has auctions alone, whose
results are those of double-dummy tables. What it is given is made as kaggle-environments does (71a97609,
`bridge_arena_game.py`): `observationString` is a document in JSON, in which `raw_observation` has OpenSpiel's words
for what the seat knows. Actions are OpenSpiel's, players are 0 = North, 1 = South, 2 = East and 3 = West. There is no
`serializedGameAndState`, which only OpenSpiel can make.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Final

from tourney.bridge import Bid, Call, Seat, Strain
from tourney.errors import PlayerError
from tourney.player.encoders import ENCODERS
from tourney.player.player import Player
from tourney.player.view import View

_OPENSPIEL: Final = ENCODERS["openspiel571"]
_IDS: Final = (0, 2, 1, 3)
"""The players' numbers by their seats, North first; the seats by these numbers too."""
_SUITS: Final = ("♣", "♦", "♥", "♠", "NT")
_ACTIONS: Final = {"Pass": "Pass", "X": "Dbl", "XX": "RDbl"}
_VULNERABLE: Final = {"NS": "N/S", "EW": "E/W"}


class KaggleAgent(Player):
    """A player that submits what a function returns."""

    agent: ClassVar[Callable[[Any, Any], Any]]
    """Takes an observation and a configuration, and returns `{"submission": action}`."""

    def call(self, view: View) -> Any:
        """Return what it submits."""
        name = type(self).__name__
        if not view.asks_call:
            raise PlayerError(f"{name} is an agent of Kaggle's bridge_arena, where no cards are played")
        given = type(self).agent(observe(view), {"includeLegalActions": True})
        action = given.get("submission") if isinstance(given, dict) else None
        if type(action) is not int or not _OPENSPIEL.first_call <= action < _OPENSPIEL.actions:
            raise PlayerError(f'{name} returns {{"submission": action}}, an action 52 to 89, got {given!r:.60}')
        return _OPENSPIEL.made(action)

    play = call


def observe(view: View) -> dict[str, Any]:
    """Return what the environment gives an agent in its turn."""
    legal = dict(zip(_OPENSPIEL.legal(view), map(_label, view.legal_calls), strict=True))
    me = _IDS[view.seat]
    return {
        "observationString": json.dumps(_document(view, legal)),
        "playerId": me,
        "currentPlayer": me,
        "isTerminal": False,
        "legalActions": list(legal),
        "legalActionStrings": list(legal.values()),
    }


def _document(view: View, legal: Mapping[int, str]) -> dict[str, Any]:
    me = _IDS[view.seat]
    auction = [
        {
            **_place(made.seat),
            "team_id": _IDS[made.seat] // 2,
            "call": _label(made.call),
            "action": _OPENSPIEL.number(made.call),
        }
        for made in view.calls
    ]
    return {
        "phase": "auction",
        "is_terminal": False,
        "num_teams": 2,
        "players_per_team": 2,
        **_place(view.dealer, "dealer_"),
        "table_seating": {str(player): Seat(_IDS[player]).letter for player in range(4)},
        "teams": {"0": [0, 1], "1": [2, 3]},
        "current_player_id": me,
        "current_table_position": view.seat.letter,
        "current_team_id": me // 2,
        "auction": auction,
        "contract": _contract(view),
        "plays": [],
        "your_player_id": me,
        "your_team_id": me // 2,
        "your_seat": me % 2,
        "your_table_position": view.seat.letter,
        "your_partner_player_id": me ^ 1,
        "partner_table_position": view.seat.partner.letter,
        "opponent_player_ids": [2, 3] if me < 2 else [0, 1],
        "your_turn": True,
        "raw_observation": "\n".join(_words(view)),
        "legal_actions": [{"action": action, "label": label} for action, label in legal.items()],
    }


def _place(seat: Seat, of: str = "") -> dict[str, Any]:
    """Return the names of a seat; what its keys begin with says whose it is."""
    return {f"{of}internal_seat": int(seat), f"{of}table_position": seat.letter, f"{of}player_id": _IDS[seat]}


def _contract(view: View) -> dict[str, Any] | None:
    """Return the contract, or what it would be if all passed now."""
    auction = view.auction.snapshot()
    auction.pass_out()
    contract = auction.contract
    if contract is None:
        return None
    denomination = _SUITS[contract.strain]
    return {
        "level": contract.level,
        "denom": denomination,
        "trump_suit": None if contract.strain is Strain.NOTRUMP else denomination,
        "doubled": "X" * contract.doubled or None,
        **_place(contract.declarer, "declarer_"),
    }


def _label(call: Call) -> str:
    """Return OpenSpiel's word for a call."""
    return f"{call.level}{_SUITS[call.strain]}" if isinstance(call, Bid) else _ACTIONS[str(call)]


def _words(view: View) -> Iterator[str]:
    """Yield OpenSpiel's words for what a seat knows, in lines."""
    yield from (f"Dealer {view.dealer.title}", f"Vul: {_VULNERABLE.get(view.vulnerability, view.vulnerability)}", "")
    yield f"You are {view.seat.title}; you hold:"
    for suit in (3, 2, 1, 0):
        ranks = ["10" if card.rank == 10 else str(card)[0] for card in view.hand.cards if card.suit == suit]
        yield f"{_SUITS[suit]} {' '.join(ranks) or 'none'}"
    said = [" " * 6] * ((view.dealer + 1) % 4) + [f"{_label(made.call):6}" for made in view.calls]
    if not said:
        said = [""] * 4  # OpenSpiel has an empty row before West's first call
    rows = ["".join(said[start : start + 4]) for start in range(0, len(said) + 1, 4)]
    yield from ("", "West  North East  South", *rows[:-1], f"{rows[-1]}?", "", "It is your turn to bid.")
