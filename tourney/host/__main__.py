"""`python -m tourney.host` starts the process of a table host."""

import gc

if __name__ == "__main__":
    # What is loaded now stays: to look for garbage among it again and again takes a seventh of the start of a host.
    # `collect_seldom` leaves all of it out for good, and enables the collector again.
    gc.disable()

    from tourney.host.host_process import main

    main()
