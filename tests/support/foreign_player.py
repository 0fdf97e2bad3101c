"""A bridge program of others: it follows the protocol to the letter and shares no code with tourney.

Run as `python foreign_player.py HOST PORT SEAT TEAM`. It passes, but opens the bidding with 1C as dealer on even
board numbers, and plays the first card that follows suit. Exit status 0 after `End of session`.
"""

import re
import socket
import sys

SEATS = ["North", "East", "South", "West"]
RANKS = "23456789TJQKA"


class Table:
    def __init__(self, host: str, port: int) -> None:
        self.socket = socket.create_connection((host, port), timeout=60)
        self.file = self.socket.makefile("rb")

    def send(self, line: str) -> None:
        self.socket.sendall(line.encode() + b"\r\n")

    def read(self) -> str:
        line = self.file.readline()
        if not line:
            raise SystemExit("the table closed the connection")
        assert line.endswith(b"\r\n"), line
        return line.decode().strip()

    def expect(self, pattern: str) -> "re.Match[str]":
        line = self.read()
        found = re.fullmatch(pattern, line)
        if found is None:
            raise SystemExit(f"expected {pattern!r}, got {line!r}")
        return found


def parse_cards(text: str) -> list[str]:
    """Parse `S A K. H -. ...` into SA, SK, ...: suit, then rank."""
    cards = []
    for part in text.strip().rstrip(".").split(". "):
        suit, *ranks = part.rstrip(".").split(" ")
        cards += [suit + rank for rank in ranks if rank != "-"]
    return cards


def play_board(table: Table, me: str, number: int, dealer: str) -> None:
    table.send(f"{me} ready for cards")
    hand = parse_cards(table.expect(rf"{me}'s cards : (.*)").group(1))
    assert len(hand) == 13, hand
    turn, passes = SEATS.index(dealer), 0
    bids: list[tuple[str, str]] = []
    while passes < (3 if bids else 4):
        caller = SEATS[turn]
        if caller == me:
            bid = "1C" if number % 2 == 0 and not bids and passes == 0 and me == dealer else ""
            table.send(f"{me} bids {bid}" if bid else f"{me} passes")
        else:
            table.send(f"{me} ready for {caller}'s bid")
            bid = table.expect(rf"{caller} (?:passes|bids (1C))").group(1) or ""
        if bid:
            bids.append((caller, bid))
        passes = 0 if bid else passes + 1
        turn = (turn + 1) % 4
    if bids:
        play_cards(table, me, hand, bids[0][0])


def play_cards(table: Table, me: str, hand: list[str], declarer: str) -> None:
    dummy = SEATS[(SEATS.index(declarer) + 2) % 4]
    dummys_hand: list[str] = []
    leader = (SEATS.index(declarer) + 1) % 4
    for trick in range(1, 14):
        cards: list[str] = []
        for i in range(4):
            player = SEATS[(leader + i) % 4]
            actor = declarer if player == dummy else player
            if actor == me:
                if i == 0:
                    table.expect("Dummy to lead" if player == dummy else f"{me} to lead")
                held = dummys_hand if player == dummy else hand
                follow = [card for card in held if cards and card[0] == cards[0][0]]
                card = (follow or held)[0]
                held.remove(card)
                table.send(f"{player} plays {card[1]}{card[0]}")
            else:
                whose = "dummy" if player == dummy else player
                table.send(f"{me} ready for {whose}'s card to trick {trick}")
                card = table.expect(rf"{player} plays ([2-9TJQKA][SHDC])").group(1)[::-1]
                if player == dummy and me == dummy:
                    hand.remove(card)
            cards.append(card)
            if trick == 1 and i == 0 and me != dummy:
                table.send(f"{me} ready for dummy")
                dummys_hand = parse_cards(table.expect(r"Dummy's cards : (.*)").group(1))
        best = 0
        for i, card in enumerate(cards):
            top = cards[best]
            stronger = card[0] == top[0] and RANKS.index(card[1]) > RANKS.index(top[1])
            if stronger or (card[0] == "C" != top[0]):
                best = i
        leader = (leader + best) % 4


def main() -> None:
    host, port, me, team = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
    table = Table(host, port)
    table.send(f'Connecting "{team}" as {me} using protocol version 18')
    table.expect(rf'{me} \("{team}"\) seated')
    table.send(f"{me} ready for teams")
    table.expect(r'Teams : N/S : "[^"]+" E/W : "[^"]+"')
    table.send(f"{me} ready to start")
    line = table.read()
    while line == "Start of board":
        table.send(f"{me} ready for deal")
        board = table.expect(r"Board number (\d+)\. Dealer (\w+)\. (?:Neither|N/S|E/W|Both) vulnerable\.")
        play_board(table, me, int(board.group(1)), board.group(2))
        table.expect(
            r"Timing - N/S : this board  \d\d:\d\d,  total  \d:\d\d:\d\d\."
            r"  E/W : this board  \d\d:\d\d,  total  \d:\d\d:\d\d"
        )
        line = table.read()
    assert line == "End of session", line


if __name__ == "__main__":
    main()
