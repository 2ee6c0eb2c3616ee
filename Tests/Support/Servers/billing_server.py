#!/usr/bin/env python3
"""A model provider on 127.0.0.1 that counts what it would bill, and misbehaves at random.

Anthropic's Messages, streamed. Each request that is let in is billed for its whole input and for the
output that was made before the answer ended, however it ended: cut, reset, stalled, broken off by an
error, or left by the client. A refusal by status is not billed. Some answers report their counts several
times, lower ones before and after those that are billed, and some report what is no count. The seed
chooses the behaviours, the model, how much of the input its cache held, and the terms of each answer: its
tier and its geography.
"""

import asyncio
import json
import random

# US dollars a million tokens: input, output, read from a cache, written to one; from how many input
# tokens on, and of what batch and `us` cost.
RATES = {
    "claude-sonnet-4-6": [(0, (3, 15, 0.3, 3.75))],
    # Of a configuration; see billing_chat.py.
    "billed": [(0, (3, 15, 0.3, 3.75))],
    "claude-haiku-5-5": [(0, (0.1, 0.5, 0.01, 0.125)), (100_000, (0.5, 2.5, 0.05, 0.625))],
}
TERMS = [({}, 1)] * 8 + [
    ({"service_tier": "standard", "inference_geo": "not_available"}, 1),
    ({"service_tier": "batch"}, 0.5),
    ({"inference_geo": "us"}, 1.1),
    ({"service_tier": "of tomorrow"}, 1),
]
BEHAVIOURS = (
    ["whole"] * 6
    + ["cut", "reset", "cleanCut", "error", "stall", "silence", "drop"]
    + ["rateLimit", "overload", "refuse", "noUsage", "badUsage", "restart", "empty"]
    + ["again"] * 3
    + ["hostile"] * 2
)
# Of a server that answers all requests, so that costs are known.
CALM = ["whole", "again", "again"]
COUNTS = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"]
# What is no count.
HOSTILE = [-1, -(10**6), "0", "1e3", "0x10", None, True, 0.5, 1e18, 1e308, -1e308, [], {}, [1], 2**63]


class BillingServer:
    """Serves, and remembers what it billed, a request at a time."""

    configuration = ""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.billed = []
        # Answers whose counts were reported several times.
        self.again = 0
        self.model = self.random.choice(["claude-sonnet-4-6", "claude-haiku-5-5"])
        self.behaviours = self.random.choice([BEHAVIOURS, BEHAVIOURS, CALM])
        self.port = None
        self.server = None

    @property
    def cost(self):
        """US dollars of all requests so far."""
        return sum(self.cost_of(*bill) for bill in self.billed)

    def cost_of(self, tokens, output, read, written, factor):
        """US dollars of a request; the last band that its whole input exceeds prices all of it."""
        rates = [rates for above, rates in RATES[self.model] if tokens > above][-1]
        counts = (tokens - read - written, output, read, written)
        return sum(count * rate for count, rate in zip(counts, rates)) * factor / 1e6

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length:")
                )
                body = json.loads(await reader.readexactly(length))
                if not await self.answer(body, reader, writer):
                    break
        except (asyncio.IncompleteReadError, ConnectionError, StopIteration):
            pass
        finally:
            writer.close()

    async def answer(self, body, reader, writer):
        """Answers one request; whether the connection may be used again."""
        what = self.random.choice(self.behaviours)
        if what in ("rateLimit", "overload", "refuse"):
            status, kind = {
                "rateLimit": (429, "rate_limit_error"),
                "overload": (529, "overloaded_error"),
                "refuse": (400, "invalid_request_error"),
            }[what]
            text = json.dumps({"type": "error", "error": {"type": kind, "message": "no"}}).encode()
            writer.write(
                b"HTTP/1.1 %d No\r\ncontent-type: application/json\r\nretry-after-ms: 1\r\n"
                b"retry-after: 0\r\ncontent-length: %d\r\n\r\n" % (status, len(text)) + text
            )
            await writer.drain()
            return True
        pieces = 0 if what == "empty" else self.random.randint(1, 40)
        tokens = self.random.randint(1, body["max_tokens"] // 40)
        # Three bytes a token: no tokenizer of today counts more of plain English.
        counted = len(json.dumps([body.get("system"), body["messages"]])) // 3 + 1
        marked = "cache_control" in json.dumps(body)
        read = self.random.randint(0, counted) if marked else 0
        written = self.random.randint(0, counted - read) if marked else 0
        terms, factor = self.random.choice(TERMS)
        bill = [counted, 0, read, written, factor]
        self.billed.append(bill)
        if what == "drop":
            return False
        if what == "silence":
            return bool(await reader.read(1)) and False
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"transfer-encoding: chunked\r\n\r\n"
        )
        usage = {
            "input_tokens": counted - read - written,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
            "output_tokens": 1,
        } | terms
        bill[1] = 1
        reports = []
        if what in ("again", "hostile"):
            reports = self.reports(usage | {"output_tokens": 1 + pieces * tokens}, what == "hostile")
            usage = self.lower(usage) | terms
            self.again += 1
        self.event(writer, "message_start", message={"model": body["model"], "usage": usage})
        block = {"type": "text", "text": ""}
        self.event(writer, "content_block_start", index=0, content_block=block)
        stop = self.random.randint(0, pieces)
        for number in range(pieces):
            if what in ("cut", "reset", "cleanCut", "error", "stall") and number == stop:
                break
            bill[1] += tokens
            self.event(
                writer,
                "content_block_delta",
                index=0,
                delta={"type": "text_delta", "text": f"Word {number}. "},
            )
            if what == "restart" and number == stop:
                self.event(writer, "message_start", message={"model": "m", "usage": usage})
                self.event(writer, "content_block_start", index=0, content_block=block)
            if len(reports) > 1 and self.random.random() < 0.1:
                self.event(writer, "message_delta", delta={}, usage=reports.pop(0))
            await writer.drain()
            if number % 8 == 7:
                await asyncio.sleep(0.001)
        if what in ("cut", "reset"):
            if what == "reset":
                writer.transport.abort()
            return False
        if what == "stall":
            return bool(await reader.read(1)) and False
        if what == "cleanCut":
            writer.write(b"0\r\n\r\n")
            return True
        if what == "error":
            error = {"type": "overloaded_error", "message": "no"}
            self.event(writer, "error", error=error)
            writer.write(b"0\r\n\r\n")
            return True
        end = {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": bill[1]}}
        if what == "noUsage":
            del end["usage"]
        if what == "badUsage":
            bad = self.random.choice([-bill[1], str(bill[1]), None, 1e18, 0, True, bill[1] + 0.5])
            end["usage"]["output_tokens"] = bad
        if what == "restart" and stop < pieces:
            # The counts are those of what came after the second start.
            end["usage"]["output_tokens"] = max(1, bill[1] - (stop + 1) * tokens)
        for more in [{"usage": report} for report in reports] or [{}]:
            self.event(writer, "message_delta", **end | more)
        self.event(writer, "message_stop")
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    def reports(self, usage, is_hostile):
        """Reports of an answer's counts: those that are billed among lower ones, the last one with an
        output."""
        lower = [self.lower(usage) for _ in range(self.random.randint(1, 5))]
        reports = lower + [usage]
        self.random.shuffle(reports)
        if is_hostile:
            name, value = self.random.choice(COUNTS), self.random.choice(HOSTILE)
            place = self.random.randrange(len(reports))
            reports.insert(place, self.lower(usage) | {name: value})
        reports[-1] = {"output_tokens": 1} | reports[-1]
        return reports

    def lower(self, usage):
        """Some of the counts, each as it is or lower."""
        names = self.random.sample(COUNTS, self.random.randint(1, len(COUNTS)))
        return {name: self.random.choice([0, usage[name], self.random.randint(0, usage[name])])
                for name in names}

    @staticmethod
    def event(writer, kind, **members):
        text = f"event: {kind}\ndata: {json.dumps({'type': kind} | members)}\n\n".encode()
        writer.write(b"%x\r\n%s\r\n" % (len(text), text))
