"""What crowds and hostile requests do to what devices ask a hub for."""

import http.client
import json
import time

from companion import JSON, Host, address, is_failure, told
from crowd import Crowd, ask_honestly, settle
import hub as hubs

COMPLETE = "/companion/pairing/complete"
STATUS = ("/companion/status",)


def siege(checks, sizes):
    """While a crowd is at the pairing, another client is told the status, each time."""
    host = Host()
    hub, descriptors = host.hub, host.hub.descriptors
    host.pair()
    crowd = Crowd(hub, COMPLETE)
    crowd.idle(sizes.sockets)
    crowd.slow_heads(sizes.sockets // 5)
    crowd.slow_bodies(sizes.sockets // 10)
    crowd.large_bodies(4, None)
    crowd.endless_bodies(4, COMPLETE)
    told_right = checks.passed
    ask_honestly(checks, hub, "status, all at once", 100, STATUS, {})
    told_right = checks.passed - told_right
    paired = checks.check(host.pair(), "no device pairs beside a crowd")
    crowd.leave()
    settle(checks, hub, "a crowd at the pairing", descriptors)
    slow = slow_body(checks, hub) if sizes.dripping else "not waited for slow bodies"
    checks.check(hub.process.poll() is None, "the hub ended")
    hub.stop()
    return host, (
        f"{told_right} of 100 answers beside {sizes.sockets} sockets, slow heads and bodies, and bodies "
        f"of 10 MB; a device {'paired' if paired else 'did not pair'}; {slow}")


def slow_body(checks, hub):
    """A body that comes a byte at a time is waited for half a minute."""
    head = (
        f"POST {COMPLETE} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n"
        "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n")
    began = time.monotonic()
    connection, answer = hubs.open_socket(hub.port, head.encode()), b""
    connection.settimeout(0.5)
    while not answer and time.monotonic() < began + 300:
        try:
            connection.sendall(b" ")
            answer = connection.recv(65536)
        except TimeoutError:
            pass
    connection.close()
    spent = time.monotonic() - began
    checks.check(answer.startswith(b"HTTP/1.1 408 "), f"a slow body is answered with {answer[:200]}")
    return f"a slow body had its 408 after {spent:.0f} s"


def hostile(checks, sizes):
    """Requests that want what nobody may have are refused as devices are told it."""
    host = Host()
    _, project, chat = host.say("What is a WAL?")
    source = address()
    host.pair(source=source)
    count = 0
    for statuses, method, path, fields, body in cases(host, project, chat):
        # Of its own user's sockets the hub takes that one for the operator's.
        is_foreign = path == "/companion/pairing/start"
        connection = host.hub.connection(source=source, is_foreign=is_foreign)
        try:
            connection.putrequest(method, path, skip_host="Host" in fields)
            for name, value in fields.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders()
            try:
                connection.send(body or b"")
            except OSError:
                # It may be answered before it came whole.
                pass
            response = connection.getresponse()
            answer = json.loads(response.read())
            host.keep(response.status, answer)
            count += checks.check(
                response.status in statuses and is_failure(answer),
                f"{method} {path} with {fields} is answered with {response.status}: {answer}"[:500])
        except (OSError, ValueError, http.client.HTTPException) as error:
            checks.check(False, f"{method} {path} with {fields} is not answered: {error!r}"[:500])
        finally:
            connection.close()
    lies = sum(liar(checks, host, head, body) for head, body in untrue())
    status, answer = host.ask("GET", "/companion/status", source=source)
    checks.check(status == 200 and answer["connected"], f"then the status is {status}, {answer}")
    host.hub.stop()
    return host, f"{count} requests refused by their reasons, and {lies} that are no HTTP"


def cases(host, project, chat):
    """Statuses that are right, and what is asked."""
    messages, own = f"/companion/chats/{chat}/messages", {"Host": f"127.0.0.1:{host.hub.port}"}
    for query in (
        "cursor=-1", "limit=0", "limit=-1", "limit=501", "cursor=99999999999999999999", "cursor=x",
        "limit=1e3", "cursor=", "limit=%00", "cursor=0x10",
    ):
        yield {400}, "GET", f"{messages}?{query}", {}, None
    for name in ("%2e%2e%2f", "%2e%2e%2f%2e%2e", "..", "%00", "%ff", "%2fetc%2fpasswd", "'", "*", "a" * 5000):
        yield {400, 404}, "GET", f"/companion/chats/{name}/messages", {}, None
        yield {400, 404}, "GET", f"/companion/projects/{name}/chats", {}, None
        yield {400, 403, 404}, "DELETE", f"/companion/devices/{name}", {}, None
        yield {400, 404}, "POST", f"/companion/chats/{name}/continue", JSON, b'{"prompt":"a"}'
    for path in ("/companion/chats/../../messages", "/companion/../v1/events/messages", "/companion/nothing"):
        yield {401, 404}, "GET", path, {}, None
    yield {405}, "PUT", "/companion/status", {}, None
    yield {405}, "GET", COMPLETE, {}, None
    # A device reads and goes on with the chats that are companions', in their own folders.
    go_on = f"/companion/chats/{chat}/continue"
    yield {403}, "POST", go_on, JSON, b'{"prompt":"a","projectPath":"/etc"}'
    yield {403}, "POST", go_on, JSON, b'{"prompt":"a","projectPath":"../.."}'
    yield {404}, "POST", go_on, JSON, b'{"prompt":"a","model":"unheard-of"}'
    yield {403}, "DELETE", f"/companion/devices/{host.pair()}", {}, None
    if hubs.ForeignConnection.is_possible():
        yield {403}, "POST", "/companion/pairing/start", {}, b""
    for body in (b"", b"[]", b"null", b"{", b'{"prompt":1}', b'{"prompt":""}', b'{"prompt":" "}',
                 b"[" * 100_000, b"\xff\xfe", b'{"prompt":"\\ud800"}'):
        yield {400}, "POST", go_on, JSON, body
    for body in (b"", b"[]", b'{"pairingCode":"12345"}', b'{"pairingCode":123456}', pairing(code="1234567"),
                 pairing(code="12345a"), pairing(key=""), pairing(key="k" * 4097), pairing(name="\u202e"),
                 pairing(code="\u0661\u0662\u0663\u0664\u0665\u0666")):
        yield {400}, "POST", COMPLETE, JSON, body
    for path in (COMPLETE, go_on, "/companion/pairing/start", "/companion/disconnect"):
        yield {413}, "POST", path, JSON, b" " * 10_000_000
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "",
                     "application/jsonx", "text/plain, application/json"):
            yield {415}, "POST", path, {"Content-Type": kind}, b"{}"
        for method, target in (("GET", "/companion/status"), ("POST", path)):
            body = b"{}" if method == "POST" else None
            for origin in ("http://evil.example", f"http://127.0.0.1:{host.hub.port}", "null", ""):
                yield {403}, method, target, JSON | {"Origin": origin}, body
            for site in ("cross-site", "same-origin", "none"):
                yield {403}, method, target, JSON | {"Sec-Fetch-Site": site}, body
            for name in ("evil.example", f"evil.example:{host.hub.port}", "127.0.0.1.evil.example", "0x7f.1"):
                yield {421}, method, target, JSON | {"Host": name}, body
    yield {403}, "GET", "/companion/status", own | {"oRIGIN": "http://evil.example"}, None


def pairing(code="123456", key="a2V5", name="phone"):
    return json.dumps({"pairingCode": code, "devicePublicKey": key, "deviceName": name}).encode()


def untrue():
    """Heads and bodies that do not fit each other."""
    chunked = "Transfer-Encoding: chunked\r\n"
    for body in (
        b"5\r\n{}\r\n0\r\n\r\n", b"zz\r\n{}\r\n0\r\n\r\n", b"-1\r\n{}\r\n0\r\n\r\n",
        b"ffffffffffffffff\r\n{}\r\n0\r\n\r\n", b"2\r\n{}{}{}\r\n0\r\n\r\n", b"2\n{}\n0\n\n",
        b"0x2\r\n{}\r\n0\r\n\r\n", b"2" * 100_000,
    ):
        yield chunked, body
    yield chunked + "Content-Length: 2\r\n", b"2\r\n{}\r\n0\r\n\r\n"
    yield "Content-Length: 2\r\nContent-Length: 3\r\n", b"{} "
    yield "Content-Length: -2\r\n", b"{}"
    yield "Content-Length: 2x\r\n", b"{}"
    yield "Content-Length: 99999999999999999999\r\n", b"{}"
    yield "Transfer-Encoding: gzip\r\n", b"{}"


def liar(checks, host, head, body):
    """It is refused, or not answered, and nothing behind it is taken for another request."""
    own = f"Host: 127.0.0.1:{host.hub.port}\r\n"
    behind = f"GET /companion/devices HTTP/1.1\r\n{own}\r\n".encode()
    text = f"POST {COMPLETE} HTTP/1.1\r\n{own}Content-Type: application/json\r\n{head}\r\n"
    answer = b""
    with hubs.open_socket(host.hub.port) as connection:
        connection.settimeout(2)
        try:
            connection.sendall(text.encode() + body + behind)
            while piece := connection.recv(65536):
                answer += piece
        except OSError:
            pass
    statuses = [int(line.split()[1]) for line in answer.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]
    return checks.check(
        all(status >= 400 for status in statuses) and len(statuses) < 2,
        f"{head!r}, {body[:40]!r} is answered with {answer[:600]}")


CASES = siege, hostile
