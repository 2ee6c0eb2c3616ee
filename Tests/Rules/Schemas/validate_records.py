#!/usr/bin/env python3
"""Checks NDJSON records against the schemas in docs/schemas.

usage: validate_records.py [--other-types] FILE...     (- is stdin)
       validate_records.py --self-test

Prints FILE:LINE and what is wrong for every record that its type's schema refuses, and how many
are valid. Exits 1 if a record is refused or none was seen. With --other-types, a record whose
type has no schema is passed over instead of refused. Needs jsonschema 4.18 or newer (PyPI).
"""

import argparse
import json
import pathlib
import re
import sys

import jsonschema
import referencing

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCHEMAS = ROOT / "docs" / "schemas"


def load_schemas():
    """The schemas by file name; every one is itself checked."""
    schemas = {}
    for path in sorted(SCHEMAS.glob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        if schema["$id"] != path.name:
            raise ValueError(f"{path.name}: its $id is {schema['$id']!r}")
        schemas[path.stem] = schema
    return schemas


def make_validators(schemas):
    """A validator a record type; nothing is ever looked up outside the folder."""
    registry = referencing.Registry().with_resources(
        (schema["$id"], referencing.Resource.from_contents(schema)) for schema in schemas.values()
    )
    return {
        name: jsonschema.Draft202012Validator(schema, registry=registry)
        for name, schema in schemas.items()
        if name != "common"
    }


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def problems(line, validators, other_types=False):
    """What is wrong with a line: a list of sentences, or None for a type that is passed over."""
    try:
        record = json.loads(line.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        return [f"not JSON: {error}"]
    kind = record.get("type") if isinstance(record, dict) else None
    if not isinstance(kind, str):
        return ["not a record: no string 'type'"]
    if kind not in validators:
        return None if other_types else [f"no schema for the type '{kind}'"]
    errors = sorted(validators[kind].iter_errors(record), key=lambda error: error.json_path)
    return [f"{kind} {error.json_path}: {explain(error)}" for error in errors]


def explain(error):
    """The message of the error that matters: of a choice between a value and null, the value's."""
    if error.validator == "anyOf" and error.context:
        first = [inner for inner in error.context if inner.schema_path[0] == 0]
        inner = jsonschema.exceptions.best_match(first)
        where = "" if inner.json_path == error.json_path else f"{inner.json_path}: "
        return (where + inner.message)[:500]
    return error.message[:500]


def validate(names, validators, other_types):
    """Validates files; returns the exit status."""
    valid = refused = 0
    for name in names:
        stream = sys.stdin.buffer if name == "-" else open(name, "rb")
        with stream:
            for number, line in enumerate(stream, 1):
                line = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                if not line.strip():
                    continue
                found = problems(line, validators, other_types)
                if found is None:
                    continue
                valid, refused = (valid, refused + 1) if found else (valid + 1, refused)
                for problem in found:
                    print(f"{name}:{number}: {problem}")
    print(f"{valid} records valid" + (f", {refused} refused" if refused else ""))
    return 1 if refused or not valid else 0


# --- self-test ---------------------------------------------------------------------------------

UUID = "0193abcd-0000-7000-8000-000000000001"
NOW = "2026-02-25T10:00:00.000Z"
USAGE = {"inputTokens": 1, "outputTokens": 2, "cacheReadTokens": 0, "cacheWriteTokens": 0}
FAILURE = {
    "code": "Timeout", "title": "Timed out", "explanation": "no answer", "action": "retry",
    "suggestedAction": "retry", "category": "network", "retryable": True,
}
GOOD = [
    {"type": "goal", "text": "Compare", "urls": ["https://e.example/"], "labels": {"a": "b"}},
    {"type": "goal", "text": "Compare", "project": None, "labels": None, "mine": [1]},
    {"type": "pipeline", "id": UUID, "goal": "g", "status": "waiting", "usage": USAGE,
     "costUSD": 0.03, "createdAt": NOW, "error": FAILURE},
    {"type": "stage", "id": UUID, "pipelineId": UUID, "position": 0, "role": "researcher",
     "task": "t", "status": "completed", "approved": False, "usage": None,
     "sources": [{"url": "u", "status": 200, "truncated": None}, {"url": "v", "error": FAILURE}]},
    {"type": "delta", "stageId": UUID, "model": "m", "text": ""},
    {"type": "artifact", "id": UUID, "role": "poet", "title": "t", "kind": "text", "content": "c",
     "createdAt": NOW},
    {"type": "file", "path": "p", "status": "unchanged", "bytes": 0, "sha256": "0" * 64},
    {"type": "url", "url": "https://e.example/"},
    {"type": "page", "url": "u", "links": [{"url": "u", "text": ""}],
     "timing": {"totalMs": 1.5, "connectMs": None}, "fetchedAt": NOW},
    {"type": "message", "role": "tool", "text": ""},
    {"type": "approvalGate", "ts": 1, "gateId": UUID, "status": "pending", "summary": "s",
     "requestedAt": NOW, "revision": 1, "context": {"why": "w"}},
    {"type": "decisionReceipt", "requestId": "r", "gateId": UUID, "decision": "approve",
     "status": "approved", "actor": "me", "ts": 1, "replayed": False},
    {"type": "key", "name": "anthropic", "masked": "sk-…x", "source": "keyring"},
    {"type": "error", "tool": "web-fetch", **FAILURE},
    {"type": "chat", "id": UUID, "title": "t", "createdAt": NOW, "system": None},
    {
        "type": "traceEvent", "ts": 1772013600000, "agentId": "a", "spanId": "8000000000000002",
        "traceId": "019c8e5a3a0070008000000000000001", "phase": "start", "name": "invoke_agent",
        "attrs": {"gen_ai.usage.input_tokens": 3, "a": "b", "c": True, "d": 0.5, "e": ["f"]},
    },
    {"type": "log", "ts": 1772013600000, "agentId": "a", "level": "info", "message": "m"},
    {"type": "gap", "ts": 1772013600000, "from": "e-1", "to": "e-9", "reason": "retention"},
    {"type": "suppressed", "ts": 1, "level": "debug", "count": 412, "since": 0},
    {"type": "key", "name": "laptop", "masked": "ed25519…seed", "source": "keyring",
     "publicKey": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIC5rnVTSK5zqmqC7HLDF1OWKOmmIJzR0aD5UajBnV/ry"
     " laptop",
     "fingerprint": "SHA256:/XdmO/6ZIrBpZZnwGLtO1EUYzh5czgandrwWrhrxxzc"},
    {"type": "hostKey", "host": "[box.example]:2222", "algorithm": "ssh-ed25519",
     "fingerprint": "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU", "status": "added",
     "file": "/home/ann/.local/share/agentpipes/known_hosts"},
    {"type": "device", "id": "01933b1c-5f10-7c3a-9d41-6a1c2b3d4e5f", "name": "laptop",
     "scope": "all", "createdAt": "2026-02-25T10:00:00.000Z",
     "lastSeenAt": "2026-02-25T11:00:00.000Z", "revoked": False, "hub": "http://build:7878"},
    {"type": "pairing", "code": "K7M4Q-2XWPT", "expiresAt": "2026-02-25T10:10:00.000Z",
     "scope": "events", "name": "ci"},
    {"type": "pairing", "code": "123456", "expiresAt": "2026-02-25T10:10:00.000Z",
     "scope": "companion", "qrPayload": "{}"},
    {"type": "host", "name": "mac", "url": "http://192.168.1.20:7878",
     "deviceId": "3b1e6f0a9c2d4e5f", "pairedAt": "2026-02-25T10:00:00.000Z", "signs": True},
    {"type": "status", "connected": True, "host": "mac", "url": "http://192.168.1.20:7878",
     "connectedDevice": {"id": "3b1e6f0a9c2d4e5f", "name": "phone",
      "connectedAt": "2026-02-25T10:00:00.000Z", "lastSeenAt": "2026-02-25T10:00:00.000Z"}},
    {"type": "status", "connected": False, "connectedDevice": None, "url": "http://127.0.0.1:7878"},
    {"type": "terminalSession", "id": "$0", "name": "review", "host": "localhost",
     "user": "ann", "windows": 2, "attached": 1, "createdAt": "2026-02-25T10:00:00.000Z",
     "activityAt": "2026-02-25T10:00:00.000Z", "path": "/home/ann/review", "width": 80,
     "height": 24},
    {"type": "terminalOutput", "ts": 1772013600000, "paneId": "%0", "data": "$ ls\r\n",
     "lagMs": 20},
    {"type": "terminalOutput", "ts": 1772013600000, "paneId": "%0", "data_b64": "/w=="},
    {"type": "terminalEvent", "ts": 1772013600000, "event": "windowRenamed", "windowId": "@1",
     "name": "build"},
    {"type": "terminalSnapshot", "ts": 1772013600000, "paneId": "%0", "width": 80, "height": 1,
     "cursorX": 2, "cursorY": 0, "cursorVisible": True, "alternateOn": False, "historyLines": 0,
     "escapes": False, "text": "$ \n"},
    {"type": "metric", "ts": 1772013600000, "scope": "swarm", "swarmId": "review",
     "name": "error_rate", "value": 0.12, "id": "7c1f52d0a1b2c3d4-44"},
    {"type": "alert", "ts": 1772013600000, "kind": "contextCapacity", "severity": "warn",
     "summary": "the context of 'linter' is 91 % full", "agentId": "linter",
     "sessionId": "019c8e5a-3a01-7000-8000-000000000002", "value": 0.91, "threshold": 0.8,
     "id": "7c1f52d0a1b2c3d4-45",
     "srcId": "alert:contextCapacity:019c8e5a-3a01-7000-8000-000000000002:1772013600000"},
    {"type": "control", "ts": 1772013600000,
     "requestId": "019c8e5a-3a05-7000-8000-000000000009", "target": "agent",
     "swarmId": "review", "agentId": "linter", "action": "pause", "reason": "runaway cost",
     "actor": "ann", "outcome": "applied", "id": "7c1f52d0a1b2c3d4-46",
     "srcId": "control:019c8e5a-3a05-7000-8000-000000000009:linter"},
    {"type": "controlReceipt", "requestId": "019c8e5a-3a05-7000-8000-000000000009",
     "target": "agent", "id": "linter", "action": "pause", "reason": "runaway cost",
     "actor": "ann", "outcome": "applied", "ts": 1772013600000, "replayed": False},
    {"type": "controlReceipt", "requestId": "019c8e5a-3a05-7000-8000-00000000000a",
     "target": "agent", "id": "gemini-3333", "action": "pause", "reason": "runaway cost",
     "actor": "ann", "outcome": "refused", "ts": 1772013600000, "replayed": False,
     "note": "its process is only a guess, from the folder and the name"},
    {"type": "adoption", "agent": "claude", "places": ["/home/ann/.claude"], "files": 40,
     "sessions": 12, "active": 2, "certain": 2, "tried": ["1.0", "2.1"], "versions": ["2.1.326"],
     "unknownEntries": {"new-kind": 3}, "unreadable": 0, "followed": True},
    {"type": "audit", "sequence": 7, "ts": 1772013600000, "target": "agent", "id": "linter",
     "action": "pause", "requestId": "019c8e5a-3a05-7000-8000-000000000009", "actor": "ann",
     "reason": "runaway cost", "outcome": "applied", "replayed": False},
    {"type": "swarm", "id": "review", "name": "review", "status": "running", "activeAgents": 2,
     "errorRate": 0.125, "throughput": 3.5, "updatedAt": "2026-02-25T10:00:00.000Z"},
    {"type": "agent", "id": "linter", "swarmId": "review",
     "sessionId": "019c8e5a-3a01-7000-8000-000000000002", "status": "waiting",
     "name": "shop-59", "waitingFor": "permission", "taskSummary": "lint-everything.sh",
     "startedAt": "2026-02-25T10:00:00.000Z", "updatedAt": "2026-02-25T10:00:00.000Z", "events": 42, "errors": 1},
    {"type": "incident", "id": "6f1a2c58-09d3-8b7e-8c41-5d2e9f60a7b4", "severity": "error",
     "summary": "cannot open the file", "swarmId": "review", "agentId": "linter", "count": 3,
     "createdAt": "2026-02-25T10:00:00.000Z", "updatedAt": "2026-02-25T10:00:00.000Z",
     "status": "open"},
    {"type": "contextHealth", "sessionId": "019c8e5a-3a01-7000-8000-000000000002",
     "agentId": "linter", "swarmId": "review", "model": "claude-sonnet-4-6",
     "tokenUsage": 182000, "maxTokens": 200000, "redundancyScore": 0.25, "history": [91000, 182000],
     "warnings": ["nearCapacity"], "updatedAt": "2026-02-25T10:00:00.000Z"},
    {"type": "skillHealth", "skillId": "Bash", "name": "Bash", "window": "hour", "calls": 40,
     "successRate": 0.75, "errorRate": 0.25, "p95LatencyMs": 1200, "isSpiking": False,
     "updatedAt": "2026-02-25T10:00:00.000Z"},
    {"type": "threshold", "kind": "contextCapacity", "value": 0.8, "unit": "part",
     "isDefault": True},
    {"type": "overview", "summaryCards": {"contextRisk": 0.91, "skillFailureRate": 0.25,
     "swarmHealth": 1}, "activeIncidents": [], "activeSwarms": [], "activeSessions": [],
     "pendingGates": [], "updatedAt": "2026-02-25T10:00:00.000Z"},
    {"type": "project", "id": UUID, "name": "wal", "localPath": "/home/ann/wal"},
    {"type": "toolCall", "id": "toolu_01", "name": "search", "arguments": {"query": "WAL"}},
    {"type": "tool", "name": "search", "source": "mcp:web", "description": "Searches",
     "inputSchema": {"type": "object"}},
    {"type": "toolResult", "id": "toolu_01", "name": "search", "source": "mcp:web",
     "content": [{"type": "text", "text": "WAL"}], "isError": False, "durationMs": 12.5,
     "consent": "named"},
    {"type": "check", "name": "key", "status": "missing", "summary": "no key", "nextStep": "key-store set openai"},
    {"type": "delivery", "target": "desktop", "alert": "alert:incident:i:1", "kind": "incident",
     "status": "sent", "attempts": 1, "count": 2, "ts": 1},
    {"type": "response", "since": "2026-02-18T10:00:00.000Z", "alerted": 2, "seen": 1,
     "seenMedianSeconds": 18, "seenP95Seconds": 18, "controlled": 0},
    {"type": "model", "name": "gpt-4o", "provider": "openai", "kind": "chat", "available": False,
     "reason": "no key"},
    {"type": "priceChange", "provider": "anthropic", "name": "claude-example-1",
     "from": "2026-12-01", "before": {"inputPricePerMillion": 3}, "kept": None, "tenfold": False,
     "after": {"inputPricePerMillion": 4,
      "bands": [{"aboveInputTokens": 200000, "inputPricePerMillion": 8}]}},
    {"type": "usage", "by": "day", "key": "2026-02-25", "calls": 1, "costUSD": None, **USAGE},
]
# Each is a good record with one member changed (None removes it) and where that must show.
BAD = [
    (0, "text", None, "$"), (0, "text", 1, "$.text"), (0, "labels", {"a": 1}, "$.labels"),
    (0, "urls", "u", "$.urls"), (2, "status", "done", "$.status"), (2, "id", "p1", "$.id"),
    (2, "createdAt", "2026-02-25T10:00:00Z", "$.createdAt"), (2, "createdAt", 5, "$.createdAt"),
    (2, "usage", {"inputTokens": 1}, "$.usage"), (2, "error", {"code": "Timeout"}, "$.error"),
    (3, "position", 1.5, "$.position"), (3, "approved", "no", "$.approved"),
    (3, "sources", [{"url": None}], "$.sources[0].url"), (4, "model", None, "$"),
    (5, "createdAt", None, "$"), (6, "bytes", -1, "$.bytes"), (6, "sha256", "F" * 64, "$.sha256"),
    (7, "url", None, "$"), (8, "truncated", 1, "$.truncated"),
    (8, "timing", {"totalMs": "1"}, "$.timing.totalMs"), (9, "role", "robot", "$.role"),
    (10, "revision", 0, "$.revision"), (10, "ts", NOW, "$.ts"), (11, "decision", "no", "$.decision"),
    (12, "source", "pocket", "$.source"), (13, "code", "Oops", "$.code"),
    (13, "category", "weather", "$.category"), (14, "id", None, "$"), (14, "title", 1, "$.title"),
]
BAD_LINES = [b"{", b"[]", b"1", b'{"type":1}', b'{"text":"x"}', b'{"type":"other"}', b"\xff",
             b'{"type":"goal","text":NaN}', b"[" * 100_000]


def self_test(schemas, validators):
    """Checks the checker, and that the schemas allow the words that the models in Swift have."""
    failures = []

    def check(condition, what):
        if not condition:
            failures.append(what)

    def encode(record):
        return json.dumps(record).encode()

    for record in GOOD:
        found = problems(encode(record), validators)
        check(found == [], f"refused: {record}: {found}")
    check({record["type"] for record in GOOD} == set(validators), "a type has no good record")
    for index, member, value, where in BAD:
        record = {**GOOD[index], member: value}
        if value is None:
            del record[member]
        found = problems(encode(record), validators)
        expected = f"{record['type']} {where}: "
        check(found and found[0].startswith(expected), f"not refused at {where}: {record}: {found}")
    for line in BAD_LINES:
        check(problems(line, validators), f"not refused: {line[:40]}")
    check(problems(b'{"type":"other"}', validators, True) is None, "other types are not passed over")
    failures += drift(schemas)
    for failure in failures:
        print(failure)
    print("self-test failed" if failures else "self-test passed")
    return 1 if failures else 0


def drift(schemas):
    """Where the words that a member may be differ between the schemas and the models in Swift.

    The members themselves are compared by SchemaTests, which knows the models."""
    found = []
    enums = {}
    files = sorted((ROOT / "Sources" / "Core").rglob("*.swift"))
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    for name, body in re.findall(r"enum (\w+): String,[^{]*\{(.*?)\n\}", source, re.S):
        # Only the lines that begin with `case` and those they run on to declare cases.
        cases = re.findall(r"^ +case ((?:\w+(?: = \"\w+\")?,?\s+)+)", body + "\n", re.M)
        enums[name] = [raw or case for case, raw in re.findall(
            r"(\w+)(?: = \"(\w+)\")?", " ".join(cases))]
    wanted = {
        "common.$defs.failureCode": "FailureCode", "common.$defs.gateStatus": "GateStatus",
        "pipeline.properties.status": "PipelineStatus", "stage.properties.status": "StageStatus",
        "file.properties.status": "FileStatus", "key.properties.source": "KeySource",
        "hostKey.properties.status": "HostKeyStatus",
        "decisionReceipt.properties.decision": "Decision",
        "pairing.properties.scope": "DeviceScope",
        "error.properties.category": "FailureCategory",
        "error.properties.suggestedAction": "SuggestedAction",
        "terminalEvent.properties.event": "TerminalEventKind",
        "common.$defs.failure.properties.category": "FailureCategory",
        "common.$defs.failure.properties.suggestedAction": "SuggestedAction",
    }
    for place, name in wanted.items():
        node = schemas
        for step in place.split("."):
            node = node[step]
        if node.get("enum") != enums.get(name):
            differing = set(node.get("enum", [])) ^ set(enums.get(name, []))
            found.append(f"{place} is not {name}: {differing or 'another order'}")
    return found


def main():
    parser = argparse.ArgumentParser(
        description="Check NDJSON records against the schemas in docs/schemas.")
    parser.add_argument("--self-test", action="store_true", help="check this program instead")
    parser.add_argument("--other-types", action="store_true",
                        help="pass over records whose type has no schema")
    parser.add_argument("files", nargs="*", metavar="FILE", help="an NDJSON file; - is stdin")
    arguments = parser.parse_args()
    schemas = load_schemas()
    validators = make_validators(schemas)
    if arguments.self_test:
        return self_test(schemas, validators)
    if not arguments.files:
        parser.error("no file given")
    return validate(arguments.files, validators, arguments.other_types)


if __name__ == "__main__":
    sys.exit(main())
