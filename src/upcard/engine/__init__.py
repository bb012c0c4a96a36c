"""Matches: what happened, where it stands, what each seat sees and is told of it. Knows no player and no table."""
