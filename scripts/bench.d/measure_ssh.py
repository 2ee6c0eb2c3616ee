#!/usr/bin/env python3
"""What `scripts/bench ssh` measures with.

    measure_ssh.py TMUX-ATTACH FOLDER RUNS

Starts an sshd, a tmux and a proxy that delays on loopback, and ends them again. Each figure is of
whole processes on a terminal that this program is the other side of.
"""

import asyncio
import fcntl
import os
import pathlib
import pty
import select
import signal
import socket
import statistics
import struct
import subprocess
import sys
import termios
import threading
import time

MARK = b"the text that is waited for"
DELAY = 0.05


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Host:
    """An sshd with a tmux session of 200 by 50 that shows the mark."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        for name in ("host", "user"):
            subprocess.run(
                ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        (folder / "tmux").mkdir()
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        (folder / "sshd_config").write_text("\n".join([
            f"Port {self.port}", "ListenAddress 127.0.0.1", f"HostKey {folder}/host",
            f"AuthorizedKeysFile {folder}/user.pub", "PidFile none", "UsePAM no",
            "StrictModes no",
            # Where no file of a shell is read: what it takes would be measured, too.
            f"SetEnv TMUX_TMPDIR={folder}/tmux HOME={folder}/tmux", ""]))
        self.log = open(folder / "sshd.log", "w+b")
        self.server = subprocess.Popen(
            ["/usr/sbin/sshd", "-D", "-e", "-f", folder / "sshd_config"], stderr=self.log,
            stdin=subprocess.DEVNULL)
        while b"Server listening" not in (folder / "sshd.log").read_bytes():
            if self.server.poll() is not None:
                sys.exit("sshd does not start")
            time.sleep(0.01)
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "agent", "-x", "200", "-y", "50",
                  f"printf '{MARK.decode()}'; exec sleep 86400")
        while MARK not in self.tmux("capture-pane", "-p", "-t", "agent"):
            time.sleep(0.01)

    def tmux(self, *arguments):
        return subprocess.run(
            ["tmux", *arguments], env={**os.environ, "TMUX_TMPDIR": f"{self.folder}/tmux"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False).stdout

    def connections(self):
        found = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.server.pid)], stdout=subprocess.PIPE)
        return [int(line) for line in found.stdout.split()]

    def end(self):
        self.tmux("kill-server")
        self.server.terminate()
        self.server.wait()


class SlowProxy(threading.Thread):
    """A port that leads to another one, each way later by DELAY."""

    def __init__(self, target):
        super().__init__(daemon=True)
        self.target = target
        self.port = free_port()
        self.ready = threading.Event()

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.accept, "127.0.0.1", self.port)
        self.ready.set()
        async with server:
            await server.serve_forever()

    async def accept(self, reader, writer):
        await asyncio.sleep(DELAY)
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
            for end in (writer, far_writer):
                end.get_extra_info("socket").setsockopt(
                    socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await asyncio.gather(self.carry(reader, far_writer), self.carry(far_reader, writer))
        except OSError:
            writer.close()

    @staticmethod
    async def carry(reader, writer):
        queue = asyncio.Queue()

        async def deliver():
            while True:
                due, data = await queue.get()
                await asyncio.sleep(max(0, due - time.monotonic()))
                if not data:
                    writer.close()
                    return
                writer.write(data)

        task = asyncio.create_task(deliver())
        data = b"more"
        while data:
            try:
                data = await reader.read(1 << 16)
            except OSError:
                data = b""
            queue.put_nowait((time.monotonic() + DELAY, data))
        await task


class Shown:
    """A command on a terminal of 220 by 60."""

    def __init__(self, command):
        self.began = time.perf_counter()
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 220, 0, 0))
            os.execvp(command[0], [str(word) for word in command])
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 220, 0, 0))
        self.text = b""

    def wait_for(self, mark, seconds=20):
        """Seconds from now until the mark comes."""
        began = time.perf_counter()
        self.text = b""
        while mark not in self.text:
            left = began + seconds - time.perf_counter()
            ready, _, _ = select.select([self.terminal], [], [], max(0, left))
            if not ready:
                sys.exit(f"never shown: {mark!r}; {self.text[-500:]!r}")
            try:
                self.text = self.text[-4096:] + os.read(self.terminal, 1 << 16)
            except OSError:
                sys.exit(f"ended: {self.text[-500:]!r}")
        return time.perf_counter()

    def drain(self):
        """Takes what has come and is not wanted."""
        while select.select([self.terminal], [], [], 0.3)[0]:
            os.read(self.terminal, 1 << 16)

    def memory(self):
        """Kilobytes that are not of files."""
        for line in pathlib.Path(f"/proc/{self.process}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1])
        return 0

    def end(self):
        os.kill(self.process, signal.SIGTERM)
        while True:
            try:
                if not os.read(self.terminal, 1 << 16):
                    break
            except OSError:
                break
        os.waitpid(self.process, 0)
        os.close(self.terminal)


def row(name, figures, aim):
    milliseconds = [1000 * figure for figure in figures]
    print(f"{name:<48}{statistics.median(milliseconds):>9.1f}{min(milliseconds):>9.1f}  {aim}",
          flush=True)


def paints(command, runs):
    figures = []
    for _ in range(runs):
        shown = Shown(command)
        figures.append(shown.wait_for(MARK) - shown.began)
        shown.end()
    return figures


def further(command, longer, runs):
    """Seconds that a paint takes longer with one channel more, by turns."""
    figures = []
    for _ in range(runs):
        short, long = (paints(words, 1)[0] for words in (command, longer))
        figures.append(long - short)
    return figures


def takes(command, runs):
    figures = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            check=True)
        figures.append(time.perf_counter() - began)
    return figures


def repaints(host, command, runs):
    """Seconds from a cut until the mark is there again; more than five in a minute are put off."""
    figures = []
    for run in range(runs):
        if run % 5 == 0:
            shown = Shown(command)
            shown.wait_for(MARK)
        shown.drain()
        old = host.connections()
        began = time.perf_counter()
        for process in old:
            os.kill(process, signal.SIGKILL)
        figures.append(shown.wait_for(MARK) - began)
        if run % 5 == 4 or run == runs - 1:
            shown.end()
    return figures


def flood(host, command):
    host.tmux("new-session", "-d", "-s", "flood", "-x", "200", "-y", "50", "exec yes 'a line of a flood'")
    shown = Shown(command)
    most = 0
    end = time.monotonic() + 8
    while time.monotonic() < end:
        ready, _, _ = select.select([shown.terminal], [], [], 0.1)
        if ready:
            os.read(shown.terminal, 1 << 16)
        most = max(most, shown.memory())
    shown.end()
    host.tmux("kill-session", "-t", "flood")
    return most


def main():
    attach, folder, runs = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
    user = subprocess.run(["id", "-un"], stdout=subprocess.PIPE).stdout.decode().strip()
    host = Host(folder)
    try:
        slow = SlowProxy(host.port)
        slow.start()
        slow.ready.wait()

        def ssh(port, terminal, *words):
            return ["ssh", "-F", "none", *(["-tt"] if terminal else []), "-o", "LogLevel=ERROR",
                    "-o", "StrictHostKeyChecking=accept-new", "-o", "IdentitiesOnly=yes",
                    "-o", f"UserKnownHostsFile={folder}/known", "-i", folder / "user", "-p",
                    str(port), f"{user}@127.0.0.1", *words]

        def ours(port, *words):
            return [attach, *words[:1], "-i", folder / "user", f"{user}@127.0.0.1:{port}",
                    *words[1:]]

        look = "tmux -u attach -f read-only,ignore-size -t '=agent'"
        for port in (host.port, slow.port):
            takes(ssh(port, False, "true"), 1)
            takes(ours(port, "trust"), 1)
        print(f"{'':<48}{'median':>9}{'least':>9}  aim   (ms)")
        theirs = paints(ssh(host.port, True, look), runs)
        row("ssh -tt host tmux attach -r, first paint", theirs, "")
        mine = paints(ours(host.port, "attach", "agent"), runs)
        ratio = statistics.median(theirs) / statistics.median(mine)
        row("tmux-attach, first paint", mine, f"≤ 100, 2 times as fast: {ratio:.2f}")
        row("ssh host tmux list-sessions",
            takes(ssh(host.port, False, "tmux list-sessions"), runs), "")
        row("tmux-attach list", takes(ours(host.port, "list"), runs), "")
        row("tmux-attach, a further channel", further(
            ours(host.port, "attach", "agent"), ours(host.port, "attach", "agent", "--history", "1"),
            runs), "≤ 15")
        few = max(1, runs // 3)
        row("ssh -tt, 100 ms of round trip", paints(ssh(slow.port, True, look), few), "")
        row("tmux-attach, 100 ms of round trip",
            paints(ours(slow.port, "attach", "agent"), few), "≤ 900")
        again = repaints(host, ours(host.port, "attach", "agent"), few)
        ratio = statistics.median(again) / statistics.median(mine)
        row("tmux-attach, painted again after a cut", again, f"≤ 2 first paints: {ratio:.2f}")
        print()
        for name, words in (("attach", ("attach", "flood")), ("watch", ("watch", "flood"))):
            most = flood(host, ours(host.port, *words))
            print(f"{'tmux-attach ' + name + ', anonymous memory in a flood':<48}{most / 1024:>9.1f}"
                  f"{'':>9}  ≤ 16 MB")
    finally:
        host.end()


main()
