"""Notifications on a desktop, from the press to the tap, in a real Firefox and Chromium; see tap-notification.sh."""
import json
import subprocess
import sys

from autopush import Autopush
from browser import Browser, until
from desktop import Desktop
from firefox import Firefox
from place import Place, address, decided, expect, gate, has, records, run, run_parts, sign_in
from push_cases import SHOWN, PushService, alerted, registered, subscribe


def view(gate_id):
    return address(f"/page/gates/{gate_id}")


def shows(desktop, gate_id):
    """Waits for the next notification, which is about the gate."""
    expect("the desktop shows it", desktop.next(),
           lambda seen: seen[0] == f"Gate {gate_id[-8:]}" and seen[1].endswith("warn"))


def tested():
    """Sends a test to the devices; returns the status, and what was reported."""
    done = subprocess.run(["push-notify", "test", "--to", "devices", "--allow-private"],
                          env=Place.scratch.environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


# Firefox.

class Person:
    """A person with Firefox, whose push service is the test's own."""

    def __init__(self, firefox, desktop, service):
        self.firefox, self.desktop, self.service = firefox, desktop, service

    def known(self, name):
        """A member of what the hub reports about this browser's notifications."""
        return self.firefox.value(f"return fetch('/page/push.json').then(a => a.json()).then(all => all.{name})")

    def device(self, button):
        """Opens the view of the device, and waits until its button has that text."""
        self.firefox.open(address("/page/device"))
        until(f"the view offers '{button}'", lambda: self.firefox.text("#notify") == button)

    def press(self):
        """Presses the button of the view of the device, and waits for the outcome."""
        before = self.firefox.text("#notify-state")
        self.firefox.click("#notify")
        until("the press has an outcome", lambda: self.firefox.text("#notify-state") != before)
        until("the button is back", lambda: not self.firefox.value("return document.getElementById('notify').disabled"))
        return self.firefox.text("#notify-state"), self.firefox.text("#notify"), self.known("isStored")

    def keys(self):
        """The keys of the senders that Firefox subscribed for."""
        return [each["key"].rstrip("=") for each in self.service.of("register")]

    def acknowledged(self, count):
        """Waits until Firefox has reported the outcomes of so many messages, and checks that it decrypted each."""
        until("Firefox reports the message", lambda: len(self.service.of("ack")) >= count or self.service.of("nack"))
        expect("Firefox decrypts it", (
            [each["updates"][0]["code"] for each in self.service.of("ack")], self.service.of("nack")), ([100] * count, []))

    def subscribes(self):
        sign_in(self.firefox, name="phone")
        expect("the press signs in", (self.firefox.text("h1"), self.firefox.url()), ("Overview", address("/page")))
        self.device("Notify me")
        expect("the view offers notifications", self.firefox.text(), has("This browser is not notified.", "Notify me"))
        expect("the press subscribes", self.press(), ("This browser is notified.", "Stop", True))
        expect("the push service knows the hub's key", self.keys(), [self.known("key")])

    def taps(self):
        """A tap opens the gate in a new tab."""
        wanted = gate("Shall the fox be told?")
        expect("the alert about a gate is sent", alerted(), ("sent", "device:phone", "approvalGate", ""))
        self.acknowledged(1)
        shows(self.desktop, wanted)
        expect("the worker shows it", [(*note[:2], len(note[2]), note[3]) for note in map(tuple, self.notes())],
               [(f"Gate {wanted[-8:]}", "warn", 32, view(wanted))])
        before = set(self.firefox.tabs())
        self.desktop.tap()
        opened = until("a tab opens", lambda: set(self.firefox.tabs()) - before)
        self.firefox.switch(opened.pop())
        until("it is loaded", lambda: self.firefox.url() != "about:blank" and
              self.firefox.value("return document.readyState") == "complete")
        expect("a tap opens the gate, signed in", (self.firefox.url(), self.firefox.text()),
               lambda seen: seen[0] == view(wanted) and "Shall the fox be told?" in seen[1])
        until("the notification closes", lambda: self.desktop.displayed() == 0)
        expect("the tap closes the notification", self.notes(), [])
        self.firefox.click("button[value=approve]")
        expect("the person decides there", decided(wanted), "approved")

    def notes(self):
        return self.firefox.value(f"return {SHOWN}")

    def taps_view(self, case, url, send=lambda: None):
        """Taps the notification about a view that is open behind another tab, once it is sent."""
        own, tabs = self.firefox.tab(), self.firefox.tabs()
        self.firefox.switch([tab for tab in tabs if tab != own][0], focus=True)
        self.firefox.switch(own)
        until("the other tab is in front", lambda: self.firefox.value("return document.hidden"))
        send()
        self.desktop.tap()
        until("the tab is in front, or another opens", lambda: len(self.firefox.tabs()) > len(tabs) or
              not self.firefox.value("return document.hidden"))
        expect(case, (self.firefox.tabs(), self.firefox.value("return document.hidden"), self.firefox.url()),
               (tabs, False, url))

    def taps_open_gate(self):
        """A tap shows the tab of the gate if it is open."""
        wanted = gate("And now the fox?")
        self.firefox.open(view(wanted))

        def send():
            expect("the alert about an open gate is sent", alerted(), ("sent", "device:phone", "approvalGate", ""))
            shows(self.desktop, wanted)
        self.taps_view("a tap shows the view that is open", view(wanted), send)
        self.acknowledged(2)

    def renews(self):
        """The push service loses its subscriptions, and the worker stores a new one."""
        self.service.forget()
        # While Firefox connects, it can send a request twice.
        until("Firefox subscribes again", lambda: len(self.keys()) > 1)
        expect("it subscribes for the same hub", set(self.keys()), {self.known("key")})
        until("the hub has the new subscription", lambda: tested()[0] == 0)
        self.acknowledged(3)
        expect("the desktop shows a test", self.desktop.next(), ("Incident", "warn"))
        self.firefox.open(address("/page"))
        self.taps_view("a tap shows the overview that is open, which no worker controls", address("/page"))

    def signs_out(self):
        """The subscription ends with the access, and is stored again with the next one."""
        self.device("Stop")
        self.firefox.click("main form button")
        expect("after 'Sign out', nobody is notified", tested(), lambda seen:
               seen[0] == 66 and "no device asked for notifications" in seen[1])
        sign_in(self.firefox, name="phone again")
        self.device("Stop")
        expect("after the next sign-in, the browser is notified again", (self.known("isStored"), tested()), (True, (0, "")))
        self.acknowledged(4)

    def changes_key(self):
        """The hub has another key, and subscriptions for the former one are of no use."""
        former = self.known("key")
        Place.hub.stop()
        run("key-store", "delete", "push-vapid")
        Place.hub.start()
        self.device("Notify me")
        expect("after the hub changed its key, the browser is not notified",
               (self.firefox.text("#notify-state"), self.known("key") != former), ("This browser is not notified.", True))
        expect("the press subscribes again", self.press(), ("This browser is notified.", "Stop", True))
        expect("it subscribes for the new key", self.keys()[-1], self.known("key"))
        expect("a test is sent", tested(), (0, ""))
        self.acknowledged(5)

    def stops(self):
        self.device("Stop")
        expect("'Stop' removes the subscription at the hub and at the push service",
               (*self.press(), self.service.subscriptions), ("This browser is not notified.", "Notify me", False, {}))
        expect("nobody is notified", tested(), lambda seen:
               seen[0] == 66 and "no device asked for notifications" in seen[1])


def firefox():
    """Firefox, from the press to the tap, and to the end of the subscription."""
    service = Autopush()
    with Desktop() as desktop, Firefox(desktop, service) as browser:
        person = Person(browser, desktop, service)
        for act in (person.subscribes, person.taps, person.taps_open_gate, person.renews, person.signs_out,
                    person.changes_key, person.stops):
            act()


# Chromium.

class Reader:
    """A person with Chromium, which gets the messages from its debugger."""

    def __init__(self, browser, desktop):
        self.browser, self.desktop, self.service = browser, desktop, PushService()
        self.tab = browser.tab()
        sign_in(self.tab, name="laptop")
        browser.send("Browser.grantPermissions", permissions=["notifications"], origin=address())
        self.tab.open(address("/page/device"))
        expect("a subscription is stored", subscribe(self.tab, self.service)[0], "opaqueredirect")
        self.number = registered(browser, self.tab)

    def told(self, summary):
        """Opens a gate, and waits until the desktop shows its notification; returns the gate."""
        wanted = gate(summary)
        self.deliver(wanted)
        return wanted

    def deliver(self, wanted):
        expect("the alert about a gate is sent", alerted(), ("sent", "device:laptop", "approvalGate", ""))
        self.tab.send("ServiceWorker.deliverPushMessage", origin=address(), registrationId=self.number,
                      data=json.dumps(self.service.message()[1]))
        shows(self.desktop, wanted)

    def opened(self):
        """Taps the notification; returns the tab that this opens."""
        before = set(self.browser.targets())
        self.desktop.tap()
        fresh = self.browser.until("a tab opens", lambda: {
            target for target, url in self.browser.targets().items() if target not in before and url.startswith("http")})
        tab = self.browser.attach(fresh.pop())
        self.browser.until("it is loaded", lambda: tab.value(
            "location.href !== 'about:blank' && document.readyState === 'complete'"))
        return tab

    def taps(self):
        """A tap opens the gate in a new tab; returns the tab."""
        wanted = self.told("Shall the chrome be told?")
        expect("the worker shows it", [note[3] for note in self.tab.value(SHOWN, wait=True)], [view(wanted)])
        tab = self.opened()
        expect("a tap opens the gate, signed in", (tab.value("location.href"), tab.text()),
               lambda seen: seen[0] == view(wanted) and "Shall the chrome be told?" in seen[1])
        self.browser.until("the notification closes", lambda: self.desktop.displayed() == 0)
        expect("the tap closes the notification", self.tab.value(SHOWN, wait=True), [])
        tab.loaded(lambda: tab.click("button[value=approve]"))
        expect("the person decides there", decided(wanted), "approved")
        return tab

    def taps_open_gate(self, tab):
        """A tap shows the tab of the gate if it is open."""
        wanted = gate("And now the chrome?")
        tab.open(view(wanted))
        self.browser.send("Target.activateTarget", targetId=self.tab.target)
        self.browser.until("the other tab is in front", lambda: tab.value("document.hidden"))
        before = self.browser.targets()
        self.deliver(wanted)
        self.desktop.tap()
        self.browser.until("the tab is in front, or another opens", lambda: not tab.value("document.hidden") or
                           len(self.browser.targets()) > len(before))
        expect("a tap shows the view that is open", (self.browser.targets(), tab.value("document.hidden")), (before, False))

    def taps_elsewhere(self, tab):
        """A tap opens the gate if no view of the hub is open; after the access has ended, it asks to sign in."""
        for each in (tab, self.tab):
            each.open("about:blank")
        wanted = self.told("And without the page?")
        fresh = self.opened()
        expect("without an open view, a tap opens the gate", (fresh.value("location.href"), fresh.text()),
               lambda seen: seen[0] == view(wanted) and "And without the page?" in seen[1])
        wanted = self.told("And after the end?")
        run("hub-serve", "revoke", records("hub-serve", "devices")[0]["id"])
        fresh = self.opened()
        expect("after the access has ended, a tap asks to sign in", (fresh.value("location.href"), fresh.text()),
               lambda seen: seen[0] == view(wanted) and "pair page" in seen[1] and "And after the end?" not in seen[1])


def chromium():
    """Chromium, from the message to the tap."""
    with Desktop() as desktop, Browser(desktop) as browser:
        reader = Reader(browser, desktop)
        tab = reader.taps()
        reader.taps_open_gate(tab)
        reader.taps_elsewhere(tab)


if __name__ == "__main__":
    sys.exit(run_parts("tap-notification.sh", [firefox, chromium]))
