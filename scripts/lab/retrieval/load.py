"""Queries `huller serve` like many clients at once, and prints the times of the answers.

    scripts/lab/run serve-load [--clients 200] [--seconds 60]

That command runs `python3 -m retrieval.load PROGRAM OUT CLIENTS SECONDS ARCHIVE...`, which needs
only the standard library.

Each client keeps a connection and sends one request after another. Most are searches of a word,
taken at random from the rows, so frequent words come often. Every fifth request is the page of a
row that the client has just found, and a few are the front page. Clients and server share the
machine, so the times are those of both. Exit status 1 if a client gets a wrong answer, or no rows
where there must be some.
"""

from __future__ import annotations

import asyncio
import html
import random
import re
import subprocess
import sys
import time
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path

from retrieval.program import Huller

PATIENCE = 30.0


@dataclass
class Told:
    times: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    bytes: int = 0
    connections: int = 0


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, target: str) -> tuple[int, bytes, bool]:
    """The status, the body, and whether the connection stays."""
    writer.write(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    await writer.drain()
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower().split("\r\n")
    fields = dict(line.split(": ", 1) for line in head[1:] if ": " in line)
    body = await reader.readexactly(int(fields["content-length"]))
    return int(head[0].split()[1]), body, fields.get("connection") != "close"


async def client(host: str, words: list[str], until: float, told: Told, seed: int) -> None:
    dice = random.Random(seed)
    name, port = host.split(":")
    connection = None
    links: list[str] = []
    while time.monotonic() < until:
        chance = dice.random()
        if chance < 0.2 and links:
            target = dice.choice(links)
        elif chance < 0.25:
            target = "/"
        else:
            target = f"/?q={urllib.parse.quote(dice.choice(words))}"
        began = time.monotonic()
        try:
            if connection is None:
                connection = await asyncio.wait_for(asyncio.open_connection(name, int(port)), PATIENCE)
                told.connections += 1
            status, body, stays = await asyncio.wait_for(ask(*connection, host, target), PATIENCE)
        except (OSError, EOFError, TimeoutError, asyncio.TimeoutError, KeyError) as error:
            told.faults.append(f"{target}: {error!r}")
            connection = None
            continue
        told.times.append(time.monotonic() - began)
        told.bytes += len(body)
        if target.startswith("/?"):
            links = [html.unescape(link) for link in re.findall(r'href="(/row[^"]*)"', body.decode())]
        if status != 200 or (target.startswith("/?") and not links):
            told.faults.append(f"{target}: status {status}, {len(body)} bytes")
        if not stays:
            connection[1].close()
            connection = None
    if connection is not None:
        connection[1].close()


async def load(host: str, words: list[str], clients: int, seconds: float) -> Told:
    told, until = Told(), time.monotonic() + seconds
    await asyncio.gather(*(client(host, words, until, told, seed) for seed in range(clients)))
    return told


def main(program: Path, out: Path, clients: int, seconds: float, archives: list[Path]) -> int:
    huller = Huller(program)
    rows = huller.rows(archives, out / "rows")
    index = out / "index"
    huller.run("index", out / "rows", "-o", index, "--overwrite", "-q")
    words = [word for row in rows for word in row["text"].split() if len(word) > 4 and word.isalpha()]
    words = random.Random(1).sample(words, min(len(words), 100_000))
    server = subprocess.Popen([program, "serve", out / "rows", "--index", index, "--address", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        host = urllib.parse.urlsplit(server.stderr.readline().strip()).netloc
        told = asyncio.run(load(host, words, clients, seconds))
        status = Path(f"/proc/{server.pid}/status").read_text().split("\n")
        memory = next(line.split(":")[1].strip() for line in status if line.startswith("VmHWM"))
    finally:
        server.terminate()
        server.wait()
    times = sorted(told.times)
    for fault in told.faults[:10]:
        print(fault)
    part = lambda share: times[min(len(times) - 1, int(share * len(times)))] * 1e3 if times else float("nan")
    print(f"{clients} clients for {seconds:.0f} s over {len(rows)} rows: {len(times)} answers, {told.connections} connections, {len(told.faults)} faults")
    print(f"{len(times) / seconds:.0f} answers a second; median {part(0.5):.1f} ms, p99 {part(0.99):.1f} ms, longest {part(1):.1f} ms; {memory} of memory")
    return 1 if told.faults or not times else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), [Path(archive) for archive in sys.argv[5:]]))
