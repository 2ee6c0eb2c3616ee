#!/usr/bin/env python3
"""A collector of OTLP/JSON on 127.0.0.1 that answers as it is told.

    collector_server.py --log FILE --script FILE

FILE is a JSON array of answers, one a request: `{"status": N, "headers": {…}, "body": {…}}`, each part of which
may be left out; after the last one all is taken. The log has a line a request: its path, what its
`Authorization` and `Content-Type` were, and its body. It ends when stdin does.
"""

import argparse
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Collector(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answers = []
    log = None
    lock = threading.Lock()

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.lock:
            answer = self.answers.pop(0) if self.answers else {}
            line = {
                "type": "request",
                "path": self.path,
                "authorization": self.headers.get("Authorization"),
                "contentType": self.headers.get("Content-Type"),
                "body": json.loads(body),
            }
            self.log.write(json.dumps(line) + "\n")
            self.log.flush()
        text = json.dumps(answer.get("body", {})).encode()
        self.send_response(answer.get("status", 200))
        for name, value in answer.get("headers", {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *words):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    parser.add_argument("--script", required=True)
    options = parser.parse_args()
    with open(options.script, encoding="utf-8") as script:
        Collector.answers = json.load(script)
    Collector.log = open(options.log, "a", encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_address[1]}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
