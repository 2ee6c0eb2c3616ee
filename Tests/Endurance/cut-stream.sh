#!/bin/bash
# Cuts the connections by which stream-tail follows a hub at random bytes. Then each of them has every event
# once and in its order, or is told of what is missing by one gap. Some connections do not end but freeze.
#
#   Tests/Endurance/cut-stream.sh [--short]
#
# 1000 cuts of 100 readers, or 40 of 10 with --short. The tools are those of $AGENTPIPES_BIN, else of
# .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
options=(--cuts 1000 --clients 100 --frozen 0.02)

case $* in
  '') ;;
  --short) options=(--cuts 40 --clients 10) ;;
  *)
    echo 'usage: cut-stream.sh [--short]' >&2
    exit 64
    ;;
esac
exec "${AGENTPIPES_PYTHON:-python3}" "$root/Tests/Endurance/Hub/cut_stream.py" "${options[@]}"
