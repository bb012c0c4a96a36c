"""Experiments: many matches between computer players, and how fast the rules run."""
