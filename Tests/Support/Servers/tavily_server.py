"""Tavily's search on 127.0.0.1, for tests.

The query says what the answer is: `status NNN` is that status with Tavily's error, `status NNN once` is
that status for the first request only, `drop` closes the connection without an answer, `junk` is no
JSON. All else finds as many pages as `max_results`. The log has a line for each request, with its
body and whether its key was the value of --key.
"""

import argparse
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    parser.add_argument("--key", default="")
    arguments = parser.parse_args()
    seen = set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            is_key = self.headers.get("authorization") == f"Bearer {arguments.key}"
            with open(arguments.log, "a") as log:
                line = {"type": "request", "path": self.path, "key": is_key, "body": body}
                log.write(json.dumps(line, sort_keys=True) + "\n")
            query = body["query"]
            words = query.split()
            if not is_key:
                return self.answer(401, {"detail": {"error": "Unauthorized: missing or invalid API key."}})
            if query == "drop":
                self.close_connection = True
                return self.connection.close()
            if query == "junk":
                return self.answer(200, "junk")
            if words[0] == "status" and not (words[-1] == "once" and query in seen):
                seen.add(query)
                return self.answer(int(words[1]), {"detail": {"error": f"the limit of {words[1]}"}})
            count = body.get("max_results", 5)
            results = [
                {
                    "title": f"Page {number}",
                    "url": f"https://example.org/{number}",
                    "content": f"What page {number} says of {query}.",
                    "score": 0.5,
                    "raw_content": None,
                }
                for number in range(1, count + 1)
            ]
            self.answer(
                200,
                {
                    "query": query,
                    "answer": None,
                    "follow_up_questions": None,
                    "images": [],
                    "results": results,
                    "response_time": 0.1,
                    "request_id": "request-1",
                },
            )

        def answer(self, status, value):
            data = json.dumps(value).encode() if value != "junk" else b"junk"
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            if status == 429:
                self.send_header("retry-after", "0")
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_port}), flush=True)
    sys.stdin.read()


main()
