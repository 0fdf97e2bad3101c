"""`tourney connect`: the author's side of a tunnel, for programs that play from anywhere.

It runs on the author's machine, whatever its system, also as one file that the organiser's server hands out
(`archive`). So it imports nothing but `tourney.protocol.tunnel`, `tourney.errors`, `websockets` and the standard
library, and of that only what Windows has. The server can never make it connect to anything or start anything.

`main` is the command, `options` its words, `client` the tunnel with its local port, `programs` starts what `--run`
says.
"""
