"""Trajectories of OpenSpiel's `bridge`: a board a line, as the numbers of its actions.

52 cards dealt in turn, from North on, then the calls and the cards played. North deals, and nobody is vulnerable.
"""

from collections.abc import Iterable
from typing import Final

from tourney.bridge import CALLS, Board, BoardInPlay, Call, Card, Deal, Hand, Seat, Vulnerability
from tourney.errors import FormatError
from tourney.player.numbering import CALL_NUMBERS, CARDS, card_number

_FIRST_CALL: Final = len(CARDS)


def parse_trajectory(line: str, number: int) -> Board:
    """Return the board of a trajectory, under a number; its calls and cards are checked.

    Raises:
        FormatError: a number stands for nothing, the deal is none, or the board is not finished.
        RuleError: a call or card is not legal.
    """
    try:
        actions = [int(word) for word in line.split()]
    except ValueError:
        raise FormatError(f"a trajectory is whole numbers, got {line[:40]!r}") from None
    wrong = next((action for action in actions if not 0 <= action < _FIRST_CALL + len(CALLS)), None)
    if wrong is not None:
        raise FormatError(f"an action is 0 to {_FIRST_CALL + len(CALLS) - 1}, got {wrong}")
    dealt, made = actions[:_FIRST_CALL], actions[_FIRST_CALL:]
    if sorted(dealt) != list(range(_FIRST_CALL)):
        raise FormatError(f"a trajectory begins with {_FIRST_CALL} different cards, got {len({*dealt})}")
    deal = Deal(tuple(Hand.of(CARDS[action] for action in dealt[player::4]) for player in range(4)))
    board = Board(number, Seat.NORTH, Vulnerability.NONE, deal)
    in_play = BoardInPlay(board)
    for action in made:
        if (action >= _FIRST_CALL) is not in_play.in_auction:
            raise FormatError(f"a {'call' if in_play.in_auction else 'card'} is due, got action {action}")
        if in_play.in_auction:
            in_play.add_call(CALLS[action - _FIRST_CALL])
        else:
            in_play.add_card(CARDS[action])
    if not in_play.is_over:
        raise FormatError("the trajectory ends before the board")
    return board


def format_trajectory(board: Board, calls: Iterable[Call], cards: Iterable[Card]) -> str:
    """Return the line of a finished board, turned so that North deals; its vulnerability is lost."""
    hands = [board.deal[board.dealer.plus(player)].cards for player in range(4)]
    dealt = [hands[number % 4][number // 4] for number in range(len(CARDS))]
    made = [_FIRST_CALL + CALL_NUMBERS[call] for call in calls]
    return " ".join(map(str, [*map(card_number, dealt), *made, *map(card_number, cards)]))
