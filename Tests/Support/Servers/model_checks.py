"""The self-test of model_server.py."""

import http.client
import json
import re
import socket
import struct
import threading
import time

import model_process_checks
import model_relative_checks
from checks import DEADLINE, Running, equal, run, scripted
from model_client import KEY, LIMITS, PATHS, ask, events, read, request, said

SERVER = "model_server.py"


def each(check):
    """Run the check on each wire."""

    def checked():
        for wire in PATHS:
            check(wire)

    checked.__name__ = check.__name__
    return checked


@each
def equal_questions_get_equal_answers(wire):
    with Running(SERVER) as server:
        first, again = ask(server, wire), ask(server, wire)
        text, stop, usage, complete, _ = read(wire, first[2])
        equal((first[0], complete, read(wire, again[2])[0]), (200, True, text))
        equal(re.match("Answer [0-9a-f]{4}…: Compare the two.\n\n", text) is not None, True)
        equal(len(text.split("\n\n")), 4)
        other = read(wire, ask(server, wire, prompt="Another.")[2])[0]
        equal(other != text, True)
        names = (
            ("prompt_tokens", "completion_tokens")
            if wire == "chat"
            else ("input_tokens", "output_tokens")
        )
        equal([usage[name] for name in names], [7, -(-len(text.encode()) // 4)])
        equal(stop, {"anthropic": "end_turn", "chat": "stop", "responses": "completed"}[wire])
        whole = json.loads(ask(server, wire, stream=False)[2])
        if wire == "responses":
            content = said(whole)
        elif wire == "anthropic":
            content = whole["content"][0]["text"]
        else:
            content = whole["choices"][0]["message"]["content"]
        equal((content, whole["usage"][names[0]]), (text, 7))


def all_wires_say_the_same():
    with Running(SERVER) as server:
        texts = [read(wire, ask(server, wire)[2])[0] for wire in PATHS]
        equal(len(set(texts)), 1)
        block = [{"type": "text", "text": "Compare the two."}]
        for wire in PATHS:
            equal(read(wire, ask(server, wire, prompt=block)[2])[0], texts[0])


@each
def a_planner_gets_a_plan(wire):
    with Running(SERVER) as server:
        system = "Decompose the goal into a pipeline. Output a JSON block."
        prompt = "Read https://a.example/x, (http://b.example/y) and write. https://a.example/x"
        text = read(wire, ask(server, wire, system=system, prompt=prompt)[2])[0]
        stages = json.loads(re.search("```json\n(.*)```", text, re.DOTALL)[1])["pipeline"]
        equal([stage["role"] for stage in stages], ["researcher", "producer", "qaReviewer"])
        equal(stages[0]["researchURLs"], ["https://a.example/x", "http://b.example/y"])


@each
def max_tokens_shortens_the_default_answer(wire):
    words = {"anthropic": "max_tokens", "chat": "length", "responses": "max_output_tokens"}
    with Running(SERVER) as server:
        text, stop, _, _, _ = read(wire, ask(server, wire, **{LIMITS[wire]: 5})[2])
        equal((len(text.encode()) <= 20, stop), (True, words[wire]))


@each
def every_framing_reads_the_same(wire):
    shapes = [
        {"newline": "crlf"},
        {"newline": "cr"},
        {"chunks": "bytewise"},
        {"chunks": 3, "splice": [1, 7, 50]},
        {"unknown": True, "ping": True},
        {"multiline": True, "newline": "cr"},
        {"chunks": 1, "ping": False},
        {"duplicateStart": True},
        {"duplicateStart": "immediate"},
        {"pace": 1},
        {"usageTwice": True},
        {"retryAfterOn200": True, "headers": {"x-more": "1"}},
        {"outputUsageOnly": True},
    ]
    plain = {
        "text": "Ünïcode ✓ text\nwith two lines",
        "usage": {"inputTokens": 10, "cacheReadTokens": 5},
    }
    with scripted(SERVER, [plain] + [plain | shape for shape in shapes]) as server:
        wanted = read(wire, ask(server, wire)[2])
        equal((wanted[0], wanted[3]), (plain["text"], True))
        names = {
            "anthropic": ("input_tokens", "cache_read_input_tokens"),
            "chat": ("prompt_tokens", "total_tokens"),
            "responses": ("input_tokens", "total_tokens"),
        }[wire]
        equal([wanted[2][name] for name in names], [10, 5] if wire == "anthropic" else [15, 24])
        connection = server.connect()
        for shape in shapes:
            status, headers, data = ask(server, wire, connection)
            equal((shape, status, read(wire, data)), (shape, 200, wanted))
            equal(headers["retry-after"], "1" if "retryAfterOn200" in shape else None)
        connection.close()


@each
def no_usage_and_other_stops(wire):
    with scripted(SERVER, [{"noUsage": True}, {"stopReason": "refusal", "text": ""}]) as server:
        equal(read(wire, ask(server, wire)[2])[2], {})
        text, stop, _, complete, _ = read(wire, ask(server, wire)[2])
        words = {"anthropic": "refusal", "chat": "content_filter", "responses": "completed"}
        equal((text, stop, complete), ("", words[wire], True))
    if wire == "chat":
        with Running(SERVER) as server:
            equal(read(wire, ask(server, wire, stream_options={})[2])[2], {})


@each
def thoughts_and_calls_come_in_their_order(wire):
    call = {"id": "call_1", "name": "look", "arguments": '{"place":"Paris"}'}
    script = [{"text": "T", "reasoning": "I think so.", "calls": [call]}]
    with scripted(SERVER, script) as server:
        data = ask(server, wire)[2]
        text, stop, _, complete, _ = read(wire, data)
        words = {"anthropic": "tool_use", "chat": "tool_calls", "responses": "completed"}
        equal((text, stop, complete), ("T", words[wire], True))
        body = data.decode()
        equal(body.index("I thi") < body.index("T\""), True)
        equal(body.index('"T"') < body.index("call_1"), True)
        if wire == "responses":
            numbers = [json.loads(line)["sequence_number"] for _, line in events(data)]
            equal(numbers, list(range(len(numbers))))


@each
def broken_streams_are_not_complete(wire):
    script = [
        {"cutAfter": 700},
        {"cutAfter": "text"},
        {"cleanCut": True},
        {"midError": "overloaded_error"},
    ]
    with scripted(SERVER, script) as server:
        equal(len(ask(server, wire)[2]) <= 700, True)
        equal(read(wire, ask(server, wire)[2])[3], False)
        status, _, data = ask(server, wire)
        text, stop, _, complete, error = read(wire, data)
        equal((status, stop, complete, error, len(text) > 100), (200, None, False, None, True))
        text, _, _, complete, error = read(wire, ask(server, wire)[2])
        equal((complete, error["type"], len(text) > 50), (False, "overloaded_error", True))
        equal(
            [line["ended"] for line in server.answered(4)], ["cut", "cut", "cleanCut", "midError"]
        )


@each
def whole_answers_break_too(wire):
    script = [{"cutAfter": 20}, {"cleanCut": True}, {"midError": "overloaded_error"}, {"splice": 3}]
    with scripted(SERVER, script) as server:
        equal(len(ask(server, wire, stream=False)[2]), 20)
        status, _, data = ask(server, wire, stream=False)
        equal((status, data[-1:] != b"}"), (200, True))
        status, _, data = ask(server, wire, stream=False)
        equal((status, json.loads(data)["error"]["type"]), (529, "overloaded_error"))
        equal(json.loads(ask(server, wire, stream=False)[2])["model"], "model-a")


@each
def errors_have_the_shape_of_the_wire(wire):
    script = [{"status": status} for status in (400, 401, 402, 403, 404, 429, 500, 503, 529)]
    script += [
        {
            "status": 429,
            "headers": {"retry-after": "1"},
            "errorType": "insufficient_quota",
            "message": "m",
        },
        {"status": 502, "body": "<html>", "contentType": "text/html"},
        {"body": "{"},
    ]
    with scripted(SERVER, script) as server:
        for behaviour in script[:9]:
            status, _, data = ask(server, wire)
            value = json.loads(data)
            equal(status, behaviour["status"])
            equal(
                (value["error"]["type"] != "", "request_id" in value), (True, wire == "anthropic")
            )
        status, headers, data = ask(server, wire)
        equal((status, headers["retry-after"]), (429, "1"))
        equal(
            (json.loads(data)["error"]["type"], json.loads(data)["error"]["message"]),
            ("insufficient_quota", "m"),
        )
        status, headers, data = ask(server, wire)
        equal((status, headers["content-type"], data), (502, "text/html", b"<html>"))
        equal(ask(server, wire)[2], b"{")
        equal(ask(server, wire)[0], 200)


@each
def bad_requests_are_refused_and_use_nothing_up(wire):
    with scripted(SERVER, [{"text": "scripted"}]) as server:
        path, headers, body = request(wire)
        for change, wanted in (({"x-api-key": None, "Authorization": None}, 401), ({}, 400)):
            kept = {name: value for name, value in headers.items() if name not in change}
            connection = server.connect()
            connection.request("POST", path, body if change else "[", kept)
            equal(connection.getresponse().status, wanted)
            connection.close()
        if wire == "anthropic":
            equal(ask(server, wire, max_tokens=None)[0], 400)
        equal(ask(server, wire, model=None)[0], 400)
        equal(read(wire, ask(server, wire)[2])[0], "scripted")
        lines = server.log("request")
        equal([line["keyPresent"] for line in lines][:2], [False, True])


@each
def the_script_fits_by_text_and_serves_many(wire):
    script = [
        {"when": "beta", "text": "B"},
        {"times": 2, "text": "A"},
        {"times": 0, "when": "end", "text": "E"},
    ]
    with scripted(SERVER, script) as server:
        asked = ["alpha", "beta", "beta", "end", "end"]
        equal(
            [read(wire, ask(server, wire, prompt=word)[2])[0] for word in asked],
            ["A", "B", "A", "E", "E"],
        )
        equal(read(wire, ask(server, wire)[2])[0].startswith("Answer"), True)


@each
def holds_until_the_file_exists(wire):
    with Running(SERVER) as folder:
        paths = [folder.path("one"), folder.path("two")]
        script = [
            {"holdFile": paths[0]},
            {"holdFile": paths[1], "holdAt": "half"},
            {"latency": 20},
            {"drop": True},
        ]
        with scripted(SERVER, script) as server:
            for count, path in enumerate(paths, 1):
                done = []
                asker = threading.Thread(target=lambda: done.append(ask(server, wire)[0]))
                asker.start()
                deadline = time.monotonic() + DEADLINE
                while len(server.log("request")) < count and time.monotonic() < deadline:
                    time.sleep(0.01)
                equal(done, [])
                open(path, "w").close()
                asker.join(DEADLINE)
                equal(done, [200])
            equal(ask(server, wire)[0], 200)
            try:
                ask(server, wire)
                raise AssertionError("an answer came")
            except (http.client.RemoteDisconnected, ConnectionResetError):
                pass


@each
def a_stall_ends_with_the_client(wire):
    with scripted(SERVER, [{"stall": True}, {"stall": True}]) as server:
        path, headers, body = request(wire)
        for reset in (False, True):
            raw = server.socket()
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            raw.sendall(
                f"POST {path} HTTP/1.1\r\n{lines}content-length: {len(body)}\r\n\r\n{body}".encode()
            )
            equal(raw.recv(15), b"HTTP/1.1 200 OK")
            if reset:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raw.close()
        equal([line["ended"] for line in server.answered(2)], ["clientLeft"] * 2)


@each
def the_key_is_echoed_only_when_hostile(wire):
    script = [{"status": 401}, {"body": "k={key}"}, {"midError": "overloaded_error"}]
    with scripted(SERVER, script, "--echo-key") as server:
        _, headers, data = ask(server, wire)
        equal((KEY in data.decode(), headers["x-echo-key"]), (True, KEY))
        equal(ask(server, wire)[2].decode(), f"k={KEY}")
        equal(KEY in read(wire, ask(server, wire)[2])[4]["message"], True)
        equal(KEY in str(server.answered(3)) + str(server.log()), False)
    with scripted(SERVER, script) as server:
        _, headers, data = ask(server, wire)
        equal((KEY in data.decode(), headers["x-echo-key"]), (False, None))


def main():
    return run(
        model_process_checks.CHECKS
        + model_relative_checks.CHECKS
        + [
            equal_questions_get_equal_answers,
            all_wires_say_the_same,
            a_planner_gets_a_plan,
            max_tokens_shortens_the_default_answer,
            every_framing_reads_the_same,
            thoughts_and_calls_come_in_their_order,
            no_usage_and_other_stops,
            broken_streams_are_not_complete,
            whole_answers_break_too,
            errors_have_the_shape_of_the_wire,
            bad_requests_are_refused_and_use_nothing_up,
            the_script_fits_by_text_and_serves_many,
            holds_until_the_file_exists,
            a_stall_ends_with_the_client,
            the_key_is_echoed_only_when_hostile,
        ]
    )
