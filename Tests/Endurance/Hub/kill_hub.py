"""Kills a hub by SIGKILL while it takes events, controls and decisions in; see kill-hub.sh."""

import argparse
import collections
import http.client
import json
import random
import subprocess
import threading
import time
import uuid

import hub as hubs

LOST = (OSError, http.client.HTTPException)


class Sender(threading.Thread):
    """Sends batch after batch until the hub is gone."""

    def __init__(self, hub, name, owed):
        super().__init__(daemon=True)
        self.hub, self.name, self.owed = hub, name, owed
        # Batches by the `srcId` of their events, with the id of the last one where there was an answer.
        self.acknowledged, self.unanswered, self.wrong = {}, [], []

    def run(self):
        connection = self.hub.connection()
        for number in range(1 << 30):
            # What nobody answered is sent again once: it must not be there twice.
            batch = self.owed.pop() if self.owed else tuple(
                f"{self.name}-{number}-{line}" for line in range(random.choice((1, 20, 200))))
            body = "\n".join(json.dumps({
                "type": "log", "ts": 1, "agentId": "a", "level": "info", "srcId": key,
                "message": f"line {key}"}) for key in batch)
            try:
                status, answer = hubs.ask(
                    connection, "POST", "/v1/events", body, self.hub.fields)
            except LOST:
                self.unanswered.append(batch)
                return
            if status == 200 and answer["accepted"] == len(batch):
                self.acknowledged[batch] = answer["lastId"]
            else:
                self.wrong.append((status, answer))


class Steerer(threading.Thread):
    """Steers an agent and decides at gates until the hub is gone, each by a request of its own."""

    def __init__(self, hub, owed):
        super().__init__(daemon=True)
        self.hub, self.owed = hub, owed
        self.answered, self.unanswered, self.wrong = {}, [], []

    def run(self):
        connection = self.hub.connection()
        try:
            while True:
                request = self.owed.pop() if self.owed else self.another(connection)
                self.unanswered.append(request)
                path, body = request
                status, answer = hubs.ask(
                    connection, "POST", path, json.loads(body), self.hub.fields)
                self.unanswered.pop()
                if status in (200, 202):
                    self.answered[request] = answer
                else:
                    self.wrong.append((request, status, answer))
        except LOST:
            pass

    def another(self, connection):
        request = {"requestId": str(uuid.uuid4()), "reason": "to see that it acts once"}
        if random.random() < 0.5:
            action = random.choice(("pause", "resume"))
            return "/v1/agents/steered/control", json.dumps(request | {"action": action})
        status, gate = hubs.ask(
            connection, "POST", "/v1/approval-gates", {"summary": "Go on?"}, self.hub.fields)
        if status != 201:
            self.wrong.append(("gate", status, gate))
            raise http.client.HTTPException
        decision = random.choice(("approve", "reject"))
        return (
            f"/v1/approval-gates/{gate['gateId']}/decision",
            json.dumps(request | {"decision": decision}))


def judge_events(checks, hub, acknowledged, unanswered):
    """Nothing acknowledged is lost, no batch is there by half, nothing twice, ids rise."""
    found, last = {}, None
    for event in hub.events():
        epoch, sequence = event["id"].rsplit("-", 1)
        if last is not None:
            checks.check(
                last[0] == epoch and int(sequence) > last[1], f"{event['id']} comes after {last}")
        last = epoch, int(sequence)
        if event["type"] == "log" and "srcId" in event:
            checks.check(event["srcId"] not in found, f"{event['srcId']} is there twice")
            found[event["srcId"]] = event["id"]
    for batch, last_id in acknowledged.items():
        lost = sum(key not in found for key in batch)
        checks.check(lost == 0, f"{lost} of {len(batch)} events that were acknowledged are lost")
        checks.check(found.get(batch[-1]) == last_id, f"{batch[-1]} has another id than was told")
    for batch in unanswered:
        there = sum(key in found for key in batch)
        checks.check(there in (0, len(batch)), f"{there} of a batch of {len(batch)} are there")
    return len(found)


def judge_steering(checks, hub, answered):
    """Each request acted once, is in the audit, and had the same answer each time."""
    audit = hub.ask("GET", "/v1/audit?last=10000")[1]["audit"]
    acted = collections.Counter(
        (entry["requestId"], entry["outcome"]) for entry in audit if not entry.get("replayed"))
    for (request, outcome), count in acted.items():
        checks.check(count == 1, f"{request} is in the audit {count} times as {outcome}")
    told = [event for event in hub.events() if event["type"] == "control"]
    for (path, body), answers in answered.items():
        request = json.loads(body)["requestId"]
        outcomes = {outcome for asked, outcome in acted if asked == request}
        checks.check(outcomes, f"{request} is not in the audit")
        # An agent that was asked answers later: the same receipt then says what came of it.
        kinds = {(answer.get("decision"), answer["ts"]) for answer in answers}
        checks.check(len(kinds) == 1, f"{request} was answered by {kinds}")
        ends = {answer.get("outcome") for answer in answers} - {"accepted"}
        checks.check(len(ends) < 2, f"{request} came to {ends}")
    requests = [event["requestId"] for event in told if event.get("requestId")]
    for request in set(requests):
        outcomes = [event["outcome"] for event in told if event.get("requestId") == request]
        checks.check(
            len(outcomes) == len(set(outcomes)), f"{request} was told as {outcomes}")
    return len(answered)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    checks, scratch = hubs.Checks(), hubs.Scratch()
    scratch.configure("[limits]\ncontrols_per_minute = 100000\n")
    hub = hubs.Hub(scratch)
    first = hub.start()
    agent = scratch.start(
        "agent-run", "--agent", "steered", "--", "bash", "-c", "while sleep 0.2; do echo works; done",
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    hubs.wait_until(
        "the agent is there", lambda: hub.ask("GET", "/v1/agents/steered")[0] == 200)
    acknowledged, unanswered, owed, answered, replies = {}, [], [], {}, []
    starts = []
    for number in range(options.rounds):
        senders = [Sender(hub, f"{number}-{index}", owed[index::3]) for index in range(3)]
        steerer = Steerer(hub, replies)
        for thread in (*senders, steerer):
            thread.start()
        time.sleep(random.uniform(0.05, 0.7))
        hub.kill()
        for thread in (*senders, steerer):
            thread.join(300)
            for what in thread.wrong:
                checks.check(False, f"round {number}: {what}")
        lost = [batch for sender in senders for batch in sender.unanswered]
        owed, given_up = lost[::2], lost[1::2]
        unanswered += given_up
        for sender in senders:
            acknowledged |= sender.acknowledged
        replies = steerer.unanswered + random.sample(
            list(steerer.answered), min(2, len(steerer.answered)))
        for request, answer in steerer.answered.items():
            answered.setdefault(request, []).append(answer)
        starts.append(hub.start())
        checks.check(hub.process.poll() is None, "the hub ended")
    unanswered += owed
    agent.terminate()
    agent.wait(300)
    count = judge_events(checks, hub, acknowledged, unanswered)
    acted = judge_steering(checks, hub, answered)
    print(
        f"{len(acknowledged)} batches acknowledged, {len(unanswered)} not; {count} events, "
        f"{acted} requests that acted")
    print(
        f"ready: {first:.2f} s at first, {sorted(starts)[len(starts) // 2]:.2f} s after a kill, "
        f"{max(starts):.2f} s at most")
    hub.stop()
    checks.end()


main()
