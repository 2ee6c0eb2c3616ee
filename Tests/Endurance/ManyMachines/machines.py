"""Two hubs, the database that they share, and their clients, each on a host of its own."""

import atexit
import base64
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from database import Database
from network import Host, Network, start

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Hub"))
import hub as hubs  # noqa: E402

PORT = 7878
# A statement that was cut off fails after 15 seconds, and a new connection after 5 for each server.
LONGEST = 120
LOST = (OSError, http.client.HTTPException)
LIMITS = "[limits]\ncontrols_per_minute = 1000000\nterminations_per_minute = 1000000\n"


class Machine:
    """A host with a hub, which is started again at the same address."""

    def __init__(self, host, folder, database):
        self.host, self.home, self.database = host, folder / host.name, database
        self.address, self.process, self.variables = host.address(), None, {}
        self.errors = folder / f"{host.name}.errors"
        self.token = None
        self.configure(LIMITS)

    def configure(self, text):
        (self.home / "config").mkdir(parents=True, exist_ok=True)
        (self.home / "config/config.toml").write_text(text)

    @property
    def url(self):
        return f"http://{self.address}:{PORT}"

    @property
    def environment(self):
        return environment(self.home) | self.variables

    def start(self):
        """Starts the hub, and waits until it answers."""
        with open(self.errors, "ab") as errors:
            said = errors.tell()
            self.process = start(
                [*self.host.words, str(hubs.BIN / "hub-serve"), "--listen", f"{self.address}:{PORT}",
                 "--records", self.database.url()],
                env=self.environment, stdout=subprocess.DEVNULL, stderr=errors)
        limit = time.monotonic() + 300
        while b"listening on" not in self.errors.read_bytes()[said:]:
            if self.process.poll() is not None or time.monotonic() > limit:
                sys.exit(f"the hub does not start: {self.errors.read_text()[said:]}")
            time.sleep(0.005)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(300)

    def run(self, *words):
        """Runs a tool on this host. Gives its records."""
        done = subprocess.run(
            [*self.host.words, str(hubs.BIN / words[0]), *words[1:]], env=self.environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{' '.join(words)}: {done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def code(self):
        """A registration code for a device, made on this host."""
        return self.run("hub-serve", "register-code", "--records", self.database.url())[0]["code"]

    # Requests, which are sent from the host of the calling thread

    def connection(self, timeout=LONGEST):
        return http.client.HTTPConnection(self.address, PORT, timeout)

    def ask(self, method, path, body=None, connection=None):
        """Asks once. Gives the status, the body and the header fields."""
        own = connection or self.connection()
        fields = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            own.request(method, path, body if body is None or isinstance(body, str) else json.dumps(body), fields)
            answer = own.getresponse()
            text = answer.read()
        finally:
            if not connection:
                own.close()
        is_json = (answer.headers.get("Content-Type") or "").startswith("application/json")
        return answer.status, json.loads(text) if is_json and text else text.decode(), answer.headers

    def page(self, after=None, limit=10000):
        """The events after an id."""
        query = f"&after={after}" if after else ""
        status, page, _ = self.ask("GET", f"/v1/events?limit={limit}{query}")
        if status != 200:
            sys.exit(f"{self.host.name}: the events are answered with {status}: {page}")
        return page


class Machines:
    """The hosts, and what runs on them."""

    def __init__(self, milliseconds=1):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="agentpipes-machines."))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        hosts = Host("huba", 1), Host("hubb", 2), Host("database", 3, 4), Host("clients", 5)
        self.network = Network(hosts, milliseconds)
        atexit.register(self.network.end)
        self.database = Database(hosts[2], self.folder, str(hubs.BIN / "hub-serve"))
        atexit.register(self.database.end)
        self.hubs = [Machine(host, self.folder, self.database) for host in hosts[:2]]
        for hub in self.hubs:
            atexit.register(hub.stop)
        self.clients = hosts[3]
        self.home = self.folder / "clients"
        self.clients.enter()

    def start(self):
        for hub in self.hubs:
            hub.start()
        self.register()

    def register(self, issuer=None, maker=None):
        """Registers a new device, whose token is then used at both hubs. Gives how that was answered."""
        # Limits count by name.
        name = f"clients {os.urandom(4).hex()}"
        key = base64.b64encode(bytes([7]) * 24 + os.urandom(8)).decode()
        code = (maker or self.hubs[0]).code()
        status, grant, _ = (issuer or self.hubs[0]).ask("POST", "/v1/auth/device/register", {
            "code": code, "deviceName": name, "devicePublicKey": key})
        for hub in self.hubs:
            hub.token = grant.get("accessToken", hub.token)
        return status, grant

    def pair(self):
        """Registers the clients' tools at both hubs."""
        for hub in self.hubs:
            done = subprocess.run(
                [str(hubs.BIN / "pair"), "register", hub.url, "--code", hub.code(), "--name", "tools"],
                env=environment(self.home), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(f"pair register: {done.stderr}")

    def agent(self, name, hub, command, heartbeat="1s"):
        """Starts a command as an agent that reports to a hub."""
        with open(self.folder / f"{name}.errors", "ab") as errors:
            return start(
                [str(hubs.BIN / "agent-run"), "--hub", hub.url, "--agent", name, "--heartbeat", heartbeat, "--",
                 *command], env=environment(self.home), stdout=subprocess.DEVNULL, stderr=errors)

    def other(self, hub):
        return self.hubs[1 - self.hubs.index(hub)]

    def any(self):
        return random.choice(self.hubs)


def environment(home):
    """The environment of a tool with a home of its own."""
    (home / "user").mkdir(parents=True, exist_ok=True)
    return {
        "PATH": f"{hubs.BIN}:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(home / "user"),
        "AGENTPIPES_HOME": str(home), "TZ": "UTC", "LANG": "C.UTF-8",
    } | ({"LD_LIBRARY_PATH": os.environ["LD_LIBRARY_PATH"]} if "LD_LIBRARY_PATH" in os.environ else {})


def insist(machines, method, path, body, first=None, good=(200, 201, 202, 409), seconds=600):
    """Asks one hub after the other until one answers. Gives the status, the body, and the hubs that were asked."""
    hub, limit, asked = first or machines.any(), time.monotonic() + seconds, []
    while True:
        asked.append(hub.host.name)
        try:
            status, answer, _ = hub.ask(method, path, body)
        except LOST as error:
            status, answer = 0, repr(error)
        if status in good or time.monotonic() > limit:
            return status, answer, asked
        if status not in (0, 429, 503):
            return status, answer, asked
        time.sleep(0.02)
        hub = machines.other(hub)


def text_of(path):
    return re.sub(r"\s+", " ", path.read_text(errors="replace"))[-2000:] if path.exists() else ""
