"""The answers of strict_server.py, before they take the shape of a wire.

The answer is `ok`, a plan for the CEO, or JSON that fits the schema of the request. Words in the
last user message change it; strict_server.py lists them.
"""

import re
from dataclasses import dataclass, field

import strict_anthropic
import strict_openai
from model_answers import compact, plan, question, shortened, utf8
from strict_prompts import Count, sealed_reasoning, signature, tokens

EFFORT_TOKENS = {
    "none": 0,
    "minimal": 10,
    "low": 20,
    "medium": 40,
    "high": 80,
    "xhigh": 160,
    "max": 320,
}
QUALITY_TOKENS = {"low": 100, "medium": 200, "high": 400, "xhigh": 800, "max": 1600}
REFUSE = re.compile(r"\bREFUSE:([a-z_]+)(:after)?")
EMPTY = re.compile(r"\bEMPTY\b")
# OpenAI's words for the tier that serves a request, by the one that it asks for.
TIERS = {"auto": "default", "fast": "priority"}
BEGINNING = "Here is the first part."
THOUGHT = "A short question wants a short answer."


@dataclass
class Reply:
    """An answer. `stop` is Anthropic's word, `thought` the tokens of thinking among `output`."""

    identity: str
    model: str
    count: Count
    text: str = "ok"
    stop: str = "end_turn"
    output: int = 1
    thought: int = 0
    # Empty if thinking is hidden, None if there is none.
    thinking: str | None = None
    signature: str = ""
    sealed: list = field(default_factory=list)
    refusal: dict | None = None
    tier: str = "standard"
    geo: str = "not_available"
    speed: str = "standard"
    dropped: list = field(default_factory=list)
    counts: bool = True


def reply(wire, body, model, count, account, identity):
    """The answer to a request that was let in."""
    system, messages = question(wire, body)
    prompt = next((text for role, text in reversed(messages) if role == "user"), "")
    found = Reply(identity, model.name, count)
    said = [system, *(text for _, text in messages)]
    if schema := schema_asked(wire, body):
        found.text = compact(sample(schema))
    elif any(asks_for_plan(text) for text in said):
        found.text = plan(messages)
    if wire == "anthropic":
        thinks, effort = strict_anthropic.thinks(body, model), strict_anthropic.effort(body, model)
        limit = body["max_tokens"]
    else:
        thinks = strict_openai.thinks(wire, body, model)
        effort = strict_openai.effort(wire, body, model)
        limit = strict_openai.limit(wire, body)[1]
    found.thought = EFFORT_TOKENS[effort] if thinks else 0
    spend(found, limit, model)
    if EMPTY.search(prompt) and thinks:
        found.text, found.stop = "", "max_tokens"
        found.output = found.thought = limit or model.row.get("maxOutputTokens", 1000)
    if refused := REFUSE.search(prompt):
        refuse(found, refused[1], after=bool(refused[2]))
        thinks = thinks and bool(refused[2])
    name(found, wire, body, prompt)
    if wire == "anthropic" and thinks and limit:
        think(found, body, model, account)
    elif wire == "responses" and thinks:
        asked = strict_openai.SEALED in (body.get("include") or [])
        found.thinking = ""
        found.sealed = [sealed_reasoning(account, identity + at) for at in "12"] if asked else []
    return found


def asks_for_plan(text):
    return "You are the CEO" in text or '"pipeline"' in text and "json" in text.lower()


def spend(found, limit, model):
    """Counts the output, and cuts it at the limit: thinking counts too."""
    found.output = found.thought + tokens(len(utf8(found.text)))
    if limit is None or found.output <= limit:
        return
    found.thought = min(found.thought, limit)
    found.text, _ = shortened(found.text, limit - found.thought)
    found.output, found.stop = limit, "max_tokens"


def refuse(found, category, after):
    """Makes the answer a refusal: at once, or after some text."""
    category = None if category == "null" else category
    said = f"This request was declined under the policy on {category}." if category else None
    found.refusal = {"type": "refusal", "category": category, "explanation": said}
    found.text, found.stop = BEGINNING if after else "", "refusal"
    found.thought = found.thought if after else 0
    found.output = found.thought + tokens(len(utf8(found.text)))


def name(found, wire, body, prompt):
    """Names the tier, the region and the speed that served the request."""

    def word(mark):
        hit = re.search(rf"\b{mark}:([a-z_]+)", prompt)
        return hit[1] if hit else None

    asked = body.get("service_tier") or "auto"
    usual = "standard" if wire == "anthropic" else TIERS.get(asked, asked)
    found.tier = word("TIER") or usual
    found.geo = word("GEO") or body.get("inference_geo") or found.geo
    found.speed = word("SPEED") or body.get("speed") or found.speed
    options = body.get("stream_options") or {}
    found.counts = wire != "chat" or not body.get("stream") or bool(options.get("include_usage"))


def think(found, body, model, account):
    """Puts thinking before the text: readable if the model shows it, or the request asks for it."""
    usual = "summarized" if model.shows_thinking else "omitted"
    display = (body.get("thinking") or {}).get("display", usual)
    found.thinking = THOUGHT if display == "summarized" else ""
    found.signature = signature(found.thinking, body, account)


def schema_asked(wire, body):
    """The schema that the answer has to fit, if there is one."""
    if wire == "chat":
        return ((body.get("response_format") or {}).get("json_schema") or {}).get("schema")
    holder = body.get("output_config" if wire == "anthropic" else "text") or {}
    return (holder.get("format") or {}).get("schema")


def sample(schema):
    """The smallest value that fits a plain schema."""
    if "const" in schema or schema.get("enum"):
        return schema["const"] if "const" in schema else schema["enum"][0]
    kind = schema.get("type", "object")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        known = schema.get("properties", {})
        return {name: sample(known.get(name, {})) for name in schema.get("required", [])}
    if kind == "array":
        return [sample(schema.get("items", {}))] * schema.get("minItems", 0)
    number = max(schema.get("minimum", 0), 0)
    return {"string": "ok", "integer": number, "number": number, "boolean": True}.get(kind)


def image_usage(body):
    """The usage of a request for pictures."""
    said = tokens(len(utf8(body["prompt"])))
    drawn = QUALITY_TOKENS.get(body.get("quality"), QUALITY_TOKENS["medium"]) * body.get("n", 1)
    return {
        "input_tokens": said,
        "input_tokens_details": {"image_tokens": 0, "text_tokens": said},
        "output_tokens": drawn,
        "output_tokens_details": {"image_tokens": drawn, "text_tokens": 0},
        "total_tokens": said + drawn,
    }
