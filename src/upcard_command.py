"""The command `upcard`. It stands beside the package because Python needs a moment to load that, during which Ctrl-C
would end in a traceback."""


def main() -> None:
    """Run the command line. Ctrl-C while it is being loaded ends it with exit status 130, as later."""
    try:
        from upcard.cli import main as run
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    run()
