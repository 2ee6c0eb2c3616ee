"""A WebSocket's client that can be as wrong as one likes (RFC 6455)."""

import base64
import json
import os
import socket
import struct

import hub as hubs


def handshake(hub, query="?protocol=1", *fields):
    """The request that asks for a WebSocket (RFC 6455 section 4.1)."""
    key = base64.b64encode(os.urandom(16)).decode()
    return "\r\n".join((
        f"GET /v1/stream{query} HTTP/1.1", f"Host: 127.0.0.1:{hub.port}", "Upgrade: websocket",
        "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13",
        f"Authorization: Bearer {hub.token}", *fields, "", "")).encode()


def frame(payload, opcode=1, final=True, length=None, reserved=0, is_masked=True):
    """A frame as a client sends it; `length` is what its head says, where that is not true."""
    size = len(payload) if length is None else length
    bit = 0x80 if is_masked else 0
    head = bytes([opcode | reserved | (0x80 if final else 0)])
    if size < 126:
        head += bytes([bit | size])
    elif size < 1 << 16:
        head += bytes([bit | 126]) + struct.pack(">H", size)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", size)
    # A mask of zeros leaves what it masks as it is.
    return head + (b"\0\0\0\0" if is_masked else b"") + payload


class WebSocket:
    """An open connection to a hub's live stream."""

    def __init__(self, hub, query="?protocol=1", buffer=None, fields=()):
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(300)
        self.socket.connect(("127.0.0.1", hub.port))
        self.socket.sendall(handshake(hub, query, *fields))
        self.held = b""
        while b"\r\n\r\n" not in self.held:
            data = self.socket.recv(4096)
            if not data:
                break
            self.held += data
        self.head, _, self.held = self.held.partition(b"\r\n\r\n")
        self.status = int(self.head.split()[1])
        self.closed = None

    def send(self, payload, **options):
        if not isinstance(payload, bytes):
            payload = (payload if isinstance(payload, str) else json.dumps(payload)).encode()
        try:
            self.socket.sendall(frame(payload, **options))
        except OSError:
            pass

    def frames(self):
        """What comes, as opcodes and payloads, until it is closed."""
        while self.closed is None:
            while (found := self._next()) is None:
                try:
                    data = self.socket.recv(1 << 20)
                except ConnectionResetError:
                    data = b""
                if not data:
                    self.closed = self.closed or 1006
                    return
                self.held += data
            opcode, payload = found
            if opcode == 8:
                self.closed = struct.unpack(">H", payload[:2])[0] if payload else 1005
                return
            if opcode == 9:
                self.send(payload, opcode=10)
            yield opcode, payload

    def _next(self):
        if len(self.held) < 2:
            return None
        size, start = self.held[1] & 0x7F, 2
        if size > 125:
            start = 4 if size == 126 else 10
            if len(self.held) < start:
                return None
            size = int.from_bytes(self.held[2:start], "big")
        if len(self.held) < start + size:
            return None
        opcode, payload = self.held[0] & 15, self.held[start:start + size]
        self.held = self.held[start + size:]
        return opcode, payload

    def records(self):
        """The records that come, those aside that say that it lives."""
        for opcode, payload in self.frames():
            if opcode == 1:
                for line in payload.decode().split("\n"):
                    record = json.loads(line)
                    if record["type"] != "ping":
                        yield record

    def subscribed(self, **members):
        """Subscribes, and waits for the answer."""
        self.send({"type": "subscribe", "maxEventsPerSecond": 1_000_000} | members)
        for record in self.records():
            if record["type"] in ("subscribed", "error"):
                return record
        return None

    def close_code(self):
        """Reads to the end. Gives the code of the close."""
        for _ in self.frames():
            pass
        return self.closed

    def close(self):
        self.socket.close()


def logs(count, size=0, agent="a", first=0):
    """A body of so many logs."""
    return "\n".join(json.dumps({
        "type": "log", "ts": 1, "agentId": agent, "level": "info",
        "message": f"line {first + number} {'x' * size}"}) for number in range(count))


def sent(hub, body):
    """Sends events. Gives what the hub answers, or ends the script."""
    status, answer = hub.ask("POST", "/v1/events", body)
    if status != 200:
        hubs.sys.exit(f"events are answered with {status}: {answer}")
    return answer
