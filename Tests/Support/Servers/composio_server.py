#!/usr/bin/env python3
"""Composio's tool router on 127.0.0.1, in the shapes that composio-client 1.43.0 reads.

    composio_server.py --key KEY [--plan JSON] [--connected] [--tools N] [--pages N] [--log FILE]

It knows sessions, their tools, search, execute, execute_meta, link and tools by name. A toolkit counts as
connected after --connected, or once somebody opened its link. Each request is logged with its `call`: create,
get, tools, toolkits, search, execute, executeMeta, link, tool or page; loopback.py says how the server starts and ends.

--plan has calls fail: an object of lists by call, whose first element is used up by the next such call. An
element is null for a call that succeeds, or has these members: `status` with `slug`, `code`, `message` and
`retryAfter`, `error` for an error beside status 200, `body` for other text, `drop` to close the connection
after the request, `cut` to close it in the middle of the answer, `forget` to forget all sessions first.
"""

import json
import re
from urllib.parse import parse_qs, urlsplit

import loopback

ROOT = "/api/v3.1/tool_router/session"
ROUTES = [
    ("POST", ROOT, "create"),
    ("GET", ROOT + "/([^/]+)", "get"),
    ("GET", ROOT + "/([^/]+)/tools", "tools"),
    ("GET", ROOT + "/([^/]+)/toolkits", "toolkits"),
    ("POST", ROOT + "/([^/]+)/search", "search"),
    ("POST", ROOT + "/([^/]+)/execute", "execute"),
    ("POST", ROOT + "/([^/]+)/execute_meta", "executeMeta"),
    ("POST", ROOT + "/([^/]+)/link", "link"),
    ("GET", "/api/v3.1/tools/([^/]+)", "tool"),
    ("GET", "/link/([^/]+)", "page"),
]
META = ["COMPOSIO_SEARCH_TOOLS", "COMPOSIO_MULTI_EXECUTE_TOOL", "COMPOSIO_GET_TOOL_SCHEMAS"]


class Refused(Exception):
    def __init__(self, status, slug, code, message, headers=()):
        super().__init__(message)
        self.status = status
        self.error = {
            "message": message,
            "slug": slug,
            "code": code,
            "status": status,
            "request_id": "request-1",
            "suggested_fix": "",
        }
        self.headers = list(headers)


def route(request):
    path = urlsplit(request.target).path
    for method, pattern, call in ROUTES:
        match = re.fullmatch(pattern, path)
        if match and method == request.method:
            return call, match.groups()
    return None, ()


def described(slug, toolkit, properties, required=()):
    """A tool as lists have it."""
    return {
        "slug": slug,
        "name": slug.replace("_", " ").capitalize(),
        "description": f"The tool {slug}.",
        "input_parameters": {
            "type": "object",
            "properties": properties,
            "required": list(required),
        },
        "output_parameters": {"type": "object", "properties": {}},
        "available_versions": ["20260901_00"],
        "version": "20260901_00",
        "is_deprecated": False,
        "deprecated": {
            "available_versions": ["20260901_00"],
            "displayName": slug,
            "is_deprecated": False,
            "toolkit": {"logo": "https://logos.example/a.svg"},
            "version": "20260901_00",
        },
        "no_auth": toolkit == "composio",
        "scopes": [],
        "tags": ["readOnlyHint", "important"] if "LIST" in slug else ["important"],
        "toolkit": {"slug": toolkit, "name": toolkit, "logo": "https://logos.example/a.svg"},
    }


class Router:
    def __init__(self, key, plan=None, connected=False, tools=0, pages=1):
        self.key = key
        self.plan = plan or {}
        self.all_connected = connected
        self.pages = pages
        self.sessions = {}
        self.created = 0
        self.executed = []
        self.connected = set()
        text = {"type": "string"}
        self.tools = [
            described("GMAIL_SEND_EMAIL", "gmail", {"to": text, "subject": text}, ["to"]),
            described("GOOGLE_MAPS_LIST_PLACES", "google_maps", {"near": text}),
        ] + [described(f"MANY_TOOL_{n}", "many", {}) for n in range(tools)]
        self.meta = [described(slug, "composio", {"queries": {"type": "array"}}) for slug in META]

    async def handle(self, exchange):
        request = exchange.request
        call, words = route(request)
        planned = self.plan.get(call) or []
        fault = (planned.pop(0) if planned else None) or {}
        if fault.get("forget"):
            self.sessions.clear()
        if fault.get("drop"):
            await exchange.cut()
            return "dropped"
        status, headers, body = 200, [("content-type", "application/json")], None
        try:
            answer = self.answer(exchange, call, words, fault)
            status = 201 if call in ("create", "link") else 200
            if call == "page":
                headers, body = [("content-type", "text/plain")], b"connected\n"
        except Refused as refused:
            status, answer = refused.status, {"error": refused.error}
            headers += refused.headers
        body = body or fault.get("body", json.dumps(answer)).encode()
        if fault.get("cut"):
            exchange.head(status, headers, len(body) + 10)
            exchange.put(body[: len(body) // 2])
            await exchange.cut()
            return "cut"
        await exchange.answer(status, headers, body)
        return "complete"

    def answer(self, exchange, call, words, fault):
        request = exchange.request
        if call == "page":
            self.connected.add(words[0])
            return {}
        if request.headers.get("x-api-key") != self.key:
            raise Refused(401, "HTTP_Unauthorized", 10401, "Invalid API key")
        if "status" in fault:
            wait = fault.get("retryAfter")
            raise Refused(
                fault["status"],
                fault.get("slug", "Planned"),
                fault.get("code", 1),
                fault.get("message", "planned"),
                [] if wait is None else [("retry-after", str(wait))],
            )
        if call is None:
            raise Refused(404, "HTTP_NotFound", 10404, "no such path")
        body = json.loads(request.body) if request.body else {}
        if call == "create":
            return self.create(body)
        if call == "tool":
            return self.named(words[0])
        session = self.sessions.get(words[0])
        if session is None:
            raise Refused(404, "ToolRouterV2_SessionNotFound", 4303, "session not found")
        if call == "get":
            return session
        calls = {
            "tools": self.listed,
            "toolkits": self.toolkits,
            "search": self.search,
            "execute": self.execute,
            "executeMeta": self.execute_meta,
            "link": self.link,
        }
        return calls[call](session, body, exchange, fault)

    def create(self, body):
        self.created += 1
        config = {"user_id": body["user_id"], "execute": {}, "search": {}}
        config["preload"] = body.get("preload", {"tools": []})
        if "toolkits" in body:
            config["toolkits"] = {"enabled": body["toolkits"]["enable"]}
        session = {
            "session_id": f"trs_{self.created}",
            "config": config,
            "config_version": 1,
            "mcp": {"type": "http", "url": f"https://mcp.example/trs_{self.created}"},
            "tool_router_tools": META,
        }
        self.sessions[session["session_id"]] = session
        return session

    def allowed(self, session):
        """The tools that the session may call; its list has them if they are preloaded."""
        names = session["config"].get("toolkits", {}).get("enabled")
        return [tool for tool in self.tools if names is None or tool["toolkit"]["slug"] in names]

    def named(self, slug):
        for tool in self.tools:
            if tool["slug"] == slug:
                return tool
        raise Refused(404, "Tool_ToolNotFound", 2301, f"Tool {slug} not found")

    def listed(self, session, body, exchange, fault):
        preloaded = session["config"]["preload"]["tools"] == "all"
        tools = self.meta + (self.allowed(session) if preloaded else [])
        query = parse_qs(urlsplit(exchange.request.target).query)
        page = int(query.get("cursor", ["0"])[0])
        size = -(-len(tools) // self.pages) or 1
        answer = {
            "items": tools[page * size : (page + 1) * size],
            "current_page": page + 1,
            "total_items": len(tools),
            "total_pages": self.pages,
        }
        return answer | ({"next_cursor": str(page + 1)} if page + 1 < self.pages else {})

    def toolkits(self, session, body, exchange, fault):
        query = parse_qs(urlsplit(exchange.request.target).query)
        items = []
        for slug in query.get("toolkits", [""])[0].split(","):
            item = {
                "slug": slug,
                "name": slug,
                "enabled": True,
                "is_no_auth": False,
                "meta": {"description": slug, "logo": "https://logos.example/a.svg"},
                "composio_managed_auth_schemes": ["OAUTH2"],
            }
            if self.all_connected or slug in self.connected:
                item["connected_account"] = {
                    "id": "ca_1",
                    "auth_config": {
                        "id": "ac_1",
                        "auth_scheme": "OAUTH2",
                        "is_composio_managed": True,
                    },
                    "created_at": "2026-11-24T00:00:00Z",
                    "status": "ACTIVE",
                    "user_id": session["config"]["user_id"],
                }
            items.append(item)
        return {"items": items, "current_page": 1, "total_items": len(items), "total_pages": 1}

    def search(self, session, body, exchange, fault):
        case = body["queries"][0]["use_case"]
        if len(case) > 1024:
            raise Refused(400, "ToolRouterV2_BadRequest", 4300, "use_case is too long")
        schemas = {}
        for tool in self.allowed(session):
            full = tool["slug"] == "GMAIL_SEND_EMAIL"
            schemas[tool["slug"]] = {
                "tool_slug": tool["slug"],
                "toolkit": tool["toolkit"]["slug"],
                "description": tool["description"],
                "hasFullSchema": full,
            } | ({"input_schema": tool["input_parameters"]} if full else {})
        result = {
            "index": 1,
            "use_case": case,
            "primary_tool_slugs": list(schemas)[:1],
            "related_tool_slugs": list(schemas)[1:],
            "toolkits": [],
        }
        return {
            "success": True,
            "error": None,
            "results": [result],
            "next_steps_guidance": ["You MUST call COMPOSIO_MANAGE_CONNECTIONS."],
            "session": {"id": "s", "generate_id": False, "instructions": "Pass the id on."},
            "time_info": {
                "current_time_utc": "2026-11-24T00:00:00Z",
                "current_time_utc_epoch_seconds": 1795478400,
                "message": "It is UTC.",
            },
            "tool_schemas": schemas,
            "toolkit_connection_statuses": [],
        }

    def execute(self, session, body, exchange, fault):
        slug, arguments = body["tool_slug"], body.get("arguments", {})
        tool = next((tool for tool in self.tools if tool["slug"] == slug), None)
        if tool is None:
            raise Refused(400, "ToolRouterV2_ToolNotFound", 4301, f"Tool {slug} not found")
        toolkit = tool["toolkit"]["slug"]
        if tool not in self.allowed(session):
            raise Refused(
                400, "ToolRouterV2_ToolkitNotAllowed", 4324, f"'{toolkit}' is not allowed"
            )
        if not self.all_connected and toolkit not in self.connected:
            raise Refused(
                400, "ToolRouterV2_NoActiveConnection", 4302, f"No active connection: '{toolkit}'"
            )
        return self.result(slug, arguments, fault)

    def execute_meta(self, session, body, exchange, fault):
        if body["slug"] not in META:
            raise Refused(400, "ToolRouterV2_BadRequest", 4300, "not a meta tool")
        return self.result(body["slug"], body.get("arguments", {}), fault)

    def result(self, slug, arguments, fault):
        self.executed.append(slug)
        if "error" in fault:
            return {"data": {}, "error": fault["error"], "log_id": "log_failed"}
        return {
            "data": {"slug": slug, "arguments": arguments},
            "error": None,
            "log_id": f"log_{len(self.executed)}",
        }

    def link(self, session, body, exchange, fault):
        host = exchange.request.headers["host"]
        return {
            "connected_account_id": "ca_1",
            "link_token": "lk_1",
            "redirect_url": f"http://{host}/link/{body['toolkit']}",
        }


def main():
    parser = loopback.options(__doc__)
    parser.add_argument("--key", required=True)
    parser.add_argument("--plan", type=json.loads, metavar="JSON")
    parser.add_argument("--connected", action="store_true")
    parser.add_argument("--tools", type=int, default=0, metavar="N")
    parser.add_argument("--pages", type=int, default=1, metavar="N")
    given = parser.parse_args()
    router = Router(given.key, given.plan, given.connected, given.tools, given.pages)
    loopback.run(
        loopback.Server(
            router.handle, lambda request: {"call": route(request)[0]}, loopback.Log(given.log)
        ),
        given.port,
        given.stay,
    )


if __name__ == "__main__":
    main()
