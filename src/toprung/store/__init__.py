"""Back ends of the score store."""
