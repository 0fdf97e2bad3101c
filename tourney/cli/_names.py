"""Names of commands and options: what they were called before, and words of the field that stand for a command."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import click

OLD_COMMANDS: Final[Mapping[str, str]] = {
    "coc": "conditions",
    "pause": "table pause",
    "resume": "table resume",
    "stop": "table stop",
    "kick": "table kick",
    "replay-board": "table replay",
    "rule replay": "table replay",
    "alert": "table alert",
    "rule retire": "rule withdraw-team",
    "finalise --reopen": "results reopen",
    "finalise": "results finalise",
    "publish": "results publish",
    "deal --seal": "deals seal",
    "deal --open": "deals open",
    "deal --check": "deals check",
    "deal": "deals make",
    "league": "lab league",
    "gauntlet": "lab gauntlet",
    "strength": "lab strength",
    "plan": "lab plan",
    "scheduler": "cluster scheduler",
    "worker --drain": "cluster drain",
    "worker": "cluster worker",
    "agent": "cluster agent",
}
"""What commands are called now, by what they were called before; old names work for good, and no help has them.

Where an option decides, it stands behind the name, and its entry before that of the name alone: `deal --check FILE`
is `deals check FILE`.
"""

FIELD_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "scorecard": ("match", "pair"),
    "card": ("match", "pair"),
    "result": ("match", "rounds"),
    "score-sheet": ("match", "score"),
    "ranking": ("standings",),
    "rank": ("standings",),
    "leaderboard": ("standings",),
    "recap": ("crosstable",),
    "recapitulation": ("crosstable",),
    "traveller": ("boards",),
    "travellers": ("boards",),
    "frequencies": ("boards",),
    "hands": ("boards", "deals make"),
    "pairings": ("draw", "schedule"),
    "pairing": ("draw", "schedule"),
    "fixtures": ("schedule",),
    "bracket": ("schedule",),
    "movement": ("schedule",),
    "lead": ("opening-leads",),
    "thinking": ("times",),
    "clock": ("times",),
    "adjustment": ("rule adjust",),
    "fine": ("rule penalty",),
    "withdraw": ("rule withdraw-team", "rule revoke"),
    "withdrawal": ("rule withdraw-team",),
    "disconnect": ("table kick",),
    "explain": ("table alert",),
    "kibitz": ("watch",),
    "vugraph": ("watch", "serve"),
    "web": ("serve",),
    "server": ("serve",),
    "start": ("run",),
    "new": ("init",),
    "create": ("init",),
    "validate": ("check",),
    "lint": ("check",),
    "rules": ("conditions",),
    "regulations": ("conditions",),
    "invitation": ("invite",),
    "pbn": ("export", "deals make"),
    "lin": ("export", "score"),
    "usebio": ("export",),
    "csv": ("export",),
    "json": ("export",),
    "html": ("export",),
    "double-dummy": ("analyse",),
    "analyze": ("analyse",),
    "par": ("analyse",),
    "solve": ("analyse",),
    "audit": ("verify",),
    "elo": ("lab strength",),
    "rating": ("lab strength",),
    "ratings": ("lab strength",),
    "sprt": ("duel",),
    "compare": ("duel",),
    "round-robin": ("lab league",),
    "migrate": ("db upgrade",),
    "password": ("user passwd",),
}
"""Commands by words that people of the field would try, where no name of a command is like the word."""


class OptionWithOldNames(click.Option):
    """An option that is accepted under older names too, of which its help says nothing."""

    def __init__(self, *args: Any, old_names: Sequence[str], **kwargs: Any) -> None:  # Click's signature
        super().__init__(*args, **kwargs)
        self.old_names = tuple(old_names)

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:  # of a private type of Click
        """Have the parser know all names, while the option itself keeps those that are shown."""
        shown = self.opts
        self.opts = [*shown, *self.old_names]
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.opts = shown


def rename_command(args: Sequence[str]) -> tuple[str, str, list[str]] | None:
    """Return the old name, the new name and the command line with the new name; None for a name of today.

    Args:
        args: the command line without the name of the program.
    """
    for old, new in OLD_COMMANDS.items():
        name, _, option = old.partition(" --")
        words = name.split()
        if list(args[: len(words)]) != words:
            continue
        rest = list(args[len(words) :])
        if option:
            given = _without_option(f"--{option}", rest)
            if given is None:
                continue
            rest = given
        return old, new, [*new.split(), *rest]
    return None


def _without_option(option: str, args: list[str]) -> list[str] | None:
    """Return the arguments without an option, whose value stays; None if it was not given."""
    for place, arg in enumerate(args):
        if arg == "--":
            return None
        if arg == option:
            return args[:place] + args[place + 1 :]
        if arg.startswith(f"{option}="):
            return [*args[:place], arg.partition("=")[2], *args[place + 1 :]]
    return None
