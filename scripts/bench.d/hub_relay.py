"""The peer of `scripts/bench hub`: what somebody would write in an hour over PyPI's websockets.

    hub_relay.py relay             hands on what comes at /in to all who are at /out
    hub_relay.py broadcast FILE    tells its port; at each line of standard input, broadcasts the lines
                                   of the file, each a message, to all, and tells when it began
    hub_relay.py follow PORT       prints what comes at /out, each message a line
"""

import asyncio
import sys
import time

from websockets.asyncio.client import connect
from websockets.asyncio.server import broadcast, serve

readers = set()


async def take(socket):
    if socket.request.path == "/out":
        readers.add(socket)
        try:
            await socket.wait_closed()
        finally:
            readers.discard(socket)
    else:
        async for message in socket:
            broadcast(readers, message)


async def listen(work):
    # No compression, which the readers do not ask for, nor pings, which they do not answer.
    async with serve(
            take, "127.0.0.1", 0, backlog=1024, compression=None, ping_interval=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await work


async def forever():
    await asyncio.get_running_loop().create_future()


async def broadcasting(path):
    with open(path, encoding="utf-8") as file:
        messages = file.read().splitlines()
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(time.monotonic(), flush=True)
        for message in messages:
            broadcast(readers, message)
            await asyncio.sleep(0)


async def follow(port):
    async with connect(f"ws://127.0.0.1:{port}/out", compression=None) as socket:
        async for message in socket:
            sys.stdout.write(message + "\n")
            sys.stdout.flush()


if sys.argv[1] == "follow":
    asyncio.run(follow(int(sys.argv[2])))
elif sys.argv[1] == "relay":
    asyncio.run(listen(forever()))
else:
    asyncio.run(listen(broadcasting(sys.argv[2])))
