"""Policies: what chooses a move from one view without looking ahead, and the weights learned for that."""
