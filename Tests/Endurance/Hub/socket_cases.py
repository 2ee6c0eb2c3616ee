"""What hostile and slow clients do to a hub's WebSocket; see hostile-hub.sh."""

import json
import threading
import time

import hub as hubs
from web_socket import WebSocket, logs, sent


def frames_too_long(checks, hub):
    """Frames and messages over 1 MiB end a connection before memory is taken for them."""
    before = hub.memory
    for length in (16 << 20, (1 << 20) + 1, 1 << 40, (1 << 63) - 1):
        for opcode in (1, 2):
            client = WebSocket(hub)
            client.send(b"x" * 1000, opcode=opcode, length=length)
            checks.check(client.close_code() == 1009, f"{length} bytes are closed by {client.closed}")
            client.close()
    client = WebSocket(hub)
    client.send(b"", length=1 << 63)
    checks.check(client.close_code() in (1002, 1009), f"2^63 bytes are closed by {client.closed}")
    client.close()
    clients = [WebSocket(hub) for _ in range(20)]
    for client in clients:
        client.send(b"x" * (1 << 16), final=False)
        for _ in range(40):
            client.send(b"x" * (1 << 16), opcode=0, final=False)
    for client in clients:
        checks.check(client.close_code() == 1009, f"continuations are closed by {client.closed}")
        client.close()
    client = WebSocket(hub)
    client.send(b"", final=False)
    # Empty fragments take nothing, and are taken for as long as the peer likes.
    for _ in range(20_000):
        client.send(b"", opcode=0, final=False)
    client.send(b'{"type":"ping","id":7}', opcode=0)
    answer = next(client.records(), None)
    checks.check(answer and answer["type"] == "pong", f"fragments are answered by {answer}")
    client.close()
    grown = hub.memory - before
    checks.check(grown < 48 << 10, f"memory grew by {grown} kB")


def frames_against_the_rules(checks, hub):
    """What RFC 6455 forbids is closed by 1002, text that is not UTF-8 by 1007."""
    cases = {
        "an unmasked frame": [(b"x", {"is_masked": False})],
        "a reserved bit": [(b"x", {"reserved": 0x40})],
        "a reserved opcode": [(b"x", {"opcode": 3})],
        "a ping of 126 bytes": [(b"x" * 126, {"opcode": 9})],
        "a ping in parts": [(b"x", {"opcode": 9, "final": False})],
        "a continuation of nothing": [(b"x", {"opcode": 0})],
        "a text within a text": [(b"x", {"final": False}), (b"y", {})],
        "a close by 1005": [((1005).to_bytes(2, "big"), {"opcode": 8})],
        "a close by 999": [((999).to_bytes(2, "big"), {"opcode": 8})],
        "a close of one byte": [(b"x", {"opcode": 8})],
    }
    for name, frames in cases.items():
        client = WebSocket(hub)
        for payload, options in frames:
            client.send(payload, **options)
        checks.check(client.close_code() == 1002, f"{name} is closed by {client.closed}")
        client.close()
    for parts in ([b"\xff"], [b"\xce", b"\x41"], [b"\xed\xa0\x80"], [b'{"type":"\xf4\x90', b"\x80"]):
        client = WebSocket(hub)
        for number, part in enumerate(parts):
            client.send(part, opcode=0 if number else 1, final=number == len(parts) - 1)
        checks.check(client.close_code() == 1007, f"{parts} is closed by {client.closed}")
        client.close()


def messages_that_are_none(checks, hub):
    """Each is answered by an error, the tenth ends the connection; a name is given back."""
    bad = (
        "{", "[]", '"x"', "null", "{}", '{"type":1}', '{"type":"nothing"}',
        '{"type":"subscribe","filters":[]}', '{"type":"throttle"}', "[" * 100_000)
    client = WebSocket(hub)
    for text in bad:
        client.send(text)
    records = list(client.records())
    checks.check(len(records) == 10, f"{len(records)} answers to 10 bad messages")
    checks.check(
        all(record["type"] == "error" and record["code"] == "BadInput" for record in records),
        f"bad messages are answered by {records[:2]}")
    checks.check(client.closed == 4400, f"ten bad messages are closed by {client.closed}")
    client.close()
    client = WebSocket(hub)
    client.send({"type": "subscribe", "requestId": "r1", "filters": {"severityGte": "loud"}})
    answer = next(client.records())
    checks.check(
        (answer["type"], answer.get("requestId")) == ("error", "r1"), f"answered by {answer}")
    client.send(b"\0", opcode=2)
    checks.check(next(client.records())["type"] == "error", "a binary message is taken")
    client.close()


def protocols(checks, hub):
    """Another protocol than 1, or none, is told and closed by 4406; a curl that reads SSE need not say one."""
    for query in ("?protocol=2", "?protocol=x", "?protocol=", "", "?protocol=01", "?protocol=1.0"):
        client = WebSocket(hub, query)
        records = list(client.records())
        checks.check(
            [(record["type"], record["code"], record["supported"]) for record in records]
            == [("error", "ProtocolMismatch", [1])], f"'{query}' is answered by {records}")
        checks.check(client.closed == 4406, f"'{query}' is closed by {client.closed}")
        client.close()
    status, answer = hub.ask("GET", "/v1/stream?protocol=2")
    checks.check(
        (status, answer.get("code"), answer.get("supported")) == (426, "ProtocolMismatch", [1]),
        f"SSE by protocol 2 is answered with {status}: {answer}")
    checks.check(
        hub.ask("GET", "/v1/protocol", fields={})[1] == {"protocol": 1, "supported": [1]},
        "/v1/protocol")


def throttles(checks, hub):
    """Rates that are none leave the last one in force; filters have their limits."""
    client = WebSocket(hub)
    client.subscribed(maxEventsPerSecond=100)
    for rate in ("0", "-1", "1e9", "NaN", "1.5", "1e400", '"5"'):
        client.send('{"type":"throttle","requestId":"t","maxEventsPerSecond":%s}' % rate)
        answer = next(client.records())
        checks.check(answer["type"] == "error", f"a rate of {rate} is answered by {answer}")
    began, took = time.monotonic(), 0
    last = sent(hub, logs(1000))["lastId"]
    given, left = 0, 0
    for record in client.records():
        if record["type"] == "log":
            given, took = given + 1, time.monotonic() - began
        left += record["count"] if record["type"] == "suppressed" else 0
        if given + left == 1000:
            break
    # A slow machine logs them over more than one second.
    checks.check(
        100 <= given <= 100 * (2 + int(took)),
        f"{given} events in {took:.1f} s by a rate of 100 a second; {last}")
    client.close()

    client = WebSocket(hub)
    answer = client.subscribed(filters={"agentIds": [f"agent-{n}" for n in range(10_000)]})
    checks.check(answer["type"] == "error", f"10,000 ids are answered by {answer}")
    answer = client.subscribed(filters={"agentIds": ["x" * 10_000]})
    checks.check(answer["type"] == "error", f"an id of 10,000 bytes is answered by {answer}")
    before = hub.memory
    for number in range(1000):
        client.send({"type": "subscribe", "requestId": str(number), "filters": {"agentIds": [f"n{number}"]}})
    answers = client.records()
    told = [next(answers) for _ in range(1000)]
    checks.check(
        [record.get("requestId") for record in told] == [str(number) for number in range(1000)]
        and {record["type"] for record in told} == {"subscribed"}, "1,000 subscriptions are not answered")
    sent(hub, logs(1, agent="n0") + "\n" + logs(1, agent="n999"))
    record = next(answers)
    checks.check(record["agentId"] == "n999", f"the last subscription gives {record}")
    checks.check(hub.memory - before < 16 << 10, f"1,000 subscriptions take {hub.memory - before} kB")
    client.close()


def judge_late(checks, name, records, last):
    """Who was late has the events before a gap, one gap, and all behind it up to the last."""
    at, gaps, follows = None, 0, None
    for record in records:
        if record["type"] == "gap":
            gaps += 1
            checks.check(
                record["reason"] == "slowConsumer" and record["from"] == at,
                f"{name}: after {at} comes {record}")
            follows = record["to"]
            continue
        if follows:
            checks.check(
                record["id"] == follows, f"{name}: the gap ends with {follows}, {record['id']} comes")
        at, follows = record["id"], None
        if at == last:
            break
    checks.check(gaps == 1, f"{name}: {gaps} gaps for who is late")


def slow_subscribers(checks, hub):
    """Who does not read is told of a gap, or closed by 4408 after 30 seconds; who reads gets it all."""
    size, count = 20_000, 4500
    patient, late, never = WebSocket(hub), WebSocket(hub, buffer=4096), WebSocket(hub, buffer=4096)
    for client in (patient, late, never):
        client.subscribed(filters={"agentIds": ["slow"]})
    feed = hubs.open_socket(hub.port, (
        f"GET /v1/stream?agentIds=slow&maxEventsPerSecond=1000000 HTTP/1.0\r\nHost: 127.0.0.1\r\n"
        f"Authorization: Bearer {hub.token}\r\n\r\n").encode())
    hubs.wait_until("all read", lambda: hub.metric("subscribers") == 4)
    taken = []

    def read():
        for record in patient.records():
            taken.append(record)
            if len(taken) == count:
                return

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    began = time.monotonic()
    for first in range(0, count, 300):
        last = sent(hub, logs(300, size, "slow", first))["lastId"]
        # Who reads is not to be late, too.
        hubs.wait_until(
            "who reads reads", lambda: len(taken) > first - 1000 or not reader.is_alive())
    reader.join(300)
    checks.check(
        [record["type"] for record in taken] == ["log"] * count, "who reads does not get all of it")
    # On a machine that needs longer for the events, the hub has let go of who is late, too.
    if (spent := time.monotonic() - began) < 25:
        judge_late(checks, "a socket", late.records(), last)
    else:
        print(f"the events took {spent:.0f} s: who is late is judged by SSE alone", flush=True)
    with feed, feed.makefile("rb") as stream:
        lines = (line for line in stream if line.startswith(b"data: "))
        judge_late(checks, "SSE", (json.loads(line[6:]) for line in lines), last)
    hubs.wait_until(
        "who reads nothing is let go", lambda: hub.metric("subscribers") <= 2)
    checks.check(never.close_code() in (4408, 1006), f"who reads nothing is closed by {never.closed}")
    checks.check(hub.metric("gaps_total") >= 1, "no gap is counted")
    for client in (patient, late, never):
        client.close()


def pages_of_others(checks, hub):
    """A page of another origin opens no WebSocket, and no name but the hub's own is answered."""
    client = WebSocket(hub, fields=["Origin: https://evil.example"])
    checks.check(client.status == 403, f"another origin is answered with {client.status}")
    client = WebSocket(hub, fields=["Sec-Fetch-Site: cross-site"])
    checks.check(client.status == 403, f"another site is answered with {client.status}")
    client = WebSocket(hub, fields=[f"Origin: http://127.0.0.1:{hub.port}"])
    checks.check(client.status == 101, f"the own origin is answered with {client.status}")
    client.close()
    key, hub.token = hub.token, "ap1o_wrong"
    client = WebSocket(hub)
    checks.check(client.status == 401, f"a wrong token is answered with {client.status}")
    hub.token = key


CASES = (
    frames_too_long, frames_against_the_rules, messages_that_are_none, protocols, throttles,
    pages_of_others, slow_subscribers)
