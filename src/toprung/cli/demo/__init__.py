"""``toprung demo``: a server with a game that plays, to look at and to try things on."""
