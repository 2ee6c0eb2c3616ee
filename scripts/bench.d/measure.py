#!/usr/bin/env python3
"""What scripts/bench measures with: each command prints one line of tab-separated figures.

    measure.py start [--runs N] COMMAND...         ms of wall time: median, least
    measure.py run INPUT OUTPUT COMMAND...         wall s, user+system s, peak anonymous MB, exit status
    measure.py stages PIPELINES STAGES             (prints records for stage-run)
    measure.py events COUNT                        (prints events for stream-tail)
    measure.py sqlite COUNT                        rows a second into a table like the event log's
    measure.py pass LINES RUNS AGENT_RUN           through cat and through agent-run, start-up apart: to where,
                                                   s and s, the least of the runs; three lines
    measure.py latency COUNT RATE FOLLOWER WRITER  ms from event to line: median, 99 %, most
    measure.py first-delta PORT RUNS RECORDS HOLD COMMAND...   ms: median, least

`first-delta` stands between stage-run and the model server on PORT as a relay, and takes the time
from the first byte of the answer that it hands on to the first `delta` line of the command. The
server holds the second half of its answer until the file HOLD exists, so that no end of an answer
can have caused the delta. ANTHROPIC_BASE_URL is set for the command.
"""

import json
import os
import pathlib
import random
import select
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time


def start(arguments):
    """Start-up: the process is made, does its least, and is gone."""
    runs, source = 40, os.devnull
    if arguments[0] == "--runs":
        runs, arguments = int(arguments[1]), arguments[2:]
    if arguments[0] == "--input":
        source, arguments = arguments[1], arguments[2:]
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_OPEN, 0, source, os.O_RDONLY, 0)]
    actions += [(os.POSIX_SPAWN_DUP2, null, number) for number in (1, 2)]
    times = []
    for turn in range(runs + 3):
        began = time.perf_counter()
        process = os.posix_spawnp(arguments[0], arguments, os.environ, file_actions=actions)
        _, status = os.waitpid(process, 0)
        if turn >= 3:
            times.append((time.perf_counter() - began) * 1000)
        if status != 0:
            sys.exit(f"measure: '{' '.join(arguments)}' ended with status {status}")
    print(f"{statistics.median(times):.1f}\t{min(times):.1f}")


def anonymous_kilobytes(process):
    try:
        with open(f"/proc/{process}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith("RssAnon:"):
                    return int(line.split()[1])
    except (OSError, ValueError):
        pass
    return 0


def run(arguments):
    """One run, watched: the peak is what a look every millisecond saw."""
    source, target, command = arguments[0], arguments[1], arguments[2:]
    with open(source, "rb") as stdin, open(target, "wb") as stdout:
        actions = [
            (os.POSIX_SPAWN_DUP2, stdin.fileno(), 0),
            (os.POSIX_SPAWN_DUP2, stdout.fileno(), 1),
        ]
        began = time.perf_counter()
        process = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
        peak = 0
        while True:
            peak = max(peak, anonymous_kilobytes(process))
            ended, status, usage = os.wait4(process, os.WNOHANG)
            if ended:
                break
            time.sleep(0.001)
        wall = time.perf_counter() - began
    processor = usage.ru_utime + usage.ru_stime
    exit_status = os.waitstatus_to_exitcode(status)
    print(f"{wall:.3f}\t{processor:.3f}\t{peak / 1024:.1f}\t{exit_status}")


def identifier(clock=[int(time.time() * 1000)]):
    """A UUIDv7; each one a millisecond after the one before it."""
    clock[0] += 1
    value = clock[0] << 80 | 7 << 76 | random.getrandbits(12) << 64
    text = f"{value | 2 << 62 | random.getrandbits(62):032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def stages(arguments):
    """Records of pipelines that wait to be run."""
    pipelines, count = int(arguments[0]), int(arguments[1])
    roles = ("researcher", "producer", "qaReviewer")
    for number in range(pipelines):
        pipeline = identifier()
        records = [
            {
                "type": "pipeline",
                "id": pipeline,
                "project": f"bench {number}",
                "goal": f"Compare one thing with another, {number}",
                "status": "waiting",
                "stageCount": count,
                "createdAt": "2026-02-25T10:00:00.000Z",
            }
        ]
        records += [
            {
                "type": "stage",
                "id": identifier(),
                "pipelineId": pipeline,
                "position": position,
                "role": roles[position % 3],
                "task": f"Do part {position} of {number}",
                "status": "waiting",
                "approved": False,
            }
            for position in range(count)
        ]
        for record in records:
            print(json.dumps(record, sort_keys=True, separators=(",", ":")))


def events(arguments):
    """Events: half of them logs, nine in a hundred a warning or worse; some 200 bytes each."""
    chance = random.Random(1)
    levels = ["debug"] * 40 + ["info"] * 42 + ["warn"] * 12 + ["error"] * 5 + ["critical"]
    words = "the model asked for a tool whose answer did not come in time and tries again".split()
    write = sys.stdout.write
    for number in range(int(arguments[0])):
        agent = f"agent-{chance.randrange(200):03}"
        swarm = f"swarm-{chance.randrange(9)}"
        moment = 1735300000000 + number
        kind = chance.random()
        if kind < 0.5:
            text = " ".join(chance.choices(words, k=12))
            write(
                f'{{"agentId":"{agent}","id":"7c1f-{number}","level":"{chance.choice(levels)}",'
                f'"message":"{text}, \\"{number}\\"","sessionId":"session-{number % 97}",'
                f'"swarmId":"{swarm}","ts":{moment},"type":"log"}}\n'
            )
        elif kind < 0.9:
            write(
                f'{{"agentId":"{agent}","attrs":{{"gen_ai.tool.name":"grep","level":"error",'
                f'"size":[{number % 7},{{"type":"log"}}]}},"id":"7c1f-{number}","name":"tool.call",'
                f'"phase":"end","spanId":"{number:016x}","swarmId":"{swarm}",'
                f'"ts":{moment},"type":"traceEvent"}}\n'
            )
        else:
            write(
                f'{{"agentId":"{agent}","id":"7c1f-{number}","name":"error_rate",'
                f'"scope":"swarm","swarmId":"{swarm}","ts":{moment},"type":"metric",'
                f'"value":0.{number % 9 + 1}}}\n'
            )


class Relay:
    """Hands bytes on between one client at a time and the server, and notes when the first came."""

    def __init__(self, port):
        self.port = port
        self.first = None
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            client, _ = self.listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server = socket.create_connection(("127.0.0.1", self.port))
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.hand_on, args=(client, server), daemon=True).start()

    def hand_on(self, client, server):
        try:
            while True:
                for ready in select.select([client, server], [], [])[0]:
                    data = ready.recv(65536)
                    if not data:
                        return
                    if ready is server and self.first is None:
                        self.first = time.perf_counter()
                    (client if ready is server else server).sendall(data)
        except OSError:
            return
        finally:
            client.close()
            server.close()


def sqlite(arguments):
    """What the bare engine takes in, in batches of 1000 commits, with one index."""
    count = int(arguments[0])
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(folder + "/bare.db", isolation_level=None)
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute(
            "CREATE TABLE event (sequence INTEGER PRIMARY KEY, loggedAt INTEGER, agentId TEXT,"
            " srcId TEXT, record TEXT)")
        database.execute("CREATE INDEX byAgent ON event (agentId, sequence)")
        record = "x" * 220
        batches = [
            [(batch * 1000 + row, 0, f"agent-{row % 20}", None, record) for row in range(1000)]
            for batch in range(count // 1000)
        ]
        began = time.perf_counter()
        for batch in batches:
            database.execute("BEGIN IMMEDIATE")
            database.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?)", batch)
            database.execute("COMMIT")
        print(round(count / (time.perf_counter() - began)))
        database.close()


def pass_on(arguments):
    """Lines of seq through cat, and through agent-run, in turn."""
    lines, runs, tool = arguments[0], int(arguments[1]), arguments[2]

    def seconds(line):
        began = time.perf_counter()
        subprocess.run(["sh", "-c", line], check=True)
        return time.perf_counter() - began

    with tempfile.TemporaryDirectory() as folder:
        for name, end in (
            ("/dev/null", ">/dev/null"),
            ("a pipe", "| cat >/dev/null"),
            ("a file", f">{folder}/out"),
        ):
            through = {"cat": [], "ours": [], "start": []}
            for _ in range(runs):
                through["cat"].append(seconds(f"seq {lines} | cat {end}"))
                through["ours"].append(seconds(f"{tool} -- seq {lines} {end}"))
                through["start"].append(seconds(f"{tool} -- true {end}"))
            least = {name: min(times) for name, times in through.items()}
            print(f"{name}\t{least['cat']:.3f}\t{least['ours'] - least['start']:.3f}")


def latency(arguments):
    """The time from an event, which holds its microsecond as its message, to its line."""
    count, rate, follower, writer = int(arguments[0]), arguments[1], arguments[2], arguments[3]
    subprocess.run([writer, "pace", "1", "1"], check=True)
    process = subprocess.Popen([follower, "--follow"], stdout=subprocess.PIPE)
    process.stdout.readline()
    pace = subprocess.Popen([writer, "pace", str(count), rate])
    times = []
    for _ in range(count):
        line = process.stdout.readline()
        times.append(time.time() * 1000 - int(json.loads(line)["message"]) / 1000)
    pace.wait()
    process.terminate()
    process.wait()
    times.sort()
    print(f"{statistics.median(times):.1f}\t{times[len(times) * 99 // 100]:.1f}\t{times[-1]:.1f}")


def first_delta(arguments):
    port, runs, records, hold = int(arguments[0]), int(arguments[1]), arguments[2], arguments[3]
    relay = Relay(port)
    environment = os.environ | {
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{relay.listener.getsockname()[1]}"
    }
    home = environment["AGENTPIPES_HOME"]
    times = []
    for turn in range(runs):
        pathlib.Path(hold).unlink(missing_ok=True)
        relay.first = None
        environment["AGENTPIPES_HOME"] = f"{home}/{turn}"
        with open(records, "rb") as stdin:
            process = subprocess.Popen(
                arguments[4:], stdin=stdin, stdout=subprocess.PIPE, env=environment
            )
        for line in process.stdout:
            if b'"type":"delta"' in line:
                times.append((time.perf_counter() - relay.first) * 1000)
                break
        pathlib.Path(hold).touch()
        process.stdout.read()
        if process.wait() != 0:
            sys.exit(f"measure: '{arguments[4]}' ended with status {process.returncode}")
    if not times:
        sys.exit("measure: no delta came")
    print(f"{statistics.median(times):.1f}\t{min(times):.1f}")


COMMANDS = {
    "start": start,
    "run": run,
    "stages": stages,
    "events": events,
    "sqlite": sqlite,
    "pass": pass_on,
    "latency": latency,
    "first-delta": first_delta,
}


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return
    if sys.argv[1] not in COMMANDS:
        sys.exit(f"measure: unknown command '{sys.argv[1]}'")
    COMMANDS[sys.argv[1]](sys.argv[2:])


if __name__ == "__main__":
    main()
