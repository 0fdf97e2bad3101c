"""Table Managers: sockets, timers and programs around the protocol core. No rule of bridge lives here."""
