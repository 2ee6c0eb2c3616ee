"""Gates that are decided at both hubs at once, and requests that are sent to both; see many-machines.sh."""

import collections
import json
import random
import threading
import time
import uuid

from load import Steerer


class Pair:
    """A connection to each hub, for requests that are sent to both."""

    def __init__(self, machines):
        self.hubs = machines.hubs
        self.connections = [hub.connection() for hub in self.hubs]

    def send(self, index, path, body):
        self.connections[index].request(
            "POST", path, json.dumps(body), {"Authorization": f"Bearer {self.hubs[index].token}"})

    def receive(self, index):
        """Gives the status and the body."""
        answer = self.connections[index].getresponse()
        return answer.status, json.loads(answer.read())

    def ask(self, index, path, body):
        self.send(index, path, body)
        return self.receive(index)

    def both(self, order, path, bodies, pause):
        """Sends a body to each hub, the second after a pause. Gives the answers in the order of the hubs."""
        self.send(order[0], path, bodies[order[0]])
        if pause:
            time.sleep(pause)
        self.send(order[1], path, bodies[order[1]])
        return [self.receive(index) for index in range(2)]


def at_once(machines, count, work, threads=4):
    """Does something so many times, by some threads that have a pair of connections each."""
    numbers, lock, results = iter(range(count)), threading.Lock(), []

    def run():
        pair = Pair(machines)
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            results.append(work(pair, number))

    workers = [threading.Thread(target=run, daemon=True) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return results


def races(checks, machines, count):
    """Two decide at a gate, at one hub each: one wins, the other is given its receipt, the audit has both."""
    def race(pair, number):
        status, gate = pair.ask(number % 2, "/v1/approval-gates", {"summary": "Deploy?"})
        if status != 201:
            return None, [(status, gate)], []
        order = random.sample((0, 1), 2)
        bodies = [{"decision": decision, "reason": "it is time to decide", "requestId": str(uuid.uuid4())}
                  for decision in random.sample(("approve", "reject"), 2)]
        # Every second pair is sent within the same millisecond.
        pause = random.uniform(0.001, 0.02) if number % 2 else 0
        answers = pair.both(order, f"/v1/approval-gates/{gate['gateId']}/decision", bodies, pause)
        return gate["gateId"], answers, [body["requestId"] for body in bodies]

    found = at_once(machines, count, race)
    checks.check(len(found) == count, f"{count - len(found)} races did not end")
    audit, decisions = collections.defaultdict(list), collections.Counter()
    for line in machines.database.value(
            "SELECT id, requestId, outcome FROM audit WHERE target = 'gate' AND replayed = 0").splitlines():
        gate, request, outcome = line.split("|")
        audit[gate].append((request, outcome))
    for line in machines.database.value("SELECT gateId FROM decision WHERE isWinner = 1").splitlines():
        decisions[line] += 1
    firsts = collections.Counter()
    for gate, answers, requests in found:
        statuses = sorted(status for status, _ in answers)
        if not checks.check(statuses == [200, 409], f"{gate}: answered with {answers}"):
            continue
        index = [status for status, _ in answers].index(200)
        won, lost = answers[index][1], answers[1 - index][1]
        firsts[machines.hubs[index].host.name] += 1
        checks.check(
            lost["code"] == "Conflict" and lost.get("receipt") == won, f"{gate}: {lost} is not of who won: {won}")
        checks.check(won["requestId"] == requests[index], f"{gate}: won by {won}, not {requests[index]}")
        wanted = sorted([(requests[index], won["status"]), (requests[1 - index], "Conflict")])
        checks.check(sorted(audit[gate]) == wanted, f"{gate}: the audit has {audit[gate]}, not {wanted}")
        checks.check(decisions[gate] == 1, f"{gate} has {decisions[gate]} winners")
    print(f"  {count} races, won at {dict(firsts)}", flush=True)


def repeated_decisions(checks, machines, count):
    """The same decision is sent to both hubs, one after the other or at once: it acts once."""
    def repeat(pair, number):
        status, gate = pair.ask(number % 2, "/v1/approval-gates", {"summary": "Again?"})
        if status != 201:
            return None, [(status, gate)]
        body = {"decision": "approve", "requestId": str(uuid.uuid4())}
        return both(pair, number, f"/v1/approval-gates/{gate['gateId']}/decision", body), body["requestId"]

    judge_repetitions(checks, machines, at_once(machines, count, repeat), "approved")


def both(pair, number, path, body):
    """Sends the same to both hubs: at once, or to the other once one has answered."""
    order = random.sample((0, 1), 2)
    if number % 2:
        return pair.both(order, path, [body, body], 0)
    return [pair.ask(index, path, body) for index in order]


def judge_repetitions(checks, machines, found, outcome):
    acted = collections.Counter(machines.database.value(
        f"SELECT requestId FROM audit WHERE replayed = 0 AND outcome = '{outcome}'").splitlines())
    for answers, request in found:
        if not checks.check(
                answers and all(status in (200, 202) for status, _ in answers), f"{request}: answered with {answers}"):
            continue
        receipts = [{key: value for key, value in answer.items() if key not in ("replayed", "outcome", "agents")}
                    for _, answer in answers]
        checks.check(receipts[0] == receipts[1], f"{request}: the receipts differ: {answers}")
        replayed = [answer["replayed"] for _, answer in answers]
        checks.check(sorted(replayed) == [False, True], f"{request}: replayed are {replayed}")
        checks.check(acted[request] == 1, f"{request} acted {acted[request]} times")


def repeated_controls(checks, machines, count):
    """The same control is sent to both hubs: the agent obeys once."""
    steerers = [Steerer(machines, f"repeated-{hub.host.name}", hub) for hub in machines.hubs]
    for steerer in steerers:
        steerer.begin()
    found, before = [], [steerer.resumes for steerer in steerers]
    pairs = [Pair(machines) for _ in steerers]

    def work(index):
        for number in range(count // len(steerers)):
            steerer, request = steerers[index], str(uuid.uuid4())
            body = {"action": ("pause", "resume")[number // 2 % 2], "reason": "to see that it acts once",
                    "requestId": request}
            answers = both(pairs[index], number, f"/v1/agents/{steerer.name}/control", body)
            outcome = steerer.outcome(request)
            checks.check(outcome == "applied", f"{request}: {body['action']} of {steerer.name} is {outcome}")
            found.append((answers, request))

    threads = [threading.Thread(target=work, args=(index,), daemon=True) for index in range(len(steerers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index, steerer in enumerate(steerers):
        numbers = count // len(steerers)
        # Of each pair of resumes, the second finds an agent that is not paused.
        wanted = sum(number % 4 == 2 for number in range(numbers))
        steerer.finish()
        got = steerer.resumes - before[index] - (1 if (numbers - 1) // 2 % 2 == 0 else 0)
        checks.check(got == wanted, f"{steerer.name} was resumed {got} times by requests, not {wanted}")
    judge_repetitions(checks, machines, found, "applied")


def run(checks, machines, options):
    machines.register()
    races(checks, machines, options.races)
    repeated_decisions(checks, machines, options.repeats // 2)
    repeated_controls(checks, machines, options.repeats // 2)
    print(f"  {options.repeats} requests, each at both hubs", flush=True)
