"""Programs that answer over HTTP, in a seat: each question carries the whole position, as the seat knows it.

`service` asks, with time limits and repetitions, and has what services have in common; `dialects` is what each is
asked and answers. `service_player` is the strategy that `tourney bot --api` seats.
"""
