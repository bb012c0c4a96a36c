"""How much comes over the line before something can be done: the lobby, a table, and what is loaded when asked for."""

from typing import Any

import pytest
from playing_page import Person, Server
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

LOBBY = 180_000
"""Bytes of the lobby before anything is done, everything counted."""
TABLE = 60_000
"""Bytes of code and style that a table adds, loaded while nothing else is to be done."""
SAVING = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"


class Visitor(Person):
    """Somebody whose browser counts bytes as they come over the line."""

    def __init__(self, browser: Browser, server: Server, *, saving: bool) -> None:
        super().__init__(browser, server, "Ann", worker=False, tips=False)
        if saving:
            self.context.add_init_script(SAVING)
        self.bytes: dict[str, int] = {}
        self._addresses: dict[str, str] = {}
        self._line = self.context.new_cdp_session(self.page)
        self._line.send("Network.enable")
        self._line.on("Network.responseReceived", self._begin)
        self._line.on("Network.loadingFinished", self._end)

    def _begin(self, event: dict[str, Any]) -> None:
        self._addresses[event["requestId"]] = event["response"]["url"].removeprefix(self.server.url)

    def _end(self, event: dict[str, Any]) -> None:
        self.bytes[self._addresses.pop(event["requestId"], "?")] = int(event["encodedDataLength"])

    def until_counted(self) -> None:
        """Wait until all that has begun to come has come."""
        self.until(lambda: not self._addresses)

    def code(self) -> dict[str, int]:
        return {path: size for path, size in self.bytes.items() if path.endswith((".js", ".css"))}


@pytest.mark.long
def test_the_lobby_is_light_and_a_table_adds_little(browser: Browser, server: Server) -> None:
    with Visitor(browser, server, saving=True) as ann:
        ann.page.goto(server.url)
        ann.see("play-sixty-six").first.wait_for()
        ann.page.wait_for_load_state("networkidle")
        ann.until_counted()
        lobby = dict(ann.bytes)
        assert not [path for path in ann.code() if "Place" in path], "nobody asked for a table"
        assert sum(lobby.values()) <= LOBBY, lobby
        ann.see("play-sixty-six").first.click()
        ann.page.locator("[data-testid^=hand-]").first.wait_for()
        ann.until_counted()
        added = {path: size for path, size in ann.code().items() if path not in lobby}
        needed = {path: size for path, size in added.items() if "/End" not in path}
        assert 0 < sum(needed.values()) <= TABLE, needed
        assert not [path for path in added if any(part in path for part in ("Replay", "GamePage", "Waiting", "People"))]


@pytest.mark.long
def test_a_table_comes_while_nothing_is_done(browser: Browser, server: Server) -> None:
    with Visitor(browser, server, saving=False) as ann:
        with ann.page.expect_response(lambda response: "/Place" in response.url and response.url.endswith(".js")):
            ann.page.goto(server.url)
        ann.see("play-sixty-six").first.wait_for()
        ann.page.wait_for_load_state("networkidle")
        ann.until_counted()
        before = {*ann.code()}
        ann.see("play-sixty-six").first.click()
        ann.page.locator("[data-testid^=hand-]").first.wait_for()
        assert not [path for path in {*ann.code()} - before if "Place" in path or "playback" in path]
