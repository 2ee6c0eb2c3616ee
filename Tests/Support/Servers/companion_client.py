"""A companion that knows the founding document of the companion app and nothing else.

    companion_client.py BASE_URL

It pairs by QR code and by typed code, lists projects and chats, reads history by cursor, goes on with a
chat, disconnects, pairs again and is revoked. Each thing that must hold is a line, PASS or FAIL; the
exit status is 1 where one failed. The hub has one project with one chat of two turns.
"""

import base64
import http.client
import json
import os
import re
import sys
import time
from datetime import datetime, timezone
from urllib.parse import quote, urlsplit

base = urlsplit(sys.argv[1])
failed = False


def check(what, holds, seen=None):
    global failed
    failed = failed or not holds
    print(("PASS " if holds else "FAIL ") + what + ("" if holds or seen is None else f": {seen!r}"))


def ask(method, path, body=None):
    connection = http.client.HTTPConnection(base.hostname, base.port, timeout=300)
    data = None if body is None else json.dumps(body)
    connection.request(method, path, data, {} if data is None else {"Content-Type": "application/json"})
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, json.loads(text)


def go_on(path, body):
    """The frames of a stream, as they are, and whether it was ended by [DONE]."""
    connection = http.client.HTTPConnection(base.hostname, base.port, timeout=300)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    response = connection.getresponse()
    if response.status != 200:
        return response.status, [json.loads(response.read())], False
    frames = []
    kind = response.getheader("Content-Type", "")
    assert kind.split(";")[0] == "text/event-stream", kind
    for line in response:
        line = line.decode().rstrip("\r\n")
        if not line.startswith("data:"):
            continue
        data = line[5:].lstrip(" ")
        if data == "[DONE]":
            return 200, frames, response.read() == b"\n"
        frames.append(json.loads(data))
    return 200, frames, False


def members(value, names):
    return isinstance(value, dict) and sorted(value) == sorted(names)


def instant(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)


key = base64.b64encode(os.urandom(32)).decode()
name = "iPhone 16 Pro"
none = {"ok": True, "connected": False, "connectedDevice": None}


def complete(code, token=None, key=key):
    body = {"pairingCode": code, "deviceName": name, "devicePublicKey": key}
    return ask("POST", "/companion/pairing/complete", body | ({} if token is None else {"pairingToken": token}))


def start(body=None):
    status, answer = ask("POST", "/companion/pairing/start", body)
    assert status == 200, answer
    return answer


check("the host answers", ask("GET", "/health")[0] == 200)
check("nobody is connected at first", ask("GET", "/companion/status") == (200, none))
status, answer = complete("123456")
check("a code that is over is told as such", status == 410 and answer["ok"] is False and answer["error"], answer)

begun = datetime.now(timezone.utc)
answer = start({"ttlSeconds": 600})
payload = json.loads(answer["qrPayload"])
expires = instant(answer["expiresAt"])
longest = (expires - begun).total_seconds()
left = (expires - datetime.now(timezone.utc)).total_seconds()
check(
    "pairing is started",
    answer["ok"] is True and re.fullmatch("[0-9]{6}", answer["code"]) and left < 601 and longest > 599,
    answer,
)
check(
    "the QR code says the same",
    payload["protocol"] == "copilotforge-pair-v1" and payload["code"] == answer["code"] and payload["token"]
    and payload["expiresAt"] == answer["expiresAt"],
)
status, wrong = complete("%06d" % ((int(answer["code"]) + 1) % 1_000_000))
check("a wrong code is refused", status in (400, 401, 403) and wrong["ok"] is False and wrong["error"], (status, wrong))
status, paired = complete(answer["code"], payload["token"])
if status == 429:  # One try a second is looked at.
    time.sleep(1.1)
    status, paired = complete(answer["code"], payload["token"])
device = paired.get("connectedDevice") or {}
check("the QR code pairs", status == 200 and paired["ok"] is True and paired["connected"] is True, paired)
check(
    "the device is the one that paired",
    members(device, ["id", "name", "connectedAt", "lastSeenAt"]) and device["name"] == name, device,
)
status, seen = ask("GET", "/companion/status")
check("the status shows the device's name", seen["connected"] is True and seen["connectedDevice"]["name"] == name, seen)
status, listed = ask("GET", "/companion/devices")
check(
    "the device is among the trusted ones",
    [d["id"] for d in listed["devices"]] == [device.get("id")]
    and members(listed["devices"][0], ["id", "name", "pairedAt", "lastSeenAt"]), listed,
)

status, answer = ask("GET", "/companion/projects")
project = answer["projects"][0]
check("projects are listed", status == 200 and answer["ok"] is True and len(answer["projects"]) == 1, answer)
check("a project has its members", members(project, ["id", "name", "localPath", "lastUpdatedAt"]), project)
status, answer = ask("GET", f"/companion/projects/{quote(project['id'])}/chats")
chat = answer["chats"][0]
check("chats are listed", status == 200 and answer["ok"] is True and len(answer["chats"]) == 1, answer)
check(
    "a chat has its members",
    members(chat, ["id", "projectId", "title", "lastUpdatedAt"]) and chat["projectId"] == project["id"], chat,
)
messages = f"/companion/chats/{quote(chat['id'])}/messages"
status, whole = ask("GET", messages)
check("history is read", status == 200 and whole["chatId"] == chat["id"] and len(whole["messages"]) == 2, whole)
check("history ends with a null cursor", "nextCursor" in whole and whole["nextCursor"] is None, whole)
check(
    "a message has its members",
    all(members(m, ["id", "role", "text", "createdAt"]) for m in whole["messages"])
    and [m["role"] for m in whole["messages"]] == ["user", "assistant"],
)
parts, cursor = [], "0"
while cursor is not None and len(parts) < 9:
    part = ask("GET", f"{messages}?cursor={quote(cursor)}&limit=1")[1]
    parts += part["messages"]
    cursor = part["nextCursor"]
check("history by pages is the same", parts == whole["messages"])

asked = {"prompt": "continue this", "projectPath": project["localPath"], "allowedTools": ["run_in_terminal"]}
status, frames, ended = go_on(f"/companion/chats/{quote(chat['id'])}/continue", asked)
text = "".join(f["text"] for f in frames if f["type"] == "delta")
check("the chat goes on", status == 200 and ended and frames and frames[-1]["type"] == "message", (status, frames))
check("the pieces make the message", text == frames[-1].get("text"), frames)
whole = ask("GET", messages)[1]
check(
    "the history has what was said",
    [m["text"] for m in whole["messages"]][2:] == ["continue this", frames[-1].get("text")], whole,
)

status, answer = ask("POST", "/companion/disconnect")
check("disconnecting shows at once", (status, answer) == (200, none), answer)
check("the status shows it", ask("GET", "/companion/status") == (200, none))
check("the device stays trusted", [d["id"] for d in ask("GET", "/companion/devices")[1]["devices"]] == [device.get("id")])
status, answer = ask("GET", "/companion/projects")
check("projects are for who is connected", status == 403 and answer["ok"] is False, answer)
code = start()["code"]
time.sleep(1.1)
status, paired = complete(code)
check("a typed code pairs again", status == 200 and paired["connectedDevice"]["id"] == device.get("id"), paired)
status, other = complete(code, key=base64.b64encode(os.urandom(32)).decode())
check("a code pairs one device", status in (409, 410, 429) and other["ok"] is False, (status, other))
status, answer = ask("DELETE", f"/companion/devices/{quote(device.get('id', ''))}")
check("revoking disconnects", (status, answer) == (200, none), answer)
status, answer = ask("GET", "/companion/projects")
check("who was revoked reads nothing", status in (401, 403) and answer["ok"] is False, answer)
sys.exit(1 if failed else 0)
