"""`tourney connect`: the same command as in `connect.pyz`."""

import click

from tourney.connect.options import DESCRIPTION, OPTIONS


def _connect(url: str, **values: str | None) -> None:
    from tourney.connect.main import run_connect
    from tourney.connect.options import parse_options

    words: list[str] = []
    for option in OPTIONS:
        value = values[option.name.removeprefix("--").replace("-", "_")]
        if value is not None:
            words.append(f"{option.name}={value}")
    run_connect(parse_options([*words, "--", url], "tourney connect"))


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
