"""Records whose every text is hostile, through the real hub, in a real browser."""
import json
import os
import random
import re
import time
import urllib.parse
import uuid

from browser import Failed
from hostile_texts import HostileTexts, visible
from markup import ATTRIBUTES, ELEMENTS
from place import Place, address, ask, sign_in
from scene import add_result, watched

# Lists what the document has and the page never writes.
JUDGE = """(() => {
  const faults = [], own = location.origin;
  const elements = new Set(%s), attributes = new Set(%s);
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.DOCUMENT_TYPE_NODE || node.nodeType === Node.TEXT_NODE) continue;
    if (node.nodeType !== Node.ELEMENT_NODE) { faults.push(`node ${node.nodeType}`); continue; }
    if (!elements.has(node.localName) || node.namespaceURI !== 'http://www.w3.org/1999/xhtml') faults.push(`element ${node.localName}`);
    for (const {name, value} of node.attributes) {
      if (!attributes.has(name)) faults.push(`attribute ${name} of ${node.localName}`);
      if (!['action', 'href', 'src'].includes(name)) continue;
      const url = new URL(value, own);
      const isOwn = url.origin === own && (url.pathname === '/page' || url.pathname.startsWith('/page/') || value[0] === '#');
      if (!isOwn && !(node.localName === 'a' && /^https?:$/.test(url.protocol) && node.rel === 'noreferrer noopener')) faults.push(`address ${value}`);
    }
  }
  const files = [...document.querySelectorAll('script, link')].map((one) => (one.src || one.href).slice(own.length));
  if (files.join() !== '/page/style.css,/page/icon.svg,/page/manifest.webmanifest,/page/script.js') faults.push(`files ${files}`);
  for (const name of ['main', 'body', 'head', 'title', 'h1']) {
    if (document.getElementsByTagName(name).length !== 1) faults.push(`several ${name}`);
  }
  if (document.getElementById('main')?.localName !== 'main') faults.push('no main');
  if (typeof canary !== 'undefined') faults.push('a script ran');
  for (const character of document.documentElement.textContent) {
    if (/[\\p{Cc}\\p{Zl}\\p{Zp}]|(?![\\u200c\\u200d\\u00ad])\\p{Cf}/u.test(character) && !'\\n\\t'.includes(character)) {
      faults.push(`character ${character.codePointAt(0).toString(16)}`);
    }
  }
  return [...new Set(faults)];
})()""" % (json.dumps(sorted(ELEMENTS)), json.dumps(sorted(ATTRIBUTES)))

# Complaints about views that do not exist, and about the icon's download, which ends when the next view is opened.
EXPECTED = ("responded with a status of 40", "the following icon from the Manifest: http://127.0.0.1:")


def source(share):
    """Returns the number of texts that are a share of all, and their source, of which it prints the seed."""
    count = round(share * int(os.environ["AGENTPIPES_TEXTS"]))
    seed = int(os.environ.get("AGENTPIPES_SEED") or random.randrange(1 << 32))
    print(f"{count} texts; AGENTPIPES_SEED={seed} repeats them", flush=True)
    return count, HostileTexts(seed)


def judge(tab, what):
    """Fails if the view acted, or shows more than the page writes; forgets what the tab reported."""
    faults = tab.value(JUDGE)
    faults += [line for line in tab.complaints() if not any(part in line for part in EXPECTED)]
    faults += [f"dialog: {each['message']}" for each in tab.named("Page.javascriptDialogOpening")]
    faults += [f"request: {each['request']['url']}" for each in tab.named("Network.requestWillBeSent")
               if not each["request"]["url"].startswith(address("/page"))]
    faults += [f"navigation: {each['frame']['url']}" for each in tab.named("Page.frameNavigated")
               if each["frame"].get("parentId") or not each["frame"]["url"].startswith(address("/page"))]
    faults += [f"window: {each['url']}" for each in tab.named("Page.windowOpen")]
    tab.events.clear()
    if faults:
        raise Failed(f"{what}: {[fault[:300] for fault in faults[:5]]}")


def view(tab, path, status=200):
    """Opens a view and judges it."""
    tab.open(address("/page" + path))
    if tab.status() != status:
        raise Failed(f"/page{path}: status {tab.status()}, not {status}: {tab.text()[:300]}")
    judge(tab, f"/page{path}")


def has_texts(tab, what, texts):
    """Fails unless the view shows each text whole."""
    shown = tab.value("document.body.textContent")
    for text in texts:
        if visible(text) not in shown:
            raise Failed(f"{what} does not show {text!r} as {visible(text)!r}")


def squeezed(text):
    """Returns the text without its white space, which a line shows as one space or by its numbers."""
    return re.sub(r"\s|<U\+(000[9A-D]|0085|2028|2029)>", "", text)


def has_lines(tab, what, messages):
    """Fails unless the list of events shows the beginning of each message."""
    shown = squeezed(tab.value("document.querySelector('ol.events').textContent"))
    for message in messages:
        message = message.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if squeezed(visible(message))[:1000] not in shown:
            raise Failed(f"{what} does not show {message!r}: {shown}")


def part(text):
    return urllib.parse.quote(text.encode("utf-8", "replace"), safe="")


def send(events):
    body = "\n".join(json.dumps(event) for event in events)
    status, answer = Place.hub.ask("POST", "/v1/events", body)
    if status != 200 or answer["rejected"]:
        raise Failed(f"events are answered with {status}: {str(answer)[:500]}")


class Round:
    """Records of each kind, in which every text is hostile."""

    def __init__(self, texts):
        self.texts, self.now = texts, int(time.time() * 1000)
        self.swarm, self.agent, self.session, self.trace = (texts.name() for _ in range(4))
        self.agents = [self.agent] + [texts.name() for _ in range(14)]

    def event(self, kind, **members):
        return {"type": kind, "ts": self.now, "swarmId": self.swarm, "agentId": self.agent} | members

    def send(self):
        """Sends the events."""
        texts, choice = self.texts, self.texts.random.choice
        events = [self.event("traceEvent", agentId=agent, spanId=f"{number:016x}", name="invoke_agent", phase="start", attrs={
            "agentpipes.task": texts.text(), "gen_ai.workflow.name": texts.text()}) for number, agent in enumerate(self.agents)]
        events.append(self.event("traceEvent", spanId="f" * 16, name="chat", phase="end", sessionId=self.session, attrs={
            "gen_ai.operation.name": "chat", "gen_ai.request.model": texts.text(), "gen_ai.usage.input_tokens": 10}))
        events += [self.event("traceEvent", traceId=self.trace, spanId=f"{number:016x}", name=texts.text(), skillId=texts.text(),
                               phase=choice(["start", "progress", "end"]), attrs={
                                   texts.text(): texts.text(), "error.type": texts.text()}) for number in range(10)]
        events += [self.event("metric", scope="agent", name=text, value=1) for text in texts.texts(5)]
        events += [self.event("log", message=texts.text(True), skillId=texts.text(True), level=choice(["debug", "info", "warn"]))
                   for _ in range(40)]
        # An incident is one for each combination of words.
        events += [self.event("log", level=choice(["error", "critical"]), message=f"{self._word()} {text}", cause=texts.text())
                   for text in texts.texts(15, True)]
        send(events)
        return sum(event["type"] == "log" and event["level"] in ("error", "critical") for event in events)

    def _word(self):
        return "".join(self.texts.random.choices("abcdefghijklmnopqrstuvwxyz", k=12))

    def open_gates(self):
        """Opens a gate with all facts and rejects it, and one about a result. Returns their ids, that of one about a
        call, the texts of the first and those of the call."""
        texts, result, pipeline = self.texts, self.texts.name(), self.texts.name()
        facts = {name: texts.text() for name in ("why", "impact", "risk", "recommendedAction")}
        question = texts.question()
        first = ask("POST", "/v1/approval-gates", json.dumps({
            "summary": question, "context": facts, "agentId": self.agent, "swarmId": self.swarm}))["gateId"]
        reason = ("this is the reason: " + texts.text())[:4000]
        ask("POST", f"/v1/approval-gates/{first}/decision", json.dumps(
            {"decision": "reject", "reason": reason, "requestId": str(uuid.uuid4())}))
        add_result(pipeline, "stage", title=texts.text(), content="\n\n".join(texts.texts(60)))
        send([self.event("approvalGate", gateId=result, status="pending", revision=1, summary=texts.text(), requestedBy=texts.text(),
                          requestedAt="2026-01-01T00:00:00.000Z", pipelineId=pipeline, stageId="stage", context={
                              name: texts.text() for name in ("why", "impact", "risk", "recommendedAction")})])
        arguments = {texts.name(): texts.text() for _ in range(3)}
        call = ask("POST", "/v1/approval-gates", json.dumps({
            "summary": question, "context": {"impact": json.dumps(arguments, separators=(",", ":"))}}))["gateId"]
        return first, result, call, [question, reason, *facts.values()], [*arguments, *arguments.values()]


def random_pages(browser):
    """Every view of records whose texts are random and hostile."""
    count, texts = source(0.8)
    tab = browser.tab()
    named = ask("POST", "/v1/page-links", json.dumps({"scope": "steer", "name": "<script>canary=1</script>{{7*7}}"}))
    tab.open(named["url"])
    tab.loaded(lambda: tab.click("main form button"))
    view(tab, "/device")
    has_texts(tab, "the device", ["<script>canary=1</script>{{7*7}}"])
    incidents = views = 0
    while texts.count < count:
        made = Round(texts)
        incidents += made.send()
        rejected, about, call, facts, arguments = made.open_gates()
        found = watched("incidents", incidents)
        worst = [each["id"] for each in found if each.get("agentId") == made.agent][0]
        paths = ["", "/incidents", f"/incidents/{worst}", "/gates", f"/gates/{part(about)}", f"/gates/{part(rejected)}",
                 f"/swarms/{part(made.swarm)}", f"/agents/{part(made.agent)}", f"/sessions/{part(made.session)}",
                 f"/traces/{part(made.trace)}", "/live"]
        for path in paths:
            view(tab, path)
        view(tab, f"/gates/{part(rejected)}")
        has_texts(tab, "the gate", facts)
        view(tab, f"/gates/{part(call)}")
        has_texts(tab, "the gate of a call", arguments)
        for kind in ("agents", "swarms", "incidents", "gates", "sessions", "traces"):
            view(tab, f"/{kind}/{part(texts.name())}", 404)
        view(tab, f"/sign-in?code={part(texts.text())}", 400)
        views += len(paths) + 9
    print(f"{texts.count} texts in {views} views did nothing", flush=True)


def random_events(browser):
    """The views that new records reach while they are open, by the page's own script."""
    count, texts = source(0.2)
    tab = browser.tab()
    sign_in(tab)
    send([Round(texts).event("log", level="info", message="the first event")])
    view(tab, "/live")
    batches = 0
    while texts.count < count:
        batches += 1
        made = Round(texts)
        messages = texts.texts(40, True)
        # Errors are never suppressed; of the others, fewer arrive than the page asks for in a second.
        events = [made.event("log", agentId=texts.text(), level=texts.random.choice(["error", "critical"]), message=message)
                  for message in messages]
        events += [made.event("traceEvent", spanId="0" * 16, name=text, phase="start", attrs={}) for text in texts.texts(10)]
        events += [made.event("metric", scope="agent", name=text, value=1) for text in texts.texts(5)]
        last = f"the end of batch {batches}."
        send(events + [made.event("log", level="error", message=last)])
        browser.until("the last event", lambda: last in tab.value("document.querySelector('ol.events').textContent"))
        judge(tab, "the live view")
        has_lines(tab, "the live view", messages)
    view(tab, "/live")
    has_lines(tab, "the live view, read again,", messages)
    view(tab, "/gates")
    for number in range(1 + count // 1000):
        ask("POST", "/v1/approval-gates", json.dumps({"summary": f"gate {number} of several: {texts.text()}"}))
        browser.until("the gate", lambda: f"gate {number} of several" in (tab.text() or ""))
        judge(tab, "the gates")
    print(f"{texts.count} texts did nothing in open views", flush=True)
