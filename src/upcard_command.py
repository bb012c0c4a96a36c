"""The command `upcard`. This module is outside the package because loading the package takes Python a moment, during
which Ctrl-C must not end in a traceback."""


def main() -> None:
    """Run the command line. Ctrl-C exits with status 130, even while the package is being loaded."""
    try:
        from upcard.cli import main as run
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    run()
