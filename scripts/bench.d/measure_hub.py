#!/usr/bin/env python3
"""What `scripts/bench hub` measures with.

    measure_hub.py SCRATCH FOLDER-OF-THE-TOOLS EVENTS SUBSCRIBERS IDLE LOG RUNS [PART...]

Every part is a hub of its own beside its peer, in the same run; run under the Python that has
websockets. See hub_load.py for what the hub is loaded with, and hub_relay.py for the peer.
"""

import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import threading
import time

from hub_load import (
    BATCH, Client, Hub, Readers, Tally, batches, event, frame_size, frames,
    many_files, post_all, processor_seconds, start)
from measure import anonymous_kilobytes

RELAY = [sys.executable, str(pathlib.Path(__file__).with_name("hub_relay.py"))]
ALL = b'{"type":"subscribe","requestId":"1","maxEventsPerSecond":1000000}'


def row(name, *cells):
    """A row: the name, four cells, and the aim."""
    cells = cells + ("",) * (5 - len(cells))
    print((f"{name:<38}" + "".join(f"{cell:>11}" for cell in cells[:-1]) + f"  {cells[-1]}").rstrip(),
          flush=True)


def start_times(command, runs):
    times = []
    for _ in range(runs + 2):
        began = time.perf_counter()
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times[2:])


def percentiles(times):
    times = sorted(times)
    return statistics.median(times), times[len(times) * 99 // 100], times[-1]


class Bench:
    def __init__(self, arguments):
        self.scratch = pathlib.Path(arguments[0])
        self.tools = pathlib.Path(arguments[1])
        self.events, self.subscribers, self.idle, self.log, self.runs = map(int, arguments[2:7])
        self.parts = arguments[7:] or list(self.PARTS)
        self.homes = 0

    def tool(self, name):
        return str(self.tools / name)

    def hub(self, home=None):
        self.homes += 1
        return Hub(self.tool("hub-serve"), home or self.scratch / f"hub-{self.homes}")

    def run(self):
        for number, part in enumerate(self.parts):
            if number:
                print()
            self.PARTS[part](self)

    # Start-up

    def start_up(self):
        row("start-up, ms", "ours", "key-store", "× k-s", "", "aim")
        judged = start_times([self.tool("key-store"), "--version"], self.runs)
        for name in ("key-store", "stream-tail", "agent-run", "hub-serve"):
            ours = start_times([self.tool(name), "--version"], self.runs)
            row(f"  {name} --version", f"{ours * 1000:.1f}", f"{judged * 1000:.1f}",
                f"{ours / judged:.2f}")
        home, times = self.scratch / "started", []
        self.hub(home).end()
        for _ in range(self.runs):
            hub = self.hub(home)
            times.append(hub.started)
            hub.end()
        ours = statistics.median(times)
        row("  hub-serve until it listens", f"{ours * 1000:.1f}", f"{judged * 1000:.1f}",
            f"{ours / judged:.2f}", "", "≤ 4 × key-store")

    # Ingest

    def ingest(self):
        row(f"ingest, {self.events} events", "1/s", "in process", "× bench", "CPU s", "aim")
        environment = os.environ | {"AGENTPIPES_HOME": str(self.scratch / "log")}
        told = subprocess.run(
            [self.tool("event-log-bench"), str(self.events)], env=environment,
            stdout=subprocess.PIPE, check=True).stdout.decode().split()
        judged = int(told[told.index("append") + 1])
        bodies = batches(self.events)
        for clients in (1, 2, 4):
            hub = self.hub()
            before = processor_seconds(hub.process.pid)
            taken, seconds = post_all([hub], bodies, clients)
            spent = processor_seconds(hub.process.pid) - before
            hub.end()
            row(f"  POST /v1/events, {clients} at once", f"{taken / seconds:.0f}", judged,
                f"{taken / seconds / judged:.2f}", f"{spent:.2f}", "≥ 0.4 × event-log-bench")
            if taken != self.events:
                row(f"  TAKEN {taken} OF {self.events}")

    # Fan-out

    def fan_out(self):
        row(f"fan-out to {self.subscribers}", "1/s", "websockets", "× w", "CPU s", "aim")
        path = self.scratch / "frames"
        for name, count, aim in (
            ("a thousand events a POST", 2 * BATCH, "≥ 7 × broadcast"), ("one event a POST", 400, "")
        ):
            bodies = batches(count)
            if not aim:
                bodies = b"".join(bodies).splitlines(keepends=True)
            ours, spent, size = self.spread(bodies, count, path)
            judged, judged_spent = self.broadcast(path, size, count)
            row(f"  {name}", f"{ours:.0f}", f"{judged:.0f}", f"{ours / judged:.1f}",
                f"{spent:.2f}", aim)
            row("    broadcast", "", "", "", f"{judged_spent:.2f}", "")

    def spread(self, bodies, count, path):
        """How many events a second the readers of a hub get, each a message; the messages."""
        hub = self.hub()
        client = Client(hub)
        client.post(event(0))
        epoch, _, first = json.loads(client.get("/v1/events?limit=1"))["lastId"].partition("-")
        readers = Readers(
            hub.port, "/v1/stream?protocol=1", f"Authorization: Bearer {hub.token}\r\n",
            self.subscribers, ALL)
        # Each message is the line that was posted, and the id that the log gives it.
        size = sum(
            frame_size(len(line) + len(f'"id":"{epoch}-{int(first) + number}",'))
            for number, line in enumerate(b"".join(bodies).splitlines(), 1))
        before = processor_seconds(hub.process.pid)
        readers.expect(size)
        began = time.monotonic()
        for body in bodies:
            client.post(body)
        ended, sample = readers.done()
        spent = processor_seconds(hub.process.pid) - before
        sent = [payload for payload in frames(sample)[0] if b'"id":"' in payload]
        readers.end()
        hub.end()
        path.write_bytes(b"\n".join(sent) + b"\n")
        if len(sent) != count:
            row(f"  READ {len(sent)} OF {count} MESSAGES")
        return count * self.subscribers / (ended - began), spent, size

    def broadcast(self, path, size, count):
        """What the peer sends a second, of the same messages to as many."""
        peer = start(
            RELAY + ["broadcast", str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        readers = Readers(int(peer.stdout.readline()), "/out", "", self.subscribers)
        readers.expect(size)
        before = processor_seconds(peer.pid)
        peer.stdin.write(b"go\n")
        peer.stdin.flush()
        began = float(peer.stdout.readline())
        ended, _ = readers.done()
        spent = processor_seconds(peer.pid) - before
        readers.end()
        peer.kill()
        peer.wait()
        return count * self.subscribers / (ended - began), spent

    # Latency

    def latency(self):
        count, rate = 2000, 200
        row(f"posted to printed, {rate}/s, ms", "p50", "p99", "most", "", "aim")
        judged = self.relayed(count, rate)
        hub = self.hub()
        follower = start(
            [self.tool("stream-tail"), "--follow", "--hub", hub.url.replace("http", "ws", 1)],
            stdout=subprocess.PIPE, env=os.environ | {"AGENTPIPES_HOME": str(hub.home)})
        client = Client(hub)
        self.until_followed(client, follower)
        ours = self.paced(count, rate, follower, lambda text: client.post(
            event(2, message=text)))
        follower.terminate()
        follower.wait()
        hub.end()
        row("  stream-tail --hub", *(f"{figure:.2f}" for figure in ours), "",
            "p50 and p99 ≤ 2 × the relay's")
        row("  a relay of websockets", *(f"{figure:.2f}" for figure in judged))
        row("  ×", *(f"{a / b:.2f}" for a, b in zip(ours, judged)))

    @staticmethod
    def until_followed(client, follower):
        """Posts until the follower has printed something."""
        seen = threading.Event()
        last = []

        def wait():
            last.append(follower.stdout.readline())
            seen.set()

        threading.Thread(target=wait, daemon=True).start()
        number = 0
        while not seen.is_set():
            number += 1
            client.post(event(2, message=f"is anybody there {number}"))
            seen.wait(0.1)
        while f"there {number}\"".encode() not in last[-1]:
            last.append(follower.stdout.readline())

    @staticmethod
    def paced(count, rate, follower, send):
        """Milliseconds from an event that is sent, whose message is its moment, to its line."""
        def pace():
            start = time.perf_counter()
            for number in range(count):
                time.sleep(max(0, start + number / rate - time.perf_counter()))
                send(str(time.monotonic_ns()))

        sender = threading.Thread(target=pace)
        sender.start()
        times = []
        while len(times) < count:
            line = follower.stdout.readline()
            at = time.monotonic_ns()
            times.append((at - int(json.loads(line)["message"])) / 1e6)
        sender.join()
        return percentiles(times)

    def relayed(self, count, rate):
        from websockets.sync.client import connect

        peer = start(RELAY + ["relay"], stdout=subprocess.PIPE)
        port = int(peer.stdout.readline())
        follower = start(RELAY + ["follow", str(port)], stdout=subprocess.PIPE)
        with connect(f"ws://127.0.0.1:{port}/in", compression=None) as socket:
            class Poster:
                @staticmethod
                def post(body):
                    socket.send(body.decode())

            self.until_followed(Poster, follower)
            figures = self.paced(count, rate, follower, lambda text: socket.send(
                event(2, message=text).decode()))
        for process in (follower, peer):
            process.kill()
            process.wait()
        return figures

    # Restart

    def restart(self):
        home = self.scratch / "restarted"
        hub = self.hub(home)
        bodies = batches(100 * BATCH)
        post_all([hub], (bodies[number % len(bodies)] for number in range(self.log // BATCH)), 2)
        oldest = json.loads(Client(hub).get("/v1/events?limit=1"))["lastId"]
        kept = self.log - int(oldest.rpartition("-")[2]) + 1
        row(f"ready, a log of {kept} events, ms", "median", "most", "× clean", "", "aim")
        clean, killed = [], []
        for turn in range(2 * self.runs // 4 + 2):
            is_killed = turn % 2 == 1
            if is_killed:
                threading.Thread(target=self.flood_until_gone, args=(hub, bodies)).start()
                time.sleep(1)
                hub.end(signal.SIGKILL)
            else:
                hub.end()
            hub = self.hub(home)
            began = time.perf_counter()
            Client(hub).get("/health")
            Client(hub).get("/v1/overview")
            ready = hub.started + time.perf_counter() - began
            (killed if is_killed else clean).append(ready * 1000)
        hub.end()
        ours, judged = statistics.median(killed), statistics.median(clean)
        row("  after SIGTERM", f"{judged:.1f}", f"{max(clean):.1f}", "")
        row("  after SIGKILL under load", f"{ours:.1f}", f"{max(killed):.1f}",
            f"{ours / judged:.2f}", "", "≤ 3 × a clean start")

    @staticmethod
    def flood_until_gone(hub, bodies):
        try:
            client = Client(hub)
            while True:
                for body in bodies:
                    client.post(body)
        except OSError:
            return

    # Flood

    def flood(self):
        row(f"flood of {self.events} events", "lines", "left out", "client MB", "1/s", "aim")
        bodies = batches(self.events)
        for name, options in (("all", []), ("--max-rate 200", ["--max-rate", "200"])):
            hub = self.hub()
            self.followed(name, hub, Client(hub), bodies, options)
            hub.end()
        hub = self.hub()
        self.capped("the hub's 200/s", hub, bodies, 200)
        hub.end()

    def followed(self, name, hub, client, bodies, options):
        follower = start(
            [self.tool("stream-tail"), "--follow", "--hub", hub.url.replace("http", "ws", 1),
             *options], stdout=subprocess.PIPE,
            env=os.environ | {"AGENTPIPES_HOME": str(hub.home)})
        self.until_followed(client, follower)
        tally, peak = Tally(), [0]
        done = threading.Event()

        def read():
            for line in follower.stdout:
                if tally.add(line) == "the last one":
                    done.set()

        def watch():
            while follower.poll() is None:
                peak[0] = max(peak[0], anonymous_kilobytes(follower.pid))
                time.sleep(0.01)

        reader, watcher = threading.Thread(target=read), threading.Thread(target=watch)
        reader.start()
        watcher.start()
        taken, seconds = post_all([hub], bodies, 4)
        client.post(event(2, "critical", "the last one"))
        done.wait()
        follower.terminate()
        reader.join()
        follower.wait()
        watcher.join()
        self.tell(name, tally, taken, seconds, peak[0] / 1024)

    def capped(self, name, hub, bodies, rate):
        """A reader that asks the hub for few."""
        from websockets.sync.client import connect

        ask = b'{"type":"subscribe","requestId":"1","batch":true,"maxEventsPerSecond":%d}' % rate
        tally = Tally()
        with connect(f"ws://127.0.0.1:{hub.port}/v1/stream?protocol=1", compression=None,
                     additional_headers={"Authorization": f"Bearer {hub.token}"}) as socket:
            socket.send(ask.decode())
            while json.loads(socket.recv())["type"] != "subscribed":
                pass
            result = []
            poster = threading.Thread(target=lambda: result.append(post_all([hub], bodies, 4)))
            poster.start()
            while True:
                for line in socket.recv().split("\n"):
                    tally.add(line)
                if not poster.is_alive() and tally.total >= result[0][0]:
                    break
        poster.join()
        self.tell(name, tally, *result[0], 0)

    @staticmethod
    def tell(name, tally, taken, seconds, megabytes):
        row(f"  {name}", tally.lines, tally.left_out, f"{megabytes:.1f}" if megabytes else "",
            f"{taken / seconds:.0f}", "sum equal, client ≤ 64 MB")
        row(f"    sum {tally.total} of {taken}" + ("" if tally.total == taken else ": NOT EQUAL")
            + (f", {tally.gaps} gaps" if tally.gaps else ""))

    # Memory

    def memory(self):
        row("anonymous memory", "MB", "kB each", "", "", "aim")
        hub = self.hub()
        Client(hub).get("/v1/overview")
        time.sleep(2)
        idle = hub.anonymous
        row("  an idle hub", f"{idle / 1024:.1f}", "", "", "", "≤ 40 MB")
        readers = Readers(
            hub.port, "/v1/stream?protocol=1", f"Authorization: Bearer {hub.token}\r\n",
            self.idle, b'{"type":"subscribe","requestId":"1"}')
        time.sleep(2)
        full = hub.anonymous
        row(f"  {self.idle} subscribers", f"{full / 1024:.1f}", f"{(full - idle) / self.idle:.1f}",
            "", "", "≤ 20 kB each")
        told = Client(hub).get("/metrics").decode()
        if f"agentpipes_hub_subscribers {self.idle}\n" not in told:
            row("  NOT ALL OF THEM ARE THERE")
        readers.end()
        hub.end()

    PARTS = {
        "start": start_up, "ingest": ingest, "fan-out": fan_out, "latency": latency,
        "restart": restart, "flood": flood, "memory": memory,
    }


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    many_files()
    Bench(sys.argv[1:]).run()
