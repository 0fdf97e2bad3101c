"""Whole tables on simulated time, whose wire logs are held byte for byte against files (`tests/golden/wire`).

What happens at a table is data: a scenario has its settings, its programs and what befalls them; decks have the calls
and cards. `decks` and `scenario` read the files, `programs` are the players, `table` plays a scenario.
"""
