"""Languages: catalogs of translated sentences, and the texts of answers in the reader's language."""
