"""What everybody needs who is not pure: clock, retries, the event loop, processes and limits of the system."""
