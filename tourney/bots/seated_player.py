"""An author's `Player` in its seat: it is asked as the reference players are."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import getattr_static
from typing import Any

from tourney.bots.strategy import NATURAL, Decision
from tourney.bridge import Call, Card, PlayerView, Seat, Side
from tourney.errors import PlayerError
from tourney.player.answers import read_call, read_card
from tourney.player.loading import check_signatures, failed, guarded
from tourney.player.player import Player, SeatAnswer
from tourney.player.view import View
from tourney.protocol.seat_handover import UNKNOWN_TERMS, TableTerms


def load_model(player_class: type[Player]) -> Any:
    """Load what a class needs, once in a process.

    Raises:
        PlayerError: it raised, or one of its methods cannot be called as it will be.
    """
    check_signatures(player_class)
    return guarded(f"{player_class.__name__}.load()", player_class.load)


def make_player(player_class: type[Player]) -> Player:
    """Load what a class needs and make a player of it, in a process of its own.

    Raises:
        PlayerError: it raised.
    """
    return make_player_of(player_class, load_model(player_class))


def make_player_of(player_class: type[Player], model: Any) -> Player:
    """Make a player with what its class has loaded.

    Raises:
        PlayerError: it raised.
    """
    return guarded(f"{player_class.__name__}()", lambda: player_class(model))


def answers_together(player_class: type[Player]) -> bool:
    """Return whether a class answers for many seats at once, and does not have each asked by itself."""
    return getattr_static(player_class, "act") is not vars(Player)["act"]


def ask_players(players: Sequence[Player], views: Sequence[View]) -> Sequence[SeatAnswer]:
    """Have the class of some players answer for all of them; an exception stands for a player that has failed."""
    player_class = type(players[0])
    what = f"{player_class.__name__}.act()"
    try:
        answers = guarded(what, lambda: list(player_class.act(players[0].model, players, views)))
    except PlayerError as error:
        return [error] * len(players)
    if len(answers) != len(players):
        return [PlayerError(f"{what} returns an answer for each view, got {len(answers)} for {len(players)}")] * len(
            players
        )
    return answers


class ThinkingTime:
    """Counts the time that a player thinks, against the limits of its table.

    It knows its own time alone, but for what the table says after a board: that of its partner counts for the side
    too, so less may be left.
    """

    def __init__(self, terms: TableTerms, now_s: Callable[[], float] = time.monotonic) -> None:
        self._terms = terms
        self._now_s = now_s
        self._board = 0
        self._board_s = 0.0
        """The time used on the board in play."""
        self._match_s = 0.0
        """The time used on all boards."""
        self._since_s = 0.0
        """When the question in hand came."""

    def begin(self, board: int) -> None:
        """Note a question, on a board by its number."""
        if board != self._board:
            self._board, self._board_s = board, 0.0
        self._since_s = self._now_s()

    def end(self) -> None:
        """Note the answer."""
        used_s = self._now_s() - self._since_s
        self._board_s += used_s
        self._match_s += used_s

    def set_match_left(self, left_ms: int | None) -> None:
        """Count down from what the table says that the limit of the match leaves to the side."""
        self._terms = replace(self._terms, match_ms=left_ms)
        self._match_s = 0.0

    def left_ms(self) -> int | None:
        """Return how long the player may still think, by the limit that comes first; None without limits."""
        terms = self._terms
        limits_ms = terms.call_ms, terms.board_ms, terms.match_ms
        if limits_ms == (None, None, None):
            return None
        used_s, before_s = self._now_s() - self._since_s, (0.0, self._board_s, self._match_s)
        pairs = zip(limits_ms, before_s, strict=True)
        return max(0, int(min(limit - 1000 * (before + used_s) for limit, before in pairs if limit is not None)))


class SeatedPlayer:
    """A strategy that asks a `Player`, and tells it when boards begin and end.

    Its methods raise `PlayerError` when the player raises, or answers with what is no call or card. A call or card
    that is not legal is passed on: the table rules on it.
    """

    def __init__(self, player: Player, terms: TableTerms = UNKNOWN_TERMS) -> None:
        self.player = player
        self._name = type(player).__name__
        self._claims = type(player).claim is not Player.claim
        self._explains = type(player).explain is not Player.explain
        self._hears_end = type(player).board_ends is not Player.board_ends
        self._claimed_tricks = -1
        """How many tricks had been played when it last claimed: it may claim again after the next one."""
        self._scoring = terms.scoring
        self._time = ThinkingTime(terms)
        self._known: PlayerView | None = None
        """What the player knows of the board in play; at a table that tells it each call and card, it grows."""
        self._calls = 0
        """How many calls there were at the last question: a board with fewer is one that is begun again."""
        self._meanings: dict[int, str] = {}
        """What it has said about its calls of the board in play, by their numbers from 1."""

    def choose_call(self, view: PlayerView) -> Decision:
        """Ask for a call."""
        asked = self.begin_question(view, view.seat)
        (answer,) = ask_players([self.player], [asked])
        return self.read_call(asked, answer)

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Ask for a card."""
        asked = self.begin_question(view, hand)
        (answer,) = ask_players([self.player], [asked])
        return self.read_card(answer)

    def choose_claim(self, view: PlayerView, hand: Seat) -> bool:
        """Ask whether to claim, once in a trick."""
        if not self._claims or self._claimed_tricks == len(view.tricks):
            return False
        asked = self.begin_question(view, hand)
        claims = guarded(f"{self._name}.claim()", lambda: self.player.claim(asked))
        if not isinstance(claims, bool):
            raise PlayerError(f"{self._name}.claim() returns True or False, got {claims!r:.100}")
        if claims:
            self._time.end()
            self._claimed_tricks = len(view.tricks)
        return claims

    def judge_claim(self, view: PlayerView, claimant: Seat, cards: Sequence[Card]) -> bool:
        """Ask whether to accept an opponent's claim."""
        asked = View(view, view.seat, self._scoring)
        accepts = guarded(
            f"{self._name}.accept_claim()", lambda: self.player.accept_claim(asked, claimant, tuple(cards))
        )
        if not isinstance(accepts, bool):
            raise PlayerError(f"{self._name}.accept_claim() returns True or False, got {accepts!r:.100}")
        return accepts

    def explain_call(self, view: PlayerView, number: int) -> str:
        """Tell what a call means: what the player said when it made the call, else what it says now."""
        known = self._known
        if known is not None and (known.number, known.hand) == (view.number, view.hand) and number in self._meanings:
            return self._meanings[number] or NATURAL
        before, call = view.before_call(number), view.auction.calls[number - 1]
        asked = View(before, before.seat, self._scoring)
        return self._explain(asked, call) or NATURAL

    def note_time_left(self, side: Side, left_ms: int | None) -> None:
        """Note what the limit of the match leaves to a side, which counts the time of the partner too."""
        if self._known is not None and side is self._known.seat.side:
            self._time.set_match_left(left_ms)

    # A question in two steps, for those who ask many players at once

    def begin_question(self, known: PlayerView, turn: Seat) -> View:
        """Return what the player is asked, who is told first of a board that begins. `turn` is the hand that acts."""
        self._time.begin(known.number)
        view = View(known, turn, self._scoring, self._time.left_ms())
        before, calls = self._known, len(known.auction.calls)
        same = before is not None and before.number == known.number and before.hand == known.hand
        if not same:
            self.end_board()
        if not same or calls < self._calls:
            self._claimed_tricks = -1
            self._meanings.clear()
            guarded(f"{self._name}.board_begins()", lambda: self.player.board_begins(view))
        self._known, self._calls = known, calls
        return view

    def note_turn(self, view: View) -> None:
        """Bring a question up to date that has waited for others: less time is left."""
        view.time_left_ms = self._time.left_ms()

    def read_call(self, asked: View, answer: object) -> Decision:
        """Read what the player has answered as a call, and ask what it means if that does not say."""
        self._check_answer(answer, "call")
        call, explanation = read_call(answer)
        if not explanation and self._explains:
            explanation = self._explain(asked, call)
        self._time.end()
        self._meanings[self._calls + 1] = explanation
        return Decision(call, explanation)

    def _explain(self, asked: View, call: Call) -> str:
        meaning = guarded(f"{self._name}.explain()", lambda: self.player.explain(asked, call))
        return read_call((call, meaning))[1]

    def read_card(self, answer: object) -> Card:
        """Read what the player has answered as a card."""
        self._check_answer(answer, "play")
        self._time.end()
        return read_card(answer)

    def _check_answer(self, answer: object, method: str) -> None:
        """Raise what stands in place of an answer."""
        if isinstance(answer, PlayerError):
            raise answer
        if isinstance(answer, BaseException):
            raise failed(f"{self._name}.{method}()", answer)

    def end_board(self) -> None:
        """Tell the player that its board is over; nothing happens between boards."""
        known, self._known = self._known, None
        if known is not None and self._hears_end:
            view = View(known, known.seat, self._scoring)
            guarded(f"{self._name}.board_ends()", lambda: self.player.board_ends(view))
