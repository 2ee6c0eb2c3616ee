"""A small HTTP/1.1 server on 127.0.0.1, for tests: what both servers here share.

Ready line   one JSON line `{"port":N}` on stdout, flushed, once connections are accepted.
End          when stdin ends, or on SIGTERM or SIGINT. With --stay stdin is left alone and the server
             ends when the process that started it is gone: a shell gives `server &` an empty stdin,
             which would end it at once.
Log          NDJSON, appended and flushed line by line. A request line comes before its answer line, and
             both carry the running `number`. `inFlight` counts the requests open at that moment,
             this one included: it shows what a client does side by side. Header values are never logged.
             `ended` says how an answer ended: complete, clientLeft, serverStopped, serverError, or the
             word of the behaviour (cut, cleanCut, midError, dropped).

A client that closes its side (also only its writing half) counts as gone as soon as the server waits.
"""

import argparse
import asyncio
import json
import os
import signal
import socket
import struct
import sys
import threading
import traceback

from http_request import HEAD_LIMIT, BadRequest, read_request

POLL_SECONDS = 0.01

REASONS = {
    100: "Continue",
    200: "OK",
    204: "No Content",
    206: "Partial Content",
    301: "Moved Permanently",
    302: "Found",
    303: "See Other",
    304: "Not Modified",
    307: "Temporary Redirect",
    308: "Permanent Redirect",
    400: "Bad Request",
    401: "Unauthorized",
    402: "Payment Required",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    409: "Conflict",
    410: "Gone",
    413: "Content Too Large",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    451: "Unavailable For Legal Reasons",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
    529: "Overloaded",
}


class ClientLeft(Exception):
    """The client closed its connection while the server waited or wrote."""


class Log:
    """The NDJSON log, or nothing when no file was named."""

    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8") if path else None

    def write(self, **record):
        if self.file:
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
            # A lone surrogate can come in by a JSON escape; it cannot leave as UTF-8.
            self.file.write(line.encode("utf-8", "replace").decode("utf-8") + "\n")
            self.file.flush()


class Exchange:
    """One request and the way back to its client."""

    def __init__(self, request, reader, writer, server):
        self.request = request
        self.reader = reader
        self.writer = writer
        self.server = server
        self.keep_alive = request.keep_alive
        self.framing = "length"
        self.status = None
        self.sent = 0
        self.note = {}
        self.pending = []

    def head(self, status, headers, length=None):
        """Put the status line and the headers; without a length the body goes out in chunks."""
        self.status = status
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Unknown')}"]
        lines += [f"{name}: {value}" for name, value in headers if value is not None]
        if status in (204, 304):
            self.framing = "none"
        elif length is not None:
            self.framing = "length"
            lines.append(f"content-length: {length}")
        elif self.request.version == "HTTP/1.1":
            self.framing = "chunked"
            lines.append("transfer-encoding: chunked")
        else:
            self.framing = "close"
            self.keep_alive = False
        if not self.keep_alive:
            lines.append("connection: close")
        self.pending.append("\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n")

    def put(self, data):
        """Put a piece of the body; in chunked framing it is one chunk."""
        if not data or self.framing == "none" or self.request.method == "HEAD":
            return
        self.sent += len(data)
        if self.framing == "chunked":
            self.pending.append(b"%x\r\n%b\r\n" % (len(data), data))
        else:
            self.pending.append(data)

    async def flush(self):
        if self.writer.transport.is_closing():
            raise ClientLeft
        self.writer.write(b"".join(self.pending))
        self.pending.clear()
        try:
            await self.writer.drain()
        except ConnectionError:
            raise ClientLeft from None

    async def finish(self):
        """End the body as its framing asks."""
        if self.framing == "chunked" and self.request.method != "HEAD":
            self.pending.append(b"0\r\n\r\n")
        await self.flush()

    async def cut(self, reset=False):
        """Close the socket in the middle: a FIN, or a RST (which may also destroy what was sent)."""
        await self.flush()
        self.keep_alive = False
        if reset:
            linger = struct.pack("ii", 1, 0)
            self.writer.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, linger
            )
            self.writer.transport.abort()

    async def answer(self, status, headers=(), body=b""):
        """Send a whole answer with its length."""
        self.head(status, list(headers), len(body))
        self.put(body)
        await self.finish()

    def check_client(self):
        if self.reader.at_eof() or self.reader.exception() or self.writer.transport.is_closing():
            raise ClientLeft

    async def wait(self, seconds):
        while seconds > 0:
            await asyncio.sleep(min(seconds, 0.05))
            seconds -= 0.05
            self.check_client()

    async def wait_for_file(self, path):
        while not os.path.exists(path):
            await asyncio.sleep(POLL_SECONDS)
            self.check_client()

    async def wait_until_gone(self):
        while True:
            await asyncio.sleep(POLL_SECONDS)
            self.check_client()


class Server:
    """Reads requests and hands each to `handler(exchange)`, which answers and returns how it ended."""

    def __init__(self, handler, describe, log):
        self.handler = handler
        self.describe = describe
        self.log = log
        self.number = 0
        self.in_flight = 0
        self.tasks = set()

    async def connected(self, reader, writer):
        task = asyncio.current_task()
        self.tasks.add(task)
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while await self.serve_one(reader, writer):
                pass
        except (ConnectionError, asyncio.CancelledError):
            pass
        except BadRequest as problem:
            body = json.dumps({"error": {"message": str(problem)}}).encode()
            line = f"HTTP/1.1 {problem.status} {REASONS[problem.status]}\r\n"
            writer.write(
                f"{line}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode() + body
            )
            self.log.write(type="refused", status=problem.status, reason=str(problem))
        finally:
            self.tasks.discard(task)
            writer.close()

    async def serve_one(self, reader, writer):
        request = await read_request(reader, writer)
        if request is None:
            return False
        self.number += 1
        self.in_flight += 1
        request.number = self.number
        exchange = Exchange(request, reader, writer, self)
        ended = "serverStopped"
        try:
            if self.log.file:
                self.log.write(
                    type="request",
                    number=request.number,
                    inFlight=self.in_flight,
                    method=request.method,
                    path=request.target,
                    headers=request.names,
                    **self.describe(request),
                )
            ended = await self.handler(exchange)
        except ClientLeft:
            ended = "clientLeft"
        except Exception:
            ended = "serverError"
            traceback.print_exc()
        finally:
            self.log.write(
                type="answer",
                number=request.number,
                inFlight=self.in_flight,
                status=exchange.status,
                bytes=exchange.sent,
                ended=ended,
                **exchange.note,
            )
            self.in_flight -= 1
        return exchange.keep_alive and ended not in ("clientLeft", "serverError")


def options(documentation):
    """The options that both servers take."""
    parser = argparse.ArgumentParser(
        description=documentation,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--log", metavar="FILE", help="append the NDJSON log here")
    parser.add_argument(
        "--latency", metavar="MS", type=float, default=0, help="wait before each answer"
    )
    parser.add_argument(
        "--port", metavar="N", type=int, default=0, help="listen here (default: any free port)"
    )
    parser.add_argument(
        "--stay", action="store_true", help="end with the parent process instead of stdin"
    )
    parser.add_argument(
        "--self-test", action="store_true", help="run the server against its own checks"
    )
    return parser


def run(server, port=0, stay=False):
    """Serve until stdin ends, the parent is gone (with `stay`), or a signal comes."""
    asyncio.run(serve(server, port, stay))


async def serve(server, port, stay):
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, stop.set)
    listener = await asyncio.start_server(
        server.connected, "127.0.0.1", port, limit=HEAD_LIMIT, backlog=1024
    )
    # A daemon thread, since epoll refuses a stdin that is a file or /dev/null.
    watch = watch_parent if stay else watch_stdin
    threading.Thread(target=watch, args=(loop, stop), daemon=True).start()
    print(
        json.dumps({"port": listener.sockets[0].getsockname()[1]}, separators=(",", ":")),
        flush=True,
    )
    await stop.wait()
    listener.close()
    tasks = list(server.tasks)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def watch_stdin(loop, stop):
    try:
        while os.read(0, 4096):
            pass
    except OSError:
        pass
    tell(loop, stop)


def watch_parent(loop, stop):
    parent = os.getppid()
    while os.getppid() == parent:
        threading.Event().wait(0.2)
    tell(loop, stop)


def tell(loop, stop):
    try:
        loop.call_soon_threadsafe(stop.set)
    except RuntimeError:
        sys.exit(0)
