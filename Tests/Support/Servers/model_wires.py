"""Two wires of the model server: Anthropic Messages and OpenAI chat completions.

Each wire builds a stream as three lists of event bytes: up to the half of the text, the rest of the
text, and the end (stop reason, usage, stop). Behaviours are laid over these lists, not over bytes.
"""

import json

from model_answers import pieces, utf8
from model_draft import CREATED, Writer, counts, halves, merged

CHAT_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "content_filter",
    "tool_use": "tool_calls",
}
ANTHROPIC_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
CHAT_ERRORS = {
    400: ("invalid_request_error", None),
    401: ("invalid_request_error", "invalid_api_key"),
    402: ("insufficient_quota", "credit_balance_exhausted"),
    403: ("invalid_request_error", "unsupported_country_region_territory"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("requests", "rate_limit_exceeded"),
    503: ("server_error", "server_is_overloaded"),
}


def signature(draft):
    """What has to come back as it was sent."""
    return f"sealed+{draft.identity}/=="


class Anthropic:
    name = "anthropic"
    request_id = "request-id"

    @staticmethod
    def usage(draft):
        plain, output, read, write = counts(draft)
        return merged(
            {
                "input_tokens": plain,
                "cache_creation_input_tokens": write,
                "cache_read_input_tokens": read,
                "cache_creation": {
                    "ephemeral_5m_input_tokens": write,
                    "ephemeral_1h_input_tokens": 0,
                },
                "output_tokens": output,
                "service_tier": "standard",
            },
            draft.behaviour,
        )

    @classmethod
    def message(cls, draft, content, stop, usage):
        message = {
            "id": f"msg_{draft.identity}",
            "type": "message",
            "role": "assistant",
            "model": draft.model,
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
        }
        if stop == "refusal":
            message["stop_details"] = {"type": "refusal", "category": None, "explanation": None}
        if not draft.behaviour.get("noUsage"):
            message["usage"] = usage
        if draft.behaviour.get("unknown"):
            message["future_field"] = {"nested": [1, None, "x"]}
        return message

    @classmethod
    def whole(cls, draft):
        content = [{"type": "text", "text": draft.text}]
        if draft.behaviour.get("unknown"):
            content.insert(
                0, {"type": "future_block", "payload": {"text": "not part of the answer"}}
            )
        if thought := draft.behaviour.get("reasoning"):
            content.insert(
                0, {"type": "thinking", "thinking": thought, "signature": signature(draft)}
            )
        content += [
            {
                "type": "tool_use",
                "id": call["id"],
                "name": call["name"],
                "input": json.loads(call["arguments"]),
            }
            for call in draft.behaviour.get("calls", [])
        ]
        return cls.message(draft, content, draft.stop, cls.usage(draft))

    @classmethod
    def stream(cls, draft):
        behaviour = draft.behaviour
        writer = Writer(behaviour)
        unknown = behaviour.get("unknown", False)
        thought = behaviour.get("reasoning")
        index = (1 if unknown else 0) + (1 if thought else 0)
        usage = cls.usage(draft)

        def emit(value):
            return writer.event(value["type"], value)

        def whole_block(place, block, parts):
            return [
                emit({"type": "content_block_start", "index": place, "content_block": block}),
                *(
                    emit({"type": "content_block_delta", "index": place, "delta": part})
                    for part in parts
                ),
                emit({"type": "content_block_stop", "index": place}),
            ]

        def opening(suffix=""):
            start = cls.message(draft, [], None, usage | {"output_tokens": 1})
            start["id"] += suffix
            events = [emit({"type": "message_start", "message": start})]
            if unknown:
                block = {"type": "future_block", "payload": ""}
                delta = {"type": "future_delta", "text": "not part of the answer"}
                events += [
                    writer.comment("a comment"),
                    emit({"type": "content_block_start", "index": 0, "content_block": block}),
                    emit({"type": "content_block_delta", "index": 0, "delta": delta}),
                    emit({"type": "content_block_stop", "index": 0}),
                    emit({"type": "future_event", "text": "not part of the answer"}),
                ]
            if thought:
                parts = [
                    *({"type": "thinking_delta", "thinking": part} for part in pieces(thought, 2)),
                    {"type": "signature_delta", "signature": signature(draft)},
                ]
                block = {"type": "thinking", "thinking": "", "signature": ""}
                events += whole_block(index - 1, block, parts)
            block = {"type": "text", "text": ""}
            events.append(
                emit({"type": "content_block_start", "index": index, "content_block": block})
            )
            if behaviour.get("ping", True):
                events.append(writer.event("ping", '{"type": "ping"}', pad=False))
            return events

        def deltas(parts):
            events = []
            for part in parts:
                delta = {"type": "text_delta", "text": part}
                value = {"type": "content_block_delta", "index": index, "delta": delta}
                if unknown:
                    value["future_field"] = True
                events.append(emit(value))
            return events

        before, after = halves(draft)
        first, second = opening() + deltas(before), deltas(after)
        restart = behaviour.get("duplicateStart")
        if restart == "immediate":
            first = opening()[:1] + first
        elif restart:
            # The first half is void: the client starts over at the second message_start.
            second = opening("second") + deltas(before + after)
        if behaviour.get("ping"):
            second.insert(len(second) // 2, writer.event("ping", '{"type": "ping"}', pad=False))
        change = {"stop_reason": draft.stop, "stop_sequence": None}
        if draft.stop == "refusal":
            change["stop_details"] = {"type": "refusal", "category": None, "explanation": None}
        final = {"type": "message_delta", "delta": change}
        if not behaviour.get("noUsage"):
            shown = (
                ("output_tokens",)
                if behaviour.get("outputUsageOnly")
                else tuple(key for key in usage if key not in ("cache_creation", "service_tier"))
            )
            final["usage"] = {key: usage[key] for key in shown}
        end = [emit({"type": "content_block_stop", "index": index})]
        for place, call in enumerate(behaviour.get("calls", []), index + 1):
            block = {"type": "tool_use", "id": call["id"], "name": call["name"], "input": {}}
            parts = [
                {"type": "input_json_delta", "partial_json": part}
                for part in pieces(call["arguments"], 2)
            ]
            end += whole_block(place, block, parts)
        if behaviour.get("usageTwice") and "usage" in final:
            part = final["usage"] | {"output_tokens": final["usage"]["output_tokens"] // 2}
            early = {"stop_reason": None, "stop_sequence": None}
            end.append(emit({"type": "message_delta", "delta": early, "usage": part}))
        end += [emit(final), emit({"type": "message_stop"})]
        return first, second, end

    @classmethod
    def error(cls, status, message, behaviour, identity):
        kind = behaviour.get("errorType") or ANTHROPIC_ERRORS.get(status, "api_error")
        error = {"type": kind, "message": message}
        return {"type": "error", "error": error, "request_id": f"req_{identity}"}

    @classmethod
    def stream_error(cls, kind, message, behaviour):
        error = {"details": None, "type": kind, "message": message}
        return Writer(behaviour).event("error", {"type": "error", "error": error})


def chat_call(call):
    function = {"name": call["name"], "arguments": call["arguments"]}
    return {"id": call["id"], "type": "function", "function": function}


class Chat:
    name = "chat"
    request_id = "x-request-id"

    @staticmethod
    def usage(draft):
        plain, output, read, write = counts(draft)
        prompt = plain + read + write
        return merged(
            {
                "prompt_tokens": prompt,
                "completion_tokens": output,
                "total_tokens": prompt + output,
                "prompt_tokens_details": {
                    "cached_tokens": read,
                    "cache_write_tokens": write,
                    "audio_tokens": 0,
                },
                "completion_tokens_details": {
                    "reasoning_tokens": 0,
                    "audio_tokens": 0,
                    "accepted_prediction_tokens": 0,
                    "rejected_prediction_tokens": 0,
                },
            },
            draft.behaviour,
        )

    @classmethod
    def common(cls, draft, kind):
        return {
            "id": f"chatcmpl-{draft.identity}",
            "object": kind,
            "created": CREATED,
            "model": draft.model,
            "service_tier": "default",
            "system_fingerprint": None,
        }

    @classmethod
    def whole(cls, draft):
        message = {"role": "assistant", "content": draft.text, "refusal": None, "annotations": []}
        if calls := draft.behaviour.get("calls"):
            message["tool_calls"] = [chat_call(call) for call in calls]
        reason = CHAT_REASONS.get(draft.stop, draft.stop)
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": reason}
        value = cls.common(draft, "chat.completion") | {"choices": [choice]}
        if not draft.behaviour.get("noUsage"):
            value["usage"] = cls.usage(draft)
        if draft.behaviour.get("unknown"):
            value["future_field"] = {"nested": [1, None, "x"]}
            message["reasoning_content"] = "not part of the answer"
        return value

    @classmethod
    def stream(cls, draft):
        behaviour = draft.behaviour
        writer = Writer(behaviour)
        unknown = behaviour.get("unknown", False)
        totals = draft.include_usage and not behaviour.get("noUsage")
        common = cls.common(draft, "chat.completion.chunk")

        def chunk(delta, reason=None):
            value = common | {"choices": [cls.choice(delta, reason)]}
            if totals:
                value["usage"] = None
            if unknown:
                value["obfuscation"] = "RIdwxH030"[: 1 + writer.count % 9]
            return writer.event(None, value)

        opening = [chunk({"role": "assistant", "content": "", "refusal": None})]
        before_all = cls.preamble(writer)
        if unknown:
            opening += [
                writer.comment("a comment"),
                chunk({"reasoning_content": "not part of the answer"}),
                writer.event("future_event", {"object": "future", "choices": []}),
            ]
        if thought := behaviour.get("reasoning"):
            opening += [chunk({"reasoning_content": part}) for part in pieces(thought, 2)]
        before, after = halves(draft)
        first = before_all + opening + [chunk({"content": part}) for part in before]
        second = [chunk({"content": part}) for part in after]
        if behaviour.get("duplicateStart"):
            # Nothing starts over on this wire: a repeated role is only noise.
            second = opening[:1] + second
        if behaviour.get("ping"):
            second.insert(len(second) // 2, writer.comment("ping"))
        end = []
        for index, call in enumerate(behaviour.get("calls", [])):
            opened = chat_call(call | {"arguments": ""}) | {"index": index}
            parts = [
                {"index": index, "function": {"arguments": part}}
                for part in pieces(call["arguments"], 2)
            ]
            end += [chunk({"tool_calls": [part]}) for part in [opened, *parts]]
        return first, second, end + cls.ending(draft, writer, common, totals)

    @classmethod
    def choice(cls, delta, reason):
        return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}

    @classmethod
    def preamble(cls, writer):
        """What comes before the first chunk."""
        return []

    @classmethod
    def ending(cls, draft, writer, common, totals):
        """What comes after the text and the calls."""
        last = common | {"choices": [cls.choice({}, CHAT_REASONS.get(draft.stop, draft.stop))]}
        if not totals:
            return [writer.event(None, last), writer.event(None, "[DONE]")]
        counted = common | {"choices": [], "usage": cls.usage(draft)}
        events = [writer.event(None, last | {"usage": None}), writer.event(None, counted)]
        return [*events, writer.event(None, "[DONE]")]

    @classmethod
    def error(cls, status, message, behaviour, identity):
        kind, code = CHAT_ERRORS.get(status, ("server_error", None))
        kind = behaviour.get("errorType") or kind
        code = behaviour.get("errorCode") or code
        return {"error": {"message": message, "type": kind, "param": None, "code": code}}

    @classmethod
    def stream_error(cls, kind, message, behaviour):
        error = {
            "message": message,
            "type": kind,
            "param": None,
            "code": behaviour.get("errorCode"),
        }
        return Writer(behaviour).event(None, {"error": error})


def encoded(value):
    """A body: text as it is, anything else as JSON."""
    return utf8(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
