"""The command `upcard`."""

from upcard.cli.main import main

__all__ = ["main"]
