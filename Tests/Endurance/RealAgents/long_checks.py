"""What only the long form does: faults, compaction, kills, many sessions at once, protocols of telemetry."""
import json
import signal

import codex_checks
from checks import compare, ended, expect, failed_turn, has_error, parts, row_of, settled, told, truth
from claude_checks import open_session, telemetry
from programs import CLAUDE, CODEX, LIMIT, Home, output, state_of, until


def claude_faults(report, models):
    """Faults of the model in one conversation: each call that was counted is told, and each turn that failed."""
    home = Home("claude-faults", models)
    place, more = home.place, []
    for play in ("cut", "busy", "key", "full"):
        with report.check(f"claude-faults/{play}"):
            lines = home.run(CLAUDE, "-p", f"play:{play}", *more, "--output-format", "json")
            more = ["--resume", json.loads(lines)["session_id"]]
            agent = f"claude-{more[1]}"
            settled(place, agent)
            expect((truth(models.counted()), False), told(place)[:2])
        if play in ("key", "full"):
            with report.check(f"claude-faults/{play}-error"):
                failed_turn(place, agent)
                expect([], [incident["summary"] for incident in place.tool("agent-stat", "incidents")
                            if "ServerError" in incident["summary"]])
    with report.check("claude-faults/retries"):
        events = json.dumps(place.tool("stream-tail", "--last", "1000"), default=str)
        expect((True, True), ("529" in events, "401" in events))


def codex_faults(report, models):
    """Faults of the model: the rest of a conversation is told, and each turn that failed."""
    home = Home("codex-faults", models)
    for play in ("cut", "limit"):
        home.run(CODEX, "exec", *codex_checks.EXEC, f"play:{play}")
    home.place.tool("agent-adopt")
    with report.check("codex-faults/sums"):
        compare(home.place, models.counted())
    with report.check("codex-faults/failed-turn"):
        failed_turn(home.place, f"codex-{models.calls[-1].session}")
    with report.check("codex-faults/chat-log"):
        home.place.tool("chat-log", "import", "--from-codex")
        has_error(home.place, "usage limit")


def claude_compaction(report, models):
    """A compaction, whose calls are beside the conversation, and a fork of the session."""
    home = Home("claude-compaction", models)
    place = home.place
    terminal, entry, agent = open_session(home)
    terminal.play("again")
    terminal.shows("Again.")
    begin = len(models.calls)
    terminal.enter("/compact", lambda: models.counted(begin=begin))
    terminal.shows("ompacted")
    terminal.play("judged")
    terminal.answer("Enter", "Judged.")
    terminal.enter("/exit", lambda: state_of(entry["pid"]) is None)
    terminal.stop()
    with report.check("claude-compaction/agent-adopt"):
        settled(place, agent)
        compare(place, *parts(models))
    with report.check("claude-compaction/fork"):
        home.run(CLAUDE, "-p", "play:again", "--resume", entry["sessionId"], "--fork-session")
        settled(place, f"claude-{models.calls[-1].session}")
        compare(place, *parts(models))
    with report.check("claude-compaction/chat-log"):
        place.tool("chat-log", "import", "--from-claude")
        compare(place, parts(models)[0], tool="chat-log")


def kills(report, models, program, words):
    """Kills a program while its answer is held back, and while its hook waits for a gate."""
    home = Home(f"{program}-kills", models)
    place = home.place
    place.tool("gate-decide", "hook", "--setup", program, "--write")
    place.start("agent-adopt", "--follow")
    for play in ("held", "gated"):
        with report.check(f"{program}-kills/{play}"):
            process = home.start(*words, f"play:{play}")
            if play == "held":
                until("an answer is held back", lambda: models.held)
            else:
                gate = place.gate()
            agent = f"{program}-{models.calls[-1].session}"
            until("the agent", lambda: place.agent(agent))
            process.send_signal(signal.SIGKILL)
            process.wait()
            models.released.release()
            until("the session has ended", lambda: ended(place, agent))
            if play == "gated":
                until("the gate is closed", lambda: not place.gates())
                expect(1, place.call("gate-decide", "approve", gate).returncode)
    with report.check(f"{program}-kills/sums"):
        compare(place, [call for call in models.counted() if call.play != "held"], unknown=program == "claude")
    place.stop()


def claude_kills(report, models):
    kills(report, models, "claude", [CLAUDE, "-p"])


def codex_kills(report, models):
    kills(report, models, "codex", [CODEX, "exec", *codex_checks.EXEC])


def many(report, models, program, words):
    """Twenty sessions in one folder at once, which agent-adopt follows."""
    home = Home(f"{program}-many", models)
    home.place.start("agent-adopt", "--follow")
    for process in [home.start(*words) for _ in range(20)]:
        output(process, 10 * LIMIT)
    sessions = {call.session for call in models.calls}
    with report.check(f"{program}-many/ended"):
        until("all have ended", lambda: [True] * len(sessions) == [
            ended(home.place, f"{program}-{session}") for session in sessions])
    with report.check(f"{program}-many/sums"):
        agents = {agent["id"]: agent for agent in home.place.tool("agent-stat", "agents")}
        for session in sessions:
            agent = agents[f"{program}-{session}"]
            expect(list(truth(models.counted(session)).values()), [row_of(agent["usage"], agent["costUSD"])])
    home.place.stop()


def claude_many(report, models):
    many(report, models, "claude", [CLAUDE, "-p", "play:tools", "--allowedTools", "Bash"])


def codex_many(report, models):
    many(report, models, "codex", [CODEX, "exec", *codex_checks.EXEC, "play:tools"])


def protocols(report, models):
    """Each protocol of telemetry, with which both programs send the same."""
    for name, codex in (("http/json", "json"), ("http/protobuf", "binary"), ("grpc", None)):
        for program in ("claude", "codex"):
            scene = f"protocols/{program}-{name.replace('/', '-')}"
            with report.check(scene):
                home = Home(scene.replace("/", "-"), models)
                url, token = home.place.serve(has_grpc=codex is None)
                begin = len(models.calls)
                if program == "claude":
                    home.run(CLAUDE, "-p", "play:tools", "--allowedTools", "Bash", **telemetry(url, token, name))
                else:
                    codex_checks.telemetry(home, f"{url}/v1/logs" if codex else url, token,
                                           "otlp-http" if codex else "otlp-grpc", codex)
                    home.run(CODEX, "exec", *codex_checks.EXEC, "play:patch")
                compare(home.place, models.counted(begin=begin))
            home.place.stop()
