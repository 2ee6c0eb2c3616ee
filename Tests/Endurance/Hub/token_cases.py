"""Devices with tokens, and other users, in the place of the operator or of a companion."""

import json
import os
import subprocess
import time

from answer_cases import HELD_TEXT, Phone, by_itself, by_operator, by_tool, host_with_model, texts
from companion import Host, address, is_failure, own_address, told
from signature_cases import unsigned
from signer import Key
import hub as hubs


class Registered:
    """A device that registered at a hub."""

    def __init__(self, host, scope):
        tool = host.scratch.start(
            "hub-serve", "register-code", "--scope", scope, stdout=subprocess.PIPE)
        code = json.loads(tool.communicate()[0])["code"]
        body = {"code": code, "deviceName": scope, "devicePublicKey": Key("ed25519").public}
        status, self.grant = host.ask("POST", "/v1/auth/device/register", body)
        if status != 201:
            raise SystemExit(f"a device does not register: {status}, {self.grant}")
        host.words |= {self.grant["accessToken"], self.grant["refreshToken"]}
        self.host, self.id = host, self.grant["deviceId"]
        self.fields = {"Authorization": f"Bearer {self.grant['accessToken']}"}

    def open(self, path):
        """Opens a stream. Returns the connection and the response."""
        connection = self.host.hub.connection(120)
        connection.request("GET", path, headers=self.fields | {"Accept": "text/event-stream"})
        return connection, connection.getresponse()


def tokens(checks, sizes):
    """A device's token opens no code and lists and revokes no companion; its streams end with it."""
    host = Host()
    _, project, chat = host.say("What is a WAL?")
    refused, longest = 0, 0
    for mode in ("address", "strict"):
        host.hub.stop()
        host.hub.options = ("--auth", mode)
        host.hub.start()
        for scope in ("all", "events", "hub"):
            device, source = Registered(host, scope), address()
            companion = host.pair(source=source)
            for place in (None, source):
                for is_foreign in (False, True):
                    refused += judge_token(
                        checks, host, device, companion, project, chat, source=place,
                        is_foreign=is_foreign)
            longest = max(longest, judge_end(checks, host, device, scope))
    host.hub.stop()
    return host, f"{refused} refused, of 3 scopes; streams ended {longest * 1000:.0f} ms after it at most"


def judge_token(checks, host, device, companion, project, chat, **options):
    """Checks that a device with a token is neither the operator nor the companion at its address.

    Returns the number of refusals."""
    code, refused = host.open_code(), 0
    paths = [("POST", "/companion/pairing/start", None), *unsigned(companion, project, chat)]
    for method, path, body in paths:
        status, answer = host.ask(method, path, body, device.fields, **options)
        if path == "/companion/status":
            is_right = status == 200 and not answer["connected"] and not answer.get("pairing")
        else:
            is_right = (status, told(answer)) == (403, "PermissionDenied") and is_failure(answer)
        refused += checks.check(
            is_right, f"a device's token: {method} {path} is answered with {status}: {answer}")
    checks.check(companion in host.devices(), "a device's token revoked a companion")
    status, answer = host.complete(*code)
    checks.check(status == 200, f"a device's token voided a code: {status}, {answer}")
    return refused


def judge_end(checks, host, device, scope):
    """Revokes a device. Returns the seconds until its streams ended."""
    paths = ["/v1/stream"] * (scope == "all")
    paths += ["/v1/controls?agentId=its-own&sessionId=1"] * (scope != "hub")
    streams = [device.open(path) for path in paths]
    for path, (_, stream) in zip(paths, streams):
        checks.check(stream.status == 200, f"{scope}: {path} is answered with {stream.status}")
    tool = host.scratch.start("hub-serve", "revoke", device.id, stdout=subprocess.DEVNULL)
    checks.check(tool.wait(300) == 0, f"a device is not revoked: {tool.returncode}")
    began = time.monotonic()
    for path, (connection, stream) in zip(paths, streams):
        try:
            stream.read()
        except TimeoutError:
            checks.check(False, f"{scope}: {path} goes on after its device was revoked")
        connection.close()
    spent = time.monotonic() - began
    checks.check(spent < 10, f"{scope}: streams lasted {spent:.2f} s more")
    refresh = {"refreshToken": device.grant["refreshToken"]}
    for method, path, body in (
        ("GET", "/v1/overview", None), ("POST", "/v1/events", "{}\n"),
        ("POST", "/companion/pairing/start", None), ("POST", "/v1/auth/token/refresh", refresh),
    ):
        status, answer = host.ask(method, path, body, device.fields)
        checks.check(
            status in (401, 403) and told(answer) in ("AuthExpired", "DeviceRevoked"),
            f"{scope}, revoked: {path} is answered with {status}: {answer}")
    return spent


def endings(checks, sizes):
    """An answer that a companion asked for ends with it, is not completed, and leaves the chat free."""
    model, host = host_with_model()
    other, longest, ways = Phone(host), 0, (by_operator, by_itself, by_tool)
    for way in ways:
        model.latch.unlink(missing_ok=True)
        phone, (_, _, chat) = Phone(host), host.say("What is a WAL?")
        stream = phone.go_on(chat, "Tell me in two parts.")
        stream.read_until(stream.deltas)
        busy = other.ask("POST", f"/companion/chats/{chat}/continue", {"prompt": "And now?"})[0]
        checks.check(busy == 409, f"{way.__name__}: a busy chat is answered with {busy}")
        status, answer = way(host, phone)
        checks.check(status == 200, f"{way.__name__}: {status}, {answer}")
        began, head = time.monotonic(), b" 409 "
        while b" 409 " in head and time.monotonic() < began + 120:
            after = other.go_on(chat, "And now?")
            after.read_until(lambda: b"\r\n\r\n" in after.bytes)
            head = after.bytes.split(b"\r\n", 1)[0]
        longest = max(longest, time.monotonic() - began)
        checks.check(b" 200 " in head, f"{way.__name__}: the chat stays busy: {after.bytes[:300]}")
        model.latch.touch()
        after.read_all()
        stream.read_all()
        first = texts(other, f"/companion/chats/{chat}/messages")[:4]
        checks.check(HELD_TEXT not in first, f"{way.__name__}: the answer came to its end: {first}")
    host.hub.stop()
    model.end()
    return host, f"{len(ways)} answers ended, the chat free {longest * 1000:.0f} ms after it at most"


# Another user

def as_nobody(work):
    """Calls a function as another user, in a process of its own. Returns its result."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(hubs.ForeignConnection.NOBODY)
            os.setuid(hubs.ForeignConnection.NOBODY)
            os.write(writing, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as result:
        text = result.read()
    os.waitpid(child, 0)
    return json.loads(text)


def neighbours(checks, sizes):
    """Another user of the hub's machine is no companion that does not sign, and opens no code."""
    host, refused = Host(address="0.0.0.0"), 0
    _, project, chat = host.say("What is a WAL?")
    places = [("127.0.0.1", address())]
    places += [(own, own) for own in [own_address()] if own]
    for target, source in places:
        connection = host.hub.connection(source=source, target=target)
        device = host.complete(*host.open_code(), connection=connection)[1]["connectedDevice"]["id"]
        connection.close()
        place = {"source": source, "target": target}
        if hubs.ForeignConnection.is_possible():
            status, answer = as_nobody(
                lambda: host.ask("POST", "/companion/pairing/start", **place))
            refused += checks.check(
                status in (401, 403) and is_failure(answer),
                f"another user opens a code: {status}, {answer}")
            for method, path, body in unsigned(device, project, chat):
                status, answer = as_nobody(lambda: host.ask(method, path, body, **place))
                refused += checks.check(
                    (status, told(answer)) == (401, "AuthExpired") and answer["kind"] == "unsigned",
                    f"another user: {method} {path} is answered with {status}: {answer}")
        status, answer = host.ask("GET", f"/companion/chats/{chat}/messages", **place)
        checks.check(
            status == 200 and len(answer["messages"]) == 2,
            f"then its own user is answered with {status}: {answer}")
    host.hub.stop()
    judged = f"{refused} refused at {len(places)} addresses"
    return host, judged if hubs.ForeignConnection.is_possible() else "not judged without root"


CASES = tokens, endings, neighbours
