"""What a person does with the hub's page, in a real Chromium; see browse-hub.sh."""
import functools
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request

from browser import Browser, Failed
from place import Place, Site, address, ask, cookie, decided, expect, gate, has, link, records, run, run_parts, sign_in, start
from push_cases import notified, subscribers
from random_cases import random_events, random_pages
from scene import send, watched
from size_cases import large_text, pictures


# Parts.

def person(browser, scripts):
    """Signs in, reads each view, and decides."""
    tab = browser.tab(scripts)
    url = link()
    for _ in range(3):
        with urllib.request.urlopen(url, timeout=300) as answer:
            answer.read()
    tab.open(url)
    expect("a link that was fetched before still signs in", tab.text(), has("Sign in", "approve or reject what they ask for"))
    expect("no cookie is set before the press", cookie(tab), "")
    tab.loaded(lambda: tab.click("main form button"))
    expect("the press signs in", (tab.status(), tab.text("h1")), (200, "Overview"))
    expect("the first view says what to do", tab.text(), has("No agent has reported yet", "agent-adopt --follow"))
    expect("the cookie is for the hub alone", [
        (one["httpOnly"], one["sameSite"], one["path"]) for one in tab.send("Network.getCookies", urls=[address("/page")])["cookies"]
    ], [(True, "Lax", "/page")])
    expect("no other path of the machine receives it", tab.send("Network.getCookies", urls=[address("/")])["cookies"], [])
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
            ("/device", has("Device", "Sign out"))]:
        tab.open(address("/page" + path))
        expect(f"the view '/page{path}'".replace(incident, "ID").replace(first, "ID"), tab.text(), wanted)
    expect("the browser's log is empty", tab.complaints(), [])
    tab.open(address(f"/page/gates/{first}"))
    tab.loaded(lambda: tab.click("button[value=approve]"))
    expect("a gate is approved", tab.text(), has("Your decision took effect: approved", "decided by"))
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
    call = gate("May it write?", impact=json.dumps({"file_path": "/w/<b>", "content": "one\n\ttwo", "edits": [{"a": 1}]},
                                                   separators=(",", ":")))
    tab.open(address(f"/page/gates/{call}"))
    expect("the arguments of a call are a table", tab.text(".arguments"),
           'name\tvalue\nfile_path\t/w/<b>\ncontent\tone\n\ttwo\nedits\t[{"a":1}]')
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
    agent = start("agent-run", "--agent", "worker", "--", "sleep", "3000")
    try:
        browser.until("the agent is at work", lambda: any(
            one["status"] == "running" for one in records("agent-stat", "agents", "--json")))
        for action, outcome, status in (("pause", "paused", "paused"), ("resume", "resumed", "running")):
            tab.open(address("/page/agents/worker"))
            tab.type("#reason", "as a test")
            tab.loaded(lambda: tab.click(f"button[value={action}]"))
            expect(f"an agent gets '{action}'", tab.text(), has(f"agent 'worker' was {outcome}", "boss", "as a test"))
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
        expect("an agent is terminated", tab.text(), has("agent 'worker' was terminated", "boss"))
        agent.wait(300)
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


def outcomes(browser):
    """A control whose outcome comes late, with scripts and without."""
    send({"type": "traceEvent", "agentId": "silent", "swarmId": "night", "sessionId": "s", "traceId": "0" * 31 + "1",
           "spanId": "0" * 15 + "1", "name": "invoke_agent", "phase": "start", "attrs": {}, "ts": int(time.time() * 1000)})
    watched("agents", 1)
    asked = urllib.request.Request(address("/v1/controls?agentId=silent&sessionId=s"),
                                   headers={"Authorization": f"Bearer {Place.hub.token}"})
    # The hub takes the agent as connected until the answer is closed.
    with urllib.request.urlopen(asked, timeout=300) as agent:
        agent.readline()
        for scripts in (True, False):
            tab = browser.tab(scripts)
            sign_in(tab, "steer", "boss")
            tab.open(address("/page/agents/silent"))
            tab.type("#reason", "as a test")
            tab.loaded(lambda: tab.click("button[value=pause]"))
            how = "with scripts" if scripts else "without scripts"
            expect(f"a wait {how} ends, and says that nothing came", (tab.status(), tab.text()), lambda seen:
                   seen[0] == 200 and has("agent 'silent' has not answered yet", "as a test", "Agent silent")(seen[1]))
            expect(f"what to do is said {how}", "Reload this page" in tab.text(), not scripts)
            ask("POST", "/v1/controls/" + tab.value("location.pathname").split("/")[-1],
                json.dumps({"agentId": "silent", "sessionId": "s", "outcome": "applied"}))
            if not scripts:
                tab.open(tab.value("location.href"))
            browser.until("the outcome is shown", lambda: "agent 'silent' was paused" in (tab.text() or ""))
            expect(f"the outcome is shown {how}", (tab.text("[role=status]"), tab.complaints()), ("agent 'silent' was paused", []))


def live(browser):
    """New events, without a press."""
    tab = browser.tab()
    sign_in(tab)
    tab.open(address("/page/live"))
    empty = tab.text()
    gate("Is it the first event?")
    browser.until("the first event", lambda: "Is it the first event?" in tab.text())
    expect("Live begins with an empty log", (empty, tab.complaints()), lambda seen: "No events" in seen[0] and not seen[1])
    expect("with scripts, nothing is said for those without", empty, lambda text: "Reload this page" not in text)
    tab.open(address("/page/live"))
    tab.type("#agent", "chosen")
    tab.type("#words", "two words")
    tab.loaded(lambda: tab.click("form.filter button"))
    expect("a filter without events says so", tab.text(), has("No recent event matches the filter"))
    for agent, line in (("other", "two words"), ("chosen", "no word"), ("chosen", "these two words")):
        run("agent-run", "--agent", agent, "--", "echo", line)
    browser.until("the event of the filter", lambda: "these two words" in (tab.text("ol.events") or ""))
    expect("no other event comes", (tab.text("ol.events"), tab.value("document.querySelectorAll('ol.events li').length")),
           lambda seen: "no word" not in seen[0] and "other" not in seen[0] and seen[1] == 1)
    tab.open(tab.value("location.href"))
    expect("the filter holds when the page is read again", tab.text("ol.events"),
           lambda text: "these two words" in text and "no word" not in text and "other" not in text)
    tab.open(address("/page/gates"))
    gate("Does it come by itself?")
    browser.until("the gate is shown", lambda: "Does it come by itself?" in tab.text())
    expect("a new gate is shown without a press", tab.complaints(), [])
    tab.open(address("/page/live"))
    for host in ({}, {"host": "laptop"}, {"host": "laptop"}):
        send({"type": "log", "agentId": "walker", "level": "error", "message": "a step", "ts": int(time.time() * 1000)} | host)
    steps = "[...document.querySelectorAll('ol.events li')].map((one) => one.textContent).filter((one) => one.endsWith('a step'))"
    browser.until("the steps", lambda: len(tab.value(steps)) == 3)
    expect("a line names its machine from the second machine on", [" laptop " in line for line in tab.value(steps)], [False, True, True])
    tab.open(address("/page/live"))
    expect("read again, each line names its machine", [" laptop " in line for line in tab.value(steps)], [False, True, True])
    # Errors are never suppressed.
    flood = ("for i in $(seq 50); do for j in $(seq 100); do echo \"line $i $j\"; done; sleep 0.1; done;"
             "printf 'error: the \\u202elast\\001 line'")
    agent = start("agent-run", "--agent", "flood", "--", "bash", "-c", flood, stdout=subprocess.DEVNULL)
    browser.until("the last line", lambda: "the <U+202E>last<U+0001> line" in tab.text("ol.events"))
    agent.wait(300)
    expect("1,000 events a second are too many, and that is told", tab.text("ol.events"), has("suppressed"))
    expect("the list is bounded", tab.value("document.querySelectorAll('ol.events li').length"), lambda n: 200 < n <= 500)
    expect("hidden characters are shown", tab.complaints(), [])


def neighbours(browser):
    """Other ports of the machine, which receive the page's cookie and set cookies of its name, and other users."""
    tab = browser.tab()
    sign_in(tab)
    wanted = gate("May a neighbour decide?")
    own = cookie(tab)
    name, token = own.split("=", 1)
    site = Site("127.0.0.1")
    site.pages["/"] = "<p>other</p>"
    tab.open(site.url)
    for path in ("/page/gates", "/page/", "/"):
        for value in ("x", token[:-1], "ap1l_" + "A" * 43):
            tab.value(f"document.cookie = '{name}={value}; path={path}'")
            tab.open(address(f"/page/gates/{wanted}"))
            expect(f"a cookie for '{path}' of another port locks nobody out", (tab.status(), tab.text()),
                   lambda seen: seen[0] == 200 and "May a neighbour decide?" in seen[1])
            tab.open(site.url)
    tab.open(address(f"/page/gates/{wanted}"))
    tab.loaded(lambda: tab.click("button[value=approve]"))
    expect("its forms are accepted beside such cookies", decided(wanted), "approved")
    if os.geteuid() != 0:
        print("without root nobody is another user: the cookie of another user is not judged")
        return
    for field in (own, f"{name}=x; {own}", f"__Host-agentpipes={token}"):
        seen = run("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--", "curl", "-s", "-o", "/dev/null",
                   "-w", "%{http_code}", "-b", field, address("/page"))
        expect("the cookie is refused from another user", seen, "401")


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


def check_view(tab, axe, path, landmarks=frozenset({"main", "navigation", "heading", "banner"})):
    """Fails unless the view fits, axe finds nothing, and each control has a name."""
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
    if not landmarks <= set(roles):
        raise Failed(f"/page{path} has {sorted(set(roles))}")
    bare = [node["role"]["value"] for node in tree if not node.get("ignored")
            and node["role"]["value"] in ("button", "link", "textbox") and not node.get("name", {}).get("value")]
    if bare:
        raise Failed(f"/page{path} has {bare} without a name")


def views(browser):
    """Each view at two sizes, for people who do not see it, and on a narrow screen."""
    axe = open(os.environ["AXE"], encoding="utf-8").read()
    tab = browser.tab()
    check_view(tab, axe, "", {"main", "heading", "banner", "alert"})
    tab.open(link())
    check_view(tab, axe, tab.value("location.href").split("/page")[1], {"main", "heading", "banner"})
    sign_in(tab, "steer")
    check_view(tab, axe, "")
    run("agent-run", "--swarm", "night", "--agent", "builder", "--", "sh", "-c", "echo 'error: no'; exit 1", check=False)
    incident = records("agent-stat", "incidents", "--json")[0]["id"]
    control = ask("POST", "/v1/agents/builder/control", json.dumps({"action": "pause", "reason": "no", "requestId": "one"}))
    call = gate("May it write?", impact=json.dumps({"a-long-name-of-an-argument": "word " * 60, "b": ["x" * 300]},
                                                   separators=(",", ":"))[:-2] + "… and 2 more characters")
    for path in ("", "/incidents", f"/incidents/{incident}", "/gates", "/gates/" + gate("Deploy? " + "word " * 60), f"/gates/{call}",
                 "/swarms/night", "/agents/builder", f"/controls/{control['requestId']}", "/live", "/device"):
        check_view(tab, axe, path)
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


def in_browser(part):
    """The part, in a browser of its own."""
    @functools.wraps(part)
    def run_part():
        with Browser() as browser:
            part(browser)
    return run_part


if __name__ == "__main__":
    sys.exit(run_parts("browse-hub.sh", [in_browser(part) for part in (
        plain, scripted, steering, outcomes, live, neighbours, strangers, notified, subscribers, views, pictures, large_text,
        random_pages, random_events)]))
