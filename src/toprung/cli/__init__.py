"""The command line. Client commands speak to a server through the SDK; the others open its file."""

from toprung.cli.main import main

__all__ = ["main"]
