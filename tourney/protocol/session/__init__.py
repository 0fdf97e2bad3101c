"""The rules of a table, independent of any wire language: seating, turns, time limits, remedies and the record.

What happens to a line:

    TableCore.receive_line      table.py         whose line it is, and who acts on what it says; afterwards, ends a
                                                 finished board and begins the next
    Wire.parse                  wire.py          the seat's own language says what the intent is
    Dispatch.receive_action     dispatch.py      whether it is a line of the board at all
    BoardSession.receive_action board/session.py accepts or refuses it, puts it on record, shows everybody what is new
    BoardState.apply            board/state.py   changes the board by what has gone on record
    Wire.render                 wire.py          the words for what a seat may see and has not been shown

Where to look:

- `state`: what the table is to play and its progress; `seat`: the state of one seat and its transitions; `seat_view`:
  what a seat may see and has been shown, and what follows from that; `clock`: the time that counts.
- `intents`: what players want and owe; `records`: what goes on record; `effects`: requests to the shell, with records
  before the lines that reveal them.
- `board`: the current board: `state` (a fold of its records), `session` (what is decided and sent), refusals
  (`validation`), the calls that the operator is asked about (`alerting`).
- `orders`: what the director and the host want of a table, as values, and what each does.
- `logon`, `adjudication` (limits, remedies, forfeits), `rejoin` (players that leave and come back).
- `rules`: what the organiser sets; `boards`: the boards that are left.

A wire language is a subclass of `wire.Wire`; nothing here knows one.
"""
