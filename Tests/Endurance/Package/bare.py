"""Runs every tool where it has nothing: judged by its exit status and by what it says.

usage: bare.py BIN

A tool in BIN gets an empty environment, no network, no HOME and a root file system that cannot be
written; first without a terminal, then on one of 80 columns. It must succeed, or end with a status of the
failure table and a sentence that begins with its name. Needs unshare(1) and the superuser.
"""
import codecs
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

COLUMNS = 80
PLAN = "Compare the WAL and the rollback journal"
# The command that a person would try first, for each tool.
COMMANDS = {
    "agent-adopt": [], "agent-control": ["pause", "agent", "linter", "--reason", "cost"], "agent-run": ["--", "true"], "agent-stat": [], "agentpipes": [], "ceo-plan": [PLAN],
    "chat-log": ["list"], "chat-send": [PLAN], "export-md": ["--into", "/notes"], "gate-decide": ["list"],
    "hub-serve": [], "image-make": [PLAN], "key-store": ["list"], "link-open": ["ayna://chat?model=sonnet&prompt=Hello", "--yes"],
    "model-list": [], "pair": ["hosts"], "push-notify": ["test"], "stage-run": [], "stream-tail": [],
    "tmux-attach": ["list", "build@box"], "tool-call": ["list"], "web-fetch": ["http://127.0.0.1:8099/"],
}
STATUSES = {0, 1, 2} | set(range(64, 79)) | {124, 130}
INSIDE = 'mount -o remount,bind,ro / && exec env -i "$@"'


def isolated(command):
    return ["unshare", "--mount", "--net", "--", "/bin/sh", "-c", INSIDE, "sh"] + command


def plain(command):
    """The status and the output of a command without a terminal."""
    done = subprocess.run(isolated(command), stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def shown(command):
    """The status and the output of a command on a terminal."""
    process, terminal = pty.fork()
    if process == 0:
        command = isolated(command)
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    # The end of input, for tools that read from the terminal.
    os.write(terminal, b"\x04")
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    text, limit = "", time.monotonic() + 600
    while time.monotonic() < limit:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        text += decode(piece)
    else:
        os.kill(process, signal.SIGKILL)
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), text


def faults(tool, status, text):
    if status not in STATUSES:
        yield f"ended with {status}"
    if status != 0 and f"{tool}: " not in text and '"type":"error"' not in text:
        yield "failed without a sentence"
    for word in ("Fatal error", "error while loading", "Stack dump"):
        if word in text:
            yield f"said '{word}'"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    failed = 0
    for name in sorted(os.listdir(sys.argv[1])):
        if name not in COMMANDS:
            sys.exit(f"bare.py: there is no command for '{name}'")
        command = [os.path.join(sys.argv[1], name)] + COMMANDS[name]
        for place, run in (("without a terminal", plain), ("on a terminal", shown)):
            status, text = run(command)
            for fault in faults(name, status, text):
                failed += 1
                print(f"bare.py: '{name}' {place}: {fault}: {text[-300:]!r}")
    if failed:
        sys.exit(1)
    print(f"bare.py: {len(COMMANDS)} tools run, or say what they lack")


if __name__ == "__main__":
    main()
