"""One live table: who sits where, what happened, what each seat is shown of it. Knows no server and no terminal."""
