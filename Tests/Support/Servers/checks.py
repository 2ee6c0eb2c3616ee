"""What the self-tests of both servers share: start the real program, ask it, count what holds."""

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import traceback

FOLDER = os.path.dirname(os.path.abspath(__file__))
DEADLINE = 120


class Running:
    """A server started as its users start it, with its own log."""

    def __init__(self, program, *arguments, stdin=subprocess.PIPE, stderr=None):
        self.folder = tempfile.TemporaryDirectory()
        self.log_path = os.path.join(self.folder.name, "log.ndjson")
        command = [
            sys.executable,
            os.path.join(FOLDER, program),
            "--log",
            self.log_path,
            *arguments,
        ]
        self.process = subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr)
        ready = self.process.stdout.readline()
        if not ready:
            self.__exit__()
            raise ChildProcessError(f"{program} did not start")
        self.port = json.loads(ready)["port"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.stdin:
            self.process.stdin.close()
        try:
            self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("the server did not end") from None
        finally:
            self.process.stdout.close()
            self.folder.cleanup()

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)

    def socket(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=DEADLINE)

    def log(self, kind=None):
        with open(self.log_path, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        return [record for record in records if kind in (None, record["type"])]

    def answered(self, count):
        """The answer lines, once there are `count`: the last one may come after the client's read."""
        end = time.monotonic() + DEADLINE
        while len(self.log("answer")) < count and time.monotonic() < end:
            time.sleep(0.01)
        return self.log("answer")

    def path(self, name):
        return os.path.join(self.folder.name, name)


@contextlib.contextmanager
def scripted(program, behaviours, *arguments, stderr=None):
    """A server with a script."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "script.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(behaviours, file)
        with Running(program, "--script", path, *arguments, stderr=stderr) as server:
            yield server


def equal(got, wanted):
    if got != wanted:
        raise AssertionError(f"{got!r:.400} is not {wanted!r:.400}")


def run(checks):
    """Run each function, print what failed and the count; 0 when all passed."""
    failed = 0
    for check in checks:
        try:
            check()
        except Exception:
            failed += 1
            print(f"FAILED {check.__name__}", file=sys.stderr)
            traceback.print_exc()
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0
