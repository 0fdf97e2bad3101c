"""The stateful-server protocol: the server keeps all state and repeats it, so that a client may forget everything.

- `values`: the types of arguments; `messages`: every message as an object, parsed and formatted.
- `server`: the table's side of one player's connection; `player`: the player's side.

Clauses SS-nn are on the manual's page about the protocol.
"""
