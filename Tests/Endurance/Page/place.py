"""The hub of a part, the tools that reach it, and other sites: what the parts of browse-hub.sh share."""
import http.server
import json
import pathlib
import subprocess
import sys
import threading
import traceback
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Hub"))

import hub as hubs  # noqa: E402
from browser import Failed  # noqa: E402


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


def gate(summary, impact="two minutes"):
    """Opens a gate, which nobody waits for."""
    body = json.dumps({"summary": summary, "context": {
        "why": "the tests pass", "impact": impact, "risk": "low", "recommendedAction": "approve"}})
    return ask("POST", "/v1/approval-gates", body)["gateId"]


def ask(method, path, body=None, cookie=None):
    fields = {"Content-Type": "application/json"}
    if cookie:
        fields["Cookie"] = cookie
    else:
        fields["Authorization"] = f"Bearer {Place.hub.token}"
    asked = urllib.request.Request(address(path), body.encode() if body else None, fields, method=method)
    with urllib.request.urlopen(asked, timeout=300) as answer:
        return json.load(answer)


def decided(gate_id):
    return ask("GET", f"/v1/approval-gates/{gate_id}")["approvalGate"]["status"]


def expect(case, seen, wanted):
    holds = wanted(seen) if callable(wanted) else seen == wanted
    if not holds:
        raise Failed(f"{case}: {seen!r}" + ("" if callable(wanted) else f", not {wanted!r}"))
    print(case, flush=True)


def has(*parts):
    return lambda text: text is not None and all(part in text for part in parts)


def sign_in(tab, scope="decide", name=None):
    tab.open(link(scope, name))
    tab.loaded(lambda: tab.click("main form button"))


def cookie(tab):
    """The cookies of the hub, as a request of its page would send them."""
    found = tab.send("Network.getCookies", urls=[address("/page")])["cookies"]
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


def begin():
    """Starts a hub with a page, in a home of its own."""
    Place.scratch = hubs.Scratch()
    Place.hub = hubs.Hub(Place.scratch, "--page")
    Place.hub.start()


def end():
    """Ends the hub."""
    Place.hub.process.terminate()
    Place.hub.process.wait()


def run_parts(script, parts):
    """Runs each part with a hub of its own; returns the exit status of the script."""
    failed = 0
    for part in parts:
        begin()
        print(f"-- {part.__name__}", flush=True)
        try:
            part()
        except Failed as failure:
            failed += 1
            print(f"{script}: {part.__name__}: {failure}", flush=True)
        except Exception:
            failed += 1
            print(f"{script}: {part.__name__}: {traceback.format_exc()}", flush=True)
        finally:
            end()
    print(f"{len(parts) - failed} passed, {failed} failed")
    return 1 if failed else 0
