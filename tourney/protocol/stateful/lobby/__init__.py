"""A lobby: one port at which players make, join and leave games and tournaments of their own (SS-39 to SS-46).

- `state`: the players and their names, games and tournaments, and what clients may use: what the other parts share.
- `games`, `tournaments`: what players make and join, and who sits where.
- `core`: the state machine of the port: lines of clients, and news of the tables, in; effects out.

Nothing here opens a socket or knows the record: `tourney.coordinator.lobby_run` does.
"""
