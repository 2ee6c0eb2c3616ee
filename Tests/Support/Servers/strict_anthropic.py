"""The refusals of Anthropic's Messages, in its own sentences.

An error has neither `code` nor `param`: a parameter is named in the sentence, if at all.
"""

from strict_models import EFFORTS, THINKING_TYPES
from strict_prompts import listed, marks
from strict_refusal import Refusal

REQUIRED = ("model", "messages", "max_tokens")
KNOWN = {
    *REQUIRED,
    *("cache_control", "container", "diagnostics", "inference_geo", "metadata", "output_config"),
    *("service_tier", "speed", "stop_sequences", "stream", "system", "temperature", "thinking"),
    *("tool_choice", "tools", "top_k", "top_p"),
}
# Known with an `anthropic-beta` header only.
BETA = {
    *("billing_policy", "compaction", "context_management", "fallback_credit_token", "fallbacks"),
    *("mcp_servers", "output_format", "thread"),
}
NULLABLE = {"cache_control", "container", "diagnostics", "inference_geo", "speed"}
SAMPLING = ("temperature", "top_p", "top_k")
VERSIONS = ("2023-06-01", "2026-10-21")
ROLES = ("user", "assistant", "system")
BINDING = "thinking-binding-controls-2026-08-01"
MOST_MARKS = 4
WORSE_EFFORTS = ("xhigh", "max")

THINKING_REFUSALS = {
    "adaptive": "adaptive thinking is not supported on this model",
    "enabled": '"thinking.type.enabled" is not supported for this model. Use'
    ' "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    "disabled": '"thinking.type.disabled" is not supported for this model.',
    "between_tools": '"thinking.type.between_tools" is not supported for this model.',
}


def refuse(message, parameter=None):
    raise Refusal(400, message, parameter)


def check_shape(headers, body):
    """Refuses a body that is wrong for every model."""
    version = headers.get("anthropic-version")
    if version is None:
        refuse("anthropic-version: header is required")
    if version not in VERSIONS:
        refuse(f'anthropic-version: "{version}" is not a valid version')
    for name in REQUIRED:
        if name not in body:
            refuse(f"{name}: Field required", name)
    known = KNOWN | BETA if "anthropic-beta" in headers else KNOWN
    for name, value in body.items():
        if name not in known:
            refuse(f"{name}: Extra inputs are not permitted", name)
        if value is None and name not in NULLABLE:
            refuse(f"{name}: Input should not be null", name)
    limit = body["max_tokens"]
    if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
        refuse("max_tokens: Input should be a valid integer", "max_tokens")
    if not isinstance(body["model"], str) or not body["model"]:
        refuse("model: Input should be a valid string", "model")
    check_messages(body["messages"])
    check_tools(body)
    check_marks(body)
    check_thinking(headers, body)
    check_output(body)


def check_messages(messages):
    if not isinstance(messages, list) or not messages:
        refuse("messages: at least one message is required", "messages")
    for place, message in enumerate(messages):
        path = f"messages.{place}"
        if not isinstance(message, dict) or message.get("role") not in ROLES:
            refuse(f"{path}.role: Input should be 'user' or 'assistant'", "messages")
        content = message.get("content")
        if not isinstance(content, (str, list)):
            refuse(f"{path}.content: Input should be a valid list", "messages")
        if not content and place < len(messages) - 1:
            refuse(f"{path}: all messages must have non-empty content", "messages")
        for index, block in enumerate(listed(content)):
            if not isinstance(block, dict) or not isinstance(block.get("type"), str):
                refuse(f"{path}.content.{index}.type: Field required", "messages")
            if block["type"] == "text" and not block.get("text"):
                refuse("messages: text content blocks must be non-empty", "messages")
    if messages[0]["role"] != "user":
        refuse('messages: first message must use the "user" role', "messages")


def check_marks(body):
    """Refuses marks for the cache that are wrong, too many, or on thinking blocks."""
    found = list(marks(body))
    if len(found) > MOST_MARKS:
        refuse(
            f"A maximum of {MOST_MARKS} blocks with cache_control may be provided."
            f" Found {len(found)}.",
            "cache_control",
        )
    for block, mark in found:
        if "thinking" in str(block.get("type")):
            kind = block["type"]
            refuse(f"{kind}.cache_control: Extra inputs are not permitted", "cache_control")
        valid = isinstance(mark, dict) and mark.get("type") == "ephemeral"
        if not valid or mark.get("ttl", "5m") not in ("5m", "1h") or set(mark) - {"type", "ttl"}:
            refuse("cache_control: Input should be a valid mark", "cache_control")


def check_tools(body):
    for name in ("tools", "system"):
        entries = body.get(name, [])
        if name == "system" and isinstance(entries, str):
            continue
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            refuse(f"{name}: Input should be a valid list", name)
    choice = body.get("tool_choice")
    if choice is None:
        return
    if not isinstance(choice, dict) or choice.get("type") not in ("auto", "any", "tool", "none"):
        refuse("tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'", "tool_choice")
    if not body.get("tools"):
        refuse("tool_choice may only be specified while providing tools", "tool_choice")
    names = [tool.get("name") for tool in body["tools"]]
    if choice["type"] == "tool" and choice.get("name") not in names:
        refuse(f"Tool '{choice.get('name')}' not found in provided tools", "tool_choice")


def check_thinking(headers, body):
    if "thinking" not in body:
        return
    thinking = body["thinking"]
    kind = thinking.get("type") if isinstance(thinking, dict) else None
    if kind not in THINKING_TYPES:
        words = ", ".join(f"'{name}'" for name in THINKING_TYPES)
        refuse(f"thinking.type: Input should be one of {words}", "thinking")
    known = {"type"}
    if kind in ("adaptive", "enabled"):
        known |= {"display"} | ({"block_binding"} if has_binding_controls(headers) else set())
    if kind == "enabled":
        known.add("budget_tokens")
        budget = thinking.get("budget_tokens")
        if not isinstance(budget, int) or budget < 1024:
            refuse("thinking.enabled.budget_tokens: Input should be at least 1024", "thinking")
        if budget >= body["max_tokens"]:
            refuse("`max_tokens` must be greater than `thinking.budget_tokens`.", "thinking")
    for name in thinking:
        if name not in known:
            refuse(f"thinking.{kind}.{name}: Extra inputs are not permitted", "thinking")
    if thinking.get("display", "omitted") not in ("summarized", "omitted"):
        refuse("thinking.display: Input should be 'summarized' or 'omitted'", "thinking")


def check_output(body):
    output = body.get("output_config", {})
    if not isinstance(output, dict):
        refuse("output_config: Input should be a valid object", "output_config")
    for name in output:
        if name not in ("effort", "format"):
            refuse(f"output_config.{name}: Extra inputs are not permitted", "output_config")
    if output.get("effort", "high") not in (None, *EFFORTS[2:]):
        words = "'low', 'medium', 'high', 'xhigh' or 'max'"
        refuse(f"output_config.effort: Input should be {words}", "effort")
    form = output.get("format")
    if form is None:
        return
    valid = isinstance(form, dict) and form.get("type") == "json_schema"
    if not valid or not isinstance(form.get("schema"), dict):
        refuse("output_config.format.schema: Field required", "output_config.format")


def has_binding_controls(headers):
    return BINDING in headers.get("anthropic-beta", "")


def drops_blocks(headers, body):
    """`true` if a thinking block of another conversation is dropped instead of refused."""
    binding = (body.get("thinking") or {}).get("block_binding") or {}
    return has_binding_controls(headers) and binding.get("prefix_mismatch_behavior") == "drop_block"


def effort(body, model):
    return (body.get("output_config") or {}).get("effort") or model.default_effort


def thinks(body, model):
    """`true` if the model thinks before it answers."""
    kind = (body.get("thinking") or {}).get("type")
    if kind:
        return kind in ("adaptive", "enabled")
    return model.row.get("thinkingByDefault") in ("always", "on")


def check_model(headers, body, model):
    """Refuses what this model does not take."""
    for word in model.unlisted:
        if name := unlisted_name(body, word):
            said = "deprecated" if name in SAMPLING else "not supported"
            refuse(f"`{name}` is {said} for this model.", name)
    check_sampling(headers, body, model)
    check_history(headers, body, model)
    check_effort(body, model)
    kind = (body.get("thinking") or {}).get("type")
    if f"thinking.{kind}" in model.refused:
        refuse(THINKING_REFUSALS[kind], f"thinking.{kind}")
    if kind == "disabled" and "thinking.disabled above effort high" in model.refused:
        if (level := effort(body, model)) in WORSE_EFFORTS:
            said = f'"thinking.type.disabled" is not supported for this model at effort "{level}".'
            refuse(said, "thinking.disabled")
    choice = (body.get("tool_choice") or {}).get("type")
    if f"tool_choice.{choice}" in model.refused:
        said = 'tool_choice: type "tool" and "any" are not supported for this model.'
        refuse(said, f"tool_choice.{choice}")
    most = model.row.get("maxOutputTokens")
    if most and body["max_tokens"] > most:
        refuse(
            f"max_tokens: {body['max_tokens']} > {most}, which is the maximum allowed number of"
            f" output tokens for {model.name}",
            "max_tokens",
        )


def unlisted_name(body, word):
    """The name by which a body sends what an unlisted model refuses, if it does."""
    if word == "cache_control":
        return word if next(marks(body), None) else None
    if word == "effort":
        return word if (body.get("output_config") or {}).get("effort") else None
    if word == "stop":
        return "stop_sequences" if body.get("stop_sequences") else None
    value = body
    for part in word.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return None if value is None else word


def check_sampling(headers, body, model):
    for name in SAMPLING:
        if name not in body:
            continue
        if name in model.refused:
            refuse(f"`{name}` is deprecated for this model.", name)
        if headers["anthropic-version"] == VERSIONS[1]:
            refuse(f"`{name}` is not supported by this version of the API.", name)
    if "temperature with top_p" in model.refused and {"temperature", "top_p"} <= set(body):
        said = "`temperature` and `top_p` cannot both be specified for this model."
        refuse(f"{said} Please use only one.", "top_p")


def check_effort(body, model):
    level = (body.get("output_config") or {}).get("effort")
    if level and not model.efforts:
        refuse("This model does not support the effort parameter.", "effort")
    if level and level not in model.efforts:
        words = ", ".join(sorted(model.efforts))
        refuse(
            f"This model does not support effort level '{level}'. Supported levels: {words}.",
            "effort",
        )


def check_history(headers, body, model):
    messages = body["messages"]
    if "prefill" in model.refused and messages[-1]["role"] == "assistant":
        refuse(
            "This model does not support assistant message prefill. The conversation must end"
            " with a user message.",
            "prefill",
        )
    for place, message in enumerate(messages):
        path = f"messages.{place}"
        if message["role"] == "system" and not model.takes_system_turns:
            refuse(f"{path}.role: Input should be 'user' or 'assistant'", "messages")
        if headers["anthropic-version"] != VERSIONS[1]:
            continue
        for index, block in enumerate(listed(message["content"])):
            if message["role"] == "assistant" and block["type"] == "document":
                said = "documents are not supported in assistant messages"
                refuse(f"{path}.content.{index}: {said}", "messages")
            if message["role"] == "user" and block.get("citations") and block["type"] == "text":
                refuse(f"{path}.content.{index}.citations: Input should be empty", "messages")


def error(refusal, identity):
    """The body of an error."""
    kinds = {
        400: "invalid_request_error",
        401: "authentication_error",
        404: "not_found_error",
        405: "invalid_request_error",
        410: "not_found_error",
    }
    said = {"type": kinds[refusal.status], "message": refusal.message}
    return {"type": "error", "error": said, "request_id": f"req_{identity}"}
