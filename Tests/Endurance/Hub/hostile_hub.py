"""Runs the cases of hostile clients against a hub; see hostile-hub.sh."""

import sys
import time

import hub as hubs
import socket_cases
import steering_cases


def main():
    checks, scratch = hubs.Checks(), hubs.Scratch()
    scratch.configure("[limits]\ncontrols_per_minute = 100000\nterminations_per_minute = 100000\n")
    hub = hubs.Hub(scratch)
    hub.start()
    for case in (*steering_cases.CASES, *socket_cases.CASES):
        if len(sys.argv) > 1 and case.__name__ not in sys.argv[1:]:
            continue
        began, failed = time.monotonic(), checks.failed
        case(checks, hub)
        checks.check(hub.process.poll() is None, "the hub ended")
        verdict = "right" if checks.failed == failed else "WRONG"
        print(f"{case.__name__}: {verdict} ({time.monotonic() - began:.1f} s)", flush=True)
    hub.stop()
    checks.end()


main()
