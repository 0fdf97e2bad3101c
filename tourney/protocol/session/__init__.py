"""The law of a table, without a wire: who sits, whose turn it is, what is in time, what follows, what goes on record.

What happens to a line:

    TableCore.receive_line      table.py         the connection, and afterwards: is a board over, may one begin?
    Wire.receive_line           wire.py          the seat's own language reads it, and answers requests by itself
    Dispatch.receive            dispatch.py      what the player wants (an intent) goes to the log-on or the board
    BoardSession.receive_call   board/session.py taken or refused; on record; the wires are asked to tell it

Where to look:

- `state`: what the table is to play and where it stands; `seat`: the state of one seat and its transitions.
- `board`: the board in hand (`state`, `session`), refusals (`validation`), claims, manual alerts, what is awaited.
- `logon`, `adjudication` (limits, remedies, forfeits), `rejoin` (players that leave and come back).
- `effects`: what the shell is asked to do, records before the lines that show them; `records`: what goes on record.
- `rules`: what the organiser sets.

A wire language is a subclass of `wire.Wire`; nothing here knows one.
"""
