"""The command `tourney`."""


def main() -> None:
    """Entry point."""
