"""Does to a hub's pairing and its devices what attackers, races and kills do; see pair-hub.sh."""

import argparse
import random
import resource
import sys
import time
import traceback
import types

import answer_cases
import clock_cases
import hub as hubs
import pairing_cases
import relay_cases
import siege_cases
import signature_cases
import token_cases

LONG = types.SimpleNamespace(
    guessing=60, races=100, kills=100, mutations=10_000, revocations=10, sockets=1000, clocks=60,
    dripping=True)
SHORT = types.SimpleNamespace(
    guessing=3, races=20, kills=8, mutations=500, revocations=1, sockets=100, clocks=6,
    dripping=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    random.seed(options.seed)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    checks, hosts = hubs.Checks(), []
    if not hubs.ForeignConnection.is_possible():
        print("without root nobody is another user: what is unsigned is the operator's, and not judged")

    def run(name, case):
        began, failed, checks.told = time.monotonic(), checks.failed, 0
        try:
            figures = case()
        except Exception:  # The other cases tell more than this one that broke off.
            checks.check(False, f"it broke off: {traceback.format_exc()}")
            figures = "broken off"
        verdict = "right" if checks.failed == failed else "WRONG"
        print(f"{name}: {verdict}: {figures} ({time.monotonic() - began:.1f} s)", flush=True)

    def with_host(case):
        host, figures = case(checks, SHORT if options.short else LONG)
        hosts.append(host)
        return figures

    modules = (
        pairing_cases, signature_cases, relay_cases, token_cases, clock_cases, answer_cases, siege_cases)
    for case in (case for module in modules for case in module.CASES):
        if not options.cases or case.__name__ in options.cases:
            run(case.__name__, lambda: with_host(case))
    run("secrets", lambda: secrets(checks, hosts))
    checks.end()


def secrets(checks, hosts):
    """What is secret is in no log, no file but its own, and no answer that tells of a failure."""
    files = size = words = 0
    for host in hosts:
        count, bytes_, found = host.traces()
        files, size = files + count, size + bytes_
        words += len(host.words) + len(host.codes) + len(host.keys)
        checks.check(not found, f"secrets are told: {found[:10]}")
    return f"{words} codes, tokens, keys and signatures, in {files} files of {size >> 20} MB"


if __name__ == "__main__":
    sys.exit(main())
