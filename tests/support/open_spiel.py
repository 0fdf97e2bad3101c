"""OpenSpiel's interface to a bridge program: a scripted server."""

import re
from collections.abc import Generator, Sequence
from typing import Final

from tests.support.servers import ACTIONS, CALLS, VULNERABLE, ForeignServer, ServerStoppedError, Serving
from tourney.bots.strategy import Strategy
from tourney.bridge import Action, Board, BoardInPlay, Hand, PlayerView, Seat, Suit, parse_call, parse_card

_READY_FOR_OTHER: Final = r"{seat} ready for (([^']*)'s (bid|card to trick \d+)|dummy)"
_ACTION: Final = (
    r"(NORTH|SOUTH|EAST|WEST) "
    r"((?P<call>PASSES|DOUBLES|REDOUBLES)|bids (?P<bid>[^ ]*)|plays (?P<card>[23456789tjqka][cdhs]))( Alert.)?"
)


class OpenSpiel(ForeignServer):
    """OpenSpiel's interface to a program: one player takes any seat; the other three are OpenSpiel's own.

    Written for WBridge5 and exact about it: seats and `PASSES` in capitals, cards in small letters. Says seats in
    capitals and the suits of a hand upwards, no blank before the colon; names declarer when dummy leads; repeats
    the name under which a card was asked for, but for "Dummy"; times in brackets. Closes without a word.
    """

    def __init__(self, boards: Sequence[Board], seat: Seat, strategy: Strategy) -> None:
        self._seat = seat
        self._strategy = strategy
        super().__init__(boards)

    def _session(self) -> Serving:
        seat = self._seat
        found = re.match(r'Connecting "(.*)" as ANYPL using protocol version 18', (yield seat))
        if found is None:
            raise ServerStoppedError("the log-on is not one of WBridge5's")
        self._send(seat, f'{seat.name} ("{found[1]}") seated')
        yield from self._expect_exactly("ready for teams")
        self._send(seat, 'Teams: N/S "north-south" E/W "east-west"')
        yield from self._expect_exactly("ready to start")
        for board in self._boards:
            yield from self._conduct(board)

    def _conduct(self, board: Board) -> Serving:
        seat = self._seat
        in_play = BoardInPlay(board)
        self._send(seat, "start of board")
        yield from self._expect_exactly("ready for deal")
        vulnerable = VULNERABLE[board.vulnerability]
        self._send(seat, f"Board number {board.number}. Dealer {board.dealer.name}. {vulnerable} vulnerable.")
        yield from self._expect_exactly("ready for cards")
        self._send(seat, self._cards(seat.name, in_play.hand(seat)))
        while in_play.in_auction:
            yield from self._conduct_call(in_play)
        while in_play.turn is not None:
            yield from self._conduct_card(in_play)
        self.played.append(in_play)
        self._send(
            seat,
            "Timing - N/S : this board  [1:15],  total  [0:11:23].  E/W : this board  [1:18],  total  [0:10:23]",
        )

    def _conduct_call(self, in_play: BoardInPlay) -> Serving:
        turn = in_play.auction.turn
        if turn is self._seat:
            said = yield from self._read_action()
            in_play.add_call(CALLS[said["call"].lower()] if said["call"] else parse_call(said["bid"]))
            return
        asked = yield from self._read_request()
        call = self._strategy.choose_call(self._view(in_play, turn)).call
        in_play.add_call(call)
        self._send(self._seat, f"{asked} {ACTIONS[call].upper() if isinstance(call, Action) else f'bids {call}'}")

    def _conduct_card(self, in_play: BoardInPlay) -> Serving:
        play, contract, hand, actor = in_play.play, in_play.contract, in_play.turn, in_play.actor
        assert play is not None
        assert contract is not None
        assert hand is not None
        if actor is self._seat:
            if not play.current.cards:
                self._send(self._seat, f"{self._seat.name} to lead")
            said = yield from self._read_action()
            in_play.add_card(parse_card(said["card"].upper()))
        else:
            asked = yield from self._read_request()
            card = play.legal_cards()[0]
            in_play.add_card(card)
            name = contract.dummy.name if asked == "Dummy" else asked
            self._send(self._seat, f"{name} plays {str(card).lower()}")
        if len(play.cards) == 1 and self._seat is not contract.dummy:
            yield from self._read_request()
            self._send(self._seat, self._cards("Dummy", in_play.hand(contract.dummy)))

    @staticmethod
    def _view(in_play: BoardInPlay, seat: Seat) -> PlayerView:
        board = in_play.board
        view = PlayerView(seat, board.number, board.dealer, board.vulnerability, in_play.hand(seat))
        for call in in_play.auction.calls:
            view.add_call(call)
        return view

    def _cards(self, whose: str, hand: Hand) -> str:
        suits = " ".join(f"{suit.letter} {' '.join(hand.suit_letters(suit)) or '-'}." for suit in Suit)
        return f"{whose}'s cards: {suits}"

    def _expect_exactly(self, what: str) -> Serving:
        line = yield self._seat
        if line != f"{self._seat.name} {what}":
            raise ServerStoppedError(f"Received {line!r} but expected '{self._seat.name} {what}'")

    def _read_request(self) -> Generator[Seat, str, str]:
        """Return whose call or card is asked for, in the player's words."""
        line = yield self._seat
        found = re.match(_READY_FOR_OTHER.format(seat=self._seat.name), line)
        if found is None:
            raise ServerStoppedError(f"Received {line!r} which is no request")
        return found[2] or ""

    def _read_action(self) -> Generator[Seat, str, dict[str, str]]:
        line = yield self._seat
        found = re.match(_ACTION, line)
        if found is None:
            raise ServerStoppedError(f"Received {line!r} which is no call and no card")
        return found.groupdict()
