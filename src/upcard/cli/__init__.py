"""The command `upcard`."""

from upcard.cli.main import app, main

__all__ = ["app", "main"]
