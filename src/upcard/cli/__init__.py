"""The command `upcard`."""

try:
    from upcard.cli.main import app, main
except KeyboardInterrupt:  # Ctrl-C before `main` could hear it
    raise SystemExit(130) from None

__all__ = ["app", "main"]
