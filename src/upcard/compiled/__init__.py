"""The rules at machine speed: the same functions, compiled by numba over NumPy records, or in a browser to WebAssembly.

`words`, `machine` and what computer players give to compiled loops need neither numba nor NumPy; the loops do, whose
import takes 0.3 s. The first use of a game compiles it, which takes some seconds; the result is cached on disk under a
hash of exactly the code that was compiled.
"""

import os

os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
"""Set for numba before it is imported. If colorama is installed, numba colours its error messages, which nobody sees,
and meanwhile replaces the standard streams of the whole process, in any thread, and then restores the old ones."""
