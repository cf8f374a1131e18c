"""``toprung query``: SQL on exported files."""
