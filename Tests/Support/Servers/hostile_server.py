#!/usr/bin/env python3
"""A web server on 127.0.0.1 that misbehaves on purpose, for fetching tests.

    hostile_server.py [--log FILE]

loopback.py says how the server starts and ends. A log line of type `deaf` tells the `port` of a listener
that takes no connection: SYNs to it are dropped. Paths:

  /raw/NAME              the bytes of RAW below, then the end of the connection
  /flood/NAME            a head, if NAME says so, and then something without end:
                         headers, interim (100 Continue), body (chunks), trailers
  /drip/head, /drip/body one byte every 2 s; /silence: nothing at all; /reset: RST without an answer
  /bomb/E                100 MB of a comment in E: gzip, deflate, "gzip,gzip", br, zstd
  /cut/gzip?chunked=1    a gzip body that ends in its middle, but where its framing says
  /robots/NAME/…         not found; see robots.txt
  /robots.txt            disallows /robots/no/; --robots NAME serves another: see ROBOTS below
  anything else          a small page
"""

import gzip
import socket
import urllib.parse
import zlib

import loopback

PAGE = b"<!DOCTYPE html><title>T</title><p>A page of some words, and of a few more of them.</p>"
OK = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n"

# PAGE, "<!--" and 100 MB of spaces, as `brotli -q 11` makes them: Python has no brotli of its own.
BROTLI_BOMB = bytes.fromhex(
    "cbffff3fe08c935cfde25c82f8c0551015b4e480fdb6162416f143e2f66e63d7f13d062d21a30e0640fccc0b"
    "f41822a0ea48167a77fe7ae45ff614296e55a06fff75ff07fcffff835f02200e8b0074effff8ffff07bf0440"
    "1c1600e8defff1ffff0f7e0980382c00d0bdffe3ffff1ffc1200715800a07bffc7ffff3ff82500e2b00040f7"
    "fe8fffff7ff04b00c4610180eefd1fffffffe0970088c30200ddfb3ffeffffc12f0110870500baf77ffcffff"
    "835f02200e0b0074effff8ffff07bf04401c1600e8deff6556781d7e0980382c00a0c8ae03"
)


def zstandard_bomb():
    """The same in zstd: one raw block, then blocks of one byte that is repeated (RFC 8878, 3.1.1.2)."""
    def block(kind, size, data, is_last=False):
        return (size << 3 | kind << 1 | is_last).to_bytes(3, "little") + data

    start = PAGE + b"<!--"
    count = 100_000_000 // 131_072
    blocks = [block(0, len(start), start)] + [block(1, 131_072, b" ")] * count
    return b"\x28\xb5\x2f\xfd\x00\x68" + b"".join(blocks) + block(1, 1, b" ", True)


def head(*lines):
    return OK + b"".join(line.encode("latin-1") + b"\r\n" for line in lines) + b"\r\n"


RAW = {
    "noHead": PAGE,
    "garbage": b"\x00\xff\xfe garbage\r\n\r\n" + PAGE,
    "noStatus": b"HTTP/1.1 abc OK\r\n\r\n" + PAGE,
    "negativeLength": head("content-length: -5") + PAGE,
    "twoLengths": head("content-length: 5", "content-length: 90") + PAGE,
    "wordLength": head("content-length: many") + PAGE,
    "hugeLength": head("content-length: 999999999999999999999999") + PAGE,
    "longLength": head("content-length: 5000") + PAGE,
    "shortLength": head(f"content-length: {len(PAGE) - 4}") + PAGE + b"<p>never seen",
    "cutChunk": head("transfer-encoding: chunked") + b"fff\r\n" + PAGE,
    "badChunk": head("transfer-encoding: chunked") + b"zz\r\n" + PAGE,
    "bigHeader": head("x: " + "a" * 5_000_000) + PAGE,
    "manyHeaders": OK + b"x: y\r\n" * 200_000 + b"\r\n" + PAGE,
    "manyCookies": head(*[f"set-cookie: a{n}=b; path=/" for n in range(4000)]) + PAGE,
    "foldedHeader": head("x: a", " location: http://127.0.0.1:9/", "content-length: 3") + b"abc",
    "sevenEncodings": head("content-encoding: " + ", ".join(["gzip"] * 7)) + PAGE,
    "unknownEncoding": head("content-encoding: rot13") + PAGE,
    "refresh": head("refresh: 0; url=/raw/refresh", f"content-length: {len(PAGE)}") + PAGE,
    "metaRefresh": head("connection: close")
    + b'<meta http-equiv="refresh" content="0; url=/raw/metaRefresh">'
    + PAGE,
    "switching": b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n" + PAGE,
    "earlyAlone": b"HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n",
    "earlyThenPage": b"HTTP/1.1 103 Early Hints\r\n\r\n"
    + head(f"content-length: {len(PAGE)}")
    + PAGE,
    "statusZero": b"HTTP/1.1 000 Nothing\r\ncontent-length: 1\r\n\r\nx",
    "statusMinus": b"HTTP/1.1 -20 Less\r\ncontent-length: 1\r\n\r\nx",
    "status999": b"HTTP/1.1 999 More\r\ncontent-length: 1\r\n\r\nx",
    "noLocation": b"HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n",
}
FLOODS = {
    "headers": (OK, b"x-filler: 0123456789012345678901234567890123456789\r\n" * 100),
    "interim": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
    "body": (head("transfer-encoding: chunked") + b"%x\r\n%b\r\n" % (len(PAGE) + 4, PAGE + b"<!--"), b"8000\r\n" + b"a" * 0x8000 + b"\r\n"),
    "trailers": (head("transfer-encoding: chunked") + b"0\r\n", b"x-filler: y\r\n" * 1000),
}
ROBOTS = {
    "usual": b"User-agent: *\nDisallow: /robots/no/\n",
    "mark": b"\xef\xbb\xbfUser-agent: *\nDisallow: /robots/no/\n",
    "big": b"User-agent: *\n" + b"# filler filler\n" * 31_000 + b"Disallow: /robots/no/\n"
    + b"# filler filler\n" * 600_000,
}


class Hostile:
    """Routes a path to a misbehaviour."""

    def __init__(self, robots):
        self.robots = robots

    async def handle(self, exchange):
        exchange.keep_alive = False
        target = urllib.parse.urlsplit(exchange.request.target)
        first, _, rest = target.path[1:].partition("/")
        route = getattr(self, f"at_{first}".replace(".", "_"), None)
        if route is None:
            return await self.give(exchange, PAGE)
        return await route(exchange, rest, urllib.parse.parse_qs(target.query))

    async def send(self, exchange, data):
        exchange.pending.append(data)
        await exchange.flush()

    async def give(self, exchange, body, status=200, kind="text/html", extra=()):
        await exchange.answer(status, [("content-type", kind), *extra], body)
        return "complete"

    async def at_raw(self, exchange, rest, query):
        await self.send(exchange, RAW[rest])
        return "complete"

    async def at_flood(self, exchange, rest, query):
        start, block = FLOODS[rest]
        await self.send(exchange, start)
        while True:
            await self.send(exchange, block)
            await exchange.wait(0.00001)

    async def at_to(self, exchange, rest, query):
        """A redirect that may be kept, to an address in hexadecimal."""
        location = bytes.fromhex(rest).decode()
        return await self.give(
            exchange, b"", 301, extra=[("location", location), ("cache-control", "max-age=600")])

    async def at_links(self, exchange, rest, query):
        """A page whose links lead to an address in hexadecimal, and so do its base and its own."""
        url = bytes.fromhex(rest).decode()
        body = f"""<link rel=canonical href="{url}"><base href="{url}">
        <p>words of a page<p><a href="{url}">one</a> <a href=x>two</a> <img src="{url}" alt=i>"""
        return await self.give(
            exchange, body.encode(), extra=[("set-cookie", "a=b; path=/; max-age=600")])

    async def at_text(self, exchange, rest, query):
        """So many megabytes of text."""
        return await self.give(exchange, b"words of a line\n" * 62_500 * int(rest), kind="text/plain")

    async def at_drip(self, exchange, rest, query):
        data = head(f"content-length: {len(PAGE)}") + PAGE
        if rest == "body":
            whole = len(data) - len(PAGE) + 60
            await self.send(exchange, data[:whole])
            data = data[whole:]
        for byte in data:
            await self.send(exchange, bytes([byte]))
            await exchange.wait(2)
        return "complete"

    async def at_silence(self, exchange, rest, query):
        await exchange.wait_until_gone()

    async def at_reset(self, exchange, rest, query):
        await exchange.cut(reset=True)
        return "cut"

    async def at_bomb(self, exchange, rest, query):
        whole = {"br": BROTLI_BOMB, "zstd": zstandard_bomb()}.get(rest)
        if whole:
            await self.send(exchange, head(f"content-encoding: {rest}") + whole)
            return "complete"
        layers = rest.split(",")
        packers = [
            zlib.compressobj(1, zlib.DEFLATED, 31 if layer == "gzip" else 15) for layer in layers
        ]
        await self.send(exchange, head(f"content-encoding: {rest}"))
        for block in [PAGE + b"<!--"] + [b" " * 1_000_000] * 100:
            for packer in packers:
                block = packer.compress(block)
            await self.send(exchange, block)
            await exchange.wait(0.00001)
        block = b""
        for packer in packers:
            block = packer.compress(block) + packer.flush()
        await self.send(exchange, block)
        return "complete"

    async def at_cut(self, exchange, rest, query):
        text = b"".join(b"<p>Paragraph %d says what it has to say, in a sentence of some length.</p>" % n for n in range(3000))
        data = gzip.compress(text)
        data = data[: len(data) // 2]
        exchange.head(
            200,
            [("content-type", "text/html"), ("content-encoding", "gzip")],
            None if "chunked" in query else len(data),
        )
        for start in range(0, len(data), 1000):
            exchange.put(data[start : start + 1000])
        await exchange.finish()
        return "complete"

    async def at_robots_txt(self, exchange, rest, query):
        name = self.robots
        if name.isdigit():
            return await self.give(exchange, b"no", int(name), "text/plain")
        if name.startswith("hops"):
            where = [("location", f"/hop/{name[4:]}")]
            return await self.give(exchange, b"", 302, "text/plain", where)
        if name in ("reset", "silence"):
            return await getattr(self, f"at_{name}")(exchange, rest, query)
        return await self.give(exchange, ROBOTS[name], 200, "text/plain")

    async def at_hop(self, exchange, rest, query):
        left = int(rest) - 1
        if left == 0:
            return await self.give(exchange, ROBOTS["usual"], 200, "text/plain")
        return await self.give(exchange, b"", 302, "text/plain", [("location", f"/hop/{left}")])


def deaf_listener():
    """A listener whose queue is full, so that the kernel drops every further SYN."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    callers = []
    for _ in range(4):
        caller = socket.socket()
        caller.setblocking(False)
        caller.connect_ex(listener.getsockname())
        callers.append(caller)
    return listener, callers


def main():
    parser = loopback.options(__doc__)
    parser.add_argument("--robots", metavar="NAME", default="usual", help="what robots.txt is")
    given = parser.parse_args()
    log = loopback.Log(given.log)
    deaf, callers = deaf_listener()
    log.write(type="deaf", port=deaf.getsockname()[1])
    hostile = Hostile(given.robots)
    server = loopback.Server(hostile.handle, lambda request: {}, log)
    loopback.run(server, given.port, given.stay)
    for opened in [deaf, *callers]:
        opened.close()


if __name__ == "__main__":
    main()
