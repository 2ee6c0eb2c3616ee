#!/usr/bin/env python3
"""A host on 127.0.0.1 that knows the founding document of the companion app and nothing else.

    companion_server.py [--fault ENDPOINT=NAME …] [--strange] [--strict] [--log FILE]

It lets devices pair without looking at who asks, names no codes of failures and no way to sign, and holds
all it knows in memory: two projects, their chats, the devices. loopback.py says how it starts, ends and logs;
without --log the log goes to stdout. A request's line has its `endpoint` and the `bytes` of its body.

--fault has an endpoint misbehave, each time or, as ENDPOINT=NAME:N, at its Nth request alone. The endpoints
are health, start, complete, status, disconnect, devices, revoke, projects, chats, messages and continue; the
names are in companion_faults.py. A prompt whose first word is such a name has that answer misbehave.
--strange gives names, titles, texts and errors characters that do things to a terminal; --strict takes a
prompt with the folder of its chat's project alone.
"""

import json
import re
import secrets
import time
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs, unquote, urlsplit

import companion_faults as faults
import loopback

STRANGE = "\x1b[31mred\x1b]0;owned\x07\u202egnol\u2066\u200f\r\n\x9b2J end"
START = datetime(2026, 2, 25, 10, tzinfo=timezone.utc)
ROUTES = [
    ("GET", "/health", "health"),
    ("POST", "/companion/pairing/start", "start"),
    ("POST", "/companion/pairing/complete", "complete"),
    ("GET", "/companion/status", "status"),
    ("POST", "/companion/disconnect", "disconnect"),
    ("GET", "/companion/devices", "devices"),
    ("DELETE", "/companion/devices/([^/]+)", "revoke"),
    ("GET", "/companion/projects", "projects"),
    ("GET", "/companion/projects/([^/]+)/chats", "chats"),
    ("GET", "/companion/chats/([^/]+)/messages", "messages"),
    ("POST", "/companion/chats/([^/]+)/continue", "continue"),
]


class Refused(Exception):
    def __init__(self, status, words):
        super().__init__(words)
        self.status = status


def instant(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


def now():
    return datetime.now(timezone.utc)


def endpoint(request):
    """The name of what is asked for, and the id in the path."""
    path = urlsplit(request.target).path
    for method, pattern, name in ROUTES:
        match = re.fullmatch(pattern, path)
        if match and method == request.method:
            return name, unquote(match[1]) if match.groups() else None
    return None, None


class Host:
    def __init__(self, wanted, is_strange, is_strict):
        self.faults = wanted
        self.is_strict = is_strict
        self.strange = " " + STRANGE if is_strange else ""
        self.counts = {}
        self.code = None
        self.devices = []
        self.connected = None
        self.projects = [
            {"id": "garden", "name": "garden" + self.strange, "localPath": "/Users/sam/garden"},
            {"id": "p 2/b", "name": "my-project", "localPath": "/Users/sam/my-project" + self.strange},
        ]
        self.chats = [
            self.chat("beans", "garden", "When are beans sown?", 120),
            self.chat("pond", "garden", "How deep is a pond?", 2),
            self.chat("soup/1?", "p 2/b", "Which soup?", 4),
            self.chat("nothing", "p 2/b", "Nothing yet", 0),
        ]
        self.projects = [p | {"lastUpdatedAt": instant(START)} for p in self.projects]

    def chat(self, id, project, title, count):
        messages = [
            {
                "id": f"{id}-{n}",
                "role": "assistant" if n % 2 else "user",
                "text": f"{title} ({n}){self.strange}",
                "createdAt": instant(START + timedelta(seconds=2 * n)),
            }
            for n in range(count)
        ]
        return {
            "told": {
                "id": id,
                "projectId": project,
                "title": title + self.strange,
                "lastUpdatedAt": instant(START + timedelta(seconds=2 * count)),
            },
            "messages": messages,
        }

    async def handle(self, exchange):
        request = exchange.request
        name, id = endpoint(request)
        count = self.counts[name] = self.counts.get(name, 0) + 1
        fault = self.faults.get((name, count)) or self.faults.get((name, None))
        stream = None
        try:
            if name is None:
                raise Refused(404, "Not found")
            given = self.body(request)
            answer = getattr(self, f"do_{name.replace('continue', 'go_on')}")(id, given)
            status = 200
            if name == "continue":
                words = given["prompt"].split()
                fault = fault or (words[0] if words else None)
                stream = answer
        except Refused as refusal:
            answer = {"ok": False, "error": f"{refusal}{self.strange}"}
            status = refusal.status
        if stream is not None and fault not in faults.ANSWERS:
            return await faults.tell(exchange, fault, stream, self.strange)
        body = faults.frames(stream) if stream is not None else json.dumps(answer).encode()
        kind = "text/event-stream" if stream is not None else "application/json"
        if fault in faults.ANSWERS:
            return await faults.ANSWERS[fault](exchange, status, kind, body)
        await exchange.answer(status, [("content-type", kind)], body)
        return "complete"

    def body(self, request):
        try:
            given = json.loads(request.body or b"{}")
        except ValueError:
            raise Refused(400, "Invalid JSON") from None
        if not isinstance(given, dict):
            raise Refused(400, "Invalid body")
        return given | {name: v[0] for name, v in parse_qs(urlsplit(request.target).query).items()}

    def state(self):
        device = self.connected
        told = device and {k: device[k] for k in ("id", "name", "connectedAt", "lastSeenAt")}
        return {"ok": True, "connected": device is not None, "connectedDevice": told}

    def seen(self):
        """What is for who is connected alone."""
        if self.connected is None:
            raise Refused(403, "Companion is not paired")
        self.connected["lastSeenAt"] = instant(now())

    # The endpoints

    def do_health(self, id, given):
        return {"ok": True}

    def do_start(self, id, given):
        lifetime = given.get("ttlSeconds", 300)
        end = instant(now() + timedelta(seconds=lifetime))
        code, token = f"{secrets.randbelow(1_000_000):06}", secrets.token_urlsafe(24)
        self.code = (code, token, time.monotonic() + lifetime)
        says = {"protocol": "copilotforge-pair-v1", "code": code, "token": token, "expiresAt": end}
        return {"ok": True, "code": code, "expiresAt": end, "qrPayload": json.dumps(says)}

    def do_complete(self, id, given):
        code, name, key = (given.get(n) for n in ("pairingCode", "deviceName", "devicePublicKey"))
        if not name or not key or not isinstance(code, str):
            raise Refused(400, "pairingCode, deviceName and devicePublicKey are required")
        if self.code is None or time.monotonic() >= self.code[2]:
            raise Refused(410, "Pairing code expired")
        if code != self.code[0] or given.get("pairingToken", self.code[1]) != self.code[1]:
            raise Refused(400, "Invalid pairing code")
        self.code = None
        device = next((device for device in self.devices if device["key"] == key), None)
        if device is None:
            device = {"id": f"device-{len(self.devices) + 1}", "key": key, "pairedAt": instant(now())}
            self.devices.append(device)
        device |= {"name": name + self.strange, "connectedAt": instant(now()), "lastSeenAt": instant(now())}
        self.connected = device
        return self.state()

    def do_status(self, id, given):
        return self.state()

    def do_disconnect(self, id, given):
        self.connected = None
        return self.state()

    def do_devices(self, id, given):
        names = ("id", "name", "pairedAt", "lastSeenAt")
        return {"ok": True, "devices": [{n: device[n] for n in names} for device in self.devices]}

    def do_revoke(self, id, given):
        device = next((device for device in self.devices if device["id"] == id), None)
        if device is None:
            raise Refused(404, "Device not found")
        self.devices.remove(device)
        if self.connected is device:
            self.connected = None
        return self.state()

    def do_projects(self, id, given):
        self.seen()
        return {"ok": True, "projects": self.projects}

    def do_chats(self, id, given):
        self.seen()
        if all(project["id"] != id for project in self.projects):
            raise Refused(404, "Project not found")
        told = [chat["told"] for chat in self.chats if chat["told"]["projectId"] == id]
        return {"ok": True, "chats": told}

    def find(self, id):
        self.seen()
        chat = next((chat for chat in self.chats if chat["told"]["id"] == id), None)
        if chat is None:
            raise Refused(404, "Chat not found")
        return chat

    def do_messages(self, id, given):
        messages = self.find(id)["messages"]
        cursor, limit = given.get("cursor", "0"), given.get("limit", "50")
        if not cursor.isdecimal() or not limit.isdecimal() or limit == "0":
            raise Refused(400, "Invalid cursor or limit")
        end = int(cursor) + int(limit)
        following = str(end) if end < len(messages) else None
        part = messages[int(cursor) : end]
        return {"ok": True, "chatId": id, "messages": part, "nextCursor": following}

    def do_go_on(self, id, given):
        chat = self.find(id)
        prompt = given.get("prompt")
        if not isinstance(prompt, str) or not prompt:
            raise Refused(400, "prompt is required")
        project = next(p for p in self.projects if p["id"] == chat["told"]["projectId"])
        if given.get("projectPath", None if self.is_strict else project["localPath"]) != project["localPath"]:
            raise Refused(400, "projectPath is not the chat's")
        said = []
        for role, text in (("user", prompt), ("assistant", f"You said: {prompt}{self.strange}")):
            number = len(chat["messages"])
            made = instant(START + timedelta(seconds=2 * number))
            message = {"id": f"{id}-{number}", "role": role, "text": text, "createdAt": made}
            chat["messages"].append(message)
            said.append(message)
        return said[1]


def wanted(text):
    """ENDPOINT=NAME or ENDPOINT=NAME:N as a key and its fault."""
    name, _, fault = text.partition("=")
    fault, _, number = fault.partition(":")
    if name not in {route[2] for route in ROUTES} or fault not in faults.NAMES:
        raise ValueError
    return (name, int(number) if number else None), fault


def main():
    parser = loopback.options(__doc__)
    parser.add_argument("--fault", metavar="ENDPOINT=NAME", type=wanted, action="append", default=[])
    parser.add_argument("--strange", action="store_true", help="names and texts do things to terminals")
    parser.add_argument("--strict", action="store_true", help="a prompt comes with its project's folder")
    given = parser.parse_args()
    host = Host(dict(given.fault), given.strange, given.strict)

    def describe(request):
        return {"endpoint": endpoint(request)[0], "bytes": len(request.body)}

    log = loopback.Log(given.log or "/dev/stdout")
    loopback.run(loopback.Server(host.handle, describe, log), given.port, given.stay)


if __name__ == "__main__":
    main()
