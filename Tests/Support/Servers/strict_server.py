#!/usr/bin/env python3
"""A model provider on 127.0.0.1 that refuses what the models of a table refuse.

    strict_server.py --rows FILE [--day YYYY-MM-DD] [--log FILE] [--no-key] [--latency MS]

--rows names a table of models in NDJSON. Rows that are not in force on --day (default 2026-11-23)
do not count. A model that no row lists, or that has retired, is a 404. A model named `mystery-A-B`
is in no row: it refuses the parameters A and B and nothing else; `mystery-plain` refuses none.

POST …/messages, …/chat/completions, …/responses and …/images/generations, streamed if the request
says `stream`. GET …/models and …/models/ID, in Anthropic's form if the request has `x-api-key` or
`anthropic-version` (five a page), else in OpenAI's; below /v1beta/ it lists Google's models. Paths
below /inference/ and /catalog/ are gone (410), as GitHub Models are. loopback.py says how the
server starts and ends.

A refusal has the provider's own form: Anthropic names a parameter in its sentence only, OpenAI in
`error.param`. The server refuses

  parameters, values and efforts that the row refuses or does not have
  more output or input than the row allows
  members that the interface does not know, and required ones that are missing
  thinking and sealed reasoning that were changed
  thinking whose conversation was changed (Fable 5.1 and 5.2, and all of 5.5)

A token is four bytes of text. Prefixes are cached by model and key: on Anthropic's wire the marked
ones, on OpenAI's all from 1024 tokens on. The usage reports what was read and written. Thinking
takes 20 tokens at effort low, twice as many at each level above, and counts towards the limit.

The answer is `ok`, a plan if a message contains `You are the CEO`, or JSON that fits the schema of
the request. Words in the last user message change it:

  REFUSE:CATEGORY        a refusal before any text; CATEGORY is cyber, bio, null, …
  REFUSE:CATEGORY:after  a refusal after some text
  EMPTY                  thinking only, up to the limit; models that do not think ignore it
  TIER:NAME              the tier that served the request: batch, priority, flex, …
  GEO:us, SPEED:fast     `inference_geo` and `speed` in Anthropic's usage

--log gets one line a request, written before the answer: type "request", number, method, path,
wire (anthropic, chat, responses, images, models, or null), model, status, refused (the parameter,
or null), message (of the error, or null), keyPresent, betas (the value of `anthropic-beta`), body
(parsed) and usage (as answered, or null).
"""

import hashlib
import sys
import traceback
from urllib.parse import unquote

import loopback
import strict_anthropic
import strict_openai
from model_answers import compact, utf8
from model_server import body_of, key_of
from strict_answers import image_usage, reply
from strict_models import Catalog
from strict_prompts import Cache, check_signatures
from strict_refusal import Refusal
from strict_wires import Anthropic, Chat, Images, Responses

TODAY = "2026-11-23"
WIRES = {
    "/messages": Anthropic,
    "/chat/completions": Chat,
    "/responses": Responses,
    "/images/generations": Images,
}
GONE = ("/inference/", "/catalog/")


class Target:
    """The interface that a request is for."""

    def __init__(self, request):
        self.path, _, self.query = request.target.partition("?")
        self.wire = next((wire for end, wire in WIRES.items() if self.path.endswith(end)), None)
        self.model = unquote(self.path.partition("/models/")[2]) or None
        self.lists = not self.wire and (self.model or self.path.endswith("/models"))
        self.name = self.wire.name if self.wire else "models" if self.lists else None
        asked = {"x-api-key", "anthropic-version"} & set(request.headers)
        self.is_anthropic = self.wire is Anthropic or bool(self.lists and asked)


class StrictServer:
    """Answers requests by the catalog, and remembers what was cached."""

    def __init__(self, catalog, log, key_needed=True, latency=0):
        self.catalog = catalog
        self.log = log
        self.key_needed = key_needed
        self.latency = latency
        self.cache = Cache()

    async def handle(self, exchange):
        request = exchange.request
        await exchange.wait(self.latency / 1000)
        target = Target(request)
        identity = hashlib.sha256(b"%d %b" % (request.number, request.body)).hexdigest()[:24]
        status, usage, parts, refusal = 200, None, None, None
        try:
            self.check_access(request, target)
            if target.lists:
                value = self.models(target)
            else:
                value, parts, usage = self.answer(request, target.wire, identity)
        except Refusal as found:
            refusal = found
        except (AttributeError, TypeError):
            traceback.print_exc()
            refusal = Refusal(400, "a member has the wrong type")
        if refusal:
            status = refusal.status
            value = strict_openai.error(refusal)
            if target.is_anthropic:
                value = strict_anthropic.error(refusal, identity)
        self.note(request, target, status, refusal, usage)
        name = "request-id" if target.is_anthropic else "x-request-id"
        headers = [(name, f"req_{identity}")]
        if parts is None:
            headers.append(("content-type", "application/json"))
            await exchange.answer(status, headers, utf8(compact(value)))
            return "complete"
        exchange.head(200, [*headers, ("content-type", "text/event-stream; charset=utf-8")])
        for part in parts:
            exchange.put(part)
        await exchange.finish()
        return "complete"

    def check_access(self, request, target):
        """Refuses a request without regard to its model."""
        if any(place in target.path for place in GONE):
            raise Refusal(410, "GitHub Models was retired on 2026-07-30.")
        if not target.name:
            raise Refusal(404, f"Not found: {target.path}")
        if request.method != ("GET" if target.lists else "POST"):
            raise Refusal(405, f"Method not allowed: {request.method}")
        if self.key_needed and not key_of(request.headers):
            raise Refusal(401, "no API key was given", code="invalid_api_key")
        if not target.lists and body_of(request) is None:
            raise Refusal(400, "the body is not a JSON object")

    def models(self, target):
        """A list of models, or one of them."""
        if target.is_anthropic:
            if target.model:
                return self.catalog.anthropic(self.catalog.find(target.model, ["anthropic"]))
            return self.catalog.anthropic_page(target.query)
        providers = ["google" if "/v1beta/" in target.path else "openai"]
        if target.model:
            return self.catalog.openai(self.catalog.find(target.model, providers))
        return self.catalog.openai_list(providers)

    def answer(self, request, wire, identity):
        """The whole answer, the events of a streamed one, and the usage."""
        headers, body, account = request.headers, body_of(request), key_of(request.headers)
        streamed = body.get("stream") is True
        if wire is Images:
            model = self.check_openai(wire, body, account, "image")
            usage = image_usage(body)
            return wire.whole(body, usage), wire.events(body, usage) if streamed else None, usage
        dropped = []
        if wire is Anthropic:
            strict_anthropic.check_shape(headers, body)
            model = self.catalog.find(body["model"], ["anthropic"], "chat")
            strict_anthropic.check_model(headers, body, model)
            drops = strict_anthropic.drops_blocks(headers, body)
            dropped = check_signatures(body, account, model, drops)
            count = self.cache.count_anthropic(body, model, account)
        else:
            model = self.check_openai(wire, body, account, "chat")
            count = self.cache.count_openai(wire.name, body, model, account)
        self.check_length(wire, model, count)
        found = reply(wire.name, body, model, count, account, identity)
        found.dropped = dropped
        return wire.whole(found), wire.events(found) if streamed else None, wire.usage(found)

    def check_openai(self, wire, body, account, kind):
        strict_openai.check_shape(wire.name, body, account)
        providers = ["openai", "google"] if wire is Chat else ["openai"]
        model = self.catalog.find(body["model"], providers, kind)
        strict_openai.check_model(wire.name, body, model)
        return model

    def check_length(self, wire, model, count):
        most = model.row.get("maxInputTokens")
        if not most or count.total <= most:
            return
        if wire is Anthropic:
            raise Refusal(400, f"prompt is too long: {count.total} tokens > {most} maximum")
        said = "Your input exceeds the context window of this model."
        raise Refusal(400, said, code="context_length_exceeded")

    def note(self, request, target, status, refusal, usage):
        """Writes the request's line of the log."""
        body = body_of(request) if request.body else None
        self.log.write(
            type="request",
            number=request.number,
            method=request.method,
            path=request.target,
            wire=target.name,
            model=body.get("model") if body else target.model,
            status=status,
            refused=refusal and refusal.parameter,
            message=refusal and refusal.message,
            keyPresent=bool(key_of(request.headers)),
            betas=request.headers.get("anthropic-beta"),
            body=body,
            usage=usage,
        )


def main():
    parser = loopback.options(__doc__)
    parser.add_argument("--rows", metavar="FILE", help="the table of models, NDJSON")
    parser.add_argument("--day", metavar="DAY", default=TODAY, help=f"the day (default: {TODAY})")
    parser.add_argument("--no-key", action="store_true", help="accept requests without an API key")
    given = parser.parse_args()
    if given.self_test:
        import strict_checks

        sys.exit(strict_checks.main(given.rows))
    if not given.rows:
        parser.error("--rows is missing")
    try:
        catalog = Catalog.load(given.rows, given.day)
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"strict_server: cannot read '{given.rows}': {problem}")
    # The one line of a request has its status: it is written here, not by the loopback server.
    strict = StrictServer(catalog, loopback.Log(given.log), not given.no_key, given.latency)
    served = loopback.Server(strict.handle, lambda request: {}, loopback.Log(None))
    loopback.run(served, given.port, given.stay)


if __name__ == "__main__":
    main()
