#!/usr/bin/env python3
"""fastmcp's server on 127.0.0.1 behind its in-memory OAuth provider, which grants at once.

    oauth_mcp_server.py --log FILE

/mcp is the endpoint, with one tool; it requires the scope `read`. POST /control sets what a test needs:
`expire` ends every access token, `refuse` every refresh token, `require` replaces the scopes that are
required. The log has one NDJSON line a request, with its method, path and status.
Prints `{"port":N}` once connections are accepted, and ends when stdin ends.
"""

import argparse
import asyncio
import json
import logging
import os
import socket
import threading

import uvicorn
from fastmcp import FastMCP
from fastmcp.server.auth.auth import ClientRegistrationOptions, RevocationOptions
from fastmcp.server.auth.providers.in_memory import InMemoryOAuthProvider
from starlette.responses import JSONResponse


class LoggedApp:
    """An ASGI application that writes a line for each request."""

    def __init__(self, app, path):
        self.app = app
        self.file = open(path, "a", encoding="utf-8")

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def sending(message):
            if message["type"] == "http.response.start":
                line = {
                    "method": scope["method"],
                    "path": scope["path"],
                    "status": message["status"],
                }
                self.file.write(json.dumps(line) + "\n")
                self.file.flush()
            await send(message)

        await self.app(scope, receive, sending)


def build(port, log):
    required = ["read"]
    provider = InMemoryOAuthProvider(
        base_url=f"http://127.0.0.1:{port}",
        client_registration_options=ClientRegistrationOptions(enabled=True),
        revocation_options=RevocationOptions(enabled=True),
        required_scopes=required,
    )
    server = FastMCP("oauth", auth=provider)

    @server.tool
    def greet() -> str:
        return "hello"

    @server.custom_route("/control", methods=["POST"])
    async def control(request):
        wanted = await request.json()
        if wanted.get("expire"):
            provider.access_tokens.clear()
        if wanted.get("refuse"):
            provider.refresh_tokens.clear()
        if "require" in wanted:
            required[:] = wanted["require"]
        return JSONResponse({"access": len(provider.access_tokens)})

    return LoggedApp(server.http_app(path="/mcp", stateless_http=True), log)


def end_with_stdin(server):
    while os.read(0, 4096):
        pass
    server.should_exit = True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--log", required=True)
    given = parser.parse_args()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    port = listener.getsockname()[1]
    logging.disable(logging.CRITICAL)
    config = uvicorn.Config(build(port, given.log), log_level="critical", lifespan="on")
    server = uvicorn.Server(config)
    threading.Thread(target=end_with_stdin, args=(server,), daemon=True).start()
    print(json.dumps({"port": port}), flush=True)
    asyncio.run(server.serve(sockets=[listener]))


if __name__ == "__main__":
    main()
