"""Chromium, driven over the DevTools protocol through two pipes.

Each message is JSON, ended by a NUL. No port is opened.
"""
import base64
import contextlib
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time


class Failed(Exception):
    """A command that the browser refused, or something that did not happen in time."""


def until(what, check, seconds=300):
    """Waits until `check` returns something that is true, and returns it."""
    end = time.monotonic() + seconds
    while not (found := check()):
        if time.monotonic() > end:
            raise Failed(f"this did not happen: {what}")
        time.sleep(0.02)
    return found


class Browser:
    """A browser with a profile of its own, which ends with the context.

    Without a desktop, it has no window. On a desktop, it reaches this machine alone.
    """

    LIMIT = 300

    def __init__(self, desktop=None, font=16):
        self.environment = desktop.environment if desktop else None
        self.look = ["--headless=new"] if not desktop else [
            "--password-store=basic", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
        # The size of text that a person sets in the browser, in pixels.
        self.font = font

    def __enter__(self):
        self.profile = tempfile.mkdtemp()
        settings = pathlib.Path(self.profile, "Default/Preferences")
        settings.parent.mkdir()
        settings.write_text(json.dumps({"webkit": {"webprefs": {
            "default_font_size": self.font, "default_fixed_font_size": self.font * 13 // 16}}}))
        to_browser, self.out = os.pipe()
        self.source, from_browser = os.pipe()
        arguments = [
            shutil.which("chromium") or "chromium", *self.look, "--no-sandbox", "--disable-gpu",
            "--no-first-run", "--disable-dev-shm-usage", "--disable-background-networking",
            "--disable-component-update", "--hide-scrollbars", "--remote-debugging-pipe",
            f"--user-data-dir={self.profile}", "about:blank"]
        # The protocol is spoken on descriptors 3 and 4.
        line = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", line, "bash", *arguments], pass_fds=(to_browser, from_browser), env=self.environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.count, self.answers, self.tabs = b"", 0, {}, {}
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Failed, OSError):
            self.send("Browser.close")
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.source)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _read(self, end):
        ready, _, _ = select.select([self.source], [], [], max(0, end - time.monotonic()))
        if not ready:
            raise Failed("the browser does not answer")
        data = os.read(self.source, 1 << 16)
        if not data:
            raise Failed("the browser has ended")
        *messages, self.buffer = (self.buffer + data).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self.answers[message["id"]] = message
            elif message.get("sessionId") in self.tabs:
                self.tabs[message["sessionId"]].events.append(message)

    def send(self, method, session=None, **parameters):
        """Runs a command, and returns its result."""
        self.count += 1
        number = self.count
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + self.LIMIT
        while number not in self.answers:
            self._read(end)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']}")
        return answer["result"]

    def until(self, what, check):
        """Waits until `check` returns something that is true, and returns it."""
        end = time.monotonic() + self.LIMIT
        while True:
            if found := check():
                return found
            if time.monotonic() > end:
                raise Failed(f"this did not happen: {what}")
            with contextlib.suppress(Failed):
                self._read(time.monotonic() + 0.05)

    def targets(self):
        """The addresses of the tabs that are open, by their ids."""
        return {one["targetId"]: one["url"] for one in self.send("Target.getTargets")["targetInfos"]
                if one["type"] == "page"}

    def tab(self, scripts=True, width=1280, height=800):
        """Opens a tab."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        return self.attach(target, scripts, width, height)

    def attach(self, target, scripts=True, width=1280, height=800):
        """Attaches to a tab that is open."""
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Tab(self, session, target, scripts, width, height)


class Tab:
    """A tab of the browser, and what it reported."""

    def __init__(self, browser, session, target, scripts, width, height):
        self.browser, self.session, self.target = browser, session, target
        self.events = []
        browser.tabs[session] = self
        for domain in ("Page", "Runtime", "Log", "Network", "Audits", "Accessibility", "DOM"):
            self.send(f"{domain}.enable")
        self.send("Page.setLifecycleEventsEnabled", enabled=True)
        self.send("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.size(width, height)

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def size(self, width, height, **features):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 700)

    def named(self, method):
        """The parameters of the events of that name, and forgets no event."""
        return [event["params"] for event in self.events if event["method"] == method]

    def loaded(self, act):
        """Runs `act`, and waits until the document that it leads to is loaded: the load event of the one before may
        still come."""
        frame = self.send("Page.getFrameTree")["frameTree"]["frame"]
        seen = len(self.events)
        result = act()
        self.browser.until("a document is loaded", lambda: any(
            event["method"] == "Page.lifecycleEvent" and event["params"]["name"] == "load"
            and event["params"]["frameId"] == frame["id"] and event["params"]["loaderId"] != frame["loaderId"]
            for event in self.events[seen:]))
        return result

    def open(self, url):
        result = self.loaded(lambda: self.send("Page.navigate", url=url))
        return result.get("errorText")

    def value(self, expression, wait=False):
        """The value of an expression in the page; it runs even where scripts of the page do not."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=wait, userGesture=True)
        if "exceptionDetails" in answer:
            raise Failed(str(answer["exceptionDetails"].get("exception", {}).get("description")))
        return answer["result"].get("value")

    def text(self, selector="main"):
        """The text that a person sees of an element; None while the document has none."""
        for _ in range(10):
            # The page's own script may replace the element in the meantime.
            with contextlib.suppress(Failed):
                return self._text(selector)
        return self._text(selector)

    def _text(self, selector):
        nodes = self.send("DOM.getDocument", depth=0)["root"]["nodeId"]
        found = self.send("DOM.querySelector", nodeId=nodes, selector=selector)["nodeId"]
        if not found:
            return None
        handle = self.send("DOM.resolveNode", nodeId=found)["object"]["objectId"]
        return self.send("Runtime.callFunctionOn", objectId=handle, returnByValue=True,
                         functionDeclaration="function() { return this.innerText }")["result"]["value"]

    def focus(self, selector):
        nodes = self.send("DOM.getDocument", depth=0)["root"]["nodeId"]
        found = self.send("DOM.querySelector", nodeId=nodes, selector=selector)["nodeId"]
        if not found:
            raise Failed(f"the page has no '{selector}': {self.text('body')}")
        self.send("DOM.focus", nodeId=found)
        return found

    def type(self, selector, text):
        self.focus(selector)
        self.send("Input.insertText", text=text)

    def click(self, selector):
        """Presses an element with the mouse, where a person would."""
        found = self.focus(selector)
        self.send("DOM.scrollIntoViewIfNeeded", nodeId=found)
        corners = self.send("DOM.getContentQuads", nodeId=found)["quads"][0]
        x, y = sum(corners[0::2]) / 4, sum(corners[1::2]) / 4
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, name, code):
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code,
                      text="\r" if name == "Enter" and kind == "keyDown" else "")

    def status(self):
        """The HTTP status of the document that was loaded last."""
        answers = [each for each in self.named("Network.responseReceived") if each["type"] == "Document"]
        return answers[-1]["response"]["status"] if answers else None

    def complaints(self):
        """What the browser's log has: errors, warnings, exceptions, and issues."""
        lines = [f"{each['entry']['level']}: {each['entry']['text']}" for each in self.named("Log.entryAdded")
                 if each["entry"]["level"] in ("error", "warning")]
        lines += [f"exception: {each['exceptionDetails'].get('text')}" for each in self.named("Runtime.exceptionThrown")]
        lines += [f"console: {each['type']}" for each in self.named("Runtime.consoleAPICalled")]
        lines += [f"issue: {each['issue']['code']} {json.dumps(each['issue']['details'])[:300]}"
                  for each in self.named("Audits.issueAdded")]
        return lines

    def picture(self):
        """A picture of what is seen, as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])
