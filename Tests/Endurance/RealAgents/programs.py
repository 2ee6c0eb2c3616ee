"""The programs and the tools in homes of the test's own, and the terminals that they run in."""
import contextlib
import decimal
import json
import os
import pathlib
import re
import subprocess
import time

BIN, CLAUDE, CODEX = (os.environ[name] for name in ("AGENTPIPES_BIN", "REAL_CLAUDE", "REAL_CODEX"))
# What never comes costs so many seconds, and a slow machine needs some of them.
LIMIT = float(os.environ.get("REAL_LIMIT", 240))
KEY = "sk-ant-made-up-by-the-test-0000000000"
SETTINGS_OF_CODEX = """
model = "gpt-5.5"
model_provider = "test"
check_for_update_on_startup = false
[model_providers.test]
name = "test"
base_url = "{url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 1
[projects."{project}"]
trust_level = "trusted"
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
"""


class Failed(Exception):
    """What a check expected did not come."""


def until(what, look, limit=LIMIT):
    """What `look` gives as soon as that is true."""
    end = time.monotonic() + limit
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise Failed(f"never: {what}")
        time.sleep(0.1)


def output(process, limit=2 * LIMIT):
    """What a process wrote on standard output, when it has ended."""
    try:
        return process.communicate(timeout=limit)[0]
    except subprocess.TimeoutExpired as error:
        process.kill()
        raise Failed(f"never ended: {process.args}") from error


def state_of(process):
    """The state of a process by proc(5): T for a stopped one, none without one."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1][0]


class Home:
    """A home with a project, the settings of both programs, and a place for the tools."""

    def __init__(self, name, models):
        self.path, self.models = pathlib.Path(os.environ["REAL_SCRATCH"]) / name, models
        self.project, self.codex = self.path / "project", self.path / ".codex/config.toml"
        for folder in ("project", "tmp", ".claude", ".codex"):
            (self.path / folder).mkdir(parents=True)
        (self.project / "notes.txt").write_text("alpha\nline two\nline three\n")
        self.environment = {
            "HOME": str(self.path), "PATH": f"{BIN}:/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8",
            "TERM": "xterm-256color", "TZ": "UTC", "SHELL": "/bin/bash", "TMPDIR": str(self.path / "tmp"),
            "ANTHROPIC_BASE_URL": models.url, "ANTHROPIC_API_KEY": KEY, "OPENAI_API_KEY": KEY,
            "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_MAX_RETRIES": "2",
            "AGENTPIPES_HOME": str(self.path / "tools")}
        self.place = Place(self, "tools")
        (self.path / ".claude.json").write_text(json.dumps({
            "hasCompletedOnboarding": True, "hasSeenAutoDefaultNudge": True, "theme": "dark",
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {str(self.project): {"hasTrustDialogAccepted": True}}}))
        (self.path / ".claude/settings.json").write_text('{"permissions":{"defaultMode":"default"}}')
        self.codex.write_text(SETTINGS_OF_CODEX.format(url=models.url, project=self.project))

    def start(self, *words, **more):
        """Starts a program, which gets nothing of the environment but what the test gives."""
        return subprocess.Popen(words, cwd=self.project, env=self.environment | more, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *words, **more):
        return output(self.start(*words, **more))


class Place:
    """A folder of the tools: the log, the store and the state."""

    def __init__(self, home, name):
        self.home, self.path, self.started = home, home.path / name, []
        (self.path / "config").mkdir(parents=True)
        self.configure("[limits]\ncontrols_per_minute = 100000\n")
        self.options = {"cwd": home.project, "stdin": subprocess.DEVNULL,
                        "env": home.environment | {"AGENTPIPES_HOME": str(self.path)}}

    def configure(self, text):
        with (self.path / "config/config.toml").open("a") as file:
            file.write(text)

    def call(self, *words):
        """What a tool did."""
        return subprocess.run([f"{BIN}/{words[0]}", *words[1:]], capture_output=True, text=True,
                              timeout=2 * LIMIT, check=False, **self.options)

    def tool(self, *words):
        """The records that a tool writes."""
        done = self.call(*words)
        if done.returncode != 0:
            raise Failed(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return [json.loads(line, parse_float=decimal.Decimal) for line in done.stdout.splitlines()]

    def start(self, *words):
        """Starts a tool that stays. Gives the file of its standard error."""
        path = self.path / f"{words[0]}.said"
        with path.open("w") as said:
            self.started.append(subprocess.Popen([f"{BIN}/{words[0]}", *words[1:]], stderr=said,
                                                 stdout=subprocess.DEVNULL, **self.options))
        return path

    def serve(self, has_grpc=False):
        """Starts a hub. Gives the URL at which it receives telemetry, and its token."""
        path = self.start("hub-serve", "--listen", "127.0.0.1:0", "--otlp-listen", "127.0.0.1:0")
        pattern = "gRPC on ([0-9.:]+)" if has_grpc else "http://([0-9.:]+)"
        found = until("the hub listens", lambda: "listening on" in path.read_text() and
                      re.search(pattern, path.read_text()))
        return f"http://{found[1]}", (self.path / "data/hub.token").read_text().strip()

    def stop(self):
        while self.started:
            process = self.started.pop()
            process.terminate()
            process.wait(LIMIT)

    def agent(self, start):
        """The newest agent whose id begins so."""
        return next((agent for agent in self.tool("agent-stat", "agents") if agent["id"].startswith(start)), {})

    def gates(self):
        return self.tool("gate-decide", "list")

    def gate(self):
        return until("a gate is open", self.gates)[0]["gateId"]


class Terminal:
    """A tmux server of its own with one pane: a shell that runs the program, or the program itself."""

    def __init__(self, home, program, has_shell=True):
        self.models, self.socket, self.environment = home.models, str(home.path / "tmp/tmux"), home.environment
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "40", "-c", str(home.project),
                  *(["bash", "--norc"] if has_shell else [program]))
        if has_shell:
            self.line(program)

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, *words], capture_output=True, text=True,
                              env=self.environment, check=False).stdout

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def line(self, text):
        """Types a line for the shell."""
        self.tmux("send-keys", "-l", text)
        self.tmux("send-keys", "Enter")

    def enter(self, text, done):
        """Enters a line as a paste: programs take quick keys for one, and Enter for its line feed."""
        self.tmux("set-buffer", text)
        self.tmux("paste-buffer", "-p")
        self.shows(text)
        self.insist("Enter", f"'{text}' is entered", done)

    def play(self, name):
        begin = len(self.models.calls)
        self.enter(f"play:{name}", lambda: name in [call.play for call in self.models.calls[begin:]])

    def answer(self, key, text):
        self.insist(key, f"'{key}' has the answer '{text}'", lambda: text in self.screen())

    def insist(self, key, what, done):
        """Presses a key until it has its effect, because what has just appeared ignores keys."""
        def look():
            self.tmux("send-keys", key)
            with contextlib.suppress(Failed):
                return until("", done, 5)
        until(what, look)

    def shows(self, text):
        try:
            until("", lambda: text in self.screen())
        except Failed as error:
            screen = "\n".join(line for line in self.screen().splitlines() if line.strip())
            raise Failed(f"the screen never showed '{text}', but\n{screen}") from error

    def continues(self, process, text):
        """Continues a job until the screen shows a text: it stops again if it used the terminal too early."""
        def look():
            with contextlib.suppress(Failed):
                return until("", lambda: text in self.screen(), 5)
            if state_of(process) == "T":
                self.line("fg")
        until(f"the job shows '{text}'", look)

    def make_raw(self):
        """Sets the terminal as the programs set it."""
        tty = self.tmux("display-message", "-p", "#{pane_tty}").strip()
        subprocess.run(["stty", "-F", tty, "-icanon", "-echo", "-isig", "-icrnl"], check=True)

    def stop(self):
        self.tmux("kill-server")
