"""`tourney play`: a person's seat at a table, over the stateful-server protocol.

`game_view` is what the server has told, `typed` what the person types; both are pure, as is `session`, which joins
them. `wording` tells it in sentences; `display` has the terminal or pipe, `server_link` the socket.
"""
