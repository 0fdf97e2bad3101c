"""`tourney lab card`: the result card of a duel."""

from pathlib import Path

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import json_option, print_report


@click.command("card")
@event_argument
@json_option
def card_command(event_path: Path, as_json: bool) -> None:
    """Print the result card of a duel, as a table of Markdown.

    \b
    tourney duel my_net:policy@pgx480 my_net:other@pgx480 --in-process --auctions --sprt none --seed 7 --boards 1000
    tourney lab card policy-v-other.toml

    It has the IMPs a board with their standard error by deal. What plays the same again is on it too: digests of both
    programs, the boards with their hash, the command. EVENT is the event file of a duel of a fixed number of boards.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.lab.programs import noted_programs
    from tourney.views.result_card import load

    with open_event(event_path) as drawn:
        print_report(load(drawn, noted_programs(drawn.file.results)), as_json=as_json)
