"""A proxy in front of a local web server or store that makes a fraction of all requests fail.

It answers with status 500, resets connections before or after the request was done, cuts bodies, or
sends them slowly. It passes heads on unchanged, so signatures stay valid.
"""

import random
import socket
import struct
import threading
import time

FATES = ["500", "reset", "lost answer", "cut body", "slow"]


class Proxy:
    """Passes requests on to a port, of which the given share goes wrong. Counts what it did by its fate."""

    def __init__(self, port, share=0.05, seed=1):
        self.upstream, self.share, self.random = port, share, random.Random(seed)
        self.counts = dict.fromkeys(["sound", *FATES], 0)
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.listen, daemon=True).start()

    def close(self):
        self.listener.close()

    def listen(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def fate(self):
        with self.lock:
            fate = self.random.choice(FATES) if self.random.random() < self.share else "sound"
            self.counts[fate] += 1
            return fate

    def serve(self, client):
        try:
            with client, socket.create_connection(("127.0.0.1", self.upstream)) as server:
                asking, answering = client.makefile("rb"), server.makefile("rb")
                while self.request(client, server, asking, answering):
                    pass
        except OSError:
            pass  # one of both has gone

    def request(self, client, server, asking, answering):
        head = read_head(asking)
        if not head:
            return False
        fate = self.fate()
        length = header(head, b"content-length")
        if fate == "500":
            drop(asking, length)
            client.sendall(b"HTTP/1.1 500 Error\r\nContent-Length: 0\r\n\r\n")
            return True
        if fate == "reset":
            return reset(client)
        server.sendall(head)
        copy(asking, server, length)
        answer = read_head(answering)
        has_body = not head.startswith(b"HEAD ") and answer.split(b" ")[1] not in {b"204", b"304"}
        if fate == "lost answer":
            return reset(client)
        client.sendall(answer)
        length = header(answer, b"content-length") if has_body else 0
        if has_body and header(answer, b"transfer-encoding", True) == b"chunked":
            copy_chunks(answering, client)
            return True
        if fate == "slow":
            copy(answering, client, length // 2)
            time.sleep(0.2)
            copy(answering, client, length - length // 2)
        elif fate == "cut body" and length > 1:
            copy(answering, client, length // 2)
            return False
        else:
            copy(answering, client, length)
        return True


def read_head(stream):
    lines = []
    while line := stream.readline():
        lines.append(line)
        if line == b"\r\n":
            return b"".join(lines)
    return b""


def header(head, name, as_text=False):
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.strip().lower() == name:
            return value.strip().lower() if as_text else int(value)
    return b"" if as_text else 0


def copy(source, sink, length):
    while length > 0:
        part = source.read1(min(length, 1 << 18))
        if not part:
            raise OSError("it ended early")
        sink.sendall(part)
        length -= len(part)


def drop(source, length):
    while length > 0:
        part = source.read1(min(length, 1 << 18))
        if not part:
            raise OSError("it ended early")
        length -= len(part)


def copy_chunks(source, sink):
    while True:
        line = source.readline()
        sink.sendall(line)
        size = int(line.split(b";")[0], 16)
        copy(source, sink, size + 2)
        if size == 0:
            return


def reset(client):
    """Closes a connection so that the other side is told that it was reset."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return False
