"""A server on the loopback interface that sends the exact bytes of the cases.

It closes the connection after each."""

import contextlib
import socket
import socketserver
import threading
from urllib.parse import unquote

from .cases import CASES

# Recorders differ in the letters of a path that they escape.
BY_PATH = {unquote(case.path): case for case in CASES}
NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nno case\r\n\n"


class Handler(socketserver.StreamRequestHandler):
    timeout = 30

    def handle(self):
        with contextlib.suppress(OSError):
            request = self.rfile.readline(1 << 16).split()
            while self.rfile.readline(1 << 16).strip():
                pass
            if len(request) < 2:
                return
            method, path = request[0], request[1].decode("latin-1")
            case = BY_PATH.get(unquote(path))
            wire = case.wire if case else NOT_FOUND
            if method == b"HEAD":
                head, blank, _ = wire.partition(b"\r\n\r\n")
                wire = head + blank
            # The end of the connection goes out with the last bytes, so clients cannot take the
            # connection for an open one.
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
            self.wfile.write(wire)
            self.connection.shutdown(socket.SHUT_WR)


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 64


@contextlib.contextmanager
def serving():
    """Gives the address of a server that runs until the end of the `with`, as in `http://127.0.0.1:12345`."""
    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
