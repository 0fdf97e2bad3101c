"""The Blue Chip table manager protocol, version 18.

- `player_lines`, `server_lines`: the lines of both sides, parsed and formatted.
- `server`: the table's side of one player's connection; `player`: the player's side.

Neither side is loaded with the package, so that programs that only play start quickly.
"""
