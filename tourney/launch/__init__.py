"""Starting and ending processes: table hosts, and the players that teams have a command for."""
