#!/usr/bin/env python3
"""A port of 127.0.0.1 that leads to another one, for tests of what a network does.

    tcp_proxy.py --log FILE --to PORT [--host HOST] [--port PORT] [--lose TEXT]

`--host` is where `--to` is, 127.0.0.1 if not given, or the folder of PostgreSQL's socket; `--port` is the
port of its own, any if not given. With `--lose`, the first message with the given text is passed on, and
its connection is cut in place of the answer.

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
    def __init__(self, host, target, lost):
        self.host = host
        self.target = target
        self.lost = lost and lost.encode()
        self.writers = set()

    async def accept(self, reader, writer):
        try:
            far_reader, far_writer = await self.connect()
        except OSError:
            writer.transport.abort()
            return
        self.writers |= {writer, far_writer}
        cut = asyncio.Event()
        await asyncio.gather(
            self.carry(reader, far_writer, sent=cut), self.carry(far_reader, writer, answered=cut))
        self.writers -= {writer, far_writer}

    async def connect(self):
        if self.host.startswith("/"):
            return await asyncio.open_unix_connection(f"{self.host}/.s.PGSQL.{self.target}")
        return await asyncio.open_connection(self.host, self.target)

    async def carry(self, reader, writer, sent=None, answered=None):
        try:
            while data := await reader.read(1 << 16):
                if sent and self.lost and self.lost in data:
                    self.lost = None
                    sent.set()
                if answered and answered.is_set():
                    writer.transport.abort()
                    return
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()

    def cut(self):
        for writer in self.writers:
            writer.transport.abort()


async def serve(options):
    proxy = Proxy(options.host, options.to, options.lose)
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
    parser.add_argument("--lose")
    asyncio.run(serve(parser.parse_args()))


main()
