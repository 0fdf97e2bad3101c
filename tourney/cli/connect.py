"""`tourney connect`: the same command as in `connect.pyz`."""

from typing import Any

import click

from tourney.connect.options import DESCRIPTION, OPTIONS


def _connect(**values: Any) -> None:  # those of the options, as Click has checked
    from tourney.connect.main import run_connect
    from tourney.connect.options import make_settings

    run_connect(make_settings(**values))


connect_command = click.Command(
    "connect",
    params=[  # as Click has them, so that help, completion and manual know them
        click.Argument(["url"], metavar="URL"),
        *(
            click.Option(
                [option.name],
                metavar=option.metavar,
                required=option.is_required,
                default=option.default,
                show_default=option.default is not None,
                help=option.help,
            )
            for option in OPTIONS
        ),
    ],
    callback=_connect,
    help=DESCRIPTION,
)
