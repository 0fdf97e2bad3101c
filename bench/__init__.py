"""How fast this machine plays, beside the most that its wire could carry: measurements, and no part of any event."""
