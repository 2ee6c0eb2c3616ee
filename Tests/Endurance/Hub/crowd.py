"""Crowds that use up what a hub has, and a client that asks it meanwhile."""

import json
import threading
import time

import hub as hubs

PATHS = "/v1/overview", "/v1/agents", "/health"


class Crowd:
    """Connections that cost a hub something and are never done."""

    def __init__(self, hub, path="/v1/events"):
        self.hub, self.path, self.sockets, self.threads = hub, path, [], []
        self.head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n"
        self.is_over = False

    def idle(self, count):
        """Say nothing."""
        self.sockets += [hubs.open_socket(self.hub.port) for _ in range(count)]

    def slow_heads(self, count):
        """Send a head that never ends, a byte at a time (slowloris)."""
        self._drip([
            hubs.open_socket(self.hub.port, self.head.encode())
            for _ in range(count)], b"x")

    def slow_bodies(self, count):
        """Say who they are, and send 10 MB a byte at a time."""
        head = self.head + (
            f"Authorization: Bearer {self.hub.token}\r\nContent-Length: 10000000\r\n\r\n")
        self._drip(
            [hubs.open_socket(self.hub.port, head.encode() + b"\n" * 100_000)
             for _ in range(count)], b"\n")

    def _drip(self, sockets, byte):
        def work():
            while not self.is_over:
                for connection in sockets:
                    try:
                        connection.send(byte)
                    except OSError:
                        pass
                time.sleep(0.2)

        self.sockets += sockets
        self._start(work)

    def large_bodies(self, count, token):
        """Send 10 MB, again and again, by a token or none."""
        line = json.dumps({
            "type": "log", "ts": 1, "agentId": "a", "level": "debug", "message": "x" * 4000})
        body = (line + "\n").encode() * (10_000_000 // (len(line) + 1))
        fields = {"Authorization": f"Bearer {token}"} if token else {}

        def work():
            while not self.is_over:
                try:
                    self.hub.ask("POST", self.path, body, fields=fields)
                except (OSError, ValueError, hubs.http.client.HTTPException):
                    pass

        for _ in range(count):
            self._start(work)

    def endless_bodies(self, count, path="/v1/auth/device/register"):
        """Send chunks that never end, to where no token is needed."""
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.hub.port}\r\n"
            "Transfer-Encoding: chunked\r\n\r\n").encode()
        chunk = b"10000\r\n" + b" " * (1 << 16) + b"\r\n"

        def work():
            while not self.is_over:
                try:
                    with hubs.open_socket(self.hub.port, head, 10) as connection:
                        for _ in range(160):
                            connection.sendall(chunk)
                except OSError:
                    pass

        for _ in range(count):
            self._start(work)

    def _start(self, work):
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        self.threads.append(thread)

    def leave(self):
        self.is_over = True
        for connection in self.sockets:
            connection.close()
        for thread in self.threads:
            thread.join(300)


def ask_honestly(checks, hub, name, count=100, paths=PATHS, fields=None):
    """Asks by connections of its own. Each is answered, and none is waited for longer than 25 seconds."""
    spent, right = [], 0
    for number in range(count):
        began = time.monotonic()
        try:
            status = hub.ask("GET", paths[number % len(paths)], timeout=25, fields=fields)[0]
        except OSError as error:
            status = error
        right += checks.check(status == 200, f"{name}: answer {number} is {status}")
        spent.append(time.monotonic() - began)
    spent.sort()
    print(
        f"{name}: {right} of {count} answers, median {spent[count // 2] * 1000:.0f} ms, "
        f"longest {spent[-1] * 1000:.0f} ms; {hub.descriptors} descriptors, "
        f"{hub.memory // 1024} MB", flush=True)


def settle(checks, hub, name, descriptors):
    """What a crowd took is given back once it is gone."""
    limit = time.monotonic() + 55
    while hub.descriptors > descriptors + 8 and time.monotonic() < limit:
        time.sleep(0.05)
    checks.check(
        hub.descriptors <= descriptors + 8,
        f"{name}: {hub.descriptors} descriptors, {descriptors} before")
