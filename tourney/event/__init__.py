"""An event as commands and pages open it: where its record is, what its file says, its draw."""
