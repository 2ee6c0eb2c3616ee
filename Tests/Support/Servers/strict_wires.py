"""The shapes of the answers of strict_server.py: whole, or as the events of a stream."""

from model_answers import pieces
from model_draft import CREATED, Writer

# One pixel.
PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJ"
    "RU5ErkJggg=="
)
PIECES = 4
FINISHES = {"max_tokens": "length"}


class Anthropic:
    name = "anthropic"

    @staticmethod
    def usage(reply):
        count = reply.count
        return {
            "input_tokens": count.total - count.read - count.written,
            "cache_creation_input_tokens": count.written,
            "cache_read_input_tokens": count.read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": count.written - count.long,
                "ephemeral_1h_input_tokens": count.long,
            },
            "output_tokens": reply.output,
            "output_tokens_details": {"thinking_tokens": reply.thought},
            "service_tier": reply.tier,
            "inference_geo": reply.geo,
            "speed": reply.speed,
        }

    @staticmethod
    def content(reply):
        found = []
        if reply.thinking is not None:
            thinking = {"type": "thinking", "thinking": reply.thinking}
            found.append(thinking | {"signature": reply.signature})
        return found + ([{"type": "text", "text": reply.text}] if reply.text else [])

    @classmethod
    def whole(cls, reply):
        message = {
            "id": f"msg_{reply.identity}",
            "type": "message",
            "role": "assistant",
            "model": reply.model,
            "content": cls.content(reply),
            "stop_reason": reply.stop,
            "stop_sequence": None,
            "stop_details": reply.refusal,
            "usage": cls.usage(reply),
        }
        if reply.dropped:
            reason = {"type": "thinking_dropped", "reason": "prefix_binding_mismatch"}
            message["input_transformations"] = [reason | {"path": path} for path in reply.dropped]
        return message

    @classmethod
    def events(cls, reply):
        writer, usage, last = Writer({}), cls.usage(reply), cls.whole(reply)
        ends = {name: last[name] for name in ("stop_reason", "stop_sequence", "stop_details")}
        # The price of the answer is told at its start only: tier, region, speed and lifetimes.
        details = usage.pop("output_tokens_details")
        first = last | dict.fromkeys(ends) | {"content": []}
        first["usage"] = usage | {"output_tokens": 1}
        totals = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        final = {name: usage[name] for name in (*totals, "output_tokens")}

        def event(kind, **members):
            return writer.event(kind, {"type": kind} | members)

        yield event("message_start", message=first)
        yield event("ping")
        for index, block in enumerate(last["content"]):
            member, parts = block["type"], []
            empty = dict.fromkeys(block, "") | {"type": member}
            yield event("content_block_start", index=index, content_block=empty)
            for part in pieces(block[member], PIECES):
                parts += [{"type": f"{member}_delta", member: part}] if part else []
            if member == "thinking":
                parts.append({"type": "signature_delta", "signature": block["signature"]})
            for part in parts:
                yield event("content_block_delta", index=index, delta=part)
            yield event("content_block_stop", index=index)
        final |= {"output_tokens_details": details}
        yield event("message_delta", delta=ends, usage=final)
        yield event("message_stop")


class Chat:
    name = "chat"

    @staticmethod
    def usage(reply):
        count = reply.count
        return {
            "prompt_tokens": count.total,
            "completion_tokens": reply.output,
            "total_tokens": count.total + reply.output,
            "prompt_tokens_details": {
                "audio_tokens": 0,
                "cached_tokens": count.read,
                "cache_write_tokens": count.written,
            },
            "completion_tokens_details": {
                "accepted_prediction_tokens": 0,
                "audio_tokens": 0,
                "reasoning_tokens": reply.thought,
                "rejected_prediction_tokens": 0,
            },
        }

    @staticmethod
    def common(reply, kind):
        return {
            "id": f"chatcmpl-{reply.identity}",
            "object": kind,
            "created": CREATED,
            "model": reply.model,
            "service_tier": reply.tier,
            "system_fingerprint": None,
        }

    @classmethod
    def whole(cls, reply):
        message = {
            "role": "assistant",
            "content": None if reply.refusal and not reply.text else reply.text,
            "refusal": explanation(reply),
            "annotations": [],
        }
        choice = {"index": 0, "message": message, "logprobs": None}
        choice["finish_reason"] = FINISHES.get(reply.stop, "stop")
        usage = cls.usage(reply)
        return cls.common(reply, "chat.completion") | {"choices": [choice], "usage": usage}

    @classmethod
    def events(cls, reply):
        writer, common = Writer({}), cls.common(reply, "chat.completion.chunk")
        if reply.counts:
            common["usage"] = None

        def chunk(delta, reason=None):
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
            return writer.event(None, common | {"choices": [choice]})

        yield chunk({"role": "assistant", "content": "", "refusal": None})
        for part in pieces(reply.text, PIECES):
            if part:
                yield chunk({"content": part})
        if reply.refusal:
            yield chunk({"refusal": explanation(reply)})
        yield chunk({}, FINISHES.get(reply.stop, "stop"))
        if reply.counts:
            yield writer.event(None, common | {"choices": [], "usage": cls.usage(reply)})
        yield writer.event(None, "[DONE]")


class Responses:
    name = "responses"

    @staticmethod
    def usage(reply):
        count = reply.count
        return {
            "input_tokens": count.total,
            "input_tokens_details": {
                "cached_tokens": count.read,
                "cache_write_tokens": count.written,
                "cache_write_tokens_details": {
                    "ttl_30m_tokens": count.written - count.long,
                    "ttl_12h_tokens": count.long,
                },
            },
            "output_tokens": reply.output,
            "output_tokens_details": {"reasoning_tokens": reply.thought},
            "total_tokens": count.total + reply.output,
        }

    @staticmethod
    def items(reply, version=-1):
        """The items of the output; sealed reasoning differs between its event and the last one."""
        found = []
        if reply.thinking is not None:
            item = {"id": f"rs_{reply.identity}", "type": "reasoning", "summary": []}
            sealed = {"encrypted_content": reply.sealed[version]} if reply.sealed else {}
            found.append(item | sealed)
        parts = []
        if reply.text:
            text = {"type": "output_text", "text": reply.text}
            parts.append(text | {"annotations": [], "logprobs": []})
        if reply.refusal:
            parts.append({"type": "refusal", "refusal": explanation(reply)})
        if parts:
            message = {"id": f"msg_{reply.identity}", "type": "message", "role": "assistant"}
            found.append(message | {"status": "completed", "content": parts})
        return found

    @classmethod
    def whole(cls, reply):
        cut = reply.stop == "max_tokens"
        return {
            "id": f"resp_{reply.identity}",
            "object": "response",
            "created_at": CREATED,
            "status": "incomplete" if cut else "completed",
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "instructions": None,
            "metadata": {},
            "model": reply.model,
            "output": cls.items(reply),
            "parallel_tool_calls": True,
            "service_tier": reply.tier,
            "store": False,
            "temperature": 1.0,
            "tool_choice": "auto",
            "tools": [],
            "top_p": 1.0,
            "usage": cls.usage(reply),
        }

    @classmethod
    def events(cls, reply):
        writer, number, last = Writer({}), 0, cls.whole(reply)

        def event(name, **members):
            nonlocal number
            kind = f"response.{name}"
            value = {"type": kind, "sequence_number": number} | members
            number += 1
            return writer.event(kind, value)

        opened = last | {"status": "in_progress", "incomplete_details": None, "output": []}
        # Until the end the tier is the one that was asked for.
        opened |= {"service_tier": "auto", "usage": None}
        yield event("created", response=opened)
        yield event("in_progress", response=opened)
        for index, item in enumerate(cls.items(reply, 0)):
            added = item | {"content": [], "status": "in_progress"}
            if item["type"] == "reasoning":
                added = item | ({"encrypted_content": "gAAA"} if reply.sealed else {})
            yield event("output_item.added", output_index=index, item=added)
            for place, part in enumerate(item.get("content", [])):
                where = {"item_id": item["id"], "output_index": index, "content_index": place}
                yield from cls.part(event, where, part)
            yield event("output_item.done", output_index=index, item=item)
        yield event(last["status"], response=last)

    @staticmethod
    def part(event, where, part):
        member = "text" if part["type"] == "output_text" else "refusal"
        extra = {"logprobs": []} if member == "text" else {}
        yield event("content_part.added", **where, part=part | {member: ""})
        for piece in pieces(part[member], PIECES):
            yield event(f"{part['type']}.delta", **where, delta=piece, **extra)
        yield event(f"{part['type']}.done", **where, **{member: part[member]}, **extra)
        yield event("content_part.done", **where, part=part)


class Images:
    name = "images"

    @staticmethod
    def whole(body, usage):
        return {
            "created": CREATED,
            "background": "opaque",
            "data": [{"b64_json": PICTURE} for _ in range(body.get("n", 1))],
            "output_format": "png",
            "quality": body.get("quality") or "medium",
            "size": body.get("size") or "1024x1024",
            "usage": usage,
        }

    @classmethod
    def events(cls, body, usage):
        writer, whole = Writer({}), cls.whole(body, usage)
        kind = "image_generation.completed"
        shared = {name: whole[name] for name in ("background", "output_format", "quality", "size")}
        for picture in whole["data"]:
            value = {"type": kind, "created_at": CREATED, "usage": usage} | shared | picture
            yield writer.event(kind, value)


def explanation(reply):
    """The sentence of a refusal, which OpenAI's wires have in place of a category."""
    if reply.refusal:
        return reply.refusal["explanation"] or "This request was declined."
    return None
