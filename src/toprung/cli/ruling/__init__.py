"""``toprung rules``: the rules for named events on a server, and as a file."""
