"""Devices that pair with a hub, and what must not be found anywhere after they did."""

import base64
import collections
import json
import os
import random
import re
import socket
import threading

import hub as hubs

# By so many characters a secret is known.
LEAST = 16
JSON = {"Content-Type": "application/json"}


def address():
    """An address of this machine, and hardly one that was used before."""
    return f"127.{random.randint(1, 254)}.{random.randint(0, 255)}.{random.randint(1, 254)}"


def own_address():
    """An address of this machine that is not of loopback; None if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # No packet is sent, and nobody has that address (RFC 5737).
            probe.connect(("198.51.100.1", 9))
        except OSError:
            return None
        found = probe.getsockname()[0]
    return None if found.startswith("127.") else found


def opaque_key():
    """A key that signs nothing."""
    return base64.b64encode(os.urandom(40)).decode()


class Host:
    """A hub that devices pair with, in a home of its own, and all that was secret there."""

    def __init__(self, *options, configuration=None, address="127.0.0.1"):
        self.scratch = hubs.Scratch()
        if configuration:
            self.scratch.configure(configuration)
        self.hub = hubs.Hub(self.scratch, *options, address=address)
        self.hub.start()
        self.codes, self.words, self.keys = set(), {self.hub.token}, set()
        self.failures = collections.Counter()
        self.lock = threading.Lock()

    def ask(self, method, path, body=None, fields=None, **options):
        """Asks by a connection of its own, as nobody in particular unless fields tell who."""
        connection = self.hub.connection(**options)
        try:
            return self.ask_by(connection, method, path, body, fields)
        finally:
            connection.close()

    def ask_by(self, connection, method, path, body=None, fields=None):
        """Asks by a connection that stays open, and keeps what a failure says."""
        fields = (JSON if body is not None else {}) | (fields or {})
        status, answer = hubs.ask(connection, method, path, body, fields)
        self.keep(status, answer)
        return status, answer

    def keep(self, status, answer):
        """Keeps what a failure says."""
        if status >= 400:
            with self.lock:
                self.failures[json.dumps(answer)] += 1

    def operate(self, method, path, body=None):
        """Asks as the operator."""
        return self.ask(method, path, body, self.hub.fields)

    def open_code(self, seconds=600):
        """Opens a code. Gives its digits and its token."""
        status, answer = self.operate("POST", "/companion/pairing/start", {"ttlSeconds": seconds})
        if status != 200:
            raise SystemExit(f"pairing does not start: {status}, {answer}")
        token = json.loads(answer["qrPayload"])["token"]
        with self.lock:
            self.codes.add(answer["code"])
            self.words.add(token)
        return answer["code"], token

    def complete(self, code, token=None, key=None, source=None, name="phone", connection=None):
        """Shows a code."""
        body = {"pairingCode": code, "deviceName": name, "devicePublicKey": key or opaque_key()}
        if token:
            body["pairingToken"] = token
        path = "/companion/pairing/complete"
        if connection:
            return self.ask_by(connection, "POST", path, body)
        return self.ask("POST", path, body, source=source or address())

    def pair(self, key=None, source=None, name="phone"):
        """Pairs by QR code. Gives the device's id."""
        status, answer = self.complete(*self.open_code(), key, source, name)
        if status != 200:
            raise SystemExit(f"a device does not pair: {status}, {answer}")
        return answer["connectedDevice"]["id"]

    def devices(self):
        """The ids of the devices that the hub knows."""
        return [device["id"] for device in self.operate("GET", "/companion/devices")[1]["devices"]]

    def say(self, words, *options):
        """Begins a chat in a project. Gives the project's folder, the project's id and the chat's."""
        folder = self.scratch.path / "study"
        folder.mkdir(exist_ok=True)
        # The model without a key needs something to quote.
        text = self.scratch.path / "wal.txt"
        text.write_text("A WAL is a log of changes, and readers do not wait for a writer.\n")
        process = self.scratch.start(
            "chat-send", "--project", str(folder), "--attach", str(text), *options, words, cwd=self.scratch.path,
            stdout=hubs.subprocess.PIPE)
        message = json.loads(process.communicate()[0])
        listed = self.scratch.start("chat-log", "list", stdout=hubs.subprocess.PIPE)
        for line in listed.communicate()[0].splitlines():
            chat = json.loads(line)
            if chat["id"] == message["chatId"]:
                return str(folder), chat["projectId"], chat["id"]
        raise SystemExit("the chat is not there")

    # What stays behind

    def traces(self):
        """Where something secret is told: in what the hub said, in what it keeps, in its answers."""
        home = self.scratch.path / "home"
        texts = {"stderr": self.hub.errors.read_bytes()}
        texts["answers"] = "\n".join(self.failures).encode()
        for file in home.rglob("*"):
            if file.is_file() and file.name not in ("keys.sealed", "hub.token"):
                texts[str(file.relative_to(home))] = file.read_bytes()
        # In a file of SQLite one text may stand right beside another.
        words = {word.encode()[:LEAST] for word in self.words}
        codes = {code.encode() for code in self.codes}
        found = []
        for name, text in texts.items():
            told = {
                run[at:at + LEAST] for run in re.findall(rb"[A-Za-z0-9+/_-]{16,}", text)
                for at in range(len(run) - LEAST + 1)} & words
            told |= codes.intersection(re.findall(rb"(?<![\w.])\d{6}(?!\w)", text))
            told |= {key.hex().encode() for key in self.keys if key in text}
            found += [f"{name} has {word.decode()}" for word in sorted(told)]
        return len(texts), sum(map(len, texts.values())), found


def is_failure(answer):
    """Whether a body has the form that devices know."""
    return (
        isinstance(answer, dict) and answer.get("ok") is False
        and isinstance(answer.get("error"), str) and isinstance(answer.get("code"), str)
        and isinstance(answer.get("kind", ""), str)
        and set(answer) <= {"ok", "error", "action", "code", "kind"})


def told(answer):
    """The code of a failure; nothing where the body is none."""
    return answer.get("code") if isinstance(answer, dict) else None
