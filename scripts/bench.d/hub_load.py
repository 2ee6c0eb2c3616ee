"""What `scripts/bench hub` loads a hub with: a hub, who posts to it, and many who read of it.

The readers count bytes alone, by one epoll for all of them, so that they are the same work whoever
sends: a hub, or the peer that is measured beside it.
"""

import atexit
import base64
import json
import multiprocessing
import os
import pathlib
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

from measure import anonymous_kilobytes

BATCH = 1000
SESSION = "019c8e5a-3a01-7000-8000-000000000002"


def event(number, level=None, message=None):
    """An event as event-log-bench makes them: nine logs of some 200 bytes to one call of a tool."""
    head = {"agentId": f"agent-{number % 20}", "sessionId": SESSION, "swarmId": "review",
            "ts": time.time_ns() // 1_000_000}
    if number % 10 or message:
        level = level or ("error" if number % 500 == 1 else "info")
        text = f"line {number} of what the command prints while it works on the files"
        body = {"type": "log", "level": level, "message": message or text}
    else:
        body = {"type": "traceEvent", "name": "execute_tool", "phase": "end", "skillId": "Bash",
                "spanId": f"00000000{10_000_000 + number}", "attrs": {
                    "agentpipes.duration_ms": 12, "gen_ai.operation.name": "execute_tool"}}
    return json.dumps(head | body, sort_keys=True, separators=(",", ":")).encode()


def batches(count):
    """Bodies of so many events, a thousand each."""
    return [b"\n".join(event(number) for number in range(first, min(first + BATCH, count))) + b"\n"
            for first in range(0, count, BATCH)]


def processor_seconds(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


children = []


def start(command, **options):
    """Starts a program that ends with this one at the latest."""
    process = subprocess.Popen(command, **options)
    children.append(process)
    return process


@atexit.register
def end_children():
    for process in children:
        if process.poll() is None:
            process.kill()


class Hub:
    """A hub in a folder of its own, and how long it took until it listened."""

    def __init__(self, tool, home, *options):
        self.home = pathlib.Path(home)
        self.home.mkdir(parents=True, exist_ok=True)
        began = time.perf_counter()
        self.process = start(
            [tool, "--listen", "127.0.0.1:0", *options], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=os.environ | {"AGENTPIPES_HOME": str(home)})
        for line in self.process.stderr:
            if b"listening on" in line:
                break
        else:
            sys.exit(f"measure: '{tool}' does not start")
        self.started = time.perf_counter() - began
        self.url = line.split()[-1].decode()
        self.port = int(self.url.rpartition(":")[2])
        self.token = next(self.home.rglob("hub.token")).read_text().strip()
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    @property
    def anonymous(self):
        return anonymous_kilobytes(self.process.pid)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait()
        self.process.stderr.close()


def many_files():
    """Lets this process, and those that it starts, have as many sockets as they may."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Client:
    """A connection to a hub that sends requests and waits for each answer."""

    def __init__(self, hub):
        self.head = f"Host: 127.0.0.1:{hub.port}\r\nAuthorization: Bearer {hub.token}\r\n".encode()
        self.socket = socket.create_connection(("127.0.0.1", hub.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.waiting = b""

    def request(self, method, path, body=b""):
        head = f"{method} {path} HTTP/1.1\r\n".encode() + self.head
        self.socket.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        while b"\r\n\r\n" not in self.waiting:
            self.more()
        head, _, self.waiting = self.waiting.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        length = int(fields[b"content-length"])
        while len(self.waiting) < length:
            self.more()
        answer, self.waiting = self.waiting[:length], self.waiting[length:]
        status = int(head.split(b" ", 2)[1])
        return status, answer

    def more(self):
        received = self.socket.recv(1 << 20)
        if not received:
            raise ConnectionError("the hub is gone")
        self.waiting += received

    def post(self, body, path="/v1/events"):
        """Posts events; how many were taken. A hub that is busy is asked again."""
        while True:
            status, answer = self.request("POST", path, body)
            if status == 200:
                return json.loads(answer)["accepted"]
            if status not in (429, 503):
                sys.exit(f"measure: a POST was answered with {status}: {answer.decode()}")
            time.sleep(0.01)

    def get(self, path):
        status, answer = self.request("GET", path)
        if status != 200:
            sys.exit(f"measure: '{path}' was answered with {status}: {answer.decode()}")
        return answer


def post_all(hubs, bodies, clients):
    """Posts bodies by so many clients at once, to hubs in turn; how many events were taken in how many seconds."""
    waiting, taken = iter(bodies), [0] * clients
    lock = threading.Lock()

    def work(index):
        client = Client(hubs[index % len(hubs)])
        while True:
            with lock:
                body = next(waiting, None)
            if body is None:
                return
            taken[index] += client.post(body)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(clients)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(taken), time.perf_counter() - began


def text_frame(payload):
    """A masked frame, as a client sends it; the mask is of zeros."""
    length = len(payload)
    size = (struct.pack("!B", 0x80 | length) if length < 126 else
            struct.pack("!BH", 0x80 | 126, length))
    return b"\x81" + size + bytes(4) + payload


def frame_size(length):
    """How many bytes a server's message is on the wire; for those under 64 kB."""
    return length + (4 if length > 125 else 2)


def frames(buffer):
    """The payloads of the whole text frames in what a server sent, and what is left."""
    found, at = [], 0
    while len(buffer) - at >= 2:
        length, start = buffer[at + 1] & 127, at + 2
        if length >= 126:
            wide = 2 if length == 126 else 8
            if len(buffer) < start + wide:
                break
            length = int.from_bytes(buffer[start:start + wide], "big")
            start += wide
        if len(buffer) < start + length:
            break
        if buffer[at] & 15 == 1:
            found.append(buffer[start:start + length])
        at = start + length
    return found, buffer[at:]


class Tally:
    """What of the events that were posted a reader was given, and what it was told that it was not."""

    def __init__(self):
        self.lines = self.left_out = self.gaps = 0

    @property
    def total(self):
        return self.lines + self.left_out

    def add(self, line):
        """Counts a line; its message, where it has one."""
        record = json.loads(line)
        if record["type"] == "suppressed":
            self.left_out += record["count"]
        elif record["type"] == "gap":
            self.gaps += 1
        # Alerts are the hub's own, and one event is posted behind the others.
        elif record["type"] not in ("alert", "ping") and record.get("message") != "the last one":
            self.lines += record.get("count", 1)
        return record.get("message")


class Readers:
    """So many WebSockets in a process of their own, which counts what comes by one epoll."""

    def __init__(self, port, path, fields, count, subscribe=None):
        self.count = count
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(
            target=self.work, args=(other, port, path, fields, subscribe), daemon=True)
        self.process.start()
        other.close()
        self.pipe.recv()

    def expect(self, size):
        """From now on, so many bytes are to come to each."""
        self.pipe.send(size)
        self.pipe.recv()

    def done(self):
        """When the last one had them all, on the clock of all processes, and what one of them read."""
        return self.pipe.recv()

    def end(self):
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def work(self, pipe, port, path, fields, subscribe):
        sockets = [self.open(index, port, path, fields, subscribe) for index in range(self.count)]
        pipe.send("open")
        while True:
            try:
                size = pipe.recv()
            except EOFError:
                return
            self.count_bytes(sockets, size, pipe)

    def open(self, index, port, path, fields, subscribe):
        # An address has 28,000 ports for one place.
        near = socket.socket()
        near.bind((f"127.0.0.{2 + index // 4000}", 0))
        near.connect(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        near.sendall((
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            f"{fields}\r\n").encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.received(near)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            sys.exit(f"measure: {answer.decode()}")
        rest = answer.partition(b"\r\n\r\n")[2]
        if subscribe:
            near.sendall(text_frame(subscribe))
            while b'"subscribed"' not in rest:
                rest += self.received(near)
        near.setblocking(False)
        return near

    @staticmethod
    def received(near):
        received = near.recv(4096)
        if not received:
            sys.exit("measure: a WebSocket was closed")
        return received

    @staticmethod
    def count_bytes(sockets, size, pipe):
        poll = select.epoll()
        left = {}
        of = {}
        for near in sockets:
            poll.register(near, select.EPOLLIN)
            left[near.fileno()], of[near.fileno()] = size, near
        first, sample = sockets[0].fileno(), b""
        buffer = memoryview(bytearray(1 << 20))
        waiting = len(sockets)
        pipe.send("ready")
        while waiting:
            for number, _ in poll.poll():
                count = of[number].recv_into(buffer)
                if not count:
                    sys.exit("measure: a WebSocket was closed")
                if number == first:
                    sample += buffer[:count]
                before = left[number]
                left[number] = before - count
                if before > 0 >= before - count:
                    waiting -= 1
        at = time.monotonic()
        poll.close()
        pipe.send((at, sample))
