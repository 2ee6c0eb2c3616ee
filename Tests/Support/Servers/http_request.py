"""Reads HTTP/1.1 requests off a stream."""

import asyncio

HEAD_LIMIT = 64 * 1024
BODY_LIMIT = 32 * 1024 * 1024


class BadRequest(Exception):
    """The request cannot be read as HTTP/1.1; the connection ends after the answer."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


class Request:
    """One request, its body read whole. Header names are in lower case, in order of arrival."""

    def __init__(self, method, target, version, pairs):
        self.method = method
        self.target = target
        self.version = version
        self.names = [name for name, _ in pairs]
        self.headers = dict(pairs)
        self.body = b""
        self.number = 0

    @property
    def keep_alive(self):
        connection = self.headers.get("connection", "").lower()
        return "close" not in connection and (
            self.version == "HTTP/1.1" or "keep-alive" in connection
        )


async def read_request(reader, writer):
    """Read one request, or give None at the end of the connection."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError:
        raise BadRequest(431, "the header block is too large") from None
    lines = head[:-4].decode("latin-1").split("\r\n")
    first = lines[0].split(" ")
    if len(first) != 3 or first[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise BadRequest(400, "bad request line")
    pairs = []
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise BadRequest(400, "bad header line")
        pairs.append((name.lower(), value.strip()))
    request = Request(*first, pairs)
    if request.headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    try:
        request.body = await read_body(reader, request.headers)
    except asyncio.IncompleteReadError:
        return None
    except asyncio.LimitOverrunError:
        raise BadRequest(400, "bad chunk line") from None
    return request


async def read_body(reader, headers):
    if "chunked" in headers.get("transfer-encoding", "").lower():
        parts, total = [], 0
        while True:
            line = (await reader.readuntil(b"\r\n")).split(b";")[0].strip()
            size = number(line, 16)
            total += size
            if total > BODY_LIMIT:
                raise BadRequest(413, "the body is too large")
            if size == 0:
                break
            parts.append((await reader.readexactly(size + 2))[:-2])
        while await reader.readuntil(b"\r\n") != b"\r\n":
            pass
        return b"".join(parts)
    length = number(headers.get("content-length", "0").encode("latin-1"), 10)
    if length > BODY_LIMIT:
        raise BadRequest(413, "the body is too large")
    return await reader.readexactly(length)


def number(digits, base):
    # int() alone would take signs, spaces and underscores.
    allowed = b"0123456789abcdefABCDEF" if base == 16 else b"0123456789"
    if not digits or len(digits) > 12 or any(byte not in allowed for byte in digits):
        raise BadRequest(400, "bad length")
    return int(digits, base)
