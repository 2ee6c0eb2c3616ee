"""Part of the self-test of strict_server.py: the cache of prompts, and the seals on thinking."""

import json

from checks import equal
from strict_client import headers_of, post, read_stream, refusal, served, taken

NEW, OLDER, OLD = "claude-test-5-5", "claude-test-5", "claude-test-4-5"
BINDING = {"anthropic-beta": "thinking-binding-controls-2026-08-01"}
DROP = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
MARK = {"cache_control": {"type": "ephemeral"}}
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
NAMES = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def text(size, letter="a", **mark):
    return {"type": "text", "text": letter * size} | mark


def user(*blocks):
    return {"role": "user", "content": list(blocks)}


def marked_prefixes_are_written_and_read():
    def count(*blocks, system=(), key="one", **members):
        members |= {"system": list(system)} if system else {}
        found = taken(server, "anthropic", NEW, key=key, messages=[user(*blocks)], **members)
        return [found["usage"][name] for name in NAMES]

    with served() as server:
        long, short = text(4000), text(40, "b")
        equal(count(short, system=[long | MARK]), [10, 0, 1000])
        equal(count(text(80, "c"), system=[long | MARK]), [20, 1000, 0])
        # The mark moved on: the earlier one is found by looking back.
        equal(count(short, text(400, "d", **MARK), system=[long | MARK]), [0, 1000, 110])
        equal(count(short, text(400, "d"), text(40, "e", **MARK), system=[long]), [0, 1110, 10])
        equal(count(short, system=[long]), [1010, 0, 0])
        equal(count(short, system=[long | MARK], key="two"), [10, 0, 1000])
        equal(count(short, system=[text(4000, "z") | MARK]), [10, 0, 1000])
        equal(count(text(100, "f", **MARK)), [25, 0, 0])
        picture = {"type": "image", "source": {"type": "base64", "data": "A" * 50000}}
        equal(count(picture, text(40)), [1510, 0, 0])
        equal(count(text(2000, "g"), **MARK), [0, 0, 500])
        equal(count(text(2000, "g"), **MARK), [0, 500, 0])
        blocks = [text(400, "h", **HOUR), text(400, "i", **MARK)]
        found = taken(server, "anthropic", NEW, messages=[user(*blocks)])["usage"]
        lifetimes = {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 100}
        equal(found["cache_creation"], lifetimes)
        five = [text(4, **MARK)] * 5
        equal(
            "Found 5" in refusal(server, "anthropic", NEW, messages=[user(*five)])["message"], True
        )
        streamed = read_stream(server, "anthropic", NEW, {"messages": [user(*blocks)]})[2]
        equal((streamed["cache_read_input_tokens"], streamed["input_tokens"]), (200, 0))


def openai_caches_common_items():
    def count(wire, model, *said, **members):
        name = "messages" if wire == "chat" else "input"
        items = [{"role": "user", "content": word} for word in said]
        usage = taken(server, wire, model, **{name: items}, **members)["usage"]
        details = usage.get("prompt_tokens_details") or usage["input_tokens_details"]
        return [details["cached_tokens"], details["cache_write_tokens"]]

    with served() as server:
        for wire in ("chat", "responses"):
            letter = wire[0]
            equal(count(wire, "gpt-test", letter * 8000, "x" * 40), [0, 2010])
            equal(count(wire, "gpt-test", letter * 8000, "y" * 40), [2000, 10])
            equal(count(wire, "gpt-plain", letter * 8000), [0, 0])
            equal(count(wire, "gpt-plain", letter * 8000), [2000, 0])
            equal(count(wire, "gpt-test", letter * 8000, prompt_cache_key="k"), [0, 2000])
            equal(count(wire, "gpt-test", letter * 8000, prompt_cache_key="k"), [2000, 0])
            equal(count(wire, "gpt-test", "q" * 400), [0, 0])
            explicit = {"prompt_cache_options": {"mode": "explicit"}}
            equal(count(wire, "gpt-test", letter * 8000, **explicit), [0, 0])
            error = refusal(server, wire, "gpt-plain", **explicit)
            equal(error["param"], "prompt_cache_options")


def thinking_is_bound_to_its_conversation():
    first = [{"role": "user", "content": "One?"}]
    bound = "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a"

    def following(history, **members):
        said = [*history, {"role": "user", "content": "More?"}]
        status, value = post(server, "anthropic", NEW, messages=said, **members)
        return said, value["content"] if status == 200 else value["error"]["message"]

    with served() as server:
        content = taken(server, "anthropic", NEW, messages=first, system="Be brief.")["content"]
        equal([block["type"] for block in content], ["thinking", "text"])
        equal(content[0]["thinking"], "")
        history = [*first, {"role": "assistant", "content": content}]
        same = {"system": [{"type": "text", "text": "Be brief."} | MARK]}
        said, second = following(history, **same)
        equal(second[1]["text"], "ok")
        changed = {"role": "user", "content": "Two?"}
        for moved, members in (
            (history, {"system": "Be long."}),
            (history, same | {"tools": [{"name": "look", "input_schema": {}}]}),
            ([changed, history[1]], same),
            (history, same | {"key": "another"}),
        ):
            message = following(moved, **members)[1]
            equal((message.startswith(bound), message), (True, message))
        # Thinking may go away from the front, but not from the middle.
        history = [*said, {"role": "assistant", "content": second}]
        said, third = following(history, **same)
        history = [*said, {"role": "assistant", "content": third}]
        equal(following(without(history, 1), **same)[1][1]["text"], "ok")
        equal(following(without(history, 1, 3, 5), **same)[1][1]["text"], "ok")
        message = following(without(history, 3), **same)[1]
        equal(message.startswith("messages.5.content.0: Invalid `signature`"), True)
        # Where it is not bound, or dropped, the answer comes.
        said = [*history[:2], {"role": "user", "content": "More?"}]
        taken(server, "anthropic", OLDER, messages=said, system="Be long.")
        value = taken(
            server,
            "anthropic",
            NEW,
            messages=said,
            headers=BINDING,
            thinking=DROP,
            system="Be long.",
        )
        equal(value["input_transformations"][0]["path"], "messages.1.content.0")
        for member, value in (("thinking", "I knew."), ("signature", "AAAA")):
            block = content[0] | {member: value}
            forged = [*first, {"role": "assistant", "content": [block]}]
            message = following(forged, **same)[1]
            equal(message, "messages.1.content.0: Invalid `signature` in `thinking` block")


def without(history, *places):
    """The history without the thinking of some messages."""
    return [
        message | {"content": message["content"][1:]} if place in places else message
        for place, message in enumerate(history)
    ]


def thinking_follows_the_request():
    with served() as server:
        adaptive = {"type": "adaptive", "display": "summarized"}
        content = taken(server, "anthropic", NEW, thinking=adaptive)["content"]
        equal(content[0]["thinking"] != "", True)
        enabled = {"type": "enabled", "budget_tokens": 1024}
        content = taken(server, "anthropic", OLD, thinking=enabled)["content"]
        equal(content[0]["thinking"] != "", True)
        equal(len(taken(server, "anthropic", OLD)["content"]), 1)
        off = {"type": "disabled"}
        equal(len(taken(server, "anthropic", OLDER, thinking=off)["content"]), 1)
        # Thinking eats a small limit.
        value = taken(server, "anthropic", NEW, max_tokens=30)
        equal((value["stop_reason"], value["usage"]["output_tokens"]), ("max_tokens", 30))
        equal([block["type"] for block in value["content"]], ["thinking"])


def sealed_reasoning_stays_in_its_account():
    include = {"include": ["reasoning.encrypted_content"], "store": False}
    with served() as server:
        output = taken(server, "responses", "gpt-test", **include)["output"]
        equal([item["type"] for item in output], ["reasoning", "message"])
        question = {"role": "user", "content": "More?"}
        history = {"input": [*output, question]}
        taken(server, "responses", "gpt-test", **history)
        status, value = post(server, "responses", "gpt-test", key="another", **history)
        equal((status, value["error"]["code"]), (400, "invalid_encrypted_content"))
        body = {"model": "gpt-test", "input": "Hello.", "stream": True} | include
        link = server.connect()
        link.request("POST", "/v1/responses", json.dumps(body), headers_of("responses"))
        lines = link.getresponse().read().decode().splitlines()
        link.close()
        values = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
        done = next(value for value in values if value["type"].endswith("item.done"))
        last = values[-1]["response"]["output"][0]
        equal(done["item"]["encrypted_content"] != last["encrypted_content"], True)
        equal("encrypted_content" in taken(server, "responses", "gpt-test")["output"][0], False)
        low = {"reasoning": {"effort": "none"}}
        output = taken(server, "responses", "gpt-test", **low)["output"]
        equal([item["type"] for item in output], ["message"])


CHECKS = [
    marked_prefixes_are_written_and_read,
    openai_caches_common_items,
    thinking_is_bound_to_its_conversation,
    thinking_follows_the_request,
    sealed_reasoning_stays_in_its_account,
]
