#!/bin/bash
# Lets a crowd take what hub-serve has: connections that say nothing, heads and bodies a byte at a time, bodies
# of 10 MB and such without an end, with a token and without. Another client gets an answer to each of its
# 100 questions meanwhile. Then 1000 readers of the live stream go at once and come again, some times. All
# descriptors are given back.
#
#   Tests/Endurance/crowd-hub.sh [--short]
#
# The tools are those of $AGENTPIPES_BIN, else of .build/debug.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
options=(--size 500 --storms 10)

case $* in
  '') ;;
  --short) options=(--size 100 --storms 2) ;;
  *)
    echo 'usage: crowd-hub.sh [--short]' >&2
    exit 64
    ;;
esac
exec "${AGENTPIPES_PYTHON:-python3}" "$root/Tests/Endurance/Hub/crowd_hub.py" "${options[@]}"
