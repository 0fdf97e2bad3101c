"""Manual alerting: after which calls the operator is asked what they mean (BC-25, BC-26)."""

from tourney.protocol.session.alert_pauses import PairMethods, pauses_after
from tourney.protocol.session.board.state import BoardState
from tourney.protocol.session.rules import AlertMode, TableRules


def calls_to_ask(board: BoardState, rules: TableRules) -> list[int]:
    """Return the numbers of the calls to ask the operator about after the last call."""
    mode = rules.alerting
    if mode is AlertMode.OFF:
        return []
    auction, last = board.in_play.auction, board.history[-1]
    seq = len(auction.calls) - 1
    if mode is AlertMode.KEYWORD:
        return [seq] if last.alerted and not last.text else []
    if mode is AlertMode.AUCTION:
        asked = range(seq + 1) if auction.is_over else range(0)
    else:
        asked = range(seq, seq + 1)
    return [number for number in asked if _needs_explanation(board, rules, number)]


def _needs_explanation(board: BoardState, rules: TableRules, seq: int) -> bool:
    """Return whether a call is neither in the no-pause list nor explained by its player."""
    entry = board.history[seq]
    methods = rules.methods.get(entry.actor.side, PairMethods())
    return not entry.text and pauses_after(board.in_play.auction.calls[: seq + 1], methods)
