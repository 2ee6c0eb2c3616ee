"""A hub in a fresh home of its own, and how it is asked: what the scripts that try a hub's endurance share."""

import atexit
import ctypes
import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
BIN = pathlib.Path(os.environ.get("AGENTPIPES_BIN") or ROOT / ".build/debug")


class Scratch:
    """A folder with a home for the tools, that goes when the script ends."""

    def __init__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="agentpipes-hub."))
        atexit.register(shutil.rmtree, self.path, ignore_errors=True)
        kept = {"PATH", "LD_LIBRARY_PATH", "TMPDIR"}
        self.environment = {name: value for name, value in os.environ.items() if name in kept} | {
            "PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(self.path / "user"),
            "AGENTPIPES_HOME": str(self.path / "home"), "TZ": "UTC", "LANG": "C.UTF-8"}
        (self.path / "user").mkdir()

    def configure(self, text):
        """Writes config.toml."""
        (self.path / "home/config").mkdir(parents=True, exist_ok=True)
        (self.path / "home/config/config.toml").write_text(text)

    def start(self, *words, **options):
        """Starts a tool, which ends with the script."""
        options = {"env": self.environment, "stdin": subprocess.DEVNULL} | options
        process = subprocess.Popen([str(BIN / words[0]), *words[1:]], **options)
        atexit.register(lambda: process.poll() is None and process.kill())
        return process


class Hub:
    """A hub that serves; one that was killed starts again at the same port."""

    def __init__(self, scratch, *options, descriptors=None, address="127.0.0.1"):
        if not os.access(BIN / "hub-serve", os.X_OK):
            sys.exit(f"no tool in '{BIN}': build it, or set AGENTPIPES_BIN")
        self.scratch, self.options, self.port, self.process = scratch, options, 0, None
        self.address = address
        # What it said on stderr, each time.
        self.errors = scratch.path / "hub-errors"
        # So many files and connections it may have open.
        self.limit = descriptors and (lambda: resource.setrlimit(
            resource.RLIMIT_NOFILE, (min(64, descriptors), descriptors)))

    def start(self):
        """Starts it. Gives the seconds until it answered."""
        began = time.monotonic()
        with open(self.errors, "ab") as errors:
            said = errors.tell()
            self.process = self.scratch.start(
                "hub-serve", "--listen", f"{self.address}:{self.port}", *self.options,
                stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=self.limit)
        self.port = self._port(said)
        token = self.scratch.path / "home/data/hub.token"
        self.token = token.read_text().strip()
        while self.ask("GET", "/health")[0] != 200:
            time.sleep(0.005)
        return time.monotonic() - began

    def _port(self, said):
        limit = time.monotonic() + 300
        while True:
            is_over = self.process.poll() is not None or time.monotonic() > limit
            text = self.errors.read_bytes()[said:]
            found = re.search(rb"listening on \w+://[^ ]*:(\d+)\s", text)
            if found:
                return int(found[1])
            if is_over:
                sys.exit(f"the hub does not start: {text.decode(errors='replace')}")
            time.sleep(0.002)

    def kill(self):
        """Ends it by SIGKILL."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends it by SIGTERM. Gives the seconds that took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(300)
        return time.monotonic() - began

    @property
    def fields(self):
        """The fields of a request of its operator."""
        return {"Authorization": f"Bearer {self.token}"}

    def connection(self, timeout=300, source=None, is_foreign=False, target="127.0.0.1"):
        """A connection from an address of this machine to another; a foreign one is another user's."""
        kind = ForeignConnection if is_foreign else http.client.HTTPConnection
        return kind(target, self.port, timeout, source and (source, 0))

    def ask(self, method, path, body=None, timeout=300, fields=None):
        """Asks once, by a connection of its own. Gives the status and what the body says."""
        connection = self.connection(timeout)
        try:
            return ask(connection, method, path, body, self.fields if fields is None else fields)
        finally:
            connection.close()

    def events(self):
        """All events that the log has."""
        after = None
        while True:
            query = f"&after={after}" if after else ""
            status, page = self.ask("GET", f"/v1/events?limit=10000{query}")
            if status != 200:
                sys.exit(f"the events are answered with {status}: {page}")
            if not page["events"]:
                return
            yield from page["events"]
            after = page["lastId"]

    def metric(self, name):
        """A number of /metrics."""
        text = self.ask("GET", "/metrics", fields={})[1]
        return float(re.search(rf"^agentpipes_hub_{name} (\S+)$", text, re.M)[1])

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    @property
    def memory(self):
        """How many kB of memory it has of its own."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"^RssAnon:\s+(\d+)", status, re.M)[1])


class ForeignConnection(http.client.HTTPConnection):
    """A connection whose socket is not that of the user that the hub runs as, where we may make such."""

    NOBODY = 65534

    def connect(self):
        # The socket is its user's who makes it, and it is this thread alone that is somebody else.
        system = ctypes.CDLL(None)
        system.setfsuid(self.NOBODY)
        try:
            super().connect()
        finally:
            system.setfsuid(os.geteuid())

    @classmethod
    def is_possible(cls):
        return os.geteuid() == 0


def ask(connection, method, path, body, fields):
    """Asks by a connection that stays open."""
    if body is not None and not isinstance(body, (bytes, str)):
        body = json.dumps(body)
    connection.request(method, path, body, fields)
    answer = connection.getresponse()
    text = answer.read()
    is_json = (answer.headers.get("Content-Type") or "").startswith("application/json")
    return answer.status, json.loads(text) if is_json and text else text.decode()


def open_socket(port, head=b"", timeout=300):
    """A connection that has sent something."""
    connection = socket.create_connection(("127.0.0.1", port), timeout)
    connection.sendall(head)
    return connection


def wait_until(what, condition, seconds=300):
    """Waits until something is so, or ends the script."""
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            sys.exit(f"never: {what}")
        time.sleep(0.01)


class Checks:
    """Counts what is right, and tells what is not."""

    def __init__(self):
        self.passed = self.failed = self.told = 0

    def check(self, is_right, what):
        if is_right:
            self.passed += 1
        else:
            self.failed += 1
            self.told += 1
            if self.told <= 20:
                print(f"wrong: {what}", flush=True)
        return is_right

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(1 if self.failed else 0)
