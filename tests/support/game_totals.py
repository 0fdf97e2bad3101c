"""The totals of matches of rubber bridge and plain Chicago, worked out anew from the database file alone.

Nothing of tourney is imported: contracts, tricks and hands are read with SQL, and scored by the words of the rules.
"""

import re
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path

_BOARDS = """
SELECT m.number, r.contract, r.declarer, r.tricks, d.hands FROM results r
JOIN tables t ON t.id = r.table_id JOIN matches m ON m.id = t.match_id
JOIN boards b ON b.board_set_id = m.board_set_id AND b.number = r.board JOIN deals d ON d.id = b.deal_id
ORDER BY m.number, b.position
"""

Deal = tuple[str, str | None, int | None, str]
Points = list[int]


def recompute_totals(database: Path, games: dict[int, str]) -> dict[int, tuple[int, int]]:
    """Return North-South's and East-West's points of each match; `games` says of each whether it is of rubbers."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(_BOARDS).fetchall()
    matches: defaultdict[int, list[Deal]] = defaultdict(list)
    for match, *deal in rows:
        matches[match].append(tuple(deal))
    score = {"rubber": _rubbers, "chicago": _chicagos}
    return {match: score[games[match]](deals) for match, deals in matches.items()}


def _rubbers(deals: list[Deal]) -> tuple[int, int]:
    totals, below, games = [0, 0], [0, 0], [0, 0]
    for contract, declarer, tricks, hands in deals:
        if declarer is None or tricks is None:
            continue
        side = int(declarer in "EW")
        made = _add(totals, contract, tricks, side, vulnerable=games[side] > 0)
        _add_honours(totals, contract, hands)
        below[side] += made
        if below[side] >= 100:
            below = [0, 0]
            games[side] += 1
        if games[side] == 2:
            totals[side] += 500 if games[1 - side] else 700
            games = [0, 0]
    for held, premium in ((games, 300), (below, 100)):
        for side in (0, 1):
            if held[side] and not held[1 - side]:
                totals[side] += premium
    return totals[0], totals[1]


def _chicagos(deals: list[Deal]) -> tuple[int, int]:
    totals, below, hand = [0, 0], [0, 0], 1
    for contract, declarer, tricks, _ in deals:
        if declarer is None or tricks is None:
            continue  # dealt again
        side = int(declarer in "EW")
        vulnerable = hand == 4 or (hand == 2 and side == 0) or (hand == 3 and side == 1)
        made = _add(totals, contract, tricks, side, vulnerable=vulnerable)
        below[side] += made
        if made and below[side] >= 100:
            below = [0, 0]
            totals[side] += 500 if vulnerable else 300
        elif made and hand == 4:
            totals[side] += 100
        if hand == 4:
            below, hand = [0, 0], 0
        hand += 1
    return totals[0], totals[1]


def _add(totals: Points, contract: str, tricks: int, side: int, *, vulnerable: bool) -> int:
    """Add the points of a contract to the totals, and return those below the line."""
    found = re.fullmatch(r"([1-7])(C|D|H|S|NT)(X{0,2})", contract)
    assert found, contract
    level, doubled = int(found[1]), len(found[3])
    over = tricks - 6 - level
    if over < 0:
        totals[1 - side] += _penalty(-over, doubled, vulnerable=vulnerable)
        return 0
    each = 20 if found[2] in "CD" else 30
    below = (level * each + (10 if found[2] == "NT" else 0)) * (1, 2, 4)[doubled]
    totals[side] += below + over * (each, 100 << vulnerable, 200 << vulnerable)[doubled] + (0, 50, 100)[doubled]
    if level >= 6:
        totals[side] += {6: (500, 750), 7: (1000, 1500)}[level][vulnerable]
    return below


def _penalty(down: int, doubled: int, *, vulnerable: bool) -> int:
    if not doubled:
        return down * (100 if vulnerable else 50)
    steps = [200] + [300] * 12 if vulnerable else [100, 200, 200] + [300] * 10
    return sum(steps[:down]) * doubled


def _add_honours(totals: Points, contract: str, hands: str) -> None:
    first, dealt = hands.split(":")
    for index, hand in enumerate(dealt.split()):
        suits = hand.split(".")
        if "NT" in contract:
            points = 150 * all("A" in suit for suit in suits)
        else:
            held = sum(rank in "AKQJT" for rank in suits["SHDC".index(contract[1])])
            points = {4: 100, 5: 150}.get(held, 0)
        totals[("NESW".index(first) + index) % 2] += points
