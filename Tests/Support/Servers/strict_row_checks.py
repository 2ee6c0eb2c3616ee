"""Part of the self-test of strict_server.py: a whole table, each row on its first day.

What a row must refuse is derived here from its words, apart from the code of the server.
"""

import json

from checks import Running, equal
from strict_client import ALL_PATHS, asked, post, read_stream
from strict_models import efforts_of

SERVER = "strict_server.py"
TOOL = {"name": "look", "input_schema": {"type": "object"}}
FUNCTION = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
PREFILL = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
LEVELS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
NONE = {"reasoning_effort": "none"}

# Each word of a row: the wire, what to send, and the log's name of the refused parameter.
ANTHROPIC = {
    "effort": ({"output_config": {"effort": "low"}}, "effort"),
    "prefill": ({"messages": PREFILL}, "prefill"),
    "temperature": ({"temperature": 1}, "temperature"),
    "temperature with top_p": ({"temperature": 1, "top_p": 1}, "top_p"),
    "thinking.adaptive": ({"thinking": {"type": "adaptive"}}, "thinking.adaptive"),
    "thinking.between_tools": ({"thinking": {"type": "between_tools"}}, "thinking.between_tools"),
    "thinking.disabled": ({"thinking": {"type": "disabled"}}, "thinking.disabled"),
    "thinking.disabled above effort high": (
        {"thinking": {"type": "disabled"}, "output_config": {"effort": "max"}},
        "thinking.disabled",
    ),
    "thinking.enabled": (
        {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        "thinking.enabled",
    ),
    "tool_choice.any": ({"tools": [TOOL], "tool_choice": {"type": "any"}}, "tool_choice.any"),
    "tool_choice.tool": (
        {"tools": [TOOL], "tool_choice": {"type": "tool", "name": "look"}},
        "tool_choice.tool",
    ),
    "top_k": ({"top_k": 5}, "top_k"),
    "top_p": ({"top_p": 0.9}, "top_p"),
}
OPENAI = {
    "logprobs": ({"logprobs": True}, "logprobs"),
    "max_tokens": ({"max_tokens": 50}, "max_tokens"),
    "quality.hd": ({"quality": "hd"}, "quality"),
    "quality.standard": ({"quality": "standard"}, "quality"),
    "reasoning.minimal": ({"reasoning_effort": "minimal"}, "reasoning_effort"),
    "reasoning.none": (NONE, "reasoning_effort"),
    "response_format": ({"response_format": "url"}, "response_format"),
    "stop": ({"stop": ["x"]}, "stop"),
    "temperature": ({"temperature": 0.3}, "temperature"),
    "tools on chat completions": ({"tools": [FUNCTION]}, "tools"),
    "top_logprobs": ({"top_logprobs": 2}, "top_logprobs"),
    "top_p": ({"top_p": 0.5}, "top_p"),
    # Neither is a member of chat completions.
    "thinking_budget": ({"thinking_budget": 5}, "thinking_budget"),
    "thinking_level.minimal": ({"reasoning_effort": "minimal"}, "reasoning_effort"),
}


def checks(path):
    """A check for each row of a table."""
    with open(path, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    days = sorted({row["effectiveFrom"] for row in rows})

    def on(day):
        def checked():
            with Running(SERVER, "--rows", path, "--day", day) as server:
                for row in rows:
                    if row["effectiveFrom"] == day:
                        check_row(server, row, day)

        checked.__name__ = f"the_rows_of_{day}"
        return checked

    return [on(day) for day in days]


def check_row(server, row, day):
    wire = "anthropic" if row["provider"] == "anthropic" else "chat"
    wire = "images" if row["kind"] == "image" else wire
    ends = row.get("retires", "9999")
    if row["status"] == "retired" or ends[0] == "2" and ends <= day:
        equal(post(server, wire, row["name"])[0], 404)
        return
    equal((row["name"], post(server, wire, row["name"])[0]), (row["name"], 200))
    words = ANTHROPIC if wire == "anthropic" else OPENAI
    default = row.get("defaultEffort", "medium")
    for word in row["refusedParameters"]:
        name, unless, _ = word.partition(" unless effort ")
        members, parameter = words[name]
        free = unless and default == "none"
        expect(server, wire, row, members, None if free else parameter)
        if unless and "none" in efforts_of(row):
            expect(server, wire, row, members | NONE, None)
            if free:
                expect(server, wire, row, members | {"reasoning_effort": "low"}, parameter)
    if wire == "images":
        return expect(server, wire, row, {"quality": "max"}, None)
    # A word that no row has shows that nothing else is refused.
    for word, (members, _) in words.items():
        known = [name.partition(" unless ")[0] for name in row["refusedParameters"]]
        plain = word in ("temperature", "top_p", "top_k", "stop", "prefill")
        if plain and word not in known and not (wire == "chat" and word == "top_k"):
            expect(server, wire, row, members, None)
    check_efforts(server, wire, row)
    most = row.get("maxOutputTokens")
    limit = "max_tokens" if wire == "anthropic" else "max_completion_tokens"
    if most:
        expect(server, wire, row, {limit: most}, None)
        expect(server, wire, row, {limit: most + 1}, limit)
    for found in [wire, "responses"] if row["provider"] == "openai" else [wire]:
        text, _, usage, complete, _ = read_stream(server, found, row["name"], asked("Hi.")[found])
        equal((row["name"], text, complete, bool(usage)), (row["name"], "ok", True, True))


def check_efforts(server, wire, row):
    efforts = efforts_of(row)
    for level in LEVELS[2:] if wire == "anthropic" else LEVELS:
        if wire == "anthropic":
            members, name = {"output_config": {"effort": level}}, "effort"
        else:
            members, name = {"reasoning_effort": level}, "reasoning_effort"
        no_max = level == "max" and row["name"] in ("gpt-6.1-sol", "gpt-6.2-sol")
        expect(server, wire, row, members, None if level in efforts and not no_max else name)
        if row["provider"] == "openai":
            members = {"reasoning": {"effort": level}}
            name = None if level in efforts else "reasoning.effort"
            expect(server, "responses", row, members, name)


def expect(server, wire, row, members, parameter):
    """Sends a request that is refused for a parameter, or taken if that is None."""
    status, value = post(server, wire, row["name"], **members)
    line = server.log("request")[-1]
    where = (row["name"], ALL_PATHS[wire], members)
    found = (*where, line["refused"], status)
    equal(found, (*where, parameter, 400 if parameter else 200))
    if status == 200:
        return
    error = value["error"]
    equal((error["type"], error["message"]), ("invalid_request_error", line["message"]))
    if wire == "anthropic":
        equal(sorted(error), ["message", "type"])
    elif parameter != "tools":
        equal(error["param"], parameter)
