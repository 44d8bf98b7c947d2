"""A server that takes documents by the rules of Vespa's interface /document/v1, and stores them.

It refuses what Vespa's documentation says that Vespa refuses: fields that the schema lacks, values
of other types, and characters that are not text."""

import asyncio
import gzip
import json
import re
import socket
import threading

# What Vespa does not take in strings.
NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufdd0-\ufddf" + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17)) + "]")
PLACE = re.compile(r"/document/v1/(\w+)/(\w+)/docid/(.+)")


def problem(value, kind):
    """Says why a value is not one of a field's type."""
    if kind.startswith("array<"):
        inner = kind[len("array<") : -1]
        return "not a list" if not isinstance(value, list) else next(filter(None, (problem(item, inner) for item in value)), None)
    if kind == "int":
        return None if type(value) is int and -(2**31) <= value < 2**31 else "not an int"
    if not isinstance(value, str):
        return "not a string"
    return "characters that are not text" if NO_TEXT.search(value) else None


class VespaServer:
    """Serves on a free port of this machine while its block runs."""

    def __init__(self, schema):
        self.documents, self.refused = {}, []
        self._type = re.search(r"schema (\w+)", schema)[1]
        self._fields = dict(re.findall(r"field (\w+) type (\S+)", schema))

    def __enter__(self):
        # `vespa feed` speaks HTTP/2.
        from hypercorn.asyncio import serve
        from hypercorn.config import Config

        listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        config = Config()
        config.bind = [f"fd://{listener.detach()}"]
        config.errorlog = None
        self._loop, self._stop = asyncio.new_event_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=[serve(self._answer, config, shutdown_trigger=self._stop.wait)])
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    async def _answer(self, scope, receive, send):
        if scope["type"] != "http":
            return
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        if dict(scope["headers"]).get(b"content-encoding") == b"gzip":
            body = gzip.decompress(body)
        why = self._take(scope["method"], scope["path"], body)
        if why is not None:
            self.refused.append((scope["path"], why))
        answer = {"pathId": scope["path"], **({"message": why} if why else {})}
        await send({"type": "http.response.start", "status": 400 if why else 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": json.dumps(answer).encode()})

    def _take(self, method, path, body):
        """Does what a request asks for, or says why not."""
        place = PLACE.fullmatch(path)
        if place is None or place[2] != self._type:
            return "no such document type"
        if method == "DELETE":
            self.documents.pop(place[3], None)
            return None
        document = json.loads(body)
        if method != "POST" or list(document) != ["fields"]:
            return "neither a put nor a remove"
        for name, value in document["fields"].items():
            why = f"no field {name}" if name not in self._fields else problem(value, self._fields[name])
            if why:
                return f"{name}: {why}"
        self.documents[place[3]] = document["fields"]
        return None
