"""The Messages API of Anthropic and the Responses API of OpenAI, which answer by plays and count each call.

The newest prompt with `play:NAME` chooses a play: a list of answers. An answer is a list of parts, or a tuple of
lists, one for each attempt. A request without a play, such as one for a title, gets an answer of its own.
"""
import collections
import decimal
import http.server
import json
import re
import socket
import threading
import uuid

# Dollars for a million tokens: input, read from a cache, written to it, written for an hour, output.
PRICES = {
    "claude-opus-5-5": ("4", "0.2", "5", "8", "20"),
    "claude-sonnet-5": ("2", "0.2", "2.5", "4", "10"),
    "gpt-5.5": ("5", "0.5", "5", "0", "30"),
}
Counts = collections.namedtuple("Counts", "plain read written hour output thought")
# An answer goes on after HOLD when one is released, and ends with its connection at CUT.
HOLD, CUT = {"kind": "hold"}, {"kind": "cut"}


def say(text):
    return {"kind": "text", "text": text}


def think(text):
    return {"kind": "thinking", "text": text}


def use(tool, **arguments):
    return {"kind": "tool_use", "tool": tool, "arguments": arguments}


def fault(status, name, message):
    return {"kind": "fault", "status": status, "error": {"type": name, "code": name, "message": message}}


def identity(prefix):
    return f"{prefix}_{uuid.uuid4().hex}"


class Call:
    """A request for an answer, and what it counts."""

    def __init__(self, number, form):
        self.number, self.session, self.model, self.counts = number, form.session, form.body["model"], None
        self.play, self.step = form.place()

    @property
    def cost(self):
        prices = map(decimal.Decimal, PRICES[self.model])
        return sum(count * price for count, price in zip(self.counts, prices)) / 1_000_000


class Models:
    """Both servers at one port, and the calls that they got."""

    def __init__(self, of_messages, of_responses):
        self.plays = {Messages: of_messages, Responses: of_responses}
        self.calls, self.lock, self.held, self.released = [], threading.Lock(), 0, threading.Semaphore(0)
        handler = type("Bound", (Handler,), {"models": self})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def begin(self, form):
        """A new call, and what this attempt gets."""
        with self.lock:
            call = Call(len(self.calls) + 1, form)
            attempts = [(call.session, call.play, call.step) for call in self.calls].count(
                (call.session, call.play, call.step))
            self.calls.append(call)
        if call.play is None:
            return call, form.aside()
        answers = self.plays[type(form)].get(call.play, [])
        answer = answers[call.step] if call.step < len(answers) else [say("Nothing follows.")]
        return call, answer[min(attempts, len(answer) - 1)] if isinstance(answer, tuple) else answer

    def hold(self):
        with self.lock:
            self.held += 1
        self.released.acquire()

    def counted(self, session=None, begin=0):
        """The calls that were counted, of all sessions or of one."""
        with self.lock:
            return [call for call in self.calls[begin:] if call.counts and session in (None, call.session)]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    models = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer(404, {"error": {"type": "not_found_error", "message": "there is no such page"}})

    do_HEAD = do_GET

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        form = {"/v1/messages": Messages, "/v1/responses": Responses}.get(self.path.split("?")[0])
        if form is None:
            self.do_GET()
            return
        form = form(self, body)
        call, parts = self.models.begin(form)
        if parts[0]["kind"] == "fault":
            self.answer(parts[0]["status"], {"type": "error", "error": parts[0]["error"]})
            return
        form.counts = call.counts = form.count(call.number, CUT in parts)
        if body.get("stream"):
            self.stream(form, parts)
        else:
            self.answer(200, form.whole(parts))

    def answer(self, status, value):
        data = b"" if self.command == "HEAD" else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, form, parts):
        self.send_response(200)
        for name, value in (("content-type", "text/event-stream"), ("request-id", identity("req")),
                            ("connection", "close")):
            self.send_header(name, value)
        self.end_headers()
        index = 0
        try:
            form.begin()
            for part in parts:
                if part is HOLD:
                    self.models.hold()
                elif part is CUT:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                else:
                    form.part(index, part)
                    index += 1
            form.end(parts)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def event(self, kind, **members):
        self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind} | members)}\n\n".encode())
        self.wfile.flush()


class Messages:
    """A request of Claude Code, and the form of its answer."""

    def __init__(self, handler, body):
        self.event, self.body, self.counts = handler.event, body, None
        self.session = handler.headers.get("x-claude-code-session-id")
        # Auto mode has each call of a tool judged.
        self.is_judge = "<block>" in json.dumps(body.get("system", ""))

    def place(self):
        """The play and the number of its answers so far; none of a request beside the conversation."""
        play, step, words = None, 0, ""
        for message in self.body["messages"]:
            step += message["role"] == "assistant"
            if message["role"] == "user":
                content = message["content"]
                blocks = [{"text": content}] if isinstance(content, str) else content
                texts = [block["text"] for block in blocks if "text" in block]
                words = "\n".join(text for text in texts if not text.startswith("<system-reminder>"))
                for found in re.findall(r"play:(\w+)", words):
                    play, step = found, 0
        is_aside = self.is_judge or not self.body.get("tools") or "detailed summary" in words
        return (None, 0) if is_aside else (play, step)

    def aside(self):
        return [say("<block>no</block>" if self.is_judge else '{"title": "A title"}'
                    if not self.body.get("tools") else "<summary>A play.</summary>")]

    def count(self, n, is_cut):
        return Counts(1100 + n, 6000 + 2 * n, 160 + n, 40, 1 if is_cut else 250 + n, 0)

    def usage(self, output):
        plain, read, written, hour = self.counts[:4]
        return {"input_tokens": plain, "cache_read_input_tokens": read, "output_tokens": output,
                "cache_creation_input_tokens": written + hour, "service_tier": "standard",
                "cache_creation": {"ephemeral_5m_input_tokens": written, "ephemeral_1h_input_tokens": hour}}

    def message(self, content, stop, output):
        return {"id": identity("msg"), "type": "message", "role": "assistant", "model": self.body["model"],
                "content": content, "stop_reason": stop, "stop_sequence": None, "usage": self.usage(output)}

    def block(self, part):
        if part["kind"] == "tool_use":
            return {"type": "tool_use", "id": identity("toolu"), "name": part["tool"], "input": part["arguments"]}
        seal = {"signature": "c2lnbmVk"} if part["kind"] == "thinking" else {}
        return {"type": part["kind"], part["kind"]: part["text"]} | seal

    def stop(self, parts):
        return "tool_use" if parts[-1]["kind"] == "tool_use" else "end_turn"

    def whole(self, parts):
        return self.message([self.block(part) for part in parts], self.stop(parts), self.counts.output)

    def begin(self):
        self.event("message_start", message=self.message([], None, 1))

    def part(self, index, part):
        block = self.block(part)
        kind = block["type"]
        if kind == "tool_use":
            empty, deltas = {"input": {}}, {"input_json_delta": {"partial_json": json.dumps(block["input"])}}
        else:
            empty, deltas = {kind: ""}, {f"{kind}_delta": {kind: block[kind]}}
        if kind == "thinking":
            deltas["signature_delta"] = {"signature": block["signature"]}
        self.event("content_block_start", index=index, content_block=block | empty)
        for name, delta in deltas.items():
            self.event("content_block_delta", index=index, delta={"type": name} | delta)
        self.event("content_block_stop", index=index)

    def end(self, parts):
        self.event("message_delta", delta={"stop_reason": self.stop(parts), "stop_sequence": None},
                   usage=self.usage(self.counts.output))
        self.event("message_stop")


class Responses:
    """A request of Codex, and the form of its answer."""

    def __init__(self, handler, body):
        self.event, self.body, self.counts, self.items = handler.event, body, None, []
        self.session, self.response = handler.headers.get("thread-id"), identity("resp")

    def place(self):
        """The play and the number of its answers so far, which are apart by what is not of the model."""
        play, step, was_model = None, 0, False
        for item in self.body["input"]:
            is_model = item.get("role") == "assistant" or item["type"] in (
                "reasoning", "function_call", "custom_tool_call")
            step += is_model and not was_model
            was_model = is_model
            if item.get("role") == "user":
                for found in re.findall(r"play:(\w+)", json.dumps(item)):
                    play, step = found, 0
        return (play, step) if self.body.get("tools") else (None, 0)

    def aside(self):
        return [say('{"title": "A title"}')]

    def count(self, n, is_cut):
        # What a call costs that was cut, nobody tells.
        return None if is_cut else Counts(1800 + n, 1200 + n, 0, 0, 500 + n, 90 + n)

    def item(self, part):
        if part["kind"] == "text":
            content = [{"type": "output_text", "text": part["text"], "annotations": []}]
            return {"type": "message", "id": identity("msg"), "role": "assistant", "status": "completed",
                    "content": content}
        if part["kind"] == "thinking":
            return {"type": "reasoning", "id": identity("rs"), "encrypted_content": "c2VhbGVk",
                    "summary": [{"type": "summary_text", "text": part["text"]}]}
        space, _, name = part["tool"].rpartition("/")
        call = {"id": identity("item"), "call_id": identity("call"), "status": "completed", "name": name}
        if "input" in part["arguments"]:
            return call | {"type": "custom_tool_call", "input": part["arguments"]["input"]}
        # SUBAGENT stands for the one that was started last.
        agents = re.findall(r'agent_id\W+([0-9a-f-]{36})', json.dumps(self.body["input"]))
        arguments = json.dumps(part["arguments"]).replace("SUBAGENT", agents[-1] if agents else "")
        return call | {"type": "function_call", "arguments": arguments} | ({"namespace": space} if space else {})

    def state(self, status):
        value = {"id": self.response, "object": "response", "created_at": 0, "model": self.body["model"],
                 "status": status, "output": self.items}
        if status == "completed":
            plain, read, _, _, output, thought = self.counts
            value["usage"] = {
                "input_tokens": plain + read, "input_tokens_details": {"cached_tokens": read},
                "output_tokens": output, "output_tokens_details": {"reasoning_tokens": thought},
                "total_tokens": plain + read + output}
        return value

    def whole(self, parts):
        self.items = [self.item(part) for part in parts]
        return self.state("completed")

    def begin(self):
        self.event("response.created", response=self.state("in_progress"))

    def part(self, index, part):
        item = self.item(part)
        self.event("response.output_item.added", output_index=index, item=item)
        if part["kind"] == "text":
            self.event("response.output_text.delta", item_id=item["id"], output_index=index, content_index=0,
                       delta=part["text"])
        self.event("response.output_item.done", output_index=index, item=item)
        self.items.append(item)

    def end(self, _):
        self.event("response.completed", response=self.state("completed"))
