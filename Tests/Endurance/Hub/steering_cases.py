"""Who steers, resumes and sends at the same time, twice, too late, or to deceive; see hostile-hub.sh."""

import collections
import json
import pathlib
import sqlite3
import subprocess
import threading
import time
import uuid

import hub as hubs
from web_socket import WebSocket, logs, sent


def at_once(work, items):
    """Does something with each at once. Gives what it came to, in the order of the items."""
    results, start = [None] * len(items), threading.Barrier(len(items))

    def run(index, item):
        start.wait(300)
        results[index] = work(item)

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in enumerate(items)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)
    return results


def audit(hub, key, value):
    entries = hub.ask("GET", "/v1/audit?last=10000")[1]["audit"]
    return [entry for entry in entries if entry[key] == value]


def two_operators(checks, hub):
    """64 clients decide at one gate: one wins, the others are given its receipt, all are in the audit."""
    for _ in range(5):
        gate = hub.ask("POST", "/v1/approval-gates", {"summary": "Deploy?"})[1]["gateId"]

        def decide(number):
            return hub.ask("POST", f"/v1/approval-gates/{gate}/decision", {
                "decision": ("approve", "reject")[number % 2], "reason": "it is time to decide",
                "requestId": f"{gate}-{number}"})

        answers = at_once(decide, range(64))
        won = [answer for status, answer in answers if status == 200]
        lost = [answer for status, answer in answers if status == 409]
        if not checks.check(
                (len(won), len(lost)) == (1, 63), f"{len(won)} won, {len(lost)} lost: {answers[:2]}"):
            continue
        checks.check(
            {answer["receipt"]["requestId"] for answer in lost} == {won[0]["requestId"]},
            "who lost is not given the receipt of who won")
        outcomes = collections.Counter(entry["outcome"] for entry in audit(hub, "id", gate))
        checks.check(
            outcomes == {won[0]["status"]: 1, "Conflict": 63}, f"the audit has {outcomes}")
        shown = hub.ask("GET", f"/v1/approval-gates/{gate}")[1]
        checks.check(
            shown["approvalGate"]["status"] == won[0]["status"] and shown["approvalGate"]["revision"] == 2,
            f"the gate is {shown['approvalGate']}")


def too_late(checks, hub):
    """A gate that has expired is rejected by nobody's decision, and can be decided no more."""
    gate = hub.ask("POST", "/v1/approval-gates", {"summary": "Now?", "timeoutSeconds": 0.05})[1]["gateId"]
    hubs.wait_until("the gate expires", lambda: hub.ask(
        "GET", f"/v1/approval-gates/{gate}")[1]["approvalGate"]["status"] == "expired")
    status, answer = hub.ask(
        "POST", f"/v1/approval-gates/{gate}/decision", {"decision": "approve", "requestId": gate})
    checks.check(
        (status, answer["code"]) == (409, "Conflict"), f"who is late is answered with {status}: {answer}")
    outcomes = [entry["outcome"] for entry in audit(hub, "id", gate)]
    checks.check("Conflict" in outcomes, f"the audit has {outcomes}")


def replays(checks, hub):
    """A control that is sent by 32 at once acts once; the same name for another one is a conflict."""
    agent = hub.scratch.start(
        "agent-run", "--agent", "replayed", "--", "sleep", "3000", stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    hubs.wait_until("the agent is there", lambda: hub.ask("GET", "/v1/agents/replayed")[0] == 200)
    request = {"action": "pause", "reason": "to look at it", "requestId": str(uuid.uuid4())}
    path = "/v1/agents/replayed/control"
    answers = at_once(lambda body: hub.ask("POST", path, body), [request] * 32)
    checks.check(
        all(status in (200, 202) for status, _ in answers), f"answered with {answers[:3]}")
    checks.check(
        len({answer["ts"] for _, answer in answers}) == 1, "the same request has several receipts")
    checks.check(
        sum(not answer["replayed"] for _, answer in answers) == 1, "not one receipt is the first")
    status, answer = hub.ask("POST", path, request | {"action": "resume"})
    checks.check((status, answer["code"]) == (409, "Conflict"), f"another by that name: {status}")
    hubs.wait_until("the agent is paused", lambda: hub.ask(
        "GET", "/v1/agents/replayed")[1]["agent"]["status"] == "paused")
    entries = audit(hub, "requestId", request["requestId"])
    outcomes = collections.Counter((entry["outcome"], entry["replayed"]) for entry in entries)
    acted = [key for key in outcomes if not key[1] and key[0] in ("accepted", "applied")]
    checks.check(
        sum(outcomes.values()) >= 33 and acted and all(outcomes[key] == 1 for key in acted),
        f"the audit has {outcomes}")
    told = [event for event in hub.events() if event.get("requestId") == request["requestId"]]
    checks.check(
        len({event["outcome"] for event in told}) == len(told), f"the log tells of it by {told}")
    agent.terminate()
    agent.wait(300)


def hostile_text(checks, hub):
    """What terminals obey stays text, one line an event; a member's name is what JSON says it is."""
    message = "\x1b]0;title\x07\x1b[2J\r\nnext\u202e\u2028\u0085\0\ufeff end"
    lines = [
        json.dumps({"type": "log", "ts": 1, "agentId": "texts", "level": "info", "message": message}),
        r'{"type":"log","ts":1,"agent\u0049d":"texts","level":"info","message":"escaped"}',
        '{"type":"log","ts":1,"agentId":"other","agentId":"texts","level":"info","message":"last wins"}',
        '{"type":"log","ts":1,"agentId":"texts","agentId":"other","level":"info","message":"not this"}',
        '{"type":"traceEvent","ts":1,"agentId":"other","spanId":"s","traceId":"t","name":"n",'
        '"phase":"end","attrs":{"agentId":"texts"}}',
        r'{"type":"log","ts":1,"agentId":"texts","level":"info","message":"\ud800"}',
        '{"type":"log","ts":1,"agentId":"texts","level":"info","message":"\xff"}',
    ]
    client = WebSocket(hub)
    client.subscribed(filters={"agentIds": ["texts"]}, batch=True)
    first = sent(hub, logs(1, agent="before"))["lastId"]
    body = b"\n".join(line.encode("latin-1") for line in lines)
    status, answer = hub.ask("POST", "/v1/events", body)
    rejected = [entry["line"] for entry in answer["rejected"]]
    sent(hub, logs(1, agent="texts"))
    records = []
    for record in client.records():
        records.append(record)
        if record["message"].startswith("line 0"):
            break
    messages = [record["message"] for record in records]
    checks.check(
        messages[:3] == [message, "escaped", "last wins"], f"the texts are {messages}, {status}")
    checks.check(7 in rejected, f"text that is not UTF-8 is taken: {rejected}")
    client.close()
    page = hub.ask("GET", f"/v1/events?agentIds=texts&after={first}")[1]["events"]
    checks.check(page == records, "the page has other events than the stream")
    shown = subprocess.run(
        [hubs.BIN / "stream-tail", "--agent", "texts", "--color", "always", "--text"],
        env=hub.scratch.environment, capture_output=True, stdin=subprocess.DEVNULL).stdout
    for byte in (b"\x1b]", b"\x1b[2J", b"\r", b"\x07", b"\0", "\u202e".encode(), "\u0085".encode()):
        checks.check(byte not in shown, f"a terminal is given {byte}")


def skewed_clocks(checks, hub):
    """Events come in the order in which they were logged, whatever their clocks say."""
    now = int(time.time() * 1000)
    instants = [now + 3_600_000, now - 3_600_000, 253_402_300_799_999, 0, now]
    wrong = [-1, 253_402_300_800_000, 1e40, "today", None]
    lines = [json.dumps({
        "type": "log", "ts": ts, "agentId": "skewed", "level": "info", "message": "m"}) for ts in instants + wrong]
    client = WebSocket(hub)
    client.subscribed(filters={"agentIds": ["skewed"]})
    answer = sent(hub, "\n".join(lines))
    checks.check(
        [entry["line"] for entry in answer["rejected"]] == list(range(6, 11)), f"rejected: {answer['rejected']}")
    records = client.records()
    given = [next(records) for _ in instants]
    checks.check([record["ts"] for record in given] == instants, f"the order is {given}")
    client.close()


def events_over_sse(hub, last, until):
    """The records of a stream of server-sent events after one, up to another."""
    connection = hub.connection()
    connection.request("GET", "/v1/stream?maxEventsPerSecond=100000", None, hub.fields | {"Last-Event-ID": last})
    answer, records = connection.getresponse(), []
    while line := answer.readline():
        if line.startswith(b"data: "):
            records.append(json.loads(line[6:]))
            if records[-1].get("id") == until:
                break
    connection.close()
    return records


def events_over_socket(hub, last, until):
    client = WebSocket(hub)
    client.subscribed(lastEventId=last)
    records = []
    for record in client.records():
        records.append(record)
        if record.get("id") == until:
            break
    client.close()
    return records


def resumed(checks, hub):
    """Who comes back after all that there is, or from another log, is told of one gap."""
    first = sent(hub, logs(10, agent="resumed"))["lastId"]
    sent(hub, logs(1000, agent="resumed"))
    hub.stop()
    # What a hub keeps ends somewhere: the oldest events go.
    with sqlite3.connect(hub.scratch.path / "home/data/events.db") as log:
        log.execute("DELETE FROM event WHERE sequence < (SELECT max(sequence) - 500 FROM event)")
    log.close()
    hub.start()
    last = sent(hub, logs(1, agent="resumed"))["lastId"]
    for name, records in {
        "a socket": events_over_socket(hub, first, last), "SSE": events_over_sse(hub, first, last),
    }.items():
        gaps = [record for record in records if record["type"] == "gap"]
        checks.check(len(gaps) == 1 and records[0] == gaps[0], f"{name}: {gaps} of {len(records)}")
        checks.check(
            gaps and gaps[0]["from"] == first and gaps[0]["to"] == records[1]["id"], f"{name}: {gaps}")
        ids = [int(record["id"].rsplit("-", 1)[1]) for record in records[1:]]
        checks.check(
            ids == list(range(ids[0], ids[0] + len(ids))) and records[-1]["id"] == last,
            f"{name}: there is a hole after the gap")
    page = hub.ask("GET", f"/v1/events?after={first}&limit=10")[1]
    checks.check(page.get("gap", {}).get("from") == first, f"a page has the gap {page.get('gap')}")
    other = "0123456789abcdef-7"
    client = WebSocket(hub)
    client.subscribed(lastEventId=other, filters={"agentIds": ["epoch"]})
    then = sent(hub, logs(1, agent="epoch"))["lastId"]
    records = client.records()
    gap, event = next(records), next(records)
    checks.check(
        (gap["type"], gap["reason"], event["id"]) == ("gap", "epoch", then),
        f"another log: {gap}, then {event}")
    client.close()


def secrets(checks, hub):
    """The operator's token is in no answer, no argument, no file but its own."""
    token = hub.token
    paths = [f"/v1/{name}" for name in (
        "overview", "agents", "swarms", "audit", "events", "approval-gates", "thresholds", "usage",
        "incidents", "context-health", "skill-health", "terminal/sessions", "protocol", token)]
    for path in (*paths, "/health", "/metrics", f"/v1/events?text={token}&severityGte={token}"):
        answer = json.dumps(hub.ask("GET", path)[1])
        is_asked_for = token in path
        checks.check(is_asked_for or token not in answer, f"{path} tells the token")
    arguments = pathlib.Path(f"/proc/{hub.process.pid}/cmdline").read_bytes()
    checks.check(token.encode() not in arguments, "the token is among the arguments")
    for file in (hub.scratch.path / "home").rglob("*"):
        if file.is_file() and file.name != "hub.token":
            checks.check(token.encode() not in file.read_bytes(), f"{file.name} has the token")
    mode = (hub.scratch.path / "home/data/hub.token").stat().st_mode & 0o777
    checks.check(mode == 0o600, f"the token's file has the mode {mode:o}")


CASES = (two_operators, too_late, replays, hostile_text, skewed_clocks, resumed, secrets)
