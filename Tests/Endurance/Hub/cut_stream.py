"""Cuts the connections by which stream-tail follows a hub, at random bytes; see cut-stream.sh."""

import argparse
import asyncio
import json
import random
import subprocess
import sys
import threading
import time

import hub as hubs


class Proxy(threading.Thread):
    """A port that leads to the hub, and cuts each connection behind some bytes of it, or lets it freeze."""

    def __init__(self, target, cuts, frozen):
        super().__init__(daemon=True)
        self.target, self.left, self.is_cutting = target, cuts, False
        self.cuts, self.port, self.frozen = 0, None, frozen
        # Who waits for what never comes is only held by it.
        self.held = []
        self.ready = threading.Event()

    def run(self):
        asyncio.run(self.serve())

    async def serve(self):
        server = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        await asyncio.Event().wait()

    async def accept(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        # Some are cut while they connect, some while they are told what they missed, some much later.
        room = [random.choice((random.randint(0, 600), random.randint(0, 1 << 14), random.randint(0, 1 << 17)))]
        pair = writer, far_writer
        await asyncio.gather(
            self.carry(reader, far_writer, room, pair), self.carry(far_reader, writer, room, pair))

    async def carry(self, reader, writer, room, pair):
        try:
            while data := await reader.read(1 << 14):
                if self.is_cutting and len(data) > room[0] and self.left > 0:
                    self.left -= 1
                    self.cuts += 1
                    if random.random() < self.frozen:
                        # A network that is gone tells nothing to either side.
                        self.held.append(asyncio.Event())
                        await self.held[-1].wait()
                    writer.write(data[:room[0]])
                    # What is written should come; half of the connections end without a word.
                    await asyncio.sleep(0)
                    for end in pair:
                        end.transport.abort() if self.cuts % 2 else end.close()
                    return
                room[0] = max(0, room[0] - len(data)) if self.is_cutting else room[0]
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        writer.close()


class Feeder(threading.Thread):
    """Sends events, a few at once, until it is told to end."""

    def __init__(self, hub):
        super().__init__(daemon=True)
        self.hub, self.is_over, self.count = hub, False, 0

    def run(self):
        connection = self.hub.connection()
        while not self.is_over:
            lines = [json.dumps({
                "type": "log", "ts": 1, "agentId": "a", "level": "info",
                "message": f"line {self.count + index} {'x' * random.randint(0, 400)}"})
                for index in range(20)]
            status, answer = hubs.ask(
                connection, "POST", "/v1/events", "\n".join(lines), self.hub.fields)
            if status == 200:
                self.count += len(lines)
            time.sleep(0.1)


def judge(checks, name, path, first, last):
    """Every event from the first to the last once, in order, but for what one gap tells of."""
    at, gaps, pending = first, 0, None
    for text in path.read_text().splitlines():
        record = json.loads(text)
        if record["type"] == "gap" and not record.get("id"):
            gaps, pending = gaps + 1, record
            continue
        if not checks.check("id" in record, f"{name}: {text[:300]}"):
            continue
        sequence = int(record["id"].rsplit("-", 1)[1])
        if sequence != at + 1 and not (pending and sequence > at):
            checks.check(False, f"{name}: after {at} comes {sequence}")
        at, pending = sequence, None
    checks.check(at == last, f"{name}: the last is {at}, not {last}")
    checks.check(gaps <= 1, f"{name}: {gaps} gaps")
    return gaps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuts", type=int, required=True)
    parser.add_argument("--clients", type=int, required=True)
    parser.add_argument("--frozen", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random.seed(options.seed)
    checks, scratch = hubs.Checks(), hubs.Scratch()
    hub = hubs.Hub(scratch)
    hub.start()
    first = hub.ask("POST", "/v1/events", {
        "type": "log", "ts": 1, "agentId": "a", "level": "info", "message": "first"})[1]["lastId"]
    proxy = Proxy(hub.port, options.cuts, options.frozen)
    proxy.start()
    proxy.ready.wait()
    # The operator's token goes to the hub's own port alone.
    code = scratch.start("hub-serve", "register-code", "--scope", "read", stdout=subprocess.PIPE)
    register = scratch.start(
        "pair", "register", f"http://127.0.0.1:{proxy.port}", "--code", json.load(code.stdout)["code"],
        stdout=subprocess.DEVNULL)
    if register.wait(300):
        sys.exit("cut-stream: this machine cannot register through the port that cuts")
    feeder = Feeder(hub)
    feeder.start()
    clients = []
    for number in range(options.clients):
        path = scratch.path / f"followed-{number}"
        with open(path, "wb") as output, open(f"{path}.errors", "wb") as errors:
            process = scratch.start(
                "stream-tail", "--follow", "--hub", f"http://127.0.0.1:{proxy.port}",
                "--after", first, stdout=output, stderr=errors)
        clients.append((process, path))
    # Who never was connected ends where it cannot connect.
    for process, path in clients:
        hubs.wait_until("all follow", lambda: path.stat().st_size > 0 or process.poll() is not None)
    began = time.monotonic()
    proxy.is_cutting = True
    hubs.wait_until("all cuts are made", lambda: proxy.left == 0, 1500)
    feeder.is_over = True
    feeder.join()
    last = hub.ask("POST", "/v1/events", {
        "type": "log", "ts": 1, "agentId": "a", "level": "info", "message": "last"})[1]["lastId"]
    gaps = 0
    for process, path in clients:
        hubs.wait_until(
            f"{path.name} has the last event, {last}",
            lambda: f'"{last}"' in tail(path) or process.poll() is not None)
        process.terminate()
        process.wait(300)
        gaps += judge(
            checks, path.name, path, int(first.rsplit("-", 1)[1]), int(last.rsplit("-", 1)[1]))
    print(
        f"{proxy.cuts} cuts of {len(clients)} clients in {time.monotonic() - began:.0f} s, "
        f"{len(proxy.held)} of them without a word, {feeder.count + 2} events, {gaps} gaps", flush=True)
    hub.stop()
    checks.end()


def tail(path):
    with open(path, "rb") as file:
        file.seek(max(0, path.stat().st_size - 4096))
        return file.read().decode(errors="replace")


main()
