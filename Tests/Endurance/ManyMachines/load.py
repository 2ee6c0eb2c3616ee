"""What two hubs are loaded with: senders of events, deciders, an agent that is steered, and a subscriber.

Each goes to the other hub if one does not answer, and repeats what was not acknowledged, under the same ids.
"""

import http.client
import json
import random
import threading
import time
import uuid

from machines import LOST, PORT, insist, text_of

STEERED = """
import signal, sys, time
said = open(sys.argv[1], "a", buffering=1)
signal.signal(signal.SIGCONT, lambda *_: said.write("resumed\\n"))
for number in range(1, 1 << 30):
    print(number, flush=True)
    time.sleep(0.1)
    try:
        open(sys.argv[2])
        break
    except OSError:
        pass
said.write(f"printed {number}\\n")
"""


class Worker(threading.Thread):
    """A thread that works until it is told to end."""

    def __init__(self, machines):
        super().__init__(daemon=True)
        self.machines, self.ending, self.wrong = machines, threading.Event(), []

    def run(self):
        while not self.ending.is_set():
            self.step()

    def end(self):
        """Tells the thread to end after its step."""
        self.ending.set()


class Sender(Worker):
    """Sends batch after batch, the next once the last is acknowledged."""

    def __init__(self, machines, name, hub, pause=0.1):
        super().__init__(machines)
        self.name, self.hub, self.pause = name, hub, pause
        self.model = name.split("-", maxsplit=1)[0]
        self.connection = None
        # The ids of the last events of the batches, and how often a batch was sent.
        self.acknowledged, self.unavailable, self.count = [], [], 0

    def step(self):
        batch = len(self.acknowledged)
        lines = [self.event(batch, line, size) for size in [random.choice((1, 10, 60))] for line in range(size)]
        body = "\n".join(lines)
        # What was not acknowledged is sent again even at the end: a batch is there once, or the test knows not.
        while not self.send(len(lines), body):
            time.sleep(random.uniform(0, 0.1))
        self.count += len(lines)
        time.sleep(random.uniform(0, self.pause))

    def event(self, batch, line, size):
        event = {"ts": int(time.time() * 1000), "agentId": self.name, "srcId": f"{self.name}-{batch}-{line}-{size}"}
        if line:
            return json.dumps(event | {"type": "log", "level": "info", "message": f"line {line}"})
        return json.dumps(event | {
            "type": "traceEvent", "spanId": f"{batch}", "name": "chat", "phase": "end", "attrs": {
                "gen_ai.operation.name": "chat", "gen_ai.request.model": self.model, "gen_ai.usage.input_tokens": 1,
                "gen_ai.usage.output_tokens": 1}})

    def send(self, count, body):
        try:
            self.connection = self.connection or self.hub.connection()
            status, answer, fields = self.hub.ask("POST", "/v1/events", body, self.connection)
        except LOST:
            self.turn()
            return False
        if status == 200 and answer["accepted"] == count:
            self.acknowledged.append(answer["lastId"])
            return True
        if status in (429, 503):
            self.unavailable.append((status, fields.get("Retry-After"), answer))
            self.turn()
        else:
            self.wrong.append((status, answer))
        return False

    def turn(self):
        """Goes to the other hub, half of the times."""
        if self.connection:
            self.connection.close()
        self.connection = None
        if random.random() < 0.5:
            self.hub = self.machines.other(self.hub)


class Decider(Worker):
    """Opens gates, and decides each at both hubs."""

    def __init__(self, machines):
        super().__init__(machines)
        # For each gate, the answers to both requests.
        self.decided, self.opened = {}, []

    def step(self):
        status, gate, _ = insist(self.machines, "POST", "/v1/approval-gates", {"summary": "Go on?"}, good=(201,))
        if status != 201:
            self.wrong.append((status, gate))
            return
        answers, threads = [], []
        for index, decision in enumerate(("approve", "reject")):
            body = {"decision": decision, "reason": "it is time to decide", "requestId": str(uuid.uuid4())}
            path = f"/v1/approval-gates/{gate['gateId']}/decision"
            threads.append(threading.Thread(target=lambda path=path, body=body, index=index: answers.append(
                (body, *insist(self.machines, "POST", path, body, self.machines.hubs[index])))))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.decided[gate["gateId"]] = answers
        time.sleep(0.1)


class Steerer(Worker):
    """An agent that counts what it is told, and the one who tells it: pauses and resumes, in turn."""

    def __init__(self, machines, name, hub, heartbeat="1s"):
        super().__init__(machines)
        self.name, self.hub = name, hub
        self.said, self.stop = machines.folder / f"{name}.said", machines.folder / f"{name}.stop"
        self.stop.unlink(missing_ok=True)
        self.said.write_text("")
        self.process = machines.agent(
            name, hub, ["python3", "-c", STEERED, str(self.said), str(self.stop)], heartbeat)
        # The requests with the outcome that each came to.
        self.requests = {}

    def step(self):
        self.ask("resume" if len(self.requests) % 2 else "pause")
        time.sleep(0.05)

    def begin(self):
        """Waits until the agent is there and obeys."""
        limit = time.monotonic() + 300
        while time.monotonic() < limit and not self.requests:
            self.ask("pause")
            time.sleep(0.05)
        self.ask("resume")

    def ask(self, action):
        """Sends a control, and waits for its outcome."""
        request = {"requestId": str(uuid.uuid4()), "reason": "to see that it acts once", "action": action}
        path = f"/v1/agents/{self.name}/control"
        status, receipt, _ = insist(self.machines, "POST", path, request, good=(200, 202))
        if status == 404:
            # The agent has not begun.
            time.sleep(0.1)
            return
        if status not in (200, 202):
            self.wrong.append((request, status, receipt))
            return
        # Now and then, the same request once more: its receipt comes, and nothing else.
        if random.random() < 0.3:
            insist(self.machines, "POST", path, request, good=(200, 202))
        self.requests[request["requestId"]] = action, self.outcome(request["requestId"])

    def outcome(self, request):
        limit = time.monotonic() + 300
        while True:
            status, receipt, _ = insist(self.machines, "GET", f"/v1/controls/{request}", None, good=(200,))
            outcome = receipt.get("outcome") if status == 200 else (status, receipt)
            if outcome != "accepted" or time.monotonic() > limit:
                return outcome
            time.sleep(0.02)

    def finish(self):
        """Resumes the agent, lets it end, and waits until all that it printed was sent."""
        self.ask("resume")
        self.stop.write_text("")
        try:
            self.process.wait(600)
        except Exception:  # pylint: disable=broad-except
            self.wrong.append(("the agent does not end", text_of(self.machines.folder / f"{self.name}.errors")))
            self.process.kill()

    @property
    def resumes(self):
        return self.said.read_text().count("resumed")

    @property
    def printed(self):
        found = [line for line in self.said.read_text().splitlines() if line.startswith("printed")]
        return int(found[0].split()[1]) if found else 0


class Subscriber(Worker):
    """Reads the live stream, and returns at the other hub with its last id when the stream ends."""

    def __init__(self, machines, hub):
        super().__init__(machines)
        self.hub, self.last, self.ids, self.gaps, self.returns = hub, None, [], [], 0

    def step(self):
        connection = http.client.HTTPConnection(self.hub.address, PORT, timeout=20)
        fields = {"Authorization": f"Bearer {self.hub.token}"}
        if self.last:
            fields["Last-Event-ID"] = self.last
        try:
            connection.request("GET", "/v1/stream?maxEventsPerSecond=1000000", None, fields)
            answer = connection.getresponse()
            if answer.status == 200:
                self.read(answer)
        except LOST:
            pass
        finally:
            connection.close()
        self.hub = self.machines.other(self.hub)
        self.returns += 1
        time.sleep(0.02)

    def read(self, answer):
        while not self.ending.is_set() and (line := answer.readline()):
            if not line.startswith(b"data: "):
                continue
            record = json.loads(line[6:])
            if record["type"] == "gap":
                self.gaps.append(record)
            elif record["type"] == "suppressed":
                self.wrong.append(record)
            elif "id" in record:
                self.last = record["id"]
                self.ids.append(record["id"])

    def wait(self, last, seconds=300):
        """Waits until the given event was read."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit and (not self.ids or number(self.last) < number(last)):
            time.sleep(0.02)
        self.end()


class Reader:
    """All events, as one hub serves them, page after page."""

    def __init__(self, hub, last=None):
        self.hub, self.events, self.last, self.gaps = hub, [], last, []

    def read(self):
        """Reads what is new."""
        while True:
            page = self.hub.page(self.last)
            if page.get("gap"):
                self.gaps.append(page["gap"])
            if not page["events"]:
                return
            self.events += page["events"]
            self.last = page["lastId"]


def number(event_id):
    return int(event_id.rsplit("-", 1)[1])
