#!/usr/bin/env python3
"""The checks of real-agents.sh, in its namespace: real_agents.py [--short] [NAME ...]"""
import sys
import threading
import traceback

import claude_checks
import codex_checks
import long_checks
from checks import Report
from model_servers import Models

# Two lanes of scenes run beside each other.
SHORT = [
    [claude_checks.claude_print, claude_checks.claude_terminal, claude_checks.claude_pane],
    [codex_checks.codex_exec, codex_checks.codex_terminal],
]
LONG = [
    [long_checks.claude_faults, long_checks.claude_compaction, long_checks.claude_kills,
     long_checks.claude_many],
    [long_checks.codex_faults, long_checks.codex_kills, long_checks.codex_many,
     long_checks.protocols],
]


def run(report, scenes):
    for scene in scenes:
        name = scene.__name__.replace("_", "-")
        if report.wants(name):
            try:
                scene(report, Models(claude_checks.PLAYS, codex_checks.PLAYS))
            except Exception:
                report.tell(name, traceback.format_exc())


def main():
    names = [word for word in sys.argv[1:] if word != "--short"]
    report = Report(names)
    for lanes in [SHORT] if "--short" in sys.argv else [SHORT, LONG]:
        threads = [threading.Thread(target=run, args=(report, lane)) for lane in lanes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(f"{report.passed} passed, {report.failed} failed")
    sys.exit(report.failed > 0 or report.passed == 0)


main()
