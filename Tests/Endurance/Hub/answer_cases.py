"""What happens to answers that a device reads when it is let in no more, or goes away."""

import json
import pathlib
import re
import select
import socket
import struct
import subprocess
import sys
import time

from companion import Host, address, is_failure, told
from signature_cases import Line, unsigned
from signer import Signer
import hub as hubs

SERVERS = hubs.ROOT / "Tests/Support/Servers"
LONG_TEXT = " ".join(f"word-{number}" for number in range(400))
HELD_TEXT = " ".join(f"piece-{number}" for number in range(20))


class Model:
    """A model that takes its time."""

    def __init__(self, folder):
        self.latch = folder / "go-on"
        script = [
            {"when": "steadily", "times": 0, "pace": 40, "chunks": 400, "text": LONG_TEXT},
            {"when": "in two parts", "times": 0, "holdFile": str(self.latch), "holdAt": "half",
             "chunks": 10, "text": HELD_TEXT},
            {"times": 0, "text": "Done."}]
        (folder / "model.json").write_text(json.dumps(script))
        self.process = subprocess.Popen(
            [sys.executable, str(SERVERS / "model_server.py"), "--local", "--script",
             str(folder / "model.json")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = json.loads(self.process.stdout.readline())["port"]

    def end(self):
        self.process.stdin.close()
        self.process.wait(300)


def host_with_model():
    folder = pathlib.Path(hubs.tempfile.mkdtemp(prefix="agentpipes-model."))
    hubs.atexit.register(hubs.shutil.rmtree, folder, ignore_errors=True)
    model = Model(folder)
    host = Host(configuration=(
        f'[models.slow]\nprovider = "local"\nendpoint = "http://127.0.0.1:{model.port}/v1"\n'))
    return model, host


class Phone:
    """A device that goes on with chats; one that signs nothing is known by its address."""

    def __init__(self, host, signs=True):
        self.host, self.source = host, address()
        self.signer = Signer(host, source=self.source) if signs else None
        self.id = self.signer.id if signs else host.pair(source=self.source)
        self.line = Line(host, self.source)

    def ask(self, method, path, body=None, is_foreign=False):
        """Asks for something. Gives the status and what the body says.

        Without signatures, an address of this machine is a device's for the hub's own user alone."""
        if not self.signer:
            return self.host.ask(method, path, body, source=self.source, is_foreign=is_foreign)
        text = b"" if body is None else json.dumps(body).encode()
        return self.line.send(self.signer.request(method, path, text))

    def go_on(self, chat, prompt, model="slow"):
        """Goes on with a chat. Gives what comes."""
        return Stream(self, chat, {"prompt": prompt, "model": model})


class Stream:
    """An answer as it comes, byte by byte."""

    def __init__(self, phone, chat, body):
        path, text = f"/companion/chats/{chat}/continue", json.dumps(body).encode()
        fields = {"Host": f"127.0.0.1:{phone.host.hub.port}", "Content-Type": "application/json"}
        if phone.signer:
            fields = dict(phone.signer.request("POST", path, text).fields)
        connection = phone.host.hub.connection(source=phone.source, is_foreign=phone.signer is not None)
        connection.connect()
        self.socket, self.bytes, self.is_over = connection.sock, b"", False
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.socket.sendall(
            f"POST {path} HTTP/1.1\r\n{head}Content-Length: {len(text)}\r\n\r\n".encode() + text)

    def frames(self, start=0):
        """What the frames say that came whole, the ones that end after some byte."""
        found = re.finditer(rb"data: (.*?)\n\n", self.bytes)
        return [
            text if text == "[DONE]" else json.loads(text)
            for text in (match[1].decode() for match in found if match.end() > start)]

    def deltas(self):
        return [frame["text"] for frame in self.frames()
                if frame != "[DONE]" and frame["type"] == "delta"]

    def read(self, seconds):
        """Reads what comes within a time; what is there alone where that is none."""
        limit = time.monotonic() + seconds
        while not self.is_over and select.select(
                [self.socket], [], [], max(0, limit - time.monotonic()))[0]:
            try:
                piece = self.socket.recv(65536)
            except ConnectionError:
                piece = b""
            self.bytes += piece
            self.is_over = not piece or self.bytes.endswith(b"\r\n0\r\n\r\n")
            if seconds and not self.is_over:
                return
        return

    def read_until(self, condition, seconds=300):
        limit = time.monotonic() + seconds
        while not condition() and not self.is_over:
            if time.monotonic() > limit:
                sys.exit(f"never in a stream: {self.bytes[-500:]}")
            self.read(1)

    def read_all(self, seconds=300):
        self.read_until(lambda: False, seconds)
        return self

    def leave(self, is_reset):
        if is_reset:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def revocations(checks, sizes):
    """A stream of a device that is revoked ends, and the device gets nothing more."""
    model, host = host_with_model()
    longest, count = 0, 0
    other = Phone(host)
    beside = other.go_on(host.say("Another study.")[2], "Tell me steadily.")
    beside.read_until(lambda: len(beside.deltas()) > 2)
    for _ in range(sizes.revocations):
        for signs in (True, False):
            for way in (by_operator, by_itself, by_tool):
                longest = max(longest, revocation(checks, host, signs, way))
                count += 1
    # It is read no more slowly than it comes, whoever else is sent away.
    beside.read(0)
    checks.check(
        beside.is_over or len(beside.deltas()) > 10 and told(beside.frames()[-1]) is None,
        f"another's stream: {beside.frames()[-2:]}")
    host.hub.stop()
    model.end()
    return host, f"{count} streams ended, {longest * 1000:.0f} ms after the answer at most"


def by_operator(host, phone):
    return host.operate("DELETE", f"/companion/devices/{phone.id}")


def by_itself(host, phone):
    return phone.ask("DELETE", f"/companion/devices/{phone.id}")


def by_tool(host, phone):
    tool = host.scratch.start("hub-serve", "revoke", phone.id, stdout=subprocess.DEVNULL)
    return 200 if tool.wait(300) == 0 else 500, None


def revocation(checks, host, signs, way):
    name = f"{way.__name__}, {'signed' if signs else 'by its address'}"
    _, project, chat = host.say("What is a WAL?")
    phone = Phone(host, signs)
    stream = phone.go_on(chat, "Tell me steadily.")
    stream.read_until(lambda: len(stream.deltas()) > 4)
    checks.check(len(stream.deltas()) > 4, f"{name}: it streams: {stream.bytes[:500]}")
    status, answer = way(host, phone)
    began = time.monotonic()
    checks.check(status == 200, f"{name}: {status}, {answer}")
    # What is there by now may have come before the answer.
    stream.read(0)
    there = len(stream.bytes)
    while not stream.is_over and time.monotonic() < began + 120:
        stream.read(0.2)
    spent = time.monotonic() - began
    checks.check(stream.is_over and spent < 10, f"{name}: the stream lasted {spent:.2f} s more")
    frames = stream.frames()
    closing = [frame for frame in frames[-2:] if frame != "[DONE]"][-1:]
    checks.check(
        [told(frame) for frame in closing] == ["DeviceRevoked"], f"{name}: it ends with {frames[-2:]}")
    errors = sum(told(frame) is not None for frame in frames)
    checks.check(errors == 1, f"{name}: {errors} frames tell of errors")
    if way is not by_tool:
        late = [frame for frame in stream.frames(there) if frame not in ("[DONE]", *closing)]
        checks.check(not late, f"{name}: after the answer came {len(late)} frames more: {late[:2]}")
    judge_revoked(checks, host, phone, name, project, chat)
    if signs:
        judge_return(checks, host, phone, name)
    return spent


def judge_return(checks, host, phone, name):
    """A device that was revoked may pair again, and then reads what it asks for to its end."""
    status, answer = host.complete(*host.open_code(), phone.signer.key.public)
    checks.check(
        status == 200 and answer["connectedDevice"]["id"] == phone.id,
        f"{name}: then pairing again is answered with {status}: {answer}")
    frames = phone.go_on(host.say("What is a WAL?")[2], "And now?").read_all().frames()
    checks.check(
        [frame if frame == "[DONE]" else frame["type"] for frame in frames[-2:]] == ["message", "[DONE]"],
        f"{name}: after pairing again an answer ends with {frames[-2:]}")


def judge_revoked(checks, host, phone, name, project, chat):
    """A device that was revoked is answered with 401, whatever it asks; one that is known by its address
    alone may be told that nobody is connected."""
    if not phone.signer and not hubs.ForeignConnection.is_possible():
        return
    for method, path, body in unsigned(phone.id, project, chat):
        # A socket of the hub's own user would be the operator's.
        status, answer = phone.ask(method, path, body, is_foreign=True)
        is_right = status == 401 and is_failure(answer)
        if phone.signer:
            is_right = is_right and told(answer) == "DeviceRevoked"
        elif path == "/companion/status":
            is_right = is_right or status == 200 and answer["connected"] is False
        checks.check(is_right, f"{name}: then {method} {path} is answered with {status}: {answer}")


def departures(checks, sizes):
    """An answer whose reader goes away is finished and in the history; until then the chat is busy."""
    model, host = host_with_model()
    phone, other = Phone(host), Phone(host)
    busy = 0
    for is_reset in (False, True) * (1 + sizes.revocations // 5):
        model.latch.unlink(missing_ok=True)
        _, _, chat = host.say("What is a WAL?")
        stream = phone.go_on(chat, "Tell me in two parts.")
        stream.read_until(lambda: stream.deltas())
        checks.check(stream.deltas(), f"nothing came: {stream.bytes[:500]}")
        stream.leave(is_reset)
        for device in (phone, other):
            status, answer = device.ask(
                "POST", f"/companion/chats/{chat}/continue", {"prompt": "And now?"})
            busy += checks.check(
                (status, told(answer)) == (409, "Busy") and is_failure(answer),
                f"a chat that is answered is gone on with: {status}, {answer}")
        model.latch.touch()
        path = f"/companion/chats/{chat}/messages"
        # What is said so far is in the history, too.
        hubs.wait_until("the answer is whole", lambda: texts(phone, path)[-1] == HELD_TEXT)
        said = texts(phone, path)
        checks.check(
            len(said) == 4 and said[2] == "Tell me in two parts.", f"the history is {said}")
        shown = host.scratch.start("chat-log", "show", chat, stdout=subprocess.PIPE)
        lines = [json.loads(line) for line in shown.communicate()[0].splitlines()]
        checks.check(
            [line.get("complete") for line in lines if line.get("role") == "assistant"][-1:] == [True],
            f"the answer is kept as {lines[-1:]}")
    whole = in_turn(checks, host, phone)
    host.hub.stop()
    model.end()
    return host, f"{busy} times busy, the answer whole each time; {whole} prompts right after each other"


def texts(phone, path):
    """What was said in a chat."""
    return [message["text"] for message in phone.ask("GET", path)[1]["messages"]]


def in_turn(checks, host, phone, count=20):
    """As soon as an answer ends, the chat goes on; what came in pieces is what is kept."""
    _, _, chat = host.say("What is a WAL?")
    right = 0
    for number in range(count):
        stream = phone.go_on(chat, f"And number {number}?").read_all()
        frames = stream.frames()
        is_right = (
            len(frames) > 2 and frames[-1] == "[DONE]" and frames[-2].get("type") == "message"
            and frames[-2]["text"] == "".join(stream.deltas()) == "Done.")
        right += checks.check(is_right, f"prompt {number} is answered with {stream.bytes[-700:]}")
    return right


CASES = revocations, departures
