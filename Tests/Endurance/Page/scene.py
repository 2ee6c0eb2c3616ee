"""A hub at night: two swarms at work, an incident, gates, a result. Each view of the page has something to show."""
import json
import sqlite3
import time
import urllib.parse
import uuid

from browser import Failed
from place import Place, address, ask

RESULT = """# Findings

The cache of the **payments service** is never emptied. See [the report](https://example.com/report) and `cache.py`.

| file | lines | share |
| --- | --- | --- |
| services/payments/internal/cache/eviction_policy.py | 1,204 | 61 % |
| cache.py | 88 | 4 % |

1. Empty it every hour.
2. Measure again.

```
def evict(self, key):  # a line of code that is longer than a phone is wide, so that the block scrolls
```
"""

COMMAND = """cd services/payments && python3 - <<'END'
for path in __import__('pathlib').Path('internal/cache').glob('*.bin'):
\tpath.unlink()
END
curl --fail --data @report.json 'https://payments-primary.internal.example/v1/caches/0123456789abcdef0123456789abcdef'"""

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


def send(*events):
    """Sends events to the hub, which must accept all of them."""
    status, answer = Place.hub.ask("POST", "/v1/events", "\n".join(map(json.dumps, events)))
    if status != 200 or answer["accepted"] != len(events):
        raise Failed(f"events are answered with {status}: {answer}")


def span(agent, swarm, name="invoke_agent", phase="start", **attrs):
    return {"type": "traceEvent", "agentId": agent, "swarmId": swarm, "sessionId": f"session-of-{agent}", "traceId": TRACE,
            "spanId": f"{len(agent):016x}", "name": name, "phase": phase, "attrs": attrs}


def log(agent, swarm, message, level="info"):
    return {"type": "log", "agentId": agent, "swarmId": swarm, "level": level, "message": message}


def add_result(pipeline, stage, title="Research of the payments service", content=RESULT):
    """Stores the result of a stage, as stage-run does."""
    record = {"type": "artifact", "id": str(uuid.uuid4()), "pipelineId": pipeline, "stageId": stage, "role": "researcher",
              "title": title, "kind": "text", "content": content, "createdAt": "2026-11-26T02:00:00.000Z"}
    store = sqlite3.connect(Place.scratch.path / "home/data/store.db", timeout=300)
    with store:
        store.execute("INSERT INTO artifact (id, pipelineId, stageId, record) VALUES (?, ?, ?, ?)",
                      (record["id"], pipeline, stage, json.dumps(record)))
    store.close()


def open_gates():
    """Opens a gate about a result and one with all facts, and decides a third. Returns their ids."""
    pipeline, stage, about = (str(uuid.uuid4()) for _ in range(3))
    add_result(pipeline, stage)
    send({"type": "approvalGate", "ts": int(time.time() * 1000), "gateId": about, "status": "pending", "revision": 1,
          "summary": "Is the research of the payments service good enough to go on?", "requestedBy": "stage-run",
          "requestedAt": "2026-11-26T02:00:00.000Z", "pipelineId": pipeline, "stageId": stage, "swarmId": pipeline})
    ids = [ask("POST", "/v1/approval-gates", json.dumps({"summary": summary, "agentId": "builder", "swarmId": "night"} | rest))["gateId"]
           for summary, rest in [
               ("Deploy the fix of the cache to production now, before the morning's traffic?", {"context": {
                   "why": "the tests pass\nthe canary has run for an hour without an error", "impact": "ten minutes without payments",
                   "risk": "the old version cannot read the new cache", "recommendedAction": "approve"}}),
               ("Delete the branch?", {})]]
    ask("POST", f"/v1/approval-gates/{ids[1]}/decision", json.dumps(
        {"decision": "reject", "reason": "others still work on it", "requestId": str(uuid.uuid4())}))
    return about, ids[0], ids[1]


def night():
    """Fills the hub. Returns the path below /page of each view, by its name."""
    worker = "reviewer-of-the-payments-service"
    events = [
        span("builder", "night", **{"agentpipes.task": "Fix the cache of the payments service, and prove it by tests"}),
        span("linter", "night", **{"agentpipes.task": "Lint everything"}),
        span(worker, "a-swarm-with-a-rather-long-name", **{"agentpipes.task": "Review"}),
        log("builder", "night", "hello"),
        log("builder", "night", "reading services/payments/internal/cache/eviction_policy/implementation_of_the_policy.py", "debug"),
        log("builder", "night", "the cache is larger than expected", "warn"),
        log("builder", "night", "cannot connect to 'postgres://payments-primary.internal.example:5432/payments': timeout", "error"),
        log("linter", "night", "Die Prüfung läuft 検査中 🔍 — 3 files"),
        span("builder", "night", "chat", "end", **{
            "gen_ai.operation.name": "chat", "gen_ai.request.model": "claude-sonnet-4-5", "gen_ai.usage.input_tokens": 150000,
            "gen_ai.usage.output_tokens": 2000, "gen_ai.context.max_tokens": 200000}),
        {"type": "metric", "scope": "agent", "agentId": "builder", "swarmId": "night", "name": "coverage", "value": 0.87},
    ]
    begin = int(time.time() * 1000) - len(events)
    send(*(event | {"ts": begin + number} for number, event in enumerate(events)))
    # Incidents of one instant have no order.
    watched("incidents", 1)
    send(log(worker, "a-swarm-with-a-rather-long-name", "disk full", "critical") | {"ts": begin + len(events)})
    about, pending, decided = open_gates()
    incidents = watched("incidents", 2)
    watched("agents", 3)
    control = ask("POST", "/v1/agents/linter/control", json.dumps({
        "action": "pause", "reason": "it lints the same files again and again", "requestId": str(uuid.uuid4())}))["requestId"]
    call = ask("POST", "/v1/approval-gates", json.dumps({
        "summary": "Claude Code asks to call Bash: " + COMMAND.replace("\n", "<U+000A>"), "context": {
            "why": "folder '/home/user/services/payments', session '1', call '2'",
            "impact": json.dumps({"command": COMMAND, "description": "Empty the cache", "options": {"timeout": 60, "env": ["A=1"]}},
                                 separators=(",", ":"))}}))["gateId"]
    first = next(each["id"] for each in incidents if "postgres" in each["summary"])
    return {
        "overview": "", "incidents": "/incidents", "incident": f"/incidents/{first}", "gates": "/gates",
        "gate with a result": f"/gates/{about}", "gate": f"/gates/{pending}", "decided gate": f"/gates/{decided}",
        "gate of a call": f"/gates/{call}", "control": f"/controls/{control}",
        "swarm": "/swarms/night", "agent": "/agents/builder", "session": "/sessions/session-of-builder",
        "trace": f"/traces/{TRACE}", "live": "/live", "device": "/device", "unknown agent": "/agents/nobody",
        "unknown address": "/gates/" + urllib.parse.quote("no gate/at all", safe="")}


def watched(kind, count):
    """Waits until the hub has counted that many incidents or agents, and returns them."""
    end = time.monotonic() + 300
    while True:
        found = ask("GET", f"/v1/{kind}")[kind]
        if len(found) >= count:
            return found
        if time.monotonic() > end:
            raise Failed(f"the hub has {len(found)} {kind}, not {count}")
        time.sleep(0.05)


def viewed(tab, path):
    """Opens a view."""
    tab.open(address("/page" + path))
