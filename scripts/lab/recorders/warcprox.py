"""warcprox, a recording proxy: gzip and plain, with its own store of duplicates."""

import contextlib
import signal
import socket
import subprocess
import time
from urllib.parse import urlsplit

from .cases import DUPLICATES, HEAD_PATHS, PATHS
from .family import INSIDE, PATIENCE, RecorderFailed
from .install import WARCPROX, environment, packages


def record(recording):
    python = packages(recording.installed, "warcprox", WARCPROX) / "python"
    for name, options in [("gz", ["--gzip", "--base32"]), ("plain", [])]:
        folder = recording.out / name
        folder.mkdir()
        with running(python, folder, options) as proxy:
            for url in recording.urls(HEAD_PATHS):
                fetch(proxy, "HEAD", url)
            for url in recording.urls(PATHS):
                if url.endswith(DUPLICATES[0]):
                    # Another thread adds written records to the store of duplicates a little later.
                    time.sleep(5)
                fetch(proxy, "GET", url)
        for number, path in enumerate(sorted(folder.glob("*.warc*"))):
            kept = f"{name}-{number}.warc" + (".gz" if path.suffix == ".gz" else "")
            path.rename(recording.out / kept)
            recording.add(kept, WARCPROX[0])


@contextlib.contextmanager
def running(python, folder, options):
    """A proxy while the `with` lasts; gives its port. At its end all records are written."""
    port = free_port()
    command = [python, INSIDE / "warcprox_local.py", "--port", port, "--address", "127.0.0.1", "--dir", "."]
    command += ["--stats-db-file", "/dev/null", "--dedup-db-file", "dedup.sqlite"]
    with open(folder / "warcprox.log", "wb") as log:
        process = subprocess.Popen([str(part) for part in command + options], cwd=folder, env=environment(), stdout=log, stderr=log)
        try:
            wait_for(port, process)
            yield port
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    for _ in range(600):
        if process.poll() is not None:
            raise RecorderFailed(f"warcprox ended with {process.returncode} before it listened")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise RecorderFailed("warcprox does not listen")


def fetch(port, method, url):
    """Asks the proxy for a page. The answer is read to its end and not looked at: the record is what counts."""
    request = f"{method} {url} HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(request.encode())
        with contextlib.suppress(OSError):
            while connection.recv(1 << 16):
                pass
