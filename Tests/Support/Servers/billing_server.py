#!/usr/bin/env python3
"""A model provider on 127.0.0.1 that counts what it would bill, and misbehaves at random.

Anthropic's Messages, streamed. Each request that is let in is billed for its whole input and for the
output that was made before the answer ended, however it ended: cut, reset, stalled, broken off by an
error, or left by the client. A refusal by status is not billed. The seed chooses the behaviours.
"""

import asyncio
import json
import random

INPUT_PRICE, OUTPUT_PRICE = 3.0, 15.0
BEHAVIOURS = (
    ["whole"] * 6
    + ["cut", "reset", "cleanCut", "error", "stall", "silence", "drop"]
    + ["rateLimit", "overload", "refuse", "noUsage", "badUsage", "restart", "empty"]
)


class BillingServer:
    """Serves, and remembers what it billed, a request at a time."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.billed = []
        self.port = None
        self.server = None

    @property
    def cost(self):
        """US dollars of all requests so far."""
        return sum(i * INPUT_PRICE + o * OUTPUT_PRICE for i, o in self.billed) / 1e6

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
        what = self.random.choice(BEHAVIOURS)
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
        bill = [self.random.randint(50, 150), 0]
        self.billed.append(bill)
        if what == "drop":
            return False
        if what == "silence":
            return bool(await reader.read(1)) and False
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"transfer-encoding: chunked\r\n\r\n"
        )
        usage = {"input_tokens": bill[0], "output_tokens": 1}
        bill[1] = 1
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
        if what == "restart":
            # The counts are those of what came after the second start.
            end["usage"]["output_tokens"] = max(1, bill[1] - (stop + 1) * tokens)
        self.event(writer, "message_delta", **end)
        self.event(writer, "message_stop")
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    @staticmethod
    def event(writer, kind, **members):
        text = f"event: {kind}\ndata: {json.dumps({'type': kind} | members)}\n\n".encode()
        writer.write(b"%x\r\n%s\r\n" % (len(text), text))
