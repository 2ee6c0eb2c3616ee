"""Two servers of PostgreSQL on one host: a primary, and a synchronous standby that can take over."""

import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import sys
import time

from network import ADDRESSES, start

SETTINGS = {
    "port": "5432", "max_connections": "100", "shared_buffers": "32MB", "fsync": "off",
    "full_page_writes": "off", "wal_keep_size": "64MB", "max_wal_senders": "5",
    "wal_receiver_timeout": "5s", "wal_sender_timeout": "5s",
}
NAME = "agentpipes"


def programs():
    """The folder of PostgreSQL's programs, at least version 15; nothing if they are not installed."""
    found = [path for path in pathlib.Path("/usr/lib/postgresql").glob("*/bin")
             if path.parent.name.isdigit() and int(path.parent.name) >= 15 and (path / "initdb").exists()]
    return max(found, key=lambda path: int(path.parent.name), default=None)


def user():
    """PostgreSQL does not run as root: the options of subprocess that leave it."""
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


class Server:
    """A server with a folder, an address and a socket of its own."""

    def __init__(self, host, index, folder):
        self.host, self.address, self.name = host, host.address(index), f"server{index}"
        self.programs, self.folder = programs(), folder / self.name
        self.data, self.log, self.process = self.folder / "data", folder / f"{self.name}.log", None
        self.folder.mkdir()
        os.chown(self.folder, user()["user"], user()["group"])

    def run(self, name, *words):
        """Runs a program of PostgreSQL on the host, as the user of the server."""
        done = subprocess.run(
            [*self.host.words, *self._as_user(), self.programs / name, *words], cwd=self.folder,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{name}: {done.stderr}")
        return done.stdout

    @staticmethod
    def _as_user():
        return ["setpriv", f"--reuid={user()['user']}", f"--regid={user()['group']}", "--clear-groups"]

    def create(self):
        """Creates a new cluster, whose superuser is `postgres`. The hosts need no password."""
        self.run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
                 "--locale=C", "--no-sync", "--no-instructions")
        with open(self.data / "pg_hba.conf", "a", encoding="ascii") as file:
            file.write(f"host all all {ADDRESSES}.0/24 trust\n")
            file.write(f"host replication all {ADDRESSES}.0/24 trust\n")

    def copy(self, primary):
        """Becomes a standby of the given server."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.run("pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-c", "fast", "--no-sync",
                 "-d", f"postgresql://postgres@{primary.address}/?application_name={self.name}")

    def start(self):
        words = [*self.host.words, *self._as_user(), str(self.programs / "postgres"), "-D", str(self.data),
                 "-c", f"listen_addresses={self.address}", "-c", f"unix_socket_directories={self.folder}"]
        for name, value in SETTINGS.items():
            words += ["-c", f"{name}={value}"]
        with open(self.log, "ab") as log:
            # A terminal's Ctrl-C reaches this program alone, which stops the servers.
            self.process = start(words, stdout=log, stderr=log, cwd=self.folder, start_new_session=True)
        limit = time.monotonic() + 300
        ready = [self.programs / "pg_isready", "-q", "-h", self.folder]
        while subprocess.run(ready, check=False).returncode:
            if self.process.poll() is not None or time.monotonic() > limit:
                sys.exit(f"postgres does not start: {self.log.read_text()[-2000:]}")
            time.sleep(0.02)

    def stop(self, how=signal.SIGINT):
        """Ends the server: SIGINT ends the sessions first, SIGQUIT kills it."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(300)

    def psql(self, script, role="postgres", database=NAME):
        """Runs SQL over the server's socket. Gives the exit status, and the lines of the answer or the errors."""
        done = subprocess.run(
            [self.programs / "psql", "-h", self.folder, "-U", role, "-d", database, "-XAtq",
             "-v", "ON_ERROR_STOP=1", "-c", script], capture_output=True, text=True, check=False)
        return done.returncode, (done.stderr if done.returncode else done.stdout).strip()


class Database:
    """The database of the hubs, wherever its primary is."""

    def __init__(self, host, folder, hub_serve):
        self.folder = folder
        os.chmod(folder, 0o755)
        self.primary, self.other = Server(host, 0, folder), Server(host, 1, folder)
        self.primary.create()
        self.primary.start()
        for statement in ("CREATE ROLE owner LOGIN", "CREATE ROLE hub LOGIN", f"CREATE DATABASE {NAME} OWNER owner"):
            self.value(statement, database="postgres")
        done = subprocess.run(
            [*host.words, hub_serve, "migrate", "--records", self.url("owner"), "--grant", "hub"],
            capture_output=True, text=True, check=False,
            env=os.environ | {"AGENTPIPES_HOME": str(folder / "owner"), "HOME": str(folder)})
        if done.returncode:
            sys.exit(f"hub-serve migrate: {done.stderr}")

    def url(self, role="hub"):
        addresses = ",".join(sorted((self.primary.address, self.other.address)))
        return f"postgresql://{role}@{addresses}/{NAME}?target_session_attrs=read-write"

    def value(self, script, database=NAME):
        """What a query of the superuser finds."""
        status, text = self.primary.psql(script, database=database)
        if status:
            sys.exit(f"psql: {script}: {text}")
        return text

    def add_standby(self):
        """Starts a standby. From then on, each commit is on both servers before it is acknowledged."""
        self.other.copy(self.primary)
        self.other.start()
        self._set_standby(self.other.name)
        limit = time.monotonic() + 300
        while self.value("SELECT sync_state FROM pg_stat_replication") != "sync":
            if time.monotonic() > limit:
                sys.exit(f"the standby does not follow: {self.other.log.read_text()[-2000:]}")
            time.sleep(0.02)

    def fail_over(self):
        """Kills the primary, and promotes the standby."""
        self.primary.stop(signal.SIGQUIT)
        self.primary, self.other = self.other, self.primary
        self._set_standby("")
        self.value("SELECT pg_promote(wait_seconds => 300)")

    def _set_standby(self, name):
        status, text = self.primary.psql("SELECT pg_is_in_recovery()")
        if (status, text) == (0, "f"):
            self.value(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
            self.value("SELECT pg_reload_conf()")

    def end(self):
        for server in (self.primary, self.other):
            server.stop(signal.SIGQUIT)
