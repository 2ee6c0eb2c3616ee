"""What happens to a hub's devices when they sign, and when others change or repeat what they signed."""

import collections
import http.client
import json
import random
import threading

from companion import Host, address, is_failure, told
from signed_bench import MUTATIONS, Bench
from signer import Signer, seconds_off
import hub as hubs
import request_changes  # noqa: F401
import signature_changes  # noqa: F401

LOST = (OSError, http.client.HTTPException)


def said(body):
    """What a body says."""
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")


class Line:
    """A connection that stays open, as long as the hub keeps it."""

    def __init__(self, host, source=None, is_foreign=True, **options):
        self.host = host
        self.connection = host.hub.connection(
            source=source or address(), is_foreign=is_foreign, **options)

    def send(self, request):
        """Sends a request. Gives the status and what the body says."""
        answer, body = self.whole(request)
        return answer.status, said(body)

    def whole(self, request):
        """Sends a request. Gives the answer, too."""
        try:
            answer, body = request.send(self.connection)
        except LOST:
            # The hub may close a connection once it has answered something that was malformed.
            self.connection.close()
            answer, body = request.send(self.connection)
        self.host.keep(answer.status, said(body))
        return answer, body


def signatures(checks, sizes):
    """Devices with keys of both kinds, in each form, sign, and from then on have to."""
    host = Host()
    folder, project, chat = host.say("What is a WAL?")
    accepted = refused = 0
    for kind, form in (
        ("ed25519", "raw"), ("ed25519", "spki"), ("ed25519", "pem"), ("ed25519", "ssh"),
        ("p256", "raw"), ("p256", "spki"), ("p256", "pem"), ("p256", "ssh"),
    ):
        source = address()
        device, line = Signer(host, kind, form, source), Line(host, source)
        before, _ = host.ask("GET", "/companion/projects", source=source)
        checks.check(before == 200, f"a device that has not signed is answered with {before}")
        if hubs.ForeignConnection.is_possible():
            other, _ = host.ask("GET", "/companion/projects", source=source, is_foreign=True)
            checks.check(other == 401, f"another user at its address is answered with {other}")
        for request in requests(device, project, chat):
            status, answer = line.send(request)
            accepted += checks.check(
                status == 200, f"{kind}, {form}: {request} is answered with {status}: {answer}")
        if hubs.ForeignConnection.is_possible():
            for method, path, body in unsigned(device.id, project, chat):
                status, answer = host.ask(method, path, body, source=source, is_foreign=True)
                refused += checks.check(
                    status == 401 and is_failure(answer),
                    f"{kind}, {form}: without a signature {path} is answered with {status}: {answer}")
        judge_clock(checks, device, line)
    strict = judge_strict(checks, host, project, chat)
    host.hub.stop()
    return host, (
        f"8 forms of keys, {accepted} requests accepted, {refused} without a signature refused, a clock "
        f"that is off told and recovered from; strict: {strict}")


def requests(device, project, chat):
    """Requests that are good, some in unusual letters and forms."""
    page = f"/companion/chats/{chat}/messages?cursor=0&limit=2"
    words = json.dumps({"prompt": "and then?"}).encode()
    yield device.request("GET", "/companion/status")
    yield device.request("GET", "/companion/devices", told=False)
    yield device.request("GET", "/companion/projects", expires=60)
    yield device.request("GET", f"/companion/projects/{project}/chats", age=200, label="other-1")
    yield device.request("GET", page)
    yield device.request("GET", page, age=-200)
    yield device.request("POST", f"/companion/chats/{chat}/continue", words)
    loud = device.request("GET", page)
    loud.fields = [(name.upper(), f"  {value} \t") for name, value in loud.fields]
    yield loud
    quiet = device.request("POST", f"/companion/chats/{chat}/continue", words)
    quiet.fields = [(name.lower(), value) for name, value in reversed(quiet.fields)]
    yield quiet
    whole = device.request("GET", page)
    whole.path = f"http://127.0.0.1:{device.host.hub.port}{page}"
    yield whole
    spaced = device.request("GET", page)
    yield spaced.change("Signature-Input", '" "', '"   "')


def unsigned(device, project, chat):
    """All that a device may ask for but pairing."""
    yield "GET", "/companion/status", None
    yield "POST", "/companion/disconnect", None
    yield "GET", "/companion/devices", None
    yield "DELETE", f"/companion/devices/{device}", None
    yield "GET", "/companion/projects", None
    yield "GET", f"/companion/projects/{project}/chats", None
    yield "GET", f"/companion/chats/{chat}/messages", None
    yield "POST", f"/companion/chats/{chat}/continue", {"prompt": "hello"}


def judge_clock(checks, device, line):
    """A clock that is ten minutes off is told, with the right time."""
    for age in (-600, 600):
        answer, body = line.whole(device.request("GET", "/companion/projects", age=age))
        checks.check(
            answer.status == 401 and told(said(body)) == "ClockSkew" and is_failure(said(body)),
            f"a clock that is {age} seconds off is answered with {answer.status}: {body}")
        date = answer.getheader("Date")
        checks.check(date and seconds_off(date) < 60, f"the hub's time is {date}")
        status, answer = line.send(device.request("GET", "/companion/projects"))
        checks.check(status == 200, f"after a clock that was off: {status}, {answer}")


def judge_strict(checks, host, project, chat):
    """With --auth strict nothing goes without a signature but pairing."""
    host.hub.stop()
    host.hub.options = ("--auth", "strict")
    host.hub.start()
    source = address()
    status, answer = host.ask("POST", "/companion/pairing/start")
    checks.check(
        status in (401, 403) and is_failure(answer), f"strict, no token: {status}, {answer}")
    device, refused = Signer(host, source=source), 0
    for method, path, body in unsigned(device.id, project, chat):
        for is_foreign in (False, True):
            status, answer = host.ask(method, path, body, source=source, is_foreign=is_foreign)
            refused += checks.check(
                status == 401 and is_failure(answer),
                f"strict, {path} is answered with {status}: {answer}")
    line = Line(host, source)
    good = sum(
        checks.check(line.send(request)[0] == 200, f"strict: {request} is not accepted")
        for request in requests(device, project, chat))
    return f"{refused} refused, {good} accepted"


class Attacker(threading.Thread):
    """Sends requests that were changed or came before, by a connection that stays open."""

    def __init__(self, checks, bench, seed, count):
        super().__init__(daemon=True)
        self.checks, self.bench, self.count = checks, bench, count
        # From where a device paired, since without a signature that is what it is known by.
        self.random, self.line = random.Random(seed), Line(bench.host, bench.device(seed).source)
        self.ends = collections.Counter()

    def run(self):
        for _ in range(self.count):
            try:
                self.attack()
            except Exception as trouble:  # A thread that dies must not look like one that is done.
                self.checks.check(False, f"an attack came to an end: {trouble!r}"[:1000])

    def attack(self):
        mutation = self.random.choice(MUTATIONS)
        request = mutation(self.bench, self.random, self.line)
        while request is None:
            mutation = self.random.choice(MUTATIONS)
            request = mutation(self.bench, self.random, self.line)
        status, answer = self.line.send(request)
        name, code = mutation.__name__, told(answer)
        if request.method == "HEAD":
            is_right = status in {401, 405}
        elif status == 401:
            is_right = is_failure(answer) and code == mutation.code and (
                code != "AuthExpired" or answer.get("kind") in mutation.kinds)
            code = answer.get("kind", code)
        else:
            is_right = status in mutation.others and (code is not None or status == 400)
        self.checks.check(is_right, f"{name}: {request} is answered with {status}: {answer}"[:1000])
        self.ends[name, status, code] += 1


def changes(checks, sizes):
    """Of signed requests that are changed or replayed none is accepted, and none has an effect."""
    host = Host()
    bench = Bench(host, *host.say("What is a WAL?"))
    before = bench.state()
    count = -(-sizes.mutations // 8)
    attackers = [Attacker(checks, bench, seed, count) for seed in range(8)]
    for attacker in attackers:
        attacker.start()
    for attacker in attackers:
        attacker.join()
    after = bench.state()
    checks.check(before == after, f"changed requests had an effect: {before}, {after}")
    ends = sum((attacker.ends for attacker in attackers), collections.Counter())
    checks.check(ends.total() == 8 * count, f"{ends.total()} requests of {8 * count} were sent")
    replays = replay_later(checks, bench)
    statuses = collections.Counter()
    for (_, status, code), number in ends.items():
        statuses[f"{status} {code}" if code else str(status)] += number
    kinds = len({name for name, _, _ in ends})
    host.hub.stop()
    return host, (
        f"{ends.total()} of {kinds} kinds: "
        + ", ".join(f"{number} {status}" for status, number in statuses.most_common())
        + f"; {bench.accepted} requests that came again were accepted once; {replays}")


def replay_later(checks, bench):
    """Requests that came are known after SIGKILL, and after the device paired again."""
    line, device = Line(bench.host), bench.device(0)
    sent = [device.request("GET", "/companion/projects") for _ in range(20)]
    for request in sent:
        status, answer = line.send(request)
        checks.check(status == 200, f"a good request is answered with {status}: {answer}")
    bench.host.hub.kill()
    bench.host.hub.start()
    judge_replays(checks, bench, sent, "after a kill")
    status, answer = bench.host.complete(*bench.host.open_code(), device.key.public)
    checks.check(status == 200, f"a device pairs again: {status}, {answer}")
    judge_replays(checks, bench, sent, "after pairing again")
    bench.host.operate("DELETE", f"/companion/devices/{device.id}")
    bench.host.complete(*bench.host.open_code(), device.key.public)
    judge_replays(checks, bench, sent, "after pairing again, once revoked")
    return f"{len(sent)} replayed after SIGKILL, and after pairing again"


def judge_replays(checks, bench, requests, when):
    line, ends = Line(bench.host), collections.Counter()
    for request in requests:
        status, answer = line.send(request)
        ends[status, answer.get("kind", told(answer))] += 1
    right = ends[401, "replayed"] + ends[401, "AuthExpired"]
    checks.check(right == len(requests), f"{when} replays are answered with {dict(ends)}")


CASES = signatures, changes
