"""Agent functions of Kaggle's `bridge_arena` as players.

    def agent(observation, configuration):
        return {"submission": observation["legalActions"][0]}

`tourney duel my_agent:agent@kaggle basic --in-process` measures it. What it is given is made as
kaggle-environments does (71a97609, `bridge_arena_game.py`): `observationString` is a document in JSON, in which
`raw_observation` has OpenSpiel's words for what the seat knows. Actions are OpenSpiel's, players are 0 = North,
1 = South, 2 = East and 3 = West. There is no `serializedGameAndState`, which only OpenSpiel can make.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, ClassVar, Final

from tourney.bridge import PASS, Bid, Call, Card, Seat, Strain
from tourney.errors import PlayerError
from tourney.player.encoders import ENCODERS
from tourney.player.player import Player
from tourney.player.view import View

_OPENSPIEL: Final = ENCODERS["openspiel571"]
_IDS: Final = (0, 2, 1, 3)
"""The players' numbers by their seats, North first; the seats by these numbers too."""
_SUITS: Final = ("♣", "♦", "♥", "♠", "NT")
_ACTIONS: Final = {"Pass": "Pass", "X": "Dbl", "XX": "RDbl"}
_DOUBLED: Final = ("", " Doubled", " Redoubled")
_VULNERABLE: Final = {"NS": "N/S", "EW": "E/W"}


class KaggleAgent(Player):
    """A player that submits what a function returns."""

    agent: ClassVar[Callable[[Any, Any], Any]]
    """Takes an observation and a configuration, and returns `{"submission": action}`."""

    def call(self, view: View) -> Any:
        """Return what it submits."""
        given = type(self).agent(observe(view), {"includeLegalActions": True})
        action = given.get("submission") if isinstance(given, dict) else None
        if type(action) is not int or not 0 <= action < _OPENSPIEL.actions:
            name = type(self).__name__
            raise PlayerError(f'{name} returns {{"submission": action}}, an action 0 to 89, got {given!r:.60}')
        return _OPENSPIEL.made(action)

    play = call


def observe(view: View) -> dict[str, Any]:
    """Return what the environment gives an agent in its turn."""
    legal = sorted(map(_OPENSPIEL.number, view.legal_calls if view.asks_call else view.legal_cards))
    me = _IDS[view.seat]
    return {
        "observationString": json.dumps(_document(view, legal)),
        "playerId": me,
        "currentPlayer": me,
        "isTerminal": False,
        "legalActions": legal,
        "legalActionStrings": [_label(_OPENSPIEL.made(action)) for action in legal],
    }


def _document(view: View, legal: Iterable[int]) -> dict[str, Any]:
    me, dealer = _IDS[view.seat], view.dealer
    plays = [
        {
            "card": _label(card),
            "action": _OPENSPIEL.number(card),
            **_place(seat),
            "trick_number": number // 4 + 1,
        }
        for number, (seat, card) in enumerate(view.cards)
    ]
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
        "phase": "auction" if view.asks_call else "play",
        "is_terminal": False,
        "num_teams": 2,
        "players_per_team": 2,
        "dealer_internal_seat": int(dealer),
        "dealer_table_position": dealer.letter,
        "dealer_player_id": _IDS[dealer],
        "table_seating": {str(player): Seat(_IDS[player]).letter for player in range(4)},
        "teams": {"0": [0, 1], "1": [2, 3]},
        "current_player_id": me,
        "current_table_position": view.seat.letter,
        "current_team_id": me // 2,
        "auction": auction,
        "contract": _contract(view),
        "plays": plays,
        "your_player_id": me,
        "your_team_id": me // 2,
        "your_seat": me % 2,
        "your_table_position": view.seat.letter,
        "your_partner_player_id": me ^ 1,
        "partner_table_position": view.seat.partner.letter,
        "opponent_player_ids": [2, 3] if me < 2 else [0, 1],
        "your_turn": True,
        "raw_observation": "\n".join(_words(view)),
        "legal_actions": [{"action": action, "label": _label(_OPENSPIEL.made(action))} for action in legal],
    }


def _place(seat: Seat) -> dict[str, Any]:
    return {"internal_seat": int(seat), "table_position": seat.letter, "player_id": _IDS[seat]}


def _contract(view: View) -> dict[str, Any] | None:
    """Return the contract, or what it would be if all passed now."""
    auction = view.auction.snapshot()
    while not auction.is_over:
        auction.add(PASS)
    contract = auction.contract
    if contract is None:
        return None
    denomination = _SUITS[contract.strain]
    return {
        "level": contract.level,
        "denom": denomination,
        "trump_suit": None if contract.strain is Strain.NOTRUMP else denomination,
        "doubled": "X" * contract.doubled or None,
        **{f"declarer_{key}": value for key, value in _place(contract.declarer).items()},
    }


def _label(made: Call | Card) -> str:
    """Return OpenSpiel's word for a call or card."""
    if isinstance(made, Bid):
        return f"{made.level}{_SUITS[made.strain]}"
    return f"{_SUITS[made.suit]}{_rank(made)}" if isinstance(made, Card) else _ACTIONS[str(made)]


def _rank(card: Card) -> str:
    return "10" if card.rank == 10 else str(card)[0]


def _words(view: View) -> Iterator[str]:
    """Yield OpenSpiel's words for what a seat knows, in lines."""
    contract, tricks = view.contract, view.tricks
    yield from (f"Dealer {view.dealer.title}", f"Vul: {_VULNERABLE.get(view.vulnerability, view.vulnerability)}", "")
    yield f"You are {view.seat.title}; you hold:"
    yield from _hand(view.held(view.seat))
    if contract is not None:
        if view.cards:
            yield from ("", f"Dummy is {contract.dummy.title}; it holds:", *_hand(view.held(contract.dummy)))
        of = f"{contract.level}{_SUITS[contract.strain]}{_DOUBLED[contract.doubled]}"
        yield from ("", f"Contract: {of} by {contract.declarer.title}")
    said = [" " * 6] * ((view.dealer + 1) % 4) + [f"{_label(made.call):6}" for made in view.calls]
    if not said:
        said = [""] * 4  # OpenSpiel has an empty row before West's first call
    rows = ["".join(said[start : start + 4]) for start in range(0, len(said) + view.asks_call, 4)]
    yield from ("", "West  North East  South", *rows[:-1], rows[-1] + "?" * view.asks_call, "")
    if contract is None:
        yield "It is your turn to bid."
    elif not view.cards:
        yield "It is your opening lead."
    else:
        current = view.current
        begun = [current] if current is not None and current.cards else []
        for number, trick in enumerate((*tricks, *begun), 1):
            made = " ".join(
                f"{trick.leader.plus(place).title}: {_label(card)}" for place, card in enumerate(trick.cards)
            )
            won = f". Won by {trick.winner(contract.strain.trumps).title}." if number <= len(tricks) else ""
            yield f"Trick {number}. {made}{won}"
        yield from ("", f"Declarer tricks won: {view.tricks_won}")
        yield f"Dedefence tricks won: {len(tricks) - view.tricks_won}"  # spelled as OpenSpiel has it
        whose = "your" if view.turn is view.seat else "dummy's"
        yield from ("", f"It is {whose} {'turn to play' if begun else 'lead'}.")


def _hand(cards: Iterable[Card]) -> Iterator[str]:
    held = list(cards)
    for suit in (3, 2, 1, 0):
        yield f"{_SUITS[suit]} {' '.join(_rank(card) for card in held if card.suit == suit) or 'none'}"
