#!/usr/bin/env python3
"""A port of 127.0.0.1 that leads to another one, for tests of what a network does.

    tcp_proxy.py --log FILE --to PORT

SIGUSR1 cuts what is connected. A process that is stopped (SIGSTOP) is a network that is gone: nothing
is told, and nothing comes through, until it goes on.

Ready line   one JSON line `{"port":N}` on stdout, flushed, once connections are accepted.
End          when stdin ends.
Log          nothing is written to it.
"""

import argparse
import asyncio
import json
import os
import signal


class Proxy:
    def __init__(self, target):
        self.target = target
        self.writers = set()

    async def accept(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self.writers |= {writer, far_writer}
        await asyncio.gather(self.carry(reader, far_writer), self.carry(far_reader, writer))
        self.writers -= {writer, far_writer}

    @staticmethod
    async def carry(reader, writer):
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()

    def cut(self):
        for writer in self.writers:
            writer.transport.abort()


async def serve(target):
    proxy = Proxy(target)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, proxy.cut)
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}), flush=True)
    ended = asyncio.Event()
    loop.add_reader(0, lambda: os.read(0, 4096) or ended.set())
    await ended.wait()
    server.close()
    proxy.cut()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log")
    parser.add_argument("--to", type=int, required=True)
    asyncio.run(serve(parser.parse_args().to))


main()
