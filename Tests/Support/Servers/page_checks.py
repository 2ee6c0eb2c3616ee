"""The self-test of page_server.py."""

import gzip
import http.client
import os
import tempfile
import zlib

from checks import Running, equal, run

SERVER = "page_server.py"


def get(server, path, headers=None):
    connection = server.connect()
    connection.request("GET", path, headers=headers or {})
    answer = connection.getresponse()
    try:
        return answer, answer.read()
    finally:
        connection.close()


def serves_a_folder_and_nothing_above_it():
    with tempfile.TemporaryDirectory() as parent:
        root = os.path.join(parent, "root")
        os.mkdir(root)
        for path, text in (
            (f"{root}/a.html", "<p>a"),
            (f"{root}/robots.txt", "User-agent: *"),
            (f"{parent}/secret.txt", "s"),
        ):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with Running(SERVER, "--root", root) as server:
            answer, body = get(server, "/a.html")
            equal((answer.status, body), (200, b"<p>a"))
            tag = answer.headers["etag"]
            equal(get(server, "/a", {"If-None-Match": tag})[0].status, 304)
            equal(get(server, "/robots.txt")[1], b"User-agent: *")
            equal(get(server, "/../secret.txt")[0].status, 404)
            equal(get(server, "/%2e%2e/secret.txt")[0].status, 404)
            equal(get(server, "/%00")[0].status, 404)


def redirects():
    with Running(SERVER) as server:
        answer, _ = get(server, "/redirect?to=http%3A%2F%2F169.254.169.254%2F&status=307")
        equal((answer.status, answer.headers["location"]), (307, "http://169.254.169.254/"))
        equal(get(server, "/redirects/2")[0].headers["location"], "/redirects/1")
        equal(get(server, "/redirects/1")[0].headers["location"], "/page/0")
        equal(get(server, "/loop")[0].headers["location"], "/loop")
        equal(get(server, "/redirect")[0].headers["location"], None)


def statuses_and_headers():
    with Running(SERVER) as server:
        answer, _ = get(server, "/status/503?retry-after=2&header=X-A:%20b")
        equal(
            (answer.status, answer.headers["retry-after"], answer.headers["x-a"]), (503, "2", "b")
        )
        equal([get(server, "/flaky/a?fails=2")[0].status for _ in range(3)], [503, 503, 200])
        equal(get(server, "/status/x")[0].status, 400)
        get(server, "/page/1", {"Authorization": "Bearer secret"})
        line = server.log("request")[-1]
        equal((line["authorizationPresent"], line["cookiePresent"]), (True, False))
        equal("secret" in str(server.log()), False)


def slow_held_and_stalled():
    with Running(SERVER) as server:
        answer, body = get(server, "/slow?ms=1&pieces=5")
        equal((answer.status, body.endswith(b"</html>\n")), (200, True))
        connection = server.connect()
        connection.request("GET", "/hold?file=" + server.path("go"))
        open(server.path("go"), "w").close()
        equal(connection.getresponse().status, 200)
        connection.close()
        raw = server.socket()
        raw.sendall(b"GET /stall HTTP/1.1\r\nHost: x\r\n\r\n")
        equal(raw.recv(100)[:15], b"HTTP/1.1 200 OK")
        raw.close()
        equal(server.answered(3)[-1]["ended"], "clientLeft")


def cuts():
    with Running(SERVER) as server:
        for path in ("/cut?after=10", "/cut?after=10&chunked=1"):
            try:
                get(server, path)
                raise AssertionError(f"{path} was read whole")
            except http.client.IncompleteRead as problem:
                equal(len(problem.partial) in (0, 10), True)
        try:
            get(server, "/cut?reset=1")
            raise AssertionError("no reset")
        except (ConnectionError, http.client.IncompleteRead):
            pass


def bombs():
    with Running(SERVER) as server:
        answer, body = get(server, "/big?mb=20")
        equal((answer.headers["content-encoding"], len(body) < 100_000), ("gzip", True))
        equal(len(gzip.decompress(body)) > 20_000_000, True)
        body = get(server, "/big?mb=20&encoding=gzip,gzip")[1]
        equal(
            (len(body) < 1000, len(gzip.decompress(gzip.decompress(body))) > 20_000_000),
            (True, True),
        )
        equal(len(zlib.decompress(get(server, "/big?mb=2&encoding=deflate")[1])) > 2_000_000, True)
        equal(len(get(server, "/big?mb=2&encoding=identity")[1]) > 2_000_000, True)


def encodings():
    with Running(SERVER) as server:
        equal(b"Page encoded" in gzip.decompress(get(server, "/encoding/gzip")[1]), True)
        for how in ("corrupt", "truncated", "plain"):
            try:
                gzip.decompress(get(server, f"/encoding/gzip?how={how}")[1])
                raise AssertionError(f"{how} was readable")
            except (zlib.error, EOFError, gzip.BadGzipFile):
                pass


def types_and_charsets():
    with Running(SERVER) as server:
        answer, body = get(server, "/type/application/pdf")
        equal((answer.headers["content-type"], body[:5]), ("application/pdf", b"%PDF-"))
        equal(get(server, "/type/none")[0].headers["content-type"], None)
        answer, body = get(server, "/charset/utf-8?bytes=windows-1251&meta=koi8-r")
        equal(answer.headers["content-type"], "text/html; charset=utf-8")
        equal("Привет" in body.decode("windows-1251") and b'charset="koi8-r"' in body, True)
        answer, body = get(server, "/charset/none?bytes=utf-16-le&bom=1")
        equal((answer.headers["content-type"], body[:2]), ("text/html", b"\xff\xfe"))
        equal(get(server, "/charset/none?bytes=klingon")[0].status, 400)


def main():
    return run(
        [
            serves_a_folder_and_nothing_above_it,
            redirects,
            statuses_and_headers,
            slow_held_and_stalled,
            cuts,
            bombs,
            encodings,
            types_and_charsets,
        ]
    )
