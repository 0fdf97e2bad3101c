"""`tourney connect`: the same command as in `connect.pyz`, with check-bot after a trial."""

import sys

import click

from tourney.connect.options import DESCRIPTION, OPTIONS


def _make_options() -> list[click.Parameter]:
    """Return the options as Click has them, so that help, completion and manual know them."""
    return [
        click.Argument(["url"], metavar="URL"),
        *(
            click.Option(
                [option.name],
                is_flag=not option.metavar,
                metavar=option.metavar or None,
                required=option.is_required,
                default=option.default,
                show_default=option.default is not None,
                help=option.help,
            )
            for option in OPTIONS
        ),
    ]


def _connect(url: str, **values: str | bool | None) -> None:
    from tourney.connect.main import run_connect
    from tourney.connect.options import parse_options

    words: list[str] = []
    for option in OPTIONS:
        value = values[option.name.removeprefix("--").replace("-", "_")]
        if isinstance(value, str):
            words.append(f"{option.name}={value}")
        elif value:
            words.append(option.name)
    settings = parse_options([*words, "--", url], "tourney connect")
    run_connect(settings)
    if settings.is_trial and settings.command:
        from tourney.cli.check_bot import check_bot_command

        click.echo("check-bot, on this machine:")
        status = check_bot_command.main(
            ["--team", settings.team, "--", *settings.command], "tourney check-bot", standalone_mode=False
        )
        sys.exit(status or 0)


connect_command = click.Command("connect", params=_make_options(), callback=_connect, help=DESCRIPTION)
