"""Holds hub-serve against docs/openapi.yaml and docs/asyncapi.yaml; see contract-hub.sh."""

import argparse
import json
import os
import pathlib
import subprocess

import jsonschema
import referencing
import yaml

import contract_companion as companion
import hub as hubs
from web_socket import WebSocket, logs, sent

DOCS = hubs.ROOT / "docs"

# Where valid bodies are refused all the same: a code is good once, a token is another's, a part is 1 at most.
CONFIGURATION = """
[[operations]]
include-path = ["/v1/auth/device/register", "/v1/auth/token/refresh", "/v1/auth/device/push-token", "/v1/thresholds/{kind}/{id}"]
checks.positive_data_acceptance.enabled = false

# A body is whatever its lines are: each of them is taken or told of.
[[operations]]
include-path = "/v1/events"
include-method = "POST"
checks.positive_data_acceptance.enabled = false
checks.negative_data_rejection.enabled = false

# A code is guessed by nobody, and one try a second is looked at.
[[operations]]
include-path = "/companion/pairing/complete"
checks.positive_data_acceptance.enabled = false
"""


def fill(hub):
    """Gives a hub something of everything. Gives what schemathesis may ask for, by the parameter's name."""
    agent = hub.scratch.start(
        "agent-run", "--agent", "known", "--swarm", "crew", "--", "sleep", "3000",
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    spans = "\n".join(json.dumps({
        "type": "traceEvent", "ts": 1 + number, "agentId": "known", "swarmId": "crew", "traceId": "5b8efff798038103d269b633813fc60c",
        "spanId": f"eee19b7ec3c1b17{number}", "name": "execute_tool grep", "phase": "end", "skillId": "grep",
        "sessionId": "chat", "attrs": {"error.type": "timeout"}}) for number in range(5))
    errors = "\n".join(json.dumps({
        "type": "log", "ts": 1 + number, "agentId": "known", "swarmId": "crew", "level": "error",
        "message": "it went wrong"}) for number in range(5))
    metric = json.dumps({
        "type": "metric", "ts": 1, "scope": "swarm", "swarmId": "crew", "name": "error_rate", "value": 0.5})
    sent(hub, "\n".join((spans, errors, metric)))
    gate = hub.ask("POST", "/v1/approval-gates", {"summary": "Go on?"})[1]["gateId"]
    hubs.wait_until("there is an incident", lambda: hub.ask("GET", "/v1/incidents")[1]["incidents"])
    incident = hub.ask("GET", "/v1/incidents")[1]["incidents"][0]["id"]
    hubs.wait_until("the agent is there", lambda: hub.ask("GET", "/v1/agents/known")[0] == 200)
    return agent, {
        "agentId": "known", "swarmId": "crew", "gateId": gate, "incidentId": incident,
        "traceId": "5b8efff798038103d269b633813fc60c", "skillId": "grep"} | fill_chats(hub)


def fill_chats(hub):
    """Gives a hub a chat, and a companion at 127.0.0.1 that reads it. Gives their names."""
    text = hub.scratch.path / "wal.txt"
    text.write_text("A WAL is a log of changes, and readers do not wait for a writer.\n")
    hub.scratch.start(
        "chat-send", "-n", "--project", hub.scratch.path, "--attach", text, "hello",
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).wait()
    companion.pair(hub.port, hub.token, "reader")
    project = hub.ask("GET", "/companion/projects", fields={})[1]["projects"][0]["id"]
    chat = hub.ask("GET", f"/companion/projects/{project}/chats", fields={})[1]["chats"][0]["id"]
    return {"projectId": project, "chatId": chat}


def judge_http(checks, hub, known, program, examples):
    """Has schemathesis ask what openapi.yaml allows, and what it does not."""
    hooks = pathlib.Path(__file__).with_name("schemathesis_hooks.py")
    runs = {"unknown ids": (CONFIGURATION, ["--phases", "coverage"])}
    parameters = "".join(f'"path.{name}" = "{value}"\n' for name, value in known.items())
    # Who is revoked is another one than who reads.
    other = companion.pair(hub.port, hub.token, "other", "127.0.0.2")
    revoked = f'''
[[operations]]
include-path = "/companion/devices/{{id}}"
parameters = {{ "path.id" = "{other}" }}
'''
    runs["known ids"] = (
        f"[parameters]\n{parameters}{CONFIGURATION}{revoked}",
        ["--phases", "fuzzing", "--max-examples", str(examples), "--exclude-checks", "unsupported_method"])
    for name, (configuration, options) in runs.items():
        file = hub.scratch.path / "schemathesis.toml"
        file.write_text(configuration)
        run = subprocess.run(
            [program, "--config-file", file, "run", DOCS / "openapi.yaml", "--url",
             f"http://127.0.0.1:{hub.port}", "-H", f"Authorization: Bearer {hub.token}",
             # Streams have no end.
             "--exclude-path", "/v1/stream", "--exclude-path", "/v1/controls", "--request-timeout", "300", "--workers", "1",
             "--seed", "1", "--no-color", "--warnings", "off", *options],
            cwd=hub.scratch.path, env=os.environ | {"SCHEMATHESIS_HOOKS": str(hooks), "HUB_TOKEN": hub.token},
            capture_output=True, text=True)
        told = [line.strip() for line in run.stdout.splitlines() if " generated, " in line]
        print(f"{name}: {' '.join(told)[:200]}", flush=True)
        checks.check(hub.ask("GET", "/companion/projects", fields={})[0] == 200, "the companion does not read any more")
        if not checks.check(run.returncode == 0, f"schemathesis ends with {run.returncode}"):
            found = max(run.stdout.find(" FAILURES ="), run.stdout.find(" ERRORS ="), 0)
            print(run.stdout[found:][:8000], run.stderr[-1000:])


class Contract:
    """asyncapi.yaml, of which every reference is looked up."""

    def __init__(self):
        self.document = yaml.safe_load((DOCS / "asyncapi.yaml").read_text())
        resources = [(self.uri, referencing.Resource.from_contents(
            self.document, default_specification=referencing.jsonschema.DRAFT202012))]
        for path in (DOCS / "schemas").glob("*.json"):
            resources.append((path.as_uri(), referencing.Resource.from_contents(
                {key: value for key, value in json.loads(path.read_text()).items() if key != "$id"})))
        self.registry = referencing.Registry().with_resources(resources)

    uri = (DOCS / "asyncapi.yaml").as_uri()

    def at(self, reference):
        """What a reference of the document itself leads to."""
        found = self.document
        for part in reference.removeprefix("#/").split("/"):
            found = found[part]
        return found

    def messages(self, operation):
        """The messages of an operation: their names, and validators of what they hold."""
        result = {}
        for reference in self.document["operations"][operation]["messages"]:
            name = reference["$ref"].rsplit("/", 1)[1]
            self.at(self.at(reference["$ref"])["$ref"])
            result[name] = jsonschema.Draft202012Validator(
                {"$ref": f"{self.uri}#/components/messages/{name}/payload"}, registry=self.registry)
        return result


def judge_structure(checks, contract):
    """The document has what AsyncAPI 3.0 asks for, and every reference in it leads somewhere."""
    document = contract.document
    checks.check(document["asyncapi"] == "3.0.0" and document["info"]["version"] == "1", "its head")

    def references(value):
        if isinstance(value, dict):
            yield from (value[key] for key in value if key == "$ref")
            value = list(value.values())
        for item in value if isinstance(value, list) else ():
            yield from references(item)

    for reference in set(references(document)):
        try:
            contract.registry.resolver(contract.uri).lookup(reference)
        except referencing.exceptions.Unresolvable:
            checks.check(False, f"asyncapi.yaml: '{reference}' leads nowhere")
    for name, operation in document["operations"].items():
        checks.check(
            operation["action"] in ("send", "receive") and contract.at(operation["channel"]["$ref"]),
            f"the operation {name}")
    said = {name for operation in document["operations"] for name in contract.messages(operation)}
    checks.check(said == set(document["components"]["messages"]), "a message is said by nobody")


def judge_frames(checks, hub, contract):
    """What is said over a socket is one of the messages of the document, and each of them is said."""
    heard, spoken = contract.messages("send"), contract.messages("receive")
    seen, client = set(), WebSocket(hub)

    def say(message):
        names = [name for name, validator in spoken.items() if validator.is_valid(message)]
        checks.check(len(names) == 1, f"{message} is of the messages {names}")
        seen.update(names)
        client.send(message)

    say({"type": "ping", "id": 3, "requestId": "p"})
    say({"type": "subscribe", "requestId": "1", "maxEventsPerSecond": 10, "batch": True, "lastEventId":
         "0123456789abcdef-3", "filters": {"severityGte": "debug", "since": "1970-01-01T00:00:00Z"}})
    say({"type": "throttle", "requestId": "2", "maxEventsPerSecond": 5})
    say({"type": "pong", "id": 1})
    client.send({"type": "throttle", "requestId": "3", "maxEventsPerSecond": 0})
    hub.ask("POST", "/v1/approval-gates", {"summary": "Go on?", "agentId": "known"})
    hub.ask("POST", "/v1/agents/known/control", {
        "action": "pause", "reason": "to see the event", "requestId": "frames"})
    sent(hub, logs(100))
    types = set()
    for opcode, payload in client.frames():
        if opcode != 1:
            continue
        for line in payload.decode().split("\n"):
            record = json.loads(line)
            names = {name for name, validator in heard.items() if validator.is_valid(record)}
            checks.check(len(names) == 1, f"of the messages {sorted(names)} is {line[:300]}")
            seen |= names
            types.add(record["type"])
        if "ping" in seen and "suppressed" in seen and "unsubscribed" not in seen:
            say({"type": "unsubscribe", "requestId": "4"})
        if "unsubscribed" in seen:
            break
    client.close()
    silent = (set(heard) | set(spoken)) - seen
    checks.check(not silent, f"not said: {sorted(silent)}")
    wanted = {"approvalGate", "control", "gap", "log", "suppressed"}
    checks.check(wanted <= types, f"events of the types {sorted(types)} came")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--schemathesis", required=True)
    parser.add_argument("--examples", type=int, required=True)
    options = parser.parse_args()
    checks, scratch = hubs.Checks(), hubs.Scratch()
    scratch.configure("[limits]\ncontrols_per_minute = 1000000\nterminations_per_minute = 1000000\n")
    hub = hubs.Hub(scratch, "--page")
    hub.start()
    agent, known = fill(hub)
    contract = Contract()
    judge_structure(checks, contract)
    judge_frames(checks, hub, contract)
    judge_http(checks, hub, known, options.schemathesis, options.examples)
    checks.check(hub.process.poll() is None, "the hub ended")
    agent.kill()
    agent.wait()
    hub.stop()
    checks.end()


main()
