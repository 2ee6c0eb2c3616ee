#!/usr/bin/env python3
"""The races of adopt-identity.sh: sessions whose processes change while controls are on their way.

usage: races.py COUNT SEED
"""
import concurrent.futures
import ctypes
import datetime
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

HOME = os.environ["HOME"]
PROJECT = HOME + "/.claude/projects/-w"
REGISTRY = HOME + "/.claude/sessions"
# A process is an agent's only if it runs the agent's program.
CLAUDE = HOME + "/bin/claude"
BATCH = 50
SYS_CLONE3 = 435
# What happens to the process of a session while its control is on its way.
# The process of a forged session runs another program from the beginning, or works in another folder.
KINDS = ["nothing", "exit", "reuse", "move", "fork", "program", "folder"]
FORGED = ("program", "folder")
# With the lock of the interpreter, which a copy of the process would otherwise wait for.
LIBC = ctypes.PyDLL(None, use_errno=True)


class CloneArgs(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in (
        "flags", "pidfd", "child_tid", "parent_tid", "exit_signal", "stack", "stack_size", "tls",
        "set_tid", "set_tid_size", "cgroup")]


def start_as(pid):
    """Starts a process that sleeps, with this id; returns its id, or None if it is not free."""
    wanted = ctypes.c_int(pid)
    arguments = CloneArgs(exit_signal=signal.SIGCHLD, set_tid_size=1,
                          set_tid=ctypes.addressof(wanted))
    made = LIBC.syscall(SYS_CLONE3, ctypes.byref(arguments), ctypes.sizeof(arguments))
    if made == 0:
        os.execv(CLAUDE, ["claude", "3000"])
    return made if made > 0 else None


def may_reuse():
    # An object that nobody holds may take the end of its process.
    ended = subprocess.Popen(["true"])
    ended.wait()
    made = start_as(ended.pid)
    if made is None:
        return False
    os.kill(made, signal.SIGKILL)
    os.waitpid(made, 0)
    return True


def now():
    instant = datetime.datetime.now(datetime.timezone.utc)
    return instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def started(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return file.read().rsplit(")", 1)[1].split()[19]


def register(pid, start, session, folder=None):
    path = f"{REGISTRY}/{pid}.json"
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump({"pid": pid, "procStart": start, "sessionId": session,
                   "cwd": folder or os.getcwd(), "status": "busy"}, file)
    os.rename(path + ".new", path)


class Race:
    """A session, its process, and what must not be signalled."""

    def __init__(self, swarm, name, kind, action):
        self.name, self.kind, self.action = name, kind, action
        program = "/bin/sleep" if kind == "program" else CLAUDE
        self.process = subprocess.Popen([program, "3000"])
        self.bystanders = [self.process.pid] if kind in FORGED else []
        self.start = started(self.process.pid)
        register(self.process.pid, self.start, name, "/elsewhere" if kind == "folder" else None)
        # The folder is the swarm, by which the agents of a batch are counted.
        line = {"type": "user", "sessionId": name, "cwd": "/" + swarm, "timestamp": now(),
                "message": {"role": "user", "content": "x"}}
        with open(f"{PROJECT}/{name}.jsonl", "w", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def disturb(self):
        """Changes the process; returns nothing that the control waits for."""
        if self.kind in ("exit", "reuse", "fork"):
            self.process.kill()
            self.process.wait()
        if self.kind == "reuse":
            made = start_as(self.process.pid)
            if made is not None:
                self.bystanders.append(made)
        elif self.kind == "fork":
            self.bystanders.append(subprocess.Popen([CLAUDE, "3000"]).pid)
        elif self.kind == "move":
            register(self.process.pid, self.start, self.name + "-other")
            self.bystanders.append(self.process.pid)

    def control(self):
        words = ["agent-control", self.action, "agent", "claude-" + self.name, "--reason", "race",
                 "--wait", "3s"]
        if self.action == "terminate":
            words += ["--confirm", "TERMINATE"]
        return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode

    def run(self, delay):
        if self.kind == "move":
            # From here on, the process belongs to the other session.
            self.disturb()
            return self.control()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            sent = pool.submit(self.control)
            time.sleep(delay)
            self.disturb()
            return sent.result()

    def problem(self):
        """What is wrong with a process that must not have been signalled; None if nothing is."""
        for pid in self.bystanders:
            done, status = os.waitpid(pid, os.WNOHANG | os.WUNTRACED)
            if done:
                return f"process {pid} was changed by a signal (status {status:#x})"
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                state = file.read().rsplit(")", 1)[1].split()[0]
            if state not in "SR":
                return f"process {pid} is in state {state}"
        return None

    def end(self):
        for pid in set(self.bystanders + [self.process.pid]):
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        for path in (f"{PROJECT}/{self.name}.jsonl", f"{REGISTRY}/{self.process.pid}.json"):
            if os.path.exists(path):
                os.unlink(path)


def known(swarm):
    """The number of sessions of this swarm that agent-adopt has reported."""
    listed = subprocess.run(["agent-stat", "agents", "--swarm", swarm], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False).stdout
    return listed.count(b'"type":"agent"')


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(seed)
    os.makedirs(PROJECT)
    os.makedirs(REGISTRY)
    os.makedirs(os.path.dirname(CLAUDE))
    shutil.copy("/bin/sleep", CLAUDE)
    kinds = KINDS if may_reuse() else [kind for kind in KINDS if kind != "reuse"]
    if "reuse" not in kinds:
        print("ids cannot be reused here: clone3 is not permitted")
    adopter = subprocess.Popen(["agent-adopt", "claude", "--follow"])
    passed, failed, applied = 0, 0, 0
    tally = dict.fromkeys(kinds, 0)
    for batch in range((count + BATCH - 1) // BATCH):
        size = min(BATCH, count - batch * BATCH)
        swarm = f"b{batch}"
        races = [Race(swarm, f"{swarm}-{index}", chance.choice(kinds),
                      chance.choice(["pause", "terminate"])) for index in range(size)]
        delays = [chance.random() * 0.04 for _ in races]
        limit = time.monotonic() + 300
        while known(swarm) < size and time.monotonic() < limit:
            time.sleep(0.2)
        # Controls are received from the next look at the processes on.
        time.sleep(1.2)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            statuses = list(pool.map(lambda pair: pair[0].run(pair[1]), zip(races, delays)))
        for race, status in zip(races, statuses):
            tally[race.kind] += len(race.bystanders) if race.kind == "reuse" else 1
            problem = race.problem()
            if problem is None and race.kind == "move" and status == 0:
                problem = "a control was applied to a process that had left the session"
            if problem is None and race.kind in FORGED and status == 0:
                problem = "a control was applied to a process that is not the agent's"
            applied += status == 0
            if problem:
                failed += 1
                print(f"race {race.name} (seed {seed}), {race.kind}, {race.action}: {problem}")
            else:
                passed += 1
            race.end()
        if adopter.poll() is not None:
            print(f"agent-adopt ended with {adopter.returncode}")
            failed += 1
            break
    adopter.terminate()
    adopter.wait()
    print(", ".join(f"{name}: {number}" for name, number in tally.items()))
    print(f"{passed} passed, {failed} failed; {applied} controls were applied")
    # A script that applies no control would prove nothing.
    sys.exit(0 if failed == 0 and passed == count and applied > 0 else 1)


main()
