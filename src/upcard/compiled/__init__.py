"""The rules at machine speed: the same functions, compiled by numba over NumPy records.

Importing this package imports numba (0.3 s); nothing below it does. The first use of a game compiles it, some seconds;
the result is kept on disk under a name for exactly the code that it was compiled from.
"""
