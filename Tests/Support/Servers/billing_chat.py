"""A model provider on 127.0.0.1 that bills as billing_server.py does, and speaks chat completions.

Each answer reports its counts as it goes, as many servers do, and at its end. Some of the reports are lower
than those before, some are no counts, some contradict themselves before a small one, and some answers are
cut. An answer is billed for its whole input and for the output that was made.
"""

import json

from billing_server import HOSTILE, RATES, BillingServer

CALM = ["whole", "again", "again"]
BEHAVIOURS = CALM + ["hostile", "impossible", "cut", "reset", "noUsage"]


class ChatBillingServer(BillingServer):
    """Serves one model, whose prices are those of the configuration."""

    def __init__(self, seed):
        super().__init__(seed)
        self.model = "billed"
        self.behaviours = self.random.choice([BEHAVIOURS, CALM])

    @property
    def configuration(self):
        """The configuration of the model."""
        (_, (plain, output, read, written)), = RATES[self.model]
        return (
            f'[models.{self.model}]\nprovider = "local"\nendpoint = "http://127.0.0.1:{self.port}/v1"\n'
            f"inputPricePerMillion = {plain}\noutputPricePerMillion = {output}\n"
            f"cacheReadPricePerMillion = {read}\ncacheWritePricePerMillion = {written}\n"
            "contextTokens = 1_000_000\nmaxOutputTokens = 32_000\n")

    async def answer(self, body, reader, writer):
        """Answers one request. Returns `True` if the connection may be used again."""
        what = self.random.choice(self.behaviours)
        pieces = self.random.randint(1, 40)
        limit = body.get("max_tokens") or body["max_completion_tokens"]
        tokens = self.random.randint(1, max(1, limit // 40))
        counted = len(json.dumps(body["messages"])) // 3 + 1
        bill = [counted, 0, self.random.randint(0, counted - 1), 0, 1]
        self.billed.append(bill)
        self.again += what in ("again", "hostile")
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            b"transfer-encoding: chunked\r\n\r\n"
        )
        stop = self.random.randint(0, pieces - 1)
        if what == "impossible":
            self.chunk(writer, body, None, None, self.contradiction(counted))
        for number in range(pieces):
            if what in ("cut", "reset") and number == stop:
                if what == "reset":
                    writer.transport.abort()
                return False
            bill[1] += tokens
            usage = {}
            if what in ("again", "hostile") and self.random.random() < 0.3:
                usage = self.report(bill)
            self.chunk(writer, body, {"content": f"Word {number}. "}, None, usage)
            await writer.drain()
        self.chunk(writer, body, {}, "stop", {})
        whole = [self.report(bill, is_whole=True)]
        if what in ("again", "hostile"):
            whole += [self.report(bill) for _ in range(self.random.randint(1, 4))]
            self.random.shuffle(whole)
        if what == "hostile":
            name = self.random.choice(["prompt_tokens", "completion_tokens", "total_tokens"])
            place = self.random.randint(0, len(whole))
            whole.insert(place, self.report(bill) | {name: self.random.choice(HOSTILE)})
        if what == "impossible":
            whole = [self.contradiction(counted)] * self.random.randint(0, 1)
            whole.append({"prompt_tokens": 1, "completion_tokens": 1})
        for usage in [] if what == "noUsage" else whole:
            self.chunk(writer, body, None, None, usage)
        self.data(writer, "[DONE]")
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    def report(self, bill, is_whole=False):
        """Returns the counts of an answer so far, or lower ones."""
        counted, output, read, _, _ = bill
        plain = counted - read
        if not is_whole:
            plain, read = self.random.randint(1, plain), self.random.randint(0, read)
            output = self.random.choice([0, 1, output, self.random.randint(0, output)])
        return {
            "prompt_tokens": plain + read, "completion_tokens": output,
            "prompt_tokens_details": {"cached_tokens": read}}

    def contradiction(self, counted):
        """Returns counts that cannot be: more of a cache than there is input, or fewer than none."""
        cached = {"prompt_tokens_details": {"cached_tokens": 2 * counted}}
        return {"prompt_tokens": counted, "completion_tokens": 1} | self.random.choice(
            [cached, {"completion_tokens": -1}])

    def chunk(self, writer, body, delta, reason, usage):
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        self.data(writer, json.dumps({
            "id": "c", "object": "chat.completion.chunk", "model": body["model"],
            "choices": [] if delta is None else [choice], "usage": usage or None}))

    @staticmethod
    def data(writer, text):
        text = f"data: {text}\n\n".encode()
        writer.write(b"%x\r\n%s\r\n" % (len(text), text))
