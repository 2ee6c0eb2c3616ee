#!/usr/bin/env python3
"""Runs stage-run under --max-cost against a server that counts, and holds the accounts together.

    spend_at_random.py BIN RUNS SEED

Each round gives a plan of one to four stages a budget of a few calls, and runs it again and again:
interrupted, killed, with retries, resumed. After each run: what the server billed is at most the budget
and one call's estimate; a cost that a record tells is what was billed, though counts were reported several
times.
"""

import asyncio
import json
import os
import random
import shutil
import signal
import sys
import tempfile

from billing_chat import ChatBillingServer
from billing_server import BillingServer

# Costs are told as sums of floating-point numbers.
NOISE = 1e-9


class Round:
    """One pipeline in a home of its own, and the server that it is run against."""

    def __init__(self, bin_folder, seed, scratch):
        self.random = random.Random(seed)
        self.tool = os.path.join(bin_folder, "stage-run")
        self.home = os.path.join(scratch, f"round-{seed}")
        kinds = [BillingServer, BillingServer, BillingServer, ChatBillingServer]
        self.server = self.random.choice(kinds)(seed)
        # Some requests are about as long as the input from which on a model costs more.
        self.padding = self.random.choice([0, 0, 0, 260_000, 300_000, 340_000])
        budgets = [1.0, 3.0] if self.padding else [0.07, 0.13, 0.3, 1.0, 3.0]
        self.budget = self.random.choice(budgets)
        self.problems = []
        self.runs = 0
        # Costs that were told after an answer whose counts were reported several times.
        self.compared = 0

    def plan(self):
        goal = "Compare" + " it" * (self.padding // 3)
        lines = [{"type": "pipeline", "id": "p-of-the-round", "goal": goal, "project": "P"}]
        count = self.random.randint(1, 4)
        aside = self.random.random() < 0.3
        for number in range(count):
            lines.append(
                {
                    "type": "stage",
                    "id": f"stage-{number}",
                    "pipelineId": "p-of-the-round",
                    "position": 0 if aside else number,
                    "role": "producer",
                    "task": f"Job {number}",
                }
            )
        return "".join(json.dumps(line) + "\n" for line in lines)

    async def run(self):
        await self.server.start()
        os.makedirs(os.path.join(self.home, "config"), 0o700)
        with open(os.path.join(self.home, "config/config.toml"), "w", encoding="utf-8") as file:
            file.write(self.server.configuration)
        plan = self.plan()
        for attempt in range(self.random.randint(2, 6)):
            words = ["--yolo", "--max-cost", str(self.budget)]
            words += ["--retries", str(self.random.choice([0, 1, 3]))]
            words += ["--idle-timeout", "0.15s"]
            words += ["--stream"] if self.random.random() < 0.5 else []
            words += ["--resume"] if attempt else []
            records = await self.start(words, None if attempt else plan)
            self.runs += 1
            await self.judge(records)
            if any(r["type"] == "pipeline" and r["status"] == "completed" for r in records):
                break
        self.server.server.close()
        return self

    async def start(self, words, text):
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": self.home,
            "AGENTPIPES_HOME": self.home,
            "ANTHROPIC_API_KEY": "sk-ant-no-real-key-0000",
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{self.server.port}",
            "AGENTPIPES_MODEL": self.server.model,
        }
        process = await asyncio.create_subprocess_exec(
            self.tool,
            *words,
            env=environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        end = self.random.choice([None, None, signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        ending = asyncio.create_task(self.end(process, end)) if end else None
        output, _ = await process.communicate((text or "").encode())
        if ending:
            ending.cancel()
        records = []
        for line in output.split(b"\n"):
            # A run that was killed may leave half a line.
            try:
                records.append(json.loads(line))
            except ValueError:
                pass
        return records

    async def end(self, process, number):
        """Ends a run after some of its requests, at any point of an answer."""
        requests = len(self.server.billed) + self.random.choice([0, 1, 1, 1, 2])
        delay = self.random.choice([0, 0, 0.001, 0.01, 0.05])
        while len(self.server.billed) < requests:
            await asyncio.sleep(0.002)
        await asyncio.sleep(delay)
        if process.returncode is None:
            process.send_signal(number)

    async def judge(self, records):
        listed = await self.listed()
        cost = self.server.cost
        dearest = max((self.server.cost_of(*bill) for bill in self.server.billed), default=0)
        if cost > self.budget + dearest + NOISE:
            self.problems.append(f"{cost:.6f} were billed of {self.budget}")
        told = [r for r in records + listed if r["type"] == "pipeline"]
        for record in told:
            if record.get("costUSD") is None:
                continue
            self.compared += self.server.again > 0
            if abs(record["costUSD"] - cost) > NOISE:
                self.problems.append(
                    f"{record['costUSD']:.6f} are told of {cost:.6f} ({record['status']})"
                )

    async def listed(self):
        process = await asyncio.create_subprocess_exec(
            self.tool,
            "--list",
            env={"PATH": os.environ["PATH"], "HOME": self.home, "AGENTPIPES_HOME": self.home},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        output, _ = await process.communicate()
        return [json.loads(line) for line in output.splitlines()]


async def main(bin_folder, wanted, seed):
    scratch = tempfile.mkdtemp(prefix="agentpipes-spending.")
    runs, rounds, failed, billed, again, compared = 0, 0, 0, 0, 0, 0
    try:
        while runs < wanted:
            batch = [Round(bin_folder, seed + rounds + i, scratch) for i in range(4)]
            rounds += len(batch)
            for done in await asyncio.gather(*(r.run() for r in batch)):
                runs += done.runs
                billed += len(done.server.billed)
                again += done.server.again
                compared += done.compared
                for problem in done.problems:
                    failed += 1
                    print(f"{os.path.basename(done.home)}: {problem}")
                if not done.problems:
                    shutil.rmtree(done.home)
    finally:
        shutil.rmtree(scratch)
    print(f"{runs} runs of {rounds} pipelines sent {billed} requests that were billed")
    print(f"{again} answers reported their counts several times; {compared} costs were told after one")
    print(f"{runs} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print("usage: spend_at_random.py BIN RUNS SEED", file=sys.stderr)
        sys.exit(64)
    sys.exit(asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
