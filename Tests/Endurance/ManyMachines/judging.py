"""What must be so after any failure: nothing acknowledged is lost, nothing is there twice, each request acted once."""

import collections
import time

from load import number


def judge_order(checks, name, ids):
    """Ids are those of one log, and rise without a hole."""
    checks.check(len({event.rsplit("-", 1)[0] for event in ids}) <= 1, f"{name}: there are several epochs")
    numbers = [number(event) for event in ids]
    wrong = [(numbers[at - 1], numbers[at]) for at in range(1, len(numbers)) if numbers[at] != numbers[at - 1] + 1]
    checks.check(not wrong, f"{name}: {len(wrong)} holes or repetitions, the first between {wrong[:1]}")


def judge_senders(checks, name, events, senders):
    """Each batch that was acknowledged is there once, whole, in the order in which it was sent."""
    found = collections.defaultdict(list)
    for event in events:
        if "srcId" in event:
            found[event.get("agentId")].append((event["srcId"].rsplit("/", 1)[-1], event["id"]))
    for sender in senders:
        there, at = found[sender.name], 0
        for batch, last in enumerate(sender.acknowledged):
            size = int(there[at][0].rsplit("-", 1)[1]) if at < len(there) else 0
            wanted = [f"{sender.name}-{batch}-{line}-{size}" for line in range(size)]
            part = there[at:at + size]
            if not checks.check(
                    size and [source for source, _ in part] == wanted and part[-1][1] == last,
                    f"{name}: {sender.name}: the acknowledged batch {batch} with the last id {last} is not in its"
                    f" place: {part[:2]} … {part[-1:]}"):
                break
            at += size
        checks.check(
            at == len(there), f"{name}: {sender.name}: {len(there) - at} events too many: {there[at:at + 2]}")
        for wrong in sender.wrong:
            checks.check(False, f"{sender.name}: {wrong}")


def judge_steerer(checks, events, steerer, database):
    """No control acted twice, all that acted is told once, and all lines of the agent are there in order."""
    for wrong in steerer.wrong:
        checks.check(False, f"{steerer.name}: {wrong}")
    outcomes = collections.Counter(outcome for _, outcome in steerer.requests.values())
    odd = [entry for entry in outcomes if entry not in ("applied", "refused", "unreachable")]
    checks.check(not odd, f"{steerer.name}: outcomes {odd} of {outcomes}")
    lines = [event["message"] for event in events
             if event["type"] == "log" and event.get("agentId") == steerer.name]
    wanted = [str(line) for line in range(1, steerer.printed + 1)]
    checks.check(lines == wanted, f"{steerer.name}: {difference(lines, wanted)}")
    told = collections.Counter(
        (event["requestId"], event["outcome"]) for event in events
        if event["type"] == "control" and event.get("requestId") in steerer.requests)
    twice = [key for key, count in told.items() if count > 1]
    checks.check(not twice, f"{steerer.name}: told more than once: {twice[:3]}")
    possible = possible_resumes(steerer.requests.values())
    checks.check(
        steerer.resumes in possible,
        f"{steerer.name}: it was resumed {steerer.resumes} times, not {sorted(possible)}: {outcomes}")
    acted = database.value(
        "SELECT requestId, count(*) FROM audit WHERE replayed = 0 AND outcome = 'applied' AND id ="
        f" '{steerer.name}' GROUP BY requestId HAVING count(*) > 1")
    checks.check(not acted, f"{steerer.name}: twice in the audit: {acted}")
    return outcomes


def possible_resumes(requests):
    """How often a command can have been resumed, if each control acted at most once.

    A command that is not paused is not resumed. An agent that was cut off may have obeyed, and could not say so: the
    control is then `unreachable`.
    """
    states = {(False, 0)}
    for action, outcome in requests:
        obeyed = {(action == "pause", count + (is_paused and action == "resume")) for is_paused, count in states}
        if outcome == "applied":
            states = obeyed
        elif outcome == "unreachable":
            states |= obeyed
    return {count for _, count in states}


def judge_gates(checks, events):
    """Each state of a gate is told once."""
    told = collections.Counter(
        (event["gateId"], event["status"]) for event in events if event["type"] == "approvalGate")
    twice = [key for key, count in told.items() if count > 1]
    checks.check(not twice, f"{len(twice)} states of gates are told more than once: {twice[:3]}")


def judge_decisions(checks, deciders, database):
    """Each gate has one winner, and each answer agrees with it."""
    rows = database.value("SELECT gateId, requestId, isWinner FROM decision ORDER BY sequence").splitlines()
    winners = collections.defaultdict(list)
    for gate, request, is_winner in (row.split("|") for row in rows):
        if is_winner == "1":
            winners[gate].append(request)
    for decider in deciders:
        for wrong in decider.wrong:
            checks.check(False, f"a gate is answered with {wrong}")
        for gate, answers in decider.decided.items():
            checks.check(len(winners[gate]) == 1, f"{gate} was decided by {winners[gate]}")
            for body, status, answer, asked in answers:
                told = answer if status == 200 else answer.get("receipt", {}) if status == 409 else {}
                is_winner = body["requestId"] in winners[gate]
                checks.check(
                    told.get("requestId") in winners[gate] and (status == 200) == is_winner,
                    f"{gate}: {body} is answered with {status} at {asked}: {answer}, but {winners[gate]} won")


def judge_subscriber(checks, subscriber):
    """No event came twice, and none is missing, but for one gap."""
    for wrong in subscriber.wrong:
        checks.check(False, f"the subscriber: {wrong}")
    checks.check(not subscriber.gaps, f"the subscriber is told of gaps: {subscriber.gaps[:3]}")
    judge_order(checks, "the subscriber", subscriber.ids)


def judge_usage(checks, machines, senders):
    """Each call of a model was counted once, at both hubs."""
    calls, model = sum(len(sender.acknowledged) for sender in senders), senders[0].model
    for hub in machines.hubs:
        usage, limit = {}, time.monotonic() + 300
        while usage.get(model, 0) < calls and time.monotonic() < limit:
            usage = {entry["key"]: entry["calls"] for entry in hub.ask("GET", "/v1/usage?by=model")[1]["usage"]}
            time.sleep(0.05)
        checks.check(usage.get(model, 0) == calls, f"{hub.host.name}: {calls} calls are counted as {usage}")


def difference(got, wanted):
    at = next((at for at, pair in enumerate(zip(got, wanted)) if pair[0] != pair[1]), min(len(got), len(wanted)))
    return f"{len(got)} of {len(wanted)}, different from the place {at}: {got[at:at + 3]}, not {wanted[at:at + 3]}"
