"""Policies, which choose a move from one view without lookahead, and their learned weights."""
