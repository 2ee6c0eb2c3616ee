#!/usr/bin/env python3
"""A web server on 127.0.0.1 for fetching tests: a folder, and paths that misbehave.

    page_server.py [--root DIR] [--log FILE] [--latency MS]

Everything under --root is served at its own path, with an ETag (If-None-Match gives 304); `x.html` also
answers for `/x`, index.html for a folder. loopback.py says how the server starts and ends. Besides (these hide files of that name):

  /page/N                     a small page with a title, links and a sentence of its own
  /echo/NAME                  a page that gives back the field NAME of the request (authorization)
  /redirect?to=URL            302, or &status=301|303|307|308;  without `to`, no Location at all
  /redirects/N                N hops, then /page/0
  /loop                       redirects to itself
  /status/NNN                 that status; &retry-after=S adds the header
  /flaky/NAME?fails=N         503 (&status=) N times for this NAME (default 1), then a page
  /slow?ms=50&pieces=20       a page, one piece every `ms`
  /hold?file=PATH             waits until PATH exists, then a page
  /stall                      sends half of the page, then nothing until the client leaves
  /cut?after=N                closes after N bytes (default half) of what content-length promised;
                              &chunked=1 in the middle of a chunked body; &reset=1 by RST
  /big?mb=N&encoding=E        N MB (default 100) of spaces in an HTML page; E is gzip (default), deflate,
                              identity, or "gzip,gzip"
  /encoding/E?how=H           a page in E (gzip, deflate); H: ok, corrupt, truncated, plain (mislabelled)
  /type/TYPE                  a small body as that content type (any text after /type/; "none": no header)
  /charset/LABEL              a page whose header names LABEL ("none": no charset); &bytes=CODEC is what it
                              is written in (Python's name), &meta=LABEL adds a <meta>, &bom=1 a BOM

A `header=Name:value` in any of these queries adds a response header.
"""

import codecs
import hashlib
import os
import sys
import urllib.parse
import zlib

import loopback

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".htm": "text/html",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".json": "application/json",
    ".xml": "application/xml",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".css": "text/css",
    ".js": "text/javascript",
    ".csv": "text/csv",
    ".svg": "image/svg+xml",
}
SAMPLES = {
    "application/pdf": b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
    "application/json": b'{"title":"A sample","items":[1,2,3]}',
    "image/png": bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    ),
    "text/plain": b"A sample in plain text.\n",
    "text/markdown": b"# A sample\n\nIn Markdown.\n",
}
WORDS = "The quick café serves naïve readers; Привет, мир. 東京. "
HTML = "text/html; charset=utf-8"


def page(name, text=None, meta=""):
    text = (
        text
        or f"This is the body of page {name}. "
        + "It says little, but says it in full sentences. " * 4
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{meta}<title>Page {name}</title></head>\n'
        f"<body><article><h1>Page {name}</h1>\n<p>{text}</p>\n"
        f'<p><a href="/page/next">Next</a></p></article></body></html>\n'
    )


def describe(request):
    return {
        "authorizationPresent": "authorization" in request.headers,
        "cookiePresent": "cookie" in request.headers,
    }


def compressed(data, encodings):
    for encoding in encodings:
        if encoding in ("gzip", "deflate"):
            # 31 asks zlib for the gzip wrapper; `deflate` means the zlib wrapper (RFC 9110, 8.4.1.2).
            packer = zlib.compressobj(9, zlib.DEFLATED, 31 if encoding == "gzip" else 15)
            data = packer.compress(data) + packer.flush()
    return data


class PageServer:
    """Routes a path to the folder or to a misbehaviour."""

    def __init__(self, root, latency):
        self.root = os.path.realpath(root) if root else None
        self.latency = latency
        self.failures = {}

    async def handle(self, exchange):
        await exchange.wait(self.latency / 1000)
        target = urllib.parse.urlsplit(exchange.request.target)
        query = urllib.parse.parse_qs(target.query, keep_blank_values=True)
        options = {name: values[0] for name, values in query.items()}
        extra = [
            tuple(part.strip() for part in value.partition(":")[::2])
            for value in query.get("header", [])
        ]
        first, _, rest = target.path[1:].partition("/")
        route = getattr(self, f"at_{first}", None)
        if exchange.request.method not in ("GET", "HEAD"):
            return await self.give(exchange, "method not allowed", [], 405, "text/plain")
        if route is None:
            return await self.file(exchange, urllib.parse.unquote(target.path), extra)
        try:
            return await route(exchange, rest, options, extra)
        except (ValueError, LookupError) as problem:
            return await self.give(exchange, f"bad test path: {problem}", [], 400, "text/plain")

    async def give(self, exchange, body, extra=(), status=200, kind=HTML):
        data = body.encode() if isinstance(body, str) else body
        await exchange.answer(status, [("content-type", kind), *extra], data)
        return "complete"

    async def file(self, exchange, path, extra):
        if self.root is None or "\0" in path:
            return await self.give(exchange, page("not found"), extra, 404)
        plain = os.path.realpath(os.path.join(self.root, path.lstrip("/")))
        for name in (plain, plain + ".html", os.path.join(plain, "index.html")):
            if os.path.isfile(name) and os.path.commonpath([self.root, name]) == self.root:
                break
        else:
            return await self.give(exchange, page("not found"), extra, 404)
        with open(name, "rb") as file:
            data = file.read()
        tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
        headers = [("etag", tag), *extra]
        if exchange.request.headers.get("if-none-match") == tag:
            await exchange.answer(304, headers)
            return "complete"
        kind = TYPES.get(os.path.splitext(name)[1].lower(), "application/octet-stream")
        return await self.give(exchange, data, headers, 200, kind)

    async def at_page(self, exchange, rest, options, extra):
        return await self.give(exchange, page(rest if rest.isalnum() else "0"), extra)

    async def at_echo(self, exchange, rest, options, extra):
        sent = exchange.request.headers.get(rest or "authorization", "nothing")
        body = page("0").replace("</p>", f" You sent: {sent}</p>", 1)
        return await self.give(exchange, body, extra)

    async def at_redirect(self, exchange, rest, options, extra):
        where = [("location", options["to"])] if "to" in options else []
        return await self.give(exchange, "moved", where + extra, int(options.get("status", 302)))

    async def at_redirects(self, exchange, rest, options, extra):
        where = f"/redirects/{int(rest) - 1}" if int(rest) > 1 else "/page/0"
        return await self.give(exchange, "moved", [("location", where), *extra], 302)

    async def at_loop(self, exchange, rest, options, extra):
        return await self.give(exchange, "moved", [("location", "/loop"), *extra], 302)

    async def at_status(self, exchange, rest, options, extra):
        wait = [("retry-after", options["retry-after"])] if "retry-after" in options else []
        return await self.give(exchange, page(f"of status {int(rest)}"), wait + extra, int(rest))

    async def at_flaky(self, exchange, rest, options, extra):
        left = self.failures.setdefault(rest, int(options.get("fails", 1)))
        self.failures[rest] = left - 1
        if left > 0:
            return await self.at_status(exchange, options.get("status", "503"), options, extra)
        return await self.give(exchange, page("0"), extra)

    async def at_slow(self, exchange, rest, options, extra):
        data, count = page("slow").encode(), int(options.get("pieces", 20))
        exchange.head(200, [("content-type", HTML), *extra])
        for index in range(count):
            exchange.put(data[len(data) * index // count : len(data) * (index + 1) // count])
            await exchange.flush()
            await exchange.wait(float(options.get("ms", 50)) / 1000)
        await exchange.finish()
        return "complete"

    async def at_hold(self, exchange, rest, options, extra):
        await exchange.wait_for_file(options["file"])
        return await self.give(exchange, page("held"), extra)

    async def at_stall(self, exchange, rest, options, extra):
        data = page("stalled").encode()
        exchange.head(200, [("content-type", HTML), *extra], len(data))
        exchange.put(data[: len(data) // 2])
        await exchange.flush()
        await exchange.wait_until_gone()

    async def at_cut(self, exchange, rest, options, extra):
        data = page("cut").encode()
        after = int(options.get("after", len(data) // 2))
        exchange.head(
            200, [("content-type", HTML), *extra], None if "chunked" in options else len(data)
        )
        exchange.put(data[:after])
        await exchange.cut("reset" in options)
        return "cut"

    async def at_big(self, exchange, rest, options, extra):
        encoding = options.get("encoding", "gzip")
        layers = [] if encoding == "identity" else encoding.split(",")
        packers = [
            zlib.compressobj(9, zlib.DEFLATED, 31 if layer == "gzip" else 15) for layer in layers
        ]

        def packed(data):
            for packer in packers:
                data = packer.compress(data)
            return data

        named = [("content-encoding", encoding.replace(",", ", "))] if layers else []
        exchange.head(200, [("content-type", HTML), *named, *extra])
        exchange.put(packed(page("big").encode()))
        block = b" " * 1_000_000
        for _ in range(int(options.get("mb", 100))):
            exchange.put(packed(block))
            # A compressed block may give no bytes, so the client is looked for here too.
            await exchange.flush()
            await exchange.wait(0.00001)
        rest_of_body = b""
        for packer in packers:
            rest_of_body = packer.compress(rest_of_body) + packer.flush()
        exchange.put(rest_of_body)
        await exchange.finish()
        return "complete"

    async def at_encoding(self, exchange, rest, options, extra):
        data, how = page("encoded").encode(), options.get("how", "ok")
        if how != "plain":
            data = compressed(data, rest.split(","))
        if how == "truncated":
            data = data[: len(data) // 2]
        if how == "corrupt":
            middle = len(data) // 2
            data = (
                data[:middle]
                + bytes(255 - byte for byte in data[middle : middle + 16])
                + data[middle + 16 :]
            )
        return await self.give(exchange, data, [("content-encoding", rest), *extra])

    async def at_type(self, exchange, rest, options, extra):
        kind = urllib.parse.unquote(rest)
        data = SAMPLES.get(kind.partition(";")[0].strip().lower(), page("typed").encode())
        return await self.give(exchange, data, extra, 200, None if kind == "none" else kind)

    async def at_charset(self, exchange, rest, options, extra):
        codec = codecs.lookup(options.get("bytes", "utf-8" if rest == "none" else rest)).name
        meta = f"<meta charset=\"{options['meta']}\">" if "meta" in options else ""
        data = page("of letters", WORDS, meta).encode(codec, "xmlcharrefreplace")
        if "bom" in options:
            marks = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
            data = marks.get(codec, codecs.BOM_UTF8) + data
        kind = "text/html" if rest == "none" else f"text/html; charset={rest}"
        return await self.give(exchange, data, extra, 200, kind)


def main():
    parser = loopback.options(__doc__)
    parser.add_argument("--root", metavar="DIR", help="serve this folder")
    given = parser.parse_args()
    if given.self_test:
        import page_checks

        sys.exit(page_checks.main())
    if given.root and not os.path.isdir(given.root):
        sys.exit(f"page_server: cannot serve '{given.root}': not a folder")
    pages = PageServer(given.root, given.latency)
    loopback.run(
        loopback.Server(pages.handle, describe, loopback.Log(given.log)), given.port, given.stay
    )


if __name__ == "__main__":
    main()
