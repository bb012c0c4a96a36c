"""Slow referees: the rulebook once more, on lists and texts, written without looking at the engine.

They are the second opinion: a random match is played by the engine, and after every event its report and its list of
moves must be the referee's. They import nothing of upcard, so that a mistake cannot be shared.
"""
