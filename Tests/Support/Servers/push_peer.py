"""Receivers of alerts on 127.0.0.1, for tests: an HTTP server, and an SMTP server of aiosmtpd.

The HTTP server takes ntfy's JSON at `/` and alerts at every other path. With --secret, it has
`standardwebhooks` verify each of those. A path or a topic says what the answer is: `s410` is that
status, as is `s410-X`, `s429once` the status for its first request only, `silent` is no answer, `cut` half of one, and
`drop` none but the end of the connection. `slack` and `discord` accept and refuse bodies as the
incoming webhooks of these services do. The ready line names both ports. The log has a line for each
request and for each mail; of the header fields, it has those that the protocols define.
"""

import argparse
import asyncio
import email
import email.policy
import json
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FIELDS = ("authorization", "content-type", "webhook-id", "webhook-timestamp", "webhook-signature")


def slack(body):
    """Needs a text or blocks; ignores members that it does not know."""
    if not body.get("text") and not body.get("blocks") and not body.get("attachments"):
        return 400, b"missing_text_or_fallback_or_attachments"
    if not isinstance(body.get("text", ""), str) or len(body["text"]) > 40_000:
        return 400, b"invalid_payload"
    return 200, b"ok"


def discord(body):
    """Needs a content of at most 2,000 code points, or embeds; ignores members that it does not know."""
    content = body.get("content", "")
    if not isinstance(content, str) or len(content) > 2000:
        return 400, {"content": ["Must be 2000 or fewer in length."]}
    if not content.strip() and not body.get("embeds"):
        return 400, {"message": "Cannot send an empty message", "code": 50006}
    return 204, b""


CHATS = {"slack": slack, "discord": discord}


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A sender that is killed is no error."""


class Log:
    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()

    def write(self, **members):
        with self.lock, open(self.path, "a", encoding="utf-8") as log:
            log.write(json.dumps(members, sort_keys=True) + "\n")


class Mailbox:
    """What aiosmtpd calls for each mail."""

    def __init__(self, log):
        self.log = log

    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.original_content, policy=email.policy.default)
        recipient = envelope.rcpt_tos[0]
        if recipient.startswith("full@"):
            return "452 4.2.2 The mailbox is full"
        if recipient.startswith("nobody@"):
            return "550 5.1.1 No such mailbox"
        fields = [[name.lower(), str(value)] for name, value in mail.items()]
        kept = [field for field in fields if field[0] not in ("date", "message-id", "received")]
        self.log.write(
            type="mail", to=envelope.rcpt_tos, fields=kept, text=mail.get_content(),
            defects=[str(defect) for defect in mail.defects])
        return "250 OK"


def handler(log, verify):
    seen = set()
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            fields = {name: self.headers[name] for name in FIELDS if self.headers[name]}
            value = json.loads(body)
            word = value.get("topic", "") if self.path == "/" else self.path.strip("/")
            with lock:
                is_first = word not in seen
                seen.add(word)
            verified = verify(body, fields) if verify and self.path != "/" else None
            log.write(
                type="request", path=self.path, fields=fields, body=value, verified=verified,
                at=time.time())
            self.behave(word, is_first, value)

        def behave(self, word, is_first, value):
            found = re.match(r"s(\d{3})(once)?(-.*)?$", word)
            if word == "silent":
                time.sleep(300)
            elif word in ("cut", "drop"):
                if word == "cut":
                    self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{")
                self.close_connection = True
            elif word in CHATS:
                self.answer(*CHATS[word](value))
            elif found and (not found[2] or is_first):
                self.answer(int(found[1]), {"error": f"the answer at {self.path} is {found[1]}\x1b[1m"})
            else:
                self.answer(200, {"id": "1"})

        def answer(self, status, value):
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            if status == 429:
                self.send_header("retry-after", "1")
            self.end_headers()
            self.wfile.write(data)

    return Handler


def verifier(secret):
    from standardwebhooks.webhooks import Webhook, WebhookVerificationError

    webhook = Webhook(secret)

    def verify(body, fields):
        try:
            webhook.verify(body, fields)
            return True
        except WebhookVerificationError:
            return False

    return verify


def serve_mail(mailbox):
    """Takes mail on a thread of its own; returns the port."""
    from aiosmtpd.smtp import SMTP

    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(
        loop.create_server(lambda: SMTP(mailbox, hostname="mail.example"), "127.0.0.1", 0))
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return server.sockets[0].getsockname()[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    parser.add_argument("--secret")
    parser.add_argument("--mail", action="store_true")
    arguments = parser.parse_args()
    log = Log(arguments.log)
    verify = verifier(arguments.secret) if arguments.secret else None
    server = Server(("127.0.0.1", 0), handler(log, verify))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    ports = {"port": server.server_address[1]}
    if arguments.mail:
        ports["smtp"] = serve_mail(Mailbox(log))
    print(json.dumps(ports), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
