"""`tourney play`: a person's seat at a table, over the stateful-server protocol.

`game_view` is what the server has told, `typed` what the person types; both are pure, as is `session`, which joins
them. `screen` and `wording` show it, the one as a picture, the other in sentences; `display` has the keyboard and
the terminal, `program` the socket.
"""
