"""Behind nginx, as docs/hosting.md sets it up: people play through it, and others' pages stay out."""

import asyncio
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import COMPUTER, ME, PATIENCE, Person, served

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"
pytestmark = pytest.mark.skipif(NGINX is None, reason="needs nginx")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def configured(folder: Path, port: int, server: str) -> Path:
    """The configuration of the page, without TLS, with ports of its own."""
    (text,) = re.findall(r"```nginx\n(server \{.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    text = re.sub(r"    ssl_.*\n", "", text)
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8018", server)
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in names)
    whole = f"daemon off; pid {folder}/pid; events {{}} http {{ access_log off; {temporary}\n{text} }}\n"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    return folder / "nginx.conf"


@pytest.fixture
def port() -> int:
    return free_port()


def nginx(folder: Path, port: int, server: str) -> Iterator[None]:
    """It runs until the next step of the iterator."""
    command = [NGINX or "", "-e", str(folder / "error.log"), "-c", str(configured(folder, port, server))]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    began = time.monotonic()
    while process.poll() is None and time.monotonic() < began + PATIENCE:
        with socket.socket() as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                break
    assert process.poll() is None, process.communicate()[0]
    yield
    process.terminate()
    process.communicate(timeout=PATIENCE)


async def test_people_play_through_nginx(tmp_path: Path, port: int) -> None:
    origin = "http://cards.example"
    async with served(tmp_path, public_url=origin, proxies=("127.0.0.1",)) as place:
        running = nginx(tmp_path, port, place)
        await asyncio.to_thread(next, running)
        try:
            async with Person(f"127.0.0.1:{port}", "Ann") as ann:
                ann.http.headers["Origin"] = origin
                await ann.open(ME, COMPUTER)
                await ann.look(Origin=origin)
                assert await ann.my_turn()
                await ann.move(ann.moves[0])
                ann.http.headers["Origin"] = "http://evil.example"
                assert (await ann.act("concede")).status_code == 403
        finally:
            await asyncio.to_thread(next, running, None)
