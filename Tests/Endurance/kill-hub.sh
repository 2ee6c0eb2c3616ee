#!/bin/bash
# Kills hub-serve by SIGKILL while clients send events, steer an agent and decide at gates, starts it again and
# lets them repeat what was not answered. Then nothing that was acknowledged is lost, no batch is there by
# half and no event twice, ids rise, and each request acted once.
#
#   Tests/Endurance/kill-hub.sh [--short]
#
# 100 kills, or 8 with --short. The tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
options=(--rounds 100)

case $* in
  '') ;;
  --short) options=(--rounds 8) ;;
  *)
    echo 'usage: kill-hub.sh [--short]' >&2
    exit 64
    ;;
esac
exec "${AGENTPIPES_PYTHON:-python3}" "$root/Tests/Endurance/Hub/kill_hub.py" "${options[@]}"
