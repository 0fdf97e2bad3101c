"""Players for tests of the wire, which follow a script, and scripts drawn from a seed."""

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from tests.support.table_rig import TableRig
from tourney.bots.strategy import Decision, Strategy
from tourney.bridge import (
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    Board,
    BoardInPlay,
    Call,
    Card,
    PlayerView,
    Seat,
    board_from_seed,
)
from tourney.protocol.session.records import BoardEnd, BoardEnded, CallMade, CardPlayed
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.table import TableSettings

ALERTS = (
    "0 to 7 total points, 6 cards in hearts.",
    "Forcing for one round",
    "C=0-8,D=4-8,H=0-5",
    "what no grammar of 1 or 2 kinds knows (!)",
)


@dataclass(frozen=True)
class Script:
    """What is called and played on one board; `alerts[i]` goes with call `i`."""

    board: Board
    calls: tuple[Call, ...]
    cards: tuple[tuple[Seat, Card], ...] = ()
    alerts: tuple[str, ...] = ()


class ScriptedPlayer:
    """Makes the calls and plays the cards that the scripts, by board number, have for its turns."""

    def __init__(self, scripts: dict[int, Script]) -> None:
        self._scripts = scripts

    def choose_call(self, view: PlayerView) -> Decision:
        script = self._scripts[view.number]
        at = len(view.auction.calls)
        return Decision(script.calls[at], script.alerts[at] if script.alerts else "")

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        seat, card = self._scripts[view.number].cards[len(view.cards)]
        assert seat is hand, f"the script has a card of {seat.title}'s next, {hand.title}'s was asked for"
        return card


def script_from_seed(board: Board, seed: int | str) -> Script:
    """A whole board of legal calls and cards; auctions of all lengths, passed out in about one of ten."""
    random = Random(f"{seed}|{board.number}")
    in_play = BoardInPlay(board)
    alerts: list[str] = []
    while in_play.in_auction:
        in_play.add_call(_choose_call(in_play, random))
        alerts.append(random.choice(ALERTS) if random.random() < 0.3 else "")
    while in_play.play is not None and not in_play.is_over:
        in_play.add_card(random.choice(in_play.play.legal_cards()))
    cards = in_play.play.cards if in_play.play is not None else []
    return Script(board, tuple(in_play.auction.calls), tuple(cards), tuple(alerts))


def _choose_call(in_play: BoardInPlay, random: Random) -> Call:
    legal = in_play.auction.legal_calls()
    rare = [call for call in (DOUBLE, REDOUBLE) if call in legal]
    if rare and random.random() < 0.4:
        return rare[0]
    bids = legal[1 + len(rare) :]
    if not bids or random.random() < 0.55:
        return PASS
    return random.choice(bids[: random.choice((3, 12, 35))])


def words_of(*texts: str) -> tuple[str, ...]:
    """The words of some lines, for lines made of words in wrong places."""
    return tuple(" ".join(texts).split())


seeds = st.integers(0, 2**32 - 1)


@st.composite
def sessions(draw: st.DrawFn) -> list[Script]:
    """Scripts of one or two boards, whose numbers are any."""
    first = draw(st.integers(1, 60))
    seed = draw(seeds)
    boards = [board_from_seed(seed, "tests", first + i) for i in range(draw(st.integers(1, 2)))]
    return [script_from_seed(board, seed) for board in boards]


def rig_for(scripts: list[Script], *, trick_pause_ms: int = 0, patience: int = 20) -> TableRig:
    """A table that is to play the boards of the scripts; nobody has connected.

    `patience` is how many bad lines, and how many irregularities on a board, it bears.
    """
    boards = tuple(script.board for script in scripts)
    rules = TableRules(irregularities_max=patience)
    return TableRig(
        TableSettings("Alpha", "Beta", boards, trick_pause_ms=trick_pause_ms, bad_lines_max=patience, rules=rules)
    )


def players_for(scripts: list[Script]) -> dict[Seat, Strategy]:
    """Four players that follow the scripts."""
    by_number = {script.board.number: script for script in scripts}
    return {seat: ScriptedPlayer(by_number) for seat in SEATS}


def made(scripts: list[Script]) -> list[tuple[object, ...]]:
    """What the scripts put on record: every call, card and result, in order."""
    expected: list[tuple[object, ...]] = []
    for script in scripts:
        board, in_play = script.board, BoardInPlay(script.board)
        for seq, call in enumerate(script.calls):
            alert = script.alerts[seq]
            # The player closes its text with a full stop.
            text = alert if alert.endswith(".") or not alert else alert + "."
            expected.append((board.number, seq, board.dealer.plus(seq), call, bool(alert), text))
            in_play.add_call(call)
        for seq, (seat, card) in enumerate(script.cards):
            expected.append((board.number, seq, seat, card))
            in_play.add_card(card)
        end = BoardEnd.PLAYED if script.cards else BoardEnd.PASSED_OUT
        expected.append((board.number, end, in_play.result))
    return expected


def on_record(rig: TableRig) -> list[tuple[object, ...]]:
    """The same, as the table recorded it."""
    recorded: list[tuple[object, ...]] = []
    for record in rig.records:
        match record:
            case CallMade():
                recorded.append((record.board, record.seq, record.seat, record.call, record.alerted, record.alert))
            case CardPlayed():
                recorded.append((record.board, record.seq, record.seat, record.card))
            case BoardEnded():
                recorded.append((record.board, record.end, record.result))
            case _:
                pass
    return recorded
