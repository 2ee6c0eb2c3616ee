"""What `scripts/bench adopt` measures with.

    measure_adopt.py SCRATCH FOLDER-OF-THE-TOOLS SESSIONS LINES

A line's latency is the time from its write until a reader of SQLite sees its event. The bare reader waits for the
same file with inotify, and reads the new bytes.
"""
import ctypes
import datetime
import json
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import threading
import time

IN_MODIFY = 2
LIBC = ctypes.CDLL(None, use_errno=True)
PAUSE = 0.03
IDLE = 20


def now():
    instant = datetime.datetime.now(datetime.timezone.utc)
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def line(session):
    return json.dumps({"type": "user", "sessionId": session, "cwd": "/w", "timestamp": now(),
                       "message": {"role": "user", "content": "x" * 200}}) + "\n"


def seconds(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def shown(times):
    times = sorted(1000 * value for value in times)
    return statistics.median(times), times[int(len(times) * 0.95)], times[-1]


def bare(path, session, count):
    """The times until a reader of inotify has the bytes of each line."""
    notes = LIBC.inotify_init1(0)
    LIBC.inotify_add_watch(notes, str(path).encode(), IN_MODIFY)
    seen, ready = [], threading.Semaphore(0)

    def read():
        with open(path, "rb") as file:
            file.seek(0, os.SEEK_END)
            for _ in range(count):
                os.read(notes, 4096)
                file.read()
                seen.append(time.perf_counter())
                ready.release()

    reader = threading.Thread(target=read)
    reader.start()
    times = []
    with open(path, "a", encoding="ascii") as file:
        for _ in range(count):
            time.sleep(PAUSE)
            began = time.perf_counter()
            file.write(line(session))
            file.flush()
            ready.acquire()
            times.append(seen[-1] - began)
    reader.join()
    os.close(notes)
    return times


def adopted(path, session, count, log):
    """The times until the event of each line is in the log."""
    times, last = [], "SELECT max(rowid) FROM event"
    with open(path, "a", encoding="ascii") as file:
        for _ in range(count):
            time.sleep(PAUSE)
            before = log.execute(last).fetchone()[0]
            began = time.perf_counter()
            file.write(line(session))
            file.flush()
            while log.execute(last).fetchone()[0] == before:
                if time.perf_counter() > began + 10:
                    sys.exit("measure: a line had no event within 10 s")
                time.sleep(0.0005)
            times.append(time.perf_counter() - began)
    return times


def main():
    scratch, tools = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    sessions, lines = int(sys.argv[3]), int(sys.argv[4])
    project = scratch / ".claude" / "projects" / "-w"
    project.mkdir(parents=True)
    names = [f"{index:08d}-0000-4000-8000-000000000000" for index in range(sessions)]
    for name in names:
        (project / f"{name}.jsonl").write_text(line(name), encoding="ascii")
    environment = {**os.environ, "AGENTPIPES_HOME": str(scratch / "home")}
    follower = subprocess.Popen([tools / "agent-adopt", "claude", "--follow"], env=environment)
    began = time.perf_counter()
    path = scratch / "home" / "data" / "events.db"
    log, known, same = None, -1, 0
    # All sessions are reported and have ended when the log no longer grows.
    while same < 10:
        time.sleep(0.5)
        if log is None and path.exists():
            log = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
        if log is not None:
            count = log.execute("SELECT count(*) FROM event").fetchone()[0]
            known, same = count, same + 1 if count == known and count >= 2 * sessions else 0
        if time.perf_counter() > began + 120:
            sys.exit("measure: the sessions were not reported within 120 s")
    used = seconds(follower.pid)
    time.sleep(IDLE)
    idle = 100 * (seconds(follower.pid) - used) / IDLE
    live = project / f"{names[0]}.jsonl"
    half = lines // 2
    (scratch / "bare").touch()
    alone = shown(bare(scratch / "bare", names[0], half))
    times = shown(adopted(live, names[0], lines, log))
    follower.terminate()
    follower.wait()
    print(f"{'bare reader of inotify':42}{alone[0]:8.2f} ms median {alone[1]:8.2f} ms p95 {alone[2]:8.2f} ms most")
    print(f"{'line of a session until its event is logged':42}{times[0]:8.2f} ms median {times[1]:8.2f} ms p95 "
          f"{times[2]:8.2f} ms most   aim: p95 at most 100 ms; {times[1] / alone[1]:.0f} times the bare reader")
    print(f"{f'{sessions} sessions, nothing happens':42}{idle:8.2f} % of a core   aim: at most 1 %")


main()
