"""One of the scripted programs as a process: python -m tests.support.dialects BEN 127.0.0.1 2000 North Alpha [PACE]

A seat `any` asks for any. `PACE` is what its pauses are multiplied by: 0 for a check of what it says, not of how long
it takes.
"""

import sys

from tests.support.dialects import DIALECTS, play_on_socket
from tourney.bots.basic import BasicStrategy
from tourney.bridge import SEATS


def main() -> None:
    name, host, port, title, team, *pace = sys.argv[1:]
    seat = next((seat for seat in SEATS if seat.title == title), None)
    play_on_socket(DIALECTS[name](seat, team, BasicStrategy(1)), host, int(port), pace=float(*pace or ["1"]))


if __name__ == "__main__":
    main()
