"""The rules at machine speed: the same functions, compiled by numba over NumPy records.

Importing this package imports numba (0.3 s); `rules`, `games` and `engine` do not need it. The first use of a game
compiles it, which takes some seconds; the result is cached on disk under a hash of exactly the code that was compiled.
"""

import os

os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
"""For numba, before it is imported: where colorama is installed, it would colour messages that nobody sees, and while
doing so, in whatever thread, replace the standard streams of the process and set back those of a moment ago."""
