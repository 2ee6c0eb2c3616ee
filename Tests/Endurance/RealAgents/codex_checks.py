"""Codex beside the tools."""
import json

from checks import compare, control, ended, expect, failed_turn, has_error, parts, pause, steered, told, truth, waits
from model_servers import CUT, HOLD, fault, say, think, use
from programs import BIN, CODEX, Home, Place, Terminal, output, until

PATCH = use("apply_patch", input="*** Begin Patch\n*** Update File: notes.txt\n@@\n-alpha\n+beta\n*** End Patch\n")
OUTSIDE = {"sandbox_permissions": "require_escalated", "justification": "May I write there?"}
PLAYS = {
    "tools": [[think("First the notes."), say("I read the notes."), use("exec_command", cmd="cat notes.txt")],
              [PATCH],
              [use("multi_agent_v1/spawn_agent", message="play:count the lines")],
              [use("multi_agent_v1/wait_agent", targets=["SUBAGENT"], timeout_ms=600000)],
              [think("It is done."), say("All done.")]],
    "count": [[use("exec_command", cmd="wc -l notes.txt")], [say("There are three lines.")]],
    "again": [[say("Again.")]],
    "gated": [[use("exec_command", cmd="touch gated.txt", **OUTSIDE)], [say("It was gated.")]],
    "typed": [[use("exec_command", cmd="touch typed.txt", **OUTSIDE)], [say("It was typed.")]],
    "held": [[say("I wait."), HOLD, use("exec_command", cmd="echo")], [say("It was held.")]],
    "patch": [[PATCH], [say("It is patched.")]],
    "wrong": [[fault(401, "invalid_api_key", "there is a wrong key in it")]],
    "limit": [[fault(429, "usage_limit_reached", "You have hit your usage limit.")]],
    "cut": [([say("The first half."), CUT], [say("It was cut after a word.")])],
}
EXEC = ("--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust")


def telemetry(home, url, token, exporter="otlp-http", protocol="json"):
    """Makes Codex send its telemetry."""
    with home.codex.open("a") as file:
        file.write(f'[otel.exporter.{exporter}]\nendpoint = "{url}"\n' +
                   (f'protocol = "{protocol}"\n' if protocol else "") +
                   f'headers = {{ authorization = "Bearer {token}" }}\n')


def under_run(home, *words, agent="run", **more):
    return home.start(f"{BIN}/agent-run", "--agent", agent, "--", CODEX, "exec", *words, **more)


def compare_thread(place, calls, subagents=()):
    """Compares what agent-run tells of a thread, without its model and its cost, and of subagents."""
    sums, unknown, _ = told(place)
    expect((truth(subagents) | {"": (*next(iter(truth(calls).values()))[:4], "0")}, True), (sums, unknown))


def codex_exec(report, models):
    """`codex exec` under agent-run with a hook and telemetry: the same sums from four sources."""
    home = Home("codex-exec", models)
    place, hub, adopted = home.place, Place(home, "hub"), Place(home, "adopted")
    place.configure('[hook]\nallow = ["*(*)"]\nask = ["apply_patch(*)"]\n')
    place.tool("gate-decide", "hook", "--setup", "codex", "--write")
    url, token = hub.serve()
    telemetry(home, f"{url}/v1/logs", token)
    with report.check("codex-exec/gate"):
        process = under_run(home, *EXEC, "play:tools")
        place.tool("gate-decide", "approve", place.gate())
        session = json.loads(output(process).splitlines()[0])["thread_id"]
        expect("beta", (home.project / "notes.txt").read_text().splitlines()[0])
    agent = f"codex-{session}"
    with report.check("codex-exec/agent-run"):
        compare_thread(place, models.counted(session))
    with report.check("codex-exec/agent-run-and-agent-adopt"):
        place.tool("agent-adopt")
        compare_thread(place, models.counted(session),
                       [call for call in models.counted() if call.session != session])
    with report.check("codex-exec/agent-run-resumed"):
        resumed = Place(home, "resumed")
        output(under_run(home, "resume", *EXEC, session, "play:again", AGENTPIPES_HOME=str(resumed.path)))
        compare_thread(resumed, [call for call in models.counted() if call.play == "again"])
    with report.check("codex-exec/agent-run-failed-turn"):
        output(under_run(home, "resume", *EXEC, session, "play:wrong", agent="fails"))
        expect("error", place.agent("fails").get("status"))
    calls = models.counted()
    with report.check("codex-exec/agent-adopt"):
        adopted.tool("agent-adopt")
        compare(adopted, calls)
        expect({f"codex-{call.session}" for call in calls},
               {found["id"] for found in adopted.tool("agent-stat", "agents")})
    with report.check("codex-exec/failed-turn"):
        failed_turn(adopted, agent)
    with report.check("codex-exec/ended"):
        until("a session whose lock nobody has is at its end",
              lambda: adopted.tool("agent-adopt") is None or ended(adopted, agent))
    with report.check("codex-exec/chat-log"):
        adopted.tool("chat-log", "import", "--from-codex")
        compare(adopted, calls, tool="chat-log")
    with report.check("codex-exec/chat-log-failed-turn"):
        has_error(adopted, "wrong key")
    with report.check("codex-exec/telemetry"):
        compare(hub, calls)
    with report.check("codex-exec/telemetry-and-agent-adopt"):
        hub.tool("agent-adopt")
        compare(hub, calls)
    hub.stop()
    place.start("agent-adopt", "--follow")
    process = home.start(CODEX, "exec", *EXEC, "play:held")
    agent = f"codex-{json.loads(process.stdout.readline())['thread_id']}"
    until("an answer is held back", lambda: models.held)
    pause(report, "codex-exec", place, agent, models, process.pid)
    with report.check("codex-exec/end"):
        output(process)
        expect(2, [call.play for call in models.counted()].count("held"))
        until("the session has ended", lambda: ended(place, agent))
    place.stop()


def codex_terminal(report, models):
    """An interactive session, whose thread a daemon of Codex has."""
    home = Home("codex-terminal", models)
    place, hub = home.place, Place(home, "hub")
    url, token = hub.serve()
    telemetry(home, f"{url}/v1/logs", token)
    place.tool("gate-decide", "hook", "--setup", "codex", "--write")
    place.start("agent-adopt", "--follow")
    terminal = Terminal(home, CODEX)
    terminal.shows("Hooks need review")
    terminal.answer("2", "› 2. Trust all and continue")
    terminal.answer("Enter", "Ask Codex to do anything")
    with report.check("codex-terminal/gate"):
        terminal.play("gated")
        session = next(call.session for call in models.calls if call.play)
        agent, gate = f"codex-{session}", place.gate()
        with report.check("codex-terminal/waiting-for-permission"):
            waits(place, agent, "permission")
        place.tool("gate-decide", "approve", gate)
        with report.check("codex-terminal/one-gate"):
            until("the call goes on", lambda: place.gates() or "It was gated." in terminal.screen())
            expect([], [gate["summary"] for gate in place.gates()])
        for gate in place.gates():
            place.tool("gate-decide", "approve", gate["gateId"])
        terminal.shows("It was gated.")
    with report.check("codex-terminal/waiting-for-prompt"):
        waits(place, agent, "prompt")
    # What follows is decided at the terminal.
    (home.path / ".codex/hooks.json").unlink()
    codex_resumed(report, place, models, terminal, session)
    calls, asides = parts(models)
    with report.check("codex-terminal/agent-adopt"):
        compare(place, calls, unknown=bool(asides))
    with report.check("codex-terminal/chat-log"):
        place.tool("chat-log", "import", "--from-codex")
        compare(place, calls, tool="chat-log")
    with report.check("codex-terminal/telemetry"):
        compare(hub, [*calls, *asides])
    for one in (terminal, place, hub):
        one.stop()


def codex_resumed(report, place, models, terminal, session):
    """Leaves the session, and takes it up again in the same terminal."""
    agent = f"codex-{session}"
    with report.check("codex-terminal/end"):
        terminal.enter("/quit", lambda: "codex resume" in terminal.screen())
        until("the session has ended", lambda: ended(place, agent))
    with report.check("codex-terminal/terminal"):
        terminal.line(f"clear; {CODEX} resume {session}")
        terminal.shows("Ask Codex to do anything")
        terminal.play("typed")
        terminal.shows("Would you like")
        terminal.answer("y", "It was typed.")
    with report.check("codex-terminal/pause"):
        terminal.play("held")
        until("an answer is held back", lambda: models.held)
        steered(place, agent)
        outcome, note = control(place, "pause", agent)
        if outcome == "applied":
            until("it is paused", lambda: place.agent(agent)["status"] == "paused")
        else:
            expect(("refused", True), (outcome, "daemon" in note or note))
    models.released.release()
    with report.check("codex-terminal/resume"):
        control(place, "resume", agent)
        terminal.shows("It was held.")
    with report.check("codex-terminal/failed-turn"):
        terminal.play("wrong")
        failed_turn(place, agent)
    with report.check("codex-terminal/end-resumed"):
        terminal.enter("/quit", lambda: "codex resume" in terminal.screen())
        until("the session has ended", lambda: ended(place, agent))
