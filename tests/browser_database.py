"""A browser's database in memory, for tests of the house that uses it."""

import json

from upcard.browser.store import TAKEN


class MemoryDatabase:
    """Does what `page/src/house/database.ts` does, and fails when a test wants it to."""

    def __init__(self) -> None:
        self.tables: dict[str, tuple[float, int, str]] = {}
        """By table, the time it was created, the number of its entries, and its row."""
        self.texts: dict[str, list[str]] = {}
        self.trouble = ""

    async def write(self, table: str, created: float, first: int, entries: str, row: str) -> str:
        if self.trouble:
            return self.trouble
        texts = self.texts.get(table, [])
        if len(texts) != first - 1:
            return TAKEN
        self.texts[table] = [*texts, *json.loads(entries)]
        self.tables[table] = created, len(self.texts[table]), row
        return ""

    async def row(self, table: str) -> str:
        return self.tables[table][2] if table in self.tables else ""

    async def rows(self, created_before: float, most: int) -> str:
        found = sorted((row for row in self.tables.values() if row[0] < created_before), reverse=True)
        return f"[{','.join(row[2] for row in found[:most])}]"

    async def entries(self, table: str, after: int) -> str:
        return f"[{','.join(self.texts.get(table, [])[after:])}]"
