"""A plain client of all wires, for the self-test: independent of the code that writes them."""

import http.client
import json
import re

KEY = "sk-test-1234567890"
PATHS = {
    "anthropic": "/v1/messages",
    "chat": "/v1/chat/completions",
    "responses": "/v1/responses",
}
LIMITS = {
    "anthropic": "max_tokens",
    "chat": "max_completion_tokens",
    "responses": "max_output_tokens",
}


def request(wire, prompt="Compare the two.", system="Be brief.", stream=True, **fields):
    """(path, headers, body) as a client would send it."""
    said = [{"role": "user", "content": prompt}]
    body = {"model": "model-a", "stream": stream, LIMITS[wire]: 1000}
    if wire == "anthropic":
        body |= {"system": system, "messages": said}
        headers = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
    else:
        if wire == "responses":
            body |= {"instructions": system, "input": said}
        else:
            body["messages"] = [{"role": "system", "content": system}, *said]
        if wire == "chat" and stream:
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


def said(response):
    """The text of a whole response of Responses."""
    parts = [
        part
        for item in response["output"]
        if item["type"] == "message"
        for part in item["content"]
    ]
    return "".join(part["text"] for part in parts if part["type"] == "output_text")


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
        if wire == "responses":
            text += value["delta"] if kind == "response.output_text.delta" else ""
            error = value["error"] if kind == "error" else error
            if kind in ("response.completed", "response.incomplete"):
                whole, complete = value["response"], True
                usage = whole["usage"] or {}
                stop = (whole["incomplete_details"] or {}).get("reason", whole["status"])
                if text != said(whole):
                    raise AssertionError(f"{text!r} was told, and at the end {said(whole)!r}")
            continue
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
