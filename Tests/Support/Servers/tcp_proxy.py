#!/usr/bin/env python3
"""A port of 127.0.0.1 that leads to another one, for tests of what a network does.

    tcp_proxy.py --log FILE --to PORT [--host HOST] [--port PORT]

`--host` is where `--to` is, 127.0.0.1 if not given; `--port` is the port of its own, any if not given.

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
    def __init__(self, host, target):
        self.host = host
        self.target = target
        self.writers = set()

    async def accept(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection(self.host, self.target)
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


async def serve(options):
    proxy = Proxy(options.host, options.to)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", options.port)
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
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    asyncio.run(serve(parser.parse_args()))


main()
