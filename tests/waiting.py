"""How long tests wait for what a program that works does at once."""

PATIENCE = 60.0
"""Seconds: enough on a machine that is slow and busy."""
