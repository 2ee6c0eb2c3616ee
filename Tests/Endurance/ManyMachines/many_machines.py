"""Two hubs on two machines, whose records are in one database; see many-machines.sh."""

import argparse
import os
import random
import signal
import sys
import time

import database
from machines import Machines, hubs

import cut_cases
import kill_cases
import race_cases
import skewed_clocks
import table_cases

PARTS = {
    "kills": lambda checks, machines, options: kill_cases.run(checks, machines, options.kills),
    "races": lambda checks, machines, options: race_cases.run(checks, machines, options),
    "cuts": lambda checks, machines, options: cut_cases.run(checks, machines, options),
    "clocks": lambda checks, machines, options: skewed_clocks.run(checks, machines, options.hours),
    "tables": lambda checks, machines, options: table_cases.run(checks, machines),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, required=True)
    parser.add_argument("--races", type=int, required=True)
    parser.add_argument("--repeats", type=int, required=True)
    parser.add_argument("--cuts", type=int, required=True)
    parser.add_argument("--failures", type=int, required=True)
    parser.add_argument("--hours", type=int, nargs="+", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS])
    options = parser.parse_args()
    random.seed(options.seed)
    # What was started also ends, and the folder goes, if the time limit of a caller ends this program.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if not os.access(hubs.BIN / "hub-serve", os.X_OK):
        sys.exit(f"many-machines.sh: no tools in '{hubs.BIN}': build them, or set AGENTPIPES_BIN")
    if not database.programs():
        print("many-machines.sh: nothing was tried: PostgreSQL 15 is not installed")
        return
    try:
        machines = Machines()
    except PermissionError as error:
        print(f"many-machines.sh: nothing was tried: {error}")
        return
    checks = hubs.Checks()
    machines.start()
    machines.pair()
    for name in options.parts or PARTS:
        began = time.monotonic()
        print(f"{name}:", flush=True)
        PARTS[name](checks, machines, options)
        print(f"  {time.monotonic() - began:.1f} s", flush=True)
    checks.end()


main()
