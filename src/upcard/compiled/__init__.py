"""The rules at machine speed: the same functions, compiled by numba over NumPy records.

Importing this package imports numba (0.3 s); `rules`, `games` and `engine` do not need it. The first use of a game
compiles it, which takes some seconds; the result is cached on disk under a hash of exactly the code that was compiled.
"""
