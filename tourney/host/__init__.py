"""Table Managers: sockets, timers and programs around the protocol core. They know no rules of bridge."""
