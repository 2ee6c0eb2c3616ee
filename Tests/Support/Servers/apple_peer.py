"""Apple's push service on 127.0.0.1, for tests: HTTP/2 over TLS alone, by `h2`, as its documentation has it.

    apple_peer.py --folder FOLDER [--log FILE]

It makes a certificate for localhost (cert.pem) and a key of a developer (key.p8) in the folder. The first digit of a
device's token says what the answer is: a is 200, b is 410, c is 400 `BadDeviceToken`, d is 429 once, e is 503, f is 403
`ExpiredProviderToken` once. The ready line names the port. The log has a line for each request, with the claims of its
token, which it verifies; tokens that are used again are numbered alike.
"""

import argparse
import base64
import json
import pathlib
import socket
import ssl
import subprocess
import sys
import threading

import h2.config
import h2.connection
import h2.events
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

ANSWERS = {"a": (200, None), "b": (410, "Unregistered"), "c": (400, "BadDeviceToken"), "d": (429, "TooManyRequests"),
           "e": (503, "ServiceUnavailable"), "f": (403, "ExpiredProviderToken")}


def bare(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Service:
    def __init__(self, folder, log):
        self.log, self.lock, self.seen, self.tokens = log, threading.Lock(), set(), []
        self.certificate, self.keys = folder / "cert.pem", folder / "key.p8"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "tls.pem",
             "-out", self.certificate], check=True, capture_output=True)
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.keys.touch(mode=0o600)
        self.keys.write_bytes(self.private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, folder / "tls.pem")
        self.context.set_alpn_protocols(["h2"])

    def claims(self, field):
        """The header and the claims of a token, once its signature holds."""
        head, claims, signature = field.removeprefix("bearer ").split(".")
        raw = bare(signature)
        pair = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        self.private.public_key().verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        found = json.loads(bare(claims))
        found["iat"] = type(found["iat"]).__name__
        return json.loads(bare(head)) | found

    def answer(self, fields, body):
        device = fields[":path"].rsplit("/", 1)[-1]
        with self.lock:
            token = fields["authorization"]
            if token not in self.tokens:
                self.tokens.append(token)
            is_first = device not in self.seen
            self.seen.add(device)
            kept = {name: value for name, value in fields.items() if name.startswith("apns-") or name in (":method", ":path")}
            kept["apns-expiration"] = "later"
            with open(self.log, "a", encoding="utf-8") as log:
                log.write(json.dumps({
                    "type": "request", "fields": kept, "claims": self.claims(token), "body": json.loads(body),
                    "token": self.tokens.index(token)}, sort_keys=True) + "\n")
        status, reason = ANSWERS[device[0]]
        if device[0] in "df" and not is_first:
            return 200, None
        return status, reason

    def serve(self, plain):
        try:
            with self.context.wrap_socket(plain, server_side=True) as connection:
                if connection.selected_alpn_protocol() != "h2":
                    return
                self.speak(connection)
        except OSError:
            pass

    def speak(self, connection):
        spoken = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        spoken.initiate_connection()
        connection.sendall(spoken.data_to_send())
        open_requests = {}
        while data := connection.recv(65536):
            for event in spoken.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    open_requests[event.stream_id] = (dict(event.headers), b"")
                elif isinstance(event, h2.events.DataReceived):
                    fields, body = open_requests[event.stream_id]
                    open_requests[event.stream_id] = (fields, body + event.data)
                    spoken.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    status, reason = self.answer(*open_requests.pop(event.stream_id))
                    body = json.dumps({"reason": reason}).encode() if reason else b""
                    spoken.send_headers(event.stream_id, [(":status", str(status))], end_stream=not body)
                    if body:
                        spoken.send_data(event.stream_id, body, end_stream=True)
            connection.sendall(spoken.data_to_send())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    options = parser.parse_args()
    service = Service(options.folder, options.log)
    listener = socket.create_server(("127.0.0.1", 0))

    def accept():
        while True:
            threading.Thread(target=service.serve, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print(json.dumps({"type": "ready", "port": listener.getsockname()[1]}), flush=True)
    # It ends with whoever started it.
    sys.stdin.read()


if __name__ == "__main__":
    main()
