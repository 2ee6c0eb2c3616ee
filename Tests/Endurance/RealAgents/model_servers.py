"""Models that play plays: the Messages API of Anthropic and the Responses API of OpenAI, with a count of each call.

The newest prompt that contains `play:NAME` chooses a play. Its parts are one answer each:

  say, think, use   text, thinking, and the call of a tool
  fault             an HTTP status and its error
  hold              an answer that goes on only when `release` is called
  cut               an answer whose connection closes after its first word
"""
import collections
import decimal
import http.server
import json
import re
import threading
import uuid

MILLION = decimal.Decimal(1_000_000)
# Dollars for a million tokens: input, read from a cache, written to it, written for an hour, output.
PRICES = {
    "claude-opus-5-5": ("4", "0.2", "5", "8", "20"),
    "claude-sonnet-5-5": ("2", "0.1", "2.5", "4", "10"),
    "claude-haiku-5-5": ("0.1", "0.01", "0.125", "0.2", "0.5"),
    "gpt-5.5": ("5", "0.5", "5", "0", "30"),
}
Counts = collections.namedtuple("Counts", "plain read written hour output thought")


def say(text):
    return {"say": text}


def think(text):
    return {"think": text}


def use(tool, **arguments):
    return {"use": tool, "arguments": arguments}


def fault(status, kind, message, **fields):
    return {"fault": status, "kind": kind, "message": message, "fields": fields}


HOLD, CUT = {"hold": True}, {"cut": True}


class Call:
    """A request for an answer, and what was counted for it."""

    def __init__(self, number, session, body, play, step, tools):
        self.number, self.session, self.model, self.play, self.step = (
            number, session, body.get("model"), play, step)
        self.status, self.counts, self.whole = 200, None, False
        self.side = play is None or not tools

    def count(self, is_anthropic):
        n = self.number
        self.counts = (Counts(1100 + n, 6000 + 2 * n, 160 + n, 40, 250 + n, 0) if is_anthropic
                       else Counts(1800 + n, 1200 + n, 0, 0, 500 + n, 90 + n))

    @property
    def input(self):
        return sum(self.counts[:4])

    @property
    def cost(self):
        prices = [decimal.Decimal(price) for price in PRICES[self.model]]
        return sum(count * price for count, price in zip(self.counts, prices)) / MILLION


class Models:
    """Both servers, at one port, and the calls that they answered."""

    def __init__(self, plays):
        self.plays, self.calls, self.lock = plays, [], threading.Lock()
        self.held, self.released, self.faults = threading.Semaphore(0), threading.Semaphore(0), {}
        handler = type("Bound", (Handler,), {"models": self})
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def release(self):
        self.released.release()

    def begin(self, session, body, play, step, tools):
        with self.lock:
            call = Call(len(self.calls) + 1, session, body, play, step, tools)
            self.calls.append(call)
        return call

    def answered(self, session=None):
        """The calls whose answers have begun, of a session."""
        with self.lock:
            return [call for call in self.calls if call.counts and session in (None, call.session)]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    models = None

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer(200, {})

    def do_GET(self):
        self.answer(404, {"error": {"type": "not_found_error", "message": "there is no such thing"}})

    def do_POST(self):
        path = self.path.split("?")[0]
        body = json.loads(self.received() or b"{}")
        if path.endswith("/count_tokens"):
            self.answer(200, {"input_tokens": 1000})
        elif path.endswith("/messages"):
            self.play(body, Messages(self, body))
        elif path.endswith("/responses"):
            self.play(body, Responses(self, body))
        else:
            self.answer(404, {"error": {"type": "not_found_error", "message": "there is no such thing"}})

    def received(self):
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def answer(self, status, value, fields=()):
        data = json.dumps(value).encode()
        self.send_response(status)
        for name, text in [("content-type", "application/json"), ("content-length", str(len(data))), *fields]:
            self.send_header(name, text)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def event(self, kind, **members):
        data = json.dumps({"type": kind, **members})
        self.wfile.write(f"event: {kind}\ndata: {data}\n\n".encode())
        self.wfile.flush()

    def play(self, body, form):
        play, step = form.place()
        parts = form.side() if play is None else (self.models.plays[play] + [[say("Nothing follows.")]] * 9)[step]
        call = self.models.begin(form.session(), body, play, step, body.get("tools"))
        for part in parts:
            if "fault" in part:
                call.status = part["fault"]
                self.answer(part["fault"], form.fault(part), part["fields"].items())
                return
        call.count(isinstance(form, Messages))
        stream = body.get("stream")
        if not stream:
            call.whole = True
            self.answer(200, form.whole(call, parts))
            return
        self.send_response(200)
        for name, text in [("content-type", "text/event-stream"), ("request-id", form.request), ("connection", "close")]:
            self.send_header(name, text)
        self.end_headers()
        self.close_connection = True
        try:
            form.stream(call, parts)
        except (BrokenPipeError, ConnectionResetError):
            pass
