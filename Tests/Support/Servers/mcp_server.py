"""A server of the Model Context Protocol over stdio that behaves, well or badly, as a call asks it to.

    mcp_server.py [--era modern|old|older|future|both] [--start dead|strict|mute] [--list KIND] [--log FILE]

Each received line is appended to the log. The tools, and what they do: see `Server.call`.
"""
import argparse
import json
import os
import sys
import threading
import time

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
FORM = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name"],
}
CHOICES = {
    "type": "object",
    "properties": {
        "colour": {"type": "string", "title": "The \x1b[31mcolour", "enum": ["red", "blue"]},
        "sizes": {"type": "array", "items": {"anyOf": [
            {"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}]}},
        "gift": {"type": "boolean", "default": True},
    },
    "required": ["colour"],
}
TOOLS = (
    "ask", "ask_choices", "ask_forever", "ask_nested", "ask_url", "big", "broken", "deep", "die", "echo",
    "error", "fail", "foreign", "hold", "never", "noise", "pings", "progress", "release", "sample",
    "structured",
)


class Server:
    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()
        self.answers = {}
        self.answered = threading.Condition()
        self.held = []
        self.asked = 0
        self.is_modern = False
        self.late = None
        self.pages = 0

    # What is sent.

    def write(self, text):
        with self.lock:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()

    def send(self, **members):
        self.write(json.dumps({"jsonrpc": "2.0", **members}))

    def reply(self, request, result):
        if self.is_modern:
            result = {"resultType": "complete", **result}
        self.send(id=request["id"], result=result)

    def refuse(self, request, code, message, data=None):
        error = {"code": code, "message": message}
        if data is not None:
            error["data"] = data
        self.send(id=request["id"], error=error)

    def text(self, request, text, **more):
        self.reply(request, {"content": [{"type": "text", "text": text}], **more})

    def question(self, params):
        """Asks the client, as a server of the older revisions does. Returns its answer."""
        self.asked += 1
        key = f"q{self.asked}"
        self.send(id=key, method="elicitation/create", params=params)
        with self.answered:
            self.answered.wait_for(lambda: key in self.answers)
            return self.answers[key]

    # What is received.

    def run(self):
        if self.options.start == "dead":
            sys.exit("cannot load \x1b[31mthe model\nno such model")
        for line in sys.stdin:
            if self.options.log:
                with open(self.options.log, "a") as log:
                    log.write(line)
            message = json.loads(line)
            if self.options.start == "mute":
                continue
            if "method" not in message:
                with self.answered:
                    self.answers[message["id"]] = message.get("result", message.get("error"))
                    self.answered.notify_all()
            elif "id" in message:
                self.take(message)

    def take(self, request):
        method, params = request["method"], request.get("params", {})
        era = self.options.era
        if method == "server/discover":
            if self.options.start == "strict":
                sys.exit("expected 'initialize'")
            if era == "future":
                self.refuse(
                    request, -32022, "unsupported", {"supported": ["2030-01-01"], "requested": MODERN})
            elif era == "both":
                self.refuse(
                    request, -32022, "unsupported",
                    {"supported": ["2025-06-18", "2024-11-05"], "requested": MODERN})
            elif self.options.start == "late" and self.late is None:
                self.late = request
            elif era == "modern":
                self.is_modern = True
                self.reply(request, {
                    "supportedVersions": [MODERN], "capabilities": {"tools": {}}, "ttlMs": 0,
                    "cacheScope": "private"})
            else:
                self.refuse(request, -32602, "Invalid request parameters")
        elif method == "initialize":
            if self.late is not None:
                self.take(self.late)
            if era == "modern":
                self.is_modern = True
                self.refuse(
                    request, -32022, "unsupported", {"supported": [MODERN], "requested": "2025-11-25"})
            else:
                wanted = params["protocolVersion"]
                version = {"older": "2024-11-05", "ancient": "1999-01-01"}.get(era, wanted)
                self.reply(request, {
                    "protocolVersion": version, "capabilities": {"tools": {}},
                    "serverInfo": {"name": "made", "version": "1"}})
        elif era == "modern" and META + "protocolVersion" not in params.get("_meta", {}):
            self.refuse(request, -32602, "no _meta")
        elif era == "modern" and params["_meta"][META + "protocolVersion"] != MODERN:
            self.refuse(request, -32022, "unsupported", {"supported": [MODERN], "requested": "?"})
        elif method == "tools/list":
            self.is_modern = era == "modern"
            self.list(request, params.get("cursor"))
        elif method == "tools/call":
            self.is_modern = era == "modern"
            threading.Thread(target=self.call, args=(request, params), daemon=True).start()
        else:
            self.refuse(request, -32601, f"no method {method}")

    def list(self, request, cursor):
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in TOOLS]
        page = {"tools": tools, "ttlMs": 5000, "cacheScope": "public"}
        kind = self.options.list
        if kind == "pages":
            at = int(cursor or 0)
            page = {"tools": tools[at:at + 7], "ttlMs": 9000 - at, "cacheScope": "public"}
            if at + 7 < len(tools):
                page["nextCursor"] = str(at + 7)
        elif kind == "loop":
            page["nextCursor"] = "again"
        elif kind == "endless":
            self.pages += 1
            page = {"tools": [], "nextCursor": str(self.pages)}
        elif kind == "broken":
            page["tools"] = [
                {"name": "", "inputSchema": {}}, {"inputSchema": {}}, "no tool", {"name": "x"},
                {"name": "bare\u202etool", "inputSchema": []}, tools[0], tools[0]]
        elif kind == "huge":
            page["tools"] = [
                {"name": f"t{n}", "description": "d" * 100_000, "inputSchema": {}} for n in range(100)]
            page["nextCursor"] = str(int(cursor or 0) + 1)
        elif kind == "none":
            page = {"tools": "none"}
        self.reply(request, page)

    def call(self, request, params):
        name, given = params["name"], params.get("arguments", {})
        meta = params.get("_meta", {})
        if name == "echo":
            self.text(request, json.dumps(given, sort_keys=True, ensure_ascii=False))
        elif name == "structured":
            self.text(request, "{}", structuredContent={"meta": meta})
        elif name == "fail":
            self.text(request, "it failed", isError=True)
        elif name == "error":
            self.refuse(request, given.get("code", -32000), given.get("message", "\x1b[31mno\nway"))
        elif name == "broken":
            self.send(id=request["id"], result=given.get("result", {"resultType": "strange"}))
        elif name == "noise":
            self.write('Starting "server"\n{"half": \n[1, 2]\n"text"\n{}\n\n\x00\x1b[2J{')
            self.text(request, "heard")
        elif name == "foreign":
            for id in (0, -1, request["id"] + 1000, str(request["id"]), None, [], 1.5):
                self.send(id=id, result={"content": [{"type": "text", "text": "of another"}]})
            self.send(id=request["id"] + 1, error={"code": -32603, "message": "of another"})
            self.text(request, "own")
            self.text(request, "again")
        elif name == "deep":
            self.write("[" * 100_000)
            self.write('{"jsonrpc":"2.0","id":%d,"result":%s1%s}' % (
                request["id"], '{"a":' * 5000, "}" * 5000))
            self.text(request, "shallow")
        elif name == "big":
            with self.lock:
                for _ in range(40):
                    sys.stdout.write("x" * (1 << 20))
                sys.stdout.flush()
        elif name == "die":
            if given.get("once"):
                if os.path.exists(given["once"]):
                    return self.text(request, "alive")
                open(given["once"], "w").close()
            sys.stderr.write("a line\nout of memory\n\n")
            sys.stderr.flush()
            os._exit(3)
        elif name == "hold":
            self.held.append(request)
            if given.get("tell"):
                self.send(method="notifications/progress", params={
                    "progressToken": meta["progressToken"], "progress": 1, "message": "held"})
        elif name == "release":
            self.text(request, "released")
            for held in self.held:
                self.text(held, "held")
        elif name == "never":
            self.send(method="notifications/progress", params={
                "progressToken": meta["progressToken"], "progress": 1, "message": "begun"})
        elif name == "progress":
            for step in range(given["steps"]):
                time.sleep(given["pause"])
                self.send(method="notifications/progress", params={
                    "progressToken": meta["progressToken"], "progress": step, "total": given["steps"],
                    "message": "step\x1b[31m"})
            self.text(request, "done")
        elif name == "pings":
            for number in range(given["count"]):
                self.send(id=f"p{number}", method=given.get("method", "ping"))
            with self.answered:
                self.answered.wait_for(lambda: len(self.answers) >= given["count"])
            self.text(request, json.dumps(self.answers, sort_keys=True))
        else:
            self.ask(request, params, name)

    def ask(self, request, params, name):
        questions = {
            "ask": {"mode": "form", "message": "Who?", "requestedSchema": FORM},
            "ask_choices": {"message": "Which?", "requestedSchema": CHOICES},
            "ask_url": {"mode": "url", "message": "Visit", "url": "https://example.com/x",
                        "elicitationId": "e1"},
            "ask_nested": {"message": "Who?", "requestedSchema": {
                "type": "object", "properties": {"in": {"type": "object", "properties": {}}}}},
            "ask_forever": {"message": "More?", "requestedSchema": FORM},
        }
        if name not in questions and name != "sample":
            return self.refuse(request, -32602, f"Unknown tool: {name}")
        if not self.is_modern:
            answer = self.question(questions[name])
            return self.text(request, json.dumps(answer, sort_keys=True))
        if "inputResponses" in params and name != "ask_forever":
            answer = [params["inputResponses"], params["requestState"], request["id"]]
            return self.text(request, json.dumps(answer, sort_keys=True))
        method = "sampling/createMessage" if name == "sample" else "elicitation/create"
        self.send(id=request["id"], result={
            "resultType": "input_required", "requestState": "state \u00e9 1",
            "inputRequests": {"who": {"method": method, "params": questions.get(name, {})}}})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--era", default="modern")
    parser.add_argument("--start", default="")
    parser.add_argument("--list", default="")
    parser.add_argument("--log", default="")
    Server(parser.parse_args()).run()


if __name__ == "__main__":
    main()
