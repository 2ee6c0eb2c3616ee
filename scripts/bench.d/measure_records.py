#!/usr/bin/env python3
"""What `scripts/bench hub --records` measures with: hubs over PostgreSQL beside hubs over SQLite, in the same run.

    measure_records.py SCRATCH FOLDER-OF-THE-TOOLS EVENTS SUBSCRIBERS IDLE LOG RUNS [PART...]

The server has PostgreSQL's own settings: a commit is on disk before it is acknowledged. Its bare speed is that of
psql's \\copy, which calls libpq's COPY, with the rows that a hub has written.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from hub_load import (
    BATCH, Client, Hub, Readers, batches, event, frame_size, frames, many_files, post_all,
    processor_seconds, start)
from measure_hub import ALL, Bench, row

SERVER = pathlib.Path(__file__).resolve().parents[2] / "Tests/Support/Servers/postgres_server.py"
ROWS = "sequence, loggedAt, agentId, srcId, record"


class Postgres:
    """A server of PostgreSQL, which ends with this program."""

    def __init__(self, scratch):
        self.programs = max(
            (path for path in pathlib.Path("/usr/lib/postgresql").glob("*/bin")),
            key=lambda path: int(path.parent.name), default=None)
        if not self.programs:
            sys.exit("measure: PostgreSQL is not installed")
        self.folder = scratch / "postgres"
        self.folder.mkdir()
        # PostgreSQL runs as another user than root.
        for folder in (scratch, self.folder):
            folder.chmod(0o711)
        self.process = start(
            [sys.executable, str(SERVER), "--durable", "--programs", str(self.programs), "--log",
             str(self.folder / "log")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if not self.process.stdout.readline():
            sys.exit(f"measure: PostgreSQL does not start: {(self.folder / 'log').read_text()}")
        self.databases = 0

    def psql(self, database, *words, script=None):
        done = subprocess.run(
            [self.programs / "psql", "-h", self.folder / "pg", "-U", "postgres", "-d", database, "-XAtq",
             "-v", "ON_ERROR_STOP=1", *words], input=script, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"measure: psql: {done.stderr}")
        return done.stdout.strip()

    def create(self, tool):
        """Creates a database with the tables of hubs. Gives its name."""
        self.databases += 1
        name = f"bench{self.databases}"
        self.psql("postgres", "-c", f"CREATE DATABASE {name}")
        subprocess.run(
            [tool, "migrate", "--records", self.url(name)], stderr=subprocess.DEVNULL, check=True,
            env=os.environ | {"AGENTPIPES_HOME": str(self.folder.parent / "migrated")})
        return name

    def url(self, database):
        return f"postgresql://postgres@/{database}?host={self.folder}/pg"

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class RecordsBench(Bench):
    def __init__(self, arguments):
        super().__init__(arguments)
        self.postgres = Postgres(self.scratch)

    def run(self):
        print(self.postgres.psql("postgres", "-c", "SELECT split_part(version(), ' (', 1)"), "with fsync",
              self.postgres.psql("postgres", "-c", "SHOW fsync"), "and synchronous_commit",
              self.postgres.psql("postgres", "-c", "SHOW synchronous_commit"))
        print()
        super().run()
        self.postgres.end()

    def shared(self, count):
        """So many hubs that share a new database, and its name."""
        name = self.postgres.create(self.tool("hub-serve"))
        hubs = []
        for _ in range(count):
            self.homes += 1
            hubs.append(Hub(
                self.tool("hub-serve"), self.scratch / f"hub-{self.homes}",
                "--records", self.postgres.url(name)))
        return hubs, name

    # Ingest

    def ingest(self):
        row(f"ingest, {self.events} events", "1/s", "× SQLite", "× COPY", "CPU s", "aim")
        bodies = batches(self.events)
        judged = None
        for clients in (1, 2, 4):
            hub = self.hub()
            light, light_spent = self.posted([hub], bodies, clients)
            hubs, name = self.shared(1)
            ours, spent = self.posted(hubs, bodies, clients)
            # The rows are the same each time.
            judged = judged or self.copied(name)
            row(f"  PostgreSQL, {clients} at once", f"{ours:.0f}", f"{ours / light:.2f}",
                f"{ours / judged:.2f}", f"{spent:.2f}", "≥ 0.5 × COPY")
            row(f"  SQLite, {clients} at once", f"{light:.0f}", "", "", f"{light_spent:.2f}")
        hubs, _ = self.shared(2)
        ours, spent = self.posted(hubs, bodies, 4)
        row("  two hubs, 4 at once", f"{ours:.0f}", "", f"{ours / judged:.2f}", f"{spent:.2f}")
        row(f"  \\copy of {BATCH} lines each", f"{judged:.0f}")

    def posted(self, hubs, bodies, clients):
        """Events a second that hubs take, each from its share of the clients, and the time of their processors."""
        before = sum(processor_seconds(hub.process.pid) for hub in hubs)
        taken, seconds = post_all(hubs, bodies, clients)
        spent = sum(processor_seconds(hub.process.pid) for hub in hubs) - before
        for hub in hubs:
            hub.end()
        if taken != self.events:
            row(f"  TAKEN {taken} OF {self.events}")
        return taken / seconds, spent

    def copied(self, database):
        """Rows a second that psql copies into a table with the same columns and indexes, in as large batches."""
        folder = self.scratch / "rows"
        folder.mkdir()
        rows = folder / "all"
        self.postgres.psql(
            database, "-c", f"\\copy (SELECT {ROWS} FROM event ORDER BY sequence LIMIT {self.events}) TO '{rows}'")
        self.postgres.psql(database, "-c", "CREATE TABLE copied (LIKE event INCLUDING ALL)")
        # In the text form, each row is a line.
        lines = rows.read_bytes().splitlines(keepends=True)
        script = []
        for first in range(0, len(lines), BATCH):
            part = folder / str(first)
            part.write_bytes(b"".join(lines[first:first + BATCH]))
            script.append(f"\\copy copied ({ROWS}) FROM '{part}'\n")
        began = time.perf_counter()
        self.postgres.psql(database, script="".join(script))
        seconds = time.perf_counter() - began
        count = int(self.postgres.psql(database, "-c", "SELECT count(*) FROM copied"))
        if count != len(lines):
            row(f"  COPIED {count} OF {len(lines)}")
        return count / seconds

    # Fan-out

    def fan_out(self):
        row(f"fan-out to {self.subscribers}", "1/s", "× SQLite", "", "CPU s", "aim")
        for name, bodies, count in (
                ("a thousand events a POST", batches(2 * BATCH), 2 * BATCH),
                ("one event a POST", b"".join(batches(400)).splitlines(keepends=True), 400)):
            hub = self.hub()
            judged, judged_spent = self.spread_between(hub, hub, bodies, count)
            (one, two), _ = self.shared(2)
            ours, spent = self.spread_between(one, one, bodies, count, keeps=True)
            other, other_spent = self.spread_between(one, two, bodies, count)
            two.end()
            row(f"  {name}", f"{ours:.0f}", f"{ours / judged:.2f}", "", f"{spent:.2f}")
            row("    posted to another hub", f"{other:.0f}", f"{other / judged:.2f}", "", f"{other_spent:.2f}")
            row("    SQLite", f"{judged:.0f}", "", "", f"{judged_spent:.2f}")

    def spread_between(self, source, target, bodies, count, keeps=False):
        """Events a second that the readers of a hub get of those that are posted to one, each a message."""
        client = Client(source)
        client.post(event(0))
        epoch, _, first = json.loads(client.get("/v1/events?last=1"))["lastId"].partition("-")
        readers = Readers(
            target.port, "/v1/stream?protocol=1", f"Authorization: Bearer {target.token}\r\n",
            self.subscribers, ALL)
        # Each message is the line that was posted, and the id that the log gives it.
        size = sum(
            frame_size(len(line) + len(f'"id":"{epoch}-{int(first) + number}",'))
            for number, line in enumerate(b"".join(bodies).splitlines(), 1))
        before = processor_seconds(target.process.pid)
        readers.expect(size)
        began = time.monotonic()
        for body in bodies:
            client.post(body)
        ended, sample = readers.done()
        spent = processor_seconds(target.process.pid) - before
        sent = [payload for payload in frames(sample)[0] if b'"id":"' in payload]
        readers.end()
        if not keeps:
            source.end()
        if len(sent) != count:
            row(f"  READ {len(sent)} OF {count} MESSAGES")
        return count * self.subscribers / (ended - began), spent

    # Latency

    def latency(self):
        count, rate = 2000, 200
        row(f"posted to printed, {rate}/s, ms", "p50", "p99", "most", "", "aim")
        hub = self.hub()
        judged = self.followed_at(hub, hub, count, rate)
        hub.end()
        (one, two), _ = self.shared(2)
        same = self.followed_at(one, one, count, rate)
        other = self.followed_at(one, two, count, rate)
        one.end()
        two.end()
        for name, figures in (
                ("SQLite", judged), ("PostgreSQL", same), ("PostgreSQL, printed at the other hub", other)):
            row(f"  {name}", *(f"{figure:.2f}" for figure in figures))
        row("  × other to same", *(f"{a / b:.2f}" for a, b in zip(other, same)))

    def followed_at(self, source, target, count, rate):
        """Milliseconds from an event that is posted to one hub to its line of a tool that follows another."""
        follower = start(
            [self.tool("stream-tail"), "--follow", "--hub", target.url.replace("http", "ws", 1)],
            stdout=subprocess.PIPE, env=os.environ | {"AGENTPIPES_HOME": str(target.home)})
        client = Client(source)
        self.until_followed(client, follower)
        figures = self.paced(count, rate, follower, lambda text: client.post(event(2, message=text)))
        follower.terminate()
        follower.wait()
        return figures

    PARTS = {"ingest": ingest, "fan-out": fan_out, "latency": latency}


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    many_files()
    RecordsBench(sys.argv[1:]).run()
