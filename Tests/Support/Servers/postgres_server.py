#!/usr/bin/env python3
"""A PostgreSQL server of its own on a Unix socket, for tests.

    postgres_server.py --programs FOLDER --log FILE [--durable]

The data and the socket are in the folder `pg` beside the log. The superuser is `postgres`, and nobody needs a
password. Nothing is synchronized to the disk, unless `--durable` asks for PostgreSQL's own settings. PostgreSQL refuses to run as root, so it then runs as `nobody`.

Ready line   one JSON line `{"port":N}` on stdout, once connections are accepted. The socket is named after it.
End          when stdin ends, or on SIGTERM or SIGINT. The folder `pg` is removed.
"""

import argparse
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time

PORT = 5432
START_SECONDS = 600
STOP_SECONDS = 10
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "400",
}
QUICK = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
}


def identity():
    """The arguments of subprocess that leave root behind."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("nobody")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Server:
    def __init__(self, programs, log, settings):
        self.programs = programs
        self.settings = settings
        self.log = log
        self.folder = os.path.join(os.path.dirname(os.path.abspath(log)), "pg")
        self.data = os.path.join(self.folder, "data")
        self.process = None

    def program(self, name):
        return os.path.join(self.programs, name)

    def start(self):
        who = identity()
        os.mkdir(self.folder)
        if who:
            os.chown(self.folder, who["user"], who["group"])
        with open(self.log, "ab") as log:
            streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
            initdb = [self.program("initdb"), "-D", self.data, "-U", "postgres", "-A", "trust"]
            initdb += ["-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"]
            subprocess.run(initdb, check=True, cwd=self.folder, **streams, **who)
            postgres = [self.program("postgres"), "-D", self.data, "-k", self.folder, "-p", str(PORT)]
            for name, value in self.settings.items():
                postgres += ["-c", f"{name}={value}"]
            # A group of its own: a terminal's Ctrl-C reaches this program alone, which stops the server.
            self.process = subprocess.Popen(
                postgres, cwd=self.folder, start_new_session=True, **streams, **who
            )

    def wait(self):
        """Wait until connections are accepted."""
        ready = [self.program("pg_isready"), "-q", "-h", self.folder, "-p", str(PORT)]
        end = time.monotonic() + START_SECONDS
        while subprocess.run(ready, check=False).returncode != 0:
            if self.process.poll() is not None:
                raise SystemExit("postgres ended")
            if time.monotonic() > end:
                raise SystemExit("postgres accepts no connections")
            time.sleep(0.05)

    def stop(self):
        if self.process:
            # SIGINT ends the sessions and then the server, SIGQUIT ends both at once.
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
                self.process.send_signal(number)
                try:
                    self.process.wait(STOP_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    continue
        shutil.rmtree(self.folder, ignore_errors=True)


def end(number, frame):
    raise SystemExit(0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--log", required=True)
    parser.add_argument("--durable", action="store_true")
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    settings = SETTINGS | ({} if options.durable else QUICK)
    server = Server(options.programs, options.log, settings)
    try:
        server.start()
        server.wait()
        print(json.dumps({"port": PORT}), flush=True)
        sys.stdin.buffer.read()
    finally:
        # A second signal must not leave the server behind.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        server.stop()


if __name__ == "__main__":
    main()
