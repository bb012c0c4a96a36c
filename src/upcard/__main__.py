"""`python -m upcard` is the command `upcard`."""

from upcard_command import main

main()
