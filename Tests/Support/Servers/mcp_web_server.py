#!/usr/bin/env python3
"""A server of the Model Context Protocol over Streamable HTTP on 127.0.0.1, of PyPI's packages.

    mcp_web_server.py sdk|fastmcp|old [--json] [--stateless] [--events]

`sdk` is the `mcp` SDK 2.x and `fastmcp` fastmcp 4.x, which speak both eras; `old` is the SDK 1.x, which
begins with a handshake. --events keeps events, so that streams can be resumed: `leave` closes its stream.
Ready line: one JSON line `{"port":N}`. The server ends when stdin does.
"""

import argparse
import json
import os
import socket
import sys
import threading
from typing import Annotated

import uvicorn
from pydantic import BaseModel, Field

Region = Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]


class Stay(BaseModel):
    nights: int


def add_tools(server, Context):
    @server.tool()
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @server.tool()
    def where(region: Region, words: str = "") -> str:
        """Name the region."""
        return region

    @server.tool()
    def fail() -> str:
        """Fail."""
        raise ValueError("it broke")

    @server.tool()
    async def count(ctx: Context) -> str:
        """Report progress."""
        for number in range(3):
            await ctx.report_progress(number + 1, 3, f"step {number + 1}")
        return "counted"

    @server.tool()
    async def book(ctx: Context) -> str:
        """Ask how long the stay is."""
        answer = await ctx.elicit("How many nights?", Stay)
        return f"{answer.action} {answer.data.nights}" if answer.action == "accept" else answer.action

    @server.tool()
    async def leave(ctx: Context) -> str:
        """Close the stream before the answer."""
        await ctx.request_context.close_sse_stream()
        return "back"


class Events:
    """The events of all streams, as an EventStore of the SDK keeps them."""

    def __init__(self):
        self.events = []

    async def store_event(self, stream_id, message):
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(self, last_event_id, send_callback):
        from mcp.server.streamable_http import EventMessage

        start = int(last_event_id)
        stream = self.events[start - 1][0]
        for number, (owner, message) in enumerate(self.events[start:], start + 1):
            if owner == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


def app(options):
    events = {"event_store": Events(), "retry_interval": 100} if options.events else {}
    shape = {"json_response": options.json, "stateless_http": options.stateless}
    if options.kind == "fastmcp":
        from fastmcp import Context, FastMCP

        server = FastMCP("test")
        add_tools(server, Context)
        return server.http_app(path="/mcp", **shape, **events)
    if options.kind == "sdk":
        from mcp.server.mcpserver import Context, MCPServer

        server = MCPServer("test")
        add_tools(server, Context)
        return server.streamable_http_app(**shape, **events)
    from mcp.server.fastmcp import Context, FastMCP

    server = FastMCP("test", **shape, **events)
    add_tools(server, Context)
    return server.streamable_http_app()


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("kind", choices=["sdk", "fastmcp", "old"])
    for name in ("--json", "--stateless", "--events"):
        parser.add_argument(name, action="store_true")
    options = parser.parse_args()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)
    config = uvicorn.Config(app(options), log_level="error", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)

    def watch():
        while os.read(0, 4096):
            pass
        server.should_exit = True

    threading.Thread(target=watch, daemon=True).start()
    print(json.dumps({"port": listener.getsockname()[1]}, separators=(",", ":")), flush=True)
    server.run(sockets=[listener])


if __name__ == "__main__":
    main()
