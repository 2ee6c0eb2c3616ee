"""A plain client of both wires, for the self-test: independent of the code that writes them."""

import http.client
import json
import re

KEY = "sk-test-1234567890"
PATHS = {"anthropic": "/v1/messages", "chat": "/v1/chat/completions"}


def request(wire, prompt="Compare the two.", system="Be brief.", stream=True, **fields):
    """(path, headers, body) as a client would send it."""
    body = {"model": "model-a", "messages": [{"role": "user", "content": prompt}], "stream": stream}
    if wire == "anthropic":
        body |= {"system": system, "max_tokens": 1000}
        headers = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
    else:
        body["messages"].insert(0, {"role": "system", "content": system})
        body |= {"max_completion_tokens": 1000}
        if stream:
            body["stream_options"] = {"include_usage": True}
        headers = {"Authorization": f"Bearer {KEY}"}
    headers["content-type"] = "application/json"
    return PATHS[wire], headers, json.dumps(body | fields)


def ask(server, wire, connection=None, **fields):
    """(status, headers, body bytes); the body is None when it was cut."""
    path, headers, body = request(wire, **fields)
    link = connection or server.connect()
    try:
        link.request("POST", path, body, headers)
        answer = link.getresponse()
        return answer.status, answer.headers, answer.read()
    except http.client.IncompleteRead as problem:
        return answer.status, answer.headers, problem.partial
    finally:
        if not connection:
            link.close()


def events(data):
    """(event name, data) of a whole SSE body, by the rules of the HTML standard."""
    found, name, lines = [], "", []
    for line in re.split("\r\n|\r|\n", data.decode("utf-8")):
        if line == "":
            if lines:
                found.append((name, "\n".join(lines)))
            name, lines = "", []
        elif not line.startswith(":"):
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value
            elif field == "data":
                lines.append(value)
    return found


def read(wire, data):
    """(text, stop, usage, complete, error) as a good client reads the stream."""
    text, stop, usage, complete, error, known = "", None, {}, False, None, {}
    for name, line in events(data):
        if line == "[DONE]":
            continue
        value = json.loads(line)
        if wire == "chat":
            error = value.get("error", error)
            usage = value.get("usage") or usage
            if value.get("object") != "chat.completion.chunk":
                continue
            for choice in value["choices"]:
                text += choice["delta"].get("content") or ""
                stop = choice["finish_reason"] or stop
            complete = stop is not None
            continue
        kind = value["type"]
        if name != kind:
            raise AssertionError(f"event {name!r} holds a {kind!r}")
        if kind == "message_start":
            text, known, usage = "", {}, value["message"].get("usage", {})
        elif kind == "content_block_start":
            known[value["index"]] = value["content_block"]["type"]
        elif kind == "content_block_delta" and known[value["index"]] == "text":
            text += value["delta"]["text"]
        elif kind == "message_delta":
            stop = value["delta"]["stop_reason"]
            usage = usage | value.get("usage", {})
        complete = complete or kind == "message_stop"
        error = value["error"] if kind == "error" else error
    return text, stop, usage, complete, error
