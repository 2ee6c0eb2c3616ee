#!/usr/bin/env python3
"""A protected resource and its authorization server on 127.0.0.1, which misbehave as they are told.

    oauth_server.py [--behave JSON] [--log FILE]

The resource is /mcp. POST /control merges an object into the behaviour, whose members are:

    challenge        the field www-authenticate of a 401; null for none
    required         scopes without which /mcp answers 403 with insufficient_scope
    denies           true if /mcp answers every token with 403
    resourcePath     the path of the resource's metadata
    resource         members of that metadata, over the usual ones; null removes one
    issuerPath       the path of the issuer's identifier
    metadataPath     the path of the issuer's metadata
    metadata         members of that metadata, over the usual ones; null removes one
    redirect         parameters of the redirect, over `code`, `state` and `iss`; null removes one
    registration     members of the answer to a registration, over the usual ones
    token            members of the answer with a token, over the usual ones
    status           the status of the answer of /token
    faults           by path: endless (a body without an end), html, loop (a redirect to itself), large

In texts `{base}` stands for the server's address. Every token lives until POST /control has `expire`.
"""

import base64
import hashlib
import json
import secrets
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import loopback

RESOURCE_METADATA = "/.well-known/oauth-protected-resource/mcp"
SERVER_METADATA = "/.well-known/oauth-authorization-server"


def given(request):
    """The parameters of a request, from its query and its body."""
    if "json" in (request.headers.get("content-type") or ""):
        return json.loads(request.body or b"{}")
    text = urlsplit(request.target).query + "&" + request.body.decode("utf-8", "replace")
    return {name: values[0] for name, values in parse_qs(text).items()}


def over(usual, members):
    merged = usual | (members or {})
    return {name: value for name, value in merged.items() if value is not None}


class Server:
    def __init__(self, behaviour):
        self.behaviour = behaviour
        self.codes = {}
        self.access = {}
        self.refresh = {}
        self.clients = 0

    def get(self, name, usual=None):
        return self.filled(self.behaviour.get(name, usual))

    def filled(self, value):
        if isinstance(value, str):
            return value.replace("{base}", self.base)
        if isinstance(value, list):
            return [self.filled(each) for each in value]
        if isinstance(value, dict):
            return {name: self.filled(each) for name, each in value.items()}
        return value

    @property
    def issuer(self):
        return self.base + self.get("issuerPath", "")

    async def handle(self, exchange):
        request = exchange.request
        self.base = "http://" + request.headers["host"]
        path = urlsplit(request.target).path
        fault = self.get("faults", {}).get(path)
        if fault:
            return await self.fail(exchange, fault, path)
        routes = {
            "/mcp": self.answer_resource,
            "/control": self.control,
            "/authorize": self.authorize,
            "/register": self.register,
            "/token": self.grant,
            "/revoke": self.revoke,
            self.get("resourcePath", RESOURCE_METADATA): self.resource_metadata,
            self.get("metadataPath", SERVER_METADATA): self.server_metadata,
        }
        route = routes.get(path)
        if route is None:
            await exchange.answer(404, [], b"no such page")
        else:
            status, headers, body = route(request, given(request))
            headers = [("content-type", "application/json"), *headers]
            await exchange.answer(status, headers, json.dumps(body).encode())
        return "complete"

    async def fail(self, exchange, fault, path):
        if fault == "loop":
            await exchange.answer(302, [("location", self.base + path)], b"")
        elif fault == "html":
            await exchange.answer(200, [("content-type", "text/html")], b"<p>Log in here.")
        elif fault == "large":
            await exchange.answer(200, [], b'{"issuer":"' + b"x" * (1 << 20) + b'"}')
        else:
            exchange.head(200, [("content-type", "application/json")])
            exchange.put(b'{"padding":"')
            while True:
                exchange.put(b"x" * 65536)
                await exchange.flush()
        return fault

    def control(self, request, wanted):
        if wanted.pop("expire", False):
            self.access.clear()
        if wanted.pop("refuse", False):
            self.refresh.clear()
        self.behaviour |= wanted
        return 200, [], {}

    def answer_resource(self, request, _):
        token = (request.headers.get("authorization") or "").removeprefix("Bearer ")
        if token not in self.access:
            usual = f'Bearer resource_metadata="{self.base}{RESOURCE_METADATA}"'
            challenge = self.get("challenge", usual)
            return 401, [("www-authenticate", challenge)] if challenge else [], {}
        required = self.get("required", [])
        if self.get("denies") or not set(required) <= set(self.access[token]):
            text = f'Bearer error="insufficient_scope", scope="{" ".join(required)}"'
            return 403, [("www-authenticate", text)], {}
        return 200, [], {"scopes": self.access[token]}

    def resource_metadata(self, *_):
        usual = {"resource": self.base + "/mcp", "authorization_servers": [self.issuer]}
        return 200, [], over(usual, self.get("resource"))

    def server_metadata(self, *_):
        usual = {
            "issuer": self.issuer,
            "authorization_endpoint": self.base + "/authorize",
            "token_endpoint": self.base + "/token",
            "registration_endpoint": self.base + "/register",
            "revocation_endpoint": self.base + "/revoke",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none"],
            "authorization_response_iss_parameter_supported": True,
        }
        return 200, [], over(usual, self.get("metadata"))

    def authorize(self, _, form):
        code = secrets.token_urlsafe(12)
        self.codes[code] = form
        usual = {"code": code, "state": form["state"], "iss": self.issuer}
        query = urlencode(over(usual, self.get("redirect")))
        return 302, [("location", f"{form['redirect_uri']}?{query}")], {}

    def register(self, _, form):
        self.clients += 1
        usual = form | {"client_id": f"client-{self.clients}"}
        return 201, [], over(usual, self.get("registration"))

    def grant(self, _, form):
        if form["grant_type"] == "refresh_token":
            scopes = self.refresh.pop(form["refresh_token"], None)
        else:
            asked = self.codes.pop(form["code"], None)
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            shown = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            matches = asked and asked["code_challenge"] == shown
            matches = matches and asked["redirect_uri"] == form["redirect_uri"]
            scopes = asked.get("scope", "").split() if matches else None
        if scopes is None:
            return 400, [], {"error": "invalid_grant", "error_description": "It is used up."}
        access, refresh = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.access[access], self.refresh[refresh] = scopes, scopes
        usual = {
            "access_token": access,
            "token_type": "bearer",
            "refresh_token": refresh,
            "expires_in": 3600,
        }
        return self.get("status", 200), [], over(usual, self.get("token"))

    def revoke(self, _, form):
        self.access.pop(form["token"], None)
        self.refresh.pop(form["token"], None)
        return 200, [], {}


def described(request):
    """What the log says of a request: its parameters, and the client of basic authentication."""
    scheme, _, word = (request.headers.get("authorization") or "").partition(" ")
    line = {"form": given(request)}
    if scheme == "Basic":
        line["basic"] = [unquote(part) for part in base64.b64decode(word).decode().split(":")]
    return line


def main():
    parser = loopback.options(__doc__)
    parser.add_argument("--behave", default="{}", metavar="JSON")
    options = parser.parse_args()
    server = Server(json.loads(options.behave))
    loopback.run(
        loopback.Server(server.handle, described, loopback.Log(options.log)),
        options.port,
        options.stay,
    )


if __name__ == "__main__":
    main()
