"""One live table: who sits where, what happened, and what each seat is shown. Independent of server and terminal."""
