"""The parts of browse-hub.sh about push messages."""
import base64
import http.client
import http.server
import json
import os
import sqlite3
import subprocess
import threading
import urllib.parse

import http_ece
import py_vapid
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from browser import Failed
from place import Place, address, ask, expect, gate, has, link, records, run, sign_in, start


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


# The notifications that the page's worker shows.
SHOWN = ("navigator.serviceWorker.getRegistration('/page/').then(r => r.getNotifications())"
         ".then(all => all.map(n => [n.title, n.body, n.tag, n.data.url]))")


def subscribe(tab, service):
    """Stores the service's subscription, as the page does; returns the kind of the answer, and the sender's key."""
    return tab.value(f"""(async () => {{
        const {{key, token}} = await (await fetch('/page/push.json')).json();
        const body = new URLSearchParams({{token, subscription: {json.dumps(json.dumps(service.subscription))}}});
        const answer = await fetch('/page/push', {{method: 'POST', body, redirect: 'manual'}});
        return [answer.type, key] }})()""", wait=True)


def alerted():
    """Sends the last alerts to the devices; returns the last delivery, and what was reported."""
    run("agent-stat")
    sent = subprocess.run(
        ["bash", "-c", "stream-tail --type alert --last 10 | push-notify --to devices --allow-private"],
        env=Place.scratch.environment, capture_output=True, text=True, check=False)
    deliveries = [json.loads(line) for line in sent.stdout.splitlines()]
    delivery = [each for each in deliveries if each["type"] == "delivery"][-1:] or [{}]
    return (*(delivery[0].get(name) for name in ("status", "target", "kind")), sent.stderr)


def registered(browser, tab):
    """Presses the button, which registers the worker; returns the number of its registration."""
    tab.send("ServiceWorker.enable")
    # Without a network, Chromium's own push service then refuses.
    tab.open(address("/page/device"))
    browser.until("the press is offered", lambda: tab.value("!document.getElementById('notify').hidden"))
    tab.click("#notify")

    def known():
        return [one for each in tab.named("ServiceWorker.workerRegistrationUpdated") for one in each["registrations"]]
    browser.until("the worker is known", known)
    browser.until("the worker is active", lambda: tab.value(
        "navigator.serviceWorker.getRegistration('/page/').then(r => r.active?.state)", wait=True) == "activated")
    return known()[-1]["registrationId"]


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
    stored = subscribe(tab, service)
    expect("a subscription is stored", stored[0], "opaqueredirect")
    wanted = gate("Shall the secret word be told?")
    expect("the alert about a gate is sent", alerted(), ("sent", "device:phone", "approvalGate", ""))
    fields, message = service.message()
    expect("the browser can read it", message, {"web_push": 8030, "notification": {
        "title": f"Gate {wanted[-8:]}", "body": "warn", "navigate": address(f"/page/gates/{wanted}"),
        "tag": fields["topic"]}})
    expect("the service knows its sender, its urgency and its end", [
        fields["ttl"], fields["urgency"], len(fields["topic"]), py_vapid.Vapid02.verify(fields["authorization"]),
        fields["authorization"].split("k=")[1] == stored[1]], ["86400", "normal", 32, True, True])
    number = registered(browser, tab)
    tab.send("ServiceWorker.deliverPushMessage", origin=address(), registrationId=number, data=json.dumps(message))
    browser.until("a notification", lambda: tab.value(SHOWN, wait=True))
    note = tab.value(SHOWN, wait=True)
    expect("the worker shows it", note, [[
        f"Gate {wanted[-8:]}", "warn", fields["topic"], address(f"/page/gates/{wanted}")]])
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
