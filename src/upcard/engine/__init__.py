"""Matches: their events and states, and each seat's observations. Independent of players and live tables."""
