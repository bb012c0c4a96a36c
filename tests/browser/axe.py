"""The accessibility faults that axe-core finds in a page: https://github.com/dequelabs/axe-core"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

PLACE = Path(__file__).parents[2] / "page" / "node_modules" / "axe-core" / "axe.min.js"
RUN = "() => axe.run({ exclude: [['.stage']] }, { resultTypes: ['violations'] })"
"""The stage is looked at where it is played on."""


@cache
def source() -> str:
    return PLACE.read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """A line for each rule that is broken, with the places where it is."""
    page.evaluate(f"window.axe || (() => {{ {source()} }})()")
    found = page.evaluate(RUN)["violations"]
    return [f"{one['id']}: {[node['target'] for node in one['nodes']][:4]}" for one in found]
