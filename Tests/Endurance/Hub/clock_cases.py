"""Signatures at a hub whose clock goes forward and back."""

import random
import subprocess

from companion import Host, told
from signature_cases import Line
from signer import Signer
import hub as hubs


class Clock:
    """The clock of a hub, which is killed each time it is set."""

    def __init__(self, host):
        self.host, self.offset = host, 0
        self.library = host.scratch.path / "clock.so"
        subprocess.run(
            ["clang", "-shared", "-fPIC", "-O1", "-o", self.library,
             hubs.ROOT / "Tests/Support/Clock/day.c", "-ldl"], check=True)

    def set(self, offset):
        """Kills the hub, and starts it with a clock that is so many seconds ahead of ours."""
        self.offset = offset
        self.host.hub.kill()
        self.host.scratch.environment |= {
            "LD_PRELOAD": str(self.library), "TEST_CLOCK_OFFSET": str(offset)}
        self.host.hub.start()

    def request(self, device, age=0):
        """Returns a request that was signed so many seconds before the hub's present."""
        return device.request("GET", "/companion/projects", age=age - self.offset)


def clocks(checks, sizes):
    """A signature is good once, though the hub is killed and its clock goes forward and back."""
    host = Host()
    clock, device, line = Clock(host), Signer(host), Line(host)
    past = clock.request(device)
    judge_accepted(checks, line, past, "at first")
    # Nonces of eleven minutes ago are forgotten with the next request.
    clock.set(1000)
    judge_accepted(checks, line, clock.request(device), "with the clock forward")
    clock.set(0)
    judge_again(checks, line, past, "with the clock back", {"clockWentBack"})
    # A request that is newer than the forgotten ones.
    judge_accepted(checks, line, clock.request(device, age=-5), "with the clock back")
    host.complete(*host.open_code(), device.key.public)
    judge_again(checks, line, past, "after pairing again", {"clockWentBack"})
    host.operate("DELETE", f"/companion/devices/{device.id}")
    host.complete(*host.open_code(), device.key.public)
    judge_again(checks, line, past, "after pairing again, once revoked", {"clockWentBack"})
    figures = wander(checks, sizes, clock, device, line)
    host.hub.stop()
    return host, figures


def wander(checks, sizes, clock, device, line):
    """Sets the clock at random, and sends accepted requests again. Returns the figures."""
    sent, accepted, newest, replayed = [], 0, 2000, 0
    for number in range(sizes.clocks):
        # Every third time the clock goes past all that was signed, where requests are accepted.
        back = random.choice([random.randint(-3000, newest), random.randint(0, 600)])
        clock.set(back if number % 3 else newest + 300)
        for _ in range(5):
            age = random.randint(-250, 250)
            request, created = clock.request(device, age), clock.offset - age
            status, answer = line.send(request)
            checks.check(
                status == 200 or created <= newest,
                f"a request that is newer than all is answered with {status}: {answer}")
            if status == 200:
                sent.append(request)
                newest, accepted = max(newest, created), accepted + 1
            judge_again(checks, line, request, f"at {clock.offset} s, made {age} s before")
        for request in random.sample(sent, min(40, len(sent))):
            judge_again(checks, line, request, f"at {clock.offset} s")
            replayed += 1
    checks.check(accepted > sizes.clocks, f"{accepted} requests were accepted")
    return f"{sizes.clocks} times set, {accepted} requests accepted once, {replayed} sent again"


def judge_accepted(checks, line, request, when):
    """Checks that a request is accepted."""
    status, answer = line.send(request)
    checks.check(status == 200, f"{when} a request is answered with {status}: {answer}")


REASONS = frozenset(("replayed", "clockWentBack", "ClockSkew"))


def judge_again(checks, line, request, when, reasons=REASONS):
    """Checks that a request that was accepted before is refused."""
    status, answer = line.send(request)
    reason = answer.get("kind", told(answer))
    checks.check(
        status == 401 and reason in reasons,
        f"{when} a request that came before is answered with {status}: {answer}")


CASES = (clocks,)
