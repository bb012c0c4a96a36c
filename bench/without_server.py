"""The page without a server: bytes of a first visit, seconds to a first card, memory, and milliseconds per move.

    upcard page --static cards
    python bench/without_server.py cards visits [--mbit 30] [--latency 20] [--encoding br|gzip|none]
    python bench/without_server.py cards moves [GAME …] [--levels medium strong expert] [--tables 3]

It starts a web host of its own, whose line has this many megabits per second and answers after this many milliseconds,
and headless Chromium. `visits`: a first visit, two later ones, and one after the host has been closed; seconds from
opening the page until the hand of a match against a casual player is dealt, whose button is clicked as soon as it is
there. Processor and memory (private and written to) are those of the page's process. `moves`: milliseconds from a
person's move to the next turn, through the page's channel; the computer players are of this level, and there is no
pause between moves.
"""

import argparse
import functools
import gzip
import os
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from upcard import games

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "browser")]
from playing_page import FLAGS, find_chromium  # noqa: E402

TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".png": "image/png",
}
"""By suffix. Files of other suffixes are sent as they are, as on most hosts."""
TEN_MOVES = (TESTS / "browser" / "ten_moves.js").read_text()
PIECE = 16 * 1024
NODE = str(Path(sys.executable).parent / "node")
BROTLI = "process.stdout.write(require('zlib').brotliCompressSync(require('fs').readFileSync(0)))"


class Line:
    """What all connections share."""

    def __init__(self, folder: Path, mbit: float, latency: float, encoding: str) -> None:
        self.folder, self.rate, self.latency, self.encoding = folder, mbit * 125_000, latency / 1000, encoding
        self.free = 0.0
        """The time at which the line is free again."""
        self.sent: Counter[str] = Counter()
        self._lock = threading.Lock()

    def wait(self, size: int) -> None:
        """Wait as long as this many bytes take."""
        with self._lock:
            now = time.monotonic()
            self.free = max(self.free, now) + size / self.rate
            until = self.free
        time.sleep(max(until - now, 0))

    @functools.cache  # noqa: B019
    def body(self, path: str) -> tuple[bytes, str]:
        """A file as it is sent, and its encoding."""
        content = (self.folder / path).read_bytes()
        if self.encoding == "none" or not TYPES.get(Path(path).suffix, "").startswith(("text/", "app", "image/svg")):
            return content, ""
        if self.encoding == "gzip":
            return gzip.compress(content, 9), "gzip"
        return subprocess.run([NODE, "-e", BROTLI], input=content, stdout=subprocess.PIPE, check=True).stdout, "br"


class Files(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, line: Line, *about: object) -> None:
        self.line = line
        super().__init__(*about)  # type: ignore[arg-type]

    def log_message(self, *about: object) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        path = self.path.lstrip("/").partition("?")[0] or "index.html"
        time.sleep(self.line.latency)
        if not (self.line.folder / path).is_file():
            self.send_error(404)
            return
        body, encoding = self.line.body(path)
        tag = f'"{hash(body)}"'
        known = self.headers.get("If-None-Match") == tag
        self.send_response(304 if known else 200)
        self.send_header("ETag", tag)
        if not known:
            self.send_header("Content-Type", TYPES.get(Path(path).suffix, "application/octet-stream"))
            self.send_header("Content-Length", str(len(body)))
            if encoding:
                self.send_header("Content-Encoding", encoding)
        self.end_headers()
        if not known:
            self.line.sent[path] += len(body)
            for begin in range(0, len(body), PIECE):
                piece = body[begin : begin + PIECE]
                self.line.wait(len(piece))
                self.wfile.write(piece)


class Host(ThreadingHTTPServer):
    def __init__(self, line: Line) -> None:
        super().__init__(("127.0.0.1", 0), functools.partial(Files, line))
        for path in [*line.folder.rglob("*")]:
            if path.is_file():
                line.body(str(path.relative_to(line.folder)))  # none is compressed while a visit is timed
        self.url = f"http://127.0.0.1:{self.server_port}/"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *about: object) -> None:
        """A browser that leaves a page ends what is being sent."""


def visit(context: BrowserContext, url: str) -> tuple[Page, float]:
    """Open the page and a first match; returns the seconds until its cards are there."""
    page = context.new_page()
    page.set_default_timeout(300_000)
    begun = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.get_by_test_id("play-sixty-six").first.click()
    page.locator("[data-testid^=hand-]").first.wait_for()
    return page, time.perf_counter() - begun


def process_of(browser: Browser) -> tuple[float, float]:
    """The megabytes of the page's process, which is the largest one, and the seconds of processor that it has used."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    sizes = []
    for process in processes:
        if process["type"] == "renderer":
            rolled = Path(f"/proc/{process['id']}/smaps_rollup").read_text()
            dirty = [int(line.split()[1]) / 1000 for line in rolled.splitlines() if line.startswith("Private_Dirty")]
            sizes.append((sum(dirty), float(process["cpuTime"])))
    return max(sizes)


def visits(browser: Browser, line: Line) -> None:
    host = Host(line)
    context = browser.new_context()
    context.add_init_script("localStorage.upcard ??= JSON.stringify({ name: 'Ann', tips: false })")
    for number in range(4):
        if number == 3:
            host.shutdown()
            host.server_close()
        line.sent.clear()
        page, seconds = visit(context, host.url)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        while not page.evaluate("caches.match('python/snapshot').then(Boolean)"):
            page.wait_for_timeout(100)
        name = ["first visit", "second visit", "third visit", "without a network"][number]
        sent = sum(line.sent.values())
        size, spent = process_of(browser)
        times = f"{name:18} {seconds:6.2f} s to a card, {spent:6.2f} s of processor"
        print(f"{times}, {sent / 1e6:5.2f} MB over the line, {size:4.0f} MB of memory", flush=True)
        if number == 0:
            for path, size in line.sent.most_common(12):
                print(f"    {size:9,} {path}")
            print(f"    {sent - sum(size for _, size in line.sent.most_common(12)):9,} {len(line.sent) - 12} others")
        page.close()


def moves(browser: Browser, line: Line, slugs: list[str], levels: list[str], tables: int) -> None:
    host = Host(line)
    page, _ = visit(browser.new_context(), host.url)
    for level in levels:
        for slug in slugs:
            times: list[float] = []
            for _ in range(tables + 1):  # the first fetches the game
                played = page.evaluate(TEN_MOVES, [slug, games.load(slug).default_players, level])
                times = times + played["times"] if times or tables == 0 else [0.0]
            times = sorted(times[1:])
            middle, most = statistics.median(times), times[-1]
            late = times[int(len(times) * 0.9)]
            print(f"{level:8} {slug:15} {middle:7.1f} median {late:7.1f} p90 {most:7.1f} max ms", flush=True)
    print(f"{process_of(browser)[0]:.0f} MB of memory")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("what", choices=["visits", "moves"])
    parser.add_argument("games", nargs="*", default=list(games.SLUGS))
    parser.add_argument("--levels", nargs="+", default=["medium", "strong", "expert"])
    parser.add_argument("--tables", type=int, default=3)
    parser.add_argument("--mbit", type=float, default=30)
    parser.add_argument("--latency", type=float, default=20)
    parser.add_argument("--encoding", choices=["br", "gzip", "none"], default="gzip")
    given = parser.parse_args()
    line = Line(given.folder, given.mbit, given.latency, given.encoding)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=FLAGS)
        print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        if given.what == "visits":
            visits(browser, line)
        else:
            moves(browser, line, given.games, given.levels, given.tables)
        browser.close()


if __name__ == "__main__":
    main()
