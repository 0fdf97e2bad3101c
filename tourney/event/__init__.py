"""An event as commands and pages open it: the location of its record, its event file, its draw."""
