"""How companion_server.py misbehaves.

Any answer:

  redirect     302 to /elsewhere, where nothing is      html       200 with a page
  page500      500 with a page                          bare404    404 with nothing
  expired      410                                      wrong401   401
  wrong400     400                                      busy       409
  often        429, to be tried after a second          notOK      200 that says it is none
  strange      400 with an error of many lines and control characters
  unconnected  200: nobody is connected                 protocol   a QR code of another protocol
  empty        200 with nothing                         notJSON    200 with half a text of JSON
  otherForm    200 with a list                          gzip       what is right, compressed
  unknown      what is right, and more members          slow       what is right, a byte at a time
  huge         64 MB of JSON                            short      less than the length that is told
  drop         nothing, and the end                     silence    nothing, and no end

The answer that goes on with a chat, too:

  cut          the end amid a frame                     reset      alike, by RST
  noDone       the pieces alone                         noMessage  no message before [DONE]
  unended      no [DONE] after the message              only       [DONE] alone
  crlf, cr     other ends of lines                      bytewise   a byte at a time
  line         a line of 1 MB                           flood      a line without end
  ping         comments between the frames              pieces     a frame of several data lines
  error        a frame that tells a failure             escape     such a frame with control characters
  badFrame     a frame that is not JSON                 others     frames that nobody knows
  late         frames after [DONE]
"""

import gzip
import json

HTML = b"<!DOCTYPE html><title>Router</title><p>Log in \x1b[31mhere\x1b[0m."
JSON = [("content-type", "application/json")]
STREAM = [("content-type", "text/event-stream"), ("cache-control", "no-cache")]
DONE = b"data: [DONE]\n\n"
CONTROLS = "It \x1b[31mfailed\x1b]0;owned\x07\n\u202egnorts"


def fixed(status, body, headers=tuple(JSON)):
    """An answer that is always the same."""
    body = body if isinstance(body, bytes) else json.dumps(body).encode()

    async def answer(exchange, usual, kind, right):
        await exchange.answer(status, list(headers), body)
        return "complete"

    return answer


def refusal(status, words, *more):
    return fixed(status, {"ok": False, "error": words}, (*JSON, *more))


async def compressed(exchange, status, kind, right):
    fields = [("content-type", kind), ("content-encoding", "gzip")]
    await exchange.answer(status, fields, gzip.compress(right))
    return "complete"


async def slow(exchange, status, kind, right):
    exchange.head(status, [("content-type", kind)], len(right))
    for place in range(len(right)):
        exchange.put(right[place : place + 1])
        await exchange.flush()
        await exchange.wait(0.001)
    return "complete"


async def unknown(exchange, status, kind, right):
    more = {"version": 9, "connectedDevice2": None, "features": {"type": "x", "a": [1, 2]}}
    await exchange.answer(status, JSON, json.dumps(json.loads(right) | more).encode())
    return "complete"


async def protocol(exchange, status, kind, right):
    answer = json.loads(right)
    says = json.loads(answer["qrPayload"]) | {"protocol": "copilotforge-pair-v2"}
    await exchange.answer(200, JSON, json.dumps(answer | {"qrPayload": json.dumps(says)}).encode())
    return "complete"


async def huge(exchange, status, kind, right):
    exchange.head(200, JSON)
    exchange.put(b'{"ok":true,"x":"')
    for _ in range(64):
        exchange.put(b"x" * (1 << 20))
        await exchange.flush()
    exchange.put(b'"}')
    await exchange.finish()
    return "complete"


async def short(exchange, status, kind, right):
    exchange.head(status, [("content-type", kind)], len(right) + 100)
    exchange.put(right)
    await exchange.cut()
    return "cut"


async def drop(exchange, status, kind, right):
    exchange.keep_alive = False
    return "dropped"


async def silence(exchange, status, kind, right):
    await exchange.wait_until_gone()


ANSWERS = {
    "redirect": fixed(302, b"", (("location", "/elsewhere"),)),
    "html": fixed(200, HTML, (("content-type", "text/html"),)),
    "page500": fixed(500, HTML, (("content-type", "text/html"),)),
    "bare404": fixed(404, b"", ()),
    "expired": refusal(410, "Pairing code expired"),
    "wrong400": refusal(400, "Invalid pairing code"),
    "wrong401": refusal(401, "Invalid pairing code"),
    "busy": refusal(409, "The chat is being continued"),
    "often": refusal(429, "Too many requests", ("retry-after", "1")),
    "notOK": refusal(200, "The Mac is asleep"),
    "strange": refusal(400, CONTROLS),
    "unconnected": fixed(200, {"ok": True, "connected": False, "connectedDevice": None}),
    "empty": fixed(200, b""),
    "notJSON": fixed(200, b'{"ok":true,"connected":'),
    "otherForm": fixed(200, []),
    "gzip": compressed,
    "unknown": unknown,
    "protocol": protocol,
    "slow": slow,
    "huge": huge,
    "short": short,
    "drop": drop,
    "silence": silence,
}
STREAMS = [
    "cut", "reset", "noDone", "noMessage", "unended", "only", "crlf", "cr", "bytewise", "line", "flood",
    "ping", "pieces", "error", "escape", "badFrame", "others", "late",
]
NAMES = {*ANSWERS, *STREAMS}


def frame(value):
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def deltas(text, size=7):
    """The frames of a text's pieces."""
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    return [frame({"type": "delta", "text": piece}) for piece in pieces]


def message(said):
    return frame({"type": "message"} | said)


def frames(said):
    """The whole stream, as it should be."""
    return b"".join(deltas(said["text"])) + message(said) + DONE


async def tell(exchange, fault, said, strange):
    """Tell a message as a stream, in the way of a fault, or as it should be."""
    begun, last = deltas(said["text"]), message(said)
    whole = frames(said)
    failure = frame({"type": "error", "error": "The model is out of tokens" + strange})
    failed = frame({"type": "error", "error": CONTROLS})
    long = frame({"type": "delta", "text": "x" * (1 << 20)})
    bodies = {
        "cut": [*begun, last[:-40]],
        "reset": [*begun, last[:-40]],
        "noDone": [*begun],
        "noMessage": [*begun, DONE],
        "unended": [*begun, last],
        "crlf": [whole.replace(b"\n", b"\r\n")],
        "cr": [whole.replace(b"\n", b"\r")],
        "bytewise": [whole[place : place + 1] for place in range(len(whole))],
        "line": [long, frame({"type": "message"} | said | {"text": "x" * (1 << 20)}), DONE],
        "flood": [*begun, b'data: {"type":"delta","text":"', *[b"x" * (1 << 20)] * 64],
        "ping": [part for piece in [*begun, last, DONE] for part in (b": ping\n\n", b":\n", piece)],
        "pieces": [frame_of_lines(said), last, DONE],
        "error": [*begun[:2], failure, DONE],
        "escape": [failed, DONE],
        "badFrame": [*begun, b"data: {oops\n\n", last, DONE],
        "others": [
            frame({"type": "thinking", "text": "no"}), frame({"text": "no"}), b"event: x\nid: 1\nretry: 9\n\n",
            frame({"type": "delta"}), *begun, b"unknown: field\n", last, DONE,
        ],
        "late": [whole, frame({"type": "delta", "text": "late"}), failure],
        "only": [DONE],
    }
    exchange.head(200, STREAM)
    for part in bodies.get(fault, [*begun, last, DONE]):
        exchange.put(part)
        await exchange.flush()
        if fault == "bytewise":
            await exchange.wait(0.001)
    if fault in ("cut", "reset", "flood"):
        await exchange.cut(reset=fault == "reset")
        return "cut"
    await exchange.finish()
    return "complete"


def frame_of_lines(said):
    """The text as one delta whose JSON is cut over data lines, which a reader joins."""
    lines = json.dumps({"type": "delta", "text": said["text"]}, indent=1).encode().split(b"\n")
    return b"".join(b"data: " + line + b"\n" for line in lines) + b"\n"
