"""Others that speak chat completions: Azure OpenAI, GitHub Models and llama.cpp's server.

What they refuse and how they put it is theirs: paths, headers, error bodies, and the chunks that only
they send. GitHub runs OpenAI's models at Azure, so that its streams are Azure's.
"""

import re
from urllib.parse import parse_qs

from model_draft import Writer
from model_wires import CHAT_REASONS, Chat

SAFE = {name: {"filtered": False, "severity": "safe"} for name in ("hate", "self_harm", "violence")}
PROMPT = [{"prompt_index": 0, "content_filter_results": SAFE}]
AZURE_ERRORS = {404: "DeploymentNotFound", 500: "InternalServerError"}
GITHUB_ERRORS = {
    401: "unauthorized",
    403: "no_access",
    404: "unknown_model",
    413: "tokens_limit_reached",
    429: "RateLimitReached",
}
LOCAL_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    503: "unavailable_error",
}


class Azure(Chat):
    request_id = "apim-request-id"

    @classmethod
    def whole(cls, draft):
        value = super().whole(draft) | {"prompt_filter_results": PROMPT}
        value["choices"][0]["content_filter_results"] = SAFE
        return value

    @classmethod
    def choice(cls, delta, reason):
        shown = SAFE if delta.get("content") else {}
        return super().choice(delta, reason) | {"content_filter_results": shown}

    @classmethod
    def preamble(cls, writer):
        empty = {"choices": [], "created": 0, "id": "", "model": "", "object": ""}
        return [writer.event(None, empty | {"prompt_filter_results": PROMPT})]

    @classmethod
    def error(cls, status, message, behaviour, identity):
        if behaviour.get("errorCode") == "content_filter":
            inner = {"code": "ResponsibleAIPolicyViolation", "content_filter_result": SAFE}
            error = {"type": None, "param": "prompt", "status": status, "innererror": inner}
            return {"error": error | {"message": message, "code": "content_filter"}}
        if kind := behaviour.get("errorType"):
            code = behaviour.get("errorCode") or kind
            error = {"message": message, "type": kind, "param": None, "code": code}
            return {"error": error}
        return {"error": {"code": AZURE_ERRORS.get(status, str(status)), "message": message}}


class GitHub(Azure):
    request_id = "x-github-request-id"

    @classmethod
    def error(cls, status, message, behaviour, identity):
        code = behaviour.get("errorCode") or behaviour.get("errorType")
        code = code or GITHUB_ERRORS.get(status, "internal_error")
        return {"error": {"code": code, "message": message, "details": message}}


class Local(Chat):
    """As llama.cpp has it, and what others leave out: no `[DONE]`, the usage beside the last choice."""

    @classmethod
    def ending(cls, draft, writer, common, totals):
        last = cls.choice({}, CHAT_REASONS.get(draft.stop, draft.stop))
        usage = {"usage": cls.usage(draft)} if totals else {}
        return [writer.event(None, common | {"choices": [last]} | usage)]

    @classmethod
    def error(cls, status, message, behaviour, identity):
        kind = behaviour.get("errorType") or LOCAL_ERRORS.get(status, "server_error")
        return {"error": {"code": status, "message": message, "type": kind}}

    @classmethod
    def stream_error(cls, kind, message, behaviour):
        error = {"code": 503, "message": message, "type": kind}
        return Writer(behaviour).event(None, {"error": error})


def wire_of(path):
    """Whose path it is, where it is one of chat completions; None for OpenAI's own."""
    if path.startswith("/openai/"):
        return Azure
    return GitHub if "/inference/" in path else None


def complaint(request, body):
    """(status, message, behaviour) of what Azure or GitHub would refuse, or None."""
    path, _, query = request.target.partition("?")
    if path.startswith("/openai/"):
        return azure_complaint(request, path, query) or limit_complaint(
            path.split("/")[3] if "/deployments/" in path else body.get("model"), body
        )
    if "/inference/" not in path:
        return None
    if not request.headers.get("authorization", "").startswith("Bearer "):
        return 401, "Bad credentials", {}
    if request.headers.get("accept") != "application/vnd.github+json":
        return 406, "Must accept 'application/vnd.github+json'", {}
    if request.headers.get("x-github-api-version") != "2022-11-28":
        return 400, "x-github-api-version: header is required", {}
    publisher, slash, name = str(body.get("model")).partition("/")
    if not slash:
        return 404, f"Unknown model: {publisher}", {}
    return limit_complaint(name, body) if publisher == "openai" else None


def azure_complaint(request, path, query):
    bearer = request.headers.get("authorization", "").startswith("Bearer ")
    if "api-key" not in request.headers and not bearer:
        return 401, "Access denied due to invalid subscription key or wrong API endpoint.", {}
    if path.startswith("/openai/v1/"):
        return None
    # The dated interface: Responses name no deployment in their path, chat completions have to.
    known = r"/openai/(deployments/[^/]+/chat/completions|responses)"
    if not parse_qs(query).get("api-version") or not re.fullmatch(known, path):
        return 404, "Resource not found", {"errorCode": "404", "errorType": "404"}
    return None


def limit_complaint(model, body):
    """What OpenAI's models that reason no longer take."""
    if not re.match(r"o[0-9]|gpt-5", str(model)):
        return None
    for name in ("max_tokens", "temperature"):
        if name in body:
            behaviour = {"errorType": "invalid_request_error", "errorCode": "unsupported_parameter"}
            return 400, f"Unsupported parameter: '{name}' is not supported.", behaviour
    return None
