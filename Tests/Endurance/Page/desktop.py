"""A desktop that shows notifications: Xvfb, a session bus of its own, and dunst."""
import contextlib
import os
import pathlib
import subprocess

from browser import Failed, until
from place import Place

BUS = """<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""

# A notification stays until it is tapped, and its text is written to a file.
DUNST = """[global]
    idle_threshold = 0
    markup = no
    history_length = 0
[urgency_low]
    timeout = 0
[urgency_normal]
    timeout = 0
[urgency_critical]
    timeout = 0
[shown]
    summary = "*"
    script = {folder}/shown.sh
"""

SHOWN = """#!/bin/sh
printf '%s\\0%s\\0' "$DUNST_SUMMARY" "$DUNST_BODY" >>"$(dirname "$0")/shown"
"""


class Desktop:
    """The desktop, which ends with the context; `environment` leads programs to it."""

    def __enter__(self):
        self.folder = pathlib.Path(Place.scratch.path) / "desktop"
        self.folder.mkdir(mode=0o700)
        self.shown_file = self.folder / "shown"
        self.shown_file.touch()
        self.seen = 0
        for name, text in [("bus.conf", BUS), ("dunstrc", DUNST), ("shown.sh", SHOWN)]:
            (self.folder / name).write_text(text.replace("{folder}", str(self.folder)))
        (self.folder / "shown.sh").chmod(0o700)
        self.environment = Place.scratch.environment | {"XDG_RUNTIME_DIR": str(self.folder), "NO_AT_BRIDGE": "1"}
        self.ends = contextlib.ExitStack()
        with contextlib.ExitStack() as stack:
            self.stack = stack
            display = self._start("Xvfb", "-displayfd", "FD", "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
            self.environment["DISPLAY"] = f":{display}"
            self.environment["DBUS_SESSION_BUS_ADDRESS"] = self._start(
                "dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--print-address=FD")
            self._start("dunst", "-conf", str(self.folder / "dunstrc"))
            until("dunst is on the bus", lambda: self._dunstctl("is-paused").returncode == 0)
            self.ends = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.ends.close()

    def _start(self, *words):
        """Starts a program; returns the line that it writes to the descriptor FD, if it has one."""
        source, target = os.pipe()
        with open(source, encoding="utf-8") as reader:
            process = subprocess.Popen(
                [word.replace("FD", str(target)) for word in words], env=self.environment, pass_fds=(target,),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.stack.callback(self._end, process)
            os.close(target)
            if not any("FD" in word for word in words):
                return None
            if not (line := reader.readline().strip()):
                raise Failed(f"{words[0]} does not start")
            return line

    @staticmethod
    def _end(process):
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _dunstctl(self, *words):
        return subprocess.run(["dunstctl", *words], env=self.environment, capture_output=True, text=True, check=False)

    def next(self):
        """Waits for the next notification; returns its summary and its body."""
        def parts():
            return self.shown_file.read_text().split("\0")[:-1][2 * self.seen:]
        until("the desktop shows a notification", lambda: len(parts()) > 1)
        summary, body = parts()[:2]
        self.seen += 1
        return summary, body

    def displayed(self):
        """The number of notifications that are on the screen."""
        return int(self._dunstctl("count", "displayed").stdout)

    def tap(self):
        """Taps the notification at the top."""
        done = self._dunstctl("action", "0")
        if done.returncode:
            raise Failed(f"dunstctl: {done.stderr}")
