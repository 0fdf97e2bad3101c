"""Where programs run: table hosts and the players that teams have a command for."""
