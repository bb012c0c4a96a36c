"""The house inside one person's browser, which needs no server: Python in a worker of the page, tables in the
browser's database. `upcard page --static` writes the folder of files that it needs.
"""
