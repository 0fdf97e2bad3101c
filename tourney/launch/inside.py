"""What runs first in a sandbox: it opens the program's only port, and becomes the program.

A program in a network of its own reaches no table. This one listens there, on the port that the program is told, and
hands the listening socket to the table host outside, which accepts connections on it; there is no other address.

It is run as a file, without the rest of tourney: it imports nothing but the standard library.
"""

import array
import os
import socket
import sys

ADDRESS = "127.0.0.1"
BACKLOG = 8
NOT_STARTED = 127
"""The exit status of a program that cannot be started, as with shells."""


def open_port(channel: int, port: int) -> None:
    """Listen on a port of this network and send the socket through an inherited one."""
    with socket.socket(fileno=channel) as outside, socket.socket() as listener:
        listener.bind((ADDRESS, port))
        listener.listen(BACKLOG)
        handed = array.array("i", [listener.fileno()])
        outside.sendmsg([b"!"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handed)])


def main() -> None:
    """Take CHANNEL and PORT, 0 for none of them, then the words of the program."""
    channel, port = map(int, sys.argv[1:3])
    words = sys.argv[3:]
    if channel:
        open_port(channel, port)
    try:
        os.execvp(words[0], words)  # noqa: S606 # the organiser's words
    except OSError as error:
        print(f"{words[0]}: {error.strerror}", file=sys.stderr)  # noqa: T201 # to the program's own output
        sys.exit(NOT_STARTED)


if __name__ == "__main__":
    main()
