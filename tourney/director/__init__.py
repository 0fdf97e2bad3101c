"""What a director does to an event, behind the command line and the console alike."""
