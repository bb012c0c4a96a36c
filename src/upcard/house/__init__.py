"""A house: what surrounds its tables, below every door. Who may do what, opening, finding and following up tables,
replays and statistics, for one person in one process or for many through a server."""
