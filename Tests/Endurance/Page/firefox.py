"""Firefox with a window, driven over the Marionette protocol.

A message is JSON, after its length and a colon. The browser chooses the port, and writes it to its profile.
"""
import contextlib
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile

from browser import Failed, until

# A fresh profile asks nobody but the hub and the push service: what is not of this machine goes to a proxy
# that refuses it.
PREFERENCES = {
    "marionette.port": 0,
    "remote.prefs.recommended": False,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.ssl": "127.0.0.1",
    "network.dns.disablePrefetch": True,
    "network.prefetch-next": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.trr.mode": 5,
    "services.settings.server": "data:,#none",
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "app.shield.optoutstudies.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.discovery.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.newtabpage.activity-stream.feeds.system.topstories": False,
    "browser.region.network.url": "",
    "browser.region.update.enabled": False,
    "browser.safebrowsing.blockedURIs.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.search.update": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage": "about:blank",
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "browser.topsites.contile.enabled": False,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.usage.uploadEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "media.gmp-manager.updateEnabled": False,
    "startup.homepage_welcome_url": "",
    "termsofuse.bypassNotification": True,
    "toolkit.telemetry.enabled": False,
    "toolkit.telemetry.server": "",
    "toolkit.telemetry.unified": False,
    "dom.push.testing.allowInsecureServerURL": True,
    # A connection that was lost is made again at once.
    "dom.push.retryBaseInterval": 50,
    # The answer of a person whom the browser asks whether the page may notify.
    "permissions.default.desktop-notification": 1,
    # What a press or a tap allows may take its time, in milliseconds.
    "dom.user_activation.transient.timeout": 300_000,
    "dom.webnotifications.disable_open_click_delay": 300_000,
}


class Firefox:
    """A browser with a profile of its own on the desktop, which ends with the context."""

    LIMIT = 300
    ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

    def __init__(self, desktop, service):
        self.environment = desktop.environment | {
            "MOZ_CRASHREPORTER_DISABLE": "1", "MOZ_REMOTE_SETTINGS_DEVTOOLS": "1"}
        self.preferences = PREFERENCES | {
            "network.proxy.http_port": service.port, "network.proxy.ssl_port": service.port,
            "dom.push.serverURL": f"ws://127.0.0.1:{service.port}/"}

    def __enter__(self):
        self.profile = pathlib.Path(tempfile.mkdtemp())
        (self.profile / "user.js").write_text("".join(
            f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in self.preferences.items()))
        self.process = subprocess.Popen(
            ["firefox-esr", "--marionette", "--no-remote", "--profile", str(self.profile), "about:blank"],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        self.socket, self.buffer, self.count = None, b"", 0
        try:
            self._connect()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _connect(self):
        port = self.profile / "MarionetteActivePort"
        until("Firefox listens", lambda: self.process.poll() is not None or port.exists() and port.read_text())
        if self.process.poll() is not None:
            raise Failed(f"Firefox ends with {self.process.returncode}")
        self.socket = socket.create_connection(("127.0.0.1", int(port.read_text())), self.LIMIT)
        self._read()
        self.send("WebDriver:NewSession")
        self.send("WebDriver:SetTimeouts", script=300_000)

    def __exit__(self, *_):
        with contextlib.suppress(Failed, OSError, AttributeError):
            self.send("Marionette:Quit", flags=["eForceQuit"])
        if self.socket:
            self.socket.close()
        else:
            self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _read(self):
        while True:
            size, colon, rest = self.buffer.partition(b":")
            if colon and len(rest) >= int(size):
                self.buffer = rest[int(size):]
                return json.loads(rest[:int(size)])
            data = self.socket.recv(1 << 16)
            if not data:
                raise Failed("Firefox has ended")
            self.buffer += data

    def send(self, command, **parameters):
        """Runs a command, and returns its result."""
        self.count += 1
        text = json.dumps([0, self.count, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self._read()
        if error:
            raise Failed(f"{command}: {error['error']}: {error['message']}")
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    # What a person does and sees.

    def open(self, url):
        self.send("WebDriver:Navigate", url=url)

    def find(self, selector):
        return self.send("WebDriver:FindElement", using="css selector", value=selector)[self.ELEMENT]

    def click(self, selector):
        """Presses an element with the mouse, and waits for the document that this leads to, if any."""
        self.send("WebDriver:ElementClick", id=self.find(selector))

    @staticmethod
    def loaded(act):
        """Runs `act`, whose command waits for the document."""
        return act()

    def text(self, selector="main"):
        return self.send("WebDriver:GetElementText", id=self.find(selector))

    def value(self, script):
        """The value of a function's body in the page; that of a promise is waited for."""
        return self.send("WebDriver:ExecuteScript", script=script, args=[])

    def url(self):
        return self.send("WebDriver:GetCurrentURL")

    def tab(self):
        return self.send("WebDriver:GetWindowHandle")

    def tabs(self):
        return self.send("WebDriver:GetWindowHandles")

    def switch(self, tab, focus=False):
        """Directs the commands to a tab, and with `focus` shows it."""
        self.send("WebDriver:SwitchToWindow", handle=tab, focus=focus)
