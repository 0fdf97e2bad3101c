"""People at a simulated table: `PlaySession`, to which scripted calls and cards are typed in any form people use."""

from collections.abc import Sequence
from random import Random

from tests.support.conversation import steps_of
from tests.support.protocol_players import Script
from tourney.bridge import DOUBLE, PASS, Bid, BoardInPlay, Call, Card, Seat
from tourney.client.session import News, PlaySession, SeatAddress
from tourney.client.wording import SUIT_SIGNS


def session_after(*lines: str, name: str = "Alpha") -> PlaySession:
    """The session of a person after lines of a server."""
    session = PlaySession(name, SeatAddress())
    session.open_connection()
    for line in lines:
        session.receive_line(line.encode())
    return session


def news_of(session: PlaySession) -> list[str]:
    """What the person has been told since the last look, besides what happens at the table."""
    return [told for told in session.take_messages() if isinstance(told, News)]


def converse(session: PlaySession, script: str) -> None:
    """Hold a conversation of a person, its client and a server:

    server: X-PING 1 -> X-PONG 1     a line of the server, and what the client sends in return
    types: leave -> X-LEAVE          what the person types, and what the client sends
    news -> ... -> you are deaf      what the person has been told since the last look, besides the play
    told -> North passes             everything that the person has been told since the last look
    prompt -> not connected
    loses its connection
    connects -> ... -> JOIN-M        what the client says first
    """
    for step in steps_of(script):
        what, _, said = step.what.partition(": ")
        match what:
            case "server":
                step.check(session.receive_line(said.encode()))
            case "types":
                step.check(session.receive_typed(said))
            case "news":
                step.check(news_of(session))
            case "told":
                step.check(session.take_messages())
            case "prompt":
                step.check([session.prompt])
            case "connects":
                step.check(session.open_connection())
            case "loses its connection":
                session.lose_connection()
            case _:
                raise AssertionError(f"a conversation has no step {step.what!r}")


class TypingPlayer:
    """Follows scripts by number of the board, and asserts that the session takes what is legal and nothing else."""

    def __init__(self, name: str, seat: Seat, scripts: Sequence[Script], choice: Random) -> None:
        self.session = PlaySession(name, SeatAddress(game="g1", seat=seat))
        self.told: list[str] = []
        self._scripts = {script.board.number: script for script in scripts}
        self._choice = choice

    def start(self) -> list[str]:
        return self.session.open_connection()

    def receive(self, line: str) -> list[str]:
        said = self.session.receive_line(line.encode())
        self.told += self.session.take_messages()
        if line.startswith(("AUCOPEN", "TRICK ")) and self.session.view.is_my_turn:
            said += self._act()
        return said

    def _act(self) -> list[str]:
        view = self.session.view
        assert view.board is not None
        script = self._scripts[view.board.number]
        board = BoardInPlay(script.board)
        for call in view.calls:
            board.add_call(call)
        assert board.contract == view.contract
        if board.in_auction:
            assert set(view.legal_calls()) == set(board.auction.legal_calls())
            return self.session.receive_typed(typed_call(script.calls[len(view.calls)], self._choice))
        assert view.trick is not None
        made = 4 * len(view.winners) + len(view.trick.cards)
        for _, card in script.cards[:made]:
            board.add_card(card)
        assert board.play is not None
        assert (view.turn, view.actor) == (board.turn, board.actor)
        assert view.legal_cards() == board.play.legal_cards()
        assert view.trick == board.play.current
        assert not view.winners or view.last_trick in (None, board.play.tricks[-1])
        card = script.cards[made][1]
        return self.session.receive_typed(typed_card(card, view.legal_cards(), self._choice))


def typed_call(call: Call, choice: Random) -> str:
    """A call as somebody may type it."""
    if isinstance(call, Bid):
        strain = call.strain.letters
        forms = [strain, strain.lower(), *(["n", " nt"] if strain == "NT" else [])]
        return f"{call.level}{choice.choice(forms)}"
    forms = ["p", "PASS"] if call is PASS else ["x", "double", "dbl"] if call is DOUBLE else ["xx", "redouble"]
    return choice.choice(forms)


def typed_card(card: Card, legal: Sequence[Card], choice: Random) -> str:
    """A card as somebody may type it, in its shortest form too where that is enough."""
    suit, rank = card.suit.letter, "10" if card.rank == 10 else card.rank_letter
    forms = [
        f"{suit}{rank}",
        f"{rank}{suit}".lower(),
        f"{SUIT_SIGNS[card.suit]}{rank}",
        f" {suit} {card.rank_letter} ",
    ]
    if sum(each.suit is card.suit for each in legal) == 1:
        forms.append(suit.lower())
    if sum(each.rank == card.rank for each in legal) == 1:
        forms.append(rank.lower())
    return choice.choice(forms)
