"""One person's session: what is sent for what is received and typed. It has no socket, no terminal and no clock."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final, NamedTuple

from tourney.bridge import Seat
from tourney.client.game_view import GameView
from tourney.client.typed import (
    Command,
    TypedCall,
    TypedCommand,
    describe_calls,
    describe_held,
    is_move,
    parse_join,
    parse_number,
    parse_tournament,
    parse_typed,
)
from tourney.client.wording import (
    call_word,
    clean,
    describe_cards,
    describe_game,
    for_people,
    game_place,
    narrate,
    score_in_words,
    whose_hand,
)
from tourney.errors import FormatError, RuleError
from tourney.protocol.lines import Overlong
from tourney.protocol.stateful.messages import (
    AcceptMessage,
    AlertMessage,
    AskedMessage,
    AskMessage,
    AucopenMessage,
    BidMessage,
    ChatMessage,
    ClaimedMessage,
    ClaimMessage,
    ClockMessage,
    DirectorMessage,
    EndMessage,
    Extension,
    ExtensionsMessage,
    GameMessage,
    GamesMessage,
    HelloMessage,
    JoinedMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    LeaveMessage,
    LeftMessage,
    NakMessage,
    NoteMessage,
    PingMessage,
    PlayMessage,
    PongMessage,
    ReadyMessage,
    RejectMessage,
    SaidMessage,
    StartMessage,
    StatefulMessage,
    StoppedMessage,
    TellMessage,
    TournamentsMessage,
    TrickMessage,
    UndoMessage,
    UndoneMessage,
    format_message,
    parse_server_message,
)

_NOT_SHOWN: Final = {Extension.TURN, Extension.TIME, Extension.READY, Extension.CLOCK, Extension.MAY}
WANTED: Final = frozenset(Extension) - _NOT_SHOWN
"""The extensions that the client asks for: what it shows. The result of a board stays in sight during the next."""

HELP: Final = (
    "a bid: 1n, 3s, p (pass), x (double), xx (redouble); with an alert: 2c! asks for majors",
    "a card: sa, as, 10h, th; a suit or a rank alone where only one card fits: s, 9",
    "claim; undo: take your last act back; accept, reject: answer an opponent",
    "ask 3: what call 3 means; tell TEXT: explain yours; say TEXT: to all; mute",
    "director TEXT: call the director; the text is recorded, and may be left out",
    "state: what you hold, and dummy, and the whole state from the server; quit: leave, the seat is kept for a while",
    "in a lobby: new [KIND], join GAME [SEAT]: another game; leave: give up the seat",
    "tournament: make one; tournament ID [PARTNER]: join one; start: begin the one that you have made",
)


class SeatRequest(Enum):
    """What has become of the request for a seat that a connection begins with."""

    NOT_MADE = "the person has named no seat, and the server has not told its games yet"
    NAMED = "for what the person has named"
    REJOINING = "for the seat that was lost with the connection before"
    ANY = "for any game, where the server may have a tournament only"
    ANSWERED = "answered"


class SeatAddress(NamedTuple):
    """Where a person wants to play; all None for whatever the server has."""

    tournament: str | None = None
    game: str | None = None
    seat: Seat | None = None
    is_chosen_later: bool = False
    """Whether the person chooses among what the server has once its name is known."""
    room: str | None = None
    """At an event the room, in which `seat` may be chosen too; None for any."""

    @property
    def is_at_event(self) -> bool:
        """Whether the person has chosen a seat that its team has in every round."""
        return self.game is None and (self.room is not None or self.seat is not None)


class News(str):
    """A sentence on what a picture of the table does not show."""

    __slots__ = ()


@dataclass(eq=False)
class PlaySession:
    """A person at a table, through any number of connections."""

    name: str
    place: SeatAddress
    extensions: frozenset[Extension] = WANTED
    is_typed: bool = field(default=True, kw_only=True)
    """Whether the person types; otherwise sentences name no commands."""
    view: GameView = field(default_factory=GameView)
    is_connected: bool = False
    is_over: bool = False
    """Whether the server has said farewell, or the person has."""
    refused: str = ""
    """What the server said to refuse the name or a seat; empty once there is a seat."""
    refusal: str = ""
    """Why what the person has asked for last was refused; empty if it was not."""
    has_left: bool = False
    """Whether the person has said farewell."""
    is_awaited: bool = False
    """Whether the next board waits until the person has seen enough of the last."""
    clock: ClockMessage | None = None
    """How long the player in turn may think, as the server has said; None if it has said nothing of this turn."""
    is_stopped: bool = False
    """Whether the server has said that it stops, and that play goes on where it is once it is there again."""
    _left: GameView | None = None
    """The seat that was lost with the connection before, and is not to be had again."""
    tournaments: tuple[str, ...] = ()
    """Those that the person may join."""
    _games: tuple[str, ...] = ()
    is_muted: bool = False
    """Whether the person wants to hear nothing of what the others say."""
    asked_call: int | None = None
    """The number of the call of its own that the person has been asked about; None if it is none."""
    _described: dict[str, GameMessage] = field(default_factory=dict)
    """What is known of games, by their ids."""
    _request: SeatRequest = SeatRequest.NOT_MADE
    _is_in_tournament: bool = False
    """Whether the seat was asked for in a tournament, which leads its players from table to table."""
    _leaves_for: str | None = None
    """The tournament for which the person was asked whether to leave a game, as it was typed."""
    is_known: bool = False
    """Whether the server has answered to the name on this connection."""
    _waits_for: str = ""
    """Why there is no connection, as the person was last told; empty if there is one."""
    _unread: list[str] = field(default_factory=list)

    def take_messages(self) -> list[str]:
        """Return, once, the sentences on what has happened."""
        unread, self._unread = self._unread, []
        return unread

    def notice(self, text: str) -> None:
        """Tell the person something."""
        self._unread.append(News(clean(text)))

    def refuse(self, why: str) -> None:
        """Tell the person why what it has asked for last is not done."""
        self.refusal = clean(why)
        self.notice(why)

    # What the server has for a person without a seat

    @property
    def games(self) -> tuple[tuple[str, str], ...]:
        """The games with a free seat: each with what is played and who sits there, `g1 (rubber: Ann)`."""
        return tuple((game, clean(self._describe_game(game))) for game in self._games)

    # The connection

    def open_connection(self) -> list[str]:
        """Begin a connection: return the lines that say who the player is, and ask for the seat it had (SS-30)."""
        self.is_connected, self.is_known, self.refused = True, False, ""
        self._request = SeatRequest.NAMED
        messages: list[StatefulMessage] = [ExtensionsMessage(self.extensions), HelloMessage(self.name)]
        place, seat = self.place, self.view.seat
        if place.is_at_event:
            if seat is not None:
                self._left, self.view = self.view, GameView()
            self._is_in_tournament = True
            messages.append(JoinTournamentMessage(place.tournament, None, place.room, place.seat))
        elif seat is not None:
            self._request = SeatRequest.REJOINING
            messages.append(JoinGameMessage(self.view.game, seat))
        elif place.game is not None:
            messages.append(JoinGameMessage(place.game, place.seat))
        elif place.tournament is not None:
            self._is_in_tournament = True
            messages.append(JoinTournamentMessage(place.tournament))
        else:
            self._request = SeatRequest.ANSWERED if place.is_chosen_later else SeatRequest.NOT_MADE
        return _lines(messages)

    def lose_connection(self) -> None:
        """Note that the connection is gone."""
        self.is_connected = False

    def wait_for_server(self, why: str, left_s: float | None) -> None:
        """Say, once for each reason, that the server is being waited for; for ever if `left_s` is None."""
        if self.is_stopped:
            why = "play has stopped"
        if why != self._waits_for:
            self._waits_for = why
            how_long = (
                f"trying again for {left_s:.0f} s" if left_s is not None else "waiting until it goes on, or quit"
            )
            self.notice(f"{why}: {how_long}")

    # What the server says

    def receive_line(self, line: bytes | Overlong) -> list[str]:
        """Handle a line of the server; return the lines to send."""
        if isinstance(line, Overlong):
            self.notice(f"the server sent a line of more than {line.limit} bytes, which is left out")
            return []
        try:
            message = parse_server_message(line)
            return _lines(self._receive(message) if message is not None else [])
        except (FormatError, RuleError) as error:
            self.notice(f"the server sent a line that cannot be read: {error}")
            return []

    def _receive(self, message: StatefulMessage) -> list[StatefulMessage]:  # noqa: PLR0912 # one case a message
        self.is_stopped = isinstance(message, StoppedMessage)
        match message:
            case PingMessage():
                return [PongMessage(message.token)]
            case EndMessage():
                self.is_over = True
                self.notice(message.text)
            case StoppedMessage():
                self.notice(message.text)
            case NoteMessage():
                self.notice(for_people(message.text))
            case NakMessage():
                return self._receive_nak(message)
            case TournamentsMessage():
                self.is_known, self.tournaments = True, message.tournaments
            case LeftMessage():
                self._receive_left(message)
            case SaidMessage():
                if not self.is_muted or message.position is self.view.seat:
                    self.notice(f"{self._does(message.position, 'say')}: {message.text}")
            case AskedMessage():
                self.asked_call = message.number
                asked = f"an opponent asks what your call {self._call_text(message.number)} means"
                self.notice(f"{asked}{self._hint('tell TEXT')}")
            case TellMessage():
                self.notice(f"call {self._call_text(message.number)} means: {message.text}")
            case ClaimMessage() | ClaimedMessage() | UndoMessage() | UndoneMessage():
                self._receive_offer(message)
            case GameMessage():
                self._described[message.game] = message
            case GamesMessage():
                self._games = message.games
                return self._ask_for_any_seat()
            case _:
                self._change(message)
        return []

    def _receive_left(self, message: LeftMessage) -> None:
        self._change(message)
        if message.name is not None:
            self.notice(f"{message.name} has left, {message.position.title} in game {message.game}")
            return
        score = f", {score_in_words(self.view.score)}" if self.view.score is not None else ""
        self.notice(f"game {message.game} is over for you{score}{self._hint('new, join GAME or quit')}")

    def _receive_offer(self, message: ClaimMessage | ClaimedMessage | UndoMessage | UndoneMessage) -> None:
        """Say what somebody claims or wants to take back, or what has come of it."""
        before = self.view
        self._change(message)
        asked = self._hint("accept or reject") if self.view.asked is not None else ""
        match message:
            case ClaimMessage(position=Seat() as seat) if message != before.claim:
                held = describe_cards(message.cards or (), names_voids=False)
                self.notice(f"{self._does(seat, 'claim')} the rest of the tricks with {held}{asked}")
            case UndoMessage(position=Seat() as seat) if message != before.undo:
                self.notice(f"{self._does(seat, 'ask')} to take the last call or card back{asked}")
            case ClaimedMessage():
                self.notice("the claim is accepted" if message.is_accepted else "the claim is rejected: play goes on")
            case UndoneMessage():
                self.notice("it is taken back" if message.is_accepted else "nothing is taken back: play goes on")
            case _:
                pass  # it is told again with the state

    def _hint(self, commands: str) -> str:
        """Return the end of a sentence that names what may be typed."""
        return f": {commands}" if self.is_typed else ""

    def _call_text(self, number: int) -> str:
        """`3, 2C`: a call by its number, and what it was."""
        calls = self.view.calls
        return f"{number}, {call_word(calls[number - 1])}" if 1 <= number <= len(calls) else f"{number}"

    def _does(self, seat: Seat, verb: str) -> str:
        """`you claim`, `East claims`."""
        return f"you {verb}" if seat is self.view.seat else f"{seat.title} {verb}s"

    @property
    def is_turned_away(self) -> bool:
        """Whether the server has refused the name, so that nothing more is to be had on this connection."""
        return self.is_connected and not self.is_known and bool(self.refused)

    def _receive_nak(self, message: NakMessage) -> list[StatefulMessage]:
        if self.is_turned_away:
            return []  # about what was sent with the name
        request = self._request
        if request is SeatRequest.ANY and len(self.tournaments) == 1:
            self._request, self._is_in_tournament = SeatRequest.NAMED, True
            return [JoinTournamentMessage(self.tournaments[0])]
        why = for_people(message.description)
        self.notice(f"refused: {why}")
        self.refusal = clean(why)
        is_rejoining = request is SeatRequest.REJOINING
        if self.view.seat is None or is_rejoining or not self.is_known:
            self.refused = clean(why)
        if is_rejoining and not self.is_known:
            return []
        self._request = SeatRequest.ANSWERED
        if not is_rejoining:
            self._offer_games()
            return []
        if self._is_in_tournament:
            # The lost seat may be of a round that is over; the server knows where to play, in the same room.
            self._left, self.view = self.view, GameView()
            place = game_place(self._left.game)
            return [JoinTournamentMessage(self.place.tournament, None, place[1] if place is not None else None)]
        self.view = GameView()
        return []

    def _ask_for_any_seat(self) -> list[StatefulMessage]:
        """Ask for a seat if the person has named none: the player's own game or a new one, else in the tournament."""
        if self._request is not SeatRequest.NOT_MADE:
            self._offer_games()
            return []
        self._request = SeatRequest.ANY
        return [JoinGameMessage()]

    def _offer_games(self) -> None:
        """Name the games with a free seat to a person without one; what it has asked for may be one of them."""
        if self.is_typed and self.view.seat is None and self._games and self._request is SeatRequest.ANSWERED:
            games = " ".join(map(self._describe_game, self._games))
            self.notice(f"games with a free seat: {games} (join {self._games[0]})")

    def _describe_game(self, game: str) -> str:
        """Return a game with what is played and who sits there, as far as the server has told: `g1 (rubber: Ann)`."""
        known = self._described.get(game)
        if known is None:
            return game
        players = [name for name in (known.north, known.east, known.south, known.west) if name is not None]
        return f"{game} ({known.kind}: {', '.join(players)})" if players else f"{game} ({known.kind})"

    def _change(self, message: StatefulMessage) -> None:
        before, self.view = self.view, self.view.after(message)
        self._note_time(message)
        if isinstance(message, JoinedMessage) and message.name is None:
            self.refused, self._request = "", SeatRequest.ANSWERED
            left, self._left = self._left, None
            if self._waits_for:
                self._waits_for = ""
                self.notice("connected again" if before.seat is not None or left is not None else "connected")
            if left is not None and left.seat is not None:
                self._compare_seats(left, left.seat, message)
        self._unread += narrate(before, self.view)
        if isinstance(message, AucopenMessage | TrickMessage) and self.view.is_my_turn:
            self._unread.append(self.prompt)

    def _compare_seats(self, left: GameView, seat: Seat, joined: JoinedMessage) -> None:
        """Say so where the player sits elsewhere in the match in which it has lost its connection."""
        before, now = game_place(left.game), game_place(joined.game)
        is_same_match = before is not None and now is not None and before[0] == now[0]
        if is_same_match and (left.game, seat) != (joined.game, joined.position):
            was, is_ = describe_game(left.game), describe_game(joined.game)
            self.refuse(f"your seat, {seat.title} in {was}, is taken: you are {joined.position.title} in {is_}")

    def _note_time(self, message: StatefulMessage) -> None:
        """Note whether the table waits for the player, and how long it will wait for whose turn it is."""
        if isinstance(message, ReadyMessage):
            self.is_awaited = True
        self.is_awaited = self.is_awaited and self.view.is_over
        if isinstance(message, ClockMessage):
            self.clock = message  # the turn that it is about is told next
        elif self.clock is not None and self.view.actor is not self.clock.position:
            self.clock = None

    # What the person types

    def must_wait(self, text: str) -> bool:
        """Return whether a line from a pipe has to wait for the player's turn."""
        return is_move(text) and not (self.is_connected and self.view.is_my_turn)

    def receive_typed(self, text: str) -> list[str]:
        """Handle a line that the person has typed; return the lines to send."""
        if not text.strip():
            return []
        self.refusal = ""
        if self._leaves_for is not None and not text.split(maxsplit=1)[0].lower().startswith("tournament"):
            self._leaves_for = None
        try:
            typed = parse_typed(text, self.view)
            if isinstance(typed, TypedCommand):
                return _lines(self._obey(typed))
        except RuleError as error:
            self.refuse(str(error))
            return []
        if not self.is_connected:
            self.refuse("the connection is lost: wait until it is back")
            return []
        messages: list[StatefulMessage] = []
        if isinstance(typed, TypedCall):
            if typed.alert and self.view.seat is not None:
                messages.append(AlertMessage(self.view.seat, typed.alert))
                self.view = self.view.with_own_alert(typed.alert)
            messages.append(BidMessage(typed.call))
        else:
            messages.append(PlayMessage(typed))
        self.view = replace(self.view, turn=None)  # until the server says whose turn it is
        return _lines(messages)

    def _obey(self, typed: TypedCommand) -> list[StatefulMessage]:  # noqa: PLR0912 # one case a command
        """Do what a command asks for; return what it says to the server."""
        match typed.command:
            case Command.HELP:
                for line in HELP:
                    self.notice(line)
            case Command.MUTE:
                self.is_muted = not self.is_muted
                self.notice("you hear nothing of what the others say" if self.is_muted else "you hear the others")
            case Command.QUIT:
                self.is_over = self.has_left = True
            case _ if not self.is_connected:
                self.refuse("the connection is lost: wait until it is back")
            case Command.STATE:
                return self._ask_for_state()
            case Command.TOURNAMENT:
                return self._join_tournament(typed)
            case Command.START:
                return [StartMessage()]
            case Command.JOIN:
                self._is_in_tournament = False
                return [JoinGameMessage(*parse_join(typed.rest))]
            case Command.NEW:
                self._is_in_tournament = False
                kind, seat = parse_join(typed.rest) if typed.rest else (None, None)
                return [JoinGameMessage(kind, seat)]
            case Command.LEAVE:
                return [LeaveMessage()]
            case Command.READY:
                return self._send_ready()
            case Command.CLAIM | Command.UNDO:
                return [ClaimMessage() if typed.command is Command.CLAIM else UndoMessage()]
            case Command.ASK:
                return [AskMessage(parse_number(typed.rest))]
            case Command.TELL | Command.SAY | Command.DIRECTOR:
                return self._send_text(typed)
            case Command.ACCEPT | Command.REJECT:
                return self._answer_offer(accepts=typed.command is Command.ACCEPT)
        return []

    def _send_ready(self) -> list[StatefulMessage]:
        if not self.is_awaited:
            self.refuse("nobody waits for you")
            return []
        self.is_awaited = False
        return [ReadyMessage()]

    def _send_text(self, typed: TypedCommand) -> list[StatefulMessage]:
        text, number = clean(typed.rest), self.asked_call
        if typed.command is Command.DIRECTOR:
            return [DirectorMessage(text)]
        if not text:
            self.refuse(f"type {typed.command.value} and a text")
        elif typed.command is Command.SAY:
            return [ChatMessage(text)]
        elif number is None:
            self.refuse("nobody has asked you what a call means")
        else:
            self.asked_call = None
            return [TellMessage(number, text)]
        return []

    def _answer_offer(self, *, accepts: bool) -> list[StatefulMessage]:
        offer = self.view.asked
        if offer is None or offer.number is None:
            self.refuse("nobody has asked you for anything that you could accept or reject")
            return []
        return [AcceptMessage(offer.number) if accepts else RejectMessage(offer.number)]

    def _join_tournament(self, typed: TypedCommand) -> list[StatefulMessage]:
        """Ask for a place in a tournament; a person that sits in a game is asked first, which would be left."""
        message = JoinTournamentMessage(*parse_tournament(typed.rest))
        if self.view.seat is not None and not self._is_in_tournament and self._leaves_for != typed.rest:
            self._leaves_for = typed.rest
            again = f"tournament {typed.rest}".strip()
            self.notice(
                f"you would give up your seat in game {self.view.game}: type {again} once more if you want to"
            )
            return []
        self._is_in_tournament, self._leaves_for = True, None
        if self.place.is_at_event:
            self.place = SeatAddress(tournament=message.tournament)
        return [message]

    def _ask_for_state(self) -> list[StatefulMessage]:
        if self.view.seat is None:
            self.notice(self.prompt)
            return []
        for seat, holds in ({self.view.dummy: "dummy holds"} | {self.view.seat: "you hold"}).items():
            if seat is not None and (hand := self.view.held(seat)):
                self._unread.append(f"{holds} {describe_cards(hand)}")
        return [JoinGameMessage(self.view.game, self.view.seat)]

    # What is asked of the person

    @property
    def prompt(self) -> str:
        """Whose turn it is; if it is the player's, what may be done."""
        view = self.view
        if not self.is_connected:
            return "not connected"
        if view.seat is None:
            return "waiting for a seat: join GAME [SEAT], new, or quit" if self.is_known else "waiting for the server"
        if view.is_over:
            return "the board is over"
        if view.known is None:
            return "waiting for the others"
        if view.claim is not None and view.claim.position is not None:
            if view.asked is not None:
                return f"accept or reject {view.claim.position.title}'s claim"
            return "waiting for the answer to the claim"
        if not view.is_my_turn:
            return self._wait_text()
        assert view.turn is not None
        whose = whose_hand(view, view.turn)
        if not self.is_typed:
            return f"{whose} {'call' if view.in_auction else 'card'}"
        if view.in_auction:
            return f"your {'contract' if view.is_minibridge else 'bid'}: {describe_calls(view)}"
        cards = view.legal_cards()
        if view.trick is not None and view.trick.cards and cards and cards[0].suit is view.trick.suit_led:
            return f"{whose} card, {describe_held(cards)}"
        return f"{whose} card: {describe_cards(cards, names_voids=False)}"

    def _wait_text(self) -> str:
        view = self.view
        if view.actor is None:
            return "waiting for the table"
        if view.is_dummy and view.turn is view.seat:
            return f"you are dummy: {view.actor.title} plays your cards"
        return f"waiting for {view.actor.title} to {'call' if view.in_auction else 'play'}"


def _lines(messages: Iterable[StatefulMessage]) -> list[str]:
    return [format_message(message) for message in messages]
