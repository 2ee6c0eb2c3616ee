"""The prompts of strict_server.py: their tokens, the cached prefixes, and the seals on thinking.

A token is four bytes of text. A picture or a file counts as 1500 tokens.
"""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass

from model_answers import compact, utf8
from strict_refusal import Refusal

SECRET = b"strict_server"
PICTURES = ("image", "document", "image_url", "file", "input_image", "input_file")
PICTURE_BYTES = 6000
LEAST_CACHED = 1024
# A mark finds an entry at most this many blocks back.
LOOKBACK = 20
THINKING = ("thinking", "redacted_thinking")


def listed(content):
    """The blocks of a `content` or `system` member."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return content if isinstance(content, list) else []


def plain(value):
    """The value without marks for the cache."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items() if key != "cache_control"}
    return [plain(part) for part in value] if isinstance(value, list) else value


def tokens(size):
    """The tokens of that many bytes."""
    return max(1, size // 4)


def weight(block):
    """The bytes of a block, a message or an item."""
    if block.get("type") in PICTURES:
        return PICTURE_BYTES
    if isinstance(block.get("text"), str):
        return len(utf8(block["text"]))
    if isinstance(block.get("content"), (str, list)):
        calls = block.get("tool_calls")
        said = sum(weight(part) for part in listed(block["content"]))
        return said + (len(utf8(compact(calls))) if calls else 0)
    return len(utf8(compact(plain(block))))


def blocks(body):
    """The blocks of a body for Anthropic in the order of the cache, each with its place."""
    found = [("tools", block) for block in listed(body.get("tools"))]
    found += [("system", block) for block in listed(body.get("system"))]
    for place, message in enumerate(body["messages"]):
        where = f"{place} {message['role']}"
        found += [(where, block) for block in listed(message["content"])]
    return found


def items(wire, body):
    """The parts of a body for OpenAI in the order of the cache, which keeps beginnings of messages too."""
    found = [("tools", tool) for tool in body.get("tools") or []]
    if wire == "chat":
        return found + list(parts_of("messages", body["messages"]))
    found += [("instructions", block) for block in listed(body.get("instructions"))]
    return found + list(parts_of("input", listed(body["input"])))


def parts_of(place, messages):
    """The parts of messages, each with the role of its message; other items whole."""
    for message in messages:
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, list):
            yield from ((f"{place} {message.get('role')}", part) for part in content)
        else:
            yield place, message


def marks(body):
    """Each block that has a mark for the cache, and the mark; last the one of the whole body."""
    for _, block in blocks(body):
        if isinstance(block, dict) and block.get("cache_control") is not None:
            yield block, block["cache_control"]
    if body.get("cache_control") is not None:
        yield {}, body["cache_control"]


@dataclass(frozen=True)
class Count:
    """The tokens of a prompt: all, those read from the cache, and those written to it.

    `long` are those among the written ones that are kept for longer than usual.
    """

    total: int
    read: int = 0
    written: int = 0
    long: int = 0


class Cache:
    """The prefixes that were written, by model and account. None of them expires."""

    def __init__(self):
        self.kept = {}

    def count_anthropic(self, body, model, account):
        """Counts a prompt, reads the longest prefix kept, and writes the marked ones."""
        found = blocks(body)
        ends = prefixes(found)
        total = ends[-1][1]
        kept = self.kept.setdefault((model.name, account), set())
        marked = []
        for place, (_, block) in enumerate(found):
            if mark := block.get("cache_control"):
                marked.append((place, mark.get("ttl")))
        if mark := body.get("cache_control"):
            marked.append((len(found) - 1, mark.get("ttl")))
        read = 0
        for place, _ in marked:
            window = ends[max(0, place - LOOKBACK + 1) : place + 1]
            read = max([read, *(size for digest, size in window if digest in kept)])
        done, long = read, 0
        for place, lifetime in marked:
            digest, size = ends[place]
            if size >= model.row.get("minCacheTokens", LEAST_CACHED):
                kept.add(digest)
                long += max(0, size - done) if lifetime == "1h" else 0
                done = max(done, size)
        return Count(total, read, done - read, long)

    def count_openai(self, wire, body, model, account):
        """Counts a prompt, reads the longest prefix kept, and writes all of it."""
        ends = prefixes(items(wire, body))
        total = ends[-1][1]
        options = body.get("prompt_cache_options") or {}
        if not model.counts_reads or options.get("mode") == "explicit":
            return Count(total)
        owner = (model.name, account, body.get("prompt_cache_key"))
        kept = self.kept.setdefault(owner, set())
        known = [size for digest, size in ends if digest in kept and size >= LEAST_CACHED]
        read = max(known, default=0)
        if total < LEAST_CACHED:
            return Count(total)
        kept.update(digest for digest, _ in ends)
        written = total - read if model.counts_writes else 0
        return Count(total, read, written, written if options.get("ttl") == "12h" else 0)


def prefixes(found):
    """The digest and the tokens of each prefix, from that of one block to the whole."""
    digest, size, ends = b"", 0, []
    for place, block in found:
        digest = hashlib.sha256(digest + ordered([place, plain(block)])).digest()
        size += weight(block)
        ends.append((digest, tokens(size)))
    return ends


def ordered(value):
    """The same bytes for equal JSON, whatever the order of its members."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return utf8(text)


def mac(*parts):
    return hmac.new(SECRET, b"".join(parts), hashlib.sha256).digest()


def conversation(body, account, count):
    """A digest of what precedes a message, its thinking aside."""
    said = [
        [message["role"], [block for block in listed(message["content"]) if not is_thought(block)]]
        for message in body["messages"][:count]
    ]
    parts = [account, listed(body.get("tools")), listed(body.get("system")), said]
    return hashlib.sha256(ordered(plain(["anthropic", *parts]))).digest()[:16]


def is_thought(block):
    return block.get("type") in THINKING


def trace(signature):
    """The digest that links a thinking block to the one before it."""
    return hashlib.sha256(utf8(signature)).digest()[:8] if signature else bytes(8)


def signature(text, body, account):
    """The signature of thinking that answers this body."""
    earlier = [
        block["signature"]
        for message in body["messages"]
        for block in listed(message["content"])
        if block["type"] == "thinking"
    ]
    place = conversation(body, account, len(body["messages"]))
    head = place + trace(earlier[-1] if earlier else None)
    return base64.b64encode(head + mac(head, utf8(text))).decode()


def check_signatures(body, account, model, drops):
    """Refuses thinking that was changed or moved, or returns the paths of the blocks to drop."""
    dropped, last = [], None
    for place, message in enumerate(body["messages"]):
        for index, block in enumerate(listed(message["content"])):
            if block["type"] != "thinking":
                continue
            path = f"messages.{place}.content.{index}"
            head = opened(block)
            if head is None:
                said = f"{path}: Invalid `signature` in `thinking` block"
                raise Refusal(400, said, "thinking signature")
            wanted = conversation(body, account, place)
            moved = head[:16] != wanted or last is not None and head[16:] != trace(last)
            last = block["signature"]
            if moved and model.binds_thinking:
                if not drops:
                    raise Refusal(400, f"{path}: {BOUND}", "thinking binding")
                dropped.append(path)
    return dropped


BOUND = (
    "Invalid `signature` in `thinking` block. The block is bound to a different conversation."
    " Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to"
    ' "drop_block". That setting requires the `thinking-binding-controls-2026-08-01` value in the'
    " `anthropic-beta` header."
)


def opened(block):
    """The data of a block's signature, or None if the signature or the text was changed."""
    text, sealed = block.get("thinking"), block.get("signature")
    try:
        data = base64.b64decode(sealed, validate=True)
    except (ValueError, TypeError):
        return None
    head = data[:24]
    valid = isinstance(text, str) and hmac.compare_digest(data[24:], mac(head, utf8(text)))
    return head if valid else None


def sealed_reasoning(account, seed):
    """The `encrypted_content` of a reasoning item, readable in this account only."""
    nonce = hashlib.sha256(utf8(seed)).digest()[:8]
    return base64.b64encode(nonce + mac(nonce, utf8(account))).decode()


def is_sealed(text, account):
    """`true` if the text is the `encrypted_content` of a reasoning item of this account."""
    try:
        data = base64.b64decode(text, validate=True)
    except (ValueError, TypeError):
        return False
    return hmac.compare_digest(data[8:], mac(data[:8], utf8(account)))
