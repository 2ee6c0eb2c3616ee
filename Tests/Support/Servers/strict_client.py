"""A plain client of strict_server.py, and the rows that its self-test uses."""

import contextlib
import json
import os
import tempfile

from checks import Running, equal
from model_client import KEY, PATHS, events, read

SERVER = "strict_server.py"

ANTHROPIC = {
    "effectiveFrom": "2026-01-01",
    "kind": "chat",
    "maxInputTokens": 20000,
    "maxOutputTokens": 9000,
    "provider": "anthropic",
    "status": "active",
}
OPENAI = ANTHROPIC | {"provider": "openai", "defaultEffort": "medium"}
PAID = {"cacheRead": 1, "cacheWrite": 2, "input": 1, "output": 1}
LEVELS = ["low", "medium", "high"]
SAMPLING = ["temperature", "top_p", "top_k"]
ROWS = [
    ANTHROPIC
    | {
        "name": "claude-test-5-5",
        "defaultEffort": "medium",
        "efforts": [*LEVELS, "xhigh", "max"],
        "minCacheTokens": 64,
        "prices": PAID,
        "refusedParameters": [
            *SAMPLING,
            *("thinking.enabled", "thinking.disabled", "tool_choice.any", "tool_choice.tool"),
            "prefill",
        ],
        "thinkingByDefault": "always",
    },
    ANTHROPIC
    | {
        "name": "claude-test-5",
        "efforts": [*LEVELS, "xhigh"],
        "prices": PAID,
        "refusedParameters": ["thinking.between_tools", "thinking.disabled above effort high"],
        "thinkingByDefault": "on",
    },
    ANTHROPIC
    | {
        "name": "claude-test-4-5",
        "prices": PAID,
        "refusedParameters": ["thinking.adaptive", "effort", "temperature with top_p"],
        "retires": "2026-11-30",
        "status": "deprecated",
        "thinkingByDefault": "off",
    },
    OPENAI
    | {
        "name": "gpt-test",
        "efforts": ["none", *LEVELS],
        "prices": PAID,
        "refusedParameters": [
            *("temperature unless effort none", "logprobs unless effort none", "max_tokens"),
            *("tools on chat completions unless effort none", "reasoning.minimal", "stop"),
        ],
    },
    OPENAI | {"name": "gpt-test", "effectiveUntil": "2026-01-01", "refusedParameters": ["n"]},
    OPENAI | {"name": "gpt-next", "effectiveFrom": "2026-12-01", "refusedParameters": []},
    OPENAI
    | {
        "name": "gpt-plain",
        "defaultEffort": "none",
        "prices": {"cacheRead": 1},
        "refusedParameters": [],
        "retires": "2027-01-14",
    },
    OPENAI | {"name": "gpt-gone", "prices": {}, "refusedParameters": [], "status": "retired"},
    OPENAI
    | {
        "kind": "image",
        "name": "gpt-image-test",
        "prices": {},
        "refusedParameters": ["response_format", "quality.standard", "quality.hd"],
    },
    *(
        ANTHROPIC | {"name": f"claude-more-{n}", "prices": {}, "refusedParameters": []}
        for n in range(4)
    ),
]
BODIES = {
    "anthropic": {"max_tokens": 2000, "messages": [{"role": "user", "content": "Hello."}]},
    "chat": {"messages": [{"role": "user", "content": "Hello."}]},
    "responses": {"input": "Hello."},
    "images": {"prompt": "A lighthouse."},
}
ALL_PATHS = PATHS | {"images": "/v1/images/generations"}


@contextlib.contextmanager
def served(*arguments):
    """A server of the rows of this file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.ndjson")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in ROWS)
        with Running(SERVER, "--rows", path, *arguments) as server:
            yield server


def call(server, method, path, headers, body=None):
    """The status and the parsed body, or the events of a stream."""
    link = server.connect()
    link.request(method, path, body and json.dumps(body), headers)
    answer = link.getresponse()
    data = answer.read()
    kind = answer.headers["content-type"]
    link.close()
    if "json" in kind:
        return answer.status, json.loads(data)
    return answer.status, [line for _, line in events(data)]


def headers_of(wire, key=KEY):
    if wire == "anthropic":
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}
    return {"authorization": f"Bearer {key}"}


def post(server, wire, model, key=KEY, headers=None, **members):
    """The status and the body of an answer. A member of None is left out."""
    body = BODIES[wire] | {"model": model} | members
    body = {name: value for name, value in body.items() if value is not None}
    return call(server, "POST", ALL_PATHS[wire], headers_of(wire, key) | (headers or {}), body)


def read_stream(server, wire, model, members, key=KEY):
    """A streamed answer, as a good client reads it."""
    body = BODIES[wire] | {"model": model, "stream": True} | members
    if wire == "chat":
        body["stream_options"] = {"include_usage": True}
    link = server.connect()
    link.request("POST", ALL_PATHS[wire], json.dumps(body), headers_of(wire, key))
    answer = link.getresponse()
    data = answer.read()
    link.close()
    equal((answer.status, answer.headers["content-type"][:17]), (200, "text/event-stream"))
    return read(wire, data)


def refusal(server, wire, model, **members):
    """The error of a request that is refused."""
    status, value = post(server, wire, model, **members)
    if status < 400:
        raise AssertionError(f"{wire} {model} {members!r:.200} was not refused: {value!r:.200}")
    return value["error"]


def taken(server, wire, model, **members):
    """The answer to a request that is not refused."""
    status, value = post(server, wire, model, **members)
    if status != 200:
        raise AssertionError(f"{wire} {model} {members!r:.200} was refused: {value!r:.200}")
    return value


def asked(text):
    """The member that asks a question, on each wire."""
    said = [{"role": "user", "content": text}]
    return {
        "anthropic": {"messages": said},
        "chat": {"messages": said},
        "responses": {"input": said},
        "images": {"prompt": text},
    }
