"""Back ends of the rank view."""
