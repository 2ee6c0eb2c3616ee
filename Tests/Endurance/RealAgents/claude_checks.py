"""Claude Code beside the tools."""
import json
import re

from checks import (compare, control, ended, expect, failed_turn, has_error, parts, pause, row_of, settled,
                    steered, truth, waits)
from model_servers import CUT, HOLD, fault, say, think, use
from programs import BIN, CLAUDE, Home, Place, Terminal, output, state_of, until

COLOURS = [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]
PLAYS = {
    "tools": [[think("First the notes."), say("I read the notes."), use("Read", file_path="notes.txt")],
              [use("Bash", command="echo made > made.txt", description="Make a file")],
              [use("Agent", description="Count", prompt="play:count the lines", run_in_background=False,
                   subagent_type="general-purpose")],
              [think("It is done."), say("All done.")]],
    "count": [[use("Read", file_path="notes.txt")], [say("There are three lines.")]],
    "again": [[say("Again.")]],
    "judged": [[use("Bash", command="python3 -c 'print(4711)'", description="Run")], [say("Judged.")]],
    "gated": [[use("Bash", command="touch gated.txt", description="Touch")], [say("It was gated.")]],
    "typed": [[use("Bash", command="touch typed.txt", description="Touch")], [say("It was typed.")]],
    "held": [[say("I wait."), HOLD, use("Bash", command="echo", description="Say nothing")],
             [say("It was held.")]],
    "question": [[use("AskUserQuestion", questions=[{
        "question": "Which colour?", "header": "Colour", "multiSelect": False, "options": COLOURS}])],
                 [say("A colour.")]],
    "wrong": [[fault(400, "invalid_request_error", "there is a wrong word in it")]],
    "full": [[fault(400, "invalid_request_error", "prompt is too long: 300000 tokens > 200000 maximum")]],
    "key": [[fault(401, "authentication_error", "invalid x-api-key")]],
    "busy": [([fault(529, "overloaded_error", "Overloaded")], [say("No longer busy.")])],
    "cut": [([CUT], [say("It was cut before a word.")])],
}


def telemetry(url, token, protocol="http/json"):
    return {"CLAUDE_CODE_ENABLE_TELEMETRY": "1", "OTEL_LOGS_EXPORTER": "otlp", "OTEL_METRICS_EXPORTER": "otlp",
            "OTEL_EXPORTER_OTLP_PROTOCOL": protocol, "OTEL_EXPORTER_OTLP_ENDPOINT": url,
            "OTEL_EXPORTER_OTLP_HEADERS": f"authorization=Bearer%20{token}"}


def under_run(home, *words, agent="run"):
    return home.start(f"{BIN}/agent-run", "--agent", agent, "--", CLAUDE, "-p", *words,
                      "--output-format", "stream-json", "--verbose")


def claude_print(report, models):
    """`claude -p` under agent-run with a hook and telemetry: the same sums from four sources."""
    home = Home("claude-print", models)
    place, hub, adopted = home.place, Place(home, "hub"), Place(home, "adopted")
    place.tool("gate-decide", "hook", "--setup", "claude", "--write")
    home.environment |= telemetry(*hub.serve())
    with report.check("claude-print/gate"):
        process = under_run(home, "play:tools")
        place.tool("gate-decide", "approve", place.gate())
        session = json.loads(output(process).splitlines()[-1])["session_id"]
        expect("made\n", (home.project / "made.txt").read_text())
    with report.check("claude-print/agent-run"):
        compare(place, models.counted())
    with report.check("claude-print/agent-record"):
        compare(hub, models.counted())
        found = hub.agent(f"claude-{session}")
        expect(list(truth(models.counted()).values()), [row_of(found["usage"], found["costUSD"])])
    with report.check("claude-print/agent-run-and-agent-adopt"):
        place.tool("agent-adopt")
        compare(place, models.counted())
    with report.check("claude-print/agent-run-resumed"):
        output(under_run(home, "play:again", "--resume", session))
        compare(place, models.counted())
    with report.check("claude-print/agent-run-auto-mode"):
        output(under_run(home, "play:judged", "--resume", session, "--permission-mode", "auto",
                         "--settings", '{"disableAllHooks":true}'))
        calls, asides = parts(models)
        expect(True, bool(asides))
        compare(place, calls, asides)
    with report.check("claude-print/agent-run-failed-turn"):
        output(under_run(home, "play:wrong", "--resume", session, agent="fails"))
        expect("error", place.agent("fails").get("status"))
    with report.check("claude-print/agent-adopt"):
        settled(adopted, f"claude-{session}")
        compare(adopted, calls, asides)
    with report.check("claude-print/chat-log"):
        adopted.tool("chat-log", "import", "--from-claude")
        compare(adopted, calls, tool="chat-log")
        has_error(adopted, "wrong word")
    with report.check("claude-print/telemetry"):
        compare(hub, calls, asides)
    with report.check("claude-print/telemetry-and-agent-adopt"):
        settled(hub, f"claude-{session}")
        compare(hub, calls, asides)
    hub.stop()


def open_session(home, has_shell=True):
    """A session in a terminal: the terminal, what the registry has of it, and its agent."""
    terminal = Terminal(home, CLAUDE, has_shell=has_shell)
    terminal.shows("manual mode on")
    files = until("an entry of the registry", lambda: list(home.path.glob(".claude/sessions/*.json")))
    entry = json.loads(files[0].read_text())
    return terminal, entry, f"claude-{entry['sessionId']}"


def claude_terminal(report, models):
    """An interactive session, with what a person sees and types."""
    home = Home("claude-terminal", models)
    place, hub = home.place, Place(home, "hub")
    home.environment |= telemetry(*hub.serve())
    place.tool("gate-decide", "hook", "--setup", "claude", "--write")
    place.start("agent-adopt", "--follow")
    terminal, entry, agent = open_session(home)
    with report.check("claude-terminal/gate"):
        terminal.play("gated")
        gate = place.gate()
        terminal.shows("Do you want to proceed?")
        with report.check("claude-terminal/waiting-for-permission"):
            waits(place, agent, "permission")
            place.tool("agent-stat", "wait", "--for", "permission", "--timeout", "60s")
        place.tool("gate-decide", "approve", gate)
        terminal.shows("It was gated.")
        expect(True, (home.project / "gated.txt").exists())
    with report.check("claude-terminal/terminal"):
        terminal.play("typed")
        gate = place.gate()
        terminal.shows("Do you want to proceed?")
        terminal.answer("Enter", "It was typed.")
        until("the gate is closed", lambda: not place.gates())
        late = place.call("gate-decide", "reject", gate, "--reason", "nobody wants this")
        expect((1, True), (late.returncode, "answered at the agent" in late.stderr))
    with report.check("claude-terminal/waiting-for-prompt"):
        waits(place, agent, "prompt")
    with report.check("claude-terminal/name"):
        until("the table shows the session's name or title", lambda: re.search(
            f"{entry['name']}|A title", place.call("agent-stat", "agents", "--text").stdout))
    with report.check("claude-terminal/question"):
        terminal.play("question")
        terminal.shows("Which colour?")
        with report.check("claude-terminal/waiting-for-question"):
            waits(place, agent, "question")
        terminal.answer("Enter", "A colour.")
    with report.check("claude-terminal/live"):
        expect((False, True), ("costUSD" in place.agent(agent), "knownCostUSD" in place.agent(agent)))
    terminal.play("held")
    until("an answer is held back", lambda: models.held)
    pause(report, "claude-terminal", place, agent, models, entry["pid"], terminal)
    with report.check("claude-terminal/typed-after-resume"):
        terminal.continues(entry["pid"], "It was held.")
        terminal.play("again")
    terminal.make_raw()
    with report.check("claude-terminal/failed-turn"):
        terminal.play("wrong")
        failed_turn(place, agent)
    with report.check("claude-terminal/end"):
        terminal.enter("/exit", lambda: state_of(entry["pid"]) is None)
        until("the session has ended", lambda: ended(place, agent))
    with report.check("claude-terminal/agent-adopt-resumed"):
        home.run(CLAUDE, "-p", "play:again", "--resume", entry["sessionId"])
        calls, asides = parts(models)
        until("the whole cost of all calls", lambda: any(
            (record["calls"], "costUSD" in record) == (len(calls), True)
            for record in place.tool("agent-stat", "usage", "--by", "session")))
        compare(place, calls, asides)
    with report.check("claude-terminal/chat-log"):
        place.tool("chat-log", "import", "--from-claude")
        compare(place, calls, tool="chat-log")
    with report.check("claude-terminal/telemetry"):
        compare(hub, [*calls, *asides])
    for one in (terminal, place, hub):
        one.stop()


def claude_pane(report, models):
    """A session that is the direct child of tmux, which continues it as soon as it is stopped."""
    home = Home("claude-pane", models)
    home.place.start("agent-adopt", "--follow")
    terminal, entry, agent = open_session(home, has_shell=False)
    with report.check("claude-pane/pause"):
        terminal.play("again")
        steered(home.place, agent)
        outcome, note = control(home.place, "pause", agent)
        if outcome == "applied":
            expect("T", state_of(entry["pid"]))
        else:
            expect(("refused", True), (outcome, "tmux" in note or note))
    terminal.stop()
    home.place.stop()
