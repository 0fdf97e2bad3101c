"""The rules of a table, independent of any wire language: seating, turns, time limits, remedies and the record.

What happens to a line:

    TableCore.receive_line      table.py         the connection; afterwards, ends a finished board and begins the next
    Wire.receive_line           wire.py          the seat's own language parses it, and answers requests by itself
    Dispatch.receive            dispatch.py      passes the player's intent to the log-on or the board
    BoardSession.receive_call   board/session.py accepts or refuses it, records it and has the wires relay it

Where to look:

- `state`: what the table is to play and its progress; `seat`: the state of one seat and its transitions.
- `board`: the current board: `state` (a fold of its records), `session` (what is decided and sent), refusals
  (`validation`), the calls that the operator is asked about (`alerting`).
- `logon`, `adjudication` (limits, remedies, forfeits), `rejoin` (players that leave and come back).
- `effects`: requests to the shell, with records before the lines that reveal them; `records`: what goes on record.
- `rules`: what the organiser sets.

A wire language is a subclass of `wire.Wire`; nothing here knows one.
"""
