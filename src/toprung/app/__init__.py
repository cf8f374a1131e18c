"""The composition root: settings to parts; start, stop; the real clock."""
