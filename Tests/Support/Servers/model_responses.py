"""The third wire of the model server: OpenAI's Responses.

A stream goes response.created, response.in_progress, then for each item of the output
output_item.added, its parts and deltas, output_item.done, and last response.completed, or
response.incomplete where the limit of tokens was met. There is no [DONE]. An error is an `error` event
with a nested object, and response.failed after it.
"""

from model_answers import pieces
from model_draft import CREATED, Writer, counts, halves, merged
from model_wires import Chat

INCOMPLETE = {"max_tokens": "max_output_tokens", "content_filter": "content_filter"}


class Responses:
    name = "responses"
    request_id = "x-request-id"

    @staticmethod
    def usage(draft):
        plain, output, read, write = counts(draft)
        prompt = plain + read + write
        return merged(
            {
                "input_tokens": prompt,
                "input_tokens_details": {"cached_tokens": read, "cache_write_tokens": write},
                "output_tokens": output,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": prompt + output,
            },
            draft.behaviour,
        )

    @classmethod
    def response(cls, draft, status, output):
        """A response as it stands: one that goes on has no output and no usage yet."""
        return {
            "id": f"resp_{draft.identity}",
            "object": "response",
            "created_at": CREATED,
            "status": status,
            "error": None,
            "incomplete_details": None,
            "model": draft.model,
            "output": output,
            "store": False,
            "usage": None,
        }

    @classmethod
    def whole(cls, draft):
        """The response at its end."""
        value = cls.response(draft, "completed", [item for item, _ in cls.items(draft)])
        if reason := INCOMPLETE.get(draft.stop):
            value |= {"status": "incomplete", "incomplete_details": {"reason": reason}}
        if not draft.behaviour.get("noUsage"):
            value["usage"] = cls.usage(draft)
        if draft.behaviour.get("unknown"):
            value["future_field"] = {"nested": [1, None, "x"]}
        return value

    @classmethod
    def items(cls, draft):
        """The items of the output, each with the kind of it: reasoning, message, call, future."""
        behaviour, found = draft.behaviour, []
        if behaviour.get("unknown"):
            future = {"id": f"fut_{draft.identity}", "type": "future_item", "payload": "nothing"}
            found.append((future, "future"))
        if words := behaviour.get("reasoning"):
            found.append(
                (
                    {
                        "id": f"rs_{draft.identity}",
                        "type": "reasoning",
                        "summary": [{"type": "summary_text", "text": words}],
                        "encrypted_content": f"sealed+{draft.identity}/==",
                    },
                    "reasoning",
                )
            )
        part = {"type": "output_text", "annotations": [], "logprobs": [], "text": draft.text}
        if draft.stop == "refusal":
            part = {"type": "refusal", "refusal": draft.text}
        if draft.text or not behaviour.get("calls"):
            message = {
                "id": f"msg_{draft.identity}",
                "type": "message",
                "status": "completed",
                "role": "assistant",
                "content": [part],
            }
            found.append((message, "message"))
        for call in behaviour.get("calls", []):
            found.append(
                (
                    {
                        "id": f"fc_{call['id']}",
                        "type": "function_call",
                        "status": "completed",
                        "call_id": call["id"],
                        "name": call["name"],
                        "arguments": call["arguments"],
                    },
                    "call",
                )
            )
        return found

    @classmethod
    def stream(cls, draft):
        return ResponsesStream(draft).parts()

    @classmethod
    def error(cls, status, message, behaviour, identity):
        return Chat.error(status, message, behaviour, identity)

    @classmethod
    def stream_error(cls, kind, message, behaviour):
        code = behaviour.get("errorCode") or kind
        writer = Writer(behaviour)
        error = {"type": kind, "code": code, "message": message, "param": None}
        failed = {
            "object": "response",
            "status": "failed",
            "error": {"code": code, "message": message},
            "output": [],
            "usage": None,
        }
        return writer.event(
            "error", {"type": "error", "sequence_number": 1000, "error": error}
        ) + writer.event(
            "response.failed",
            {"type": "response.failed", "sequence_number": 1001, "response": failed},
        )


class ResponsesStream:
    """The events of one answer, numbered in their order."""

    def __init__(self, draft):
        self.draft = draft
        self.writer = Writer(draft.behaviour)
        self.number = 0

    def event(self, name, **members):
        kind = f"response.{name}"
        value = {"type": kind, "sequence_number": self.number} | members
        self.number += 1
        if self.draft.behaviour.get("unknown"):
            value["future_field"] = True
        return self.writer.event(kind, value)

    def parts(self):
        draft, behaviour = self.draft, self.draft.behaviour
        opened = Responses.response(draft, "in_progress", [])
        first = [self.event("created", response=opened), self.event("in_progress", response=opened)]
        if behaviour.get("duplicateStart"):
            # Nothing starts over on this wire: it is only noise.
            first.append(self.event("created", response=opened))
        if behaviour.get("unknown"):
            first += [self.writer.comment("a comment"), self.event("future_event", delta="nothing")]
        second, end = [], []
        target = first
        for index, (item, kind) in enumerate(Responses.items(draft)):
            if kind == "message":
                before, after = self.message(item, index)
                first += before
                second += after
                target = end
            else:
                target += self.other(item, kind, index)
        if behaviour.get("ping"):
            second.insert(len(second) // 2, self.writer.comment("ping"))
        last = "incomplete" if draft.stop in INCOMPLETE else "completed"
        end.append(self.event(last, response=Responses.whole(draft)))
        return first, second, end

    def message(self, item, index):
        """The events of a message: those up to the half of its text, and the rest."""
        part = item["content"][0]
        kind = part["type"]
        word = "text" if kind == "output_text" else "refusal"
        place = {"item_id": item["id"], "output_index": index, "content_index": 0}
        started = item | {"status": "in_progress", "content": []}
        before, after = halves(self.draft)
        first = [
            self.event("output_item.added", output_index=index, item=started),
            self.event("content_part.added", **place, part=part | {word: ""}),
        ]
        first += [self.event(f"{kind}.delta", **place, delta=piece) for piece in before]
        second = [self.event(f"{kind}.delta", **place, delta=piece) for piece in after]
        second += [
            self.event(f"{kind}.done", **place, **{word: self.draft.text}),
            self.event("content_part.done", **place, part=part),
            self.event("output_item.done", output_index=index, item=item),
        ]
        return first, second

    def other(self, item, kind, index):
        """The events of an item that is no message."""
        added, name, told = dict(item), None, ""
        place = {"item_id": item["id"], "output_index": index}
        if kind == "reasoning":
            added |= {"summary": [], "encrypted_content": "for now/=="}
            name, told = "reasoning_summary_text.delta", item["summary"][0]["text"]
            place["summary_index"] = 0
        elif kind == "call":
            added |= {"arguments": "", "status": "in_progress"}
            name, told = "function_call_arguments.delta", item["arguments"]
        events = [self.event("output_item.added", output_index=index, item=added)]
        events += [self.event(name, **place, delta=piece) for piece in pieces(told, 2) if piece]
        return events + [self.event("output_item.done", output_index=index, item=item)]
