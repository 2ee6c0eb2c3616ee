"""The refusals of chat completions, Responses and images: `error.param` names the parameter."""

import re

from strict_models import EFFORTS
from strict_prompts import is_sealed
from strict_refusal import Refusal

LIMITS = {"chat": ("max_completion_tokens", "max_tokens"), "responses": ("max_output_tokens",)}
CACHE = ("prompt_cache_key", "prompt_cache_options", "prompt_cache_retention")
COMMON = {
    *CACHE,
    *("metadata", "model", "moderation", "parallel_tool_calls", "safety_identifier"),
    *("service_tier", "store", "stream", "stream_options", "temperature", "tool_choice", "tools"),
    *("top_logprobs", "top_p", "user"),
}
KNOWN = {
    "chat": COMMON
    | {
        *("audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs"),
        *("max_completion_tokens", "max_tokens", "messages", "modalities", "n", "prediction"),
        *("presence_penalty", "reasoning_effort", "response_format", "seed", "stop", "verbosity"),
        "web_search_options",
    },
    "responses": COMMON
    | {
        *("access_programs", "background", "background_options", "context_management"),
        *("conversation", "image", "include", "input", "instructions", "max_output_tokens"),
        *("max_tool_calls", "previous_response_id", "prompt", "reasoning", "text", "truncation"),
    },
    "images": {
        *("background", "complexity", "frame_count", "frame_duration_ms", "model", "moderation"),
        *("n", "output_compression", "output_format", "partial_images", "prompt", "quality"),
        *("response_format", "safety_identifier", "size", "stream", "style", "svg", "user"),
    },
}
REQUIRED = {"chat": "messages", "responses": "input", "images": "prompt"}
ROLES = ("developer", "system", "user", "assistant", "tool", "function")
# Sending these values is the same as sending none.
DEFAULTS = {"temperature": 1, "top_p": 1, "logprobs": False, "top_logprobs": 0}
SEALED = "reasoning.encrypted_content"
QUALITIES = ("low", "medium", "high", "xhigh", "max", "auto")
LEAST_OUTPUT = 16
# Only Responses take the highest effort of these.
NO_MAX_IN_CHAT = ("gpt-6.1-sol", "gpt-6.2-sol")
PARTS = {
    "user": ("input_text", "input_image", "input_file"),
    "assistant": ("output_text", "refusal"),
}


def refuse(message, parameter=None, code=None, shown=None):
    raise Refusal(400, message, parameter, code, shown)


def unsupported(name):
    said = f"Unsupported parameter: '{name}' is not supported with this model."
    refuse(said, name, "unsupported_parameter")


def invalid(name, value, words):
    listed = ", ".join(f"'{word}'" for word in words)
    said = f"Invalid value: '{value}'. Supported values are: {listed}."
    refuse(said, name, "invalid_value")


def missing(name):
    refuse(f"Missing required parameter: '{name}'.", name, "missing_required_parameter")


def check_shape(wire, body, account):
    """Refuses a body that is wrong for every model."""
    for name in body:
        if name not in KNOWN[wire]:
            refuse(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
    for name in ("model", REQUIRED[wire]):
        if body.get(name) in (None, "", []):
            missing(name)
    if not isinstance(body["model"], str):
        refuse("Invalid type for 'model': expected a string.", "model", "invalid_type")
    if wire == "images":
        return check_image(body)
    if body.get("stream_options") is not None and body.get("stream") is not True:
        said = "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        refuse(said, "stream_options")
    if body.get("tool_choice") is not None and not body.get("tools"):
        said = "'tool_choice' is only allowed when 'tools' are specified."
        refuse(f"Invalid value for 'tool_choice': {said}", "tool_choice")
    tools = body.get("tools") or []
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        refuse("Invalid type for 'tools': expected an array.", "tools", "invalid_type")
    if wire == "chat":
        check_chat(body)
    else:
        check_responses(body, account)
    level = effort_sent(wire, body)
    if level is not None and level not in EFFORTS:
        invalid(effort_name(wire), level, EFFORTS)


def check_chat(body):
    for place, message in enumerate(checked_list(body, "messages")):
        if not isinstance(message, dict) or message.get("role") not in ROLES:
            invalid(f"messages[{place}].role", message_role(message), ROLES)
    if {"max_tokens", "max_completion_tokens"} <= {name for name in body if body[name]}:
        said = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."
        refuse(said, "max_tokens")
    form = body.get("response_format") or {}
    if form.get("type") == "json_schema":
        check_form(form.get("json_schema") or {}, "response_format.json_schema")


def check_responses(body, account):
    form = (body.get("text") or {}).get("format") or {}
    if form.get("type") == "json_schema":
        check_form(form, "text.format")
    if body.get("previous_response_id"):
        said = f"Previous response with id '{body['previous_response_id']}' not found."
        refuse(said, "previous_response_id", "previous_response_not_found")
    if isinstance(body["input"], str):
        return
    for place, item in enumerate(checked_list(body, "input")):
        if not isinstance(item, dict):
            refuse(f"Invalid type for 'input[{place}]'.", f"input[{place}]", "invalid_type")
        sealed = item.get("encrypted_content")
        if item.get("type") == "reasoning" and sealed and not is_sealed(sealed, account):
            said = "could not be verified. Reason: Encrypted content could not be decrypted or"
            refuse(
                f"The encrypted content {sealed[:4]}…{sealed[-4:]} {said} parsed.",
                code="invalid_encrypted_content",
            )
        if item.get("type", "message") == "message":
            check_parts(item, f"input[{place}]")


def check_parts(item, path):
    if item.get("role") not in ROLES[:4]:
        invalid(f"{path}.role", item.get("role"), ROLES[:4])
    known = PARTS["assistant" if item["role"] == "assistant" else "user"]
    content = item.get("content")
    for place, part in enumerate(content if isinstance(content, list) else []):
        if part.get("type") not in known:
            invalid(f"{path}.content[{place}]", part.get("type"), known)


def checked_list(body, name):
    if not isinstance(body[name], list):
        refuse(f"Invalid type for '{name}': expected an array.", name, "invalid_type")
    return body[name]


def message_role(message):
    return message.get("role") if isinstance(message, dict) else message


def check_form(form, path):
    for name in ("name", "schema"):
        if not form.get(name):
            missing(f"{path}.{name}")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", str(form["name"])):
        refuse(f"Invalid '{path}.name'.", f"{path}.name", "invalid_value")


def check_image(body):
    count = body.get("n", 1)
    if not isinstance(count, int) or not 1 <= count <= 10:
        refuse("Invalid 'n': expected a value between 1 and 10.", "n", "invalid_value")
    if not re.fullmatch(r"auto|\d{2,4}x\d{2,4}", str(body.get("size") or "auto")):
        refuse(f"Invalid size '{body['size']}'.", "size", "invalid_value")


def effort_name(wire):
    return "reasoning_effort" if wire == "chat" else "reasoning.effort"


def effort_sent(wire, body):
    if wire == "chat":
        return body.get("reasoning_effort")
    return (body.get("reasoning") or {}).get("effort") if wire == "responses" else None


def effort(wire, body, model):
    return effort_sent(wire, body) or model.default_effort


def thinks(wire, body, model):
    """`true` if the model reasons before it answers."""
    return effort(wire, body, model) != "none"


def limit(wire, body):
    """The name and the value of the limit of output, if there is one."""
    return next(((name, body[name]) for name in LIMITS[wire] if body.get(name)), (None, None))


def check_model(wire, body, model):
    """Refuses what this model does not take."""
    for word in model.unlisted:
        if name := unlisted_name(wire, body, word):
            unsupported(name)
    if wire == "images":
        return check_image_model(body, model)
    check_effort(wire, body, model)
    for word in model.refused:
        name, _, exception = word.partition(" unless effort ")
        if exception != effort(wire, body, model):
            check_word(wire, body, model, name)
    name, value = limit(wire, body)
    if value:
        check_limit(wire, name, value, model)
    if SEALED in (body.get("include") or []) and not (model.reasons or model.is_mystery):
        refuse("Encrypted content is not supported with this model.", "include")
    if body.get("prompt_cache_options") and not (model.counts_writes or model.is_mystery):
        unsupported("prompt_cache_options")


def unlisted_name(wire, body, word):
    """The name by which a body sends what an unlisted model refuses, if it does."""
    if word == "effort":
        return effort_name(wire) if effort_sent(wire, body) else None
    value = body
    for part in word.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return None if value in (None, []) else word


def check_word(wire, body, model, name):
    """Refuses one parameter of the row's list."""
    value = body.get(name)
    if name == "tools on chat completions" and wire == "chat" and body.get("tools"):
        remedy = "use /v1/responses or set reasoning_effort to 'none'"
        refuse(
            f"Function tools with reasoning_effort are not supported for {model.name} in"
            f" /v1/chat/completions. To use function tools, {remedy}.",
            "tools",
            shown="reasoning_effort",
        )
    if value is None or name in DEFAULTS and value == DEFAULTS[name]:
        return
    if name == "max_tokens":
        said = f"Unsupported parameter: '{name}' is not supported with this model."
        refuse(f"{said} Use 'max_completion_tokens' instead.", name, "unsupported_parameter")
    if name in ("temperature", "top_p") and wire == "chat":
        refuse(
            f"Unsupported value: '{name}' does not support {value} with this model. Only the"
            " default (1) value is supported.",
            name,
            "unsupported_value",
        )
    if name in ("temperature", "top_p", "logprobs", "top_logprobs", "stop"):
        unsupported(name)


def check_effort(wire, body, model):
    level, name = effort_sent(wire, body), effort_name(wire)
    if level is None:
        return
    if not model.efforts:
        unsupported(name)
    no_max = wire == "chat" and model.name in NO_MAX_IN_CHAT
    refused = model.refused + (["reasoning.max"] if no_max else [])
    taken = [word for word in model.efforts if f"reasoning.{word}" not in refused]
    if level not in taken:
        words = ", ".join(f"'{word}'" for word in taken)
        refuse(
            f"Unsupported value: '{name}' does not support '{level}' with this model. Supported"
            f" values are: {words}.",
            name,
            "unsupported_value",
        )


def check_limit(wire, name, value, model):
    most = model.row.get("maxOutputTokens")
    if most and value > most:
        if wire == "chat":
            refuse(
                f"{name} is too large: {value}. This model supports at most {most} completion"
                f" tokens, whereas you provided {value}.",
                name,
                "invalid_value",
            )
        said = f"integer above maximum value. Expected a value <= {most}, but got {value} instead."
        refuse(f"Invalid '{name}': {said}", name, "integer_above_max_value")
    if wire == "responses" and value < LEAST_OUTPUT:
        bound = f"Expected a value >= {LEAST_OUTPUT}, but got {value} instead."
        said = f"integer below minimum value. {bound}"
        refuse(f"Invalid '{name}': {said}", name, "integer_below_min_value")


def check_image_model(body, model):
    for name in ("response_format", "style"):
        if name in body and (name in model.refused or name == "style"):
            refuse(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
    quality = body.get("quality")
    if quality is None or quality in QUALITIES:
        return
    if f"quality.{quality}" in model.refused or quality not in ("standard", "hd"):
        invalid("quality", quality, QUALITIES)


def error(refusal):
    """The body of an error."""
    said = {
        "message": refusal.message,
        "type": "invalid_request_error",
        "param": refusal.shown,
        "code": refusal.code,
    }
    return {"error": said}
