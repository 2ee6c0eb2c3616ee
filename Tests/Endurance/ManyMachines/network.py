"""Hosts that a switch joins: network namespaces with addresses of their own, and links that can be cut."""

import ctypes
import os
import pathlib
import signal
import subprocess
import sys
import time

LIBRARY = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG, CLONE_NEWNET = 1, 0x40000000
SWITCH = pathlib.Path(__file__).with_name("switch.py")
ADDRESSES = "10.99.0"


def end_with_parent():
    """Lets this process end with the thread that started it, even if that is killed."""
    LIBRARY.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(words, **options):
    """Starts a program that ends with this one. It must be called from the main thread."""
    options = {"stdin": subprocess.DEVNULL, "preexec_fn": end_with_parent} | options
    return subprocess.Popen(words, **options)


class Host:
    """A network namespace, which lasts as long as the process that holds it."""

    def __init__(self, name, *numbers):
        self.name, self.numbers = name, numbers
        self.holder = start(["unshare", "--net", "sleep", "infinity"])
        own = os.readlink("/proc/self/ns/net")
        limit = time.monotonic() + 300
        while os.readlink(f"/proc/{self.holder.pid}/ns/net") == own:
            if self.holder.poll() is not None or time.monotonic() > limit:
                raise PermissionError("no network namespace can be made")
            time.sleep(0.002)

    @property
    def path(self):
        return f"/proc/{self.holder.pid}/ns/net"

    @property
    def words(self):
        """The words before a command that runs on this host."""
        return ["nsenter", f"--net={self.path}"]

    def address(self, index=0):
        return f"{ADDRESSES}.{self.numbers[index]}"

    def ip(self, *words, check=True):
        """Runs ip(8) on this host. Gives `true` if it succeeded."""
        done = subprocess.run([*self.words, "ip", *words], capture_output=True, text=True, check=False)
        if check and done.returncode:
            raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")
        return done.returncode == 0

    def enter(self):
        """Moves this thread, and those that it starts, to this host."""
        with open(self.path, "rb") as file:
            if LIBRARY.setns(file.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")

    def end(self):
        self.holder.kill()
        self.holder.wait()


class Network:
    """The hosts, the switch, and their links."""

    def __init__(self, hosts, milliseconds):
        self.hosts = hosts
        self.switch = Host("switch")
        self.delay = None
        for host in hosts:
            self.switch.ip(
                "link", "add", host.name, "type", "veth", "peer", "name", "wire", "netns",
                str(host.holder.pid))
            self.switch.ip("link", "set", host.name, "up")
            for number in host.numbers:
                host.ip("address", "add", f"{ADDRESSES}.{number}/24", "dev", "wire")
            host.ip("link", "set", "lo", "up")
            host.ip("link", "set", "wire", "up")
        self._join(milliseconds)

    def _join(self, milliseconds):
        names = [host.name for host in self.hosts]
        if all(self._has_netem(name, milliseconds) for name in names):
            self.delay = "netem"
            self.switch.ip("link", "add", "bridge", "type", "bridge")
            self.switch.ip("link", "set", "bridge", "up")
            for name in names:
                self.switch.ip("link", "set", name, "master", "bridge")
            return
        self.delay = start(
            [*self.switch.words, sys.executable, str(SWITCH), str(milliseconds), *names],
            stdout=subprocess.PIPE)
        if self.delay.stdout.readline() != b"ready\n":
            raise PermissionError("the switch does not start")

    def _has_netem(self, name, milliseconds):
        words = ["tc", "qdisc", "add", "dev", name, "root", "netem", "delay", f"{milliseconds}ms"]
        return subprocess.run(
            [*self.switch.words, *words], capture_output=True, check=False).returncode == 0

    # Cuts

    @staticmethod
    def unplug(host):
        """Cuts the link of a host in both directions. Gives what plugs it in again."""
        host.ip("link", "set", "wire", "down")
        return lambda: host.ip("link", "set", "wire", "up")

    @staticmethod
    def lose(host, other):
        """Loses what a host sends to another. Gives what ends that."""
        routes = [f"{ADDRESSES}.{number}/32" for number in other.numbers]
        for route in routes:
            host.ip("route", "add", "blackhole", route)

        def heal():
            for route in routes:
                host.ip("route", "del", "blackhole", route)
        return heal

    def end(self):
        if self.delay and self.delay != "netem":
            self.delay.kill()
            self.delay.wait()
            self.delay.stdout.close()
        for host in (self.switch, *self.hosts):
            host.end()
