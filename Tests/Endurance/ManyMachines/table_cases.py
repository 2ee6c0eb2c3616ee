"""psql finds what the API reports, and the hubs' role cannot change the audit; see many-machines.sh."""

import collections
import json
import random
import string
import time
import urllib.parse
import uuid

from judging import difference
from load import Reader

# What the role of the hubs may not do, to hide what was done.
REFUSED = (
    "UPDATE audit SET actor = 'nobody'", "DELETE FROM audit", "TRUNCATE audit",
    "DELETE FROM audit WHERE sequence = 1", "DROP TABLE audit", "ALTER TABLE audit DISABLE TRIGGER ALL",
    "DROP TRIGGER auditIsNotChanged ON audit", "ALTER TABLE audit RENAME TO other",
    "SET session_replication_role = replica", "CREATE RULE hides AS ON INSERT TO audit DO INSTEAD NOTHING",
    "UPDATE event SET record = '{}'", "DELETE FROM event", "TRUNCATE event", "DELETE FROM eventPart",
    "UPDATE schemaVersion SET version = 1", "SET ROLE owner",
)


def fill(machines):
    """Something of each kind, so that there is something to compare."""
    first, second = machines.hubs
    for number in range(4):
        gate = first.ask("POST", "/v1/approval-gates", {"summary": f"Gate {number}?"})[1]["gateId"]
        for hub in (second, first)[:number]:
            hub.ask("POST", f"/v1/approval-gates/{gate}/decision", {
                "decision": "approve", "requestId": str(uuid.uuid4())})
    second.ask("POST", "/v1/agents/nobody/control", {
        "action": "pause", "reason": "to see", "requestId": str(uuid.uuid4())})


def hostile_ids(checks, machines):
    """Events whose ids a table cannot hold stop nothing: the agents of later events are seen."""
    # Letters at random cannot be compressed: an index of PostgreSQL holds 2,704 bytes.
    long = "".join(random.choices(string.ascii_letters, k=9000))
    for hub in machines.hubs:
        for hostile in ("a\0b", long):
            events = [{"name": "chat", "attrs": {
                "gen_ai.operation.name": "chat", "gen_ai.request.model": hostile, "gen_ai.usage.input_tokens": 1}}]
            events += [{member: hostile} for member in ("agentId", "swarmId", "sessionId", "skillId", "srcId")]
            for members in events:
                event = {"type": "traceEvent", "ts": int(time.time() * 1000), "agentId": "hostile", "spanId": "s",
                         "name": "execute_tool", "phase": "end", "attrs": {}}
                status, answer, _ = hub.ask("POST", "/v1/events", json.dumps(event | members))
                checks.check(
                    status == 200, f"{hub.host.name}: an event with {str(members)[:60]} … is answered with {status}:"
                    f" {answer}")
            # A name that no table can hold is unknown. It is no failure of the hub.
            status, answer, _ = hub.ask("GET", f"/v1/approval-gates/{urllib.parse.quote(hostile)}")
            checks.check(
                status == 404, f"{hub.host.name}: a gate {hostile[:8]!r} … is answered with {status}: {answer}")
        later = f"later-{hub.host.name}"
        hub.ask("POST", "/v1/events", json.dumps({
            "type": "log", "ts": int(time.time() * 1000), "agentId": later, "level": "info", "message": "m"}))
        for place in machines.hubs:
            limit = time.monotonic() + 300
            while place.ask("GET", f"/v1/agents/{later}")[0] != 200 and time.monotonic() < limit:
                time.sleep(0.1)
            status, answer, _ = place.ask("GET", f"/v1/agents/{later}")
            checks.check(status == 200, f"{place.host.name}: {later} is answered with {status}: {answer}")


def lines(machines, query):
    """What the role of the hubs reads."""
    status, text = machines.database.primary.psql(query, role="hub")
    return text.splitlines() if status == 0 else [f"psql: {text}"]


def compare(checks, machines):
    for hub in machines.hubs:
        name = hub.host.name
        reader = Reader(hub)
        reader.read()
        got = [f"{event['id'].rsplit('-', 1)[1]}|{event['type']}" for event in reader.events]
        newest = got[-1].split("|")[0]
        wanted = lines(machines, "SELECT sequence, CAST(record AS json)->>'type' FROM event"
                       f" WHERE sequence <= {newest} ORDER BY sequence")
        checks.check(got == wanted, f"{name}: events: {difference(got, wanted)}")
        audit = hub.ask("GET", "/v1/audit?last=10000")[1]["audit"]
        got = [f"{entry['ts']}|{entry['id']}|{entry['requestId']}|{entry['outcome']}" for entry in audit]
        wanted = lines(machines, "SELECT ts, id, requestId, outcome FROM audit ORDER BY sequence")[-10000:]
        checks.check(got == wanted, f"{name}: the audit: {difference(got, wanted)}")
        for status in ("pending", "approved", "expired"):
            query = f"/v1/approval-gates?status={status}"
            found = hub.ask("GET", query)[1].get("approvalGates", [])
            got = sorted(gate["gateId"] for gate in found)
            wanted = lines(machines, f"SELECT id FROM gate WHERE status = '{status}' ORDER BY id")
            if len(wanted) <= 1000:
                checks.check(got == wanted, f"{name}: gates that are {status}: {difference(got, wanted)}")
        gate = lines(machines, "SELECT gateId FROM decision GROUP BY gateId ORDER BY count(*) DESC LIMIT 1")[0]
        shown = hub.ask("GET", f"/v1/approval-gates/{gate}")[1]["decisions"]
        wanted = lines(machines, f"SELECT requestId FROM decision WHERE gateId = '{gate}' ORDER BY sequence")
        checks.check(
            [entry["requestId"] for entry in shown] == wanted, f"{name}: decisions at {gate}: {shown}, not {wanted}")


def refuse(checks, machines):
    before = machines.database.value("SELECT count(*), min(sequence), max(sequence) FROM audit")
    for statement in REFUSED:
        status, text = machines.database.primary.psql(statement, role="hub")
        checks.check(status and ("permission denied" in text or "must be owner" in text),
                     f"the hubs' role may {statement}: {text}")
    for statement in REFUSED[:3]:
        status, text = machines.database.primary.psql(statement, role="owner")
        checks.check(status and "only added to" in text, f"the owner may {statement}: {text}")
    after = machines.database.value("SELECT count(*), min(sequence), max(sequence) FROM audit")
    checks.check(before == after, f"the audit was {before} and is {after}")


def run(checks, machines):
    machines.register()
    fill(machines)
    compare(checks, machines)
    refuse(checks, machines)
    hostile_ids(checks, machines)
    counts = collections.OrderedDict(
        (table, machines.database.value(f"SELECT count(*) FROM {table}"))
        for table in ("event", "gate", "decision", "control", "audit"))
    print("  " + ", ".join(f"{count} of {table}" for table, count in counts.items()), flush=True)
