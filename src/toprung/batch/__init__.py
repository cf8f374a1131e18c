"""Back ends for batches of plain events."""
