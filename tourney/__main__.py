"""`python -m tourney` is the command `tourney`."""

from tourney.cli.main import main

if __name__ == "__main__":
    main()
