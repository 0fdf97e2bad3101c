"""A lobby: one port at which players make, join and leave games and tournaments of their own (SS-39 to SS-46).

- `names`: who a client may say it is, and names that are kept with a pass phrase.
- `state`: what the parts share: clients, players, limits, and the effects that go out.
- `games`, `tournaments`: what players make and join, and who sits where.
- `core`: the state machine of the port: lines of clients, and news of the tables, in; effects out.

Nothing here opens a socket or knows the record: `tourney.coordinator.lobby_run` does.
"""
