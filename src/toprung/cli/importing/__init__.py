"""``toprung import``: events from a file into a server, each row once, however often it is run."""
