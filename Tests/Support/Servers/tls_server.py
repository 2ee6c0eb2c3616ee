#!/usr/bin/env python3
"""Servers of pages over TLS on 127.0.0.1, one for each thing that can be wrong with a certificate.

    tls_server.py [--log FILE]

They start and end as loopback.py says; the ready line names the port of the good one. Log lines of type
`tls` tell the `name` and `port` of each, one of type `authority` the `file` of whom to trust, and one of
type `ocsp` the `port` of a responder that never answers; `asked` is logged when somebody connects to it.

  good       a certificate for localhost and 127.0.0.1 of that authority; it names the responder
  selfSigned, expired, wrongHost      what they say
  oldTLS     good, but TLS 1.0 alone is spoken
  /downgrade?to=URL                   302 to the URL, on each of them
"""

import os
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import json
import socket

import loopback

PAGE = b"<!DOCTYPE html><title>T</title><p>A page over TLS, of a few words and some more.</p>"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        target = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(target.query)
        if target.path == "/downgrade":
            self.send_response(302)
            self.send_header("location", query["to"][0])
            self.send_header("content-length", "0")
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *arguments):
        pass


class Listener(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A client that does not trust us leaves in the middle; that is the test."""

    def get_request(self):
        connection, address = self.socket.accept()
        # The handshake happens in the thread of the connection.
        return self.context.wrap_socket(
            connection, server_side=True, do_handshake_on_connect=False
        ), address


def openssl(folder, *arguments):
    subprocess.run(
        ["openssl", *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def key_options(name):
    return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            f"{name}.key", "-subj", f"/CN={name}"]


def make_certificates(folder, responder):
    openssl(folder, "req", "-x509", *key_options("authority"), "-out", "authority.pem", "-days", "2",
            "-addext", "basicConstraints=critical,CA:true")
    names = {"good": "DNS:localhost,IP:127.0.0.1", "expired": "DNS:localhost,IP:127.0.0.1",
             "wrongHost": "DNS:elsewhere.example"}
    for name, subject in names.items():
        openssl(folder, "req", *key_options(name), "-out", f"{name}.csr")
        with open(f"{folder}/{name}.ext", "w", encoding="ascii") as file:
            file.write(f"subjectAltName={subject}\n")
            file.write(f"authorityInfoAccess=OCSP;URI:http://127.0.0.1:{responder}/\n")
        openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "authority.pem", "-CAkey",
                "authority.key", "-CAcreateserial", "-days", "-1" if name == "expired" else "2",
                "-extfile", f"{name}.ext", "-out", f"{name}.pem")
    openssl(folder, "req", "-x509", *key_options("selfSigned"), "-out", "selfSigned.pem", "-days",
            "2", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")


def listen(folder, name):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if name == "oldTLS":
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1
    file = "good" if name == "oldTLS" else name
    context.load_cert_chain(f"{folder}/{file}.pem", f"{folder}/{file}.key")
    listener = Listener(("127.0.0.1", 0), Handler)
    listener.context = context
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    return listener.server_address[1]


def silent_responder(log):
    listener = socket.create_server(("127.0.0.1", 0))
    kept = []

    def accept():
        while True:
            kept.append(listener.accept())
            log.write(type="asked")

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def main():
    given = loopback.options(__doc__).parse_args()
    log = loopback.Log(given.log)
    with tempfile.TemporaryDirectory() as folder:
        responder = silent_responder(log)
        make_certificates(folder, responder)
        log.write(type="ocsp", port=responder)
        log.write(type="authority", file=f"{folder}/authority.pem")
        ports = {}
        for name in ("good", "selfSigned", "expired", "wrongHost", "oldTLS"):
            ports[name] = listen(folder, name)
            log.write(type="tls", name=name, port=ports[name])
        print(json.dumps({"port": ports["good"]}, separators=(",", ":")), flush=True)
        parent = os.getppid()
        try:
            while os.getppid() == parent if given.stay else os.read(0, 4096):
                time.sleep(0.2 if given.stay else 0)
        except OSError:
            pass


if __name__ == "__main__":
    main()
