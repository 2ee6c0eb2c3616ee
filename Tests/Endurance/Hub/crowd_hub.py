"""Has a crowd use up what a hub has, while an honest client asks it; see crowd-hub.sh."""

import argparse
import json
import random
import resource
import socket
import struct
import threading
import time

import hub as hubs
from web_socket import WebSocket, frame, handshake, logs, sent

HEAD = "POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"


class Crowd:
    """Connections that cost a hub something and are never done."""

    def __init__(self, hub):
        self.hub, self.sockets, self.threads = hub, [], []
        self.is_over = False

    def idle(self, count):
        """Say nothing."""
        self.sockets += [hubs.open_socket(self.hub.port) for _ in range(count)]

    def slow_heads(self, count):
        """Send a head that never ends, a byte at a time (slowloris)."""
        self._drip([
            hubs.open_socket(self.hub.port, HEAD.format(port=self.hub.port).encode())
            for _ in range(count)], b"x")

    def slow_bodies(self, count):
        """Say who they are, and send 10 MB a byte at a time."""
        head = HEAD.format(port=self.hub.port) + (
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
                    self.hub.ask("POST", "/v1/events", body, fields=fields)
                except (OSError, ValueError, hubs.http.client.HTTPException):
                    pass

        for _ in range(count):
            self._start(work)

    def endless_bodies(self, count):
        """Send chunks that never end, to where no token is needed."""
        head = (
            f"POST /v1/auth/device/register HTTP/1.1\r\nHost: 127.0.0.1:{self.hub.port}\r\n"
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
            thread.join(60)


def ask_honestly(checks, hub, name, count=100):
    """Asks by connections of its own. Each is answered, and none is waited for longer than 10 seconds."""
    spent, right = [], 0
    for number in range(count):
        began = time.monotonic()
        try:
            status = hub.ask("GET", ("/v1/overview", "/v1/agents", "/health")[number % 3], timeout=10)[0]
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
    limit = time.monotonic() + 30
    while hub.descriptors > descriptors + 8 and time.monotonic() < limit:
        time.sleep(0.05)
    checks.check(
        hub.descriptors <= descriptors + 8,
        f"{name}: {hub.descriptors} descriptors, {descriptors} before")


def crowds(checks, hub, size):
    token = hub.token
    kinds = {
        "idle connections": lambda crowd: crowd.idle(1000),
        "slow heads": lambda crowd: crowd.slow_heads(size),
        "slow bodies": lambda crowd: crowd.slow_bodies(size // 5),
        "bodies of 10 MB": lambda crowd: crowd.large_bodies(4, token),
        "bodies of 10 MB without a token": lambda crowd: crowd.large_bodies(4, None),
        "bodies without an end": lambda crowd: crowd.endless_bodies(4),
    }
    descriptors = hub.descriptors
    for name, join in kinds.items():
        crowd = Crowd(hub)
        join(crowd)
        ask_honestly(checks, hub, name, 30)
        crowd.leave()
        settle(checks, hub, name, descriptors)
    crowd = Crowd(hub)
    for join in kinds.values():
        join(crowd)
    ask_honestly(checks, hub, "all at once")
    crowd.leave()
    settle(checks, hub, "all at once", descriptors)
    ask_honestly(checks, hub, "alone again", 30)


def storm(checks, hub, sockets, rounds):
    """So many readers of the live stream go at once without a word, and come again."""
    descriptors, spent, memory = hub.descriptors, [], []
    for number in range(rounds):
        began, open_sockets = time.monotonic(), []
        pending = [hubs.open_socket(hub.port, handshake(hub)) for _ in range(sockets)]
        for connection in pending:
            is_open = connection.recv(4096).startswith(b"HTTP/1.1 101 ")
            if checks.check(is_open, f"storm {number}: a socket is not opened"):
                connection.sendall(frame(b'{"type":"subscribe"}'))
                open_sockets.append(connection)
        spent.append(time.monotonic() - began)
        hubs.wait_until("all read", lambda: hub.metric("subscribers") == len(open_sockets))
        memory.append(hub.memory)
        for connection in open_sockets:
            # A reset, as of a machine that went.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
    settle(checks, hub, "storm", descriptors)
    checks.check(hub.metric("subscribers") == 0, "subscribers are left over")
    checks.check(memory[-1] < memory[0] * 1.2 + 4096, f"memory grows: {memory}")
    print(
        f"{rounds} storms of {sockets}: open again in {max(spent):.1f} s at most, "
        f"{memory[0] // 1024} MB in the first, {memory[-1] // 1024} MB in the last")


def too_few_descriptors(checks):
    """A hub that may have 300 descriptors, the usual 64 of them at first, is asked by 1000 at once."""
    scratch = hubs.Scratch()
    hub = hubs.Hub(scratch, descriptors=300)
    hub.start()
    reader = WebSocket(hub)
    reader.subscribed()
    crowd = Crowd(hub)
    crowd.idle(1000)
    ask_honestly(checks, hub, "300 descriptors for 1000", 30)
    sent(hub, logs(1))
    checks.check(next(reader.records())["type"] == "log", "who reads is not let go of")
    crowd.leave()
    ask_honestly(checks, hub, "300 descriptors alone", 10)
    reader.close()
    hub.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("--storms", type=int, required=True)
    options = parser.parse_args()
    random.seed(1)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    checks, scratch = hubs.Checks(), hubs.Scratch()
    hub = hubs.Hub(scratch)
    hub.start()
    ask_honestly(checks, hub, "alone", 30)
    crowds(checks, hub, options.size)
    storm(checks, hub, 1000, options.storms)
    too_few_descriptors(checks)
    checks.check(hub.process.poll() is None, "the hub ended")
    hub.stop()
    checks.end()


main()
