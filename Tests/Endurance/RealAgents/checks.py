"""What the checks share: their lines, the sums, and what is looked at in both programs."""
import contextlib
import decimal
import json
import re
import threading
import time
import traceback

from programs import Failed, state_of, until


# What the tools cannot tell yet, and why.
OPEN = {
    "claude-print/telemetry": "no log record has the calls of auto mode's classifier, only the metrics",
    "claude-terminal/waiting-for-question": "the gate of a question is told as a permission",
}


class Report:
    """The outcomes of the checks, of which `only` names some: scenes, or checks of one."""

    def __init__(self, only):
        self.only, self.passed, self.failed, self.lock = set(only), 0, 0, threading.Lock()

    def wants(self, scene):
        return not self.only or scene in {name.split("/")[0] for name in self.only}

    def tell(self, name, problem=None):
        if self.only and not {name.split("/")[0], name.split(" ")[0]} & self.only:
            return
        with self.lock:
            if problem is not None and name in OPEN:
                print(f"open {name}: {OPEN[name]}", flush=True)
                return
            self.passed += problem is None
            self.failed += problem is not None
            print(f"ok {name}" if problem is None else f"FAILED {name}: {problem}", flush=True)

    @contextlib.contextmanager
    def check(self, name):
        try:
            yield
        except Failed as failure:
            self.tell(name, failure)
        except Exception:
            self.tell(name, traceback.format_exc())
        else:
            self.tell(name)


def expect(expected, came):
    if expected != came:
        raise Failed(f"expected {expected}, came {came}")


def plain(amount):
    return format(decimal.Decimal(amount).normalize(), "f")


def truth(calls):
    """The sums of each model: input, output, read from a cache, written to it, and dollars."""
    sums = {}
    for call in calls:
        counts = call.counts
        row = (sum(counts[:4]), counts.output, counts.read, counts.written + counts.hour, call.cost)
        sums[call.model] = tuple(map(sum, zip(sums.get(call.model, (0,) * 5), row)))
    return {model: (*row[:4], plain(row[4])) for model, row in sums.items()}


def row_of(usage, cost):
    names = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
    return *(usage[name] for name in names), plain(cost)


def told(place, tool="agent-stat"):
    """The sums that a tool tells of each model, and whether a part of the cost is unknown."""
    records = place.tool(tool, "usage", "--by", "model")
    sums = {record["key"]: row_of(record, record.get("costUSD", record.get("knownCostUSD", 0)))
            for record in records if record["key"] or record["inputTokens"]}
    return sums, any("costUSD" not in record for record in records), sum(record["calls"] for record in records)


def compare(place, calls, asides=(), unknown=False, tool="agent-stat"):
    """Compares the sums that a tool tells with those of the calls, to the last digit. Calls beside the conversation
    have sums, but no number."""
    wanted = truth([*calls, *asides]), unknown, len(calls)
    with contextlib.suppress(Failed):
        until("", lambda: told(place, tool) == wanted, 15)
    expect(wanted, told(place, tool))


def parts(models, session=None):
    """The calls of conversations, and those beside them."""
    calls = models.counted(session)
    return [call for call in calls if call.play], [call for call in calls if not call.play]


def ended(place, agent):
    return place.agent(agent).get("status") in ("finished", "error")


def settled(place, agent):
    """Reads the files until a session has ended and its whole cost is known."""
    until(f"{agent} has ended, with its whole cost", lambda: place.tool("agent-adopt") is None or
          ended(place, agent) and "costUSD" in place.agent(agent))


def waits(place, agent, reason):
    """Awaits that an agent waits for something."""
    def state():
        found = place.agent(agent)
        return found.get("status"), found.get("waitingFor")
    with contextlib.suppress(Failed):
        until("", lambda: state() == ("waiting", reason))
    expect(("waiting", reason), state())


def failed_turn(place, agent):
    until("an error", lambda: place.agent(agent).get("errors"))
    until("an incident", lambda: place.tool("agent-stat", "incidents"))


def has_error(place, text):
    """Looks for the error of a failed turn in the imported chats."""
    if not any(text in str(message.get("error")) for message in place.tool("chat-log", "export")):
        raise Failed(f"no message has an error with '{text}'")


def control(place, verb, agent):
    """The outcome of a control, and its note."""
    done = place.call("agent-control", verb, "agent", agent, "--reason", "the test looks")
    receipt = json.loads(done.stdout.splitlines()[0])
    return receipt.get("outcome"), receipt.get("note", "")


def steered(place, agent):
    until("the agent is steered", lambda: control(place, "resume", agent)[0] in ("applied", "refused"))


def pause(report, scene, place, agent, models, process, terminal=None):
    """Pauses an agent whose answer is held back: it calls no model until it is resumed."""
    with report.check(f"{scene}/steered-at-once"):
        until("the agent", lambda: place.agent(agent))
        expect("applied", control(place, "resume", agent)[0])
    steered(place, agent)
    with report.check(f"{scene}/pause"):
        expect("applied", control(place, "pause", agent)[0])
        calls = len(models.calls)
        models.released.release()
        # Nothing is awaited: what a slow machine does later is only not seen.
        time.sleep(1)
        expect(("T", calls), (state_of(process), len(models.calls)))
        until("it is paused", lambda: place.agent(agent)["status"] == "paused")
    with report.check(f"{scene}/resume"):
        outcome, note = control(place, "resume", agent)
        expect("applied", outcome)
        command = re.search("enter '(.*?)' in its terminal", note)
        if terminal:
            terminal.line(command[1] if command else "fg")
