"""Every table fits: the scenes of each game that need the most room, at seven sizes of a window, without a server.

No card, button or label is cut, covered or below the fold; every index can be read and a quarter of every card is seen;
fingers find what they aim at. One of the sizes is a page enlarged to 200 %.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from recorded import NAMES, counts, scenes
from stand_in import ENLARGED, VIEWPORTS, StandIn

from upcard import games

pytestmark = pytest.mark.browser

PLAIN = """* { box-shadow: none !important; background-image: none !important; filter: none !important }
.card svg, .back svg { display: none !important }
body { opacity: 0 !important }"""
"""Where things lie does not depend on it, and what is not painted costs half as much."""
INSPECT = Path(__file__).with_name("inspect_page.js").read_text()
LOOK = f"""async (messages) => {{
  const inspect = {INSPECT};
  const found = {{}};
  const settled = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  for (const [name, message] of messages) {{
    line.tell(message);
    await settled();
    let faults = inspect();
    const end = document.querySelector("section.end [data-testid=continue]");
    if (end) {{
      end.click();
      await settled();
      faults = [...faults, ...inspect()];
    }}
    if (faults.length) found[name] = faults;
  }}
  return found;
}}"""


@pytest.mark.parametrize("size", [*VIEWPORTS, ENLARGED], ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_table_fits(browser: Browser, size: tuple[int, int]) -> None:
    page: StandIn | None = None
    wrong: dict[str, list[str]] = {}
    for slug in games.names():
        game = games.load(slug)
        for players in counts(game):
            told = scenes(game, players)
            if page is None:
                page = StandIn(browser, size, {"face": "large"})
                page.sit(told[0][1], NAMES)
                page.page.add_style_tag(content=PLAIN)
            wrong |= page.page.evaluate(LOOK, [[name, page.welcome(scene, NAMES)] for name, scene in told])
    assert page is not None
    faults = page.faults
    page.close()
    assert faults == []
    assert wrong == {}
