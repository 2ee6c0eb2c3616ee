#!/usr/bin/env python3
"""A stand-in of a coding agent: it writes session files as Claude Code, Codex or Gemini CLI do.

usage: agent_standin.py claude|codex|gemini SESSION FOLDER

The places are those of $HOME. The version is $STANDIN_VERSION, if it is set. With $STANDIN_CONTINUES, the parent of the
stand-in continues it whenever it stops, as tmux does. Each line of standard input is a command, which is answered by `done`:

    prompt               a person's prompt, whose text is 'the secret words'
    tool ID              a model call that calls a tool
    result ID [failed]   the result of the tool
    say ID               a model call that answers
    part TEXT            the beginning of a line
    status WORD [CAUSE]  the status in the registry, and the words for the cause of a wait (Claude Code)
    name NAME            the name of the session in the registry (Claude Code)
    session ID           another session in the registry (Claude Code)
    leave                the end of the entry in the registry (Claude Code)
    folder PATH          another working folder in the registry (Claude Code)
    hook NAME [file]     the hook of gate-decide with the message NAME.json; its answer goes into a pipe, or into
                         NAME.out. The exit status goes into NAME.status
    unread               the end of reading the answer of the hook
    exit                 an end without a trace
"""
import ctypes
import datetime
import fcntl
import json
import os
import signal
import subprocess
import sys

HOME = os.environ["HOME"]
SECRET = "the secret words"
PR_SET_NAME = 15


def now():
    instant = datetime.datetime.now(datetime.timezone.utc)
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def named(name):
    """Gives this process the name of an agent's program, which an interpreter runs."""
    ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode(), 0, 0, 0)


def opened(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return open(path, "a", encoding="utf-8")


class Claude:
    """Session files and the registry of Claude Code."""

    def __init__(self, session, folder):
        named("claude")
        self.version = os.environ.get("STANDIN_VERSION", "2.1.326")
        self.session, self.folder, self.status = session, folder, "busy"
        self.more = {}
        name = "".join(c if c.isalnum() else "-" for c in folder)
        self.file = opened(f"{HOME}/.claude/projects/{name}/{session}.jsonl")
        fields = open("/proc/self/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()
        self.start = fields[19]
        self.path = f"{HOME}/.claude/sessions/{os.getpid()}.json"
        self.register(session)

    def register(self, session):
        with opened(self.path + ".new") as file:
            file.write(json.dumps({
                "pid": os.getpid(), "procStart": self.start, "sessionId": session,
                "cwd": self.folder, "status": self.status, "version": self.version,
                "entrypoint": os.environ.get("STANDIN_ENTRYPOINT"), **self.more}))
        os.rename(self.path + ".new", self.path)

    def line(self, kind, **members):
        self.file.write(json.dumps({
            "type": kind, "timestamp": now(), "sessionId": self.session, "cwd": self.folder,
            "version": self.version, **members}) + "\n")

    def prompt(self):
        self.line("user", message={"role": "user", "content": SECRET})

    def tool(self, call):
        block = {"type": "tool_use", "id": "tool-" + call, "name": "Bash",
                 "input": {"command": SECRET}}
        usage = {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 1}
        # The counts of an answer grow from line to line.
        self.line("assistant", requestId="r-" + call, message={
            "id": call, "model": "m", "content": [{"type": "text", "text": SECRET}],
            "stop_reason": None, "usage": usage})
        self.line("assistant", requestId="r-" + call, message={
            "id": call, "model": "m", "content": [block], "stop_reason": None,
            "usage": {**usage, "output_tokens": 4}})

    def result(self, call, failed=""):
        block = {"type": "tool_result", "tool_use_id": "tool-" + call, "content": SECRET,
                 "is_error": bool(failed)}
        self.line("user", message={"role": "user", "content": [block]})

    def say(self, call):
        self.line("assistant", requestId="r-" + call, message={
            "id": call, "model": "m", "content": [{"type": "text", "text": SECRET}],
            "stop_reason": "end_turn", "usage": {"input_tokens": 20, "output_tokens": 6}})

    def set_status(self, word, *cause):
        self.status = word
        self.more["waitingFor"] = " ".join(cause) or None
        self.register(self.session)

    def name(self, word):
        self.more.update(name=word, nameSource="derived")
        self.register(self.session)

    def leave(self):
        os.unlink(self.path)

    def set_folder(self, path):
        self.folder = path
        self.register(self.session)

    def hook(self, name, *words):
        command = f"gate-decide hook --agent claude 2>{name}.err; echo $? >{name}.status"
        with open(f"{name}.json", "rb") as message:
            self.hooks = subprocess.Popen(
                ["sh", "-c", command], stdin=message,
                stdout=open(f"{name}.out", "wb") if words else subprocess.PIPE)

    def unread(self):
        self.hooks.stdout.close()


class Codex:
    """Session files and the locks of Codex."""

    def __init__(self, session, folder):
        named("codex")
        self.total = {"input_tokens": 0, "cached_input_tokens": 0, "output_tokens": 0}
        path = f"{HOME}/.codex/thread-writer-locks/{session}.lock"
        self.lock = opened(path)
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.file = opened(f"{HOME}/.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{session}.jsonl")
        with opened(f"{HOME}/.codex/session_index.jsonl") as index:
            index.write(json.dumps({"id": session, "thread_name": SECRET}) + "\n")
        self.line("session_meta", {"id": session, "cwd": folder, "cli_version": "0.154.0"})

    def line(self, kind, payload):
        self.file.write(json.dumps({"timestamp": now(), "type": kind, "payload": payload}) + "\n")

    def prompt(self):
        self.line("event_msg", {"type": "user_message", "message": SECRET})

    def tool(self, call):
        self.line("response_item", {"type": "function_call", "name": "shell", "arguments": "{}",
                                    "call_id": "tool-" + call})
        self.count(10, 4)

    def result(self, call, failed=""):
        output = json.dumps({"output": SECRET, "metadata": {"exit_code": 1 if failed else 0}})
        self.line("response_item", {"type": "function_call_output", "call_id": "tool-" + call,
                                    "output": output})

    def say(self, call):
        self.line("response_item", {"type": "message", "role": "assistant",
                                    "content": [{"type": "output_text", "text": SECRET}]})
        self.count(20, 6)
        self.line("event_msg", {"type": "task_complete"})

    def count(self, read, written):
        self.total["input_tokens"] += read
        self.total["output_tokens"] += written
        # Totals are repeated.
        for _ in range(2):
            self.line("event_msg", {"type": "token_count",
                                    "info": {"total_token_usage": self.total}})


class Gemini:
    """Session files of Gemini CLI."""

    def __init__(self, session, folder):
        named("gemini")
        base = f"{HOME}/.gemini/tmp/work"
        with opened(base + "/.project_root") as root:
            root.write(folder)
        self.file = opened(f"{base}/chats/session-2026-03-01T10-00-{session[:8]}.jsonl")
        self.write({"sessionId": session, "projectHash": "h", "startTime": now(), "kind": "main"})

    def write(self, members):
        self.file.write(json.dumps(members) + "\n")

    def prompt(self):
        self.write({"id": "p", "timestamp": now(), "type": "user", "content": [{"text": SECRET}]})

    def tool(self, call):
        self.answer(call, 10, 4)

    def result(self, call, failed=""):
        tool = {"id": "tool-" + call, "name": "shell", "args": {}, "result": [],
                "status": "error" if failed else "success"}
        self.answer(call, 10, 4, toolCalls=[tool])

    def say(self, call):
        self.answer(call, 20, 6)

    def answer(self, call, read, written, **members):
        self.write({"id": call, "timestamp": now(), "type": "gemini", "model": "m",
                    "content": SECRET, **members,
                    "tokens": {"input": read, "output": written, "cached": 0, "thoughts": 0,
                               "total": read + written}})


def continue_child():
    """Continues here as a child, which its parent continues whenever it is stopped."""
    child = os.fork()
    if child == 0:
        return
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            os._exit(0)
        os.kill(child, signal.SIGCONT)


def main():
    if os.environ.get("STANDIN_CONTINUES"):
        continue_child()
    kind, session, folder = sys.argv[1:4]
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    agent = {"claude": Claude, "codex": Codex, "gemini": Gemini}[kind](session, folder)
    agent.file.flush()
    print("done", flush=True)
    while line := sys.stdin.readline():
        verb, *words = line.split()
        if verb == "exit":
            os._exit(0)
        elif verb == "part":
            agent.file.write(line[5:].rstrip("\n"))
        elif verb == "status":
            agent.set_status(*words)
        elif verb == "session":
            agent.register(*words)
        elif verb == "folder":
            agent.set_folder(*words)
        else:
            getattr(agent, verb)(*words)
        agent.file.flush()
        print("done", flush=True)


main()
