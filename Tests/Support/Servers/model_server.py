#!/usr/bin/env python3
"""A model provider on 127.0.0.1 that a script can make misbehave.

    model_server.py [--script FILE] [--log FILE] [--log-bodies] [--echo-key] [--no-key] [--local]
                    [--latency MS]

POST …/messages (Anthropic Messages), POST …/chat/completions (OpenAI chat completions) and POST …/responses (OpenAI
Responses), streamed or not; POST …/messages/count_tokens; GET …/models. Below /openai/ it is Azure OpenAI, v1 and dated, and
below /inference/ GitHub Models, with their paths, headers and errors (model_relatives.py).
A request without a key, a model, messages (Responses: input) or (Anthropic) max_tokens and anthropic-version is refused as
the real service refuses it, and uses up no behaviour. loopback.py says how the server starts and ends.

With no script the answer depends on the question alone (model_answers.py): a plan when the system text
has the word `pipeline` and `json`, else "Answer 3fa9…: …" and three paragraphs, shortened to max_tokens.
Input tokens = ceil(UTF-8 bytes of system and message texts / 4), output tokens = ceil(bytes of text / 4).

--script is a JSON array of behaviours. Each request takes the first one that is left and fits:

  when "TEXT"        fits only a request whose system or message texts contain TEXT (default: any)
  times N            serves N requests (default 1; 0 = every one that fits)
  latency MS         wait first; over --latency
  holdFile PATH      wait until PATH exists; holdAt "start" (default) or "half" (of the text)
  drop true          close the socket without an answer

  text "…"           the answer, never shortened;  stopReason "max_tokens" (Anthropic's word or any other)
  usage {…}          fields over the usage: the wire's own names, or inputTokens, outputTokens,
                     cacheReadTokens, cacheWriteTokens on any wire;  noUsage true
  reasoning "…"      what was thought before the text, sealed for its way back where the wire seals it
  calls [{id, name, arguments}]  tools wanted after the text; the arguments are a JSON text
  outputUsageOnly    message_delta gives only output_tokens;  usageTwice  a smaller message_delta before it
  chunks N           text deltas (default 8), or "bytewise": one character a delta, one byte a chunk
  splice N | [N,…]   sizes of the HTTP chunks, in turn, whatever the events
  pace MS            wait between events
  newline            "lf" (default), "crlf" or "cr";  multiline true  two data lines an event
  ping true          another ping inside the text (a comment on the chat wire); false: none at all
  unknown true       unknown events, blocks, deltas, fields and comments thrown in
  duplicateStart     true: a second message_start at half, and the whole text again;
                     "immediate": two message_start in a row

  cutAfter N|"text"  close the socket after N bytes of body, or after the text; reset true: by RST
  cleanCut true      end the body properly after the text (or cutAfter) but without the final events
  midError "TYPE"    an error event at half, and the end of the body; unstreamed, a 529 of that type
  stall true         send half, then hold the socket until the client leaves

  status N           an HTTP status; over 299 with the wire's error body
  headers {…}        more response headers;  retryAfterOn200 true  `retry-after: 1` on the answer
  body "…" | {…}     this body instead;  contentType "…"
  message, errorType, errorCode   for the error body or event;  close true  `connection: close`

--echo-key (hostile) puts the key received into a response header, into error messages, and for `{key}`
in `body`, `text` and `headers`. The log never holds it.

--log-bodies puts each request's body into its line of the log, as text.
"""

import itertools
import json
import sys

import loopback
import model_answers
import model_relatives
from model_draft import Draft
from model_responses import Responses
from model_script import Script
from model_wires import Anthropic, Chat, encoded


LOGGED = (
    "model",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "temperature",
    "stream",
)


def key_of(headers):
    bearer = headers.get("authorization", "")
    bearer = bearer[7:] if bearer.lower().startswith("bearer ") else ""
    return headers.get("x-api-key") or headers.get("api-key") or bearer.strip()


def wire_of(request):
    path = request.target.partition("?")[0]
    if path.endswith("/chat/completions"):
        return model_relatives.wire_of(path) or Chat
    if path.endswith("/responses"):
        return Responses
    return Anthropic if path.endswith(("/messages", "/messages/count_tokens")) else None


def body_of(request):
    """The JSON object of the request, parsed once, or None."""
    if not hasattr(request, "json"):
        try:
            value = json.loads(request.body)
        except (ValueError, RecursionError):
            value = None
        request.json = value if isinstance(value, dict) else None
    return request.json


def describe(request):
    """The request's line in the log, as far as it depends on the wire."""
    record = {"keyPresent": bool(key_of(request.headers))}
    body, wire = body_of(request), wire_of(request)
    if body is None or wire is None:
        return record
    system, messages = model_answers.question(wire.name, body)
    record["wire"] = wire.name
    for field in LOGGED:
        if field in body:
            record[field] = body[field]
    return record | {"system": system, "messages": [{"role": r, "text": t} for r, t in messages]}


def describe_whole(request):
    """The same, with the body as it came."""
    return describe(request) | {"body": request.body.decode("utf-8", "replace")}


def complaint(request, wire, body, key_needed):
    """(status, message, behaviour) of what the real service would refuse, or None."""
    if said := plain_complaint(request, wire, body, key_needed):
        return *said, {}
    return model_relatives.complaint(request, body)


def plain_complaint(request, wire, body, key_needed):
    """(status, message) of what every service would refuse, or None."""
    if request.method != "POST":
        return 405, "method not allowed"
    if key_needed and not key_of(request.headers):
        return 401, "no API key was given"
    if body is None:
        return 400, "the body is not a JSON object"
    if not isinstance(body.get("model"), str):
        return 400, "model: field required"
    said = "input" if wire is Responses else "messages"
    if not body.get(said) or not isinstance(body[said], (list, str)):
        return 400, f"{said}: field required"
    if wire is Anthropic and "anthropic-version" not in request.headers:
        return 400, "anthropic-version: header is required"
    if wire is Anthropic and request.target.partition("?")[0].endswith("/messages"):
        limit = body.get("max_tokens")
        if not isinstance(limit, int) or limit < 1:
            return 400, "max_tokens: field required"
    return schema_complaint(body)


def schema_complaint(body):
    """(status, message) of a tool whose schema no service takes, or None."""
    for tool in body.get("tools") or []:
        tool = tool.get("function", tool)
        schema = tool.get("input_schema", tool.get("parameters"))
        composed = {"$ref", "allOf", "anyOf", "enum", "not", "oneOf"} & set(schema)
        if schema.get("type") != "object" or composed:
            return 400, f"{tool['name']}: the schema must be an object without composition"
        if not isinstance(schema.get("required", []), list):
            return 400, f"{tool['name']}: the schema is not valid"
    return None


class ModelServer:
    """Answers over all wires, by the script first."""

    def __init__(self, script, latency=0, echo_key=False, key_needed=True, local=False):
        self.script = script
        self.latency = latency
        self.echo_key = echo_key
        self.key_needed = key_needed and not local
        self.local = local

    async def handle(self, exchange):
        request = exchange.request
        wire, path = wire_of(request), request.target.partition("?")[0]
        if wire is None and request.method == "GET" and path.endswith("/models"):
            return await self.reply(exchange, 200, {"data": [{"id": "model-a", "type": "model"}]})
        if wire is None:
            return await self.reply(exchange, 404, Anthropic.error(404, "not found", {}, "none"))
        if self.local and wire is Chat:
            wire = model_relatives.Local
        body = body_of(request)
        if refused := complaint(request, wire, body, self.key_needed):
            status, message, behaviour = refused
            return await self.reply(
                exchange,
                status,
                wire.error(status, self.shown(message, request), behaviour, f"{request.number:024}"),
            )
        system, messages = model_answers.question(wire.name, body)
        if path.endswith("/count_tokens"):
            return await self.reply(
                exchange, 200, {"input_tokens": model_answers.input_tokens(system, messages)}
            )
        behaviour = self.script.take("\n".join([system, *(text for _, text in messages)]))
        return await self.behave(exchange, wire, body, system, messages, behaviour)

    async def reply(self, exchange, status, value):
        await exchange.answer(status, [("content-type", "application/json")], encoded(value))
        return "complete"

    def shown(self, message, request):
        key = key_of(request.headers)
        return f"{message} (key: {key})" if self.echo_key and key else message

    def filled(self, text, request):
        return text.replace("{key}", key_of(request.headers)) if self.echo_key else text

    async def behave(self, exchange, wire, body, system, messages, behaviour):
        request = exchange.request
        if behaviour.get("close"):
            exchange.keep_alive = False
        await exchange.wait(behaviour.get("latency", self.latency) / 1000)
        if behaviour.get("holdFile") and behaviour.get("holdAt", "start") == "start":
            await exchange.wait_for_file(behaviour["holdFile"])
        if behaviour.get("drop"):
            await exchange.cut(behaviour.get("reset", False))
            return "dropped"
        if behaviour.get("midError") and body.get("stream") is not True:
            # With no stream to break, the same trouble is a status.
            behaviour = {"status": 529, "errorType": behaviour["midError"]} | behaviour
        status = behaviour.get("status", 200)
        identity = f"{request.number:08}{model_answers.digest(system, messages)[:16]}"
        headers = self.headers(exchange, wire, behaviour, identity, status)
        streamed = False
        if "body" in behaviour:
            given = behaviour["body"]
            data = encoded(self.filled(given, request) if isinstance(given, str) else given)
        elif status > 299:
            message = self.shown(
                behaviour.get("message", f"status {status} was asked for"), request
            )
            data = encoded(wire.error(status, message, behaviour, identity))
        else:
            draft = self.draft(request, wire, body, system, messages, behaviour, identity)
            if not behaviour.get("noUsage"):
                exchange.note["usage"] = wire.usage(draft)
            streamed = body.get("stream") is True
            data = None if streamed else encoded(wire.whole(draft))
        if streamed:
            parts = wire.stream(draft)
            kind, length = "text/event-stream; charset=utf-8", None
        else:
            middle = len(data) // 2
            parts = [data[:middle]], [data[middle:]], []
            kind, length = "application/json", len(data)
            if (
                behaviour.get("cleanCut")
                or behaviour.get("splice")
                or behaviour.get("chunks") == "bytewise"
            ):
                length = None
        headers.insert(0, ("content-type", behaviour.get("contentType", kind)))
        exchange.head(status, headers, length)
        return await self.send(exchange, wire, behaviour, parts, streamed)

    def draft(self, request, wire, body, system, messages, behaviour, identity):
        """The answer, scripted or by the question."""
        text, cut = behaviour.get("text"), False
        if text is None:
            limits = ("max_completion_tokens", "max_output_tokens", "max_tokens")
            limit = next((body[name] for name in limits if name in body), None)
            text, cut = model_answers.shortened(model_answers.answer(system, messages), limit)
        text = self.filled(text, request)
        usual = "tool_use" if behaviour.get("calls") else "end_turn"
        wanted = body.get("stream_options")
        return Draft(
            identity=identity,
            model=behaviour.get("model", body["model"]),
            text=text,
            stop=behaviour.get("stopReason", "max_tokens" if cut else usual),
            input=model_answers.input_tokens(system, messages),
            output=model_answers.tokens(text),
            behaviour=behaviour,
            include_usage=not issubclass(wire, Chat)
            or body.get("stream") is not True
            or isinstance(wanted, dict)
            and wanted.get("include_usage") is True,
        )

    def headers(self, exchange, wire, behaviour, identity, status):
        request = exchange.request
        headers = [(wire.request_id, f"req_{identity}")]
        if wire is not Anthropic:
            headers += [
                ("openai-processing-ms", "1"),
                ("x-ratelimit-remaining-requests", "4999"),
                ("x-ratelimit-reset-requests", "4ms"),
            ]
        if behaviour.get("retryAfterOn200") and status < 300:
            headers.append(("retry-after", "1"))
        if self.echo_key:
            headers.append(("x-echo-key", key_of(request.headers)))
        return headers + [
            (name, self.filled(str(value), request))
            for name, value in behaviour.get("headers", {}).items()
        ]

    async def send(self, exchange, wire, behaviour, parts, streamed):
        """Send the parts as the behaviour asks, and say how it ended."""
        first, second, end = parts
        ended = "complete"
        limit = behaviour.get("cutAfter")
        if behaviour.get("midError") and streamed:
            message = self.shown(behaviour.get("message", "Overloaded"), exchange.request)
            second, end = [wire.stream_error(behaviour["midError"], message, behaviour)], []
            ended = "midError"
        elif behaviour.get("cleanCut") or limit == "text":
            # A body that is not a stream has no final events: it loses its second half.
            second, end = (second, []) if streamed else ([], [])
        if behaviour.get("cleanCut"):
            ended = "cleanCut"
        elif limit is not None:
            ended = "cut"
        second = second + end
        if isinstance(limit, int):
            first, second = limited(first, limit), limited(second, limit - sum(map(len, first)))
        await self.send_part(exchange, behaviour, first)
        if behaviour.get("stall"):
            await exchange.flush()
            await exchange.wait_until_gone()
        if behaviour.get("holdFile") and behaviour.get("holdAt") == "half":
            await exchange.flush()
            await exchange.wait_for_file(behaviour["holdFile"])
        await self.send_part(exchange, behaviour, second)
        if ended == "cut":
            await exchange.cut(behaviour.get("reset", False))
        else:
            await exchange.finish()
        return ended

    async def send_part(self, exchange, behaviour, events):
        sizes = 1 if behaviour.get("chunks") == "bytewise" else behaviour.get("splice")
        pace = behaviour.get("pace", 0) / 1000
        if sizes:
            # A number of writes of their own, not one: the client is to see the pieces.
            for position, piece in enumerate(spliced(b"".join(events), sizes)):
                exchange.put(piece)
                await exchange.flush()
                if position % 64 == 63:
                    await exchange.wait(0.0001)
            return
        for event in events:
            exchange.put(event)
            if pace:
                await exchange.flush()
                await exchange.wait(pace)


def limited(events, count):
    """The events up to `count` bytes."""
    data = b"".join(events)[: max(count, 0)]
    return [data] if data else []


def spliced(data, sizes):
    position = 0
    for size in itertools.cycle([sizes] if isinstance(sizes, int) else sizes):
        if position >= len(data):
            return
        yield data[position : position + max(size, 1)]
        position += max(size, 1)


def main():
    parser = loopback.options(__doc__)
    parser.add_argument("--script", metavar="FILE", help="JSON array of behaviours")
    parser.add_argument("--log-bodies", action="store_true", help="log what is sent, whole")
    parser.add_argument("--echo-key", action="store_true", help="hostile: give the API key back")
    parser.add_argument("--no-key", action="store_true", help="accept requests without an API key")
    parser.add_argument("--local", action="store_true", help="answer as llama.cpp does; no key")
    given = parser.parse_args()
    if given.self_test:
        import model_checks

        sys.exit(model_checks.main())
    try:
        script = Script.load(given.script) if given.script else Script([])
    except (OSError, ValueError) as problem:
        sys.exit(f"model_server: cannot read '{given.script}': {problem}")
    models = ModelServer(
        script, given.latency, given.echo_key, not given.no_key, given.local
    )
    told = describe_whole if given.log_bodies else describe
    loopback.run(
        loopback.Server(models.handle, told, loopback.Log(given.log)), given.port, given.stay
    )


if __name__ == "__main__":
    main()
