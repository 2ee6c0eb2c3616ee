"""What `scripts/bench page` measures with.

    measure_page.py SCRATCH FOLDER-OF-THE-TOOLS PAGES ALERTS

Pages are the streams that a browser opens, without the browser: one epoll reads them all. Each kind of
subscriber has a hub of its own, in the same run.
"""
import http.client
import http.server
import json
import os
import pathlib
import select
import signal
import socket
import statistics
import sys
import threading
import time
import urllib.parse

from hub_load import BATCH, Client, Hub, batches, many_files, processor_seconds, start

# What the page asks for on its live view.
QUERY = "maxEventsPerSecond=100"


class PageHub(Hub):
    """A hub with a page, and the cookie of a browser that signed in."""

    def __init__(self, tools, home):
        config = pathlib.Path(home) / "config"
        config.mkdir(parents=True)
        (config / "config.toml").write_text("[serve]\npage = true\n", encoding="ascii")
        super().__init__(str(tools / "hub-serve"), home)
        link = json.loads(self.sent("POST", "/v1/page-links", b"{}", {"Authorization": f"Bearer {self.token}"})[1])
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(link["url"]).query)["code"][0]
        fields = {"Origin": self.url, "Content-Type": "application/x-www-form-urlencoded"}
        self.cookie = self.sent("POST", "/page/sign-in", f"code={code}".encode(), fields)[0]["Set-Cookie"].split(";")[0]

    def sent(self, method, path, body, fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, path, body, fields)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.headers, text


class Streams:
    """Open streams of server-sent events, whose bytes are counted by a thread."""

    def __init__(self, hub, path, field, count):
        self.poll, self.sockets, self.bytes = select.epoll(), {}, 0
        for index in range(count):
            near = socket.socket()
            near.bind((f"127.0.0.{2 + index // 4000}", 0))
            near.connect(("127.0.0.1", hub.port))
            near.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n{field}\r\n\r\n".encode())
            head = near.recv(4096)
            if b" 200 " not in head.split(b"\r\n")[0]:
                sys.exit(f"measure: {head.decode()}")
            near.setblocking(False)
            self.poll.register(near, select.EPOLLIN)
            self.sockets[near.fileno()] = near
        self.ends = False
        self.thread = threading.Thread(target=self.read)
        self.thread.start()

    def read(self):
        buffer = memoryview(bytearray(1 << 20))
        while not self.ends:
            for number, _ in self.poll.poll(0.2):
                self.bytes += self.sockets[number].recv_into(buffer)

    def end(self):
        self.ends = True
        self.thread.join()
        for near in self.sockets.values():
            near.close()


def subscribers(tools, scratch, name, path, field, count):
    """Kilobytes and seconds of the hub for so many streams, while 20,000 events are posted."""
    hub = PageHub(tools, scratch / name)
    client = Client(hub)
    client.post(batches(BATCH)[0])
    time.sleep(1)
    before, spent = hub.anonymous, processor_seconds(hub.process.pid)
    streams = Streams(hub, path, field(hub), count)
    time.sleep(1)
    opened, spent_open = hub.anonymous, processor_seconds(hub.process.pid)
    for body in batches(20 * BATCH):
        client.post(body)
        time.sleep(0.1)
    time.sleep(1)
    taken = processor_seconds(hub.process.pid) - spent_open
    print(f"  {name:<28}{(opened - before) / count:>10.1f}{spent_open - spent:>10.2f}{taken:>10.2f}"
          f"{streams.bytes / 1e6:>10.1f}", flush=True)
    streams.end()
    hub.end()


class Webhook(http.server.BaseHTTPRequestHandler):
    """A webhook that notes when each gate's alert came."""

    protocol_version = "HTTP/1.1"
    came = {}

    def do_POST(self):
        at = time.perf_counter()
        alert = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Webhook.came.setdefault(alert.get("gateId") or "", at)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def percentiles(times):
    times = sorted(times)
    return f"{statistics.median(times) * 1000:>10.1f}{times[len(times) * 99 // 100] * 1000:>10.1f}{len(times):>10}"


def alerts(tools, scratch, count):
    """From a gate's commit to its alert: at a subscriber of the stream, and at the webhook of push-notify."""
    hub = PageHub(tools, scratch / "alerts")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(scratch / "alerts/config/config.toml", "a", encoding="ascii") as file:
        file.write(f"[push.hook]\nkind = \"webhook\"\nurl = \"http://127.0.0.1:{server.server_address[1]}/\"\n"
                   "allow_private = true\nper_minute = 100000\n")
    notifier = start([str(tools / "push-notify"), "--follow", "--to", "hook"], stdout=open(os.devnull, "wb"),
                     env=os.environ | {"AGENTPIPES_HOME": str(hub.home), "PUSH_WEBHOOK_API_KEY": "whsec_" + "A" * 43 + "="})
    streamed = {}
    near = socket.create_connection(("127.0.0.1", hub.port))
    near.sendall(f"GET /v1/stream?include=alerts HTTP/1.1\r\nHost: 127.0.0.1:{hub.port}\r\n"
                 f"Authorization: Bearer {hub.token}\r\n\r\n".encode())

    def read():
        for line in near.makefile("rb"):
            if line.startswith(b"data:") and b'"gateId"' in line:
                streamed.setdefault(json.loads(line[5:])["gateId"], time.perf_counter())

    threading.Thread(target=read, daemon=True).start()
    client = Client(hub)
    gate = json.dumps({"summary": "go?"}).encode()

    def opened():
        _, answer = client.request("POST", "/v1/approval-gates", gate)
        return json.loads(answer)["gateId"]

    while not Webhook.came:
        if notifier.poll() is not None:
            sys.exit("measure: push-notify has ended")
        opened()
        time.sleep(0.2)
    sent, begin = {}, time.perf_counter()
    for number in range(count):
        time.sleep(max(0, begin + number / 20 - time.perf_counter()))
        sent[opened()] = time.perf_counter()
    end = time.monotonic() + 60
    while time.monotonic() < end and not all(each in Webhook.came and each in streamed for each in sent):
        time.sleep(0.1)
    for name, came in (("subscriber of the stream", streamed), ("webhook of push-notify", Webhook.came)):
        print(f"  {name:<28}" + percentiles([came[each] - at for each, at in sent.items() if each in came]))
    notifier.send_signal(signal.SIGTERM)
    notifier.wait()
    hub.end()


def main():
    scratch, tools, pages, count = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    many_files()
    print(f"{f'{pages} streams':<30}{'kB each':>10}{'s to open':>10}{'s, 20000':>10}{'MB':>10}")
    subscribers(tools, scratch, "subscribers", f"/v1/stream?{QUERY}", lambda hub: f"Authorization: Bearer {hub.token}", pages)
    subscribers(tools, scratch, "pages", f"/page/stream?{QUERY}", lambda hub: f"Cookie: {hub.cookie}", pages)
    print(f"{'alert of a gate, ms':<30}{'p50':>10}{'p99':>10}{'alerts':>10}")
    alerts(tools, scratch, count)


if __name__ == "__main__":
    main()
