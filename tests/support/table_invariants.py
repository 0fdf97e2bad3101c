"""What holds of every session at a table, read off the log of a `TableRig`."""

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from tourney.bridge import DOUBLE, PASS, REDOUBLE, SEATS, Bid, Board, BoardInPlay, Seat
from tourney.protocol.session.effects import Close, Effect
from tourney.protocol.session.records import BoardBegan, BoardEnded, CallMade, CardPlayed, SeatTaken

_SEAT = "(?:North|East|South|West)"
_CALL = re.compile(
    rf"{_SEAT} (?:passes|doubles|redoubles|bids [1-7](?:C|D|H|S|NT))(?P<text> (?:Alert|Infos)\. .*\.)?"
)
_CARD = re.compile(rf"{_SEAT} plays [2-9TJQKA][CDHS]")
_HAND = re.compile(rf"(?P<whose>{_SEAT}|Dummy)'s cards : (?P<hand>.*)")
_SIGNAL = re.compile(rf"(?P<card>{_SEAT} plays \w\w)\. .+\.")
_OTHER = re.compile(
    rf"{_SEAT} (?:\(\".*\"\)|.+) seated|Teams : N/S : \".*\" E/W : \".*\"|Start of board"
    rf"|Board number \d+\. Dealer {_SEAT}\. (?:Neither|N/S|E/W|Both) vulnerable\.|(?:{_SEAT}|Dummy) to lead"
    r"|Timing - N/S : this board  \d+:\d\d,  total  \d+:\d\d:\d\d\."
    r"  E/W : this board  \d+:\d\d,  total  \d+:\d\d:\d\d"
    r"|End of session|Illegal bid|Illegal card|Error: .*"
)


@dataclass
class _Action:
    actor: Seat
    line: str
    alerted: bool
    text: str
    substituted: bool


@dataclass
class _State:
    """What is on record of the board in hand, and how much of it each seat has been told."""

    in_play: BoardInPlay
    actions: list[_Action] = field(default_factory=list)
    told: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))

    def untold(self, seat: Seat) -> int:
        """How many calls and cards of the others this seat has not been told."""
        return sum(action.actor is not seat for action in self.actions[self.told[seat] :])


def check_session(
    log: list[Effect], boards: tuple[Board, ...], *, without_texts: AbstractSet[Seat] = frozenset()
) -> dict[Seat, int]:
    """Assert, for every line sent to a seat, what follows; and count what is yet to be told about the last board.

    - a call or card is on record before it is told, and is told in its order, with none left out (BC-16, BC-31);
    - a player reads its own hand, dummy's once a lead is on record, and no other (BC-14, BC-32);
    - the bidder's partner reads neither alert nor information (BC-17), nor do `without_texts`;
    - nothing else is told but the lines of the protocol: no result, no score, no name of a convention (BC-28, BC-38);
    - nothing follows the closing of its connection.
    """
    by_number = {board.number: board for board in boards}
    seats: dict[int, Seat] = {}
    closed: set[int] = set()
    state: _State | None = None
    for effect in log:
        match effect:
            case SeatTaken(connection=connection, seat=seat):
                seats[connection] = seat
            case BoardBegan(board=number):
                state = _State(BoardInPlay(by_number[number]))
            case CallMade() | CardPlayed():
                assert state is not None
                _note_action(state, effect)
            case BoardEnded():
                assert state is not None, "a board ends that never began"
            case (connection, line, _) if connection in closed:
                raise AssertionError(f"{line!r} follows the closing of its connection")
            case (connection, line, _) if connection in seats:
                seat = seats[connection]
                _check_line(state, seat, line, with_texts=seat not in without_texts)
            case Close():
                closed.add(effect.connection)
            case _:
                pass
    return {seat: state.untold(seat) if state is not None else 0 for seat in SEATS}


def _note_action(state: _State, record: CallMade | CardPlayed) -> None:
    actor = state.in_play.actor
    assert actor is not None
    assert state.in_play.turn is record.seat
    assert record.thinking_ms >= 0
    if isinstance(record, CardPlayed):
        state.in_play.add_card(record.card)
        state.actions.append(
            _Action(
                actor,
                f"{record.seat.title} plays {record.card}",
                alerted=False,
                text="",
                substituted=record.substituted,
            )
        )
        return
    state.in_play.add_call(record.call)
    words = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}
    said = f"bids {record.call}" if isinstance(record.call, Bid) else words[record.call]
    state.actions.append(
        _Action(actor, f"{record.seat.title} {said}", record.alerted, record.alert, record.substituted)
    )


def _check_line(state: _State | None, seat: Seat, line: str, *, with_texts: bool) -> None:
    signal = _SIGNAL.fullmatch(line)
    if signal is not None:
        assert Seat.from_letter(line[0]).side is not seat.side, f"a text of its own side's is told to {seat.title}"
        line = signal["card"]
    if _CALL.fullmatch(line) or _CARD.fullmatch(line):
        assert state is not None
        _check_action(state, seat, line, with_texts=with_texts)
        return
    hand = _HAND.fullmatch(line)
    if hand is None:
        assert _OTHER.fullmatch(line), f"{line!r} is no line of the protocol"
        return
    assert state is not None
    if hand["whose"] == "Dummy":
        assert state.in_play.dummy_is_open, "dummy is told before a lead is on record"
        assert state.in_play.contract is not None
        assert seat is not state.in_play.contract.dummy
        shown = state.in_play.contract.dummy
    else:
        assert hand["whose"] == seat.title, f"{seat.title} is told {line!r}"
        shown = seat
    assert _letters(hand["hand"]) == str(state.in_play.hand(shown))


def _letters(hand: str) -> str:
    """`S A K. H -. D 4. C 3 2.` as `AK..4.32`."""
    suits = re.fullmatch(r"S ([^.]+)\. H ([^.]+)\. D ([^.]+)\. C ([^.]+)\.", hand)
    assert suits is not None, hand
    return ".".join(suit.replace(" ", "").replace("-", "") for suit in suits.groups())


def _check_action(state: _State, seat: Seat, line: str, *, with_texts: bool) -> None:
    last = state.actions[-1] if state.actions else None
    if last is not None and last.substituted and last.actor is seat and line == last.line:
        return  # what the table called or played in this player's name
    at = state.told[seat]
    while at < len(state.actions) and state.actions[at].actor is seat:
        at += 1
    assert at < len(state.actions), f"{seat.title} is told {line!r}, which is not on record"
    action = state.actions[at]
    text = line.removeprefix(action.line)
    assert text != line, f"{seat.title} is told {line!r} in place of {action.line!r}"
    if seat is action.actor.partner or not action.text or not with_texts:
        assert text == "", f"{seat.title} is told {line!r}"
    elif action.alerted:
        assert text.startswith(" Alert. ")
    state.told[seat] = at + 1
