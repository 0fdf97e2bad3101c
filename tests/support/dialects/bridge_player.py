"""bridge-player, a package for Node.js: a client of Bridge Moniteur's age that takes line by line from a stream."""

from tests.support.dialects.moniteur_era import MoniteurEra


class BridgePlayer(MoniteurEra):
    """bridge-player's client.

    What it receives goes through a stream that cuts it at LF and keeps the rest for the next packet, which may bring
    any number of lines. It logs on in small letters, and takes `Start of board` at any time for the start of one.
    """

    profile = "bridge-player"
    read_ms = 0
    restarts = True

    def _log_on(self) -> str:
        line = super()._log_on().replace("Connecting", "connecting")
        return line.replace(f" as {self.seat.title} ", f" as {self.seat.title.lower()} ")
