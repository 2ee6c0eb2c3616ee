"""The clock of one hub is an hour fast or slow, which changes no expiry, limit or lease; see many-machines.sh."""

import shutil
import subprocess
import time
import uuid

from load import Steerer
from machines import LIMITS, hubs

SOURCE = hubs.ROOT / "Tests/Support/Clock/day.c"
# More than the controls that this part sends to its agents in a minute.
LIMIT = 25
# What an answer may take.
LATE = 120


def decide(machines, hub, gate, decision="approve"):
    body = {"decision": decision, "reason": "it is time to decide", "requestId": str(uuid.uuid4())}
    return hub.ask("POST", f"/v1/approval-gates/{gate}/decision", body)[:2]


def opened(checks, hub, seconds):
    """The id of a new gate; nothing if the hub does not open it."""
    status, gate, _ = hub.ask("POST", "/v1/approval-gates", {"summary": "Now?", "timeoutSeconds": seconds})
    checks.check(status == 201, f"{hub.host.name} opens a gate with {status}: {gate}")
    return gate.get("gateId")


def status_of(hub, gate):
    return hub.ask("GET", f"/v1/approval-gates/{gate}")[1].get("approvalGate", {}).get("status")


def tokens(checks, machines):
    """A code that was made on one machine, and a token that one hub issued, are valid at the other."""
    for hub in machines.hubs:
        status, answer = machines.register(issuer=hub, maker=machines.other(hub))
        if not checks.check(status == 201, f"{hub.host.name} registers a device with {status}: {answer}"):
            continue
        for place in machines.hubs:
            status, answer, _ = place.ask("GET", "/v1/overview")
            checks.check(
                status == 200, f"{place.host.name}: a token of {hub.host.name} is answered with {status}: {answer}")
    machines.register()


def gates(checks, machines):
    """A gate expires once its time is over, and not before, at whichever hub it was opened."""
    began = time.monotonic()
    found = [(hub, opened(checks, hub, 600), opened(checks, hub, 4)) for hub in machines.hubs]
    found = [gates for gates in found if all(gates)]
    # The hubs look for gates that have expired four times a second.
    time.sleep(1.5)
    for hub, long, short in found:
        seen = {place.host.name: (status_of(place, long), status_of(place, short)) for place in machines.hubs}
        if time.monotonic() - began < 4:
            checks.check(
                set(seen.values()) == {("pending", "pending")}, f"gates of {hub.host.name} are {seen} after 1.5 s")
    for hub, long, short in found:
        other = machines.other(hub)
        while time.monotonic() - began < 4 + LATE and status_of(other, short) != "expired":
            time.sleep(0.1)
        seen = {place.host.name: status_of(place, short) for place in machines.hubs}
        checks.check(set(seen.values()) == {"expired"}, f"a gate of {hub.host.name} for 4 s is {seen}")
        status, answer = decide(machines, other, long)
        checks.check(
            status == 200, f"a gate of {hub.host.name} is decided at {other.host.name} with {status}: {answer}")
        status, answer = decide(machines, hub, short)
        checks.check(status == 409, f"an expired gate of {hub.host.name} is decided with {status}: {answer}")


def leases(checks, machines):
    """An agent of either hub is alive at both, and is steered at the other."""
    # With shorter heartbeats, an agent on a slow machine seems lost.
    steerers = [
        Steerer(machines, f"clock-{uuid.uuid4().hex[:6]}-{hub.host.name}", hub, "5s") for hub in machines.hubs]
    for steerer in steerers:
        steerer.begin()
    # Longer than two heartbeats, and than the time between renewals of leases.
    time.sleep(11)
    for steerer in steerers:
        for hub in machines.hubs:
            agent = hub.ask("GET", f"/v1/agents/{steerer.name}")[1].get("agent", {})
            status = agent.get("status")
            checks.check(status == "running", f"{steerer.name} is {status} at {hub.host.name}")
        for action in ("pause", "resume") * 2:
            steerer.ask(action)
        steerer.finish()
        wrong = [entry for entry in steerer.requests.values() if entry[1] != "applied"]
        checks.check(not wrong, f"{steerer.name}: {wrong}")
    told = [event for event in machines.hubs[0].ask("GET", "/v1/events?last=10000")[1]["events"]
            if event["type"] == "alert" and event.get("agentId") in [steerer.name for steerer in steerers]]
    checks.check(not told, f"alerts about agents that are alive: {told[:2]}")


def limits(checks, machines):
    """Both hubs together allow so many decisions a minute."""
    machines.register()
    gate = opened(checks, machines.hubs[0], 600)
    statuses = [decide(machines, machines.hubs[number % 2], gate)[0] for number in range(LIMIT + 10)]
    checks.check(
        statuses == [200] + [409] * (LIMIT - 1) + [429] * 10, f"with a limit of {LIMIT}, decisions have {statuses}")
    machines.register()


def stamps(checks, machines, began):
    """Whatever is written has the time of the database."""
    now = int(machines.database.value("SELECT trunc(extract(epoch FROM clock_timestamp()) * 1000)"))
    for name, query in {
        "the audit": f"SELECT ts FROM audit WHERE sequence > {began[0]}",
        "the log": f"SELECT loggedAt FROM event WHERE sequence > {began[1]}",
    }.items():
        off = [int(line) - now for line in machines.database.value(query).splitlines()]
        wrong = [difference for difference in off if abs(difference) > 1_800_000]
        checks.check(off and not wrong, f"{name} has {len(wrong)} of {len(off)} entries at another time: {wrong[:2]}")


def last(machines):
    """The last numbers of the audit and of the log."""
    return [int(machines.database.value(f"SELECT coalesce(max(sequence), 0) FROM {table}"))
            for table in ("audit", "event")]


def run(checks, machines, hours):
    library = machines.folder / "clock.so"
    compiler = shutil.which("clang") or shutil.which("cc")
    if not compiler:
        print("  nothing was tried: there is no compiler")
        return
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"], check=True)
    for skew in hours:
        began = last(machines)
        # The limit is the configuration's, which a hub reads when it starts.
        set_clock(machines, library, skew, f"[limits]\ncontrols_per_minute = {LIMIT}\n")
        limits(checks, machines)
        tokens(checks, machines)
        gates(checks, machines)
        leases(checks, machines)
        stamps(checks, machines, began)
    set_clock(machines, library, 0, LIMITS)


def set_clock(machines, library, hours, configuration):
    """Starts both hubs with a configuration, the second one with another clock."""
    for hub in machines.hubs:
        hub.stop()
        hub.configure(configuration)
    machines.hubs[1].variables = {"LD_PRELOAD": str(library), "TEST_CLOCK_OFFSET": str(hours * 3600)}
    for hub in machines.hubs:
        hub.start()
