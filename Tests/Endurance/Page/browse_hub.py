#!/usr/bin/env python3
"""What a person does with the hub's page, in a real Chromium; see browse-hub.sh."""
import base64
import contextlib
import http.client
import http.server
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Hub"))

import http_ece  # noqa: E402
import hub as hubs  # noqa: E402
import py_vapid  # noqa: E402
from cryptography.hazmat.primitives import serialization  # noqa: E402
from cryptography.hazmat.primitives.asymmetric import ec  # noqa: E402

from browser import Browser, Failed  # noqa: E402


class Place:
    """The hub of a part, and the home of the tools."""

    scratch, hub = None, None


def run(*words, check=True):
    """Runs a tool of this machine, and returns what it wrote."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=Place.scratch.environment)
    if check and done.returncode:
        raise Failed(f"{words}: {done.returncode} {done.stderr}")
    return done.stdout


def start(*words, **options):
    """Starts a tool of this machine."""
    return Place.scratch.start(*words, **options)


def address(path=""):
    return f"http://127.0.0.1:{Place.hub.port}{path}"


def records(*words):
    return [json.loads(line) for line in run(*words).splitlines()]


def link(scope="decide", name=None):
    named = ["--name", name] if name else []
    return records("pair", "page", "--json", "--scope", scope, *named)[0]["url"]


def gate(summary):
    """Opens a gate, which nobody waits for."""
    body = json.dumps({"summary": summary, "context": {
        "why": "the tests pass", "impact": "two minutes", "risk": "low", "recommendedAction": "approve"}})
    return ask("POST", "/v1/approval-gates", body)["gateId"]


def ask(method, path, body=None, cookie=None):
    fields = {"Content-Type": "application/json"}
    if cookie:
        fields["Cookie"] = cookie
    else:
        fields["Authorization"] = f"Bearer {Place.hub.token}"
    asked = urllib.request.Request(address(path), body.encode() if body else None, fields, method=method)
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return json.load(answer)


def decided(gate_id):
    return ask("GET", f"/v1/approval-gates/{gate_id}")["approvalGate"]["status"]


def expect(case, seen, wanted):
    holds = wanted(seen) if callable(wanted) else seen == wanted
    if not holds:
        raise Failed(f"{case}: {seen!r}")
    print(case, flush=True)


def has(*parts):
    return lambda text: all(part in text for part in parts)


def sign_in(tab, scope="decide", name=None):
    tab.open(link(scope, name))
    tab.loaded(lambda: tab.click("main form button"))


def cookie(tab):
    """The cookies of the hub, as a request would send them."""
    found = tab.send("Network.getCookies", urls=[address()])["cookies"]
    return "; ".join(f"{one['name']}={one['value']}" for one in found)


class Site:
    """Another site: a page that links to the hub, and pages that attack it."""

    def __init__(self, host):
        self.pages = {}
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                text = site.pages.get(self.path, "").encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://{host}:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class PushService:
    """A push service (RFC 8030) with one subscription, which answers as it is told."""

    def __init__(self):
        self.requests, self.status = [], 201
        self.private, self.secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.requests.append(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(service.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def subscription(self):
        def bare(data):
            return base64.urlsafe_b64encode(data).decode().rstrip("=")
        public = self.private.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        return {"endpoint": self.origin + "/push/secret-part", "keys": {"p256dh": bare(public), "auth": bare(self.secret)}}

    def message(self):
        """The fields of the last request, and its message as the browser reads it."""
        fields, body = self.requests[-1]
        text = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        return fields, json.loads(text)


# Parts.

def person(browser, scripts):
    """Signs in, reads each view, and decides."""
    tab = browser.tab(scripts)
    url = link()
    for _ in range(3):
        with urllib.request.urlopen(url, timeout=60) as answer:
            answer.read()
    tab.open(url)
    expect("a link that was fetched before still signs in", tab.text(), has("Sign in", "decide gates"))
    expect("no cookie is set before the press", cookie(tab), "")
    tab.loaded(lambda: tab.click("main form button"))
    expect("the press signs in", (tab.status(), tab.text("h1")), (200, "Overview"))
    expect("the cookie is for the hub alone", [
        (one["httpOnly"], one["sameSite"], one["path"]) for one in tab.send("Network.getCookies", urls=[address()])["cookies"]
    ], [(True, "Lax", "/")])
    run("agent-run", "--swarm", "night", "--agent", "builder", "--", "sh", "-c",
        "echo hello; echo 'error: <b>bold</b>'; exit 1", check=False)
    incident = records("agent-stat", "incidents", "--json")[0]["id"]
    first = gate("Deploy <i>now</i>?")
    for path, wanted in [
            ("", has("Overview", "error: <b>bold</b>", "Deploy <i>now</i>?")),
            ("/incidents", has("Incidents", "error: <b>bold</b>", "Closed")),
            (f"/incidents/{incident}", has("error: <b>bold</b>", "Last events", "ended with status 1")),
            ("/gates", has("Deploy <i>now</i>?", "Decided")),
            (f"/gates/{first}", has("Deploy <i>now</i>?", "the tests pass", "two minutes", "low")),
            ("/swarms/night", has("Swarm", "builder", "error: <b>bold</b>")),
            ("/agents/builder", has("Agent builder", "Last events", "hello")),
            ("/live", has("Live", "hello")),
            ("/device", has("This device", "Sign out"))]:
        tab.open(address("/page" + path))
        expect(f"the view '/page{path}'".replace(incident, "ID").replace(first, "ID"), tab.text(), wanted)
    expect("the browser's log is empty", tab.complaints(), [])
    tab.open(address(f"/page/gates/{first}"))
    tab.loaded(lambda: tab.click("button[value=approve]"))
    expect("a gate is approved", tab.text(), has("approved", "decided by"))
    expect("the hub knows it", decided(first), "approved")
    second = gate("And this?")
    tab.open(address(f"/page/gates/{second}"))
    tab.click("button[value=reject]")
    tab.type("#reason-reject", "short")
    tab.click("button[value=reject]")
    expect("a rejection needs a reason", decided(second), "pending")
    tab.type("#reason-reject", " of time, so not today")
    tab.loaded(lambda: tab.click("button[value=reject]"))
    expect("a gate is rejected with a reason", tab.text(), has("rejected", "short of time, so not today"))
    third = gate("Who is first?")
    tab.open(address(f"/page/gates/{third}"))
    run("gate-decide", "reject", third, "--reason", "another was faster")
    tab.loaded(lambda: tab.click("button[value=approve]"))
    expect("who comes second sees the first", (tab.status(), tab.text()),
           lambda seen: seen[0] == 409 and has("rejected already", "another was faster")(seen[1]))
    site = Site("localhost")
    site.pages["/"] = f'<a href="{address()}/page/gates/{third}">the gate</a>'
    tab.open(site.url)
    tab.loaded(lambda: tab.click("a"))
    expect("a link on another site opens the gate, signed in", (tab.status(), tab.text()),
           lambda seen: seen[0] == 200 and "Who is first?" in seen[1])
    tab.open(address("/page/agents/builder"))
    expect("who may not control sees no form", tab.text(), lambda text: "Terminate" not in text)
    tab.open(address("/page/device"))
    tab.loaded(lambda: tab.click("main form button"))
    tab.open(address("/page"))
    expect("who signed out is out", (tab.status(), tab.text()), lambda seen: seen[0] == 401 and "pair page" in seen[1])


def plain(browser):
    """A person without scripts."""
    person(browser, scripts=False)


def scripted(browser):
    """A person with scripts."""
    person(browser, scripts=True)


def steering(browser):
    """Controls, and the end of an access."""
    tab = browser.tab()
    sign_in(tab, "steer", "boss")
    agent = start("agent-run", "--agent", "worker", "--", "sleep", "600")
    try:
        browser.until("the agent is at work", lambda: any(
            one["status"] == "running" for one in records("agent-stat", "agents", "--json")))
        for action, status in (("pause", "paused"), ("resume", "running")):
            tab.open(address("/page/agents/worker"))
            tab.type("#reason", "as a test")
            tab.loaded(lambda: tab.click(f"button[value={action}]"))
            expect(f"an agent gets '{action}'", tab.text(), has(action, "boss", "as a test"))
            browser.until(status, lambda: records("agent-stat", "agents", "--json")[0]["status"] == status)
        tab.open(address("/page/agents/worker"))
        tab.type("#reason-to-terminate", "as a test")
        tab.type("#confirmation", "yes")
        tab.loaded(lambda: tab.click("button[value=terminate]"))
        expect("no agent is terminated without the word", tab.text(), has("type TERMINATE"))
        tab.open(address("/page/agents/worker"))
        tab.type("#reason-to-terminate", "as a test")
        tab.type("#confirmation", "TERMINATE")
        tab.loaded(lambda: tab.click("button[value=terminate]"))
        expect("an agent is terminated", tab.text(), has("terminate", "boss"))
        agent.wait(60)
    finally:
        agent.kill()
        agent.wait()
    names = [entry["actor"] for entry in records("agent-stat", "audit", "--json")]
    expect("the audit names the browser", names.count("boss"), lambda count: count >= 3)
    watching = browser.tab()
    watching.open(address("/page"))
    tab.open(address("/page/device"))
    tab.value("window.ended = 0; window.feed = new EventSource('/page/stream');"
              "feed.addEventListener('error', () => { ended += 1 })")
    browser.until("the stream is open", lambda: tab.value("feed.readyState") == 1)
    run("hub-serve", "revoke", "boss")
    browser.until("the stream ends", lambda: tab.value("ended") > 0)
    browser.until("it stays closed", lambda: tab.value("feed.readyState") == 2)
    tab.open(address("/page"))
    expect("a revoked browser is out, and its stream ends", tab.status(), 401)
    browser.until("a view that is open says so", lambda: "Not signed in" in watching.text())
    print("a view that is open says so")


def live(browser):
    """New events, without a press."""
    tab = browser.tab()
    sign_in(tab)
    tab.open(address("/page/gates"))
    gate("Does it come by itself?")
    browser.until("the gate is shown", lambda: "Does it come by itself?" in tab.text())
    expect("a new gate is shown without a press", tab.complaints(), [])
    tab.open(address("/page/live"))
    flood = ("for i in $(seq 50); do for j in $(seq 100); do echo \"line $i $j\"; done; sleep 0.1; done;"
             "sleep 1; printf 'the \\u202elast\\001 line'")
    agent = start("agent-run", "--agent", "flood", "--", "bash", "-c", flood, stdout=subprocess.DEVNULL)
    browser.until("the last line", lambda: "the <U+202E>last<U+0001> line" in tab.text("ol.events"))
    agent.wait(60)
    expect("1,000 events a second are too many, and that is told", tab.text("ol.events"), has("suppressed"))
    expect("the list is bounded", tab.value("document.querySelectorAll('ol.events li').length"), lambda n: 200 < n <= 500)
    expect("hidden characters are shown", tab.complaints(), [])


def strangers(browser):
    """Other sites, which want to act in the person's name."""
    tab = browser.tab()
    sign_in(tab)
    wanted = gate("May a stranger decide?")
    own = cookie(tab)
    for path in ("/v1/overview", "/v1/stream", "/v1/audit"):
        try:
            ask("GET", path, cookie=own)
            raise Failed(f"a cookie opened {path}")
        except urllib.error.HTTPError as refusal:
            if refusal.code != 401:
                raise Failed(f"{path}: {refusal.code}") from refusal
    expect("a cookie opens nothing under /v1", decided(wanted), "pending")
    for host in ("localhost", "127.0.0.1"):
        site = Site(host)
        action = f"{address()}/page/gates/{wanted}"
        site.pages["/form"] = (
            f'<form method=post action="{action}"><input name=decision value=approve>'
            '<input name=token value=x><button>win</button></form>')
        site.pages["/rest"] = "<p>other</p>"
        tab.open(site.url + "/form")
        tab.loaded(lambda: tab.click("button"))
        expect(f"a form of {host} is refused", (tab.status(), decided(wanted)), (403, "pending"))
        tab.open(site.url + "/rest")
        tab.value(f"""Promise.all([
          fetch('{address()}/page/gates/{wanted}', {{credentials: 'include'}}).then(a => a.text()).catch(() => 'refused'),
          fetch('{action}', {{method: 'POST', credentials: 'include', mode: 'no-cors',
            body: new URLSearchParams({{decision: 'approve'}})}}).then(a => a.text()).catch(() => 'refused'),
          new Promise(done => {{ const s = document.createElement('script'); s.src = '{address()}/page/script.js';
            s.onload = () => done('loaded'); s.onerror = () => done('refused'); document.body.append(s) }}),
          new Promise(done => {{ const e = new EventSource('{address()}/page/stream', {{withCredentials: true}});
            e.onopen = () => done('open'); e.onerror = () => done('refused') }}),
          new Promise(done => {{ const f = document.createElement('iframe'); f.src = '{address()}/page';
            f.onload = () => {{ try {{ done(f.contentDocument ? 'own' : 'refused') }} catch {{ done('refused') }} }};
            document.body.append(f) }}),
        ]).then(all => {{ window.result = all.map(x => x || 'refused') }})""", wait=True)
        expect(f"no other way of {host} works", (tab.value("result"), decided(wanted)), (["refused"] * 5, "pending"))
        expect(f"the browser itself keeps {host} from framing the page", " ".join(tab.complaints()), has("frame-ancestors"))


def notified(browser):
    """Push messages, from the press to the view of the gate."""
    tab = browser.tab()
    sign_in(tab, name="phone")
    browser.send("Browser.grantPermissions", permissions=["notifications"], origin=address())
    tab.open(address("/page/device"))
    browser.until("the press is offered", lambda: tab.value("!document.getElementById('notify').hidden"))
    expect("the view offers notifications", tab.text(), has("This browser is not notified.", "Notify me"))
    none = subprocess.run(["push-notify", "test", "--to", "devices"], env=Place.scratch.environment,
                          capture_output=True, text=True, check=False)
    expect("without a subscription, push-notify says what to do", (none.returncode, none.stderr),
           lambda seen: seen[0] == 66 and "no device asked for notifications" in seen[1])
    service = PushService()
    told = json.dumps(service.subscription)
    stored = tab.value(f"""(async () => {{
        const {{key, token}} = await (await fetch('/page/push.json')).json();
        const body = new URLSearchParams({{token, subscription: {json.dumps(told)}}});
        const answer = await fetch('/page/push', {{method: 'POST', body, redirect: 'manual'}});
        return [answer.type, key] }})()""", wait=True)
    expect("a subscription is stored", stored[0], "opaqueredirect")
    wanted = gate("Shall the secret word be told?")
    run("agent-stat")
    sent = subprocess.run(
        ["bash", "-c", "stream-tail --type alert --last 10 | push-notify --to devices --allow-private"],
        env=Place.scratch.environment, capture_output=True, text=True, check=False)
    delivery = [json.loads(line) for line in sent.stdout.splitlines()][-1]
    expect("the alert about a gate is sent", (delivery["status"], delivery["target"], delivery["kind"], sent.stderr),
           ("sent", "device:phone", "approvalGate", ""))
    fields, message = service.message()
    expect("the browser can read it", message, {"web_push": 8030, "notification": {
        "title": "Gate", "body": f"warn: gate {wanted}", "navigate": address(f"/page/gates/{wanted}"),
        "tag": fields["topic"]}})
    expect("the service knows its sender, its urgency and its end", [
        fields["ttl"], fields["urgency"], len(fields["topic"]), py_vapid.Vapid02.verify(fields["authorization"]),
        fields["authorization"].split("k=")[1] == stored[1]], ["86400", "normal", 32, True, True])
    tab.send("ServiceWorker.enable")
    # The press registers the worker; without a network, Chromium's own push service then refuses.
    tab.open(address("/page/device"))
    browser.until("the press is offered", lambda: tab.value("!document.getElementById('notify').hidden"))
    tab.click("#notify")
    browser.until("the worker is known", lambda: [
        one for each in tab.named("ServiceWorker.workerRegistrationUpdated") for one in each["registrations"]])
    number = [one for each in tab.named("ServiceWorker.workerRegistrationUpdated")
              for one in each["registrations"]][-1]["registrationId"]
    browser.until("the worker is active", lambda: tab.value(
        "navigator.serviceWorker.getRegistration('/page/').then(r => r.active?.state)", wait=True) == "activated")
    tab.send("ServiceWorker.deliverPushMessage", origin=address(), registrationId=number, data=json.dumps(message))
    shown = ("navigator.serviceWorker.getRegistration('/page/').then(r => r.getNotifications())"
             ".then(all => all.map(n => [n.title, n.body, n.tag, n.data.url]))")
    browser.until("a notification", lambda: tab.value(shown, wait=True))
    note = tab.value(shown, wait=True)
    expect("the worker shows it", note, [[
        "Gate", f"warn: gate {wanted}", fields["topic"], address(f"/page/gates/{wanted}")]])
    tab.open(note[0][3])
    expect("its address is the gate, signed in", (tab.status(), tab.text()),
           lambda seen: seen[0] == 200 and "Shall the secret word be told?" in seen[1])
    service.status = 410
    gone = subprocess.run(["push-notify", "test", "--to", "devices", "--allow-private"],
                          env=Place.scratch.environment, capture_output=True, text=True, check=False)
    expect("a subscription that has ended is told, and removed",
           (gone.returncode != 0, "secret-part" in gone.stdout + gone.stderr, "Notify me" in gone.stdout), (True, False, True))
    none = subprocess.run(["push-notify", "test", "--to", "devices"], env=Place.scratch.environment,
                          capture_output=True, text=True, check=False)
    expect("the device stays", (none.returncode, records("hub-serve", "devices")[0]["revoked"]), (66, False))


class Subscriber:
    """A browser that signed in and subscribed, without a window."""

    def __init__(self, name):
        self.service = PushService()
        code = link(name=name).split("=")[-1]
        self.fields = {"Origin": address()}
        connection = http.client.HTTPConnection("127.0.0.1", Place.hub.port)
        connection.request("POST", "/page/sign-in", urllib.parse.urlencode({"code": code}), self.fields | {
            "Content-Type": "application/x-www-form-urlencoded"})
        self.fields["Cookie"] = connection.getresponse().headers["Set-Cookie"].split(";")[0]
        connection.close()

    def subscribe(self, subscription):
        """Sends the subscription; gives the status."""
        connection = http.client.HTTPConnection("127.0.0.1", Place.hub.port)
        connection.request("GET", "/page/push.json", None, self.fields)
        token = json.load(connection.getresponse())["token"]
        body = urllib.parse.urlencode({"token": token, "subscription": json.dumps(subscription)})
        connection.request("POST", "/page/push", body, self.fields | {"Content-Type": "application/x-www-form-urlencoded"})
        answer = connection.getresponse()
        connection.close()
        return answer.status


def subscribers(browser):
    """Browsers that come and go while push-notify follows."""
    first = Subscriber("first")
    good = first.service.subscription
    for wrong in ({}, [], good | {"endpoint": "javascript:alert(1)"}, good | {"endpoint": 7}, good | {"keys": {}},
                  good | {"keys": good["keys"] | {"auth": "AAAA"}}, good | {"endpoint": "https://" + "x" * 3000}):
        if (status := first.subscribe(wrong)) != 400:
            raise Failed(f"{wrong}: {status}")
    expect("what is no subscription is refused", first.subscribe(good), 303)
    private = subprocess.run(["push-notify", "test", "--to", "devices"], env=Place.scratch.environment,
                             capture_output=True, text=True, check=False)
    expect("a private address needs leave", (private.returncode != 0, first.service.requests), (True, []))
    # A device of another scope cannot have itself told.
    code = records("hub-serve", "register-code", "--scope", "events")[0]["code"]
    ask("POST", "/v1/auth/device/register", json.dumps({
        "code": code, "deviceName": "ci", "devicePublicKey": "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
        "pushToken": json.dumps(good)}))
    told = open(Place.scratch.path / "told", "w+", encoding="utf-8")
    follower = start("push-notify", "--follow", "--to", "devices", "--allow-private", stdout=told)

    def deliveries():
        return [json.loads(line) for line in open(told.name, encoding="utf-8").read().splitlines()]

    def names(summary):
        """Opens a gate, and gives the targets that were told of it, once all were."""
        count = len(deliveries())
        wanted = gate(summary)
        browser.until(summary, lambda: len(deliveries()) > count and all(
            each["status"] == "sent" for each in deliveries()[count:]))
        return wanted, count

    queue = sqlite3.connect(Place.scratch.path / "home/data/push.db")
    browser.until("it follows", lambda: queue.execute("SELECT count(*) FROM pushPlace").fetchone()[0])
    names("one")
    expect("who may only send events is not told", [each["target"] for each in deliveries()], ["device:first"])
    second = Subscriber("second")
    second.subscribe(second.service.subscription)
    _, count = names("two")
    browser.until("both", lambda: len(deliveries()) == count + 2)
    expect("a browser that comes is told", sorted(each["target"] for each in deliveries()[count:]),
           ["device:first", "device:second"])
    first.service.status = 410
    count = len(deliveries())
    gate("three")
    browser.until("both ends", lambda: len(deliveries()) == count + 2)
    expect("one that has ended does not stop the other", sorted(
        (each["target"], each["status"]) for each in deliveries()[count:]),
        [("device:first", "failed"), ("device:second", "sent")])
    _, count = names("four")
    expect("and is told no more", [each["target"] for each in deliveries()[count:]], ["device:second"])
    follower.terminate()
    follower.wait()
    expect("messages are those of the browser alone", [len(first.service.requests), len(second.service.requests)], [3, 3])


def views(browser):
    """Each view at two sizes, for people who do not see it, and on a narrow screen."""
    axe = open(os.environ["AXE"], encoding="utf-8").read()
    tab = browser.tab()
    sign_in(tab, "steer")
    run("agent-run", "--swarm", "night", "--agent", "builder", "--", "sh", "-c", "echo 'error: no'; exit 1", check=False)
    incident = records("agent-stat", "incidents", "--json")[0]["id"]
    paths = ["", "/incidents", f"/incidents/{incident}", "/gates", "/gates/" + gate("Deploy? " + "word " * 60),
             "/swarms/night", "/agents/builder", "/live", "/device"]
    for path in paths:
        for width, height in ((1280, 800), (390, 844), (320, 640)):
            tab.size(width, height)
            tab.open(address("/page" + path))
            wide = tab.value("document.documentElement.scrollWidth")
            if wide > width:
                raise Failed(f"/page{path} is {wide} wide at {width}")
            tab.value(axe + "; 0")
            found = tab.value("axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html)))", wait=True)
            if found:
                raise Failed(f"/page{path} at {width}: {found}")
        for scheme in ("light", "dark"):
            tab.send("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])
            found = tab.value("axe.run({runOnly: ['color-contrast']}).then(r => r.violations.map(v => v.id))", wait=True)
            if found:
                raise Failed(f"/page{path}, {scheme}: {found}")
        tab.send("Emulation.setEmulatedMedia", features=[])
        tree = tab.send("Accessibility.getFullAXTree")["nodes"]
        roles = [node["role"]["value"] for node in tree if not node.get("ignored")]
        if not {"main", "navigation", "heading", "banner"} <= set(roles):
            raise Failed(f"/page{path} has {sorted(set(roles))}")
        bare = [node["role"]["value"] for node in tree if not node.get("ignored")
                and node["role"]["value"] in ("button", "link", "textbox") and not node.get("name", {}).get("value")]
        if bare:
            raise Failed(f"/page{path} has {bare} without a name")
    print("every view fits 1280, 390 and 320 pixels, and axe finds nothing, light and dark")
    tab.size(1280, 800)
    tab.open(address("/page/gates"))
    wanted = gate("By keyboard?")
    tab.open(address(f"/page/gates/{wanted}"))
    for _ in range(40):
        tab.key("Tab", 9)
        if tab.value("document.activeElement.value") == "approve":
            break
    tab.loaded(lambda: tab.key("Enter", 13))
    expect("the keyboard alone approves", decided(wanted), "approved")


def main():
    parts, failed = [plain, scripted, steering, live, strangers, notified, subscribers, views], 0
    for part in parts:
        Place.scratch = hubs.Scratch()
        Place.hub = hubs.Hub(Place.scratch, "--page")
        Place.hub.start()
        print(f"-- {part.__name__}", flush=True)
        try:
            with Browser() as browser:
                part(browser)
        except Failed as failure:
            failed += 1
            print(f"browse-hub.sh: {part.__name__}: {failure}", flush=True)
        Place.hub.process.terminate()
        Place.hub.process.wait()
    print(f"{len(parts) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
