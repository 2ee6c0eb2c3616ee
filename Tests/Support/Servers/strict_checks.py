"""The self-test of strict_server.py."""

import base64
import json
import zlib

import strict_prompt_checks
import strict_row_checks
from checks import equal, run
from model_client import KEY
from strict_client import asked, call, headers_of, post, read_stream, refusal, served, taken

NEW, OLD = "claude-test-5-5", "claude-test-4-5"
MARK = {"cache_control": {"type": "ephemeral"}}
TOOL = {"name": "look", "input_schema": {"type": "object"}}
FUNCTION = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
SAME = "unsupported_value"
FAST = ["batch", "us", "fast"]


def anthropic_refuses_by_the_row_and_names_no_parameter():
    words = {
        "temperature": {"temperature": 1},
        "top_k": {"top_k": 5},
    }
    with served() as server:
        for name, members in words.items():
            error = refusal(server, "anthropic", NEW, **members)
            said = f"`{name}` is deprecated for this model."
            equal(error, {"type": "invalid_request_error", "message": said})
        for kind in ("enabled", "disabled"):
            thinking = {"type": kind} | ({"budget_tokens": 1024} if kind == "enabled" else {})
            error = refusal(server, "anthropic", NEW, thinking=thinking)
            equal(f'"thinking.type.{kind}" is not' in error["message"], True)
        for choice in ({"type": "any"}, {"type": "tool", "name": "look"}):
            error = refusal(server, "anthropic", NEW, tools=[TOOL], tool_choice=choice)
            said = 'tool_choice: type "tool" and "any" are not supported for this model.'
            equal(error["message"], said)
        taken(server, "anthropic", NEW, tools=[TOOL], tool_choice={"type": "auto"})
        prefill = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
        equal("prefill" in refusal(server, "anthropic", NEW, messages=prefill)["message"], True)
        taken(server, "anthropic", OLD, messages=prefill)
        taken(server, "anthropic", OLD, temperature=0.3)
        both = refusal(server, "anthropic", OLD, temperature=0.3, top_p=0.9)
        equal("cannot both be specified" in both["message"], True)
        newest = {"anthropic-version": "2026-10-21"}
        status, _ = post(server, "anthropic", OLD, headers=newest, temperature=0.3)
        equal(status, 400)
        equal(
            [line["refused"] for line in server.log("request")][:4],
            ["temperature", "top_k", "thinking.enabled", "thinking.disabled"],
        )


def anthropic_refuses_efforts_that_the_row_lacks():
    def effort(level):
        return {"output_config": {"effort": level}}

    with served() as server:
        taken(server, "anthropic", NEW, **effort("max"))
        said = refusal(server, "anthropic", "claude-test-5", **effort("max"))["message"]
        equal(said.startswith("This model does not support effort level 'max'."), True)
        said = refusal(server, "anthropic", OLD, **effort("low"))["message"]
        equal(said, "This model does not support the effort parameter.")
        off = {"thinking": {"type": "disabled"}}
        taken(server, "anthropic", "claude-test-5", **off)
        said = refusal(server, "anthropic", "claude-test-5", **off, **effort("xhigh"))["message"]
        equal("disabled" in said, True)


def anthropic_refuses_bodies_that_are_wrong():
    one, two = {"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}
    block = {"type": "text", "text": "a"}
    thought = {"type": "thinking", "thinking": "", "signature": "", **MARK}

    def said(*content):
        return {"messages": [{"role": "user", "content": list(content)}]}

    with served() as server:
        for members, word in (
            ({"max_tokens": None}, "max_tokens: Field required"),
            ({"max_tokens": -1}, "max_tokens: Input should be"),
            ({"max_tokens": 9001}, "max_tokens: 9001 > 9000"),
            ({"stop": ["x"]}, "stop: Extra inputs are not permitted"),
            ({"output_format": {}}, "output_format: Extra inputs"),
            ({"messages": []}, "at least one message"),
            ({"messages": [two, one]}, "first message"),
            ({"messages": [one, {"role": "user", "content": ""}, one]}, "messages.1"),
            ({"messages": [one | {"role": "tool"}]}, "messages.0.role"),
            ({"messages": [one | {"content": "x" * 90000}]}, "prompt is too long"),
            (said(block | {"text": ""}), "text content blocks must be non-empty"),
            (said({"text": "a"}), "content.0.type"),
            (said(block, thought), "thinking.cache_control"),
            (said(block | {"cache_control": {"type": "ephemeral", "ttl": "2h"}}), "valid mark"),
            (said(*[block | MARK] * 4) | MARK, "Found 5"),
            ({"tool_choice": {"type": "auto"}}, "while providing tools"),
            ({"tools": [TOOL], "tool_choice": {"type": "all"}}, "tool_choice.type"),
            ({"tools": [TOOL], "tool_choice": {"type": "tool", "name": "x"}}, "not found"),
            ({"tools": {}}, "tools: Input"),
            ({"thinking": {"type": "on"}}, "thinking.type"),
            ({"thinking": {"type": "adaptive", "display": "all"}}, "thinking.display"),
            ({"thinking": {"type": "adaptive", "block_binding": {}}}, "adaptive.block_binding"),
            ({"thinking": {"type": "enabled", "budget_tokens": 9}}, "at least 1024"),
            ({"thinking": {"type": "enabled", "budget_tokens": 2000}}, "must be greater than"),
            ({"output_config": {"effort": "none"}}, "output_config.effort"),
            ({"output_config": {"schema": {}}}, "output_config.schema"),
            ({"output_config": {"format": {"type": "json"}}}, "output_config.format"),
        ):
            sentence = refusal(server, "anthropic", NEW, **members)["message"]
            equal((word in sentence, word, sentence), (True, word, sentence))
        turns = [one, two, one | {"role": "system"}, one]
        taken(server, "anthropic", NEW, messages=turns)
        equal(
            "messages.2.role" in refusal(server, "anthropic", OLD, messages=turns)["message"], True
        )
        status, value = post(server, "anthropic", NEW, headers={"anthropic-version": "1"})
        equal((status, "not a valid version" in value["error"]["message"]), (400, True))
        _, value = call(server, "POST", "/v1/messages", {"x-api-key": KEY}, {"model": NEW})
        equal(value["error"]["message"], "anthropic-version: header is required")
        body = {"temperature": None, "model": NEW, "messages": [one], "max_tokens": 9}
        _, value = call(server, "POST", "/v1/messages", headers_of("anthropic"), body)
        equal(value["error"]["message"], "temperature: Input should not be null")
        newest = {"anthropic-version": "2026-10-21"}
        cited = said(block | {"citations": [{"type": "char_location"}]})
        filed = {"messages": [one, two | {"content": [{"type": "document"}]}, one]}
        for members in (cited, filed, {"temperature": 1}):
            taken(server, "anthropic", OLD, **members)
            equal(post(server, "anthropic", OLD, headers=newest, **members)[0], 400)


def openai_refuses_bodies_that_are_wrong():
    form = {"type": "json_schema", "name": "a b", "schema": {"type": "object"}}
    part = {"type": "input_text", "text": "a"}
    needed = "missing_required_parameter"
    with served() as server:
        for wire, members, name, code in (
            ("chat", {"thinking": {}}, "thinking", "unknown_parameter"),
            ("chat", {"messages": None}, "messages", needed),
            ("chat", {"messages": [{"role": "bot"}]}, "messages[0].role", "invalid_value"),
            ("chat", {"stream_options": {}}, "stream_options", None),
            ("chat", {"tool_choice": "auto"}, "tool_choice", None),
            ("chat", {"reasoning_effort": "huge"}, "reasoning_effort", "invalid_value"),
            ("chat", {"max_tokens": 9, "max_completion_tokens": 9}, "max_tokens", None),
            ("chat", {"max_completion_tokens": 9001}, "max_completion_tokens", "invalid_value"),
            (
                "chat",
                {"response_format": {"type": "json_schema", "json_schema": {"name": "a"}}},
                "response_format.json_schema.schema",
                needed,
            ),
            ("responses", {"input": [{"role": "bot"}]}, "input[0].role", "invalid_value"),
            (
                "responses",
                {"input": [{"role": "assistant", "content": [part]}]},
                "input[0].content[0]",
                "invalid_value",
            ),
            ("responses", {"text": {"format": form}}, "text.format.name", "invalid_value"),
            (
                "responses",
                {"previous_response_id": "r"},
                "previous_response_id",
                "previous_response_not_found",
            ),
            ("responses", {"stop": ["x"]}, "stop", "unknown_parameter"),
            ("responses", {"max_tokens": 99}, "max_tokens", "unknown_parameter"),
            ("responses", {"max_output_tokens": 9}, "max_output_tokens", "integer_below_min_value"),
            ("images", {"size": "big"}, "size", "invalid_value"),
            ("images", {"n": 11}, "n", "invalid_value"),
            ("images", {"style": "vivid"}, "style", "unknown_parameter"),
        ):
            model = "gpt-image-test" if wire == "images" else "gpt-test"
            error = refusal(server, wire, model, **members)
            equal((error["param"], error["code"]), (name, code))


def requests_without_a_model_are_refused():
    with served() as server:
        for method, path, status in (
            ("GET", "/v1/messages", 405),
            ("POST", "/v1/models", 405),
            ("POST", "/v1/messages", 400),
            ("POST", "/v1/embeddings", 404),
            ("POST", "/inference/chat/completions", 410),
            ("GET", "/catalog/models", 410),
        ):
            equal((path, call(server, method, path, headers_of("anthropic"))[0]), (path, status))
        equal(call(server, "GET", "/v1/models", {})[0], 401)
        equal(post(server, "anthropic", NEW, headers={"x-api-key": ""})[0], 401)
        equal(post(server, "chat", "gpt-test", key="")[1]["error"]["code"], "invalid_api_key")
    with served("--no-key") as server:
        equal(post(server, "chat", "gpt-test", key="")[0], 200)


def a_schema_gets_json_that_fits():
    list_of_kinds = {"type": "array", "items": {"enum": ["x", "y"]}, "minItems": 2}
    inner = {"type": "object", "required": ["d"], "properties": {"d": {"type": ["null", "string"]}}}
    known = {"a": list_of_kinds, "b": {"type": "integer", "minimum": 3}, "c": inner}
    schema = {"type": "object", "required": list(known), "properties": known}
    form = {"type": "json_schema", "name": "answer", "schema": schema}
    wanted = {"a": ["x", "x"], "b": 3, "c": {"d": None}}
    asking = {
        "anthropic": {"output_config": {"format": {"type": "json_schema", "schema": schema}}},
        "chat": {"response_format": {"type": "json_schema", "json_schema": form}},
        "responses": {"text": {"format": form}},
    }
    with served() as server:
        for wire, members in asking.items():
            model = NEW if wire == "anthropic" else "gpt-test"
            text = read_stream(server, wire, model, asked("Hello.")[wire] | members)[0]
            equal((wire, json.loads(text)), (wire, wanted))


def openai_names_the_parameter_and_a_code():
    tools = {"tools": [FUNCTION]}
    with served() as server:
        for wire, members, found in (
            ("chat", {"temperature": 0.3}, ("temperature", "unsupported_value")),
            ("responses", {"temperature": 0.3}, ("temperature", "unsupported_parameter")),
            ("chat", {"logprobs": True}, ("logprobs", "unsupported_parameter")),
            ("chat", {"stop": ["x"]}, ("stop", "unsupported_parameter")),
            ("chat", {"max_tokens": 50}, ("max_tokens", "unsupported_parameter")),
            ("chat", {"reasoning_effort": "max"}, ("reasoning_effort", "unsupported_value")),
            ("responses", {"reasoning": {"effort": "minimal"}}, ("reasoning.effort", SAME)),
            ("chat", tools, ("reasoning_effort", None)),
        ):
            error = refusal(server, wire, "gpt-test", **members)
            equal((error["param"], error["code"]), found)
        for members in ({"temperature": 1}, {"temperature": 0.3, "reasoning_effort": "none"}):
            taken(server, "chat", "gpt-test", **members)
        taken(server, "chat", "gpt-test", **tools, reasoning_effort="none")
        taken(server, "responses", "gpt-test", tools=[TOOL | {"type": "function"}])
        taken(server, "chat", "gpt-plain", temperature=0.3, max_tokens=50, stop=["x"])
        error = refusal(server, "chat", "gpt-plain", reasoning_effort="low")
        equal((error["param"], error["code"]), ("reasoning_effort", "unsupported_parameter"))
        sealed = {"include": ["reasoning.encrypted_content"]}
        equal(refusal(server, "responses", "gpt-plain", **sealed)["param"], "include")


def unknown_and_retired_models_are_not_found():
    with served() as server:
        equal(refusal(server, "anthropic", "gpt-test")["type"], "not_found_error")
        for model in ("gpt-gone", "gpt-next", "gpt-image-test", NEW):
            equal(refusal(server, "chat", model)["code"], "model_not_found")
        taken(server, "anthropic", OLD)
    with served("--day", "2026-12-01") as server:
        equal(post(server, "anthropic", OLD)[0], 404)
        taken(server, "chat", "mystery-plain")


def mystery_models_refuse_the_parameters_of_their_names():
    every = {"temperature": 0.5, "max_tokens": 99}
    with served() as server:
        said = {"stop_sequences": ["x"]} | every
        error = refusal(server, "anthropic", "mystery-temperature-stop", **said)
        equal(error["message"], "`temperature` is deprecated for this model.")
        said["temperature"] = None
        error = refusal(server, "anthropic", "mystery-temperature-stop", **said)
        equal(error["message"], "`stop_sequences` is not supported for this model.")
        taken(server, "anthropic", "mystery-temperature-stop")
        taken(server, "anthropic", "mystery-plain", stop_sequences=["x"], **every)
        effort = {"output_config": {"effort": "low"}}
        error = refusal(server, "anthropic", "mystery-effort", **effort)
        equal(error["message"], "`effort` is not supported for this model.")
        system = [{"type": "text", "text": "x"} | MARK]
        error = refusal(server, "anthropic", "mystery-cache_control", system=system)
        equal("`cache_control`" in error["message"], True)
        for wire, model, members, name in (
            ("chat", "mystery-stop", {"stop": "x"} | every, "stop"),
            ("chat", "mystery-effort", {"reasoning_effort": "low"}, "reasoning_effort"),
            ("responses", "mystery-effort", {"reasoning": {"effort": "low"}}, "reasoning.effort"),
            ("responses", "mystery-prompt_cache_key", {"prompt_cache_key": "k"}, None),
            ("images", "mystery-quality", {"quality": "low"}, "quality"),
        ):
            error = refusal(server, wire, model, **members)
            equal(error["param"], name or "prompt_cache_key")


def lists_of_models_have_pages_and_ends():
    with served() as server:
        found, path = [], "/v1/models?limit=1000"
        for size in (5, 2):
            _, page = call(server, "GET", path, headers_of("anthropic"))
            equal((len(page["data"]), page["has_more"]), (size, size == 5))
            found += page["data"]
            path = f"/v1/models?limit=1000&after_id={page['last_id']}"
        equal(len({entry["id"] for entry in found}), 7)
        old = next(entry for entry in found if entry["id"] == OLD)
        equal((old["lifecycle"], old["retires_at"]), ("deprecated", "2026-11-30T00:00:00Z"))
        equal((old["max_input_tokens"], old["capabilities"]["effort"]["supported"]), (20000, False))
        _, new = call(server, "GET", f"/v1/models/{NEW}", headers_of("anthropic"))
        types = new["capabilities"]["thinking"]["types"]
        equal([types[kind]["supported"] for kind in ("adaptive", "enabled")], [True, False])
        path = "/v1/models/mystery-effort-temperature"
        able = call(server, "GET", path, headers_of("anthropic"))[1]["capabilities"]
        equal(able["effort"]["supported"], False)
        equal(able["thinking"]["types"]["enabled"]["supported"], False)
        equal(call(server, "GET", "/v1/models?after_id=x", headers_of("anthropic"))[0], 400)
        equal(call(server, "GET", "/v1/models?limit=0", headers_of("anthropic"))[0], 400)
        equal(call(server, "GET", "/v1/models/none", headers_of("anthropic"))[0], 404)
        _, whole = call(server, "GET", "/v1/models", headers_of("chat"))
        _, one = call(server, "GET", "/v1/models/gpt-plain", headers_of("chat"))
        equal((one["object"], one["shutdown_date"]), ("model", "2027-01-14"))
        ends = {entry["id"]: entry["shutdown_date"] for entry in whole["data"]}
        equal(ends, {"gpt-test": None, "gpt-plain": "2027-01-14", "gpt-image-test": None})


def pictures_are_small_and_counted():
    with served() as server:
        value = taken(server, "images", "gpt-image-test", n=2, quality="high")
        data = base64.b64decode(value["data"][1]["b64_json"])
        start = data.index(b"IHDR")
        equal(int.from_bytes(data[start + 17 : start + 21]), zlib.crc32(data[start : start + 17]))
        usage = value["usage"]
        equal((usage["output_tokens"], usage["output_tokens_details"]["image_tokens"]), (800, 800))
        for quality in ("standard", "hd", "fine"):
            equal(refusal(server, "images", "gpt-image-test", quality=quality)["param"], "quality")
        error = refusal(server, "images", "gpt-image-test", response_format="b64_json")
        equal(error["param"], "response_format")
        equal(post(server, "images", "gpt-test")[0], 404)


def words_in_the_question_change_the_answer():
    def answer(server, wire, model, text, **members):
        said = asked(text)[wire] | members
        streamed = read_stream(server, wire, model, said)
        return taken(server, wire, model, **said), streamed

    with served() as server:
        whole, (text, stop, usage, complete, _) = answer(
            server, "anthropic", NEW, "REFUSE:cyber TIER:batch GEO:us SPEED:fast"
        )
        equal((whole["content"], whole["stop_details"]["category"]), ([], "cyber"))
        equal((text, stop, complete), ("", "refusal", True))
        equal([usage[name] for name in ("service_tier", "inference_geo", "speed")], FAST)
        whole, (text, stop, _, _, _) = answer(server, "anthropic", NEW, "REFUSE:null:after")
        equal((whole["stop_details"]["category"], text[:4], stop), (None, "Here", "refusal"))
        whole, (text, stop, usage, _, _) = answer(server, "anthropic", NEW, "EMPTY")
        equal([block["type"] for block in whole["content"]], ["thinking"])
        equal((text, stop, usage["output_tokens"]), ("", "max_tokens", 2000))
        limits = {"max_output_tokens": 500}
        whole, (text, stop, usage, _, _) = answer(
            server, "responses", "gpt-test", "EMPTY", **limits
        )
        equal([item["type"] for item in whole["output"]], ["reasoning"])
        equal((text, stop, usage["output_tokens"]), ("", "max_output_tokens", 500))
        whole, (text, stop, _, _, _) = answer(server, "chat", "gpt-test", "TIER:flex EMPTY")
        equal((whole["service_tier"], text, stop), ("flex", "", "length"))
        whole, (text, _, _, _, _) = answer(server, "chat", "gpt-test", "REFUSE:bio")
        equal((whole["choices"][0]["message"]["refusal"] is None, text), (False, ""))
        for wire, model in (("anthropic", NEW), ("chat", "gpt-test"), ("responses", "gpt-test")):
            whole, (text, _, _, complete, _) = answer(server, wire, model, "You are the CEO.")
            equal((text.count('"role"'), '"pipeline"' in text, complete), (3, True, True))
            equal(answer(server, wire, model, "Hello.")[1][0], "ok")


def the_log_has_a_line_for_each_request():
    with served() as server:
        answer = taken(server, "anthropic", NEW, messages=asked("Häuser.")["anthropic"]["messages"])
        refusal(server, "chat", "gpt-test", temperature=0)
        call(server, "GET", "/v1/models", headers_of("chat"))
        first, second, third = server.log("request")
        equal((first["wire"], first["model"], first["status"]), ("anthropic", NEW, 200))
        equal((first["usage"], first["body"]["max_tokens"]), (answer["usage"], 2000))
        equal((second["refused"], second["usage"], second["status"]), ("temperature", None, 400))
        equal((third["wire"], third["model"], third["body"]), ("models", None, None))
        equal(KEY in str(server.log()), False)


def main(rows):
    """Runs all checks, those of a table too if one is given."""
    return run(
        strict_prompt_checks.CHECKS
        + (strict_row_checks.checks(rows) if rows else [])
        + [
            anthropic_refuses_by_the_row_and_names_no_parameter,
            anthropic_refuses_efforts_that_the_row_lacks,
            anthropic_refuses_bodies_that_are_wrong,
            openai_refuses_bodies_that_are_wrong,
            requests_without_a_model_are_refused,
            a_schema_gets_json_that_fits,
            openai_names_the_parameter_and_a_code,
            unknown_and_retired_models_are_not_found,
            mystery_models_refuse_the_parameters_of_their_names,
            lists_of_models_have_pages_and_ends,
            pictures_are_small_and_counted,
            words_in_the_question_change_the_answer,
            the_log_has_a_line_for_each_request,
        ]
    )
