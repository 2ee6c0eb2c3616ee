"""What the model server says: an answer that depends on nothing but the question.

All wires are brought to one form first, (system text, [(role, text)]), so the same question gets the
same answer and the same token counts over each. A message whose content is a list counts its text
blocks joined by a line feed; any other block counts as its compact JSON.
"""

import hashlib
import json
import re

URL = re.compile(r"https?://[^\s\"'<>()\[\]{}`]+")


def text_of(content):
    """The text of a `content` or `system` field: a string, a list of blocks, or nothing."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return "" if content is None else compact(content)
    parts = []
    for block in content:
        text = block.get("text") if isinstance(block, dict) else block
        parts.append(text if isinstance(text, str) else compact(block))
    return "\n".join(parts)


def question(wire, body):
    """(system text, [(role, text)]) of a request body; a chat `developer` message is system text too."""
    messages = body.get("input" if wire == "responses" else "messages")
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    messages = messages if isinstance(messages, list) else []
    # An item of Responses that is no message has neither role nor content.
    pairs = [
        (str(m.get("role")), text_of(m["content"] if "content" in m else m))
        for m in messages
        if isinstance(m, dict)
    ]
    if wire != "chat":
        return text_of(body.get("system" if wire == "anthropic" else "instructions")), pairs
    system = [text for role, text in pairs if role in ("system", "developer")]
    return "\n".join(system), [pair for pair in pairs if pair[0] not in ("system", "developer")]


def tokens(*texts):
    """ceil(UTF-8 bytes / 4) of all the texts together."""
    return -(-sum(len(utf8(text)) for text in texts) // 4)


def input_tokens(system, messages):
    return tokens(system, *(text for _, text in messages))


def digest(system, messages):
    return hashlib.sha256(utf8(compact([system, messages]))).hexdigest()


def answer(system, messages):
    """A plan when the system text asks for a pipeline in JSON; else four paragraphs about the prompt."""
    if re.search(r"\bpipeline\b", system, re.IGNORECASE) and "json" in system.lower():
        return plan(messages)
    mark = digest(system, messages)
    prompt = next((text for role, text in reversed(messages) if role == "user"), "")
    last = next((line.strip() for line in reversed(prompt.splitlines()) if line.strip()), "")
    return "\n\n".join(
        [
            f"Answer {mark[:4]}…: {last[:60]}",
            f"First, the evidence. {sentence(mark[4:20])} {sentence(mark[20:30])}",
            f"Second, the trade-offs — naïve or not. {sentence(mark[30:44])}",
            f"Last, the conclusion: {sentence(mark[44:])}",
        ]
    )


WORDS = (
    "records",
    "pipes",
    "pages",
    "stages",
    "limits",
    "answers",
    "costs",
    "gates",
    "logs",
    "checks",
    "sources",
    "drafts",
    "plans",
    "queues",
    "events",
    "reviews",
)


def sentence(hexadecimal):
    words = [WORDS[int(digit, 16)] for digit in hexadecimal]
    return " ".join(words).capitalize() + "."


def plan(messages):
    """One researcher, one producer, one reviewer; the URLs of the prompt go to the researcher."""
    prompt = "\n".join(text for role, text in messages if role == "user")
    urls = list(dict.fromkeys(url.rstrip(".,;:!?*") for url in URL.findall(prompt)))
    goal = " ".join(prompt.split())[:80]
    stages = [
        {"role": "researcher", "task": f"Research: {goal}", "researchURLs": urls},
        {"role": "producer", "task": f"Write: {goal}"},
        {"role": "qaReviewer", "task": f"Review: {goal}"},
    ]
    block = json.dumps({"pipeline": stages}, ensure_ascii=False, indent=2)
    return f"Here is the plan, in three stages.\n\n```json\n{block}\n```"


def shortened(text, limit):
    """The text cut to `limit` tokens, and whether it was cut."""
    if not isinstance(limit, int) or tokens(text) <= limit:
        return text, False
    return utf8(text)[: max(limit, 0) * 4].decode("utf-8", "ignore"), True


def pieces(text, count):
    """The text in `count` parts of nearly equal length, none empty; for "bytewise" one character each."""
    count = len(text) if count == "bytewise" else max(1, min(count, len(text)))
    edges = [len(text) * index // count for index in range(count + 1)] if count else []
    return [text[start:end] for start, end in zip(edges, edges[1:])]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def utf8(text):
    # A lone surrogate can come in by a JSON escape.
    return text.encode("utf-8", "replace")
