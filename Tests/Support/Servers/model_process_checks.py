"""The self-test of model_server.py as a process: raw HTTP, the log, start, end and speed."""

import signal
import subprocess
import time

from checks import DEADLINE, Running, equal, scripted
from model_client import KEY, ask, request

SERVER = "model_server.py"
RATE_REQUESTS = 1500


def raw_http_is_read():
    path, headers, body = request("anthropic", stream=False)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    with Running(SERVER) as server:
        raw = server.socket()
        raw.sendall(
            f"POST {path} HTTP/1.1\r\n{lines}expect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n".encode()
        )
        equal(raw.recv(100), b"HTTP/1.1 100 Continue\r\n\r\n")
        half = len(body) // 2
        for piece in (body[:half], body[half:]):
            raw.sendall(f"{len(piece):x};x=y\r\n{piece}\r\n".encode())
        raw.sendall(b"0\r\nTrailer: x\r\n\r\nGET /v1/models HTTP/1.0\r\n\r\n")
        data = b""
        while piece := raw.recv(65536):
            data += piece
        raw.close()
        equal((data.count(b"HTTP/1.1 200 OK"), b"end_turn" in data), (2, True))
        for bad in (
            b"x\r\n\r\n",
            b"POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
            b"GET / HTTP/1.1\r\nbad\r\n\r\n",
            b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n+5\r\n",
        ):
            raw = server.socket()
            raw.sendall(bad)
            equal(raw.recv(12), b"HTTP/1.1 400")
            raw.close()
        equal(ask(server, "chat")[0], 200)


def the_log_tells_what_was_asked():
    with Running(SERVER) as server:
        ask(server, "anthropic", temperature=0.3)
        answer = server.answered(1)[0]
        line = server.log("request")[0]
        equal(
            [
                line[name]
                for name in (
                    "number",
                    "inFlight",
                    "method",
                    "path",
                    "keyPresent",
                    "wire",
                    "model",
                    "max_tokens",
                    "temperature",
                    "stream",
                    "system",
                    "messages",
                )
            ],
            [
                1,
                1,
                "POST",
                "/v1/messages",
                True,
                "anthropic",
                "model-a",
                1000,
                0.3,
                True,
                "Be brief.",
                [{"role": "user", "text": "Compare the two."}],
            ],
        )
        equal("x-api-key" in line["headers"] and KEY not in str(line), True)
        equal((answer["number"], answer["status"], answer["ended"]), (1, 200, "complete"))
        equal(answer["usage"]["input_tokens"], 7)


def bodies_are_logged_where_that_is_wanted():
    for option, wanted in (((), False), (("--log-bodies",), True)):
        with Running(SERVER, *option) as server:
            ask(server, "responses")
            line = server.log("request")[0]
            equal("body" in line, wanted)
            equal(line.get("body", request("responses")[2]), request("responses")[2])


def it_ends_with_stdin_or_by_a_signal():
    with Running(SERVER) as server:
        server.process.send_signal(signal.SIGTERM)
        equal(server.process.wait(DEADLINE), 0)
    with scripted(SERVER, [{"stall": True}]) as server:
        raw = server.socket()
        path, headers, body = request("chat")
        raw.sendall(
            f"POST {path} HTTP/1.1\r\nAuthorization: Bearer x\r\ncontent-length: {len(body)}\r\n\r\n{body}".encode()
        )
        raw.recv(15)
        server.process.stdin.close()
        equal(server.process.wait(DEADLINE), 0)
        equal(server.log("answer")[0]["ended"], "serverStopped")
        raw.close()
        server.process.stdin = None
    with Running(SERVER, stdin=subprocess.DEVNULL) as server:
        equal(server.process.wait(DEADLINE), 0)


def a_bad_script_is_refused():
    try:
        with scripted(SERVER, [{"staus": 500}], stderr=subprocess.DEVNULL):
            raise AssertionError("it started")
    except ChildProcessError:
        pass


def a_connection_takes_many_requests():
    """The rate is printed, but none is required: the machine may be slow or busy."""
    with Running(SERVER) as server:
        path, headers, body = request("anthropic")
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        message = (
            f"POST {path} HTTP/1.1\r\n{lines}content-length: {len(body)}\r\n\r\n{body}".encode()
        )
        raw, start = server.socket(), time.monotonic()
        for _ in range(RATE_REQUESTS):
            raw.sendall(message)
            data = b""
            while not data.endswith(b"0\r\n\r\n"):
                data += raw.recv(65536)
        raw.close()
        rate = RATE_REQUESTS / (time.monotonic() - start)
        print(f"{rate:.0f} streamed answers a second on one connection")


CHECKS = [
    raw_http_is_read,
    the_log_tells_what_was_asked,
    bodies_are_logged_where_that_is_wanted,
    it_ends_with_stdin_or_by_a_signal,
    a_bad_script_is_refused,
    a_connection_takes_many_requests,
]
