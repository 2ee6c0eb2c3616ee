"""Links are cut one way and both ways, and the database is stopped, killed and failed over; see many-machines.sh."""

import random
import signal
import time

from kill_cases import Load
from machines import LOST

# After this time, a hub serves again: it has noticed that its connections are lost, and has new ones.
HEALED = 120


def cuts(machines):
    """The ways to cut a hub off, each with a name."""
    network, database = machines.network, machines.network.hosts[2]
    return [
        ("nothing reaches the database", lambda hub: network.lose(hub.host, database)),
        ("nothing comes from the database", lambda hub: network.lose(database, hub.host)),
        ("its link is down", lambda hub: network.unplug(hub.host)),
        ("nothing comes from its clients", lambda hub: network.lose(machines.clients, hub.host)),
        ("its process is stopped", freeze),
    ]


def freeze(hub):
    """Stops a hub in its tracks, as a machine that is suspended. Gives what lets it go on."""
    hub.process.send_signal(signal.SIGSTOP)
    return lambda: hub.process.send_signal(signal.SIGCONT)


def await_service(checks, machines, what):
    """Both hubs take events, decide, and are healthy, without a restart."""
    for hub in machines.hubs:
        began, told = time.monotonic(), None
        while time.monotonic() - began < HEALED:
            told = served(hub)
            if told == [200, 201, 200]:
                break
            time.sleep(0.1)
        checks.check(told == [200, 201, 200], f"{hub.host.name} does not serve after {what}: {told}")


def served(hub):
    """How a hub answers to an event, to a gate, and to the question for its health."""
    event = '{"type":"log","ts":1,"agentId":"after","level":"info","message":"it serves"}'
    told = []
    for method, path, body in (
            ("POST", "/v1/events", event), ("POST", "/v1/approval-gates", {"summary": "Again?"}),
            ("GET", "/health", None)):
        try:
            told.append(hub.ask(method, path, body)[0])
        except LOST as error:
            told.append(type(error).__name__)
    return told


def judge_unavailable(checks, machines, what):
    """Without the database, both hubs answer 503 with a time, and their health names the storage."""
    for hub in machines.hubs:
        told = []
        for method, path, body in (
                ("POST", "/v1/events", '{"type":"log","ts":1,"agentId":"a","level":"info","message":"m"}'),
                ("POST", "/v1/approval-gates", {"summary": "Now?"}),
                ("POST", "/v1/agents/nobody/control", {"action": "pause", "reason": "to see", "requestId": what}),
                ("GET", "/v1/events", None)):
            status, answer, fields = hub.ask(method, path, body)
            told.append((method, path, status, fields.get("Retry-After"), answer))
        wrong = [entry for entry in told if entry[2] != 503 or not (entry[3] or "").isdigit()]
        checks.check(not wrong, f"{hub.host.name}: {what}: {wrong}")
        # The connection that notices the loss may not have noticed it yet.
        end = time.monotonic() + HEALED
        status, answer, _ = hub.ask("GET", "/health")
        while status != 503 and time.monotonic() < end:
            time.sleep(0.1)
            status, answer, _ = hub.ask("GET", "/health")
        checks.check(
            status == 503 and answer.get("code") == "StorageFailed",
            f"{hub.host.name}: {what}: /health has {status}: {answer}")


def cut_links(checks, machines, count):
    """Cuts links at random, some shorter than the time limit of a statement and some longer."""
    ways = cuts(machines)
    for number in range(count):
        name, cut = ways[number] if number < len(ways) else random.choice(ways)
        hub = machines.any()
        heal = cut(hub)
        # The first cuts are short, so that the short form is; the longest exceed the time limits and leases.
        time.sleep(random.choice((1, 3, 6, 12, 20, 40)) if number >= len(ways) else random.uniform(1, 2))
        heal()
        await_service(checks, machines, f"{hub.host.name}: {name}")
        time.sleep(random.uniform(0, 1))


def stop_database(checks, machines, how):
    """Ends the server for a while."""
    name = {signal.SIGINT: "stopped", signal.SIGQUIT: "killed"}[how]
    server = machines.database.primary
    server.stop(how)
    judge_unavailable(checks, machines, f"the database is {name}")
    time.sleep(random.uniform(0, 1))
    server.start()
    await_service(checks, machines, f"the database was {name}")


def end_sessions(checks, machines, seconds):
    """Ends sessions of the hubs at random, some of them in the middle of a commit."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        machines.database.value(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'hub' ORDER BY random()"
            f" LIMIT {random.choice((1, 1, 1, 4))}")
        time.sleep(random.uniform(0.02, 0.4))
    await_service(checks, machines, "sessions ended")


def fail_over(checks, machines):
    """The standby takes over, as soon as the primary is gone."""
    database = machines.database
    database.add_standby()
    time.sleep(random.uniform(0.3, 1))
    database.fail_over()
    await_service(checks, machines, "a standby took over")


def run(checks, machines, options):
    machines.register()
    load = Load(machines, "cut")
    processes = [hub.process.pid for hub in machines.hubs]
    time.sleep(1)
    cut_links(checks, machines, options.cuts)
    for _ in range(options.failures):
        stop_database(checks, machines, signal.SIGINT)
        stop_database(checks, machines, signal.SIGQUIT)
        fail_over(checks, machines)
        end_sessions(checks, machines, 3)
        time.sleep(random.uniform(0.2, 0.5))
    for hub, process in zip(machines.hubs, processes):
        checks.check(
            hub.process.pid == process and hub.process.poll() is None, f"{hub.host.name} ended: {hub.process.poll()}")
    load.tell(load.judge(checks))
    untimed = [entry for sender in load.senders for entry in sender.unavailable if not (entry[1] or "").isdigit()]
    checks.check(not untimed, f"{len(untimed)} answers have no time: {untimed[:2]}")
