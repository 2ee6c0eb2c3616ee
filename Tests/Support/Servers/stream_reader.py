#!/usr/bin/env python3
"""Reads a hub's live stream over a WebSocket, with PyPI's websockets: what is not our own code.

    stream_reader.py URL TOKEN SUBSCRIPTION [COUNT]

Sends SUBSCRIPTION, a JSON text, and writes each message that is an event or tells of missing ones as a line,
until COUNT of them came or the hub closes; of the close, `closed CODE` on stderr.
"""

import asyncio
import json
import sys

import websockets


async def read(url, token, subscription, count):
    headers = {"Authorization": f"Bearer {token}"}
    async with websockets.connect(url, additional_headers=headers, max_size=None) as socket:
        try:
            await socket.send(subscription)
        except websockets.ConnectionClosed:
            # What came before the close is still to be read.
            pass
        try:
            while count > 0:
                message = await socket.recv()
                if json.loads(message)["type"] in ("subscribed", "ping"):
                    print(json.loads(message)["type"], file=sys.stderr, flush=True)
                    continue
                print(message, flush=True)
                count -= 1
        except websockets.ConnectionClosed as closed:
            print(f"closed {closed.rcvd.code if closed.rcvd else None}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    asyncio.run(
        read(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]) if len(sys.argv) > 4 else 1 << 62))
