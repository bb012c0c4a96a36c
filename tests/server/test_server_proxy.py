"""Behind nginx and Caddy as set up in docs/hosting.md: people play through them, and other sites' pages stay out."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from serving import COMPUTER, ME, Person, served
from waiting import PATIENCE

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
CADDY = shutil.which("caddy")
PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def block(language: str, first: str) -> str:
    """The block of the page that begins with this word."""
    (text,) = re.findall(rf"```{language}\n({first}.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return str(text)


def nginx(folder: Path, port: int, server: str) -> list[str]:
    """The command that runs it as on the page, without TLS, at a port of its own."""
    text = re.sub(r"    ssl_.*\n", "", block("nginx", "server"))
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8018", server)
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{name}_temp_path {folder}/{name};" for name in names)
    whole = f"daemon off; pid {folder}/pid; events {{}} http {{ access_log off; {temporary}\n{text} }}\n"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    return [NGINX or "", "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, port: int, server: str) -> list[str]:
    """The command that runs it as on the page, at a port of its own, with a certificate of its own."""
    text = block("caddy", "cards.example").replace("cards.example {", f"localhost:{port} {{\n    tls internal")
    quiet = (
        "{\n    admin off\n    auto_https disable_redirects\n    skip_install_trust\n    storage file_system %s\n}\n"
    )
    (folder / "Caddyfile").write_text(quiet % folder + text.replace("127.0.0.1:8018", server), encoding="utf-8")
    return [CADDY or "", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@contextmanager
def running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """Returns once the server listens at this port; it keeps its files in the folder."""
    environment = os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    try:
        began = time.monotonic()
        while process.poll() is None and time.monotonic() < began + PATIENCE:
            with socket.socket() as trying:
                if trying.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.02)
        assert process.poll() is None, process.communicate()[0]
        yield
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def certified(folder: Path, port: int) -> ssl.SSLContext:
    """What believes the certificate that Caddy makes for itself, once it has one: it listens before that."""
    began = time.monotonic()
    while True:
        try:
            tls = ssl.create_default_context(cafile=folder / "pki" / "authorities" / "local" / "root.crt")
            with socket.create_connection(("127.0.0.1", port)) as line:
                tls.wrap_socket(line, server_hostname="localhost").close()
        except OSError:
            if time.monotonic() > began + PATIENCE:
                raise
            time.sleep(0.02)
        else:
            return tls


async def play(ann: Person, origin: str) -> None:
    """A table is made and played at, but not by the page of another site."""
    ann.http.headers["Origin"] = origin
    await ann.open(ME, COMPUTER)
    await ann.look(Origin=origin)
    assert await ann.my_turn()
    await ann.move(ann.moves[0])
    ann.http.headers["Origin"] = "http://evil.example"
    assert (await ann.act("concede")).status_code == 403


@pytest.mark.skipif(NGINX is None, reason="needs nginx")
@pytest.mark.parametrize("public", ["http://cards.example", None])
async def test_people_play_through_nginx(tmp_path: Path, port: int, public: str | None) -> None:
    async with served(tmp_path, public_url=public, proxies=("127.0.0.1",)) as place:
        with running(nginx(tmp_path, port, place), tmp_path, port):
            async with Person(f"127.0.0.1:{port}", "Ann") as ann:
                await play(ann, public or f"http://127.0.0.1:{port}")


async def test_people_learn_that_a_proxy_leaves_out_the_port(tmp_path: Path) -> None:
    async with served(tmp_path, proxies=("127.0.0.1",)) as place, Person(place, "Ann") as ann:
        ann.http.headers["Host"], refusals = "cards.example", []
        for origin in ("https://cards.example:8443", "https://cards.example.evil.example:8443"):
            ann.http.headers["Origin"] = origin
            answer = await ann.http.post("/api/tables", json={})
            assert answer.status_code == 403
            refusals.append(answer.text)
    assert ["drops the port" in text for text in refusals] == [True, False]


@pytest.mark.skipif(CADDY is None, reason="needs Caddy")
async def test_people_play_through_caddy_over_tls(tmp_path: Path, port: int) -> None:
    origin = f"https://localhost:{port}"
    async with served(tmp_path, public_url=origin, proxies=("127.0.0.1",)) as place:
        with running(caddy(tmp_path, port, place), tmp_path, port):
            async with Person(f"localhost:{port}", "Ann", certified(tmp_path, port)) as ann:
                await play(ann, origin)
