"""A push service for Firefox: browsers connect by Mozilla's autopush protocol, senders by RFC 8030."""
import base64
import hashlib
import http.server
import json
import threading
import uuid

import py_vapid

import place  # noqa: F401  It adds the folder of web_socket to the path.
from web_socket import frame


class Autopush:
    """The service, at one port for browsers and senders. It is its browsers' proxy too, and refuses every request."""

    def __init__(self):
        self.browsers, self.subscriptions, self.received, self.answers = {}, {}, [], []
        self.changed = threading.Lock()
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if self.path != "/" or self.headers.get("Upgrade") != "websocket":
                    return self.answer(404)
                accept = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
                self.send_response(101)
                self.send_header("Upgrade", "websocket")
                self.send_header("Connection", "Upgrade")
                self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(accept.encode()).digest()).decode())
                if "Sec-WebSocket-Protocol" in self.headers:
                    self.send_header("Sec-WebSocket-Protocol", self.headers["Sec-WebSocket-Protocol"])
                self.end_headers()
                self.close_connection = True
                Connection(service, self.rfile, self.connection).serve()

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                fields = {name.lower(): value for name, value in self.headers.items()}
                self.answer(service.accept(self.path, fields, body))

            def answer(self, status):
                service.answers.append((self.command, self.path, status))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def accept(self, path, fields, body):
        """Takes a message of a sender, and passes it to the browser; returns the status."""
        channel, key = self.subscriptions.get(path, (None, None))
        if not channel:
            return 410
        sender = fields.get("authorization", "")
        if not py_vapid.Vapid02.verify(sender) or sender.split("k=")[1] != key.rstrip("="):
            return 401
        if "ttl" not in fields or fields.get("content-encoding") != "aes128gcm":
            return 400
        for browser in list(self.browsers.values()):
            browser.send({
                "messageType": "notification", "channelID": channel, "version": uuid.uuid4().hex,
                "data": base64.urlsafe_b64encode(body).decode().rstrip("="),
                "headers": {"encoding": fields["content-encoding"]}})
        return 201

    def forget(self):
        """Loses every browser and its subscriptions, as a service that lost its store."""
        with self.changed:
            lost = list(self.browsers.values())
            self.browsers.clear()
            self.subscriptions.clear()
        for browser in lost:
            browser.close()

    def of(self, kind):
        """The messages of that type which browsers sent."""
        return [message for message in list(self.received) if message.get("messageType") == kind]


class Connection:
    """A browser's connection."""

    def __init__(self, service, source, socket):
        self.service, self.source, self.socket = service, source, socket

    def serve(self):
        """Answers until the browser disconnects."""
        try:
            while (message := self.read()) is not None:
                self.service.received.append(message)
                if (answer := self.answer(message)) is not None:
                    self.send(answer)
        except (OSError, ValueError):
            pass

    def answer(self, message):
        kind, channel, service = message.get("messageType"), message.get("channelID"), self.service
        if kind == "hello":
            with service.changed:
                known = message.get("uaid")
                if known not in service.browsers:
                    known = uuid.uuid4().hex
                service.browsers[known] = self
            return {"messageType": kind, "uaid": known, "status": 200, "use_webpush": True, "broadcasts": {}}
        if kind == "register":
            # A request that is sent twice gets one subscription.
            path = f"/wpush/v2/{channel}"
            with service.changed:
                service.subscriptions[path] = (channel, message["key"])
            return {"messageType": kind, "channelID": channel, "status": 200,
                    "pushEndpoint": f"http://127.0.0.1:{service.port}{path}"}
        if kind == "unregister":
            with service.changed:
                for path in [path for path, each in service.subscriptions.items() if each[0] == channel]:
                    del service.subscriptions[path]
            return {"messageType": kind, "channelID": channel, "status": 200}
        # An empty message is a ping, and its answer.
        return None if kind else {}

    def read(self):
        """The next message; None once the browser has closed."""
        while True:
            head = self.source.read(2)
            if len(head) < 2 or head[0] & 15 == 8:
                return None
            size = head[1] & 127
            if size > 125:
                size = int.from_bytes(self.source.read(2 if size == 126 else 8), "big")
            mask = self.source.read(4)
            payload = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.source.read(size)))
            if head[0] & 15 == 1:
                return json.loads(payload)

    def send(self, message):
        self.socket.sendall(frame(json.dumps(message).encode(), is_masked=False))

    def close(self):
        self.socket.shutdown(2)
