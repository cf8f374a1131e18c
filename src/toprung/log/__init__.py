"""Back ends of the event log."""
