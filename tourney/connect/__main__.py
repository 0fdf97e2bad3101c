"""`python -m tourney.connect`, and the whole of `connect.pyz`."""

import sys

from tourney.connect.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
