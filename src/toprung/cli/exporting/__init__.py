"""``toprung export``: standings and events of a board as files."""
